/* SPDX-License-Identifier: Apache-2.0
 *
 * By square tiles of a few lines each way, whose lines are all in the first-level cache while they are in use.
 */
#include "engines/cpu/transpose.h"

#include <string.h>

#include "engines/cpu/element_size.h"

enum { TILE = 32 };

/* The part of the matrix in rows top to bottom - 1 and columns left to right - 1. */
typedef struct tile {
    uint64_t rows, cols; /* of the whole matrix */
    char *dst;
    const char *src;
    uint64_t top, bottom, left, right;
} tile;

ALWAYS_INLINE void transpose_tile(const tile *t, size_t elem_bytes) {
    for (uint64_t j = t->left; j < t->right; j++) {
        char *to = t->dst + (j * t->rows + t->top) * elem_bytes;
        const char *from = t->src + (t->top * t->cols + j) * elem_bytes;
        for (uint64_t i = t->top; i < t->bottom; i++) {
            memcpy(to, from, elem_bytes);
            to += elem_bytes;
            from += t->cols * elem_bytes;
        }
    }
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

void cpu_transpose(uint64_t rows, uint64_t cols, size_t elem_bytes, void *dst, const void *src,
                   unsigned threads) {
    const uint64_t bands = (rows + TILE - 1) / TILE, across = (cols + TILE - 1) / TILE;
#pragma omp parallel for collapse(2) schedule(static) num_threads((int)threads)
    for (uint64_t b = 0; b < across; b++) {
        for (uint64_t a = 0; a < bands; a++) {
            const tile t = {.rows = rows,
                            .cols = cols,
                            .dst = dst,
                            .src = src,
                            .top = a * TILE,
                            .bottom = least(rows, (a + 1) * TILE),
                            .left = b * TILE,
                            .right = least(cols, (b + 1) * TILE)};
            CALL_FOR_ELEMENT_SIZE(elem_bytes, transpose_tile, &t)
        }
    }
}
