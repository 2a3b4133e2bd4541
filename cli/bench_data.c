/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_data.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

/* splitmix64's mixing: a cheap hash in which every bit looks random. */
static uint64_t hash(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

void bench_fill(unsigned char *bytes, size_t count) {
    const size_t words = count / sizeof(uint64_t);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < words; ++k) {
        uint64_t word = hash(k);
        memcpy(bytes + k * sizeof word, &word, sizeof word);
    }
    for (size_t k = words * sizeof(uint64_t); k < count; ++k) bytes[k] = (unsigned char)hash(k);
}

bool bench_sample_is_right(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst,
                           const unsigned char *src, uint64_t count) {
    const uint64_t n = riffle_perm_length(perm);
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t i = hash(k) % n;
        const uint64_t to = riffle_perm_at(perm, i);
        if (memcmp(dst + to * elem_bytes, src + i * elem_bytes, elem_bytes) != 0) return false;
    }
    return true;
}

/* P's values from `first` on, up to CHUNK of them; returns how many. */
static size_t map_chunk(const riffle_perm *perm, uint64_t first, uint64_t values[CHUNK]) {
    const uint64_t left = riffle_perm_length(perm) - first;
    const size_t count = left < CHUNK ? (size_t)left : CHUNK;
    if (riffle_perm_map(perm, first, count, values) != RIFFLE_OK) abort(); /* its arguments are in range */
    return count;
}

static uint64_t wrong_in_chunk(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst,
                               const unsigned char *src, uint64_t first) {
    uint64_t values[CHUNK], wrong = 0;
    const size_t count = map_chunk(perm, first, values);
    for (size_t k = 0; k < count; ++k)
        wrong += memcmp(dst + values[k] * elem_bytes, src + (first + k) * elem_bytes, elem_bytes) != 0;
    return wrong;
}

bool bench_all_is_right(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst,
                        const unsigned char *src) {
    const uint64_t n = riffle_perm_length(perm), chunks = (n + CHUNK - 1) / CHUNK;
    uint64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
    for (uint64_t k = 0; k < chunks; ++k) wrong += wrong_in_chunk(perm, elem_bytes, dst, src, k * CHUNK);
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

static riffle_status tabulate(const riffle_perm *perm, riffle_perm **out) {
    const uint64_t n = riffle_perm_length(perm), chunks = (n + CHUNK - 1) / CHUNK;
    void *table;
    riffle_status status = riffle_buffer_create(n * sizeof(uint32_t), &table);
    if (status != RIFFLE_OK) return status;
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < chunks; ++k) tabulate_chunk(perm, k * CHUNK, table);
    status = riffle_perm_table_u32(n, table, out);
    riffle_buffer_free(table, n * sizeof(uint32_t));
    return status;
}

riffle_status bench_perm(const bench_row *row, const char *by, riffle_perm **out) {
    riffle_perm *perm;
    riffle_status status = riffle_perm_parse(by, row->n, &perm);
    if (status != RIFFLE_OK) return status;
    if (row->algorithm != RIFFLE_ALGORITHM_SCATTER && row->algorithm != RIFFLE_ALGORITHM_GATHER) {
        *out = perm;
        return RIFFLE_OK;
    }
    status = tabulate(perm, out);
    riffle_perm_free(perm);
    return status;
}
