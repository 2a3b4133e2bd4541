/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the kernels that move rows take by value. A row is moved in parts, all rows in the same number of them: units,
 * or the words of 16 bytes that it may touch. A thread finds the row of a part by multiplying instead of dividing:
 *
 *     row = k / row_parts = (2 k * reciprocal / 2^64) >> shift      for every k < 2^63
 *
 * with shift = ceil(log2 row_parts) and reciprocal = ceil(2^(63 + shift) / row_parts), which is below 2^64.
 * Rounding up adds less than k / 2^(63 + shift) < 1 / 2^shift <= 1 / row_parts to the quotient, too little to
 * reach the next row.
 */
#ifndef RIFFLE_DEVICE_KERNELS_ROWS_H
#define RIFFLE_DEVICE_KERNELS_ROWS_H

#include <stdint.h>

enum {
    ROWS_THREADS = 128, /* threads of a block, at most */
    ROWS_MOVES = 2,     /* moves of a thread, at most */
    ROWS_WORD_BYTES = 16,
};

typedef struct rows_table {
    uint64_t parts;       /**< parts of all rows together, below 2^63 */
    uint64_t row_parts;   /**< parts of a row, at least 1 */
    uint64_t row_bytes;   /**< bytes of a row; where it is moved by words, at least ROWS_WORD_BYTES */
    uint64_t array_bytes; /**< bytes of all rows that are read */
    uint64_t reciprocal;
    uint32_t shift;
    uint32_t entry_bytes;   /**< bytes of an entry of the map: 4 or 8 */
    uint32_t moves;         /**< units that a thread moves: 1..ROWS_MOVES; by words it moves one */
    uint64_t limit;         /**< entries are to be below it, else they count as 0 and */
    uint64_t *out_of_range; /**< this becomes the first of their rows; NULL where all are known to be */
} rows_table;

#endif
