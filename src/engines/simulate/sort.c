/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_simulate_sort: keys are made, sorted or merged on a machine, and compared with those sorted by the host.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "engines/simulate/merge.h"
#include "machine/count/report.h"
#include "models/io_bounds.h"
#include "sort/worst_pairs.h"

enum { WARP = 32, SECTOR_BYTES = 32, CACHE_BLOCKS = 64 /* that a warp holds in registers */ };

typedef struct sort_simulation {
    merge_job job;
    riffle_sort_keys keys;
    machine *m;
    unsigned char *from, *to;
    uint32_t *places;
    uint64_t *first;
} sort_simulation;

/* ----------------------------------------------------------------- requests */

static riffle_status check_width(const riffle_machine_options *options) {
    if (options->width == WARP && options->block_threads >= MERGE_THREADS) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "sorts' kernels exchange keys within warps of %d, in blocks of %d; this machine has width %u "
                "and blocks of %u "
                "threads",
                WARP, MERGE_THREADS, options->width, options->block_threads);
}

static riffle_status check_algorithm(size_t key_bytes, const riffle_sort_options *options) {
    if (options->algorithm == RIFFLE_SORT_AUTO || options->algorithm == RIFFLE_SORT_TWO_PHASE) return RIFFLE_OK;
    if (options->algorithm != RIFFLE_SORT_PAIRWISE)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "the machine sorts by two-phase and pairwise, and not by %s",
                    riffle_sort_algorithm_string(options->algorithm));
    if (key_bytes == 16 || options->index_bytes != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "merge path is for keys of 4 and 8 bytes, without indices");
    return RIFFLE_OK;
}

static riffle_status check_request(uint64_t n, size_t key_bytes, const riffle_sort_options *options) {
    if (key_bytes != 4 && key_bytes != 8 && key_bytes != 16)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "keys of %zu bytes; the machine sorts those of 4, 8 and 16",
                    key_bytes);
    if (n > MERGE_MOST_KEYS)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " keys; there are at most %" PRIu64, n, MERGE_MOST_KEYS);
    if (options->task != RIFFLE_SORT_ALL && options->task != RIFFLE_SORT_MERGE)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "the machine sorts all keys, or merges; it has no other task");
    if (options->value_bytes != 0 || options->index_bytes == 8)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "the machine sorts keys alone, or with indices of 4 bytes");
    if (options->task == RIFFLE_SORT_ALL && options->segments > 1)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "the machine sorts one array at a time");
    if (options->task == RIFFLE_SORT_MERGE && (options->segments == 0 || n % options->segments != 0))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%" PRIu64 " keys are no %" PRIu64 " streams of as many", n,
                    options->segments);
    return check_algorithm(key_bytes, options);
}

static const worst_pairs worst_merge = {WARP, MERGE_PAIR_EACH, MERGE_PAIR_THREADS / WARP};

static riffle_status check_worst(uint64_t n, const riffle_sort_options *options) {
    const uint64_t streams = options->task == RIFFLE_SORT_MERGE ? options->segments : 0;
    if (streams != 0 && (streams & (streams - 1)) == 0 && n % (streams * worst_pairs_part(&worst_merge)) == 0)
        return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "the worst keys are those of a merge of 2, 4, 8, ... streams of a multiple of %" PRIu64
                " keys each",
                worst_pairs_part(&worst_merge));
}

/* --------------------------------------------------------------------- keys */

static uint64_t mixed(uint64_t k) {
    uint64_t word = (k + 1) * UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return word ^ word >> 29;
}

static int compare_4(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}
static int compare_8(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}
static int compare_16(const void *a, const void *b) {
    const uint64_t *const x = a, *const y = b; /* the lower half first */
    const int upper = compare_8(x + 1, y + 1);
    return upper != 0 ? upper : compare_8(x, y);
}

static void sort_keys(const merge_job *job, unsigned char *keys, uint64_t count) {
    qsort(keys, (size_t)count, job->key_bytes,
          job->key_bytes == 4   ? compare_4
          : job->key_bytes == 8 ? compare_8
                                : compare_16);
}

static void fill_random(sort_simulation *sim) {
    const merge_job *const job = &sim->job;
    for (size_t k = 0; k < (size_t)job->n * job->key_bytes; k += 4) {
        const uint32_t word = (uint32_t)mixed(k);
        memcpy(sim->from + k, &word, sizeof word);
    }
    for (uint64_t s = 0; !job->is_sort && s < job->streams; s++)
        sort_keys(job, sim->from + sim->first[s] * job->key_bytes, sim->first[s + 1] - sim->first[s]);
}

static riffle_status fill_worst(sort_simulation *sim) {
    const merge_job *const job = &sim->job;
    uint32_t *const numbers = (uint32_t *)(void *)sim->to; /* poisoned later */
    const riffle_status status = worst_pairs_streams(&worst_merge, job->n, job->streams, numbers);
    memset(sim->from, 0, (size_t)job->n * job->key_bytes);
    for (uint64_t i = 0; status == RIFFLE_OK && i < job->n; i++)
        memcpy(sim->from + i * job->key_bytes, &numbers[i], sizeof *numbers);
    return status;
}

