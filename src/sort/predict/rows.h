/* SPDX-License-Identifier: Apache-2.0
 *
 * How warps read elements of any bytes: by words, one behind the other or anywhere.
 */
#ifndef RIFFLE_SORT_PREDICT_ROWS_H
#define RIFFLE_SORT_PREDICT_ROWS_H

#include "sort/kernels/tables/row.h"

/** The words that a piece of a key is read by (sort/kernels/codes/sort_key_bits.h). */
typedef struct row_words {
    uint32_t bytes, count;
} row_words;

row_words row_words_of(const sort_rows *rows, const key_piece *piece);

/** Address groups of such words at byte `at` of neighbouring elements, a lane each. */
uint32_t row_groups(const sort_rows *rows, uint32_t at, uint32_t word, uint32_t lanes);

/** The mean of address groups that some rows of `units` cells meet which are drawn from `all` of them. */
double row_random_groups(double rows, double units, double all);

/** The mean of address groups from which a warp takes rows of `units` cells that come in order, but where `parted` of each `length` come
 *  before all others. */
double row_parted_groups(double parted, double length, double units);

#endif
