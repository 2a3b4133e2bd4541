/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices over F2 for tests: bit by bit, in memory with words between rows that nobody may touch.
 */
#ifndef RIFFLE_TESTS_F2_SUPPORT_H
#define RIFFLE_TESTS_F2_SUPPORT_H

#include "riffle/f2.h"
#include "support.h"

enum { F2_GUARD = 0x5c };

static inline size_t f2_bytes(const riffle_f2_matrix *a) {
    return (a->rows * a->stride + 1) * sizeof *a->words;
}

/** A matrix that is all guards, with `gap` words between rows. */
static inline riffle_f2_matrix f2_poisoned(uint64_t rows, uint64_t columns, size_t gap) {
    riffle_f2_matrix a = {rows, columns, riffle_f2_stride(columns) + gap, NULL};
    a.words = malloc(f2_bytes(&a));
    assert_non_null(a.words);
    memset(a.words, F2_GUARD, f2_bytes(&a));
    return a;
}

static inline bool f2_at(const riffle_f2_matrix *a, uint64_t i, uint64_t j) {
    return (a->words[i * a->stride + j / 64] >> j % 64 & 1) != 0;
}

static inline void f2_put(const riffle_f2_matrix *a, uint64_t i, uint64_t j, bool bit) {
    uint64_t *const word = &a->words[i * a->stride + j / 64];
    *word = (*word & ~((uint64_t)1 << j % 64)) | (uint64_t)bit << j % 64;
}

/** Random, with anything in the rest of each row. */
static inline riffle_f2_matrix f2_random(rng *r, uint64_t rows, uint64_t columns, size_t gap) {
    const riffle_f2_matrix a = f2_poisoned(rows, columns, gap);
    for (uint64_t i = 0; i < rows; i++)
        for (size_t w = 0; w < riffle_f2_stride(columns); w++) a.words[i * a.stride + w] = rng_next(r);
    return a;
}

/** to = a b, by the definition. */
static inline riffle_f2_matrix f2_plain_product(const riffle_f2_matrix *a, const riffle_f2_matrix *b) {
    const riffle_f2_matrix to = f2_poisoned(a->rows, b->columns, 0);
    for (uint64_t i = 0; i < to.rows; i++)
        for (uint64_t j = 0; j < to.columns; j++) {
            bool sum = false;
            for (uint64_t k = 0; k < a->columns; k++) sum ^= f2_at(a, i, k) && f2_at(b, k, j);
            f2_put(&to, i, j, sum);
        }
    return to;
}

/** A matrix whose rank is `rank` at most. */
static inline riffle_f2_matrix f2_random_of_rank(rng *r, uint64_t rows, uint64_t columns, uint64_t rank) {
    riffle_f2_matrix a = f2_random(r, rows, rank, 0), b = f2_random(r, rank, columns, 0);
    const riffle_f2_matrix made = f2_plain_product(&a, &b);
    free(a.words);
    free(b.words);
    return made;
}

/** True if the guards between rows and in the rest are as a result has them: untouched, and 0. */
static inline bool f2_is_clean(const riffle_f2_matrix *a) {
    const size_t words = riffle_f2_stride(a->columns);
    for (uint64_t i = 0; i < a->rows; i++) {
        const uint64_t *const row = a->words + i * a->stride;
        if (a->columns % 64 != 0 && row[words - 1] >> a->columns % 64 != 0) return false;
        for (size_t w = words; w < a->stride; w++)
            if (row[w] != UINT64_C(0x5c5c5c5c5c5c5c5c)) return false;
    }
    return a->words[a->rows * a->stride] == UINT64_C(0x5c5c5c5c5c5c5c5c);
}

static inline bool f2_equal(const riffle_f2_matrix *a, const riffle_f2_matrix *b) {
    for (uint64_t i = 0; i < a->rows; i++)
        for (uint64_t j = 0; j < a->columns; j++)
            if (f2_at(a, i, j) != f2_at(b, i, j)) return false;
    return a->rows == b->rows && a->columns == b->columns;
}

#endif
