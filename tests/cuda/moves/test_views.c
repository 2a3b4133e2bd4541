/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_cuda_copy_strided against the plain definition, and large views against riffle_copy_strided.
 */
#include "test_views.h"

#include <stdlib.h>
#include <string.h>

#include "../../support/view_support.h"
#include "../check.h"
#include "riffle/cuda.h"

enum { MARGIN = 64 }; /* bytes before and behind an array that must stay as they are */

/* A pair of views with its arrays on both sides; dst has margins, and both begin anywhere that their elements allow. */
typedef struct view_arrays {
    view_pair v;
    size_t src_bytes, dst_bytes, src_shift, dst_shift;
    unsigned char *src, *dst, *expected;
    unsigned char *device_src, *device_dst;
} view_arrays;

static bool create(rng *r, const view_pair *v, view_arrays *out) {
    const size_t low = v->elem_bytes & (~v->elem_bytes + 1), unit = low < 16 ? low : 16;
    *out = (view_arrays){.v = *v};
    out->src_shift = (size_t)rng_below(r, 17) * unit % 256;
    out->dst_shift = MARGIN + (size_t)rng_below(r, 17) * unit % 256;
    if (rng_below(r, 2) == 0) out->src_shift = 0, out->dst_shift = MARGIN;
    out->src_bytes = out->src_shift + (size_t)v->src_elements * v->elem_bytes;
    out->dst_bytes = out->dst_shift + (size_t)v->dst_elements * v->elem_bytes + MARGIN;
    out->src = malloc(out->src_bytes + 8);
    out->dst = malloc(out->dst_bytes);
    out->expected = malloc(out->dst_bytes);
    void *device_src = NULL, *device_dst = NULL;
    const cudaError_t error = cudaMalloc(&device_src, out->src_bytes + 1);
    const bool made = error == cudaSuccess && cudaMalloc(&device_dst, out->dst_bytes) == cudaSuccess;
    out->device_src = device_src, out->device_dst = device_dst;
    return check(made && out->src != NULL && out->dst != NULL && out->expected != NULL, "arrays for views");
}

static void destroy(view_arrays *a) {
    cudaFree(a->device_src);
    cudaFree(a->device_dst);
    free(a->src);
    free(a->dst);
    free(a->expected);
}

/* Fresh bytes in src, the same fresh bytes in dst on both sides. */
static bool renew(rng *r, view_arrays *a) {
    for (size_t k = 0; k < a->src_bytes; k += 8) {
        const uint64_t word = rng_next(r);
        memcpy(a->src + k, &word, 8);
    }
    memset(a->expected, (int)rng_below(r, 256), a->dst_bytes);
    cudaError_t error = cudaMemcpy(a->device_src, a->src, a->src_bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error = cudaMemcpy(a->device_dst, a->expected, a->dst_bytes, cudaMemcpyHostToDevice);
    return check_cuda(error, "renewing views");
}

static riffle_status copy_on_device(const view_arrays *a, cudaStream_t stream) {
    const view_pair *const v = &a->v;
    return riffle_cuda_copy_strided(
        v->rank, v->shape, v->elem_bytes, a->device_dst + a->dst_shift + (size_t)v->dst_at * v->elem_bytes,
        v->dst_strides, a->device_src + a->src_shift + (size_t)v->src_at * v->elem_bytes, v->src_strides,
        stream);
}

/* All of dst's allocation is as expected. */
static void compare(view_arrays *a, uint64_t seed, const char *what) {
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaMemcpy(a->dst, a->device_dst, a->dst_bytes, cudaMemcpyDeviceToHost);
    if (!check_cuda(error, what)) return;
    if (!check(memcmp(a->dst, a->expected, a->dst_bytes) == 0, "%s: not as the definition says", what))
        print_view_pair(&a->v, seed);
}

static void test_random(rng *r, uint64_t most) {
    const uint64_t seed = r->state;
    const view_pair v = random_view_pair(r, most);
    view_arrays a;
    if (create(r, &v, &a) && renew(r, &a)) {
        copy_plainly(&v, a.expected + a.dst_shift, a.src + a.src_shift);
        if (check(copy_on_device(&a, NULL) == RIFFLE_OK, "a random view was refused"))
            compare(&a, seed, "a random view");
    }
    destroy(&a);
}

/* Shapes that programs have, by the host twin. */
static void test_named(rng *r, const char *what, view_pair v) {
    view_arrays a;
    v.count = 1;
    for (unsigned k = 0; k < v.rank; k++) v.count *= v.shape[k];
    place(&v, v.dst_strides, &v.dst_elements, &v.dst_at);
    place(&v, v.src_strides, &v.src_elements, &v.src_at);
    if (create(r, &v, &a) && renew(r, &a)) {
        const riffle_status status = riffle_copy_strided(
            v.rank, v.shape, v.elem_bytes, a.expected + a.dst_shift + (size_t)v.dst_at * v.elem_bytes,
            v.dst_strides, a.src + a.src_shift + (size_t)v.src_at * v.elem_bytes, v.src_strides, NULL);
        if (check(status == RIFFLE_OK && copy_on_device(&a, NULL) == RIFFLE_OK, "%s: refused", what))
            compare(&a, 0, what);
    }
    destroy(&a);
}

static void test_shapes(rng *r, size_t elem_bytes) {
    test_named(r, "a box of a matrix",
               (view_pair){2, elem_bytes, {999, 1001}, 0, {1001, 1}, {2048, 1}, 0, 0, 0, 0});
    test_named(r, "into a box", (view_pair){2, elem_bytes, {999, 1001}, 0, {2048, 1}, {1001, 1}, 0, 0, 0, 0});
    test_named(r, "flipped rows",
               (view_pair){2, elem_bytes, {999, 1001}, 0, {1001, 1}, {1001, -1}, 0, 0, 0, 0});
    test_named(r, "a flipped transpose",
               (view_pair){2, elem_bytes, {999, 1001}, 0, {1001, 1}, {-1, 999}, 0, 0, 0, 0});
    test_named(r, "a row repeated", (view_pair){2, elem_bytes, {999, 1001}, 0, {1001, 1}, {0, 1}, 0, 0, 0, 0});
    test_named(r, "a column repeated",
               (view_pair){2, elem_bytes, {999, 1001}, 0, {1001, 1}, {1, 0}, 0, 0, 0, 0});
    test_named(r, "an element repeated",
               (view_pair){2, elem_bytes, {999, 1001}, 0, {1001, 1}, {0, 0}, 0, 0, 0, 0});
    test_named(r, "every second", (view_pair){1, elem_bytes, {1000001}, 0, {1}, {2}, 0, 0, 0, 0});
    test_named(r, "onto every second", (view_pair){1, elem_bytes, {1000001}, 0, {2}, {1}, 0, 0, 0, 0});
    test_named(r, "windows",
               (view_pair){3, elem_bytes, {300, 500, 5}, 0, {2500, 5, 1}, {504, 1, 1}, 0, 0, 0, 0});
    test_named(r, "channels last of a crop",
               (view_pair){3, elem_bytes, {401, 403, 3}, 0, {1209, 3, 1}, {512, 1, 262144}, 0, 0, 0, 0});
    test_named(r, "the whole", (view_pair){2, elem_bytes, {999, 1001}, 0, {1001, 1}, {1001, 1}, 0, 0, 0, 0});
}

/* Captured before anything like it ran; the graph copies what src holds when it is launched. */
static void test_capture(rng *r) {
    const view_pair v = {2, 4, {301, 203}, 301 * 203, {203, 1}, {-1, 301}, 301 * 203, 0, 301 * 203, 300};
    view_arrays a;
    cudaStream_t stream = NULL;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    if (create(r, &v, &a) &&
        check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream") &&
        check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "a capture")) {
        check(copy_on_device(&a, stream) == RIFFLE_OK, "a view in a capture");
        if (check_cuda(cudaStreamEndCapture(stream, &graph), "the end of a capture"))
            check_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph");
    }
    for (unsigned k = 0; ready != NULL && k < 3 && renew(r, &a); k++) {
        copy_plainly(&v, a.expected + a.dst_shift, a.src + a.src_shift);
        check_cuda(cudaGraphLaunch(ready, stream), "launching a graph");
        check_cuda(cudaStreamSynchronize(stream), "a graph");
        compare(&a, 0, "a captured view");
    }
    if (ready != NULL) cudaGraphExecDestroy(ready);
    if (graph != NULL) cudaGraphDestroy(graph);
    if (stream != NULL) cudaStreamDestroy(stream);
    destroy(&a);
}

