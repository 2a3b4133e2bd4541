/* SPDX-License-Identifier: Apache-2.0
 *
 * Views into larger arrays: dst and src begin anywhere that suits an element.
 */
#include "test_addresses.h"

#include <stdio.h>
#include <string.h>

#include "../check.h"
#include "riffle/cuda.h"
#include "riffle/papers.h"

enum { VECTOR = 16, ROOM = 2 * VECTOR, WHAT_BYTES = 200, LEFT_ALONE = 0x77 };
#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct viewed {
    const char *spec;
    uint64_t n;
    riffle_plan_options options;
} viewed;

/* All but what is moved to is as it was. */
static bool around_is_left(const unsigned char *dst, size_t at, size_t bytes) {
    for (size_t k = 0; k < bytes + ROOM; k++)
        if ((k < at || k >= at + bytes) && dst[k] != LEFT_ALONE) return false;
    return true;
}

static bool fill(check_arrays *arrays, bool in_place) {
    return arrays_renew(arrays) &&
           (in_place || check_cuda(cudaMemset(arrays->device_dst, LEFT_ALONE, arrays->bytes), "filling dst"));
}

static void move(const viewed *v, const riffle_perm *perm, const riffle_plan *plan, size_t elem_bytes,
                 size_t to, size_t from, check_arrays *arrays) {
    const size_t bytes = (size_t)v->n * elem_bytes;
    unsigned char *const src = arrays->device_src + from;
    unsigned char *const dst = v->options.in_place ? src : arrays->device_dst + to;
    char what[WHAT_BYTES];
    snprintf(what, sizeof what, "%s of %llu x %zu bytes by %s, dst at %zu, src at %zu%s", v->spec,
             (unsigned long long)v->n, elem_bytes, riffle_algorithm_string(v->options.algorithm), to, from,
             v->options.in_place ? ", in place" : "");
    if (!fill(arrays, v->options.in_place) ||
        !check(riffle_cuda_execute(plan, dst, src, NULL, 0, NULL) == RIFFLE_OK, "%s: %s", what,
               riffle_error_detail()) ||
        !check_cuda(cudaMemcpy(arrays->dst, v->options.in_place ? arrays->device_src : arrays->device_dst,
                               arrays->bytes, cudaMemcpyDeviceToHost),
                    what))
        return;
    if (v->options.in_place) {
        check(is_moved(perm, elem_bytes, arrays->dst + from, arrays->src + from), "%s", what);
        check(memcmp(arrays->dst, arrays->src, from) == 0 &&
                  memcmp(arrays->dst + from + bytes, arrays->src + from + bytes,
                         arrays->bytes - from - bytes) == 0,
              "%s: wrote beside the array", what);
    } else {
        check(is_moved(perm, elem_bytes, arrays->dst + to, arrays->src + from), "%s", what);
        check(around_is_left(arrays->dst, to, bytes), "%s: wrote beside dst", what);
    }
}

/* False where the algorithm does not take such elements. */
static bool move_everywhere(const viewed *v, const riffle_perm *perm, size_t elem_bytes) {
    riffle_plan *plan;
    check_arrays arrays;
    if (riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CUDA, &v->options, &plan) != RIFFLE_OK) return false;
    if (arrays_create((size_t)v->n * elem_bytes + ROOM, &arrays)) {
        for (size_t at = 0; at < VECTOR; at += elem_bytes) {
            move(v, perm, plan, elem_bytes, at, at, &arrays);
            if (v->options.in_place) continue;
            move(v, perm, plan, elem_bytes, at, 0, &arrays);
            move(v, perm, plan, elem_bytes, 0, at, &arrays);
            move(v, perm, plan, elem_bytes, VECTOR - elem_bytes, at, &arrays);
        }
    }
    arrays_free(&arrays);
    riffle_plan_free(plan);
    return true;
}

static void view(const viewed *v) {
    riffle_perm *perm;
    unsigned sizes = 0;
    if (!check(riffle_perm_parse(v->spec, v->n, &perm) == RIFFLE_OK, "%s: not parsed", v->spec)) return;
    for (size_t elem_bytes = 1; elem_bytes <= VECTOR; elem_bytes *= 2)
        sizes += move_everywhere(v, perm, elem_bytes);
    check(sizes >= 2, "%s by %s: moved for %u sizes of elements", v->spec,
          riffle_algorithm_string(v->options.algorithm), sizes);
    riffle_perm_free(perm);
}

