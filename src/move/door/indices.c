/* SPDX-License-Identifier: Apache-2.0
 *
 * The doors of riffle/indices.h. All indices are looked at before a row is written.
 */
#include "riffle/indices.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "move/cpu/passes/loops.h"
#include "move/indices.h"
#include "perm/kind.h"

enum { AT_A_TIME = 4096, WORD_BITS = 64 };

/* ---------------------------------------------------------------- arguments */

static riffle_status check_bytes(uint64_t rows, size_t row_bytes, const char *name, const void *array) {
    size_t bytes;
    if (!multiply_sizes(rows, row_bytes, 1, &bytes))
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " rows of %zu bytes are more than memory can hold", rows,
                    row_bytes);
    if (bytes == 0 || array != NULL) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL but the array has %zu bytes", name, bytes);
}

riffle_status indices_check(const riffle_indices *indices) {
    RETURN_IF_NULL(indices);
    if (indices->entry_bytes != 4 && indices->entry_bytes != 8)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "indices have 4 or 8 bytes, not %zu", indices->entry_bytes);
    riffle_status status = perm_check_length("indices", indices->n);
    if (status == RIFFLE_OK) status = perm_check_length("the number of indices", indices->m);
    if (status != RIFFLE_OK || indices->m == 0) return status;
    if (indices->entries == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "indices are NULL");
    if ((uintptr_t)indices->entries % indices->entry_bytes != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "indices are not aligned to their %zu bytes",
                    indices->entry_bytes);
    if (indices->n > 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%" PRIu64 " indices into an array of 0 rows: there are none",
                indices->m);
}

riffle_status indices_check_rows(const riffle_indices *indices, size_t row_bytes) {
    if (row_bytes == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a row has at least 1 byte");
    return indices_check(indices);
}

void indices_arrays(const riffle_indices *indices, size_t row_bytes, const void *dst, uint64_t dst_rows,
                    const void *src, uint64_t src_rows, call_array out[INDICES_ARRAYS]) {
    const size_t entry_bytes = indices->entry_bytes;
    out[INDICES_DST] = call_array_of("dst", dst, row_bytes, dst_rows, ARRAY_WRITTEN);
    out[INDICES_SRC] = call_array_of("src", src, row_bytes, src_rows, ARRAY_READ);
    out[INDICES_ENTRIES] = call_array_of("the indices", indices->entries, entry_bytes, indices->m, ARRAY_READ);
}

riffle_status indices_check_arrays(const riffle_indices *indices, size_t row_bytes, const void *dst,
                                   uint64_t dst_rows, const void *src, uint64_t src_rows) {
    riffle_status status = check_bytes(dst_rows, row_bytes, "dst", dst);
    if (status == RIFFLE_OK) status = check_bytes(src_rows, row_bytes, "src", src);
    if (status != RIFFLE_OK) return status;
    const size_t dst_bytes = dst_rows * row_bytes, src_bytes = src_rows * row_bytes;
    if (bytes_overlap(dst, dst_bytes, src, src_bytes))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "dst, of %zu bytes, and src, of %zu, overlap", dst_bytes,
                    src_bytes);
    if (bytes_overlap(dst, dst_bytes, indices->entries, indices->m * indices->entry_bytes))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "dst, of %zu bytes, overlaps the indices", dst_bytes);
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------ indices */

static uint64_t entry_at(const riffle_indices *indices, uint64_t k) {
    return indices->entry_bytes == 4 ? ((const uint32_t *)indices->entries)[k]
                                     : ((const uint64_t *)indices->entries)[k];
}

static bool are_below(const riffle_indices *indices, uint64_t first, uint64_t end) {
    uint64_t beyond = 0;
    if (indices->entry_bytes == 4) {
        const uint32_t *const entry = indices->entries;
        for (uint64_t k = first; k < end; k++) beyond |= entry[k] >= indices->n;
    } else {
        const uint64_t *const entry = indices->entries;
        for (uint64_t k = first; k < end; k++) beyond |= entry[k] >= indices->n;
    }
    return beyond == 0;
}

/* Findings of a check's threads; the first of all. */
typedef struct range_check {
    const riffle_indices *indices;
    uint64_t *first_bad;
} range_check;

