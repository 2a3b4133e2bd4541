/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine tiles of arrays that begin within a vector (the end of move/kernels/affine/affine_tile.cu): a thread's word of 16 bytes
 * begins before its vector. The first of a row of lanes accesses its own units alone, and the last one the units of its
 * vector that lie in the next word.
 */
#include "move/predict/affine_tiles.h"

enum { VECTOR = LAUNCH_VECTOR_BYTES, MOST_UNITS = VECTOR };

bool tiles_are_shifted(const kernel_record *kernel) {
    return kernel == &KERNEL_affine_shifted_32.record || kernel == &KERNEL_affine_shifted_64.record ||
           kernel == &KERNEL_affine_shifted_pair_32.record || kernel == &KERNEL_affine_shifted_pair_64.record;
}

void tiles_declare_shifted(const tile_view *v, pattern *out) {
    pattern_declare(out, SITE_READ_UNIT, PATTERN_GLOBAL, PATTERN_READ, v->unit);
    pattern_declare(out, SITE_WRITE_UNIT, PATTERN_GLOBAL, PATTERN_WRITE, v->unit);
    pattern_declare(out, SITE_READ_NEXT, PATTERN_GLOBAL, PATTERN_READ, v->unit);
    pattern_declare(out, SITE_PUT_NEXT, PATTERN_SHARED, PATTERN_WRITE, v->unit);
    pattern_declare(out, SITE_GET_NEXT, PATTERN_SHARED, PATTERN_READ, v->unit);
    pattern_declare(out, SITE_WRITE_NEXT, PATTERN_GLOBAL, PATTERN_WRITE, v->unit);
}

/* A thread's words of one side (struct shifted_words). */
typedef struct thread_words {
    uint64_t start; /* address of the first move's word, but for the move */
    uint32_t behind, here, cell[MOST_UNITS];
    bool first, last;
} thread_words;

/* One side of the tile: its vectors, where it begins, and the cell of its first unit. */
typedef struct tile_side {
    const affine_side_64 *vectors;
    uint64_t array, start;
    uint32_t cell;
} tile_side;

static thread_words words_of(const tile_view *v, const tile_side *side, uint64_t number) {
    const affine_side_64 *const s = side->vectors;
    const uint64_t start = tiles_place(s, side->start, number);
    const uint32_t at = (uint32_t)(start / VECTOR) & s->lanes, turned = at ^ ((uint32_t)number & s->lanes);
    const uint32_t previous = ((uint32_t)number & ~s->lanes) | (((at - 1) & s->lanes) ^ turned);
    const uint32_t before = side->cell ^ tiles_cell(s->thread_cell, previous);
    thread_words out = {.start = start, .behind = (uint32_t)(side->array % VECTOR / v->unit)};
    out.here = side->cell ^ tiles_cell(s->thread_cell, number);
    out.first = at == 0 && out.behind > 0;
    out.last = at == s->lanes;
    for (uint32_t k = 0; k < v->units; k++)
        out.cell[k] = (k < out.behind ? before : out.here) ^ s->unit_cell[(k - out.behind) % v->units];
    return out;
}

/* The words of all lanes of a warp. */
typedef struct warp_words {
    unsigned count;
    uint64_t array, tile;
    const affine_side_64 *vectors;
    thread_words lane[PATTERN_LANES];
} warp_words;

static void find_words(const tile_view *v, const tile_at *at, const tile_side *side, warp_words *out) {
    *out = (warp_words){.array = side->array, .tile = at->tile, .vectors = side->vectors};
    for (uint64_t x = at->first; x < at->end; x++) out->lane[out->count++] = words_of(v, side, x);
}

/* Which lanes take part. */
typedef enum lane_part { ALL, NOT_FIRST, FIRST, LAST } lane_part;

static bool takes_part(const thread_words *w, lane_part part) {
    return part == ALL || (part == NOT_FIRST && !w->first) || (part == FIRST && w->first) ||
           (part == LAST && w->last);
}

