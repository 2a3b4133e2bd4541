/* SPDX-License-Identifier: Apache-2.0 */
#include "group/predict/known.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/splitmix.h"
#include "base/status.h"
#include "group/definition.h"

enum { MOST_FOLLOWED = 1 << 20 /* entries that are drawn, and followed from the first to the last */ };

static uint32_t group_at(const group_subject *s, uint64_t entry) {
    uint64_t seed = entry;
    if (s->keys == NULL) return group_part(splitmix_next(&seed), s->plan->rule.groups);
    return group_number(&s->plan->rule, group_key_at(s->plan, s->keys, entry));
}

static bool are_followed(const group_subject *s) {
    return s->keys != NULL || s->plan->entries <= MOST_FOLLOWED;
}

/* Each group's share. */
static uint64_t share(const group_subject *s, uint64_t entries, uint32_t group) {
    const uint64_t groups = s->plan->rule.groups;
    return entries / groups + (group < entries % groups ? 1 : 0);
}

/* ------------------------------------------------------------------------- all */

static void count(const group_subject *s) {
    group_known *const k = s->known;
    if (k->group == NULL)
        for (uint32_t g = 0; g < s->plan->rule.groups; g++) k->total[g] = share(s, s->plan->entries, g);
    else
        for (uint64_t e = 0; e < s->plan->entries; e++) k->total[k->group[e] = group_at(s, e)]++;
}

static void lay_out(const group_subject *s) {
    group_known *const k = s->known;
    for (uint32_t g = 0; g < s->plan->rule.groups; g++) {
        const uint64_t kept = group_kept(s->plan, k->total[g]);
        k->end[g] = k->first[g] + kept;
        k->first[g + 1] = k->first[g] + group_padded(s->plan, kept);
    }
}

/* Counts are sums of those before, meanwhile. */
static void place(const group_subject *s, uint64_t *next, const uint32_t *group, uint64_t entries,
                  uint64_t *out) {
    for (uint64_t e = 0; e < entries; e++)
        if (group[e] < s->plan->rule.groups) out[e] = next[group[e]]++;
}

static riffle_status follow(const group_subject *s) {
    group_known *const k = s->known;
    const size_t bytes = s->plan->rule.groups * sizeof(uint64_t);
    uint64_t *const next = malloc(bytes);
    if (next == NULL) return fail_memory("a prediction's groups", bytes);
    memcpy(next, k->first, bytes);
    place(s, next, k->group, s->plan->entries, k->place);
    free(next);
    return RIFFLE_OK;
}

void group_known_free(group_known *known) {
    free(known->total);
    free(known->first);
    free(known->end);
    free(known->group);
    free(known->place);
    *known = (group_known){0};
}

static riffle_status make(const group_subject *s) {
    group_known *const k = s->known;
    const size_t groups = s->plan->rule.groups + (size_t)1, entries = (size_t)s->plan->entries;
    k->total = calloc(groups, sizeof *k->total);
    k->first = calloc(groups, sizeof *k->first);
    k->end = calloc(groups, sizeof *k->end);
    if (k->total == NULL || k->first == NULL || k->end == NULL)
        return fail_memory("a prediction's groups", 3 * groups * sizeof *k->first);
    if (are_followed(s)) {
        k->group = malloc(entries * sizeof *k->group + 1);
        k->place = malloc(entries * sizeof *k->place + 1);
        if (k->group == NULL || k->place == NULL)
            return fail_memory("a prediction's places", entries * (sizeof *k->group + sizeof *k->place));
    }
    count(s);
    lay_out(s);
    return k->group != NULL ? follow(s) : RIFFLE_OK;
}

riffle_status group_know(const group_subject *subject) {
    if (subject->known->first != NULL) return RIFFLE_OK;
    const riffle_status status = make(subject);
    if (status != RIFFLE_OK) group_known_free(subject->known);
    return status;
}

/* ---------------------------------------------------------------------- some */

void group_entries_free(group_entries *entries) {
    free(entries->own);
    *entries = (group_entries){0};
}

/* The block's own are followed: places, next ones of groups, and groups lie in one piece of memory. */
static riffle_status draw(const group_subject *s, group_entries *out) {
    const size_t groups = s->plan->rule.groups, entries = (size_t)out->count,
                 bytes = (entries + groups) * sizeof(uint64_t) + entries * sizeof(uint32_t);
    uint64_t *const places = malloc(bytes), *const next = places + entries;
    uint32_t *const group = (uint32_t *)(void *)(next + groups);
    if (places == NULL) return fail_memory("a prediction's places", bytes);
    for (uint32_t g = 0; g < groups; g++) next[g] = s->known->first[g] + share(s, out->first, g);
    for (uint64_t e = 0; e < entries; e++) group[e] = group_at(s, out->first + e);
    place(s, next, group, entries, places);
    out->own = places, out->place = places, out->group = group;
    return RIFFLE_OK;
}

riffle_status group_entries_of(const group_subject *subject, uint64_t first, uint64_t end, group_entries *out) {
    const group_known *const k = subject->known;
    const uint64_t last = min(end, subject->plan->entries);
    *out = (group_entries){.first = first, .count = last > first ? last - first : 0};
    if (k->group == NULL) return draw(subject, out);
    out->group = k->group + first;
    out->place = k->place + first;
    return RIFFLE_OK;
}
