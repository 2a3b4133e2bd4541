/* SPDX-License-Identifier: Apache-2.0
 *
 * Scatter and gather of elements of any length on the GPU, from device pointers that are aligned to no more
 * than the elements are; and of arrays beyond 4 GiB, where the card holds them.
 */
#include "test_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "riffle/cuda.h"

enum { WORD_BYTES = 16, LEFT_ALONE = 0x3c };

typedef struct rows_case {
    uint64_t n;
    size_t elem_bytes;
    riffle_algorithm algorithm;
    uint64_t batch, stride;
    size_t src_offset, dst_offset; /* offsets of the arrays from a multiple of 256 bytes, in bytes */
} rows_case;

static size_t unit_of(size_t elem_bytes) {
    const size_t unit = elem_bytes & (~elem_bytes + 1);
    return unit < WORD_BYTES ? unit : WORD_BYTES;
}

static size_t span_of(const rows_case *c) { return ((c->batch - 1) * c->stride + c->n) * c->elem_bytes; }

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Each array of the batch is as the definition says, and between them all is as it was. */
static bool batch_moved(const rows_case *c, const riffle_perm *perm, const unsigned char *dst,
                        const unsigned char *src) {
    const size_t step = c->stride * c->elem_bytes, bytes = c->n * c->elem_bytes;
    for (uint64_t k = 0; k < c->batch; k++) {
        if (!is_moved(perm, c->elem_bytes, dst + k * step, src + k * step)) return false;
        for (size_t i = bytes; k + 1 < c->batch && i < step; i++)
            if (dst[k * step + i] != LEFT_ALONE) return false;
    }
    return true;
}

/* The arrays as they look from the offsets on; what lies before dst is made a guard, too. */
static check_arrays shifted_arrays(const rows_case *c, const check_arrays *arrays) {
    check_arrays out = *arrays;
    cudaError_t error =
        cudaMemcpy(arrays->device_dst, arrays->guarded, c->dst_offset, cudaMemcpyDeviceToDevice);
    out.bytes = span_of(c);
    out.src += c->src_offset;
    out.device_src += c->src_offset;
    out.guarded += c->dst_offset;
    out.device_dst += c->dst_offset;
    if (error == cudaSuccess) error = cudaMemset(out.device_dst, LEFT_ALONE, arrays->bytes - c->dst_offset);
    if (error == cudaSuccess)
        error = cudaMemcpy(out.device_dst + out.bytes, arrays->guarded,
                           arrays->bytes - c->dst_offset - out.bytes, cudaMemcpyDeviceToDevice);
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    check_cuda(error, "shifting the arrays");
    return out;
}

static void run_plan(const rows_case *c, const riffle_perm *perm, const riffle_plan *plan, const char *what) {
    check_arrays arrays;
    if (arrays_create(span_of(c) + larger(c->src_offset, c->dst_offset), &arrays)) {
        check_arrays shifted = shifted_arrays(c, &arrays);
        const riffle_status status =
            riffle_cuda_execute(plan, shifted.device_dst, shifted.device_src, NULL, 0, NULL);
        if (check(status == RIFFLE_OK, "%s: not executed", what) &&
            arrays_moved(&shifted, perm, c->elem_bytes, what) && c->batch > 1 &&
            check_cuda(cudaMemcpy(arrays.dst, shifted.device_dst, shifted.bytes, cudaMemcpyDeviceToHost), what))
            check(batch_moved(c, perm, arrays.dst, shifted.src), "%s: a later array", what);
    }
    arrays_free(&arrays);
}

static void test_case(const rows_case *c) {
    char what[192], by[32];
    riffle_perm *perm;
    riffle_plan *plan;
    snprintf(by, sizeof by, "random:%llu", (unsigned long long)(check_random() % 1000000));
    snprintf(what, sizeof what, "%s of %llu x %zu bytes by %s, batch %llu, stride %llu, %zu and %zu bytes off",
             by, (unsigned long long)c->n, c->elem_bytes, riffle_algorithm_string(c->algorithm),
             (unsigned long long)c->batch, (unsigned long long)c->stride, c->src_offset, c->dst_offset);
    const riffle_plan_options options = {.algorithm = c->algorithm, .batch = c->batch, .stride = c->stride};
    if (!check(riffle_perm_parse(by, c->n, &perm) == RIFFLE_OK, "%s: not parsed", what)) return;
    if (check(riffle_plan_create(perm, c->elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
              "%s: not planned", what)) {
        run_plan(c, perm, plan, what);
        riffle_plan_free(plan);
    }
    riffle_perm_free(perm);
}

static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_SCATTER, RIFFLE_ALGORITHM_GATHER};

