/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine tiles (move/kernels/affine/affine_tile.cu): all places are sums (XOR) of what the bits of the tile's number, of the
 * thread's and of the move choose. So all tiles are accessed alike where arrays begin on an address group, and one of them
 * says what all do; else each is looked at.
 */
#include "base/arithmetic.h"
#include "check/predict.h"
#include "device/kernels/lanes.h"
#include "move/passes/affine_tile.h"
#include "move/predict/affine_tiles.h"

/* --------------------------------------------------------------- a warp's part */

static void read_tile(const tile_view *v, const tile_at *at, pattern *out) {
    const affine_side_64 *const side = &v->table->read;
    for (uint32_t i = 0; i < v->moves; i++) {
        pattern_lanes lanes = {0};
        for (uint64_t x = at->first; x < at->end; x++)
            pattern_lane(&lanes, at->from + (tiles_place(side, at->x0, x) ^ side->move[i]));
        pattern_next(out, SITE_READ, &lanes);
    }
}

/* The cells that the threads of a warp have of unit k of move i. */
static void cells(const tile_view *v, const affine_side_64 *side, const tile_at *at, uint32_t i, uint32_t k,
                  uint32_t turned, pattern_lanes *out) {
    const uint32_t fixed = side->move_cell[i] ^ side->unit_cell[k] ^ turned;
    (void)v;
    for (uint64_t x = at->first; x < at->end; x++)
        pattern_lane(out, at->tile + (tiles_cell(side->thread_cell, x) ^ fixed));
}

static void put_tile(const tile_view *v, const tile_at *at, pattern *out) {
    for (uint32_t i = 0; i < v->moves; i++) {
        for (uint32_t k = 0; k < v->units; k++) {
            pattern_lanes lanes = {0};
            cells(v, &v->table->read, at, i, k, 0, &lanes);
            pattern_next(out, SITE_PUT, &lanes);
        }
    }
}

static void write_tile(const tile_view *v, const tile_at *at, pattern *out) {
    const affine_side_64 *const side = &v->table->write;
    const uint64_t within = at->y0 & (v->access - 1), y0 = at->y0 ^ within;
    for (uint32_t i = 0; i < v->moves; i++) {
        pattern_lanes vectors = {0};
        for (uint32_t k = 0; k < v->units; k++) {
            pattern_lanes lanes = {0};
            cells(v, side, at, i, k, side->unit_cell[within / v->unit], &lanes);
            pattern_next(out, SITE_GET, &lanes);
        }
        for (uint64_t x = at->first; x < at->end; x++)
            pattern_lane(&vectors, at->to + (tiles_place(side, y0, x) ^ side->move[i]));
        pattern_next(out, SITE_WRITE, &vectors);
    }
}

/* -------------------------------------------------------------------- blocks */

/* The block's tiles of a run, of which it has one, or in place up to two. */
typedef struct block_tiles {
    uint64_t run;
    unsigned count;
    uint64_t number[2];
} block_tiles;

static uint64_t tile_of_block(const affine_tile_schedule *s, uint64_t block, unsigned half) {
    const uint64_t fixed_blocks = (s->orbits.fixed + 1) / 2;
    if (block < fixed_blocks) return involution_coset(&s->orbits, 2 * block + half);
    const uint64_t tile = involution_coset(&s->orbits, s->orbits.fixed + block - fixed_blocks);
    return half == 0 ? tile : involution_image(&s->orbits, tile);
}

static block_tiles tiles_of_block(const affine_tile_schedule *s, uint64_t number) {
    block_tiles out = {.run = number / s->run_blocks, .count = 1};
    const uint64_t block = number % s->run_blocks;
    if (!s->in_place) {
        out.number[0] = block;
        return out;
    }
    out.count = s->orbits.fixed == 1 && block == 0 ? 1 : 2;
    for (unsigned half = 0; half < out.count; half++) out.number[half] = tile_of_block(s, block, half);
    return out;
}

static tile_at place_of(const tile_view *v, const block_tiles *tiles, unsigned half) {
    const affine_table_64 *const t = v->table;
    const uint64_t run = tiles->run * t->stride;
    return (tile_at){.tile = half * t->tile_bytes,
                     .from = (uintptr_t)v->work->from + run,
                     .to = (uintptr_t)v->work->to + run,
                     .x0 = t->read.origin ^ tiles_sum(t->read.tile, tiles->number[half]),
                     .y0 = t->write.origin ^ tiles_sum(t->write.tile, tiles->number[half])};
}

