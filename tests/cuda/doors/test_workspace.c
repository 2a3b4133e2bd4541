/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspaces that the caller brings: to plans that have none, on two streams at a time, and to plans that have
 * one of their own.
 */
#include "test_workspace.h"

#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "riffle/cuda.h"

enum { N = 300007, ELEM_BYTES = 4, BYTES = N * ELEM_BYTES, WAYS = 2, ROUNDS = 20, HALF_ALIGNMENT = 128 };

/* Arrays, a workspace and a stream of an execution's own. */
typedef struct way {
    check_arrays arrays;
    unsigned char *workspace;
    cudaStream_t stream;
} way;

static bool way_create(size_t workspace_bytes, way *out) {
    void *workspace = NULL;
    *out = (way){.stream = NULL};
    if (!arrays_create(BYTES, &out->arrays) ||
        !check_cuda(cudaMalloc(&workspace, workspace_bytes + HALF_ALIGNMENT), "a workspace"))
        return false;
    out->workspace = workspace;
    return check_cuda(cudaStreamCreateWithFlags(&out->stream, cudaStreamNonBlocking), "a stream");
}

static void way_free(way *w) {
    if (w->stream != NULL) cudaStreamDestroy(w->stream);
    cudaFree(w->workspace);
    arrays_free(&w->arrays);
}

static riffle_plan *plan_of(const riffle_perm *perm, int callers_workspace) {
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_BUCKET,
                                         .callers_workspace = callers_workspace};
    riffle_plan *plan = NULL;
    if (!check(riffle_plan_create(perm, ELEM_BYTES, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
               "a plan"))
        abort();
    return plan;
}

static riffle_status execute(const riffle_plan *plan, const way *w, void *workspace) {
    return riffle_cuda_execute(plan, w->arrays.device_dst, w->arrays.device_src, workspace,
                               riffle_plan_workspace_bytes(plan), w->stream);
}

/* Many executions on both streams, whose passes run in any order, each with its own workspace. */
static void test_at_a_time(const riffle_plan *plan, const riffle_perm *perm, way ways[WAYS]) {
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned k = 0; k < WAYS; k++)
            check(execute(plan, &ways[k], ways[k].workspace) == RIFFLE_OK, "two at a time");
    for (unsigned k = 0; k < WAYS; k++) arrays_moved(&ways[k].arrays, perm, ELEM_BYTES, "two at a time");
}

static void test_refusals(const riffle_plan *plan, const way *w) {
    check(riffle_plan_workspace_bytes(plan) >= BYTES, "a workspace of %zu bytes",
          riffle_plan_workspace_bytes(plan));
    check_refused(riffle_cuda_execute(plan, w->arrays.device_dst, w->arrays.device_src, NULL, 0, w->stream),
                  RIFFLE_ERROR_INVALID_ARGUMENT, "the plan has no workspace of its own; bring one of",
                  "no workspace");
    check_refused(execute(plan, w, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                  "the plan has no workspace of its own; bring one of", "NULL for a workspace");
    check_refused(execute(plan, w, w->workspace + HALF_ALIGNMENT), RIFFLE_ERROR_INVALID_ARGUMENT,
                  "workspace is not aligned to 256 bytes", "a misaligned workspace");
    check_refused(riffle_cuda_execute(plan, w->arrays.device_dst, w->arrays.device_src, w->arrays.device_src,
                                      riffle_plan_workspace_bytes(plan), w->stream),
                  RIFFLE_ERROR_INVALID_ARGUMENT, "overlaps src", "src as the workspace");
    check_refused(riffle_cuda_execute(plan, w->arrays.device_dst, w->arrays.device_src, w->workspace,
                                      riffle_plan_workspace_bytes(plan) - 1, w->stream),
                  RIFFLE_ERROR_INVALID_ARGUMENT, "are needed", "a workspace that is too small");
}

/* Host arrays need nothing from the caller. */
static void test_host(const riffle_plan *plan, const riffle_perm *perm) {
    unsigned char *src = malloc(BYTES), *dst = malloc(BYTES);
    if (check(src != NULL && dst != NULL, "host arrays")) {
        for (size_t k = 0; k < BYTES; k++) src[k] = (unsigned char)check_random();
        memset(dst, 0xa5, BYTES);
        check(riffle_execute(plan, dst, src) == RIFFLE_OK, "host arrays without a workspace");
        check(is_moved(perm, ELEM_BYTES, dst, src), "host arrays: elements in the wrong place");
    }
    free(dst);
    free(src);
}

/* A plan with a workspace of its own takes the caller's too, or does with its own. */
static void test_own(const riffle_perm *perm, way *w) {
    riffle_plan *plan = plan_of(perm, 0);
    for (unsigned brings = 0; brings < 2; brings++) {
        if (!arrays_renew(&w->arrays)) break;
        check(execute(plan, w, brings ? w->workspace : NULL) == RIFFLE_OK, "a plan with its own workspace");
        arrays_moved(&w->arrays, perm, ELEM_BYTES, "a plan with its own workspace");
    }
    riffle_plan_free(plan);
}

/* One pass goes without a workspace, and so without the caller's. */
static void test_one_pass(way *w) {
    riffle_perm *perm = NULL;
    const uint64_t n = 1000;
    if (!check(riffle_perm_random(n, 3, &perm) == RIFFLE_OK, "a permutation")) return;
    riffle_plan *plan = plan_of(perm, 1);
    check_arrays arrays = w->arrays;
    arrays.bytes = (size_t)n * ELEM_BYTES;
    check(riffle_plan_workspace_bytes(plan) == 0, "one pass has a workspace");
    if (arrays_renew(&arrays) &&
        check(riffle_cuda_execute(plan, arrays.device_dst, arrays.device_src, NULL, 0, w->stream) == RIFFLE_OK,
              "one pass"))
        arrays_moved(&arrays, perm, ELEM_BYTES, "one pass");
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

static void test_cpu(const riffle_perm *perm) {
    const riffle_plan_options options = {.callers_workspace = true};
    riffle_plan *plan = NULL;
    check_refused(riffle_plan_create(perm, ELEM_BYTES, RIFFLE_ENGINE_CPU, &options, &plan),
                  RIFFLE_ERROR_UNSUPPORTED, "takes no workspace from its caller", "the cpu engine");
    check(plan == NULL, "a refusal leaves a plan behind");
}

void test_workspace(void) {
    riffle_perm *perm = NULL;
    way ways[WAYS] = {{.stream = NULL}};
    if (!check(riffle_perm_random(N, 12, &perm) == RIFFLE_OK, "a permutation")) return;
    riffle_plan *plan = plan_of(perm, 1);
    const size_t bytes = riffle_plan_workspace_bytes(plan);
    if (way_create(bytes, &ways[0]) && way_create(bytes, &ways[1])) {
        test_refusals(plan, &ways[0]);
        test_at_a_time(plan, perm, ways);
        test_host(plan, perm);
        test_own(perm, &ways[0]);
        test_one_pass(&ways[0]);
    }
    test_cpu(perm);
    for (unsigned k = 0; k < WAYS; k++) way_free(&ways[k]);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}
