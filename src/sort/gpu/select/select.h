/* SPDX-License-Identifier: Apache-2.0
 *
 * The first `count` of many elements that are numbers, as launches: a sample gives a bound that they most likely do not pass, one pass lists
 * what does not, and that is sorted. Where the list is too short or too long, which no order of elements but one made
 * for it brings about, the exact bound is counted digit by digit: launches that leave at once where they are not needed.
 *
 *     select_sample, select_bound     some 2^16 elements   ->  the bound
 *     select_filter                   all elements         ->  the list of candidates
 *     select_digits, select_filter    all elements         ->  the exact bound and its list, if need be
 *     select_ties                     where ties were      ->  the first of what equals the bound, if need be
 *     the sort of the list, or, where the first are few, a block that selects them of it; and results
 *
 * The first of each of many segments are selected by a block each (select_rows).
 */
#ifndef RIFFLE_SORT_GPU_SELECT_SELECT_H
#define RIFFLE_SORT_GPU_SELECT_SELECT_H

#include "sort/gpu/codes/launches.h"
#include "sort/plan.h"

/** A selection. */
typedef struct select_request {
    uint32_t n, count, segments; /**< the first `count` of each of so many segments of n elements, about */
    bool is_uneven;              /**< segments have any lengths */
    sort_field field;            /**< elements are nothing but this number */
    bool is_placed;              /**< equals are told apart: candidates have places */
    size_t value_bytes, index_bytes;
} select_request;

/** How it is cut. */
typedef struct select_steps {
    bool is_chosen;
    bool is_last_alone; /**< one block selects of the list, which is not sorted */
    bool is_by_rows;    /**< a block selects a segment: of all else the list is there alone */
    select_request request;
    select_table table;    /**< with sizes alone */
    uint32_t word_bytes;   /**< bytes of a code, */
    uint32_t listed_bytes; /**< and of a candidate */
    sort_request sort;     /**< sorts the list */
    sort_steps sort_steps;
    size_t list, picked, bounds, counts, ties, digits, inner; /**< offsets in the workspace */
    size_t keys, values; /**< results that come into the place of what they are made of */
    size_t bytes;
} select_steps;

/** How elements become codes. */
select_coder select_coder_of(const select_request *r, const sort_coding *coding);

/** The table of one array: how elements become codes, how many are sampled, and a code's digits, of so many bits each. */
select_table select_table_of(const select_request *r, const sort_coding *coding, uint32_t digit_bits);

/** Blocks that read all elements, and how many each reads. */
void select_choose_blocks(select_table *t, uint32_t elem_bytes, unsigned multiprocessors);

/** The steps, not chosen where all would better be sorted: where the first are many, elements fewer than `least`, or too
 *  wide. `coding` is the field's. */
select_steps select_choose(const select_request *r, const sort_coding *coding, uint32_t least,
                           unsigned multiprocessors);

/** Appends the launches. `begin` says where uneven segments begin. */
void launch_select(const select_steps *s, const riffle_sort_arrays *arrays, const uint32_t *begin,
                   void *workspace, launch_list *out);

#endif
