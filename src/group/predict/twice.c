/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of what says, between two passes and after them, where groups begin (group/kernels/group_low.cu).
 */
#include "base/arithmetic.h"
#include "group/predict/layout.h"
#include "group/predict/patterns.h"

/* ------------------------------------------------------------- where groups begin */

enum { LOW_FIRST, ENTRIES, CLEARED, NAME, ADDED, LAST, END, FIRST, COUNT, TILE, COUNTED, BEGIN };

static const struct group_begin_arguments *begin_of(const group_view *v) { return v->work->arguments; }

/* Names of the tile before the column's first entry. */
static void count_names(group_view *v, const group_entries *e) {
    for (uint64_t k = 0; k < e->count; k++) {
        tape_lane(&v->on, (unsigned)(k % GROUP_LOW / WARP_LANES));
        group_note_key(v, NAME, e->first + k);
        tape_note(&v->on, ADDED, e->group[k] * sizeof(uint32_t));
        if (k % WARP_LANES == WARP_LANES - 1 || k + 1 == e->count) tape_meet(&v->on);
    }
}

/* A group that a lane has. */
static void begin(group_view *v, uint32_t column, uint64_t group, uint64_t tile, bool is_last) {
    const group_table *const t = &v->table;
    if (is_last) {
        tape_note(&v->on, END, group_cell(t->end, column, sizeof(uint64_t)));
    } else {
        tape_note(&v->on, FIRST, group_cell(t->first, column, sizeof(uint64_t)));
        tape_note(&v->on, COUNT,
                  group_cell(t->counts, tile / t->chunk_tiles * t->stride + column, sizeof(uint32_t)));
        tape_note(&v->on, TILE, group_cell(t->tiles, tile * t->stride + column, sizeof(uint32_t)));
        tape_note(&v->on, COUNTED, column * sizeof(uint32_t));
    }
    tape_note(&v->on, BEGIN, group_cell(begin_of(v)->begins, group, sizeof(uint64_t)));
}

static riffle_status begin_groups(group_view *v, uint64_t block) {
    const uint64_t at = v->subject->known->pass[0].first[block], tile = at / v->table.tile_entries;
    const bool is_last = at == v->pass->entries;
    group_entries e;
    const riffle_status status = group_entries_of(v->subject, v->pass, tile * v->table.tile_entries, at, &e);
    if (status != RIFFLE_OK) return status;
    for (unsigned warp = 0; warp < group_warps(v); warp++) {
        group_note_one(v, warp, LOW_FIRST, group_cell(begin_of(v)->low_first, block, sizeof(uint64_t)));
        group_note_count(v, warp, ENTRIES);
        group_note_run(v, warp, CLEARED, warp * WARP_LANES * sizeof(uint32_t), WARP_LANES, sizeof(uint32_t));
    }
    count_names(v, &e);
    if (block == 0)
        group_note_one(v, 0, LAST, group_cell(begin_of(v)->begins, begin_of(v)->groups, sizeof(uint64_t)));
    for (uint32_t column = 0; column < GROUP_LOW; column++) {
        const uint64_t group = (uint64_t)column * GROUP_LOW + block;
        tape_lane(&v->on, column / WARP_LANES);
        if (group < begin_of(v)->groups) begin(v, column, group, tile, is_last);
        if (column % WARP_LANES == WARP_LANES - 1) tape_meet(&v->on);
    }
    group_entries_free(&e);
    return RIFFLE_OK;
}

void pattern_of_group_begin(const launch *work, const void *subject, pattern *out) {
    static const pattern_declaration all[] = {
        {LOW_FIRST, PATTERN_GLOBAL, PATTERN_READ, 8}, {CLEARED, PATTERN_SHARED, PATTERN_WRITE, 4},
        {LAST, PATTERN_GLOBAL, PATTERN_WRITE, 8},     {END, PATTERN_GLOBAL, PATTERN_READ, 8},
        {FIRST, PATTERN_GLOBAL, PATTERN_READ, 8},     {COUNT, PATTERN_GLOBAL, PATTERN_READ, 4},
        {TILE, PATTERN_GLOBAL, PATTERN_READ, 4},      {COUNTED, PATTERN_SHARED, PATTERN_READ, 4},
        {BEGIN, PATTERN_GLOBAL, PATTERN_WRITE, 8}};
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_begin_arguments *)work->arguments)->table, out,
                          &v))
        return;
    pattern_declare_all(out, all, sizeof all / sizeof *all);
    pattern_declare_atomic(out, ADDED, PATTERN_SHARED, sizeof(uint32_t));
    group_count_declare(&v, ENTRIES);
    group_keys_declare(&v, NAME);
    group_follow(&v, GROUP_LOW, begin_groups); /* blocks differ by up to a tile: all are looked at */
    group_view_end(&v);
}

/* ------------------------------------------------------------------- handed on */

enum { TOLD, OFFSET, NEXT, SELF, KEPT };

static riffle_status tell(group_view *v, uint64_t block) {
    const group_table *const t = &v->table;
    const uint64_t groups = t->rule.groups, word = sizeof(uint64_t);
    for (unsigned warp = 0; warp < group_warps(v); warp++) {
        const uint64_t at = block * GROUP_FEW_THREADS + warp * WARP_LANES,
                       all = at <= groups ? min(groups + 1 - at, (uint64_t)WARP_LANES) : 0,
                       some = at < groups ? min(groups - at, (uint64_t)WARP_LANES) : 0;
        if (t->offsets != NULL) {
            group_note_run(v, warp, TOLD, group_cell(t->first, at, word), all, word);
            group_note_run(v, warp, OFFSET, group_cell(t->offsets, at, word), all, word);
        }
        if (t->kept == NULL) continue;
        group_note_run(v, warp, NEXT, group_cell(t->first, at + 1, word), some, word);
        group_note_run(v, warp, SELF, group_cell(t->first, at, word), some, word);
        group_note_run(v, warp, KEPT, group_cell(t->kept, at, word), some, word);
    }
    return RIFFLE_OK;
}

void pattern_of_group_tell(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_arguments *)work->arguments)->table, out, &v))
        return;
    for (unsigned k = TOLD; k <= KEPT; k++)
        pattern_declare(out, k, PATTERN_GLOBAL, k == OFFSET || k == KEPT ? PATTERN_WRITE : PATTERN_READ,
                        sizeof(uint64_t));
    group_follow(&v, GROUP_FEW_THREADS, tell);
    group_view_end(&v);
}
