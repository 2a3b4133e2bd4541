/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups on the CPU: entries are counted, groups are laid out, rows are scattered (work.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "group/cpu/work.h"

static team_share part_of(const group_work *work, unsigned part) {
    return team_share_of(work->plan->entries, (team_member){part, work->parts});
}

static void count_part(const group_work *work, unsigned part) {
    const team_share mine = part_of(work, part);
    if (mine.first == mine.end) return; /* where there are no rows, there may be no keys */
    group_count(work->plan, work->arrays->keys, mine.first, mine.end - mine.first,
                work->next + part * group_table_length(work->plan));
}

/* The team may have fewer members than there are parts. */
static void count_share(const void *context, team_member me) {
    const group_work *const work = context;
    for (unsigned part = me.number; part < work->parts; part += me.count) count_part(work, part);
}

/* Turns a group's counts into the parts' first places. */
static uint64_t begin_parts(const group_work *work, uint32_t group, uint64_t first) {
    const size_t length = group_table_length(work->plan);
    uint64_t total = 0;
    for (unsigned part = 0; part < work->parts; part++) {
        uint64_t *const at = &work->next[part * length + group];
        const uint64_t count = *at;
        *at = first + total;
        total += count;
    }
    return total;
}

static void lay_out(const group_work *work) {
    const riffle_group_plan *const plan = work->plan;
    const riffle_group_arrays *const arrays = work->arrays;
    uint64_t first = 0, overflowed = 0;
    for (uint32_t group = 0; group < plan->rule.groups; group++) {
        const uint64_t total = begin_parts(work, group, first), kept = group_kept(plan, total);
        if (arrays->offsets != NULL) arrays->offsets[group] = first;
        work->first[group] = first;
        if (arrays->counts != NULL) arrays->counts[group] = kept;
        work->end[group] = first + kept;
        overflowed += total - kept;
        first += group_padded(plan, kept);
    }
    if (arrays->offsets != NULL) arrays->offsets[plan->rule.groups] = first;
    work->first[plan->rule.groups] = first;
    const uint64_t outside = begin_parts(work, plan->rule.groups, 0);
    if (arrays->left_out == NULL) return;
    arrays->left_out[GROUP_OUTSIDE] = outside;
    arrays->left_out[GROUP_OVERFLOWED] = overflowed;
}

/* Padding goes up to a multiple behind the group's first place, which is a multiple too. */
static void pad_share(const group_work *work, team_member me) {
    const riffle_group_plan *const plan = work->plan;
    const team_share mine = team_share_of(plan->rule.groups, me);
    if (plan->row_bytes == 0) return;
    for (uint64_t group = mine.first; group < mine.end; group++) {
        const uint64_t end = work->end[group], rows = group_padded(plan, end) - end;
        if (rows > 0) memset((char *)work->arrays->rows + end * plan->row_bytes, 0, rows * plan->row_bytes);
    }
}

static void scatter_share(const void *context, team_member me) {
    const group_work *const work = context;
    const size_t length = group_table_length(work->plan);
    for (unsigned part = me.number; part < work->parts; part += me.count) {
        if (work->begins != NULL)
            memcpy(work->next + part * length, work->begins + part * length, length * sizeof *work->next);
        group_scatter(work, part, part_of(work, part));
    }
    pad_share(work, me);
}

static riffle_status create(riffle_group_plan *plan, const riffle_group_options *options) {
    if (plan->check == RIFFLE_CHECK_PASSES && plan->entries > 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a check of passes has nothing to compare: the CPU moves rows of "
                                              "groups in one pass; take the check "
                                              "'full'");
    size_t entry_bytes = plan->row_bytes + riffle_type_bytes(plan->key_type) + plan->index_bytes, bytes;
    for (unsigned k = 0; k + 1 < plan->columns; k++) entry_bytes += plan->column_bytes[k];
    if (!multiply_sizes(plan->entries, entry_bytes, 1, &bytes)) bytes = SIZE_MAX;
    plan->base.threads = threads_for(bytes, BYTES_A_THREAD, threads_most(options->threads));
    plan->base.is_exclusive = false; /* each execution has memory of its own */
    return RIFFLE_OK;
}

/* Bytes of a check's own places, where nobody else wants them. */
static size_t places_bytes(const riffle_group_plan *plan) {
    if (plan->check == RIFFLE_CHECK_NONE || plan->index_bytes > 0) return 0;
    return (size_t)plan->entries * sizeof(uint64_t);
}

/* The first column's rows have places written with them. */
static riffle_status run_column(const group_work *work, unsigned column) {
    group_alone alone;
    group_column_alone(work->plan, work->arrays, column, &alone);
    group_work scattered = *work, checked = *work;
    scattered.plan = checked.plan = &alone.plan;
    scattered.arrays = checked.arrays = &alone.arrays;
    if (group_lines_bytes(&alone.plan, 1) == 0) scattered.lines = NULL;
    if (column > 0) scattered.index_bytes = 0;
    if (column == 0 || alone.plan.row_bytes > 0) team_run(work->parts, scatter_share, &scattered);
    return alone.plan.check != RIFFLE_CHECK_NONE ? group_check(&checked) : RIFFLE_OK;
}

static riffle_status run(const group_work *work) {
    riffle_status status = RIFFLE_OK;
    team_run(work->parts, count_share, work);
    lay_out(work);
    if (work->begins != NULL)
        memcpy(work->begins, work->next, work->parts * group_table_length(work->plan) * sizeof *work->next);
    for (unsigned k = 0; k < work->plan->columns; k++) {
        const riffle_status found = run_column(work, k);
        if (status == RIFFLE_OK) status = found;
    }
    return status;
}

/* Bytes of the lines of the column that wants most. */
static size_t lines_bytes(const riffle_group_plan *plan, unsigned parts) {
    group_alone alone;
    size_t most = 0;
    for (unsigned k = 0; k < plan->columns; k++) {
        group_column_alone(plan, &(riffle_group_arrays){0}, k, &alone);
        most = max(most, group_lines_bytes(&alone.plan, parts));
    }
    return most;
}

static riffle_status execute(const riffle_group_plan *plan, const riffle_group_arrays *arrays) {
    const unsigned parts = plan->base.threads;
    const bool are_several = plan->columns > 1;
    const size_t length = group_table_length(plan),
                 tables = ((are_several ? 2 * parts : parts) + 2) * length * sizeof(uint64_t),
                 lines = lines_bytes(plan, parts), places = places_bytes(plan);
    void *room = NULL;
    const riffle_status status = buffer_create("tables of groups", tables + lines + places, &room);
    if (status != RIFFLE_OK) return status;
    uint64_t *const end = room, *const first = end + length;
    const group_work work = {.plan = plan,
                             .arrays = arrays,
                             .parts = parts,
                             .next = first + length,
                             .begins = are_several ? first + (parts + (size_t)1) * length : NULL,
                             .end = end,
                             .first = first,
                             .places = places > 0 ? (char *)room + tables + lines : arrays->places,
                             .index_bytes = places > 0 ? sizeof(uint64_t) : plan->index_bytes,
                             .lines = lines > 0 ? (char *)room + tables : NULL};
    const riffle_status found = run(&work);
    riffle_buffer_free(room, tables + lines + places);
    return found;
}

const group_engine cpu_group_engine = {.create = create, .execute = execute};
