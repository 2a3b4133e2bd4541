/* SPDX-License-Identifier: Apache-2.0
 *
 * NumPy's dtype descriptions, the literals that dtype.descr and dtype.str give: '<f4', '|S10', '<M8[ns]', or
 * for structures a list of fields, [('x', '<i8'), (('title', 'y'), '<f4', (2, 3)), ('', '|V4')].
 */
#ifndef RIFFLE_NPY_DESCR_H
#define RIFFLE_NPY_DESCR_H

#include "npy/literal.h"

/** Reads one description and gives the bytes of an element, at least 1. Python objects, elements of no
 *  bytes, sizes beyond 2^63 and structures nested more than 32 deep are errors. */
riffle_status descr_read(literal *in, size_t *elem_bytes);

#endif
