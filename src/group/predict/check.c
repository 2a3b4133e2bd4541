/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of checks of groups (group/kernels/group_check.cu), of results that are right; and of rows that are read once more, of which the device
 * counts how many there are.
 */
#include "base/arithmetic.h"
#include "check/predict.h"
#include "group/predict/layout.h"
#include "group/predict/patterns.h"

static const size_t WORD = sizeof(uint64_t);

/* A check looks at groups themselves, however many passes made them. */
static bool view_begin(const launch *work, const void *subject, pattern *out, group_view *v) {
    if (!group_view_begin(work, subject, NULL, out, v)) return false;
    v->table = ((const struct group_check_arguments *)work->arguments)->table;
    return true;
}

/* ------------------------------------------------------------------- places */

enum { KEY, PLACE, PLACE_FIRST, PLACE_END, TAKEN };

/* The block's sums, which it adds to the record. */
static void note_sums(group_view *v, unsigned site) {
    const check_record *const record = ((const struct group_check_arguments *)v->work->arguments)->record;
    for (unsigned warp = 0; warp < group_warps(v); warp++) {
        pattern_begin_warp(v->out);
        check_note_block(v->out, site, 0, warp, group_warps(v), record);
    }
}

static void look_at_place(group_view *v, const group_entries *e, uint64_t at) {
    const uint32_t group = e->group[at];
    group_note_key(v, KEY, e->first + at);
    tape_note(&v->on, PLACE, group_cell(v->table.places, e->first + at, v->table.index_bytes));
    if (!group_is_kept(v->subject, v->pass, group, e->place[at])) return;
    tape_note(&v->on, PLACE_FIRST, group_cell(v->table.first, group, WORD));
    tape_note(&v->on, PLACE_END, group_cell(v->table.end, group, WORD));
}

static riffle_status look_at_places(group_view *v, uint64_t block) {
    const uint64_t each = GROUP_CHECK_THREADS * GROUP_CHECK_EACH, first = block * each;
    group_entries e;
    const riffle_status status =
        group_entries_of(v->subject, v->pass, first, min(first + each, v->table.entries), &e);
    if (status != RIFFLE_OK) return status;
    for (uint64_t at = 0; at < e.count; at++) {
        tape_lane(&v->on, (unsigned)(at % GROUP_CHECK_THREADS / WARP_LANES));
        look_at_place(v, &e, at);
        if (at % WARP_LANES == WARP_LANES - 1 || at + 1 == e.count) tape_meet(&v->on);
    }
    note_sums(v, TAKEN);
    group_entries_free(&e);
    return RIFFLE_OK;
}

void pattern_of_group_check_places(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!view_begin(work, subject, out, &v)) return;
    group_keys_declare(&v, KEY);
    pattern_declare(out, PLACE, PATTERN_GLOBAL, PATTERN_READ, v.table.index_bytes);
    pattern_declare(out, PLACE_FIRST, PATTERN_GLOBAL, PATTERN_READ, WORD);
    pattern_declare(out, PLACE_END, PATTERN_GLOBAL, PATTERN_READ, WORD);
    check_declare_block(out, TAKEN);
    group_follow(&v, GROUP_CHECK_THREADS * GROUP_CHECK_EACH, look_at_places);
    group_view_end(&v);
}

/* ------------------------------------------------------------------ offsets */

enum { FIRST, END, OFFSET, LAST_FIRST, LAST_OFFSET, KEPT, FILLED };

static riffle_status look_at_offsets(group_view *v, uint64_t block) {
    const group_table *const t = &v->table;
    for (unsigned warp = 0; warp < group_warps(v); warp++) {
        const uint64_t at = block * GROUP_CHECK_THREADS + warp * WARP_LANES;
        if (at >= t->rule.groups) break;
        const uint64_t some = min(t->rule.groups - at, (uint64_t)WARP_LANES);
        group_note_run(v, warp, FIRST, group_cell(t->first, at, WORD), some, WORD);
        group_note_run(v, warp, END, group_cell(t->end, at, WORD), some, WORD);
        if (t->offsets != NULL) group_note_run(v, warp, OFFSET, group_cell(t->offsets, at, WORD), some, WORD);
        if (t->offsets != NULL && at + some == t->rule.groups) {
            group_note_one(v, warp, LAST_FIRST, group_cell(t->first, at + some, WORD));
            group_note_one(v, warp, LAST_OFFSET, group_cell(t->offsets, at + some, WORD));
        }
        if (t->kept != NULL) group_note_run(v, warp, KEPT, group_cell(t->kept, at, WORD), some, WORD);
    }
    note_sums(v, FILLED);
    return RIFFLE_OK;
}

void pattern_of_group_check_offsets(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!view_begin(work, subject, out, &v)) return;
    for (unsigned site = 0; site < FILLED; site++)
        pattern_declare(out, site, PATTERN_GLOBAL, PATTERN_READ, WORD);
    check_declare_block(out, FILLED);
    group_follow(&v, GROUP_CHECK_THREADS, look_at_offsets);
    group_view_end(&v);
}

/* --------------------------------------------------------------------- rows */

void pattern_of_group_written(const launch *work, const void *subject, pattern *out) {
    const group_subject *const s = subject;
    const group_pass *all;
    if (s->keys == NULL) pattern_mean(out, PATTERN_EXPECTED);
    out->status = group_know(s, NULL, &all);
    if (out->status == RIFFLE_OK) check_pattern_of_rows(work, all->first[s->plan->rule.groups], out);
}
