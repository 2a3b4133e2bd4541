/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/gpu/affine.h"

#include <string.h>

#include "base/arithmetic.h"
#include "bits/gpu/warp_map.h"
#include "bits/kernels/kernel.h"
#include "bits/tiling.h"
#include "perm/gf2_span.h"

enum { PLACES = WARP_MAP_PLACES, VECTOR_LOG2 = 2, LANES_LOG2 = BITS_AFFINE_LANES_LOG2, WORD_BYTES = 4 };
enum { THREADS_MOST_LOG2 = BITS_AFFINE_THREADS_LOG2, WORDS_LOG2 = BITS_AFFINE_WORDS_LOG2 };
enum { LEAST_WORD_BITS = LANES_LOG2 + WORDS_LOG2, MOST_WORD_BITS = BITS_MOST_TILE - PLACES };

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
    return min((unsigned)THREADS_MOST_LOG2, word_bits - WORDS_LOG2);
}

/* The line that a word's bit chooses, by the bit's place in the tile; in the line, and beyond the shortest tiles, none. */
static uint32_t line_of(const uint64_t *line, unsigned line_bits, unsigned bit) {
    const bool is_one = bit >= BITS_OF_LINE && bit < BITS_OF_LINE + line_bits;
    return is_one ? (uint32_t)(line[bit - BITS_OF_LINE] >> BITS_OF_LINE) : 0;
}

