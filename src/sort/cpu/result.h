/* SPDX-License-Identifier: Apache-2.0
 *
 * From the order of elements to what was asked for: elements, values and indices in their places.
 *
 *     order     entry i of begin .. end - 1 names the element that stands at place i of all segments sorted
 *     ALL, MERGE   that is the result
 *     TOP          the first of each segment move to where its results begin
 *     PARTITION    elements before place `count` of a segment, and those behind it, come in the order that they lie in
 *     UNIQUE       of each segment those stay that differ from the one before
 */
#ifndef RIFFLE_SORT_CPU_RESULT_H
#define RIFFLE_SORT_CPU_RESULT_H

#include "sort/definition.h"
#include "sort/plan.h"

/** True if a segment of so many elements is not sorted whole: the elements before element `count` are found first. */
static inline bool sort_is_selected(const riffle_sort_plan *plan, uint64_t length) {
    if (plan->task == RIFFLE_SORT_TASK_TOP) return plan->count < length / 2;
    return plan->task == RIFFLE_SORT_TASK_PARTITION && plan->count < length;
}

/** The order of all elements, numbers of entry_bytes bytes, 4 or 8. */
typedef struct sort_order {
    void *entries;
    size_t entry_bytes;
} sort_order;

/** Bytes of an entry of the order that serves a plan. */
size_t sort_order_entry_bytes(const riffle_sort_plan *plan);

static inline uint64_t sort_order_at(const sort_order *order, uint64_t i) {
    return order->entry_bytes == 4 ? ((const uint32_t *)order->entries)[i]
                                   : ((const uint64_t *)order->entries)[i];
}

static inline void sort_order_set(const sort_order *order, uint64_t i, uint64_t element) {
    if (order->entry_bytes == 4)
        ((uint32_t *)order->entries)[i] = (uint32_t)element;
    else
        ((uint64_t *)order->entries)[i] = element;
}

/** Bytes of room that writing results needs: for elements or values that come into the place of what they are made of, both at once where a check of
 *  passes is shown the order. */
size_t sort_result_room(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays);

/** For UNIQUE: leaves in each segment's order what differs from the one before, and writes `lengths`. */
void sort_result_keep_first(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                            const sort_order *order, sort_before *before, const void *context);

/** For PARTITION: of each segment's order, which has the right elements before, at and behind place `count`, those before and those
 *  behind come in the order that they lie in. `is_front` has place for n. */
void sort_result_part(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, const sort_order *order,
                      unsigned char *is_front);

/** Writes what was asked for. The order is changed. */
void sort_result_write(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays, const sort_order *order,
                       void *room);

struct ordered; /* a check of passes (ordered.h) */

/** The same of whole sorts, for such a check, which is shown the order on its way. */
void sort_result_write_compared(struct ordered *compared, const sort_order *order, void *room);

#endif
