/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole matrices between the row-wise passes of a column-wise or scheduled permutation (Kasagi, Nakano, Ito
 * 2013, section V); the planner's own choice for a transpose is plan/axes/tile.h. By square tiles of a few
 * lines each way, whose lines are all in the first-level cache while they are in use.
 */
#include <string.h>

#include "base/arithmetic.h"
#include "base/element_size.h"
#include "move/cpu/passes/loops.h"

enum { TILE = 32 };

/* The part of the matrix in rows top to bottom - 1 and columns left to right - 1. */
typedef struct tile {
    uint64_t rows, cols; /* the whole matrix's */
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

static uint64_t tiles_along(uint64_t length) { return (length + TILE - 1) / TILE; }

/* A member's tiles lie one below the other, and so side by side in dst. */
void cpu_transpose(const cpu_move *move, team_member me) {
    const uint64_t rows = move->p->transpose.rows, cols = move->p->transpose.cols, bands = tiles_along(rows);
    const team_share mine = team_share_of(bands * tiles_along(cols), me);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const uint64_t top = k % bands * TILE, left = k / bands * TILE;
        const tile t = {.rows = rows,
                        .cols = cols,
                        .dst = move->dst,
                        .src = move->src,
                        .top = top,
                        .bottom = min(rows, top + TILE),
                        .left = left,
                        .right = min(cols, left + TILE)};
        CALL_FOR_ELEMENT_SIZE(move->p->transpose.elem_bytes, transpose_tile, &t)
    }
}
