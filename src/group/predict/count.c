/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of what counts entries and adds counts up (group/kernels/group_count.cu, group_scan.cu).
 */
#include "base/arithmetic.h"
#include "group/predict/layout.h"
#include "group/predict/patterns.h"

enum {
    LOADED,
    ADDED = LOADED + GROUP_LOAD_SITES,
    TAKEN,
    CLEARED,
    STORED_BEFORE,
    TILE,
    STORED_AFTER,
    CHUNK,
    ENTRIES
};
enum { COUNT_AT_ONCE = 8 };

/* ------------------------------------------------------------- counting tiles */

/* Entries of a tile, some of each thread at a time: those that are not there are counted as outside, and taken away again. */
static void count_tile(group_view *v, const group_entries *e, uint64_t from) {
    const uint64_t left = e->count > from ? min(e->count - from, (uint64_t)v->table.tile_entries) : 0;
    const uint64_t outside = v->table.columns * sizeof(uint32_t);
    for (unsigned warp = 0; warp < GROUP_WARPS; warp++) group_note_count(v, warp, ENTRIES);
    if (left == 0) return;
    for (uint64_t k = 0; k < v->table.tile_entries; k += WARP_LANES) {
        const uint64_t turn = k / GROUP_THREADS,
                       at = k % GROUP_THREADS + turn / COUNT_AT_ONCE * COUNT_AT_ONCE * GROUP_THREADS;
        for (uint64_t lane = 0; lane < WARP_LANES; lane++) {
            const bool is_there = k + lane < left;
            tape_lane(&v->on, k % GROUP_THREADS / WARP_LANES);
            group_note_load(v, LOADED, e->first + from, at + lane, left, turn % COUNT_AT_ONCE, COUNT_AT_ONCE,
                            GROUP_THREADS);
            tape_note(&v->on, ADDED, is_there ? e->group[from + k + lane] * sizeof(uint32_t) : outside);
        }
        tape_meet(&v->on);
    }
    group_note_one(v, 0, TAKEN, outside);
}

/* Counts go to a row of so many. */
static void store(group_view *v, unsigned site, const uint32_t *row, uint64_t count) {
    for (uint64_t k = 0; k < count; k += WARP_LANES) {
        const unsigned warp = k % GROUP_THREADS / WARP_LANES;
        const uint64_t some = min(count - k, (uint64_t)WARP_LANES);
        group_note_run(v, warp, site, k * sizeof(uint32_t), some, sizeof(uint32_t));
        group_note_run(v, warp, site + 1, group_cell(row, k, sizeof(uint32_t)), some, sizeof(uint32_t));
    }
}

static riffle_status count_block(group_view *v, uint64_t block) {
    const group_table *const t = &v->table;
    const uint64_t first = block * t->chunk_entries, end = min(first + t->chunk_entries, t->entries);
    const uint32_t *row = t->tiles + block * t->chunk_tiles * t->stride;
    group_entries e;
    const riffle_status status = group_entries_of(v->subject, v->pass, first, first + t->chunk_entries, &e);
    if (status != RIFFLE_OK) return status;
    for (uint64_t k = 0; k < t->stride; k += WARP_LANES)
        group_note_run(v, k % GROUP_THREADS / WARP_LANES, CLEARED, k * sizeof(uint32_t), WARP_LANES,
                       sizeof(uint32_t));
    for (uint64_t from = 0; from < end - first; from += t->tile_entries, row += t->stride) {
        store(v, STORED_BEFORE, row, t->columns);
        count_tile(v, &e, from);
    }
    store(v, STORED_AFTER, t->counts + block * t->stride, t->stride);
    group_entries_free(&e);
    return RIFFLE_OK;
}

void pattern_of_group_count(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_arguments *)work->arguments)->table, out, &v))
        return;
    group_load_declare(&v, LOADED);
    group_count_declare(&v, ENTRIES);
    pattern_declare_atomic(out, ADDED, PATTERN_SHARED, sizeof(uint32_t));
    pattern_declare_atomic(out, TAKEN, PATTERN_SHARED, sizeof(uint32_t));
    pattern_declare(out, CLEARED, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    for (unsigned k = STORED_BEFORE; k <= STORED_AFTER; k += STORED_AFTER - STORED_BEFORE) {
        pattern_declare(out, k, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
        pattern_declare(out, k + 1, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint32_t));
    }
    group_follow(&v, v.table.chunk_entries, count_block);
    group_view_end(&v);
}