static void test_refusals(rng *r) {
    const view_pair v = {2, 4, {30, 20}, 600, {20, 1}, {20, 1}, 600, 0, 600, 0};
    const uint64_t *const shape = v.shape;
    const int64_t *const rows = v.dst_strides;
    view_arrays a;
    if (create(r, &v, &a) && renew(r, &a)) {
        unsigned char *const dst = a.device_dst + MARGIN, *const src = a.device_src;
        check_refused(riffle_cuda_copy_strided(2, shape, 4, dst + 1, rows, src, rows, NULL),
                      RIFFLE_ERROR_INVALID_ARGUMENT,
                      "dst is not aligned to 4 bytes, which elements of 4 bytes want",
                      "dst off its elements' alignment");
        check_refused(riffle_cuda_copy_strided(2, shape, 2, dst, rows, src + 1, rows, NULL),
                      RIFFLE_ERROR_INVALID_ARGUMENT, "src is not aligned to 2 bytes", "src off its alignment");
        check_refused(riffle_cuda_copy_strided(2, shape, 4, NULL, rows, src, rows, NULL),
                      RIFFLE_ERROR_INVALID_ARGUMENT, "dst is NULL", "no dst");
        check_refused(riffle_cuda_copy_strided(2, shape, 4, dst, (int64_t[]){19, 1}, src, rows, NULL),
                      RIFFLE_ERROR_INVALID_ARGUMENT, "[1, 0] and [0, 19] are the same element",
                      "dst that overlaps");
        check_refused(riffle_cuda_copy_strided(2, shape, 4, dst, rows, dst + 40, rows, NULL),
                      RIFFLE_ERROR_INVALID_ARGUMENT, "dst and src share memory", "dst and src that overlap");
        compare(&a, 0, "refused views");
    }
    destroy(&a);
}

void test_views(bool small) {
    rng r = {check_random()};
    test_capture(&r);
    for (unsigned round = 0; round < (small ? 200 : 3000); round++) test_random(&r, 1 << 14);
    for (unsigned round = 0; round < (small ? 5 : 300); round++) test_random(&r, 1 << 20);
    for (size_t elem_bytes = 1; !small && elem_bytes <= 16; elem_bytes *= 2) test_shapes(&r, elem_bytes);
    if (!small) test_shapes(&r, 6), test_shapes(&r, 12), test_shapes(&r, 36);
    test_refusals(&r);
}
