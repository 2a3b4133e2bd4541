/* SPDX-License-Identifier: Apache-2.0
 *
 * The definition of a hull, by the plainest way to it: points sorted by x and y, of equal ones the first, then one walk to the
 * right for the lower boundary and one back for the upper, which drop what does not turn left (Andrew 1979). O(n log n).
 * Engines are compared with it.
 */
#ifndef RIFFLE_HULL_DEFINITION_H
#define RIFFLE_HULL_DEFINITION_H

#include "hull/points.h"

/** The hull of points first .. end - 1, as indices, into `hull`, which has room for as many; with `all` also the points
 *  between corners. Points are finite. */
riffle_status hull_definition(const hull_points *points, uint64_t first, uint64_t end, bool all, uint32_t *hull,
                              uint64_t *length);

#endif
