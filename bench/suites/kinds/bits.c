/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of bits, on the host and on a GPU: n is bytes, `way` bits of an element. A result is looked at bit by bit, in a sample.
 */
#include "riffle/bits.h"

#include <stdio.h>
#include <string.h>

#include "bench/data.h"
#include "bench/host.h"
#include "kinds/kinds.h"
#include "system/clock.h"

#ifdef BENCH_GPU
#include "gpu/timing.h"
#include "riffle/cuda.h"
#endif

typedef struct bits_move {
    uint64_t n, width, block; /* elements */
    bool to_planes;
    riffle_bits_options options;
    riffle_perm *perm; /* NULL: planes */
    riffle_bits_plan *plan;
} bits_move;

static riffle_status move_bits(const void *by, void *dst, const void *src) {
    const bits_move *const m = by;
    if (m->plan != NULL) return riffle_bits_execute(m->plan, dst, src);
    return (m->to_planes ? riffle_bitshuffle : riffle_bitunshuffle)(m->block, m->width, dst, src, &m->options);
}

static unsigned bit_at(const unsigned char *bytes, uint64_t place) { return bytes[place / 8] >> place % 8 & 1; }

/* Where in dst the bit of src is to go. */
static uint64_t destination(const bits_move *m, uint64_t place) {
    if (m->perm != NULL) return riffle_perm_at(m->perm, place / m->width) * m->width + place % m->width;
    const uint64_t array = place / (m->block * m->width), within = place % (m->block * m->width);
    const uint64_t low = m->to_planes ? m->width : m->block, high = m->to_planes ? m->block : m->width;
    return array * m->block * m->width + within % low * high + within / low;
}

static bool is_right(const bits_move *m, const unsigned char *dst, const unsigned char *src) {
    enum { SAMPLE = 1 << 16 };
    const uint64_t bits = m->n * m->width;
    for (uint64_t k = 0; k < SAMPLE; k++) {
        const uint64_t place = k * 0x9e3779b97f4a7c15 % bits;
        if (bit_at(dst, destination(m, place)) != bit_at(src, place)) return false;
    }
    return true;
}

static riffle_status prepare(const bench_row *row, const bench_settings *settings, bits_move *m,
                             bench_result *out) {
    const double began = seconds_now();
    *m = (bits_move){.n = row->n * 8 / row->way, .width = row->way};
    m->to_planes = strcmp(row->by, "bitshuffle") == 0;
    m->block = *(const uint64_t *)row->of > 0 ? *(const uint64_t *)row->of : m->n;
    m->options = (riffle_bits_options){
        .threads = settings->threads, .batch = m->n / m->block, .engine = settings->engine};
    out->threads = settings->threads;
    if (m->to_planes || strcmp(row->by, "bitunshuffle") == 0) return RIFFLE_OK;
    riffle_status status = riffle_perm_parse(row->by, m->n, &m->perm);
    if (status == RIFFLE_OK) status = riffle_bits_plan_create(m->perm, m->width, &m->options, &m->plan);
    out->plan_seconds = seconds_now() - began;
    return status;
}

static riffle_status measure(const bits_move *m, size_t bytes, unsigned repeat, unsigned char *dst,
                             unsigned char *src, bench_result *out) {
    const bench_host_mover mover = {move_bits, m};
    double seconds;
    bench_fill(src, bytes);
    memset(dst, BENCH_POISON, bytes);
    riffle_status status = bench_host_first(&mover, dst, src, &seconds);
    out->right = status == RIFFLE_OK && is_right(m, dst, src);
    if (out->right) status = bench_host_time(&mover, bytes, repeat, seconds, dst, src, out);
    return status;
}

static riffle_status on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const size_t bytes = bench_row_bytes(row);
    bits_move m;
    void *dst = NULL, *src = NULL;
    riffle_status status = prepare(row, settings, &m, out);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &dst);
    if (status == RIFFLE_OK) status = measure(&m, bytes, settings->repeat, dst, src, out);
    if (status != RIFFLE_OK) bench_fail(status, out);
    riffle_buffer_free(dst, bytes);
    riffle_buffer_free(src, bytes);
    riffle_bits_plan_free(m.plan);
    riffle_perm_free(m.perm);
    return status;
}

#ifdef BENCH_GPU
static riffle_status queue_bits(const void *by, void *dst, const void *src, cudaStream_t stream,
                                bench_result *out) {
    const bits_move *const m = by;
    const riffle_status status = m->plan != NULL
                                     ? riffle_cuda_bits_execute(m->plan, dst, src, NULL, 0, stream)
                                     : (m->to_planes ? riffle_cuda_bitshuffle : riffle_cuda_bitunshuffle)(
                                           m->block, m->width, dst, src, &m->options, stream);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

static riffle_status check_there(const bits_move *m, const cuda_mover *mover, cuda_arrays *arrays,
                                 bench_result *out) {
    void *src = NULL;
    riffle_status status = riffle_buffer_create(arrays->bytes, &src);
    if (status == RIFFLE_OK) status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, mover, out);
    if (status == RIFFLE_OK) status = cuda_arrays_fetch(arrays, out);
    if (status == RIFFLE_OK) bench_fill(src, arrays->bytes);
    out->right = status == RIFFLE_OK && is_right(m, arrays->host, src);
    riffle_buffer_free(src, arrays->bytes);
    return status;
}

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    enum { USUAL_REPEAT = 20 };
    bits_move m;
    cuda_arrays arrays;
    const cuda_mover mover = {queue_bits, &m};
    riffle_status status = prepare(row, settings, &m, out);
    if (status == RIFFLE_OK) {
        status = cuda_arrays_create(row, &arrays, out);
        if (status == RIFFLE_OK) status = check_there(&m, &mover, &arrays, out);
        if (status == RIFFLE_OK && out->right)
            status =
                bench_cuda_time(&mover, settings->repeat > 0 ? settings->repeat : USUAL_REPEAT, &arrays, out);
        cuda_arrays_free(&arrays);
    } else {
        bench_fail(status, out);
    }
    riffle_bits_plan_free(m.plan);
    riffle_perm_free(m.perm);
    return status;
}
#endif

static const char *algorithm(const bench_row *row) {
    (void)row;
    return "bits";
}

static void name(const bench_row *row, char *by, size_t capacity) {
    const uint64_t block = *(const uint64_t *)row->of;
    if (block > 0)
        snprintf(by, capacity, "%s of %u bits, by %llu", row->by, row->way, (unsigned long long)block);
    else
        snprintf(by, capacity, "%s of %u bits", row->by, row->way);
}

static void json_row(const bench_row *row) {
    printf(", \"elem_bits\": %u, \"block\": %llu", row->way, (unsigned long long)*(const uint64_t *)row->of);
}

const bench_kind bench_bits = {.on_host = on_host,
                               .on_gpu = BENCH_GPU_HALF(on_gpu),
                               .algorithm = algorithm,
                               .name = name,
                               .json_row = json_row};
