/* SPDX-License-Identifier: Apache-2.0
 *
 * A check of passes of sorts that find an order first: the items that are sorted, as they are made and as the order is made of them; and each element
 * with its place, as it is read to make its item, and as the order names it where results are taken.
 */
#ifndef RIFFLE_SORT_CPU_ORDERED_H
#define RIFFLE_SORT_CPU_ORDERED_H

#include "sort/cpu/checked/between.h"
#include "sort/definition.h"
#include "sort/key_pieces.h"
#include "sort/plan.h"

/** Zero what is not said. Without results of keys elements are not read again: their places alone are added up then. */
typedef struct ordered {
    const riffle_sort_plan *plan;
    const riffle_sort_arrays *arrays;
    const key_pieces *key;
    check_sums sums;     /**< elements and places that were read, less those that were taken */
    between_found found; /**< items that changed, and elements that are not in order */
} ordered;

/** So many elements are read, from one on. Any threads come to it at one time, as to the next. */
void ordered_read(ordered *o, uint64_t first, uint64_t count);

/** So many entries of the order, of 4 or 8 bytes, are taken, from one on. */
void ordered_take(ordered *o, const void *entries, size_t entry_bytes, uint64_t first, uint64_t count);

/** RIFFLE_ERROR_DAMAGED where that is not what was read, or not in order. */
riffle_status ordered_result(const ordered *o);

#endif
