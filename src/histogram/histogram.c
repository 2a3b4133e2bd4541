/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms on the host: each thread counts a stretch of the keys in a table of its own, and adds the table to the counts. Keys of
 * 1 byte have four tables a thread, since a count that was just written cannot be read again at once.
 */
#include "histogram/histogram.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"

enum { TABLES = 4 };

void histogram_arrays(const histogram *h, call_array out[HISTOGRAM_ARRAYS]) {
    const size_t size = histogram_size(h->key_bytes);
    out[HISTOGRAM_KEYS] = call_array_of("keys", h->keys, h->key_bytes, h->n, ARRAY_READ);
    out[HISTOGRAM_COUNTS] = call_array_of("counts", h->counts, sizeof *h->counts, size, ARRAY_WRITTEN);
}

riffle_status histogram_check(const histogram *h) {
    if (h->key_bytes != 1 && h->key_bytes != 2)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "keys of %zu bytes; histograms are of keys of 1 or 2 bytes",
                    h->key_bytes);
    if (h->n > RIFFLE_MAX_LENGTH)
        return fail(RIFFLE_ERROR_LENGTH, "%llu keys are more than an array has", (unsigned long long)h->n);
    call_array arrays[HISTOGRAM_ARRAYS];
    histogram_arrays(h, arrays);
    const riffle_status status = arrays_check(arrays, HISTOGRAM_ARRAYS);
    return status == RIFFLE_OK ? arrays_check_apart(arrays, HISTOGRAM_ARRAYS, HISTOGRAM_COUNTS) : status;
}

typedef struct counting {
    const histogram *h;
    uint64_t *tables; /* a member's stand together */
} counting;

static size_t tables_of_member(size_t key_bytes) { return key_bytes == 1 ? TABLES : 1; }

static void count_bytes(const uint8_t *keys, team_share mine, uint64_t (*table)[256]) {
    for (uint64_t k = mine.first; k < mine.end; k++) table[k % TABLES][keys[k]]++;
}

static void count_pairs(const uint16_t *keys, team_share mine, uint64_t *table) {
    for (uint64_t k = mine.first; k < mine.end; k++) table[keys[k]]++;
}

static void count_share(const void *context, team_member me) {
    const counting *const c = context;
    const size_t size = histogram_size(c->h->key_bytes), tables = tables_of_member(c->h->key_bytes);
    uint64_t *const mine = c->tables + me.number * tables * size;
    if (c->h->key_bytes == 1) {
        count_bytes(c->h->keys, team_share_of(c->h->n, me), (uint64_t(*)[256])mine);
    } else {
        count_pairs(c->h->keys, team_share_of(c->h->n, me), mine);
    }
}

riffle_status riffle_histogram(uint64_t n, size_t key_bytes, const void *keys, uint64_t *counts,
                               const riffle_call_options *options) {
    const histogram h = {n, key_bytes, keys, counts};
    const riffle_status status = histogram_check(&h);
    if (status != RIFFLE_OK) return status;
    const unsigned threads = threads_for((size_t)n * key_bytes, BYTES_A_THREAD, threads_most_of_call(options));
    const size_t size = histogram_size(key_bytes), tables = threads * tables_of_member(key_bytes);
    uint64_t *const table = calloc(tables, size * sizeof *table);
    if (table == NULL) return fail_memory("tables of a histogram", tables * size * sizeof *table);
    team_run(threads, count_share, &(counting){&h, table});
    memset(counts, 0, size * sizeof *counts);
    for (size_t t = 0; t < tables; t++)
        for (size_t k = 0; k < size; k++) counts[k] += table[t * size + k];
    free(table);
    return RIFFLE_OK;
}
