/* SPDX-License-Identifier: Apache-2.0 */
#include "group/ungroup.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"

static const char *const sum_names[] = {[RIFFLE_UNGROUP_SUM_NONE] = "none",
                                        [RIFFLE_UNGROUP_SUM_F32] = "f32",
                                        [RIFFLE_UNGROUP_SUM_F64] = "f64",
                                        [RIFFLE_UNGROUP_SUM_F16] = "f16",
                                        [RIFFLE_UNGROUP_SUM_BF16] = "bf16"};

enum { SUMS = sizeof sum_names / sizeof *sum_names };

static const name_table sums = {"sum of rows", sum_names, SUMS};

const char *riffle_ungroup_sum_string(riffle_ungroup_sum sum) { return name_of(&sums, sum); }
riffle_status riffle_ungroup_sum_parse(const char *name, riffle_ungroup_sum *out) {
    return name_parse(&sums, name, (unsigned *)out);
}
size_t riffle_ungroup_sum_list(riffle_ungroup_sum *out, size_t capacity) {
    return name_list(&sums, (unsigned *)out, capacity);
}

/* ------------------------------------------------------------------- checks */

static riffle_status check_lengths(const riffle_ungroup_task *task) {
    size_t bytes;
    if (task->keys_per_row > RIFFLE_GROUP_MAX_KEYS_PER_ROW)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " places of each row; there are at most %" PRIu64,
                    task->keys_per_row, RIFFLE_GROUP_MAX_KEYS_PER_ROW);
    if (task->n > RIFFLE_MAX_LENGTH / task->keys_per_row || task->rows > RIFFLE_MAX_LENGTH)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " rows of %" PRIu64 " are more than an array has", task->n,
                    task->rows);
    if (task->row_bytes > RIFFLE_GROUP_MAX_ROW_BYTES || !multiply_sizes(task->n, task->row_bytes, 1, &bytes) ||
        !multiply_sizes(task->rows, task->row_bytes, 1, &bytes))
        return fail(RIFFLE_ERROR_LENGTH, "rows of %zu bytes are more than an array has", task->row_bytes);
    return RIFFLE_OK;
}

static riffle_status check_numbers(const riffle_ungroup_task *task) {
    if ((unsigned)task->sum >= SUMS)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no sum of rows with number %d", (int)task->sum);
    if (task->index_bytes != 4 && task->index_bytes != 8)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "places have 4 or 8 bytes, not %zu", task->index_bytes);
    const size_t number = ungroup_number_bytes(task->sum);
    if (number > 0 && task->row_bytes % number != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "rows of %zu bytes have no whole number of %s",
                    task->row_bytes, riffle_ungroup_sum_string(task->sum));
    if (number == 0 && task->keys_per_row > 1)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "rows have %" PRIu64 " places each; say of which numbers the sums are", task->keys_per_row);
    return check_lengths(task);
}

riffle_status ungroup_check_task(const riffle_ungroup_task *task, riffle_ungroup_task *out) {
    RETURN_IF_NULL(task);
    *out = *task;
    out->keys_per_row = max(task->keys_per_row, (uint64_t)1);
    return check_numbers(out);
}

static void list_arrays(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays,
                        call_array out[UNGROUP_ARRAYS]) {
    const uint64_t entries = task->n * task->keys_per_row;
    const size_t weight = ungroup_weight_bytes(task->sum);
    out[UNGROUP_ROWS] = call_array_of("rows", arrays->rows, task->row_bytes, task->rows, ARRAY_READ);
    out[UNGROUP_PLACES] = call_array_of("places", arrays->places, task->index_bytes, entries, ARRAY_READ);
    out[UNGROUP_WEIGHTS] = call_array_of("weights", arrays->weights, weight, entries, ARRAY_READ);
    out[UNGROUP_WEIGHTS].is_wanted = false;
    out[UNGROUP_TO] = call_array_of("to", arrays->to, task->row_bytes, task->n, ARRAY_WRITTEN);
}

riffle_status ungroup_check(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays,
                            riffle_ungroup_task *out) {
    call_array all[UNGROUP_ARRAYS];
    RETURN_IF_NULL(task, arrays);
    riffle_status status = ungroup_check_task(task, out);
    if (status != RIFFLE_OK) return status;
    list_arrays(out, arrays, all);
    status = arrays_check(all, UNGROUP_ARRAYS);
    return status == RIFFLE_OK ? arrays_check_apart(all, UNGROUP_ARRAYS, UNGROUP_TO) : status;
}

/* --------------------------------------------------------------- on the host */

typedef struct ungrouping {
    const riffle_ungroup_task *task;
    const riffle_ungroup_arrays *arrays;
    uint64_t *wrong; /* the first entry whose place is no row's, or UINT64_MAX */
} ungrouping;

static void note_wrong(uint64_t *wrong, uint64_t entry) {
    uint64_t least = __atomic_load_n(wrong, __ATOMIC_RELAXED);
    while (entry < least &&
           !__atomic_compare_exchange_n(wrong, &least, entry, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void check_share(const void *context, team_member me) {
    const ungrouping *const u = context;
    const team_share mine = team_share_of(u->task->n * u->task->keys_per_row, me);
    for (uint64_t e = mine.first; e < mine.end; e++) {
        const uint64_t place = ungroup_place(u->task, u->arrays->places, e);
        if (place < u->task->rows || place == RIFFLE_GROUP_NOWHERE) continue;
        note_wrong(u->wrong, e);
        return;
    }
}

static void bring_share(const void *context, team_member me) {
    const ungrouping *const u = context;
    const team_share mine = team_share_of(u->task->n, me);
    ungroup_rows(u->task, u->arrays, mine.first, mine.end);
}

riffle_status riffle_ungroup(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays,
                             const riffle_call_options *options) {
    riffle_ungroup_task asked;
    const riffle_status status = ungroup_check(task, arrays, &asked);
    if (status != RIFFLE_OK) return status;
    uint64_t wrong = UINT64_MAX;
    const uint64_t entries = asked.n * asked.keys_per_row;
    const size_t row_bytes = asked.row_bytes > 0 ? asked.row_bytes : 1;
    const size_t bytes = entries <= SIZE_MAX / row_bytes ? (size_t)entries * row_bytes : SIZE_MAX;
    const unsigned threads = threads_for(bytes, BYTES_A_THREAD, threads_most_of_call(options));
    const ungrouping u = {&asked, arrays, &wrong};
    team_run(threads, check_share, &u);
    if (wrong != UINT64_MAX)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "place %" PRIu64 " is %" PRId64 "; it names none of %" PRIu64 " rows", wrong,
                    (int64_t)ungroup_place(&asked, arrays->places, wrong), asked.rows);
    if (asked.row_bytes > 0) team_run(threads, bring_share, &u);
    return RIFFLE_OK;
}
