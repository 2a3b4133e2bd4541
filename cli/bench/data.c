/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/data.h"

#include <stdlib.h>
#include <string.h>

#include "bench/word.h"

enum { CHUNK = 4096 };

void bench_fill(unsigned char *bytes, size_t count) {
    const size_t words = count / sizeof(uint64_t), rest = count % sizeof(uint64_t);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < words; ++k) {
        const uint64_t word = bench_word(k);
        memcpy(bytes + k * sizeof word, &word, sizeof word);
    }
    const uint64_t last = bench_word(words);
    memcpy(bytes + count - rest, &last, rest);
}

static uint64_t stride_of(const bench_row *row) { return row->stride > 0 ? row->stride : row->n; }

uint64_t bench_row_arrays(const bench_row *row) { return row->batch > 0 ? row->batch : 1; }

size_t bench_row_bytes(const bench_row *row) {
    return ((bench_row_arrays(row) - 1) * stride_of(row) + row->n) * row->elem_bytes;
}

bench_move bench_move_of(const bench_row *row, const riffle_perm *perm) {
    const uint64_t batch = bench_row_arrays(row);
    return (bench_move){.perm = perm,
                        .elem_bytes = row->elem_bytes,
                        .batch = batch,
                        .stride = stride_of(row),
                        .in_place = row->in_place,
                        .by = batch == 1 ? row->by : NULL};
}

uint64_t bench_span(const bench_move *move) {
    return (move->batch - 1) * move->stride + riffle_perm_length(move->perm);
}

uint64_t bench_sample(const bench_move *move, uint64_t k) { return bench_hash(k) % bench_span(move); }

uint64_t bench_destination(const bench_move *move, uint64_t x) {
    const uint64_t i = x % move->stride;
    return i < riffle_perm_length(move->perm) ? x - i + riffle_perm_at(move->perm, i) : x;
}

bool bench_is_filled(const unsigned char *bytes, uint64_t first, size_t count) {
    unsigned char word[sizeof(uint64_t)];
    for (size_t k = 0; k < count; ++k) {
        const size_t at = (first + k) % sizeof word;
        if (k == 0 || at == 0) {
            const uint64_t value = bench_word((first + k) / sizeof word);
            memcpy(word, &value, sizeof word);
        }
        if (bytes[k] != word[at]) return false;
    }
    return true;
}

static bool are_poison(const unsigned char *bytes, size_t count) {
    for (size_t k = 0; k < count; ++k)
        if (bytes[k] != BENCH_POISON) return false;
    return true;
}

bool bench_is_right(const bench_move *move, uint64_t x, const unsigned char *found) {
    const bool between = x % move->stride >= riffle_perm_length(move->perm);
    return between && !move->in_place ? are_poison(found, move->elem_bytes)
                                      : bench_is_filled(found, x * move->elem_bytes, move->elem_bytes);
}

bool bench_sample_is_right(const bench_move *move, const unsigned char *dst, uint64_t count) {
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t x = bench_sample(move, k);
        if (!bench_is_right(move, x, dst + bench_destination(move, x) * move->elem_bytes)) return false;
    }
    return true;
}

/* P's values from `first` on, up to CHUNK of them; returns how many. */
static size_t map_chunk(const riffle_perm *perm, uint64_t first, uint64_t values[CHUNK]) {
    const uint64_t n = riffle_perm_length(perm), left = first < n ? n - first : 0;
    const size_t count = left < CHUNK ? (size_t)left : CHUNK;
    if (riffle_perm_map(perm, n - left, count, values) != RIFFLE_OK) abort(); /* its arguments are in range */
    return count;
}

/* Counts wrong elements of a chunk, from `first` on, of one array and of the gap between it and the next one. */
static uint64_t wrong_in_chunk(const bench_move *move, const unsigned char *dst, uint64_t array,
                               uint64_t first) {
    uint64_t values[CHUNK], wrong = 0;
    const uint64_t start = array * move->stride, mapped = map_chunk(move->perm, first, values);
    const uint64_t end = array + 1 < move->batch ? move->stride : riffle_perm_length(move->perm);
    for (uint64_t k = 0; k < CHUNK && first + k < end; ++k) {
        const uint64_t to = start + (k < mapped ? values[k] : first + k);
        wrong += !bench_is_right(move, start + first + k, dst + to * move->elem_bytes);
    }
    return wrong;
}

bool bench_all_is_right(const bench_move *move, const unsigned char *dst) {
    const uint64_t each = (move->stride + CHUNK - 1) / CHUNK, chunks = move->batch * each;
    uint64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
    for (uint64_t k = 0; k < chunks; ++k) wrong += wrong_in_chunk(move, dst, k / each, k % each * CHUNK);
    return wrong == 0;
}

static int compare_seconds(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *seconds, unsigned count) {
    qsort(seconds, count, sizeof seconds[0], compare_seconds);
    return (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
}

static void tabulate_chunk(const riffle_perm *perm, uint64_t first, uint32_t *table) {
    uint64_t values[CHUNK];
    const size_t count = map_chunk(perm, first, values);
    for (size_t k = 0; k < count; ++k) table[first + k] = (uint32_t)values[k];
}

riffle_status bench_tabulate(const riffle_perm *perm, uint32_t **out) {
    const uint64_t n = riffle_perm_length(perm), chunks = (n + CHUNK - 1) / CHUNK;
    void *table;
    const riffle_status status = riffle_buffer_create(n * sizeof(uint32_t), &table);
    if (status != RIFFLE_OK) return status;
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < chunks; ++k) tabulate_chunk(perm, k * CHUNK, table);
    *out = table;
    return RIFFLE_OK;
}

static riffle_status as_table(const riffle_perm *perm, riffle_perm **out) {
    uint32_t *table;
    const uint64_t n = riffle_perm_length(perm);
    riffle_status status = bench_tabulate(perm, &table);
    if (status != RIFFLE_OK) return status;
    status = riffle_perm_table_u32(n, table, out);
    riffle_buffer_free(table, n * sizeof *table);
    return status;
}

riffle_status bench_perm(const bench_row *row, const char *by, riffle_perm **out) {
    riffle_perm *perm;
    riffle_status status = riffle_perm_parse(by, row->n, &perm);
    if (status != RIFFLE_OK) return status;
    const bool indexes =
        row->algorithm == RIFFLE_ALGORITHM_SCATTER || row->algorithm == RIFFLE_ALGORITHM_GATHER;
    if (!indexes || row->as_spec) {
        *out = perm;
        return RIFFLE_OK;
    }
    status = as_table(perm, out);
    riffle_perm_free(perm);
    return status;
}
