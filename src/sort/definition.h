/* SPDX-License-Identifier: Apache-2.0
 *
 * The definition of sorting, by the plainest way to it: a stable merge sort of indices, two runs at a time, by a comparison
 * that looks at one field after another as the numbers that they are. Engines are compared with it. A user's comparison is
 * sorted by so too.
 */
#ifndef RIFFLE_SORT_DEFINITION_H
#define RIFFLE_SORT_DEFINITION_H

#include "sort/key.h"

/** True if element a comes before element b. */
typedef bool sort_before(const void *context, const void *a, const void *b);

/** The order of the fields; the context is a sort_layout. */
sort_before sort_before_by_fields;

/** The order of elements that are numbers, where that of zeros and NaNs is not kept; the context is a sort_layout. */
sort_before sort_before_by_number;

/** Puts the n numbers of `order` in the order of the elements that they name. `room` has place for n more. Whatever the
 *  comparison says, the result is a permutation, and no element that `order` does not name is looked at. */
void sort_definition(sort_before *before, const void *context, const void *elements, size_t elem_bytes,
                     uint64_t *order, uint64_t *room, uint64_t n);

/** True if a sort is to end early. */
typedef bool sort_is_stopped(const void *context);

/** The same, but that it ends once stopped(context), which is asked before each merge of two runs; `order` is anything then. */
void sort_definition_unless(sort_is_stopped *stopped, sort_before *before, const void *context,
                            const void *elements, size_t elem_bytes, uint64_t *order, uint64_t *room,
                            uint64_t n);

#endif
