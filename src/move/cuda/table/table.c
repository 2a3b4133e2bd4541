/* SPDX-License-Identifier: Apache-2.0
 *
 * Checking is as in perm/table.c: n values below n are distinct if and only if they set n bits. Where they are
 * not, bisection with the same count finds the shortest beginning that repeats a value, without further memory.
 */
#include "move/cuda/table/table.h"

#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "device/cuda/runtime.h"
#include "move/cuda/table/shared.h"
#include "perm/kind.h"

static size_t table_bytes(uint64_t n) { return (size_t)n * table_entry_bytes(n); }

static riffle_status create(uint64_t n, cuda_table *out) {
    *out = (cuda_table){.n = n, .entry_bytes = table_entry_bytes(n)};
    return cuda_allocate("a table of a permutation", table_bytes(n), &out->entries);
}

void cuda_table_free(cuda_table *table) {
    cudaFree(table->entries);
    table->entries = NULL;
}

/* The table for the caller if all went well, else nothing. */
static riffle_status finish(riffle_status status, cuda_table *table, cuda_table *out) {
    if (status == RIFFLE_OK) {
        *out = *table;
    } else {
        cuda_table_free(table);
    }
    return status;
}

/* ---------------------------------------------------------------- checking */

/* One bit for each value, and a number behind them that kernels count in. */
typedef struct checker {
    uint32_t *bits;
    uint64_t words, *number;
    cudaStream_t stream;
} checker;

/* Bitmaps are whole words of 8 bytes, so that the number behind them is aligned. */
static uint64_t words_for(uint64_t n) { return (n + 63) / 64 * 2; }

static size_t checker_bytes(uint64_t n) { return words_for(n) * sizeof(uint32_t) + sizeof(uint64_t); }

static riffle_status checker_create(uint64_t n, cudaStream_t stream, checker *out) {
    *out = (checker){.words = words_for(n), .stream = stream};
    const riffle_status status = cuda_allocate("the check of a table", checker_bytes(n), (void **)&out->bits);
    if (status == RIFFLE_OK) out->number = (uint64_t *)(void *)(out->bits + out->words);
    return status;
}

/* After `error` and what is queued, the number. */
static riffle_status fetch_number(const checker *c, cudaError_t error, uint64_t *out) {
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, c->number, sizeof *out, cudaMemcpyDeviceToHost, c->stream);
    return table_result(table_wait(error, c->stream));
}

static cudaError_t fill_number(const checker *c, int byte) {
    return cudaMemsetAsync(c->number, byte, sizeof *c->number, c->stream);
}

/* Tells whether the first `count` entries are distinct. */
static riffle_status are_distinct(const checker *c, const cuda_table *table, uint64_t count, bool *out) {
    table_entries beginning = table_entries_of(table);
    uint64_t marked = 0;
    beginning.n = count;
    cudaError_t error = cudaMemsetAsync(c->bits, 0, c->words * sizeof *c->bits, c->stream);
    if (error == cudaSuccess) error = fill_number(c, 0);
    if (error == cudaSuccess) error = table_steps_mark(&beginning, c->bits, c->stream);
    if (error == cudaSuccess) error = table_steps_count_bits(c->bits, c->words, c->number, c->stream);
    const riffle_status status = fetch_number(c, error, &marked);
    *out = marked == count;
    return status;
}

/* The first index of `value`, which the table has. */
static riffle_status find(const checker *c, const cuda_table *table, uint64_t value, uint64_t *out) {
    const table_entries entries = table_entries_of(table);
    cudaError_t error = fill_number(c, 0xff);
    if (error == cudaSuccess) error = table_steps_find(&entries, value, c->number, c->stream);
    return fetch_number(c, error, out);
}

/* Says which two indices of a table clash: the second is the first that repeats a value. */
static riffle_status fail_clash(const checker *c, const cuda_table *table) {
    uint64_t distinct = 1, clashing = table->n, value, first; /* beginnings of so many entries */
    riffle_status status = RIFFLE_OK;
    while (status == RIFFLE_OK && clashing - distinct > 1) {
        const uint64_t middle = distinct + (clashing - distinct) / 2;
        bool are;
        status = are_distinct(c, table, middle, &are);
        if (are)
            distinct = middle;
        else
            clashing = middle;
    }
    const uint64_t second = clashing - 1;
    if (status == RIFFLE_OK) status = cuda_table_fetch(table, second, 1, &value);
    if (status == RIFFLE_OK) status = find(c, table, value, &first);
    if (status != RIFFLE_OK) return status;
    return fail(RIFFLE_ERROR_NOT_A_PERMUTATION,
                "table: index %" PRIu64 " and index %" PRIu64 " both map to %" PRIu64, first, second, value);
}

static riffle_status fail_range(uint64_t n, const void *entries, size_t given_bytes, uint64_t i) {
    const cuda_table given = {(void *)entries, n, given_bytes};
    uint64_t value;
    const riffle_status status = cuda_table_fetch(&given, i, 1, &value);
    if (status != RIFFLE_OK) return status;
    return fail(RIFFLE_ERROR_NOT_A_PERMUTATION,
                "table: index %" PRIu64 " maps to %" PRIu64 ", which is not below n = %" PRIu64, i, value, n);
}

