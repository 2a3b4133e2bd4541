/* SPDX-License-Identifier: Apache-2.0 */
#include "group/predict/known.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/splitmix.h"
#include "base/status.h"
#include "group/definition.h"
#include "group/predict/drawn.h"

enum { MOST_FOLLOWED = 1 << 20 /* entries that are drawn, and followed from the first to the last */ };

static uint32_t group_at(const group_subject *s, uint64_t entry) {
    if (s->keys == NULL) return group_drawn(s, entry);
    return group_number(&s->plan->rule, group_key_at(s->plan, s->keys, entry));
}

static bool are_followed(const group_subject *s) {
    return s->keys != NULL || s->plan->entries <= MOST_FOLLOWED;
}

/* ------------------------------------------------------------------------- all */

/* The columns of entries: the first pass's are in the order of keys, the second's in the order that the first makes. */
static void name(const group_subject *s, const group_pass *pass) {
    const group_pass *const low = s->known->pass;
    const uint32_t groups = s->plan->rule.groups;
    for (uint64_t e = 0; e < s->plan->entries; e++) {
        const uint32_t group = group_at(s, e);
        if (!pass->is_second)
            pass->group[e] = group < groups ? group % pass->columns : pass->columns;
        else if (group < groups)
            pass->group[low->place[e]] = group / GROUP_LOW;
    }
}

static void count(const group_subject *s, const group_pass *pass) {
    if (pass->group == NULL) {
        group_draw_totals(s, pass);
        return;
    }
    name(s, pass);
    for (uint64_t e = 0; e < pass->entries; e++) pass->total[pass->group[e]]++;
}

static void lay_out(const group_subject *s, const group_pass *pass) {
    for (uint32_t c = 0; c < pass->columns; c++) {
        const uint64_t kept = group_kept(s->plan, pass->total[c]);
        pass->end[c] = pass->first[c] + kept;
        pass->first[c + 1] = pass->first[c] + group_padded(s->plan, kept);
    }
}

static void place(const group_pass *pass, uint64_t *next, const uint32_t *group, uint64_t entries,
                  uint64_t *out) {
    for (uint64_t e = 0; e < entries; e++)
        if (group[e] < pass->columns) out[e] = next[group[e]]++;
}

static riffle_status follow(const group_pass *pass) {
    const size_t bytes = pass->columns * sizeof(uint64_t);
    uint64_t *const next = malloc(bytes);
    if (next == NULL) return fail_memory("a prediction's groups", bytes);
    memcpy(next, pass->first, bytes);
    place(pass, next, pass->group, pass->entries, pass->place);
    free(next);
    return RIFFLE_OK;
}

static void free_pass(group_pass *pass) {
    free(pass->total);
    free(pass->first);
    free(pass->end);
    free(pass->group);
    free(pass->place);
    *pass = (group_pass){0};
}

void group_known_free(group_known *known) {
    for (unsigned k = 0; k < GROUP_PASSES; k++) free_pass(&known->pass[k]);
}

static riffle_status make(const group_subject *s, group_pass *pass) {
    const size_t columns = pass->columns + (size_t)1, entries = (size_t)pass->entries;
    pass->total = calloc(columns, sizeof *pass->total);
    pass->first = calloc(columns, sizeof *pass->first);
    pass->end = calloc(columns, sizeof *pass->end);
    if (pass->total == NULL || pass->first == NULL || pass->end == NULL)
        return fail_memory("a prediction's groups", 3 * columns * sizeof *pass->first);
    if (are_followed(s)) {
        pass->group = malloc(entries * sizeof *pass->group + 1);
        pass->place = malloc(entries * sizeof *pass->place + 1);
        if (pass->group == NULL || pass->place == NULL)
            return fail_memory("a prediction's places", entries * (sizeof *pass->group + sizeof *pass->place));
    }
    count(s, pass);
    lay_out(s, pass);
    return pass->group != NULL ? follow(pass) : RIFFLE_OK;
}

static riffle_status know(const group_subject *s, group_pass *pass, const group_pass *as) {
    if (pass->first != NULL) return RIFFLE_OK;
    *pass = *as;
    const riffle_status status = make(s, pass);
    if (status != RIFFLE_OK) free_pass(pass);
    return status;
}

riffle_status group_know(const group_subject *subject, const group_table *table, const group_pass **out) {
    group_pass *const pass = subject->known->pass;
    const uint32_t columns = table != NULL ? table->columns : subject->plan->rule.groups;
    const bool is_second = table != NULL && table->count != NULL;
    riffle_status status =
        know(subject, &pass[0], &(group_pass){.entries = subject->plan->entries, .columns = columns});
    if (status == RIFFLE_OK && is_second)
        status = know(subject, &pass[1],
                      &(group_pass){.entries = pass[0].first[columns], .columns = columns, .is_second = true});
    *out = &pass[is_second];
    return status;
}

/* ---------------------------------------------------------------------- some */

void group_entries_free(group_entries *entries) {
    free(entries->own);
    *entries = (group_entries){0};
}

/* The block's own are followed: places, next ones of columns, and columns of entries lie in one piece of memory. */
static riffle_status draw(const group_subject *s, const group_pass *pass, group_entries *out) {
    const size_t columns = pass->columns, entries = (size_t)out->count,
                 bytes = (entries + columns) * sizeof(uint64_t) + entries * sizeof(uint32_t);
    uint64_t *const places = malloc(bytes), *const next = places + entries;
    uint32_t *const group = (uint32_t *)(void *)(next + columns);
    if (places == NULL) return fail_memory("a prediction's places", bytes);
    group_draw_before(s, pass, out->first, next);
    for (uint32_t c = 0; c < columns; c++) next[c] += pass->first[c];
    for (uint64_t e = 0; e < entries; e++) group[e] = group_draw_column(s, pass, out->first + e);
    place(pass, next, group, entries, places);
    out->own = places, out->place = places, out->group = group;
    return RIFFLE_OK;
}

riffle_status group_entries_of(const group_subject *subject, const group_pass *pass, uint64_t first,
                               uint64_t end, group_entries *out) {
    const uint64_t last = min(end, pass->entries), from = min(first, last);
    *out = (group_entries){.first = first, .count = last - from};
    if (pass->group == NULL) return draw(subject, pass, out);
    out->group = pass->group + from;
    out->place = pass->place + from;
    return RIFFLE_OK;
}
