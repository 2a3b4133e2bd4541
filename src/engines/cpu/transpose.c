/* SPDX-License-Identifier: Apache-2.0
 *
 * By square tiles of a few lines each way, whose lines are all in the first-level cache while they are in use.
 */
#include "engines/cpu/transpose.h"

#include <string.h>

#include "engines/cpu/element_size.h"
#include "engines/cpu/team.h"

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

typedef struct job {
    uint64_t rows, cols;
    size_t elem_bytes;
    void *dst;
    const void *src;
} job;

static uint64_t tiles_along(uint64_t length) { return (length + TILE - 1) / TILE; }

/* Tiles one below the other, which are side by side in dst. */
static void transpose_share(const void *context, team_member me) {
    const job *j = context;
    const uint64_t bands = tiles_along(j->rows);
    const team_share mine = team_share_of(bands * tiles_along(j->cols), me);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const uint64_t top = k % bands * TILE, left = k / bands * TILE;
        const tile t = {.rows = j->rows,
                        .cols = j->cols,
                        .dst = j->dst,
                        .src = j->src,
                        .top = top,
                        .bottom = least(j->rows, top + TILE),
                        .left = left,
                        .right = least(j->cols, left + TILE)};
        CALL_FOR_ELEMENT_SIZE(j->elem_bytes, transpose_tile, &t)
    }
}

void cpu_transpose(uint64_t rows, uint64_t cols, size_t elem_bytes, void *dst, const void *src,
                   unsigned threads) {
    const job j = {rows, cols, elem_bytes, dst, src};
    team_run(threads, transpose_share, &j);
}
