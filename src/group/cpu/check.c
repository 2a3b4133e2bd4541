/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups that are read once more: each key's place is in its group, and each place there is one key's; the rows of all keys, each with its place, add up to the same as the
 * rows that lie there; padding is zeros, and the caller's offsets and counts are those that the rows were laid out by.
 */
#include "base/arithmetic.h"
#include "base/threads/team.h"
#include "check/check.h"
#include "group/cpu/work.h"

static uint64_t place_of(const group_work *work, uint64_t entry) {
    if (work->index_bytes == 8) return ((const uint64_t *)work->places)[entry];
    const uint32_t place = ((const uint32_t *)work->places)[entry];
    return place == UINT32_MAX ? RIFFLE_GROUP_NOWHERE : place;
}

static void places_of_entries(const void *context, uint64_t first, size_t count, uint64_t *places) {
    for (size_t k = 0; k < count; k++) places[k] = place_of(context, first + k);
}

/* Padding has no place. */
static void places_of_rows(const void *context, uint64_t first, size_t count, uint64_t *places) {
    const group_work *const work = context;
    uint64_t group = last_not_above(work->first, work->plan->rule.groups, first);
    for (size_t k = 0; k < count; k++) {
        while (first + k >= work->first[group + 1]) group++;
        places[k] = first + k < work->end[group] ? first + k : RIFFLE_GROUP_NOWHERE;
    }
}

/* ----------------------------------------------------------------------- faults */

static bool is_wrong(const group_work *work, uint32_t group, uint64_t place) {
    const riffle_group_plan *const plan = work->plan;
    if (place == RIFFLE_GROUP_NOWHERE) return group < plan->rule.groups && plan->capacity == UINT64_MAX;
    return group == plan->rule.groups || place < work->first[group] || place >= work->end[group];
}

/* Adds the places that are taken to the sums. */
static uint64_t wrong_places(const group_work *work, team_share mine, check_sums *sums) {
    uint32_t groups[GROUP_BATCH];
    uint64_t faults = 0;
    for (uint64_t first = mine.first; first < mine.end; first += GROUP_BATCH) {
        const size_t count = (size_t)min(mine.end - first, (uint64_t)GROUP_BATCH);
        group_find(work->plan, work->arrays->keys, first, count, groups);
        for (size_t k = 0; k < count; k++) {
            const uint64_t place = place_of(work, first + k);
            faults += is_wrong(work, groups[k], place);
            if (place != RIFFLE_GROUP_NOWHERE) check_add_taken(sums, place);
        }
    }
    return faults;
}

static bool are_zeros(const char *bytes, size_t count) {
    char any = 0;
    for (size_t k = 0; k < count; k++) any |= bytes[k];
    return any == 0;
}

/* Padding, offsets and counts. Adds the places of rows to the sums. */
static uint64_t wrong_groups(const group_work *work, team_share mine, check_sums *sums) {
    const riffle_group_arrays *const arrays = work->arrays;
    const size_t row_bytes = work->plan->row_bytes;
    uint64_t faults = 0;
    for (uint64_t group = mine.first; group < mine.end; group++) {
        const uint64_t first = work->first[group], end = work->end[group], next = work->first[group + 1];
        check_add_range(sums, first, end);
        if (row_bytes > 0 && end < next)
            faults += !are_zeros((const char *)arrays->rows + end * row_bytes, (next - end) * row_bytes);
        if (arrays->offsets != NULL) faults += arrays->offsets[group] != first;
        if (arrays->counts != NULL) faults += arrays->counts[group] != end - first;
    }
    return faults;
}

typedef struct looking {
    const group_work *work;
    uint64_t *faults;
    check_sums *taken, *filled; /* places of keys, and of rows */
} looking;

static void add_atomically(check_sums *to, check_sums sums) {
    __atomic_fetch_add(&to->first, sums.first, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->second, sums.second, __ATOMIC_RELAXED);
}

static void look_share(const void *context, team_member me) {
    const looking *const l = context;
    const riffle_group_plan *const plan = l->work->plan;
    check_sums taken = {0, 0}, filled = {0, 0};
    const uint64_t faults = wrong_places(l->work, team_share_of(plan->entries, me), &taken) +
                            wrong_groups(l->work, team_share_of(plan->rule.groups, me), &filled);
    add_atomically(l->taken, taken);
    add_atomically(l->filled, filled);
    __atomic_fetch_add(l->faults, faults, __ATOMIC_RELAXED);
}

riffle_status group_check(const group_work *work) {
    const riffle_group_plan *const plan = work->plan;
    const uint64_t groups = plan->rule.groups, *const offsets = work->arrays->offsets;
    uint64_t faults = offsets != NULL && offsets[groups] != work->first[groups];
    check_sums before = {0, 0}, after = {0, 0};
    team_run(work->parts, look_share, &(looking){work, &faults, &before, &after});
    const check_side read = {.rows = work->arrays->from_rows,
                             .row_bytes = plan->row_bytes,
                             .items = plan->entries,
                             .each = plan->keys_per_row,
                             .places = places_of_entries,
                             .context = work},
                     written = {.rows = work->arrays->rows,
                                .row_bytes = plan->row_bytes,
                                .items = work->first[groups],
                                .each = 1,
                                .places = places_of_rows,
                                .context = work};
    check_sum(&read, work->parts, &before);
    check_sum(&written, work->parts, &after);
    return check_result("groups", before, after, faults);
}
