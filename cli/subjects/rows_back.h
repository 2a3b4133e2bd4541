/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of explain and simulate by which rows are brought back (riffle_ungroup).
 */
#ifndef RIFFLE_CLI_SUBJECTS_ROWS_BACK_H
#define RIFFLE_CLI_SUBJECTS_ROWS_BACK_H

#include "frame/readers.h"
#include "riffle/group.h"

typedef struct rows_back {
    uint64_t rows; /**< that there are; 0: none is brought back */
    int sum;       /**< 0: not said, else 1 more than the sum */
    bool weights;
} rows_back;

option_reader option_rows_sum; /**< into a field of type int */
const char *const *rows_sum_words(void);

/** N rows by so many places each; of several places, or with weights, sums are of float32 unless told. */
riffle_ungroup_task rows_back_task(const rows_back *asked, uint64_t n, uint64_t places, uint64_t row_bytes,
                                   size_t index_bytes);

/* clang-format off */
#define ROWS_BACK_OPTIONS(member)                                                                              \
    {"ungroup", "R", NUMBER(member.rows),                                                                      \
     .help = "instead of --by: bring N rows of --elem-bytes bytes back from R grouped ones (riffle ungroup), "  \
             "which their places name", COUNT_RANGE},                                                          \
    {"sum", "NUMBER", option_rows_sum, FIELD(int, member.sum),                                                 \
     .help = "--ungroup: rows at the places of a row are added up as such numbers, f32 by default where it "   \
             "has several or weights:", .words = rows_sum_words},                                              \
    {"weights", NULL, SWITCH(member.weights), .help = "--ungroup: each times its weight"}
/* clang-format on */

#endif
