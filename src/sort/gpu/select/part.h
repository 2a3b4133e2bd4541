/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements that are numbers parted around the one of some rank, as launches: a sample gives two bounds that the pivot is most likely
 * between, one pass counts by shares what is less than these and lists what is between them, where the pivot is found, and one pass moves
 * all. Where the pivot is not between the bounds, it is counted digit by digit: launches that leave at once where they are not
 * needed.
 *
 *     select_sample, part_bounds      some 2^16 elements   ->  the bounds
 *     part_filter, part_settle        all elements         ->  counts of shares, and a list
 *     part_digits, part_tally         the list             ->  the pivot, and what each share has before it
 *     part_exact, part_filter         all elements         ->  the same, if need be
 *     part_move                       all elements         ->  all to its two sides
 *
 * Arrays that a GPU's caches hold have no sample: all is counted, digit by digit. Each of many long segments a block parts by itself
 * (part_rows). Segments that registers hold, any number of them, are read once and written once (part_held.c).
 */
#ifndef RIFFLE_SORT_GPU_SELECT_PART_H
#define RIFFLE_SORT_GPU_SELECT_PART_H

#include "sort/gpu/select/select.h"

/** How it is cut. */
typedef struct part_steps {
    bool is_chosen;
    bool is_exact;   /**< no sample: all is counted */
    bool is_by_rows; /**< a block parts a segment: of all else there are places for results alone */
    bool is_held;    /**< the same of segments that registers hold */
    select_request request;
    uint32_t all;                                         /**< elements, those of no segment too */
    part_table table;                                     /**< with sizes alone */
    uint32_t word_bytes;                                  /**< bytes of a code */
    size_t list, picked, bounds, counts, digits, classes; /**< offsets in the workspace */
    size_t keys, values; /**< results that come into the place of what they are made of */
    size_t bytes;
} part_steps;

/** The steps for `all` elements, not chosen where they are too wide, and where uneven segments are few, of which one may have nearly all. A sample is drawn
 *  of arrays of `least` elements and more. `coding` is the field's. */
part_steps part_choose(const select_request *r, uint32_t all, const sort_coding *coding, uint32_t least,
                       unsigned multiprocessors);

/** Appends the launches. `begin` says where uneven segments begin. */
void launch_part(const part_steps *s, const riffle_sort_arrays *arrays, const uint32_t *begin, void *workspace,
                 launch_list *out);

/** True if registers hold a segment of n elements of so many bytes, wherever it lies. */
bool part_is_held(uint32_t n, uint32_t elem_bytes);

/** Appends the launch for segments that registers hold: elements go to `keys`, and what `along` says with them. */
void launch_part_held(const part_steps *s, const part_along *along, void *keys, const void *from_keys,
                      launch_list *out);

#endif