/* ------------------------------------------------------- counting many groups */

enum { KEY, ADDED_ALONE, ADDED_ALIKE };

/* Entries of a warp: those that have the first one's group are added at once. */
static void count_warp(group_view *v, unsigned warp, const uint32_t *counts, const group_entries *e,
                       uint64_t from) {
    const uint64_t lanes = min(e->count - from, (uint64_t)WARP_LANES);
    for (uint64_t lane = 0; lane < lanes; lane++) {
        const uint32_t group = e->group[from + lane];
        tape_lane(&v->on, warp);
        group_note_key(v, KEY, e->first + from + lane);
        if (group != e->group[from])
            tape_note(&v->on, ADDED_ALONE, group_cell(counts, group, sizeof(uint32_t)));
        else if (lane == 0)
            tape_note(&v->on, ADDED_ALIKE, group_cell(counts, group, sizeof(uint32_t)));
    }
    tape_meet(&v->on);
}

static riffle_status count_wide(group_view *v, uint64_t block) {
    const group_table *const t = &v->table;
    const uint64_t first = block * t->chunk_entries;
    group_entries e;
    const riffle_status status = group_entries_of(v->subject, v->pass, first, first + t->chunk_entries, &e);
    if (status != RIFFLE_OK) return status;
    for (uint64_t from = 0; from < e.count; from += WARP_LANES)
        count_warp(v, from % GROUP_FEW_THREADS / WARP_LANES, t->counts + block * t->stride, &e, from);
    group_entries_free(&e);
    return RIFFLE_OK;
}

void pattern_of_group_count_wide(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_arguments *)work->arguments)->table, out, &v))
        return;
    group_keys_declare(&v, KEY);
    pattern_declare_atomic(out, ADDED_ALONE, PATTERN_GLOBAL, sizeof(uint32_t));
    pattern_declare_atomic(out, ADDED_ALIKE, PATTERN_GLOBAL, sizeof(uint32_t));
    group_follow(&v, v.table.chunk_entries, count_wide);
    group_view_end(&v);
}

/* -------------------------------------------------------------------- adding up */

enum { COUNTED, COUNTED_AGAIN, REPLACED, STORED, BEFORE, TOTAL };

/* All blocks are alike: a warp's columns are an address group. */
void pattern_of_group_scan(const launch *work, const void *subject, pattern *out) {
    const group_table *const t = &((const struct group_arguments *)work->arguments)->table;
    const uint64_t each = ceil_div(t->chunks, (uint32_t)GROUP_SCAN_WARPS);
    (void)subject;
    for (unsigned k = COUNTED; k <= REPLACED; k++)
        pattern_declare(out, k, PATTERN_GLOBAL, k == REPLACED ? PATTERN_WRITE : PATTERN_READ, sizeof(uint32_t));
    pattern_declare(out, STORED, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(out, BEFORE, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(out, TOTAL, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint32_t));
    pattern_alike(out, 0, work->grid);
    for (uint64_t warp = 0; warp < GROUP_SCAN_WARPS; warp++) {
        const uint64_t from = min(warp * each, (uint64_t)t->chunks),
                       end = min(from + each, (uint64_t)t->chunks);
        for (uint64_t k = 0; k < end - from; k++)
            for (unsigned site = COUNTED; site <= REPLACED; site++) pattern_stages(out, site, k, 1, 1);
        pattern_stages(out, STORED, 0, 1, 1);
        for (uint64_t k = 0; k < warp; k++) pattern_stages(out, BEFORE, k, 1, 1);
    }
    pattern_stages(out, TOTAL, 0, 1, 1);
}

static riffle_status lay_out(group_view *v, uint64_t block) {
    const uint64_t totals = (uintptr_t)v->table.totals;
    (void)block;
    for (unsigned warp = 0; warp < group_warps(v); warp++)
        group_note_one(v, warp, GROUP_LAYOUT_SITES, totals + v->table.columns * sizeof(uint32_t));
    group_note_layout(v, 0, totals, 0);
    return RIFFLE_OK;
}

void pattern_of_group_offsets(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_arguments *)work->arguments)->table, out, &v))
        return;
    group_layout_declare(&v, 0, PATTERN_GLOBAL);
    pattern_declare(out, GROUP_LAYOUT_SITES, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    group_follow(&v, 1, lay_out);
    group_view_end(&v);
}
