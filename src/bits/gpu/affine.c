/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/gpu/affine.h"

#include <string.h>

#include "base/arithmetic.h"
#include "bits/gpu/warp_map.h"
#include "bits/kernels/kernel.h"
#include "bits/tiling.h"
#include "perm/gf2_span.h"

enum { PLACES = WARP_MAP_PLACES, VECTOR_LOG2 = 2, LANES_LOG2 = BITS_AFFINE_LANES_LOG2, WORD_BYTES = 4 };
enum { THREADS_MOST_LOG2 = BITS_AFFINE_THREADS_LOG2, MOST_WORD_BITS = BITS_MOST_TILE - PLACES };

static const uint64_t IN_WORD = (1 << PLACES) - 1;

static uint64_t unit(unsigned j) { return (uint64_t)1 << j; }

/* ------------------------------------------------------------------- cells */

/* Cells of a tile's words: a linear map, so that lanes whose words differ by one basis lie in different banks, and by another one too. */
typedef struct cells {
    gf2_span basis;
    uint32_t cell[MOST_WORD_BITS]; /* bytes, of the basis's vectors */
} cells;

static uint32_t cell_of(const cells *c, uint64_t word) {
    uint32_t sum = 0;
    for (uint64_t parts = gf2_span_coordinates(&c->basis, word); parts != 0; parts &= parts - 1)
        sum ^= c->cell[__builtin_ctzll(parts)];
    return sum;
}

static bool add_cell(cells *c, uint64_t word, uint64_t cell) {
    if (!gf2_span_add(&c->basis, word)) return false;
    c->cell[c->basis.count - 1] = (uint32_t)cell * WORD_BYTES;
    return true;
}

/* Vectors of both spans, and then of each one alone, in pairs that share a bank bit; the second of a pair has a bit above too. */
static void choose_cells(const uint64_t first[LANES_LOG2], const uint64_t second[LANES_LOG2],
                         unsigned word_bits, cells *out) {
    uint64_t all[2 * LANES_LOG2], parts[2 * LANES_LOG2] = {0}, common[2 * LANES_LOG2];
    *out = (cells){0};
    for (unsigned k = 0; k < LANES_LOG2; k++) all[k] = parts[k] = first[k], all[LANES_LOG2 + k] = second[k];
    const unsigned shared = gf2_kernel(2 * LANES_LOG2, parts, all, common);
    for (unsigned k = 0; k < shared; k++) add_cell(out, common[k], unit(k));
    gf2_span both = out->basis;
    unsigned bank = shared, above = LANES_LOG2;
    for (unsigned k = 0; k < LANES_LOG2; k++)
        if (add_cell(out, first[k], unit(bank))) bank++;
    bank = shared;
    for (unsigned k = 0; k < LANES_LOG2; k++)
        if (gf2_span_add(&both, second[k])) add_cell(out, second[k], unit(bank++) | unit(above++));
    for (unsigned j = PLACES; j < PLACES + word_bits; j++)
        if (add_cell(out, unit(j), unit(above))) above++;
}

/* ------------------------------------------------------------------- sides */

static unsigned threads_log2(unsigned word_bits) {
    return min((unsigned)THREADS_MOST_LOG2, word_bits - VECTOR_LOG2);
}

/* Where a word begins, by its place in the tile. */
static uint64_t bytes_of(const uint64_t *line, unsigned bit) {
    return (bit < BITS_OF_LINE ? unit(bit) : line[bit - BITS_OF_LINE]) >> BITS_OF_BYTE;
}

/* Places of words follow each other: of a vector, of lanes, of moves. */
static void fill_memory(const uint64_t *line, const cells *c, unsigned word_bits, bits_memory_side *out) {
    const unsigned threads = threads_log2(word_bits), first = PLACES + VECTOR_LOG2;
    for (unsigned k = 0; k < threads; k++) {
        out->thread[k] = bytes_of(line, first + k);
        out->thread_cell[k] = cell_of(c, unit(first + k));
    }
    for (unsigned k = 0; k < BITS_AFFINE_VECTOR; k++) out->word_cell[k] = cell_of(c, (uint64_t)k << PLACES);
    for (unsigned v = 0; v < 1U << (word_bits - VECTOR_LOG2 - threads); v++)
        for (unsigned k = 0; v >> k != 0; k++) {
            if ((v >> k & 1) == 0) continue;
            out->move[v] ^= bytes_of(line, first + threads + k);
            out->move_cell[v] ^= cell_of(c, unit(first + threads + k));
        }
}

static void lanes_of_memory(uint64_t out[LANES_LOG2]) {
    for (unsigned k = 0; k < LANES_LOG2; k++) out[k] = unit(PLACES + VECTOR_LOG2 + k);
}

/* ------------------------------------------------------------------- warps */

