/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables that the kernels that permute rows and columns in place take by value (plan/matrix/in_place.h). Places are counted
 * up from an element of a thread to its next one, so the tables have the steps that a thread makes.
 */
#ifndef RIFFLE_MOVE_KERNELS_MATRIX_IN_PLACE_LINES_H
#define RIFFLE_MOVE_KERNELS_MATRIX_IN_PLACE_LINES_H

#include <stdint.h>

typedef struct in_rows_table {
    uint32_t rows, cols, block; /* d = ((i + j / block) mod rows + j rows) mod cols */
    uint32_t turns, within;     /* for the threads of a row: threads / block mod rows, threads mod block */
    uint32_t product;           /* threads rows mod cols */
    uint32_t back;
} in_rows_table;

typedef struct in_columns_table {
    uint32_t rows, cols, block;
    uint32_t step, group; /* the row is (i step - i / group + j / block) mod rows */
    uint32_t strip_log2;
    uint32_t lines_step,
        lines_within; /* for the rows that a block's threads take at a time: (lines step - lines / group) mod rows, and lines
                                          mod group */
    uint32_t back;
} in_columns_table;

#endif