/* Offsets that are odd multiples of the elements' alignment, where that is below 16. */
static void test_size(size_t elem_bytes, uint64_t n) {
    const size_t unit = unit_of(elem_bytes);
    for (unsigned a = 0; a < 2; a++) {
        for (unsigned shifts = 0; shifts < 4; shifts++) {
            const size_t src_offset = shifts & 1 ? (2 * (check_random() % 8) + 1) * unit % WORD_BYTES : 0;
            const size_t dst_offset = shifts & 2 ? (2 * (check_random() % 8) + 1) * unit % WORD_BYTES : 0;
            test_case(&(rows_case){n, elem_bytes, algorithms[a], 1, n, src_offset, dst_offset});
        }
        test_case(&(rows_case){n, elem_bytes, algorithms[a], 3, n, 0, unit % WORD_BYTES});
        test_case(&(rows_case){n, elem_bytes, algorithms[a], 3, n + 2, unit % WORD_BYTES, 0});
    }
}

/* ------------------------------------------------------------------------------------------ beyond 4 GiB */

static void run_large(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm,
                      check_arrays *arrays) {
    char what[128];
    riffle_plan *plan;
    const riffle_plan_options options = {.algorithm = algorithm};
    snprintf(what, sizeof what, "random:1 of %llu x %zu bytes by %s",
             (unsigned long long)riffle_perm_length(perm), elem_bytes, riffle_algorithm_string(algorithm));
    if (!arrays_renew(arrays)) return;
    if (!check(riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
               "%s: not planned", what))
        return;
    const riffle_status status =
        riffle_cuda_execute(plan, arrays->device_dst, arrays->device_src, NULL, 0, NULL);
    if (check(status == RIFFLE_OK, "%s: not executed", what))
        arrays_moved_at_samples(arrays, perm, elem_bytes, what);
    riffle_plan_free(plan);
}

static void test_large(uint64_t n, size_t elem_bytes) {
    const size_t enough = (size_t)80000000000;
    size_t free_bytes = 0, all = 0;
    if (!check_cuda(cudaMemGetInfo(&free_bytes, &all), "asking for free memory")) return;
    if (free_bytes < enough) {
        printf("left out: %llu x %zu bytes want a GPU with 80 GB free\n", (unsigned long long)n, elem_bytes);
        return;
    }
    riffle_perm *perm;
    check_arrays arrays;
    if (!check(riffle_perm_parse("random:1", n, &perm) == RIFFLE_OK, "random:1 of %llu", (unsigned long long)n))
        return;
    if (arrays_create(n * elem_bytes, &arrays))
        for (unsigned a = 0; a < 2; a++) run_large(perm, elem_bytes, algorithms[a], &arrays);
    arrays_free(&arrays);
    riffle_perm_free(perm);
}

void test_rows(bool small) {
    static const size_t longer[] = {48, 64, 72, 96, 100, 128, 136, 1000, 1001, 1002, 4096, 4097};
    for (size_t elem_bytes = 1; elem_bytes <= 40; elem_bytes++) test_size(elem_bytes, small ? 333 : 5001);
    for (unsigned k = 0; k < sizeof longer / sizeof longer[0]; k++)
        test_size(longer[k], small ? 33 : (8 << 20) / longer[k] | 1);
    test_size(1001, 1);
    test_size(17, 2);
    if (small) return;
    test_size((1 << 20) + 3, 9);
    test_size(1 << 20, 9);
    test_large(((uint64_t)1 << 32) + 5, 1);     /* entries of 8 bytes */
    test_large(((uint64_t)1 << 32) / 3 + 5, 3); /* more than 2^32 units */
    test_large(((uint64_t)1 << 32) / 1001 + 5, 1001);
}