static void lower(uint64_t *least, uint64_t value) {
    uint64_t old = __atomic_load_n(least, __ATOMIC_RELAXED);
    while (value < old &&
           !__atomic_compare_exchange_n(least, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void check_share(const void *context, team_member me) {
    const range_check *const c = context;
    const team_share mine = team_share_of(c->indices->m, me);
    for (uint64_t first = mine.first; first < mine.end; first += AT_A_TIME) {
        const uint64_t end = mine.end - first < AT_A_TIME ? mine.end : first + AT_A_TIME;
        if (are_below(c->indices, first, end)) continue;
        while (entry_at(c->indices, first) < c->indices->n) first++;
        lower(c->first_bad, first);
        return;
    }
}

riffle_status indices_fail_range(uint64_t position, uint64_t value, uint64_t n) {
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "indices: number %" PRIu64 " is %" PRIu64 ", which is not below n = %" PRIu64, position, value,
                n);
}

static riffle_status check_range(const riffle_indices *indices, unsigned threads) {
    uint64_t first_bad = UINT64_MAX;
    team_run(threads, check_share, &(range_check){indices, &first_bad});
    if (first_bad == UINT64_MAX) return RIFFLE_OK;
    return indices_fail_range(first_bad, entry_at(indices, first_bad), indices->n);
}

/* Sets a bit; true if it was set before. */
static bool mark(uint64_t *marks, uint64_t k) {
    const uint64_t bit = UINT64_C(1) << k % WORD_BITS;
    return (__atomic_fetch_or(&marks[k / WORD_BITS], bit, __ATOMIC_RELAXED) & bit) != 0;
}

typedef struct clash_check {
    const riffle_indices *indices;
    uint64_t *marks;
    bool *clashes;
} clash_check;

static void mark_share(const void *context, team_member me) {
    const clash_check *const c = context;
    const team_share mine = team_share_of(c->indices->m, me);
    for (uint64_t k = mine.first; k < mine.end; k++)
        if (mark(c->marks, entry_at(c->indices, k))) __atomic_store_n(c->clashes, true, __ATOMIC_RELAXED);
}

/* The second is the first that repeats one. */
static riffle_status fail_clash(const riffle_indices *indices, uint64_t *marks) {
    uint64_t first = 0, second = 0;
    for (uint64_t k = 0; k < (indices->n + WORD_BITS - 1) / WORD_BITS; k++) marks[k] = 0;
    while (!mark(marks, entry_at(indices, second))) second++;
    while (entry_at(indices, first) != entry_at(indices, second)) first++;
    return fail(RIFFLE_ERROR_NOT_A_PERMUTATION,
                "indices: number %" PRIu64 " and number %" PRIu64 " are both %" PRIu64, first, second,
                entry_at(indices, first));
}

static riffle_status check_distinct(const riffle_indices *indices, unsigned threads) {
    const size_t bytes = (size_t)((indices->n + WORD_BITS - 1) / WORD_BITS) * sizeof(uint64_t);
    bool clashes = false;
    void *marks;
    riffle_status status = buffer_create("the check of indices", bytes, &marks);
    if (status != RIFFLE_OK) return status;
    team_run(threads, mark_share, &(clash_check){indices, marks, &clashes});
    if (clashes) status = fail_clash(indices, marks);
    riffle_buffer_free(marks, bytes);
    return status;
}

/* -------------------------------------------------------------------- moves */

static unsigned team_for(const riffle_indices *indices, size_t row_bytes, const riffle_call_options *options) {
    return threads_for(indices->m * (row_bytes + indices->entry_bytes), BYTES_A_THREAD,
                       threads_most_of_call(options));
}

static void take_share(const void *context, team_member me) { cpu_take(context, me); }
static void put_share(const void *context, team_member me) { cpu_put(context, me); }

/* Checks a call, but not that indices differ. *threads are to do the rest; 0 where nothing is to be done. */
static riffle_status check_move(const cpu_rows *move, uint64_t dst_rows, uint64_t src_rows,
                                const riffle_call_options *options, unsigned *threads) {
    const riffle_indices *const indices = move->indices;
    *threads = 0;
    if (indices->m == 0) return RIFFLE_OK;
    const unsigned team = team_for(indices, move->row_bytes, options);
    riffle_status status =
        indices_check_arrays(indices, move->row_bytes, move->dst, dst_rows, move->src, src_rows);
    if (status == RIFFLE_OK) status = check_range(indices, team);
    if (status == RIFFLE_OK) *threads = team;
    return status;
}

riffle_status riffle_take(const riffle_indices *indices, size_t row_bytes, void *dst, const void *src,
                          const riffle_call_options *options) {
    const cpu_rows move = {indices, row_bytes, dst, src};
    unsigned threads;
    riffle_status status = indices_check(indices);
    if (status == RIFFLE_OK) status = check_move(&move, indices->m, indices->n, options, &threads);
    if (status == RIFFLE_OK && threads > 0 && row_bytes > 0) team_run(threads, take_share, &move);
    return status;
}

riffle_status riffle_put(const riffle_indices *indices, size_t row_bytes, void *dst, const void *src,
                         const riffle_call_options *options) {
    const cpu_rows move = {indices, row_bytes, dst, src};
    unsigned threads;
    riffle_status status = indices_check(indices);
    if (status == RIFFLE_OK) status = check_move(&move, indices->n, indices->m, options, &threads);
    if (status == RIFFLE_OK && threads > 0) status = check_distinct(indices, threads);
    if (status == RIFFLE_OK && threads > 0 && row_bytes > 0) team_run(threads, put_share, &move);
    return status;
}
