/* SPDX-License-Identifier: Apache-2.0
 *
 * Histograms as launches, on a GPU and on the memory machine.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "device/carry.h"
#include "device/simulate/simulate.h"
#include "histogram/histogram.h"
#include "histogram/kernels/kernel.h"
#include "histogram/predict.h"

void histogram_append(const histogram *h, const device_limits *limits, launch_list *out) {
    launch_append_fill(out, h->counts, 0, histogram_size(h->key_bytes) * sizeof *h->counts);
    if (h->n == 0) return;
    const struct histogram_arguments arguments = {.n = h->n, .counts = h->counts};
    const uint64_t words = h->n * h->key_bytes / HISTOGRAM_WORD_BYTES + 1;
    const uint64_t blocks = ceil_div(words, (uint64_t)HISTOGRAM_THREADS);
    launch *const work = append_histogram(
        out, h->key_bytes == 1 ? &KERNEL_histogram_bytes : &KERNEL_histogram_pairs, h->key_bytes, &arguments);
    launch_between(work, NULL, h->keys);
    work->grid = (unsigned)min(blocks, (uint64_t)HISTOGRAM_BLOCKS * limits->multiprocessors);
    work->block_x = HISTOGRAM_THREADS;
    if (h->key_bytes == 1) work->shared_bytes = HISTOGRAM_SHARED_BYTES;
}

static riffle_status queue(const device *on, const histogram *h, struct CUstream_st *stream) {
    device_limits limits;
    launch_list list;
    const riffle_status status = on->ops->describe(on, &limits);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    histogram_append(h, &limits, &list);
    return device_load_and_run(on, "a histogram", "launching a histogram", &list, stream);
}

riffle_status riffle_cuda_histogram(uint64_t n, size_t key_bytes, const void *keys, uint64_t *counts,
                                    struct CUstream_st *stream) {
    const histogram h = {n, key_bytes, keys, counts};
    device gpu;
    riffle_status status = histogram_check(&h);
    if (status == RIFFLE_OK) status = device_of_cuda(&gpu);
    return status == RIFFLE_OK ? queue(&gpu, &h, stream) : status;
}

/* ------------------------------------------------------------ on the machine */

typedef struct simulation {
    histogram asked; /* between arrays of the host; the first member, which the patterns take */
    const device *on;
} simulation;

static riffle_status count_carried(const void *context, call_array *arrays) {
    const simulation *const sim = context;
    const histogram h = {sim->asked.n, sim->asked.key_bytes, arrays[HISTOGRAM_KEYS].there,
                         arrays[HISTOGRAM_COUNTS].there};
    return queue(sim->on, &h, NULL);
}

static riffle_status compare(const histogram *got) {
    const size_t size = histogram_size(got->key_bytes);
    uint64_t *const wanted = malloc(size * sizeof *wanted);
    if (wanted == NULL) return fail_memory("the counts of a histogram", size * sizeof *wanted);
    riffle_status status = riffle_histogram(got->n, got->key_bytes, got->keys, wanted, NULL);
    if (status == RIFFLE_OK && memcmp(wanted, got->counts, size * sizeof *wanted) != 0)
        status =
            fail(RIFFLE_ERROR_INTERNAL, "the histogram is not what the definition says; please report this");
    free(wanted);
    return status;
}

static riffle_status run(const device *on, void *subject) {
    simulation *const sim = subject;
    call_array arrays[HISTOGRAM_ARRAYS];
    histogram_arrays(&sim->asked, arrays);
    sim->on = on;
    const riffle_status status =
        device_carry(on, "a histogram of arrays of the host", arrays, HISTOGRAM_ARRAYS, count_carried, sim);
    return status == RIFFLE_OK ? compare(&sim->asked) : status;
}

static void describe(const void *subject, riffle_report *report) {
    report->n = ((const simulation *)subject)->asked.n;
    report->algorithm = "histogram";
}

riffle_status riffle_simulate_histogram(uint64_t n, size_t key_bytes, const void *keys,
                                        const riffle_machine_options *options, riffle_report **out) {
    static const simulated way = {"histograms", SIMULATED_MULTIPROCESSORS, run, describe, histogram_patterns};
    RETURN_IF_NULL(out);
    simulation sim = {.asked = {n, key_bytes, keys, calloc(histogram_size(2), sizeof(uint64_t))}};
    if (sim.asked.counts == NULL)
        return fail_memory("the counts of a histogram", histogram_size(2) * sizeof(uint64_t));
    riffle_status status = histogram_check(&sim.asked);
    if (status == RIFFLE_OK) status = simulate(&way, &sim, options, out);
    free(sim.asked.counts);
    return status;
}
