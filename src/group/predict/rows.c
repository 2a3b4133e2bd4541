/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of what moves rows along places, and writes zeros behind groups (group/kernels/group_rows.cu).
 */
#include "base/arithmetic.h"
#include "group/predict/layout.h"
#include "group/predict/patterns.h"

enum { READ, PLACE, WRITTEN };

/* Units from number `first` of the launch on that a warp has at a time, and their rows' entries. */
typedef struct unit_run {
    const rows_table *rows;
    uint64_t keys, first, count;
    const void *places;
} unit_run;

static void move_units(group_view *v, unsigned warp, const unit_run *u, const group_entries *e) {
    const size_t unit = v->work->elem_bytes;
    group_note_run(v, warp, READ, group_cell(v->work->from, u->first, unit), u->count, unit);
    for (uint64_t key = 0; key < u->keys; key++) {
        for (uint64_t k = u->first; k < u->first + u->count; k++) {
            const uint64_t row = k / u->rows->row_parts, entry = row * u->keys + key, at = entry - e->first;
            tape_lane(&v->on, warp);
            tape_note(&v->on, PLACE, group_cell(u->places, entry, u->rows->entry_bytes));
            if (!group_is_kept(v->subject, v->pass, e->group[at], e->place[at])) continue;
            tape_note(
                &v->on, WRITTEN,
                group_cell(v->work->to, e->place[at] * u->rows->row_parts + k % u->rows->row_parts, unit));
        }
        tape_meet(&v->on);
    }
}

static riffle_status move_block(group_view *v, uint64_t block) {
    const struct group_rows_arguments *const a = v->work->arguments;
    const rows_table *const t = &a->table;
    const uint64_t each = GROUP_ROW_THREADS * GROUP_ROW_MOVES, first = block * each,
                   end = min(first + each, t->parts), keys = a->keys_per_row;
    group_entries e;
    const riffle_status status = group_entries_of(v->subject, v->pass, first / t->row_parts * keys,
                                                  ((end - 1) / t->row_parts + 1) * keys, &e);
    if (status != RIFFLE_OK) return status;
    for (uint64_t k = first; k < end; k += WARP_LANES) {
        const unit_run u = {t, keys, k, min(end - k, (uint64_t)WARP_LANES), a->places};
        move_units(v, (unsigned)((k - first) % GROUP_ROW_THREADS / WARP_LANES), &u, &e);
    }
    group_entries_free(&e);
    return RIFFLE_OK;
}

void pattern_of_group_rows(const launch *work, const void *subject, pattern *out) {
    const struct group_rows_arguments *const a = work->arguments;
    group_view v;
    if (!group_view_begin(work, subject, NULL, out, &v)) return;
    pattern_declare(out, READ, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, PLACE, PATTERN_GLOBAL, PATTERN_READ, a->table.entry_bytes);
    pattern_declare(out, WRITTEN, PATTERN_GLOBAL, PATTERN_WRITE, work->elem_bytes);
    group_follow(&v, GROUP_ROW_THREADS * GROUP_ROW_MOVES, move_block);
    group_view_end(&v);
}

/* --------------------------------------------------------------------- padding */

enum { NEXT, END, ZERO };

static riffle_status pad_groups(group_view *v, uint64_t block) {
    const group_table *const t = &v->table;
    const size_t word = sizeof(uint64_t), unit = v->work->elem_bytes;
    const uint64_t units = ((const struct group_pad_arguments *)v->work->arguments)->row_units;
    for (unsigned warp = 0; warp < group_warps(v); warp++) {
        const uint64_t group = block * group_warps(v) + warp;
        if (group >= t->columns) break;
        group_note_one(v, warp, NEXT, group_cell(t->first, group + 1, word));
        group_note_one(v, warp, END, group_cell(t->end, group, word));
        const uint64_t end = v->pass->first[group + 1] * units;
        for (uint64_t k = v->pass->end[group] * units; k < end; k += WARP_LANES)
            group_note_run(v, warp, ZERO, group_cell(v->work->to, k, unit), min(end - k, (uint64_t)WARP_LANES),
                           unit);
    }
    return RIFFLE_OK;
}

void pattern_of_group_pad(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_pad_arguments *)work->arguments)->table, out,
                          &v))
        return;
    pattern_declare(out, NEXT, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    pattern_declare(out, END, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    pattern_declare(out, ZERO, PATTERN_GLOBAL, PATTERN_WRITE, work->elem_bytes);
    group_follow(&v, GROUP_ROW_THREADS, pad_groups);
    group_view_end(&v);
}
