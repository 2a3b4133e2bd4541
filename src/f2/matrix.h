/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of matrices over F2, and the checks that every public function makes of whole ones.
 *
 *     columns   0 ...... 63  64 ..... 127  128 .. rest
 *     row 0   | word 0     | word 1      | word 2     | not the matrix's | word 0 + stride ...
 *
 * A part begins at a word, so a product's inner index and its result's columns are cut at multiples of 64.
 */
#ifndef RIFFLE_F2_MATRIX_H
#define RIFFLE_F2_MATRIX_H

#include <stdbool.h>

#include "riffle/f2.h"

enum { F2_WORD = 64 };

static inline uint64_t f2_min(uint64_t a, uint64_t b) { return a < b ? a : b; }

/** Words of a row of so many columns. */
static inline size_t f2_words(uint64_t columns) { return (columns + F2_WORD - 1) / F2_WORD; }

/** The bits of a row's last word that are the matrix's. */
static inline uint64_t f2_last_mask(uint64_t columns) {
    return columns % F2_WORD == 0 ? ~(uint64_t)0 : ((uint64_t)1 << columns % F2_WORD) - 1;
}

static inline uint64_t *f2_row(const riffle_f2_matrix *a, uint64_t row) { return a->words + row * a->stride; }

/** The part of `rows` rows and `columns` columns that begins at a row and at a word. */
static inline riffle_f2_matrix f2_part(const riffle_f2_matrix *a, uint64_t row, size_t word, uint64_t rows,
                                       uint64_t columns) {
    return (riffle_f2_matrix){rows, columns, a->stride, a->words + row * a->stride + word};
}

/** The sizes and the memory of the matrix that messages call `name`. */
riffle_status f2_check(const char *name, const riffle_f2_matrix *a);

/** f2_check of both, and that the first, which is written, overlaps nothing of the other. */
riffle_status f2_check_pair(const char *to_name, const riffle_f2_matrix *to, const char *name,
                            const riffle_f2_matrix *a);

/** Fails unless the matrix is rows x columns; `why` says which other sizes want that. */
riffle_status f2_check_size(const char *name, const riffle_f2_matrix *a, uint64_t rows, uint64_t columns,
                            const char *why);

/** A zero matrix of its own, for `what`; f2_free frees it. */
riffle_status f2_create(const char *what, uint64_t rows, uint64_t columns, riffle_f2_matrix *out);
void f2_free(riffle_f2_matrix *a);

/** Copies a to `to`, which is as large, with 0 for the rest of each row. */
void f2_copy(const riffle_f2_matrix *to, const riffle_f2_matrix *a);

/** Makes all entries 0, and the rest of each row. */
void f2_clear(const riffle_f2_matrix *a);

#endif