static const viewed ANY[] = {
    {"rotate:77", 3001, {.algorithm = RIFFLE_ALGORITHM_COPY}},
    {"reverse", 3001, {.algorithm = RIFFLE_ALGORITHM_COPY}},
    {"random:1", 3001, {.algorithm = RIFFLE_ALGORITHM_SCATTER}},
    {"random:1", 3001, {.algorithm = RIFFLE_ALGORITHM_GATHER}},
    {"random-affine:1", 1 << 14, {.algorithm = RIFFLE_ALGORITHM_AFFINE}},
    {"bit-reversal", 1 << 7, {.algorithm = RIFFLE_ALGORITHM_AFFINE}},
    {"random:1", 3001, {.algorithm = RIFFLE_ALGORITHM_BUCKET}},
    {"random:1", 3001, {.algorithm = RIFFLE_ALGORITHM_ONCE}},
    {"transpose:64x64", 1 << 12, {.algorithm = RIFFLE_ALGORITHM_TRANSPOSE}},
    {"random:1", 1 << 12, {.algorithm = RIFFLE_ALGORITHM_SCHEDULED}},
    {"random-affine:1", 1 << 14, {.algorithm = RIFFLE_ALGORITHM_BMMC_TILE}},
    {"bit-reversal", 1 << 14, {.algorithm = RIFFLE_ALGORITHM_AFFINE, .in_place = true}},
    {"bits:1,2,0,3,4,5,6,7,8,9,10,11", 1 << 12, {.algorithm = RIFFLE_ALGORITHM_AFFINE, .in_place = true}},
    {"reverse", 3001, {.algorithm = RIFFLE_ALGORITHM_REVERSE_ENDS, .in_place = true}},
};

/* Bucket passes are two. */
static const viewed LONG[] = {
    {"random:2", (1 << 20) + 3, {.algorithm = RIFFLE_ALGORITHM_BUCKET}},
    {"~random:2", (1 << 20) + 3, {.algorithm = RIFFLE_ALGORITHM_ONCE}},
    {"random-affine:2", 1 << 22, {.algorithm = RIFFLE_ALGORITHM_AFFINE}},
    {"bit-reversal", 1 << 22, {.algorithm = RIFFLE_ALGORITHM_AFFINE, .in_place = true}},
};

/* Elements of one byte, moved once. */
static void view_bytes(viewed v, unsigned passes) {
    riffle_perm *perm;
    riffle_plan *plan;
    check_arrays arrays;
    if (!check(riffle_perm_parse(v.spec, v.n, &perm) == RIFFLE_OK, "%s: not parsed", v.spec)) return;
    if (check(riffle_plan_create(perm, 1, RIFFLE_ENGINE_CUDA, &v.options, &plan) == RIFFLE_OK, "%s: no plan",
              v.spec)) {
        check(riffle_plan_passes(plan) == passes, "%s: %u passes, not %u", v.spec, riffle_plan_passes(plan),
              passes);
        if (arrays_create((size_t)v.n + ROOM, &arrays)) move(&v, perm, plan, 1, 3, 5, &arrays);
        arrays_free(&arrays);
        riffle_plan_free(plan);
    }
    riffle_perm_free(perm);
}

static void test_refused(const char *spec, uint64_t n, riffle_plan_options options) {
    enum { ELEM_BYTES = 4 };
    riffle_perm *perm;
    riffle_plan *plan;
    check_arrays arrays;
    if (!check(riffle_perm_parse(spec, n, &perm) == RIFFLE_OK, "%s: not parsed", spec)) return;
    if (check(riffle_plan_create(perm, ELEM_BYTES, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
              "a plan") &&
        arrays_create((size_t)n * ELEM_BYTES + ROOM, &arrays)) {
        for (size_t off = 1; off < ELEM_BYTES; off++) {
            unsigned char *dst = arrays.device_dst, *src = options.in_place ? dst : arrays.device_src;
            if (!options.in_place)
                check_refused(riffle_cuda_execute(plan, dst, src + off, NULL, 0, NULL),
                              RIFFLE_ERROR_INVALID_ARGUMENT,
                              "src is not aligned to 4 bytes, which this plan's elements want", spec);
            check_refused(
                riffle_cuda_execute(plan, dst + off, options.in_place ? dst + off : src, NULL, 0, NULL),
                RIFFLE_ERROR_INVALID_ARGUMENT, "dst is not aligned to 4 bytes, which this plan's elements want",
                spec);
        }
        arrays_free(&arrays);
        riffle_plan_free(plan);
    }
    riffle_perm_free(perm);
}

void test_addresses(bool small) {
    for (size_t k = 0; k < COUNT(ANY); k++) view(&ANY[k]);
    for (size_t k = 0; !small && k < COUNT(LONG); k++) view(&LONG[k]);
    if (!small) {
        /* The first of three passes goes to dst, and the second comes from there; the largest blocks. */
        view_bytes((viewed){"random:3", ((uint64_t)1 << 28) + 1, {.algorithm = RIFFLE_ALGORITHM_BUCKET}}, 3);
        view_bytes((viewed){"bit-reversal",
                            (uint64_t)1 << 29,
                            {.algorithm = RIFFLE_ALGORITHM_AFFINE, .in_place = true}},
                   1);
        view_bytes((viewed){"bit-reversal", (uint64_t)1 << 29, {.algorithm = RIFFLE_ALGORITHM_AFFINE}}, 1);
    }
    test_refused("random:1", 1000, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_BUCKET});
    test_refused("bit-reversal", 1024, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_AFFINE});
    test_refused("bit-reversal", 1024,
                 (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_AFFINE, .in_place = true});
    test_refused("random:1", 1000, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_SCATTER});
}