/* In memory: unit k of the words of move i. */
static void access_units(const tile_view *v, const warp_words *w, unsigned site, lane_part part, uint32_t i,
                         uint32_t k, pattern *out) {
    pattern_lanes lanes = {0};
    for (unsigned l = 0; l < w->count; l++) {
        const thread_words *const mine = &w->lane[l];
        if (takes_part(mine, part))
            pattern_lane(&lanes,
                         w->array - mine->behind * v->unit + (mine->start ^ w->vectors->move[i]) + k * v->unit);
    }
    pattern_next(out, site, &lanes);
}

/* In shared memory: unit k of the words of move i; of the next words where the last lanes alone take part. */
static void access_cells(const tile_view *v, const warp_words *w, unsigned site, lane_part part, uint32_t i,
                         uint32_t k, pattern *out) {
    pattern_lanes lanes = {0};
    for (unsigned l = 0; l < w->count; l++) {
        const thread_words *const mine = &w->lane[l];
        const uint32_t next = mine->here ^ w->vectors->unit_cell[(v->units - mine->behind + k) % v->units];
        if (takes_part(mine, part))
            pattern_lane(&lanes, w->tile + ((part == LAST ? next : mine->cell[k]) ^ w->vectors->move_cell[i]));
    }
    pattern_next(out, site, &lanes);
}

static void read_shifted(const tile_view *v, const warp_words *w, uint32_t behind, pattern *out) {
    for (uint32_t i = 0; i < v->moves; i++) access_units(v, w, SITE_READ, NOT_FIRST, i, 0, out);
    for (uint32_t k = behind; k < v->units; k++)
        for (uint32_t i = 0; i < v->moves; i++) access_units(v, w, SITE_READ_UNIT, FIRST, i, k, out);
    for (uint32_t k = 0; k < v->units; k++)
        for (uint32_t i = 0; i < v->moves; i++)
            access_cells(v, w, SITE_PUT, k < behind ? NOT_FIRST : ALL, i, k, out);
    for (uint32_t k = 0; k < behind; k++) {
        for (uint32_t i = 0; i < v->moves; i++) access_units(v, w, SITE_READ_NEXT, LAST, i, v->units + k, out);
        for (uint32_t i = 0; i < v->moves; i++) access_cells(v, w, SITE_PUT_NEXT, LAST, i, k, out);
    }
}

static void write_shifted(const tile_view *v, const warp_words *w, uint32_t behind, pattern *out) {
    for (uint32_t i = 0; i < v->moves; i++) {
        for (uint32_t k = 0; k < v->units; k++) access_cells(v, w, SITE_GET, ALL, i, k, out);
        access_units(v, w, SITE_WRITE, NOT_FIRST, i, 0, out);
        for (uint32_t k = behind; k < v->units; k++) access_units(v, w, SITE_WRITE_UNIT, FIRST, i, k, out);
    }
    for (uint32_t k = 0; k < behind; k++) {
        for (uint32_t i = 0; i < v->moves; i++) {
            access_cells(v, w, SITE_GET_NEXT, LAST, i, k, out);
            access_units(v, w, SITE_WRITE_NEXT, LAST, i, v->units + k, out);
        }
    }
}

void tiles_shifted(const tile_view *v, const tile_at *at, pattern *out) {
    const affine_table_64 *const t = v->table;
    const uint64_t within = at->y0 % VECTOR;
    const tile_side read = {&t->read, at->from, at->x0, 0};
    const tile_side write = {&t->write, at->to, at->y0 ^ within, t->write.unit_cell[within / v->unit]};
    warp_words words;
    find_words(v, at, &read, &words);
    read_shifted(v, &words, (uint32_t)(at->from % VECTOR / v->unit), out);
    find_words(v, at, &write, &words);
    write_shifted(v, &words, (uint32_t)(at->to % VECTOR / v->unit), out);
}