typedef struct warps {
    const gf2_matrix *t;
    warp_map map;
    cells in, out;
    /* A basis of all words, the lanes' first: cells on both sides, and what its vectors have in places after T. */
    uint32_t cell_in[MOST_WORD_BITS], cell_out[MOST_WORD_BITS], constant[MOST_WORD_BITS];
} warps;

/* Where words go for a constant in places. */
static uint32_t shift_of(const warps *w, uint64_t constant) {
    uint32_t sum = 0;
    for (; constant != 0; constant &= constant - 1)
        sum ^= cell_of(&w->out, w->map.shift[__builtin_ctzll(constant)]);
    return sum;
}

static void number_words(warps *w) {
    gf2_span span = {0};
    unsigned count = LANES_LOG2;
    for (unsigned k = 0; k < LANES_LOG2; k++) {
        gf2_span_add(&span, w->map.in[k]);
        w->cell_in[k] = cell_of(&w->in, w->map.in[k]);
        w->cell_out[k] = cell_of(&w->out, w->map.out[k]);
    }
    for (unsigned j = PLACES; j < w->t->m; j++) {
        if (!gf2_span_add(&span, unit(j))) continue;
        const uint64_t y = w->t->column[j];
        w->cell_in[count] = cell_of(&w->in, unit(j));
        w->cell_out[count] = cell_of(&w->out, y & ~IN_WORD) ^ shift_of(w, y & IN_WORD);
        w->constant[count++] = (uint32_t)(y & IN_WORD);
    }
}

static void fill_warps(const warps *w, bits_affine_table *out) {
    const unsigned word_bits = w->t->m - PLACES, threads = threads_log2(word_bits);
    for (unsigned k = 0; k < threads; k++) {
        out->in.thread_cell[k] = w->cell_in[k];
        out->out.thread_cell[k] = w->cell_out[k];
        out->thread_constant[k] = w->constant[k];
    }
    out->words = 1U << (word_bits - threads);
    out->steps = w->map.steps;
    memcpy(out->step, w->map.step, sizeof out->step);
    for (unsigned i = 0; i < out->words; i++) {
        uint32_t constant = 0;
        for (unsigned k = 0; i >> k != 0; k++) {
            if ((i >> k & 1) == 0) continue;
            out->in.move_cell[i] ^= w->cell_in[threads + k];
            out->out.move_cell[i] ^= w->cell_out[threads + k];
            constant ^= w->constant[threads + k];
        }
        for (unsigned k = 0; k < out->steps; k++)
            out->step[k].moves |= (uint32_t)__builtin_parity(out->step[k].constant & constant) << i;
    }
    for (unsigned j = 0; j < BITS_AFFINE_LINE_LOG2; j++)
        out->line_cell[j] = j < PLACES ? shift_of(w, unit(j)) : cell_of(&w->out, unit(j));
}

/* ------------------------------------------------------------------- tables */

void bits_affine_table_of(const perm_affine *affine, uint64_t arrays, bits_affine_table *out) {
    bits_tiling tiling;
    warps w = {.t = &tiling.local};
    uint64_t lanes[LANES_LOG2];
    memset(out, 0, sizeof *out);
    bits_tiling_of(&affine->a, &tiling);
    warp_map_of(&tiling.local, &w.map);
    const unsigned word_bits = tiling.local.m - PLACES;
    lanes_of_memory(lanes);
    choose_cells(lanes, w.map.in, word_bits, &w.in);
    choose_cells(lanes, w.map.out, word_bits, &w.out);
    number_words(&w);
    out->all = arrays << tiling.tile_bits;
    out->array_bytes = unit(affine->a.m - BITS_OF_BYTE);
    out->complement = affine->c;
    out->tile_bits = tiling.tile_bits;
    memcpy(out->read.tile, tiling.read_tile, sizeof out->read.tile);
    memcpy(out->write.tile, tiling.write_tile, sizeof out->write.tile);
    fill_memory(tiling.line, &w.in, word_bits, &out->read);
    fill_memory(tiling.written, &w.out, word_bits, &out->write);
    fill_warps(&w, out);
}

/* A tile has no fewer bits than an array, or as many as may be. */
size_t bits_affine_tile_bytes(const bits_affine_table *t) { return (size_t)(t->array_bytes >> t->tile_bits); }

unsigned bits_affine_threads(const bits_affine_table *t) {
    return (unsigned)(bits_affine_tile_bytes(t) / (WORD_BYTES * t->words));
}

void bits_affine_append(const bits_affine_table *t, void *dst, const void *src, launch_list *out) {
    const struct bits_affine_arguments arguments = {.table = *t};
    const size_t vector = sizeof(uint32_t) * BITS_AFFINE_VECTOR;
    const bool by_vectors = ((uintptr_t)dst | (uintptr_t)src) % vector == 0;
    launch *const work = append_bits_affine(out, &KERNEL_bits_affine, by_vectors ? vector : 1, &arguments);
    launch_set(work, (unsigned)min(t->all, (uint64_t)INT32_MAX), bits_affine_threads(t),
               bits_affine_tile_bytes(t), dst, src);
}