static riffle_status copy_in_range(const checker *c, const void *entries, size_t given_bytes,
                                   cuda_table *table) {
    const table_entries from = {entries, given_bytes, table->n};
    uint64_t first_bad = UINT64_MAX;
    cudaError_t error = fill_number(c, 0xff);
    if (error == cudaSuccess)
        error = table_steps_copy(&from, table->n, table->entries, table->entry_bytes, c->number, c->stream);
    const riffle_status status = fetch_number(c, error, &first_bad);
    if (status != RIFFLE_OK || first_bad == UINT64_MAX) return status;
    return fail_range(table->n, entries, given_bytes, first_bad);
}

static riffle_status fill_checked(const void *entries, size_t given_bytes, cudaStream_t stream,
                                  cuda_table *table) {
    checker c;
    bool distinct = false;
    riffle_status status = checker_create(table->n, stream, &c);
    if (status != RIFFLE_OK) return status;
    status = copy_in_range(&c, entries, given_bytes, table);
    if (status == RIFFLE_OK) status = are_distinct(&c, table, table->n, &distinct);
    if (status == RIFFLE_OK && !distinct) status = fail_clash(&c, table);
    cudaFree(c.bits);
    return status;
}

riffle_status cuda_table_take(uint64_t n, const void *entries, size_t given_bytes, struct CUstream_st *stream,
                              cuda_table *out) {
    cuda_table table;
    riffle_status status = create(n, &table);
    if (status != RIFFLE_OK) return status;
    if (n > 0) status = fill_checked(entries, given_bytes, stream, &table);
    return finish(status, &table, out);
}

size_t cuda_table_take_bytes(uint64_t n) { return n > 0 ? table_bytes(n) + checker_bytes(n) : 0; }

/* ----------------------------------------------------------------- writing */

static riffle_status write_random(const cuda_random *random, cudaStream_t stream, cuda_table *table) {
    const cudaError_t error = table_steps_random(&random->net, random->inverted, random->swap, table->n,
                                                 table->entries, table->entry_bytes, stream);
    return table_result(table_wait(error, stream));
}

static riffle_status upload(const void *entries, cudaStream_t stream, cuda_table *table) {
    const cudaError_t error =
        cudaMemcpyAsync(table->entries, entries, table_bytes(table->n), cudaMemcpyHostToDevice, stream);
    return cuda_result(table_wait(error, stream), "copying a table to the GPU");
}

riffle_status cuda_table_fill(uint64_t n, const cuda_random *random, const void *entries,
                              struct CUstream_st *stream, cuda_table *out) {
    cuda_table table;
    riffle_status status = create(n, &table);
    if (status != RIFFLE_OK) return status;
    if (n > 0) status = random != NULL ? write_random(random, stream, &table) : upload(entries, stream, &table);
    return finish(status, &table, out);
}

riffle_status cuda_table_copy(const cuda_table *table, struct CUstream_st *stream, cuda_table *out) {
    cuda_table made;
    const riffle_status status = create(table->n, &made);
    if (status != RIFFLE_OK || table->n == 0) return finish(status, &made, out);
    const cudaError_t error =
        cudaMemcpyAsync(made.entries, table->entries, table_bytes(table->n), cudaMemcpyDeviceToDevice, stream);
    return finish(table_result(table_wait(error, stream)), &made, out);
}

riffle_status cuda_table_invert(const cuda_table *table, struct CUstream_st *stream, cuda_table *out) {
    cuda_table made;
    const table_entries entries = table_entries_of(table);
    const riffle_status status = create(table->n, &made);
    if (status != RIFFLE_OK || table->n == 0) return finish(status, &made, out);
    return finish(table_result(table_wait(table_steps_invert(&entries, made.entries, stream), stream)), &made,
                  out);
}

/* Entries of 4 bytes go to the second half of the numbers and are widened from the first on, each read before a
 * number is written over it. */
riffle_status cuda_table_fetch(const cuda_table *table, uint64_t first, size_t count, uint64_t *out) {
    const char *from = (const char *)table->entries + (size_t)first * table->entry_bytes;
    char *to = (char *)out + count * (sizeof *out - table->entry_bytes);
    const riffle_status status =
        cuda_result(cudaMemcpy(to, from, count * table->entry_bytes, cudaMemcpyDeviceToHost),
                    "copying a table from the GPU");
    if (status != RIFFLE_OK || table->entry_bytes == sizeof *out) return status;
    for (size_t k = 0; k < count; k++) {
        uint32_t entry;
        memcpy(&entry, to + k * sizeof entry, sizeof entry);
        out[k] = entry;
    }
    return RIFFLE_OK;
}

riffle_status cuda_table_sample(const cuda_table *table, bool inverse, const line_sample *sample,
                                struct CUstream_st *stream, uint64_t *out) {
    const table_entries entries = table_entries_of(table);
    const table_lines lines = {sample->step, sample->lines, sample->elements};
    const size_t bytes = (size_t)sample->lines * sample->elements * sizeof *out;
    uint64_t *found = NULL;
    riffle_status status = cuda_allocate("sampling a table", bytes, (void **)&found);
    if (status != RIFFLE_OK || bytes == 0) return status;
    cudaError_t error = inverse ? table_steps_seek_lines(&entries, &lines, found, stream)
                                : table_steps_pick_lines(&entries, &lines, found, stream);
    if (error == cudaSuccess) error = cudaMemcpyAsync(out, found, bytes, cudaMemcpyDeviceToHost, stream);
    status = table_result(table_wait(error, stream));
    cudaFree(found);
    return status;
}
