/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows on their way to their groups: short ones by lines (lines.h), all others straight.
 */
#include <string.h>

#include "base/arithmetic.h"
#include "base/element_size.h"
#include "base/processor/vectors.h"
#include "group/cpu/lines.h"
#include "group/cpu/work.h"

enum {
    MOST_LINES = 4096,   /* groups whose lines stay in a processor's cache, */
    ALL_LINES = 1 << 18, /* with so many bytes, or more where lines are the shortest */
    LEAST_LINE_BITS = 7, /* bytes of a line: 2^7 */
    MOST_LINE_BITS = 10,
};

/* A part on its way. */
typedef struct scattering {
    const group_work *work;
    uint64_t *next; /* places */
    group_lines lines;
    const char *from;
    uint64_t entry; /* the batch's first */
} scattering;

static bool are_collected(const riffle_group_plan *plan) {
    return group_rows_are_short(plan) && plan->rule.groups <= MOST_LINES;
}

static unsigned line_bits_of(const riffle_group_plan *plan) {
    unsigned bits = MOST_LINE_BITS;
    while (bits > LEAST_LINE_BITS && plan->rule.groups << bits > ALL_LINES) bits--;
    return bits;
}

/* A part's lines, with one more for rows that are left out, and behind them its first addresses and its next ones. */
static size_t part_bytes(const riffle_group_plan *plan) {
    return ((plan->rule.groups + (size_t)1) << line_bits_of(plan)) +
           2 * group_table_length(plan) * sizeof(uintptr_t);
}

size_t group_lines_bytes(const riffle_group_plan *plan, unsigned parts) {
    return are_collected(plan) ? parts * part_bytes(plan) : 0;
}

/* The loop of short rows: it has nothing in it but the way to the line. */
ALWAYS_INLINE void collect_batch(const scattering *s, const uint32_t *groups, size_t count,
                                 uint64_t keys_per_row, size_t row_bytes) {
    const group_lines l = s->lines;
    const uintptr_t in_line = ((uintptr_t)1 << l.bits) - 1;
    uintptr_t *const restrict next = l.next;
    const char *from = s->from + s->entry / keys_per_row * row_bytes;
    uint64_t key = s->entry % keys_per_row;
    for (size_t k = 0; k < count; k++) {
        const uint32_t group = groups[k];
        const uintptr_t at = next[group];
        memcpy(l.lines + ((size_t)group << l.bits) + (at & in_line), from, row_bytes);
        next[group] = at + row_bytes;
        if (__builtin_expect(((at + row_bytes) & in_line) == 0, 0)) group_line_send(&l, group, at + row_bytes);
        if (++key == keys_per_row) {
            key = 0;
            from += row_bytes;
        }
    }
}

static void send_rest(const group_lines *l) {
    for (uint32_t group = 0; group < l->groups; group++)
        if (l->next[group] > l->first[group] && (l->next[group] & (((uintptr_t)1 << l->bits) - 1)) != 0)
            group_line_send(l, group, l->next[group]);
    stream_finish();
}

/* Where the next row of each group goes; those that are left out begin their line. */
static void find_addresses(const scattering *s, uintptr_t *addresses) {
    const riffle_group_plan *const plan = s->work->plan;
    for (uint32_t group = 0; group < plan->rule.groups; group++)
        addresses[group] = (uintptr_t)s->work->arrays->rows + s->next[group] * plan->row_bytes;
    addresses[plan->rule.groups] = 0;
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
static void collect_by_addresses(const scattering *s, uint32_t *groups, size_t count, uint64_t *places) {
    const riffle_group_plan *const plan = s->work->plan;
    if (s->work->index_bytes > 0 || plan->capacity != UINT64_MAX) place_batch(s, groups, count, places);
    if (plan->keys_per_row == 1) {
        CALL_FOR_ELEMENT_SIZE(plan->row_bytes, collect_batch, s, groups, count, 1)
    } else {
        CALL_FOR_ELEMENT_SIZE(plan->row_bytes, collect_batch, s, groups, count, plan->keys_per_row)
    }
}

/* The loop of vectors of places, where there is one and it serves; or NULL. */
static group_collect *vectors_of(const riffle_group_plan *plan) {
    static group_collect *const loops[VECTOR_SETS] = {
#if defined(__x86_64__)
        [VECTORS_AVX512] = group_collect_avx512,
#endif
    };
    if (plan->keys_per_row > 1 || plan->capacity != UINT64_MAX || plan->room > UINT32_MAX) return NULL;
    return loops[vectors_for(LOOPS_GROUPS)];
}

static void collect_rows(scattering *s, team_share entries) {
    const riffle_group_plan *const plan = s->work->plan;
    group_collect *const collect = vectors_of(plan);
    const bool has_places = s->work->index_bytes > 0;
    uint32_t groups[GROUP_BATCH];
    uint64_t places[GROUP_BATCH];
    find_addresses(s, s->lines.next);
    for (s->entry = entries.first; s->entry < entries.end; s->entry += GROUP_BATCH) {
        const size_t count = entries.end - s->entry < GROUP_BATCH ? entries.end - s->entry : GROUP_BATCH;
        group_find(plan, s->work->arrays->keys, s->entry, count, groups);
        if (collect != NULL)
            collect(&s->lines, groups, count, s->from + s->entry * plan->row_bytes, has_places ? places : NULL);
        else
            collect_by_addresses(s, groups, count, places);
        write_places(s, places, count);
    }
    if (collect != NULL) find_addresses(s, s->lines.next);
    send_rest(&s->lines);
}

/* The part's lines, and behind them its first addresses and its next ones. */
static group_lines lines_of(const scattering *s, char *room) {
    const riffle_group_plan *const plan = s->work->plan;
    const unsigned bits = line_bits_of(plan);
    uintptr_t *const first = (uintptr_t *)(void *)(room + ((plan->rule.groups + (size_t)1) << bits));
    find_addresses(s, first);
    return (group_lines){.lines = room,
                         .bits = bits,
                         .groups = plan->rule.groups,
                         .row_bytes = plan->row_bytes,
                         .rows = s->work->arrays->rows,
                         .first = first,
                         .next = first + group_table_length(plan),
                         .next_row = s->next};
}

void group_scatter(const group_work *work, unsigned part, team_share entries) {
    scattering s = {.work = work,
                    .next = work->next + part * group_table_length(work->plan),
                    .from = work->arrays->from_rows};
    if (work->lines == NULL) {
        put_rows(&s, entries);
    } else {
        s.lines = lines_of(&s, work->lines + part * part_bytes(work->plan));
        collect_rows(&s, entries);
    }
}
