/* SPDX-License-Identifier: Apache-2.0
 *
 * Elimination over F2: an echelon form with the multipliers that lead to it, in the matrix's own place.
 *
 * Columns are halved down to one word, whose columns are done one by one. Its pivots then act on the words to the right, all at once: rows
 * of pivots by a triangular solve, rows below by a product. So nearly all of the work is products of f2/multiply.h.
 *
 *     word      0     1     2   ...
 *     first   U L   | U   | U | U        a row of a pivot: from its column on the echelon form U, before it multipliers L
 *             L U     U     U   U
 *             L L   | U L |              a row below: multipliers, where a column has a pivot; else 0
 *
 * A pivot is the uppermost row of the matrix as it was that has a 1 in the column. All rows above have 0 there, so only rows below
 * change, and the pivots' rows are the row rank profile, their columns the column rank profile.
 */
#ifndef RIFFLE_F2_ECHELON_H
#define RIFFLE_F2_ECHELON_H

#include "f2/multiply.h"

typedef struct f2_echelon {
    riffle_f2_matrix
        whole;        /**< the matrix that is eliminated, and columns behind it that share its operations */
    uint64_t columns; /**< that the matrix has; further ones begin with word f2_words(columns) */
    uint64_t rank;
    uint64_t *pivots; /**< columns, ascending: row k of `whole` is that of the k-th */
    uint64_t *first;  /**< how many pivots are before each word; one number more than words */
    uint64_t *order;  /**< the row of the matrix as it was that is in row i now */
    f2_work work;
    uint64_t *column;        /**< a word of each row, side by side */
    int64_t *keys;           /**< which are compared to find the uppermost: order << 32 | row */
    riffle_f2_matrix spread; /**< room for rows of pivots, each in the row of its column's number */
} f2_echelon;

/** Makes room for a matrix of so many rows and columns with `behind` columns behind, all 0: the caller fills `whole` and calls
 *  f2_eliminate. f2_echelon_free frees it. */
riffle_status f2_echelon_create(uint64_t rows, uint64_t columns, uint64_t behind, unsigned threads,
                                f2_echelon *out);
void f2_echelon_free(f2_echelon *e);

/** The columns behind the matrix. */
riffle_f2_matrix f2_behind(const f2_echelon *e);

void f2_eliminate(f2_echelon *e);

/** Solves U x = y for the columns behind, y, which become zeros or anything: x has a row for each column of the matrix. Rows of x
 *  of columns without a pivot are read, and stay. */
void f2_back_substitute(const f2_echelon *e, const riffle_f2_matrix *x);

#endif
