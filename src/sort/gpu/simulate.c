/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_simulate_sort: elements are made, sorted or merged on a machine, and compared with what the host makes of them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/kernels/lanes.h"
#include "device/simulate/simulate.h"
#include "models/io_bounds.h"
#include "papers/sort/worst_pairs.h"
#include "sort/gpu/plan.h"
#include "sort/plan.h"
#include "sort/random_elements.h"

enum { SECTOR_BYTES = 32, CACHE_BLOCKS = 64 /* that a warp holds in registers */ };

typedef struct sort_simulation {
    sort_subject subject; /* given to patterns: the first member */
    bool sorts_ties;
    uint64_t n;
    const riffle_sort_key *key;
    riffle_sort_options options;
    riffle_simulated_keys keys;
    riffle_sort_algorithm algorithm; /* that the plan has */
    uint64_t results;
    riffle_sort_arrays got, wanted;
} sort_simulation;

/* ----------------------------------------------------------------- requests */

static const worst_pairs worst_merge = {WARP_LANES, MERGE_PAIR_EACH, MERGE_PAIR_THREADS / WARP_LANES};

static riffle_status check_worst(const sort_simulation *sim) {
    const uint64_t streams = sim->options.task == RIFFLE_SORT_TASK_MERGE ? sim->options.segments : 0;
    if (sim->keys != RIFFLE_SIMULATED_KEYS_WORST) return RIFFLE_OK;
    if (streams != 0 && (streams & (streams - 1)) == 0 &&
        sim->n % (streams * worst_pairs_part(&worst_merge)) == 0)
        return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "the worst keys are those of a merge of 2, 4, 8, ... streams of a multiple of %" PRIu64
                " keys each",
                worst_pairs_part(&worst_merge));
}

/* --------------------------------------------------------------------- keys */

static riffle_status fill_worst(const sort_simulation *sim, unsigned char *elements) {
    const size_t e = sim->key->elem_bytes;
    uint32_t *const numbers = malloc((size_t)sim->n * sizeof *numbers + 1);
    if (numbers == NULL) return fail_memory("the worst keys", sim->n * sizeof *numbers);
    const riffle_status status = worst_pairs_streams(&worst_merge, sim->n, sim->options.segments, numbers);
    memset(elements, 0, (size_t)sim->n * e);
    for (uint64_t i = 0; status == RIFFLE_OK && i < sim->n; i++)
        memcpy(elements + i * e, &numbers[i], sizeof *numbers);
    free(numbers);
    return status;
}

/* A plan of the host. */
static riffle_status sort_here(const sort_simulation *sim) {
    const riffle_sort_options *const asked = &sim->options;
    const riffle_sort_options options = {.task = asked->task,
                                         .segments = asked->segments,
                                         .count = asked->count,
                                         .value_bytes = asked->value_bytes,
                                         .index_bytes = asked->index_bytes};
    riffle_sort_plan *plan;
    riffle_status status = riffle_sort_plan_create(sim->n, sim->key, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status != RIFFLE_OK) return status;
    status = riffle_sort_check(plan, sim->wanted.from_keys, NULL);
    if (status == RIFFLE_OK) status = riffle_sort_execute(plan, &sim->wanted);
    riffle_sort_plan_free(plan);
    return status;
}

/* Streams are sorted before they are merged. */
static riffle_status fill(const sort_simulation *sim, unsigned char *elements, unsigned char *values) {
    for (size_t k = 0; k < (size_t)sim->n * sim->options.value_bytes; k++)
        values[k] = (unsigned char)sort_mixed(k);
    if (sim->keys == RIFFLE_SIMULATED_KEYS_WORST) return fill_worst(sim, elements);
    return sort_fill_random(sim->n, sim->key,
                            sim->options.task == RIFFLE_SORT_TASK_MERGE ? sim->options.segments : 0, elements);
}

/* ------------------------------------------------------------------- arrays */

