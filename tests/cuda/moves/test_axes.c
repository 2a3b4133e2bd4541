/* SPDX-License-Identifier: Apache-2.0
 *
 * Axes permutations on the GPU against the definition: random shapes and orders, elements of any length, addresses that
 * are aligned to no more than the elements are, and batches with gaps that nothing is to change.
 */
#include "test_axes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "riffle/cuda.h"

enum { SPEC_BYTES = 256, MOST_OFFSET = 16, LEFT_ALONE = 0x3c };

typedef struct axes_case {
    char spec[SPEC_BYTES];
    uint64_t n;
    size_t elem_bytes;
    uint64_t batch, stride;
    size_t src_offset, dst_offset; /* bytes from a multiple of 256 */
} axes_case;

static uint64_t below(uint64_t n) { return check_random() % n; }

/* A shape of at most `most` elements, of few or many axes, short and long ones, and any order. */
static void random_spec(uint64_t most, axes_case *c) {
    unsigned order[8];
    const unsigned rank = 2 + (unsigned)below(6);
    int length = snprintf(c->spec, SPEC_BYTES, "axes:");
    c->n = 1;
    for (unsigned k = 0; k < rank; k++) {
        uint64_t extent = 1 + below(below(3) == 0 ? 3000 : below(2) == 0 ? 70 : 6);
        if (c->n * extent > most) extent = 1;
        c->n *= extent;
        length += snprintf(c->spec + length, SPEC_BYTES - (size_t)length, "%s%llu", k > 0 ? "x" : "",
                           (unsigned long long)extent);
        order[k] = k;
    }
    for (unsigned k = rank; k-- > 0;) {
        const uint64_t other = below(k + 1);
        const unsigned here = order[k];
        order[k] = order[other], order[other] = here;
        length += snprintf(c->spec + length, SPEC_BYTES - (size_t)length, "%c%u", k + 1 == rank ? ':' : ',',
                           order[k]);
    }
}

/* Each array of the batch is as the definition says; before, between and behind them all is as it was. */
static bool is_as_defined(const axes_case *c, const riffle_perm *perm, const unsigned char *whole,
                          size_t whole_bytes, const unsigned char *src) {
    const size_t array = c->n * c->elem_bytes, step = c->stride * c->elem_bytes;
    for (uint64_t k = 0; k < c->batch; k++)
        if (!is_moved(perm, c->elem_bytes, whole + c->dst_offset + k * step, src + k * step)) return false;
    for (size_t i = 0; i < whole_bytes; i++) {
        const size_t from = i - c->dst_offset;
        const bool is_moved_to = i >= c->dst_offset && from / step < c->batch && from % step < array;
        if (!is_moved_to && whole[i] != LEFT_ALONE) return false;
    }
    return true;
}

static void run_plan(const axes_case *c, const riffle_perm *perm, const riffle_plan *plan, const char *what) {
    const size_t span = ((c->batch - 1) * c->stride + c->n) * c->elem_bytes, bytes = span + MOST_OFFSET;
    check_arrays arrays;
    if (arrays_create(bytes, &arrays) &&
        check_cuda(cudaMemset(arrays.device_dst, LEFT_ALONE, bytes), "filling an array")) {
        const riffle_status status = riffle_cuda_execute(plan, arrays.device_dst + c->dst_offset,
                                                         arrays.device_src + c->src_offset, NULL, 0, NULL);
        if (check(status == RIFFLE_OK, "%s: %s", what, riffle_error_detail()) &&
            check_cuda(cudaMemcpy(arrays.dst, arrays.device_dst, bytes, cudaMemcpyDeviceToHost), what))
            check(is_as_defined(c, perm, arrays.dst, bytes, arrays.src + c->src_offset), "%s: wrong", what);
    }
    arrays_free(&arrays);
}

static void test_case(const axes_case *c, riffle_algorithm algorithm) {
    char what[SPEC_BYTES + 128];
    riffle_perm *perm;
    riffle_plan *plan;
    snprintf(what, sizeof what, "%s, %zu bytes, batch %llu, stride %llu, %zu and %zu bytes off", c->spec,
             c->elem_bytes, (unsigned long long)c->batch, (unsigned long long)c->stride, c->src_offset,
             c->dst_offset);
    const riffle_plan_options options = {.algorithm = algorithm, .batch = c->batch, .stride = c->stride};
    if (!check(riffle_perm_parse(c->spec, c->n, &perm) == RIFFLE_OK, "%s: not parsed", what)) return;
    if (check(riffle_plan_create(perm, c->elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
              "%s: %s", what, riffle_error_detail())) {
        run_plan(c, perm, plan, what);
        riffle_plan_free(plan);
    }
    riffle_perm_free(perm);
}

static void test_random(uint64_t most, size_t elem_bytes) {
    axes_case c = {.elem_bytes = elem_bytes, .batch = 1};
    random_spec(most, &c);
    const size_t low = c.elem_bytes & (~c.elem_bytes + 1), unit = low < MOST_OFFSET ? low : MOST_OFFSET;
    if (below(2) == 0) c.src_offset = below(MOST_OFFSET / unit) * unit;
    if (below(2) == 0) c.dst_offset = below(MOST_OFFSET / unit) * unit;
    if (below(4) == 0) c.batch = 1 + below(3);
    c.stride = c.n + (below(2) == 0 ? below(40) : 0);
    test_case(&c, RIFFLE_ALGORITHM_AUTO);
}

void test_axes(bool small) {
    static const axes_case shapes[] = {{"axes:401x409x409:2,1,0", 67079681, 4, 1, 67079681, 0, 0},
                                       {"axes:10007x10009:1,0", 100160063, 1, 1, 100160063, 0, 0},
                                       {"axes:2x33554467:1,0", 67108934, 4, 1, 67108934, 4, 8},
                                       {"axes:5x7x11x13x17x19x3:6,5,4,3,2,1,0", 4849845, 2, 1, 4849845, 2, 0},
                                       {"axes:128x224x224x64:0,3,1,2", 411041792, 2, 1, 411041792, 0, 0},
                                       {"axes:32x1024x1024x3:0,3,1,2", 100663296, 1, 1, 100663296, 3, 1},
                                       {"axes:17x20x5x32x26x7x7:4,0,1,3,6,2,5", 69305600, 1, 1, 69305600, 0, 5},
                                       {"axes:80x117x4x64x8x2:5,1,2,0,4,3", 38338560, 2, 1, 38338560, 6, 0}};
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8, 8, 16, 3, 6, 12, 40};
    for (unsigned k = 0; k < (small ? 150 : 3000); k++)
        test_random(small ? 1 << 14 : 1 << 20, sizes[below(sizeof sizes / sizeof sizes[0])]);
    for (unsigned k = 0; k < (small ? 50 : 1000); k++) test_random(small ? 1 << 14 : 1 << 22, 1 + k % 2);
    for (unsigned k = 0; !small && k < sizeof shapes / sizeof shapes[0]; k++)
        test_case(&shapes[k], RIFFLE_ALGORITHM_AXES);
}
