/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of the histogram's kernels (histogram/kernels/histogram.cu). Which counts are added to depends on the keys: the pattern
 * reads them.
 */
#include "histogram/predict.h"

#include <string.h>

#include "base/arithmetic.h"
#include "histogram/kernels/kernel.h"

enum { SITE_HEAD, SITE_WORD, SITE_TAIL, SITE_ADD_HEAD, SITE_ADD_WORD, SITE_ADD_KEY, SITE_ADD_TAIL };
enum { SITE_ZERO = SITE_ADD_TAIL + 1, SITE_SUM, SITE_TOTAL };
enum { WARP = 32, COUNT_BYTES = 8, SHARED_COUNT_BYTES = 4, KEYS_OF_WORD = HISTOGRAM_WORD_BYTES };

typedef struct histogram_view {
    const histogram *h; /* whose keys are the host's */
    uint64_t keys, counts;
    uint64_t head, words, threads; /* keys before the first word; words; threads of the launch */
    bool in_shared;
    pattern *out;
} histogram_view;

static uint32_t key_at(const histogram_view *v, uint64_t k) {
    if (v->h->key_bytes == 1) return ((const uint8_t *)v->h->keys)[k];
    return ((const uint16_t *)v->h->keys)[k];
}

/* Where a warp of that number counts a key. */
static uint64_t count_at(const histogram_view *v, uint32_t warp, uint64_t k) {
    const uint64_t key = key_at(v, k);
    return v->in_shared ? (warp * HISTOGRAM_VALUES + key) * SHARED_COUNT_BYTES : v->counts + key * COUNT_BYTES;
}

/* ---------------------------------------------------------------- a warp's part */

/* A warp of a block: its number there, and its first thread of the launch. */
typedef struct histogram_warp {
    uint32_t number;
    uint64_t first;
} histogram_warp;

/* Single keys, before the first word and behind the last: a thread each. */
static void single_keys(const histogram_view *v, const histogram_warp *w, uint64_t begin, uint64_t end,
                        unsigned read, unsigned add) {
    pattern_lanes keys = {0}, counts = {0};
    for (uint64_t k = begin + w->first; k < min(begin + w->first + WARP, end); k++) {
        pattern_lane(&keys, v->keys + k * v->h->key_bytes);
        pattern_lane(&counts, count_at(v, w->number, k));
    }
    pattern_next(v->out, read, &keys);
    pattern_next(v->out, add, &counts);
}

static bool are_same(const histogram_view *v, uint64_t first, uint64_t keys) {
    for (uint64_t k = 1; k < keys; k++)
        if (key_at(v, first + k) != key_at(v, first)) return false;
    return true;
}

/* A word a lane: one addition where its keys are the same, else one each. */
static void one_word(const histogram_view *v, const histogram_warp *w, uint64_t first) {
    const uint64_t each = HISTOGRAM_WORD_BYTES / v->h->key_bytes;
    pattern_lanes words = {0}, same = {0}, single[KEYS_OF_WORD] = {0};
    for (uint64_t word = first; word < min(first + WARP, v->words); word++) {
        const uint64_t begin = v->head + word * each;
        pattern_lane(&words, v->keys + begin * v->h->key_bytes);
        if (are_same(v, begin, each))
            pattern_lane(&same, count_at(v, w->number, begin));
        else
            for (uint64_t k = 0; k < each; k++) pattern_lane(&single[k], count_at(v, w->number, begin + k));
    }
    pattern_next(v->out, SITE_WORD, &words);
    pattern_next(v->out, SITE_ADD_WORD, &same);
    for (uint64_t k = 0; k < each; k++) pattern_next(v->out, SITE_ADD_KEY, &single[k]);
}

static void count_all(const histogram_view *v, const histogram_warp *w) {
    const uint64_t tail = v->head + v->words * (HISTOGRAM_WORD_BYTES / v->h->key_bytes);
    single_keys(v, w, 0, v->head, SITE_HEAD, SITE_ADD_HEAD);
    for (uint64_t first = w->first; first < v->words; first += v->threads) one_word(v, w, first);
    single_keys(v, w, tail, v->h->n, SITE_TAIL, SITE_ADD_TAIL);
}

/* ----------------------------------------------------------------------- tables */

/* A lane has a value, whose counts it visits in each warp's table. */
static void tables(const histogram_view *v, const histogram_warp *w, unsigned site) {
    for (uint32_t table = 0; table < HISTOGRAM_WARPS; table++)
        pattern_run(v->out, site, table, (table * HISTOGRAM_VALUES + w->number * WARP) * SHARED_COUNT_BYTES,
                    WARP);
}

