/* SPDX-License-Identifier: Apache-2.0 */
#include "group/predict/layout.h"

#include "base/arithmetic.h"

enum { SUM_WRITTEN, SUM_READ };
enum { LOAD_WHOLE, LOAD_PART /* by threads whose last entry is there, and by others */ };
enum {
    TOTAL,
    FIRST,
    END,
    OFFSET,
    KEPT,
    LAST_FIRST,
    LAST_OFFSET,
    OUTSIDE,
    OVERFLOWED,
    SUMS, /* one of padded groups, one of what overflowed */
};

_Static_assert(SUMS + 2 * GROUP_SUM_SITES == GROUP_LAYOUT_SITES, "sites of a layout");

void group_sums_declare(group_view *v, unsigned site, size_t bytes) {
    pattern_declare(v->out, site + SUM_WRITTEN, PATTERN_SHARED, PATTERN_WRITE, bytes);
    pattern_declare(v->out, site + SUM_READ, PATTERN_SHARED, PATTERN_READ, bytes);
}

void group_note_sums(group_view *v, unsigned site, uint64_t at, size_t bytes) {
    for (unsigned warp = 0; warp < group_warps(v); warp++) {
        group_note_one(v, warp, site + SUM_WRITTEN, at + warp * bytes);
        group_note_run(v, warp, site + SUM_READ, at, group_warps(v), bytes);
    }
}

void group_load_declare(group_view *v, unsigned site) {
    group_keys_declare(v, site + LOAD_WHOLE);
    group_keys_declare(v, site + LOAD_PART);
}

void group_note_load(group_view *v, unsigned site, uint64_t first, uint64_t at, uint64_t left, uint32_t i,
                     uint32_t items, uint32_t apart) {
    const bool is_whole = at + (items - 1) * apart < left || v->table.key_bytes == sizeof(uint64_t);
    if (at + i * apart < left)
        group_note_key(v, site + (is_whole ? LOAD_WHOLE : LOAD_PART), first + at + i * apart);
}

void group_layout_declare(group_view *v, unsigned site, pattern_space totals) {
    pattern_declare(v->out, site + TOTAL, totals, PATTERN_READ, sizeof(uint32_t));
    for (unsigned k = FIRST; k < SUMS; k++)
        pattern_declare(v->out, site + k, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
    pattern_mean(v->out, PATTERN_ESTIMATED); /* a compiler may read the last sum in two places */
    group_sums_declare(v, site + SUMS, sizeof(uint64_t));
    group_sums_declare(v, site + SUMS + GROUP_SUM_SITES, sizeof(uint64_t));
}

/* A number of each of a warp's groups; NULL: nobody wants them. */
static void note_numbers(group_view *v, unsigned warp, unsigned site, const void *numbers, uint64_t first) {
    const uint64_t groups = v->table.columns;
    if (numbers == NULL || first >= groups) return;
    group_note_run(v, warp, site, group_cell(numbers, first, sizeof(uint64_t)),
                   min(groups - first, (uint64_t)WARP_LANES), sizeof(uint64_t));
}

static void note_groups(group_view *v, unsigned site, uint64_t base, uint64_t totals, uint64_t sums) {
    const uint64_t groups = v->table.columns;
    for (unsigned warp = 0; warp < group_warps(v); warp++) {
        const uint64_t first = base + warp * WARP_LANES;
        if (first < groups)
            group_note_run(v, warp, site + TOTAL, totals + first * sizeof(uint32_t),
                           min(groups - first, (uint64_t)WARP_LANES), sizeof(uint32_t));
        note_numbers(v, warp, site + FIRST, v->table.first, first);
        note_numbers(v, warp, site + END, v->table.end, first);
        note_numbers(v, warp, site + OFFSET, v->table.offsets, first);
        note_numbers(v, warp, site + KEPT, v->table.kept, first);
    }
    group_note_sums(v, site + SUMS, sums, sizeof(uint64_t));
}

void group_note_layout(group_view *v, unsigned site, uint64_t totals, uint64_t sums) {
    const group_table *const t = &v->table;
    for (uint64_t base = 0; base < t->columns; base += v->work->block_x)
        note_groups(v, site, base, totals, sums);
    group_note_sums(v, site + SUMS + GROUP_SUM_SITES, sums, sizeof(uint64_t));
    group_note_one(v, 0, site + LAST_FIRST, group_cell(t->first, t->columns, sizeof(uint64_t)));
    if (t->offsets != NULL)
        group_note_one(v, 0, site + LAST_OFFSET, group_cell(t->offsets, t->columns, sizeof(uint64_t)));
    if (t->left_out == NULL) return;
    group_note_one(v, 0, site + OUTSIDE, group_cell(t->left_out, 0, sizeof(uint64_t)));
    group_note_one(v, 0, site + OVERFLOWED, group_cell(t->left_out, 1, sizeof(uint64_t)));
}