static riffle_status allocate(size_t bytes, void **out) {
    *out = bytes > 0 ? malloc(bytes) : NULL;
    if (bytes > 0 && *out == NULL) return fail_memory("simulated elements", bytes);
    if (bytes > 0) memset(*out, 0x5a, bytes);
    return RIFFLE_OK;
}

static riffle_status add_results(const sort_simulation *sim, riffle_sort_arrays *out) {
    const riffle_sort_options *const asked = &sim->options;
    void *lengths = NULL;
    riffle_status status = allocate((size_t)sim->results * sim->key->elem_bytes, &out->keys);
    if (status == RIFFLE_OK) status = allocate((size_t)sim->results * asked->value_bytes, &out->values);
    if (status == RIFFLE_OK) status = allocate((size_t)sim->results * asked->index_bytes, &out->indices);
    if (status == RIFFLE_OK && asked->task == RIFFLE_SORT_TASK_UNIQUE)
        status = allocate((size_t)asked->segments * sizeof *out->lengths, &lengths);
    out->lengths = lengths;
    return status;
}

static riffle_status add_arrays(sort_simulation *sim) {
    void *keys, *values = NULL;
    riffle_status status = allocate((size_t)sim->n * sim->key->elem_bytes, &keys);
    sim->got.from_keys = sim->wanted.from_keys = keys;
    if (status == RIFFLE_OK) status = allocate((size_t)sim->n * sim->options.value_bytes, &values);
    sim->got.from_values = sim->wanted.from_values = values;
    if (status == RIFFLE_OK) status = add_results(sim, &sim->got);
    if (status == RIFFLE_OK) status = add_results(sim, &sim->wanted);
    return status == RIFFLE_OK ? fill(sim, keys, values) : status;
}

static void free_results(riffle_sort_arrays *arrays) {
    free(arrays->keys);
    free(arrays->values);
    free(arrays->indices);
    free(arrays->lengths);
}

/* ------------------------------------------------------------------- results */

static bool is_equal(const void *a, const void *b, uint64_t at, size_t bytes) {
    return bytes == 0 || memcmp((const char *)a + at * bytes, (const char *)b + at * bytes, bytes) == 0;
}

/* The first of some results that is not the host's; `end` where all are. */
static uint64_t first_difference(const sort_simulation *sim, uint64_t begin, uint64_t end) {
    const riffle_sort_arrays *const a = &sim->got, *const b = &sim->wanted;
    uint64_t i = begin;
    while (i < end && is_equal(a->keys, b->keys, i, sim->key->elem_bytes) &&
           is_equal(a->values, b->values, i, sim->options.value_bytes) &&
           is_equal(a->indices, b->indices, i, sim->options.index_bytes))
        i++;
    return i;
}

/* The host's language and the GPU's are not the same: signed integers may overflow in one alone. */
static riffle_status fail_at(const sort_simulation *sim, uint64_t i) {
    if (sim->key->before == NULL)
        return fail(RIFFLE_ERROR_INTERNAL, "element %" PRIu64 " is not in order; please report this", i);
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "element %" PRIu64 " of the result is not the host's; is the comparison an order, and does no "
                "signed integer of it overflow?",
                i);
}

/* Behind the results of UNIQUE there is anything. */
static riffle_status check_results(const sort_simulation *sim) {
    const uint64_t *const lengths = sim->wanted.lengths;
    const uint64_t parts = lengths != NULL ? sim->options.segments : 1, each = sim->results / parts;
    for (uint64_t s = 0; s < parts; s++) {
        const uint64_t end = s * each + (lengths != NULL ? lengths[s] : each);
        const uint64_t wrong = first_difference(sim, s * each, end);
        if (wrong < end || (lengths != NULL && sim->got.lengths[s] != lengths[s])) return fail_at(sim, wrong);
    }
    return RIFFLE_OK;
}

/* ----------------------------------------------------------------- exchanges */

