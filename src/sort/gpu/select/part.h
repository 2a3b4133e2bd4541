/* SPDX-License-Identifier: Apache-2.0
 *
 * Many elements that are numbers parted around the one of some rank, as launches: a sample gives two bounds that the pivot is most likely
 * between, one pass counts by blocks what is less than these and lists what is between them, where the pivot is found, and one pass moves
 * all. Where the pivot is not between the bounds, it is counted digit by digit as an exact bound is (select.h): launches that leave at once where they are
 * not needed.
 *
 *     select_sample, part_bounds      some 2^16 elements   ->  the bounds
 *     part_filter, part_settle        all elements         ->  counts of blocks, and a list
 *     part_digits, part_tally         the list             ->  the pivot, and what each block has before it
 *     select_digits, part_filter      all elements         ->  the same, if need be
 *     part_move                       all elements         ->  all in two runs a block
 */
#ifndef RIFFLE_SORT_GPU_SELECT_PART_H
#define RIFFLE_SORT_GPU_SELECT_PART_H

#include "sort/gpu/select/select.h"

/** How it is cut. */
typedef struct part_steps {
    bool is_chosen;
    select_request request;
    part_table table;                                     /**< with sizes alone */
    uint32_t word_bytes;                                  /**< bytes of a code */
    size_t list, picked, bounds, counts, digits, classes; /**< offsets in the workspace */
    size_t keys, values; /**< results that come into the place of what they are made of */
    size_t bytes;
} part_steps;

/** The steps, not chosen where segments or elements are several, fewer than `least`, or too wide. `coding` is the field's. */
part_steps part_choose(const select_request *r, const sort_coding *coding, uint32_t least,
                       unsigned multiprocessors);

/** Appends the launches. */
void launch_part(const part_steps *s, const riffle_sort_arrays *arrays, void *workspace, launch_list *out);

#endif
