/* SPDX-License-Identifier: Apache-2.0
 *
 * Transposes by blocks of 512 x 512 bits, in 32 KiB: eight tiles of 64 rows, each read a cache line at a time and turned, and then
 * written a cache line at a time.
 *
 *     a      tile 0  | 8 squares of 64 x 64 |        to     row 64 w + b: word b of square w of tiles 0 to 7
 *            ...
 *            tile 7  |                      |
 */
#include <string.h>

#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "f2/loops.h"
#include "f2/matrix.h"

enum {
    TILES = 8,
    TILE_WORDS = F2_WORD * F2_TILE + F2_TILE,
    BLOCK = TILES * F2_WORD
}; /* a line more: other sets */

typedef struct turning {
    const f2_loops *loops;
    const riffle_f2_matrix *to, *a;
    uint64_t across, blocks; /* blocks side by side, and in all */
    uint64_t *taken;
} turning;

/* Reads a tile; what is beside the matrix is 0. */
static void read_tile(const riffle_f2_matrix *a, uint64_t row, size_t word, uint64_t *tile) {
    const size_t words = f2_min(F2_TILE, f2_words(a->columns) - word);
    for (uint64_t i = 0; i < F2_WORD; i++) {
        uint64_t *const line = tile + i * F2_TILE;
        memset(line, 0, F2_TILE * sizeof *line);
        if (row + i < a->rows) memcpy(line, f2_row(a, row + i) + word, words * sizeof *line);
    }
}

static void turn_block(const turning *w, uint64_t block) {
    _Alignas(64) uint64_t tiles[TILES][TILE_WORDS];
    const uint64_t down = block / w->across * BLOCK, right = block % w->across * BLOCK;
    const size_t words = f2_min(TILES, f2_words(w->to->columns) - down / F2_WORD);
    for (size_t t = 0; t < words; t++) {
        read_tile(w->a, down + t * F2_WORD, right / F2_WORD, tiles[t]);
        w->loops->turn(tiles[t]);
    }
    for (uint64_t i = 0; i < f2_min(BLOCK, w->to->rows - right); i++) {
        uint64_t *const line = f2_row(w->to, right + i) + down / F2_WORD;
        for (size_t t = 0; t < words; t++) line[t] = tiles[t][i % F2_WORD * F2_TILE + i / F2_WORD];
    }
}

static void turn_blocks(const void *context, team_member me) {
    const turning *const w = context;
    (void)me;
    for (;;) {
        const team_share one = team_take(w->blocks, 1, w->taken);
        if (one.first == one.end) return;
        turn_block(w, one.first);
    }
}

riffle_status riffle_f2_transpose(const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                                  const riffle_call_options *options) {
    riffle_status status = f2_check_pair("to", to, "a", a);
    if (status == RIFFLE_OK) status = f2_check_size("to", to, a->columns, a->rows, "for a's transpose");
    if (status != RIFFLE_OK || a->rows == 0 || a->columns == 0) return status;
    uint64_t taken = 0;
    const uint64_t across = (a->columns + BLOCK - 1) / BLOCK, down = (a->rows + BLOCK - 1) / BLOCK;
    const turning w = {f2_loops_best(), to, a, across, across * down, &taken};
    const size_t bytes = a->rows * f2_words(a->columns) * sizeof *a->words;
    team_run(threads_for(bytes, BYTES_A_THREAD, threads_most_of_call(options)), turn_blocks, &w);
    return RIFFLE_OK;
}