/* Merges exchange blocks of a warp. */
static report_exchanges count_exchanges(const sort_simulation *sim, const riffle_report *report) {
    const uint32_t key_bytes = (uint32_t)sim->key->elem_bytes, keys = merge_block_keys(key_bytes);
    const bool is_sort = sim->options.task == RIFFLE_SORT_TASK_SORT;
    const double block_bytes = (double)(keys * (key_bytes + sim->options.index_bytes));
    const io_machine model = {.processors = 1, .block = keys, .cache_blocks = CACHE_BLOCKS};
    uint64_t moved[OPS] = {0}, searches = 0;
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->space != SPACE_GLOBAL) continue;
        *(strcmp(line->kernel, "merge_split") == 0 ? &searches : &moved[line->op]) += line->requests;
    }
    const uint64_t most = moved[OP_READ] > moved[OP_WRITE] ? moved[OP_READ] : moved[OP_WRITE];
    const double n = (double)sim->n, block = model.block;
    return (report_exchanges){.block = keys,
                              .cache_blocks = CACHE_BLOCKS,
                              .counted = (double)(most * SECTOR_BYTES) / block_bytes,
                              .searches = (double)(searches * SECTOR_BYTES) / block_bytes,
                              .sorting = is_sort ? io_bound_sorting(n, model) : 0,
                              .permuting = is_sort ? io_bound_permutation(n, model) : n / block};
}

/* ------------------------------------------------------------------- the door */

static void describe(const void *subject, riffle_report *report) {
    const sort_simulation *const sim = subject;
    report->n = sim->n;
    report->algorithm = riffle_sort_algorithm_string(sim->algorithm);
    report->predicted_of = "random keys";
    if (sim->n > 0 && sim->key->before == NULL && sim->algorithm != RIFFLE_SORT_ALGORITHM_K_PARTITION)
        report->exchanges = count_exchanges(sim, report);
}

static riffle_status run(const device *on, void *subject) {
    sort_simulation *const sim = subject;
    riffle_sort_plan *plan = NULL;
    riffle_status status = sort_plan_create(sim->n, sim->key, RIFFLE_ENGINE_CUDA, on, &sim->options, &plan);
    if (status == RIFFLE_OK) status = check_worst(sim);
    if (status == RIFFLE_OK) {
        sim->subject = sort_subject_of(plan);
        sim->subject.sorts_ties = &sim->sorts_ties;
        sim->algorithm = riffle_sort_plan_algorithm(plan);
        sim->results = sim->options.task == RIFFLE_SORT_TASK_TOP ? plan->segments * plan->count : sim->n;
        status = add_arrays(sim);
    }
    if (status == RIFFLE_OK) status = sort_here(sim);
    if (status == RIFFLE_OK) status = riffle_sort_execute(plan, &sim->got);
    if (status == RIFFLE_OK) status = check_results(sim);
    riffle_sort_plan_free(plan);
    return status;
}

riffle_status riffle_simulate_sort(uint64_t n, const riffle_sort_key *key, const riffle_sort_options *options,
                                   riffle_simulated_keys keys, const riffle_machine_options *machine_options,
                                   riffle_report **out) {
    RETURN_IF_NULL(key, out);
    if ((unsigned)keys > RIFFLE_SIMULATED_KEYS_WORST)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there are no simulated keys with number %d", (int)keys);
    sort_simulation sim = {
        .n = n, .key = key, .options = options != NULL ? *options : (riffle_sort_options){0}, .keys = keys};
    if (sim.options.segments == 0) sim.options.segments = 1;
    sim.options.callers_workspace = 0;
    const simulated how = {"sorts", SIMULATED_MULTIPROCESSORS, run, describe,
                           keys == RIFFLE_SIMULATED_KEYS_RANDOM ? sort_patterns : NULL};
    const riffle_status status = simulate(&how, &sim, machine_options, out);
    free((void *)(uintptr_t)sim.got.from_keys);
    free((void *)(uintptr_t)sim.got.from_values);
    free_results(&sim.got);
    free_results(&sim.wanted);
    return status;
}
