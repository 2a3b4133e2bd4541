/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows on their way to their groups. Short rows are collected in a line for each group, a few of the cache's, and go out a line at a time, past
 * the cache:
 *
 *     rows     ... | line | line | line | ...      lines as memory has them: rows of a group may begin within one
 *     lines          ^ the group's line, filled up to where the next row goes
 *
 * A line that a part does not fill alone, its first or its last of a group, goes out by the bytes that are the part's.
 */
#include <string.h>

#include "base/element_size.h"
#include "base/simd/stream.h"
#include "group/cpu/work.h"

enum {
    MOST_LINES = 4096,      /* groups whose lines stay in a processor's cache, */
    MOST_LONG_LINES = 1024, /* and long ones do */
    LINE_BITS = 7,          /* bytes of a line: 2^7 */
    LONG_LINE_BITS = 8,
};

/* A part on its way. */
typedef struct scattering {
    const group_work *work;
    uint64_t *next;         /* places */
    const uintptr_t *first; /* where the part's first row of each group goes */
    char *lines;
    unsigned line_bits;
    const char *from;
    uint64_t entry; /* the batch's first */
} scattering;

static bool are_collected(const riffle_group_plan *plan) {
    return group_rows_are_short(plan) && plan->rule.groups <= MOST_LINES;
}

static unsigned line_bits_of(const riffle_group_plan *plan) {
    return plan->rule.groups <= MOST_LONG_LINES ? LONG_LINE_BITS : LINE_BITS;
}

/* A part's lines, with one more for rows that are left out, and behind them its first addresses and its next ones. */
static size_t part_bytes(const riffle_group_plan *plan) {
    return ((plan->rule.groups + (size_t)1) << line_bits_of(plan)) +
           2 * group_table_length(plan) * sizeof(uintptr_t);
}

size_t group_lines_bytes(const riffle_group_plan *plan, unsigned parts) {
    return are_collected(plan) ? parts * part_bytes(plan) : 0;
}

/* Sends out what the group's line has, up to the address `end`, which is not in a line that was sent before. */
static void send_line(const scattering *s, uint32_t group, uintptr_t end) {
    const size_t line_bytes = (size_t)1 << s->line_bits;
    const uintptr_t line = (end - 1) & ~(uintptr_t)(line_bytes - 1);
    const uintptr_t from = line > s->first[group] ? line : s->first[group];
    const char *const held = s->lines + ((size_t)group << s->line_bits);
    if (group == s->work->plan->rule.groups) return;
    if (end - from == line_bytes)
        stream_copy((char *)line, held, line_bytes);
    else
        memcpy((char *)from, held + (from - line), end - from);
}

/* The loop of short rows: it has nothing in it but the way to the line. */
ALWAYS_INLINE void collect_batch(const scattering *s, const uint32_t *groups, size_t count,
                                 uint64_t keys_per_row, uintptr_t *restrict next, size_t row_bytes) {
    const unsigned bits = s->line_bits;
    const uintptr_t in_line = ((uintptr_t)1 << bits) - 1;
    const char *from = s->from + s->entry / keys_per_row * row_bytes;
    char *const lines = s->lines;
    uint64_t key = s->entry % keys_per_row;
    for (size_t k = 0; k < count; k++) {
        const uint32_t group = groups[k];
        const uintptr_t at = next[group];
        memcpy(lines + ((size_t)group << bits) + (at & in_line), from, row_bytes);
        next[group] = at + row_bytes;
        if (__builtin_expect(((at + row_bytes) & in_line) == 0, 0)) send_line(s, group, at + row_bytes);
        if (++key == keys_per_row) {
            key = 0;
            from += row_bytes;
        }
    }
}

static void send_rest(const scattering *s, const uintptr_t *next) {
    for (uint32_t group = 0; group < s->work->plan->rule.groups; group++)
        if (next[group] > s->first[group] && (next[group] & (((uintptr_t)1 << s->line_bits) - 1)) != 0)
            send_line(s, group, next[group]);
    stream_finish();
}

