/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions as launches, on a GPU and on the memory machine.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "bits/gpu/predict.h"
#include "bits/kernels/kernel.h"
#include "bits/shuffle.h"
#include "device/carry.h"
#include "device/simulate/simulate.h"

/* The widest column that elements are whole numbers of, and begin at. */
static size_t column_of(const bit_shuffle *s) {
    const uintptr_t all = (uintptr_t)(s->to_planes ? s->src : s->dst) | s->width / 8 | 8;
    return (size_t)(all & -all);
}

static void append(const bit_shuffle *s, launch_list *out) {
    const size_t column = column_of(s), bytes = s->width / 8, plane = shuffle_plane_bytes(s);
    const uintptr_t planes = (uintptr_t)(s->to_planes ? s->dst : s->src);
    const uint64_t runs = BITS_RUNS(column), tiles = ceil_div(s->n, runs * BITS_RUN) * (bytes / column);
    const uintptr_t elements = (uintptr_t)(s->to_planes ? s->src : s->dst);
    const size_t apart = s->batch > 1 ? s->n * bytes : 0;
    const bits_table table = {.n = s->n,
                              .bytes = bytes,
                              .tiles = tiles,
                              .all = tiles * s->batch,
                              .is_big = s->is_big,
                              .by_words = (planes | plane) % sizeof(uint32_t) == 0,
                              .by_vectors = bytes == column && column < sizeof(uint64_t) &&
                                            (elements | apart) % BITS_VECTOR == 0};
    const struct bits_arguments arguments = {.table = table};
    launch *const work =
        append_bits(out, s->to_planes ? &KERNEL_bits_to_planes : &KERNEL_bits_to_elements, column, &arguments);
    launch_set(work, (unsigned)min(table.all, (uint64_t)INT32_MAX), BITS_THREADS, runs * BITS_RUN * column,
               s->dst, s->src);
}

static riffle_status check_width(const bit_shuffle *s) {
    if (s->width % 8 == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "elements of %zu bits; GPUs transpose those of whole bytes, so do it on the host", s->width);
}

static riffle_status queue(const device *on, const bit_shuffle *s, struct CUstream_st *stream) {
    launch_list list;
    launch_list_begin(&list);
    append(s, &list);
    return device_load_and_run(on, "a bit transposition", "launching a bit transposition", &list, stream);
}

static riffle_status queue_on_gpu(uint64_t n, uint64_t elem_bits, bool to_planes, void *dst, const void *src,
                                  const riffle_bits_options *options, struct CUstream_st *stream) {
    bit_shuffle s;
    device gpu;
    riffle_status status = shuffle_take(n, elem_bits, to_planes, dst, src, options, &s);
    if (status == RIFFLE_OK) status = check_width(&s);
    if (status == RIFFLE_OK) status = device_of_cuda(&gpu);
    return status == RIFFLE_OK && n > 0 ? queue(&gpu, &s, stream) : status;
}

riffle_status riffle_cuda_bitshuffle(uint64_t n, uint64_t elem_bits, void *planes, const void *elements,
                                     const riffle_bits_options *options, struct CUstream_st *stream) {
    return queue_on_gpu(n, elem_bits, true, planes, elements, options, stream);
}

riffle_status riffle_cuda_bitunshuffle(uint64_t n, uint64_t elem_bits, void *elements, const void *planes,
                                       const riffle_bits_options *options, struct CUstream_st *stream) {
    return queue_on_gpu(n, elem_bits, false, elements, planes, options, stream);
}

/* ------------------------------------------------------------ on the machine */

typedef struct simulation {
    bit_shuffle asked; /* between arrays of the host */
    const riffle_bits_options *options;
    const device *on;
} simulation;

static riffle_status shuffle_carried(const void *context, call_array *arrays) {
    const simulation *const sim = context;
    bit_shuffle s = sim->asked;
    s.src = arrays[SHUFFLE_SRC].there, s.dst = arrays[SHUFFLE_DST].there;
    return queue(sim->on, &s, NULL);
}

/* The host's result, beside the machine's. */
static riffle_status compare(const bit_shuffle *got, const riffle_bits_options *options) {
    const size_t bytes = shuffle_dst_bytes(got);
    void *const wanted = malloc(max(bytes, (size_t)1));
    if (wanted == NULL) return fail_memory("a bit transposition", bytes);
    riffle_status status = (got->to_planes ? riffle_bitshuffle : riffle_bitunshuffle)(
        got->n, got->width, wanted, got->src, options);
    if (status == RIFFLE_OK && memcmp(wanted, got->dst, bytes) != 0)
        status = fail(RIFFLE_ERROR_INTERNAL,
                      "the machine's bit transposition is not the host's; please report this");
    free(wanted);
    return status;
}

static riffle_status run(const device *on, void *subject) {
    simulation *const sim = subject;
    const bit_shuffle *const s = &sim->asked;
    call_array arrays[SHUFFLE_ARRAYS];
    shuffle_arrays(s, arrays);
    sim->on = on;
    if (s->n == 0) return RIFFLE_OK;
    const riffle_status status = device_carry(on, "a bit transposition of arrays of the host", arrays,
                                              SHUFFLE_ARRAYS, shuffle_carried, sim);
    return status == RIFFLE_OK ? compare(s, sim->options) : status;
}

static void describe(const void *subject, riffle_report *report) {
    const bit_shuffle *const s = &((const simulation *)subject)->asked;
    report->n = s->n * s->batch;
    report->algorithm = s->to_planes ? "bitshuffle" : "bitunshuffle";
}

static riffle_status simulate_one(uint64_t n, uint64_t elem_bits, bool to_planes, const void *src,
                                  const riffle_bits_options *options, const riffle_machine_options *machine,
                                  riffle_report **out) {
    static const simulated way = {"bit transpositions", SIMULATED_MULTIPROCESSORS, run, describe,
                                  bits_patterns};
    RETURN_IF_NULL(out);
    simulation sim = {.options = options};
    bit_shuffle *const asked = &sim.asked;
    riffle_status status = shuffle_describe(n, elem_bits, to_planes, options, asked);
    if (status == RIFFLE_OK) status = check_width(asked);
    if (status != RIFFLE_OK) return status;
    asked->src = src;
    asked->dst = malloc(max(shuffle_dst_bytes(asked), (size_t)1));
    if (asked->dst == NULL) return fail_memory("a bit transposition", shuffle_dst_bytes(asked));
    status = shuffle_check_arrays(asked);
    if (status == RIFFLE_OK) status = simulate(&way, &sim, machine, out);
    free(asked->dst);
    return status;
}

riffle_status riffle_simulate_bitshuffle(uint64_t n, uint64_t elem_bits, const void *elements,
                                         const riffle_bits_options *options,
                                         const riffle_machine_options *machine, riffle_report **out) {
    return simulate_one(n, elem_bits, true, elements, options, machine, out);
}

riffle_status riffle_simulate_bitunshuffle(uint64_t n, uint64_t elem_bits, const void *planes,
                                           const riffle_bits_options *options,
                                           const riffle_machine_options *machine, riffle_report **out) {
    return simulate_one(n, elem_bits, false, planes, options, machine, out);
}