/* Lanes first .. end - 1 of a row of threads, and the tiles that the row has. */
static void describe_warp(const tile_view *v, const block_tiles *tiles, unsigned row, uint64_t first,
                          uint64_t end, pattern *out) {
    pattern_begin_warp(out);
    for (unsigned half = row; half < tiles->count; half += v->work->block_y) {
        tile_at at = place_of(v, tiles, half);
        at.first = first, at.end = end;
        if (v->is_shifted) {
            tiles_shifted(v, &at, out);
            continue;
        }
        read_tile(v, &at, out);
        put_tile(v, &at, out);
        if (v->record != NULL)
            check_note_block(out, SITE_SUMS, v->table->tile_bytes, first / WARP_LANES,
                             v->work->block_x / WARP_LANES, v->record);
        write_tile(v, &at, out);
    }
}

static void describe_block(const tile_view *v, const affine_tile_schedule *s, uint64_t number, pattern *out) {
    const block_tiles tiles = tiles_of_block(s, number);
    const uint64_t width = out->machine->width, threads = v->work->block_x;
    for (unsigned row = 0; row < v->work->block_y; row++)
        for (uint64_t first = 0; first < threads; first += width)
            describe_warp(v, &tiles, row, first, min(first + width, threads), out);
}

/* ------------------------------------------------------------------- launches */

/* One block stands for those that have as many tiles: all of a run but its first, perhaps. */
static void describe_alike(const tile_view *v, const affine_tile_schedule *s, pattern *out) {
    const uint64_t blocks = s->run_blocks, grid = out->grid;
    const bool has_single = s->in_place && s->orbits.fixed == 1;
    if (!has_single) {
        pattern_alike(out, 0, grid);
        describe_block(v, s, 0, out);
        return;
    }
    for (uint64_t first = 0; first < grid; first += blocks) {
        pattern_alike(out, first, 1);
        describe_block(v, s, first, out);
        pattern_alike(out, first + 1, blocks - 1);
        if (blocks > 1) describe_block(v, s, first + 1, out);
    }
}

static void describe_each(const tile_view *v, const affine_tile_schedule *s, pattern *out) {
    const uint64_t samples = pattern_samples(out, (uint64_t)1 << s->tile_bits);
    for (uint64_t k = 0; k < samples; k++) describe_block(v, s, pattern_sample(out, samples, k), out);
}

static void declare(const tile_view *v, pattern *out) {
    pattern_declare(out, SITE_READ, PATTERN_GLOBAL, PATTERN_READ, v->access);
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, v->unit);
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, v->unit);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, v->access);
    if (v->record != NULL) check_declare_block(out, SITE_SUMS);
    if (v->is_shifted) tiles_declare_shifted(v, out);
}

static const affine_tile_schedule *tiles_of(const pass *p) {
    if (p->kind == &PASS_AFFINE_EXCHANGE) return &p->affine_exchange.tiles;
    return p->kind == &PASS_AFFINE_CHECKED ? &p->affine_checked.tiles : &p->affine_tile;
}

/* The record that a launch adds what it reads to; or NULL. */
static const check_record *record_of(const launch *work) {
    if (work->kernel == &KERNEL_affine_checked_32.record)
        return ((const struct affine_checked_32_arguments *)work->arguments)->table.keys.record;
    if (work->kernel == &KERNEL_affine_checked_64.record)
        return ((const struct affine_checked_64_arguments *)work->arguments)->table.keys.record;
    return NULL;
}

void pattern_of_affine_tile(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const affine_tile_schedule *const s = tiles_of(p);
    const kernel_record *const kernel = work->kernel;
    const bool by_units = kernel == &KERNEL_affine_units.record || kernel == &KERNEL_affine_units_pair.record;
    affine_table_64 table;
    affine_tile_table(s, &table);
    const size_t access = by_units ? work->elem_bytes : LAUNCH_VECTOR_BYTES;
    const tile_view v = {.work = work,
                         .table = &table,
                         .unit = work->elem_bytes,
                         .access = access,
                         .units = (uint32_t)(access / work->elem_bytes),
                         .moves = by_units ? table.moves : AFFINE_MOVES,
                         .record = record_of(work),
                         .is_shifted = tiles_are_shifted(kernel)};
    const uint64_t group = access * out->machine->width;
    const uint64_t starts =
        (uintptr_t)work->to | (uintptr_t)work->from | (s->arrays.count > 1 ? table.stride : 0);
    declare(&v, out);
    (starts % group == 0 && !v.is_shifted ? describe_alike : describe_each)(&v, s, out);
}