static riffle_status fill(sort_simulation *sim) {
    const merge_job *const job = &sim->job;
    const size_t bytes = (size_t)job->n * job->key_bytes;
    sim->from = malloc(bytes + 1);
    sim->to = malloc(bytes + 1);
    sim->places = malloc((size_t)job->n * sizeof *sim->places + 1);
    sim->first = malloc((size_t)(job->streams + 1) * sizeof *sim->first);
    if (sim->from == NULL || sim->to == NULL || sim->places == NULL || sim->first == NULL)
        return fail_memory("simulated keys", 3 * bytes);
    for (uint64_t s = 0; s <= job->streams; s++)
        sim->first[s] = job->streams > 0 ? job->n / job->streams * s : 0;
    if (sim->keys == RIFFLE_SORT_KEYS_WORST) return fill_worst(sim);
    fill_random(sim);
    return RIFFLE_OK;
}

/* Places are right if they name equal keys, each place once, those of equal keys in order. */
static bool has_right_places(const sort_simulation *sim) {
    const merge_job *const job = &sim->job;
    const size_t unit = job->key_bytes;
    for (uint64_t i = 0; i < job->n; i++) {
        const uint32_t place = sim->places[i];
        if (place >= job->n || memcmp(sim->from + place * unit, sim->to + i * unit, unit) != 0) return false;
        if (i > 0 && memcmp(sim->to + i * unit, sim->to + (i - 1) * unit, unit) == 0 &&
            place <= sim->places[i - 1])
            return false;
    }
    return true;
}

static riffle_status check_result(sort_simulation *sim) {
    const merge_job *const job = &sim->job;
    const bool has_places = !job->is_placed || has_right_places(sim);
    sort_keys(job, sim->from, job->n);
    if (has_places && memcmp(sim->from, sim->to, (size_t)job->n * job->key_bytes) == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INTERNAL, "keys are not in order; please report this");
}

/* ----------------------------------------------------------------- exchanges */

static report_exchanges count_exchanges(const riffle_report *report, const merge_job *job) {
    const double block_bytes =
        (double)merge_block_keys(job->key_bytes) * (job->key_bytes + (job->is_placed ? 4 : 0));
    const io_machine model = {
        .processors = 1, .block = merge_block_keys(job->key_bytes), .cache_blocks = CACHE_BLOCKS};
    uint64_t moved[OPS] = {0}, searches = 0;
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->space != SPACE_GLOBAL) continue;
        *(strcmp(line->kernel, "merge_split") == 0 ? &searches : &moved[line->op]) += line->requests;
    }
    const uint64_t most = moved[OP_READ] > moved[OP_WRITE] ? moved[OP_READ] : moved[OP_WRITE];
    const double n = (double)job->n, block = model.block;
    return (report_exchanges){.block = merge_block_keys(job->key_bytes),
                              .cache_blocks = CACHE_BLOCKS,
                              .counted = (double)(most * SECTOR_BYTES) / block_bytes,
                              .searches = (double)(searches * SECTOR_BYTES) / block_bytes,
                              .sorting = job->is_sort ? io_bound_sorting(n, model) : 0,
                              .permuting = job->is_sort ? io_bound_permutation(n, model) : n / block};
}

static riffle_status simulate(sort_simulation *sim, riffle_report **out) {
    riffle_status status = check_width(machine_options(sim->m));
    if (status == RIFFLE_OK) status = fill(sim);
    if (status != RIFFLE_OK) return status;
    memset(sim->to, 0x5a, (size_t)sim->job.n * sim->job.key_bytes);
    const merge_arrays arrays = {
        .keys = sim->to, .places = sim->places, .from_keys = sim->from, .first = sim->first};
    status = simulate_merge(sim->m, &sim->job, &arrays, 0);
    if (status == RIFFLE_OK) status = check_result(sim);
    if (status != RIFFLE_OK) return status;
    *out = machine_take_report(sim->m);
    (*out)->n = sim->job.n;
    (*out)->algorithm =
        riffle_sort_algorithm_string(sim->job.is_pairwise ? RIFFLE_SORT_PAIRWISE : RIFFLE_SORT_TWO_PHASE);
    if (sim->job.n > 0) (*out)->exchanges = count_exchanges(*out, &sim->job);
    return RIFFLE_OK;
}

riffle_status riffle_simulate_sort(uint64_t n, size_t key_bytes, const riffle_sort_options *options,
                                   riffle_sort_keys keys, const riffle_machine_options *machine_options,
                                   riffle_report **out) {
    const riffle_sort_options defaults = {0};
    if (options == NULL) options = &defaults;
    riffle_status status = check_request(n, key_bytes, options);
    if (status == RIFFLE_OK && keys == RIFFLE_SORT_KEYS_WORST) status = check_worst(n, options);
    if (status != RIFFLE_OK) return status;
    const bool is_sort = options->task == RIFFLE_SORT_ALL;
    sort_simulation sim = {.job = {.n = n,
                                   .streams = is_sort ? 0 : options->segments,
                                   .key_bytes = (uint32_t)key_bytes,
                                   .is_placed = options->index_bytes != 0,
                                   .is_sort = is_sort,
                                   .is_pairwise = options->algorithm == RIFFLE_SORT_PAIRWISE},
                           .keys = keys};
    status = machine_create(machine_options, &sim.m);
    if (status != RIFFLE_OK) return status;
    status = simulate(&sim, out);
    free(sim.from);
    free(sim.to);
    free(sim.places);
    free(sim.first);
    machine_free(sim.m);
    return status;
}
