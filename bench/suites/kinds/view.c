/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_copy_strided and riffle_cuda_copy_strided, beside copies of as many bytes as they write. Elements that look random are compared,
 * on a GPU 2^20.
 */
#include "kinds/kinds.h"

#include <string.h>

#include "axes/view.h"
#include "bench/data.h"
#include "bench/host.h"
#include "bench/word.h"

typedef struct view_call {
    bench_view view;
    size_t elem_bytes;
    riffle_call_options options; /* for the host */
} view_call;

static riffle_status copy(const void *by, void *dst, const void *src) {
    const view_call *const c = by;
    const bench_view *const v = &c->view;
    return riffle_copy_strided(v->rank, v->shape, c->elem_bytes, (char *)dst + v->dst.first * c->elem_bytes,
                               v->dst.strides, (const char *)src + v->src.first * c->elem_bytes, v->src.strides,
                               &c->options);
}

static bool is_right_here(const view_call *c, const unsigned char *dst) {
    enum { LOOKS = 4096 };
    const uint64_t n = bench_view_length(&c->view);
    for (uint64_t k = 0; k < LOOKS; ++k) {
        const uint64_t element = bench_hash(k) % n;
        const uint64_t at = bench_view_at(&c->view, &c->view.dst, element),
                       from = bench_view_at(&c->view, &c->view.src, element);
        if (!bench_is_filled(dst + at * c->elem_bytes, from * c->elem_bytes, c->elem_bytes)) return false;
    }
    return true;
}

static riffle_status time_copy(const view_call *c, const bench_row *row, const bench_settings *settings,
                               void *dst, void *src, bench_result *out) {
    const bench_host_mover mover = {copy, c};
    double seconds;
    bench_fill(src, c->view.src.span * c->elem_bytes);
    memset(dst, BENCH_POISON, c->view.dst.span * c->elem_bytes);
    const riffle_status status = bench_host_first(&mover, dst, src, &seconds);
    if (status != RIFFLE_OK) return status;
    out->right = is_right_here(c, dst);
    return bench_host_time(&mover, row->n * row->elem_bytes, settings->repeat, seconds, dst, src, out);
}

static riffle_status on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    const unsigned threads = row->threads > 0 ? row->threads : settings->threads;
    view_call c = {.elem_bytes = row->elem_bytes, .options = {.threads = threads}};
    void *dst = NULL, *src = NULL;
    if (!bench_view_read(row->by, &c.view)) return RIFFLE_ERROR_INTERNAL;
    *out = (bench_result){.algorithm = RIFFLE_ALGORITHM_AXES, .threads = threads};
    const size_t from = c.view.src.span * c.elem_bytes, to = c.view.dst.span * c.elem_bytes;
    riffle_status status = riffle_buffer_create(from, &src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(to, &dst);
    if (status == RIFFLE_OK) status = time_copy(&c, row, settings, dst, src, out);
    riffle_buffer_free(dst, to);
    riffle_buffer_free(src, from);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

#ifdef BENCH_GPU
#include <stdlib.h>

#include "gpu/timing.h"
#include "riffle/cuda.h"

enum { SAMPLE = 1 << 20, USUAL_REPEAT = 20 };

static riffle_status queue_copy(const void *by, void *dst, const void *src, cudaStream_t stream,
                                bench_result *out) {
    const view_call *const c = by;
    const bench_view *const v = &c->view;
    char *const to = (char *)dst + v->dst.first * c->elem_bytes;
    const char *const from = (const char *)src + v->src.first * c->elem_bytes;
    const riffle_status status = riffle_cuda_copy_strided(v->rank, v->shape, c->elem_bytes, to, v->dst.strides,
                                                          from, v->src.strides, stream);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

/* Places of the sample in dst's memory, and what must be there. */
typedef struct sample {
    uint64_t at[SAMPLE], from[SAMPLE];
    unsigned char picked[];
} sample;

static void choose(const view_call *c, sample *s) {
    const uint64_t n = bench_view_length(&c->view);
    for (uint64_t k = 0; k < SAMPLE; ++k) {
        const uint64_t element = bench_hash(k) % n;
        s->at[k] = bench_view_at(&c->view, &c->view.dst, element);
        s->from[k] = bench_view_at(&c->view, &c->view.src, element);
    }
}

static bool is_right(const view_call *c, const sample *s) {
    for (size_t k = 0; k < SAMPLE; ++k)
        if (!bench_is_filled(s->picked + k * c->elem_bytes, s->from[k] * c->elem_bytes, c->elem_bytes))
            return false;
    return true;
}

static riffle_status check(const view_call *c, const cuda_mover *mover, cuda_arrays *arrays,
                           bench_result *out) {
    sample *const s = malloc(sizeof *s + SAMPLE * c->elem_bytes);
    if (s == NULL) return RIFFLE_ERROR_OUT_OF_MEMORY;
    riffle_status status = cuda_arrays_prepare(arrays, out);
    if (status == RIFFLE_OK) status = cuda_arrays_move(arrays, mover, out);
    choose(c, s);
    if (status == RIFFLE_OK) status = cuda_arrays_pick(arrays, c->elem_bytes, SAMPLE, s->at, s->picked, out);
    if (status == RIFFLE_OK) out->right = is_right(c, s);
    free(s);
    return status;
}

static riffle_status on_gpu(const bench_row *row, const bench_settings *settings, bench_result *out) {
    view_call c = {.elem_bytes = row->elem_bytes};
    if (!bench_view_read(row->by, &c.view)) return RIFFLE_ERROR_INTERNAL;
    const cuda_mover mover = {queue_copy, &c};
    const uint64_t a = c.view.src.span, b = c.view.dst.span;
    bench_row held = *row;
    cuda_arrays arrays;
    held.n = a > b ? a : b;
    riffle_status status = cuda_arrays_create(&held, &arrays, out);
    arrays.copied = row->n * row->elem_bytes;
    if (status == RIFFLE_OK) status = check(&c, &mover, &arrays, out);
    if (status == RIFFLE_OK && out->right)
        status = bench_cuda_time(&mover, settings->repeat > 0 ? settings->repeat : USUAL_REPEAT, &arrays, out);
    cuda_arrays_free(&arrays);
    return status;
}
#endif

const bench_kind bench_views = {.on_host = on_host, .on_gpu = BENCH_GPU_HALF(on_gpu)};