/* Gives entries their places; groups of those that are left out become the number behind all. */
static void place_batch(const scattering *s, uint32_t *groups, size_t count, uint64_t *places) {
    for (size_t k = 0; k < count; k++) {
        const uint64_t place = s->next[groups[k]];
        const bool is_kept = place < s->work->end[groups[k]];
        places[k] = is_kept ? place : RIFFLE_GROUP_NOWHERE;
        s->next[groups[k]] = place + is_kept;
        groups[k] = is_kept ? groups[k] : s->work->plan->rule.groups;
    }
}

static void write_places(const scattering *s, const uint64_t *places, size_t count) {
    void *const to = s->work->places;
    if (s->work->index_bytes == 8) memcpy((uint64_t *)to + s->entry, places, count * sizeof *places);
    if (s->work->index_bytes == 4)
        for (size_t k = 0; k < count; k++) ((uint32_t *)to)[s->entry + k] = (uint32_t)places[k];
}

/* Rows of any length, straight to their places. */
static void put_batch(const scattering *s, const uint64_t *places, size_t count) {
    const size_t row_bytes = s->work->plan->row_bytes;
    char *const rows = s->work->arrays->rows;
    for (size_t k = 0; row_bytes > 0 && k < count; k++)
        if (places[k] != RIFFLE_GROUP_NOWHERE)
            memcpy(rows + places[k] * row_bytes,
                   s->from + (s->entry + k) / s->work->plan->keys_per_row * row_bytes, row_bytes);
}

static void put_rows(scattering *s, team_share entries) {
    uint32_t groups[GROUP_BATCH];
    uint64_t places[GROUP_BATCH];
    for (s->entry = entries.first; s->entry < entries.end; s->entry += GROUP_BATCH) {
        const size_t count = entries.end - s->entry < GROUP_BATCH ? entries.end - s->entry : GROUP_BATCH;
        group_find(s->work->plan, s->work->arrays->keys, s->entry, count, groups);
        place_batch(s, groups, count, places);
        write_places(s, places, count);
        put_batch(s, places, count);
    }
}

/* Places are found where somebody wants them, or a group may be full. */
static void collect_rows(scattering *s, team_share entries) {
    const riffle_group_plan *const plan = s->work->plan;
    const size_t length = group_table_length(plan);
    uintptr_t *const first =
                         (uintptr_t *)(void *)(s->lines + ((plan->rule.groups + (size_t)1) << s->line_bits)),
                     *const next = first + length;
    const bool has_places = s->work->index_bytes > 0 || plan->capacity != UINT64_MAX;
    uint32_t groups[GROUP_BATCH];
    uint64_t places[GROUP_BATCH];
    for (uint32_t group = 0; group < plan->rule.groups; group++)
        first[group] = (uintptr_t)s->work->arrays->rows + s->next[group] * plan->row_bytes;
    memcpy(next, first, length * sizeof *first);
    s->first = first;
    for (s->entry = entries.first; s->entry < entries.end; s->entry += GROUP_BATCH) {
        const size_t count = entries.end - s->entry < GROUP_BATCH ? entries.end - s->entry : GROUP_BATCH;
        group_find(plan, s->work->arrays->keys, s->entry, count, groups);
        if (has_places) place_batch(s, groups, count, places);
        write_places(s, places, count);
        if (plan->keys_per_row == 1) {
            CALL_FOR_ELEMENT_SIZE(plan->row_bytes, collect_batch, s, groups, count, 1, next)
        } else {
            CALL_FOR_ELEMENT_SIZE(plan->row_bytes, collect_batch, s, groups, count, plan->keys_per_row, next)
        }
    }
    send_rest(s, next);
}

void group_scatter(const group_work *work, unsigned part, team_share entries) {
    scattering s = {.work = work,
                    .next = work->next + part * group_table_length(work->plan),
                    .from = work->arrays->from_rows};
    if (work->lines == NULL) {
        put_rows(&s, entries);
    } else {
        s.lines = work->lines + part * part_bytes(work->plan);
        s.line_bits = line_bits_of(work->plan);
        collect_rows(&s, entries);
    }
}
