/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows on their way to their groups. Short rows are collected in a line of the cache for each group, and go out a line at a time, past
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
    LONGEST_IN_LINES =
        16,            /* bytes of rows that are collected: aligned to their length, none lies in two lines */
    MOST_LINES = 4096, /* groups whose lines stay in a processor's cache */
};

/* A part on its way. */
typedef struct scattering {
    const group_work *work;
    uint64_t *next;
    uint64_t *first; /* the first values of next, where there are lines */
    char *lines;
    char *rows;
    const char *from;
    uint64_t entry; /* the batch's first */
} scattering;

static bool are_collected(const riffle_group_plan *plan) {
    const size_t bytes = plan->row_bytes;
    return bytes > 0 && bytes <= LONGEST_IN_LINES && (bytes & (bytes - 1)) == 0 &&
           plan->rule.groups <= MOST_LINES;
}

/* A part's lines, and behind them its first places. */
static size_t part_bytes(const riffle_group_plan *plan) {
    return plan->rule.groups * (size_t)GROUP_LINE_BYTES + group_table_length(plan) * sizeof(uint64_t);
}

size_t group_lines_bytes(const riffle_group_plan *plan, unsigned parts) {
    return are_collected(plan) ? parts * part_bytes(plan) : 0;
}

/* Sends out what the group's line has, up to the place `end`. */
static void send_line(const scattering *s, uint32_t group, uint64_t end, size_t row_bytes) {
    char *const begin = s->rows + s->first[group] * row_bytes, *const stop = s->rows + end * row_bytes;
    char *const line = stop - 1 - (uintptr_t)(stop - 1) % GROUP_LINE_BYTES;
    const char *const held = s->lines + (size_t)group * GROUP_LINE_BYTES;
    char *const from = line > begin ? line : begin;
    if (stop - from == GROUP_LINE_BYTES)
        stream_copy(line, held, GROUP_LINE_BYTES);
    else
        memcpy(from, held + (from - line), (size_t)(stop - from));
}

ALWAYS_INLINE void collect_batch(const scattering *s, const uint32_t *groups, size_t count, uint64_t *places,
                                 size_t row_bytes) {
    const uint64_t keys_per_row = s->work->plan->keys_per_row;
    const char *from = s->from + s->entry / keys_per_row * row_bytes;
    uint64_t key = s->entry % keys_per_row;
    for (size_t k = 0; k < count; k++) {
        const uint32_t group = groups[k];
        const uint64_t place = s->next[group];
        const bool is_kept = place < s->work->end[group];
        places[k] = is_kept ? place : RIFFLE_GROUP_NOWHERE;
        if (is_kept) {
            const size_t at = (uintptr_t)(s->rows + place * row_bytes) % GROUP_LINE_BYTES;
            memcpy(s->lines + (size_t)group * GROUP_LINE_BYTES + at, from, row_bytes);
            s->next[group] = place + 1;
            if (at + row_bytes == GROUP_LINE_BYTES) send_line(s, group, place + 1, row_bytes);
        }
        if (++key == keys_per_row) {
            key = 0;
            from += row_bytes;
        }
    }
}

static void send_rest(const scattering *s) {
    const size_t row_bytes = s->work->plan->row_bytes;
    for (uint32_t group = 0; group < s->work->plan->rule.groups; group++) {
        const uint64_t end = s->next[group];
        if (end > s->first[group] && (uintptr_t)(s->rows + end * row_bytes) % GROUP_LINE_BYTES != 0)
            send_line(s, group, end, row_bytes);
    }
    stream_finish();
}

/* Rows of any length, or of none, straight to their places. */
static void put_batch(const scattering *s, const uint32_t *groups, size_t count, uint64_t *places) {
    const size_t row_bytes = s->work->plan->row_bytes;
    for (size_t k = 0; k < count; k++) {
        const uint64_t place = s->next[groups[k]];
        const bool is_kept = place < s->work->end[groups[k]];
        places[k] = is_kept ? place : RIFFLE_GROUP_NOWHERE;
        if (!is_kept) continue;
        s->next[groups[k]] = place + 1;
        if (row_bytes > 0)
            memcpy(s->rows + place * row_bytes,
                   s->from + (s->entry + k) / s->work->plan->keys_per_row * row_bytes, row_bytes);
    }
}

static void write_places(const scattering *s, const uint64_t *places, size_t count) {
    void *const to = s->work->arrays->places;
    if (s->work->plan->index_bytes == 8) memcpy((uint64_t *)to + s->entry, places, count * sizeof *places);
    if (s->work->plan->index_bytes == 4)
        for (size_t k = 0; k < count; k++) ((uint32_t *)to)[s->entry + k] = (uint32_t)places[k];
}

void group_scatter(const group_work *work, unsigned part, team_share entries) {
    const riffle_group_plan *const plan = work->plan;
    const size_t length = group_table_length(plan);
    uint32_t groups[GROUP_BATCH];
    uint64_t places[GROUP_BATCH];
    scattering s = {.work = work,
                    .next = work->next + part * length,
                    .rows = work->arrays->rows,
                    .from = work->arrays->from_rows};
    if (work->lines != NULL) {
        s.lines = work->lines + part * part_bytes(plan);
        s.first = (uint64_t *)(void *)(s.lines + plan->rule.groups * (size_t)GROUP_LINE_BYTES);
        memcpy(s.first, s.next, length * sizeof *s.first);
    }
    for (s.entry = entries.first; s.entry < entries.end; s.entry += GROUP_BATCH) {
        const size_t count = entries.end - s.entry < GROUP_BATCH ? entries.end - s.entry : GROUP_BATCH;
        group_find(plan, work->arrays->keys, s.entry, count, groups);
        if (s.lines == NULL)
            put_batch(&s, groups, count, places);
        else
            CALL_FOR_ELEMENT_SIZE(plan->row_bytes, collect_batch, &s, groups, count, places)
        write_places(&s, places, count);
    }
    if (s.lines != NULL) send_rest(&s);
}