/* Places of words follow each other: of a vector, of lanes, of moves. */
static void fill_memory(const bits_tiling *tiling, const uint64_t *line, const cells *c, unsigned word_bits,
                        bits_memory_side *out) {
    const unsigned threads = threads_log2(word_bits), first = PLACES + VECTOR_LOG2;
    for (unsigned k = 0; k < threads; k++) {
        out->thread_line[k] = line_of(line, tiling->line_bits, first + k);
        out->thread_cell[k] = cell_of(c, unit(first + k));
    }
    for (unsigned k = 0; k < BITS_AFFINE_VECTOR; k++) out->word_cell[k] = cell_of(c, (uint64_t)k << PLACES);
    for (unsigned v = 0; v < BITS_AFFINE_VECTORS; v++)
        for (unsigned k = 0; v >> k != 0; k++) {
            if ((v >> k & 1) == 0) continue;
            out->move_line[v] ^= line_of(line, tiling->line_bits, first + threads + k);
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
    unsigned count;
    uint32_t cell_in[MOST_WORD_BITS], cell_out[MOST_WORD_BITS], constant[MOST_WORD_BITS];
} warps;

/* Where words go for a constant in places. */
static uint32_t shift_of(const warps *w, uint64_t constant) {
    uint32_t sum = 0;
    for (; constant != 0; constant &= constant - 1)
        sum ^= cell_of(&w->out, w->map.shift[__builtin_ctzll(constant)]);
    return sum;
}

static void number_word(warps *w, uint64_t v) {
    const uint64_t y = gf2_apply(w->t, v);
    w->cell_in[w->count] = cell_of(&w->in, v);
    w->cell_out[w->count] = cell_of(&w->out, y & ~IN_WORD);
    w->constant[w->count++] = (uint32_t)(y & IN_WORD);
}

/* Vectors without a constant come last, as the moves have none then, or few. */
static void number_words(warps *w) {
    uint64_t rest[MOST_WORD_BITS], constant[MOST_WORD_BITS], without[MOST_WORD_BITS];
    unsigned count = 0;
    gf2_span span = {0}, all;
    for (unsigned k = 0; k < LANES_LOG2; k++) {
        gf2_span_add(&span, w->map.in[k]);
        w->cell_in[k] = cell_of(&w->in, w->map.in[k]);
        w->cell_out[k] = cell_of(&w->out, w->map.out[k]);
    }
    w->count = LANES_LOG2;
    all = span;
    for (unsigned j = PLACES; j < w->t->m; j++)
        if (gf2_span_add(&all, unit(j))) rest[count] = unit(j), constant[count++] = w->t->column[j] & IN_WORD;
    const unsigned last = gf2_kernel(count, rest, constant, without);
    for (unsigned k = 0; k < last; k++) gf2_span_add(&span, without[k]);
    for (unsigned k = 0; k < count; k++)
        if (gf2_span_add(&span, rest[k])) number_word(w, rest[k]);
    for (unsigned k = 0; k < last; k++) number_word(w, without[k]);
}

/* Constants of threads are added by steps, which shifts lanes; those of moves are not. */
static void fill_warps(const warps *w, bits_affine_table *out) {
    const unsigned threads = threads_log2(w->count);
    for (unsigned k = 0; k < threads; k++) {
        out->in.thread_cell[k] = w->cell_in[k];
        out->out.thread_cell[k] = w->cell_out[k] ^ shift_of(w, w->constant[k]);
        out->thread_constant[k] = w->constant[k];
    }
    for (unsigned k = 0; k < WORDS_LOG2; k++) out->move_constant[k] = w->constant[threads + k];
    for (unsigned i = 0; i < BITS_AFFINE_WORDS; i++)
        for (unsigned k = 0; i >> k != 0; k++) {
            if ((i >> k & 1) == 0) continue;
            out->in.move_cell[i] ^= w->cell_in[threads + k];
            out->out.move_cell[i] ^= w->cell_out[threads + k];
        }
    out->steps = w->map.steps;
    memcpy(out->step, w->map.step, sizeof out->step);
}

/* ------------------------------------------------------------------- tiles */

/* The bits of y0 in its line add places of all words, and above them where words go. */
static uint32_t turned_of(const warps *w, uint64_t y) {
    const uint64_t in_line = y & (unit(BITS_OF_LINE) - 1);
    const uint32_t cell = shift_of(w, in_line & IN_WORD) ^ cell_of(&w->out, in_line & ~IN_WORD);
    return (uint32_t)(in_line & IN_WORD) | cell << BITS_AFFINE_CELL_SHIFT;
}

static void fill_tiles(const warps *w, const bits_tiling *tiling, uint64_t c, bits_affine_table *out) {
    for (unsigned k = 0; k < tiling->tile_bits; k++) {
        out->tile.read[k] = (uint32_t)(tiling->read_tile[k] >> BITS_OF_LINE);
        out->tile.write[k] = (uint32_t)(tiling->write_tile[k] >> BITS_OF_LINE);
        out->tile.turned[k] = turned_of(w, tiling->write_tile[k]);
    }
    out->write = (uint32_t)(c >> BITS_OF_LINE);
    out->turned = turned_of(w, c);
}

/* ------------------------------------------------------------------- tables */

/* Moves of the shortest arrays have words that are not there: bits of a tile that the map leaves alone. */
static void lengthen(gf2_matrix *t) {
    for (; t->m < PLACES + LEAST_WORD_BITS; t->m++) t->column[t->m] = unit(t->m);
}

void bits_affine_table_of(const perm_affine *affine, uint64_t arrays, bits_affine_table *out) {
    bits_tiling tiling;
    warps w = {.t = &tiling.local};
    uint64_t lanes[LANES_LOG2];
    memset(out, 0, sizeof *out);
    bits_tiling_of(&affine->a, &tiling);
    lengthen(&tiling.local);
    warp_map_of(&tiling.local, &w.map);
    const unsigned word_bits = tiling.local.m - PLACES;
    lanes_of_memory(lanes);
    choose_cells(lanes, w.map.in, word_bits, &w.in);
    choose_cells(lanes, w.map.out, word_bits, &w.out);
    number_words(&w);
    out->all = arrays << tiling.tile_bits;
    out->array_bytes = unit(affine->a.m - BITS_OF_BYTE);
    out->tile_bits = tiling.tile_bits;
    out->vectors =
        min((unsigned)BITS_AFFINE_VECTORS, 1U << (tiling.line_bits + BITS_OF_LINE - BITS_LEAST_TILE));
    fill_memory(&tiling, tiling.line, &w.in, word_bits, &out->to_read);
    fill_memory(&tiling, tiling.written, &w.out, word_bits, &out->to_write);
    fill_warps(&w, out);
    fill_tiles(&w, &tiling, affine->c, out);
}

/* A tile has no fewer bits than an array, or as many as may be. */
size_t bits_affine_tile_bytes(const bits_affine_table *t) { return (size_t)(t->array_bytes >> t->tile_bits); }

static size_t shared_bytes(const bits_affine_table *t) {
    return max(bits_affine_tile_bytes(t), (size_t)WORD_BYTES << LEAST_WORD_BITS);
}

unsigned bits_affine_threads(const bits_affine_table *t) {
    return (unsigned)(shared_bytes(t) / (WORD_BYTES << WORDS_LOG2));
}

void bits_affine_append(const bits_affine_table *t, void *dst, const void *src, launch_list *out) {
    const struct bits_affine_arguments arguments = {.table = *t};
    const size_t vector = sizeof(uint32_t) * BITS_AFFINE_VECTOR;
    const bool by_vectors = ((uintptr_t)dst | (uintptr_t)src) % vector == 0;
    launch *const work = append_bits_affine(out, &KERNEL_bits_affine, by_vectors ? vector : 1, &arguments);
    launch_set(work, (unsigned)min(t->all, (uint64_t)BITS_AFFINE_BLOCKS), bits_affine_threads(t),
               shared_bytes(t), dst, src);
}