static void mark_keys(const histogram_view *v, uint64_t first, uint64_t end, bool found[HISTOGRAM_VALUES]) {
    for (uint64_t k = first; k < min(end, v->h->n); k++) found[key_at(v, k)] = true;
}

/* The keys that a block has met. */
static void find_keys(const histogram_view *v, uint64_t block, bool found[HISTOGRAM_VALUES]) {
    const uint64_t thread = block * HISTOGRAM_THREADS, each = HISTOGRAM_WORD_BYTES;
    const uint64_t tail = v->head + v->words * each;
    mark_keys(v, thread, min(thread + HISTOGRAM_THREADS, v->head), found);
    for (uint64_t word = thread; word < v->words; word += v->threads)
        mark_keys(v, v->head + word * each, v->head + min(word + HISTOGRAM_THREADS, v->words) * each, found);
    mark_keys(v, tail + thread, tail + thread + HISTOGRAM_THREADS, found);
}

static void add_totals(const histogram_view *v, const histogram_warp *w, const bool found[HISTOGRAM_VALUES]) {
    pattern_lanes counts = {0};
    for (uint32_t value = w->number * WARP; value < (w->number + 1) * WARP; value++)
        if (found[value]) pattern_lane(&counts, v->counts + value * (uint64_t)COUNT_BYTES);
    pattern_next(v->out, SITE_TOTAL, &counts);
}

/* --------------------------------------------------------------------- launches */

static void declare(const histogram_view *v, size_t key_bytes, pattern *out) {
    const pattern_space space = v->in_shared ? PATTERN_SHARED : PATTERN_GLOBAL;
    const size_t count = v->in_shared ? SHARED_COUNT_BYTES : COUNT_BYTES;
    pattern_declare(out, SITE_HEAD, PATTERN_GLOBAL, PATTERN_READ, key_bytes);
    pattern_declare(out, SITE_WORD, PATTERN_GLOBAL, PATTERN_READ, HISTOGRAM_WORD_BYTES);
    pattern_declare(out, SITE_TAIL, PATTERN_GLOBAL, PATTERN_READ, key_bytes);
    for (unsigned site = SITE_ADD_HEAD; site <= SITE_ADD_TAIL; site++)
        pattern_declare_atomic(out, site, space, count);
    pattern_declare(out, SITE_ZERO, PATTERN_SHARED, PATTERN_WRITE, SHARED_COUNT_BYTES);
    pattern_declare(out, SITE_SUM, PATTERN_SHARED, PATTERN_READ, SHARED_COUNT_BYTES);
    pattern_declare_atomic(out, SITE_TOTAL, PATTERN_GLOBAL, COUNT_BYTES);
}

static void describe_block(const histogram_view *v, uint64_t block) {
    bool found[HISTOGRAM_VALUES] = {false};
    if (v->in_shared) find_keys(v, block, found);
    for (uint32_t warp = 0; warp < HISTOGRAM_WARPS; warp++) {
        const histogram_warp w = {warp, block * HISTOGRAM_THREADS + warp * WARP};
        pattern_begin_warp(v->out);
        count_all(v, &w);
        if (!v->in_shared) continue;
        tables(v, &w, SITE_ZERO);
        tables(v, &w, SITE_SUM);
        add_totals(v, &w, found);
    }
}

static void pattern_of_histogram(const launch *work, const void *subject, pattern *out) {
    const struct histogram_arguments *const a = work->arguments;
    const histogram *const h = subject;
    const uint64_t keys = (uintptr_t)work->from;
    const uint64_t ahead = (0 - keys) % HISTOGRAM_WORD_BYTES / h->key_bytes, head = min(ahead, h->n);
    const histogram_view v = {.h = h,
                              .keys = keys,
                              .counts = (uintptr_t)a->counts,
                              .head = head,
                              .words = (h->n - head) * h->key_bytes / HISTOGRAM_WORD_BYTES,
                              .threads = (uint64_t)work->grid * HISTOGRAM_THREADS,
                              .in_shared = h->key_bytes == 1,
                              .out = out};
    const uint64_t samples = pattern_samples(out, ceil_div(h->n, out->grid));
    declare(&v, h->key_bytes, out);
    for (uint64_t k = 0; k < samples; k++) describe_block(&v, pattern_sample(out, samples, k));
}

const kernel_pattern histogram_patterns[] = {{&KERNEL_histogram_bytes.record, pattern_of_histogram},
                                             {&KERNEL_histogram_pairs.record, pattern_of_histogram},
                                             {NULL, NULL}};
