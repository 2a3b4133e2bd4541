/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements of any type for what is simulated, and whether two arrays of them are the same.
 */
#ifndef RIFFLE_DEVICE_ELEMENTS_H
#define RIFFLE_DEVICE_ELEMENTS_H

#include "riffle/program.h"

/** Different bits in integers; in floats numbers between -1/2 and 1/2, so that sums of many stay finite. */
void elements_fill(riffle_type type, uint64_t count, void *data);

/** The first of `count` elements that differs, or `count`. Floats may differ by roundings, for a pass may do operations that act on
 *  different bits in another order. */
uint64_t elements_first_difference(riffle_type type, uint64_t count, const void *got, const void *wanted);

#endif
