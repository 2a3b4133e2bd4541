/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls on a GPU, compared with the CPU's: hard sets of every kind and type, one and many, of all sizes, of memory of the device
 * and of the host, between guards and in a poisoned workspace, the plan's or the caller's; graphs; what is not finite is named;
 * what is wrong with arguments is refused.
 */
#include "test_hull.h"

#include <stdlib.h>

#include "../../support/hull_support.h"
#include "../check.h"
#include "../guarded.h"
#include "riffle/cuda.h"

static const riffle_type types[] = {
    RIFFLE_TYPE_F64, RIFFLE_TYPE_F32, RIFFLE_TYPE_I64, RIFFLE_TYPE_U64, RIFFLE_TYPE_I32,
    RIFFLE_TYPE_U32, RIFFLE_TYPE_I16, RIFFLE_TYPE_U16, RIFFLE_TYPE_I8,  RIFFLE_TYPE_U8,
};
enum { TYPES = sizeof types / sizeof *types };

typedef struct hull_case {
    riffle_type type;
    hull_kind kind;
    uint64_t n, sets;
    bool all, points, is_uneven, by_graph, is_paper, callers_workspace;
    size_t index_bytes;
} hull_case;

/* A case's arrays; those of the device have guards on both sides. */
typedef struct hull_arrays {
    size_t point_bytes, hull_bytes;
    char *points, *want, *got;
    uint64_t *first, *want_lengths, *got_lengths;
    char *device_points, *device_hulls, *device_lengths, *device_first;
    char *workspace; /* or NULL: the plan's */
} hull_arrays;

static cudaStream_t stream;

static riffle_hull_plan *plan_of(const hull_case *c, riffle_engine engine) {
    const riffle_hull_options options = {
        .segments = c->sets,
        .all = c->all,
        .points = c->points,
        .index_bytes = c->index_bytes,
        .callers_workspace = c->callers_workspace && engine == RIFFLE_ENGINE_CUDA,
        .algorithm = c->is_paper && engine == RIFFLE_ENGINE_CUDA ? RIFFLE_HULL_ALGORITHM_PAPER
                                                                 : RIFFLE_HULL_ALGORITHM_AUTO};
    riffle_hull_plan *plan = NULL;
    const riffle_status status = riffle_hull_plan_create(c->n, c->type, engine, &options, &plan);
    if (!check(status == RIFFLE_OK, "a plan of hulls: %s", riffle_error_detail())) abort();
    return plan;
}

static void fill(const hull_case *c, rng *r, hull_arrays *a) {
    const uint64_t step = c->n / c->sets;
    for (uint64_t k = 1; k <= c->sets; k++) {
        const uint64_t left = c->n - a->first[k - 1], most = left < 2 * step ? left : 2 * step;
        a->first[k] = c->is_uneven ? a->first[k - 1] + rng_below(r, most + 1) : k * step;
    }
    for (uint64_t k = 0; k < c->sets; k++)
        hull_fill(r, c->kind, c->type, a->points + a->first[k] * a->point_bytes, a->first[k + 1] - a->first[k]);
}

static void create(const hull_case *c, rng *r, hull_arrays *a) {
    a->point_bytes = 2 * riffle_type_bytes(c->type);
    a->hull_bytes = c->points ? a->point_bytes : c->index_bytes;
    a->points = host(c->n * a->point_bytes);
    a->want = host(c->n * a->hull_bytes);
    a->got = host(c->n * a->hull_bytes);
    a->first = host((c->sets + 1) * sizeof *a->first);
    a->want_lengths = host(c->sets * sizeof *a->want_lengths);
    a->got_lengths = host(c->sets * sizeof *a->got_lengths);
    fill(c, r, a);
    a->device_points = device(c->n * a->point_bytes);
    a->device_hulls = device(c->n * a->hull_bytes);
    a->device_lengths = device(c->sets * sizeof *a->got_lengths);
    a->device_first = device((c->sets + 1) * sizeof *a->first);
    cudaMemcpy(a->device_points, a->points, c->n * a->point_bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(a->device_first, a->first, (c->sets + 1) * sizeof *a->first, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize(); /* a copy of the host's memory may end behind the call, and the stream does not wait for it */
}

static void destroy(hull_arrays *a) {
    device_free(a->device_points), device_free(a->device_hulls);
    device_free(a->device_lengths), device_free(a->device_first), device_free(a->workspace);
    free(a->points), free(a->want), free(a->got);
    free(a->first), free(a->want_lengths), free(a->got_lengths);
}

static riffle_status queue(const hull_case *c, const riffle_hull_plan *plan, const hull_arrays *a) {
    return riffle_cuda_hull_execute(
        plan,
        &(riffle_hull_arrays){.hulls = a->device_hulls,
                              .lengths = (uint64_t *)(void *)a->device_lengths,
                              .points = a->device_points,
                              .first = c->is_uneven ? (const uint64_t *)(const void *)a->device_first : NULL},
        a->workspace, riffle_hull_plan_workspace_bytes(plan), stream);
}

/* Twice by a graph, which has to clear what the first execution left. */
static riffle_status execute(const hull_case *c, const riffle_hull_plan *plan, const hull_arrays *a) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    if (!c->by_graph) return queue(c, plan, a);
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capturing");
    const riffle_status status = queue(c, plan, a);
    check_cuda(cudaStreamEndCapture(stream, &graph), "capturing hulls");
    check_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph of hulls");
    for (unsigned k = 0; k < 2; k++) check_cuda(cudaGraphLaunch(ready, stream), "a graph of hulls");
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    return status;
}

static bool are_same(const hull_case *c, const hull_arrays *a) {
    for (uint64_t k = 0; k < c->sets; k++) {
        const size_t at = a->first[k] * a->hull_bytes;
        if (a->got_lengths[k] != a->want_lengths[k]) return false;
        if (memcmp(a->got + at, a->want + at, a->want_lengths[k] * a->hull_bytes) != 0) return false;
    }
    return true;
}

static void run_case(const hull_case *c, rng *r) {
    hull_arrays a = {0};
    const uint64_t seed = r->state;
    create(c, r, &a);
    riffle_hull_plan *const here = plan_of(c, RIFFLE_ENGINE_CPU), *const plan = plan_of(c, RIFFLE_ENGINE_CUDA);
    const uint64_t *const first = c->is_uneven ? a.first : NULL;
    check(riffle_hull_execute(here, &(riffle_hull_arrays){.hulls = a.want,
                                                          .lengths = a.want_lengths,
                                                          .points = a.points,
                                                          .first = first}) == RIFFLE_OK,
          "hulls on the CPU");
    const size_t workspace_bytes = riffle_hull_plan_workspace_bytes(plan);
    if (c->callers_workspace) a.workspace = device(workspace_bytes);
    check(execute(c, plan, &a) == RIFFLE_OK, "hulls: %s", riffle_error_detail());
    check(riffle_cuda_hull_check(plan, a.workspace, stream) == RIFFLE_OK, "hulls' check: %s",
          riffle_error_detail());
    cudaMemcpy(a.got, a.device_hulls, c->n * a.hull_bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(a.got_lengths, a.device_lengths, c->sets * sizeof *a.got_lengths, cudaMemcpyDeviceToHost);
    check(are_same(c, &a),
          "hull of %llu points of %s in %llu sets, kind %d, all %d, points %d, uneven %d, graph %d (rng %llu)",
          (unsigned long long)c->n, riffle_type_string(c->type), (unsigned long long)c->sets, (int)c->kind,
          c->all, c->points, c->is_uneven, c->by_graph, (unsigned long long)seed);
    check(are_guards_intact(a.device_hulls, c->n * a.hull_bytes) &&
              are_guards_intact(a.device_lengths, c->sets * sizeof *a.got_lengths),
          "guards of hulls");
    if (c->callers_workspace)
        check(are_guards_intact(a.workspace, workspace_bytes), "guards of the workspace of hulls");
    memset(a.got, POISON, c->n * a.hull_bytes);
    memset(a.got_lengths, POISON, c->sets * sizeof *a.got_lengths);
    check(riffle_hull_execute(plan, &(riffle_hull_arrays){.hulls = a.got,
                                                          .lengths = a.got_lengths,
                                                          .points = a.points,
                                                          .first = first}) == RIFFLE_OK,
          "hulls of host memory: %s", riffle_error_detail());
    check(are_same(c, &a), "hulls of host memory");
    riffle_hull_plan_free(here);
    riffle_hull_plan_free(plan);
    destroy(&a);
}

/* All kinds and types; `each` points of a set. */
static void run_kinds(rng *r, uint64_t sets, uint64_t each, bool is_uneven, unsigned step) {
    for (unsigned k = 0; k < HULL_KINDS * TYPES; k += step) {
        const hull_case c = {.type = types[k % TYPES],
                             .kind = (hull_kind)(k / TYPES),
                             .n = sets * each,
                             .sets = sets,
                             .all = rng_below(r, 2) != 0,
                             .points = rng_below(r, 3) == 0,
                             .is_uneven = is_uneven,
                             .by_graph = rng_below(r, 4) == 0,
                             .callers_workspace = rng_below(r, 2) != 0,
                             .index_bytes = rng_below(r, 2) != 0 ? 4 : 8};
        run_case(&c, r);
    }
}

/* By the dissertation's algorithm. */
static void run_paper(rng *r, uint64_t n, unsigned step) {
    for (unsigned k = 0; k < HULL_KINDS * TYPES; k += step)
        run_case(&(hull_case){.type = types[k % TYPES],
                              .kind = (hull_kind)(k / TYPES),
                              .n = n,
                              .sets = 1,
                              .is_paper = true,
                              .by_graph = k % 4 == 0,
                              .callers_workspace = k % 3 == 0,
                              .index_bytes = 4},
                 r);
}

/* ------------------------------------------------------------------ refusals */

static void test_not_finite(uint64_t n, uint64_t sets, hull_kind kind) {
    const hull_case c = {.type = RIFFLE_TYPE_F64, .kind = kind, .n = n, .sets = sets, .index_bytes = 4};
    rng r = {n};
    hull_arrays a = {0};
    char name[64];
    create(&c, &r, &a);
    riffle_hull_plan *const plan = plan_of(&c, RIFFLE_ENGINE_CUDA);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (unsigned k = 0; k < 6; k++) {
        const uint64_t at = n * 2 / 3;
        cudaMemcpy(a.device_points, a.points, n * a.point_bytes, cudaMemcpyHostToDevice);
        cudaMemcpy(a.device_points + at * a.point_bytes + k % 2 * sizeof *bad, &bad[k / 2], sizeof *bad,
                   cudaMemcpyHostToDevice);
        cudaMemcpy(a.device_points + (n - 1) * a.point_bytes, &bad[0], sizeof *bad, cudaMemcpyHostToDevice);
        cudaDeviceSynchronize();
        check(queue(&c, plan, &a) == RIFFLE_OK, "hulls of what is not finite");
        snprintf(name, sizeof name, "point %llu is (", (unsigned long long)at);
        check_refused(riffle_cuda_hull_check(plan, NULL, stream), RIFFLE_ERROR_INVALID_ARGUMENT, name,
                      "not finite");
        cudaMemcpy(a.got_lengths, a.device_lengths, sets * sizeof *a.got_lengths, cudaMemcpyDeviceToHost);
        uint64_t sum = 0;
        for (uint64_t j = 0; j < sets; j++) sum += a.got_lengths[j];
        check(sum == 0, "lengths of what is not finite");
    }
    a.got_lengths[0] = 7;
    ((double *)(void *)a.points)[1] = NAN;
    check_refused(
        riffle_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = a.got, .lengths = a.got_lengths, .points = a.points}),
        RIFFLE_ERROR_INVALID_ARGUMENT, "point 0 is (", "not finite on the host");
    check(a.got_lengths[0] == 7, "lengths of what is refused");
    riffle_hull_plan_free(plan);
    destroy(&a);
}

static void test_beginnings(void) {
    const hull_case c = {.type = RIFFLE_TYPE_F32,
                         .kind = HULL_KIND_SQUARE,
                         .n = 300,
                         .sets = 3,
                         .is_uneven = true,
                         .index_bytes = 4};
    rng r = {3};
    hull_arrays a = {0};
    create(&c, &r, &a);
    riffle_hull_plan *const plan = plan_of(&c, RIFFLE_ENGINE_CUDA);
    const uint64_t wrong[][4] = {{0, 200, 100, 300}, {0, 100, 200, 301}};
    for (unsigned k = 0; k < 2; k++) {
        cudaMemcpy(a.device_first, wrong[k], sizeof wrong[k], cudaMemcpyHostToDevice);
        cudaDeviceSynchronize();
        check(queue(&c, plan, &a) == RIFFLE_OK, "hulls of wrong beginnings");
        check_refused(riffle_cuda_hull_check(plan, NULL, stream), RIFFLE_ERROR_INVALID_ARGUMENT,
                      k == 0 ? "set 1 does not begin and end" : "set 2 does not begin and end",
                      "wrong beginnings");
    }
    riffle_hull_plan_free(plan);
    destroy(&a);
}

static void test_refusals(void) {
    const hull_case c = {.type = RIFFLE_TYPE_F32, .n = 300, .sets = 7, .index_bytes = 4, .is_uneven = true};
    rng r = {4};
    hull_arrays a = {0};
    create(&c, &r, &a);
    riffle_hull_plan *const here = plan_of(&c, RIFFLE_ENGINE_CPU), *const plan =
                                                                       plan_of(&c, RIFFLE_ENGINE_CUDA);
    uint64_t *const lengths = (uint64_t *)(void *)a.device_lengths;
    const riffle_status wanted = RIFFLE_ERROR_INVALID_ARGUMENT;
    check_refused(
        riffle_cuda_hull_execute(
            here, &(riffle_hull_arrays){.hulls = a.device_hulls, .lengths = lengths, .points = a.device_points},
            NULL, 0, stream),
        wanted, "the plan is for the cpu engine", "a plan of another engine");
    check_refused(riffle_cuda_hull_check(here, NULL, stream), wanted, "the plan is for the cpu engine",
                  "a check of another");
    check_refused(
        riffle_cuda_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = a.device_hulls, .lengths = lengths, .points = a.device_points},
            NULL, 0, stream),
        wanted, "300 points are no 7 sets of as many", "sets that are not even");
    check_refused(
        riffle_cuda_hull_execute(plan,
                                 &(riffle_hull_arrays){.hulls = a.device_hulls,
                                                       .lengths = lengths,
                                                       .points = a.device_points + 4,
                                                       .first = (const uint64_t *)(const void *)a.device_first},
                                 NULL, 0, stream),
        wanted, "not aligned to a point of 8 bytes", "points that are not aligned");
    check_refused(
        riffle_cuda_hull_execute(
            plan,
            &(riffle_hull_arrays){.hulls = a.device_points, .lengths = lengths, .points = a.device_points},
            NULL, 0, stream),
        wanted, "hulls and points overlap", "hulls over points");
    check_refused(
        riffle_cuda_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = a.device_hulls, .lengths = NULL, .points = a.device_points},
            NULL, 0, stream),
        wanted, "lengths is NULL", "no lengths");
    riffle_hull_plan_free(here);
    riffle_hull_plan_free(plan);
    destroy(&a);
}

/* A plan without a workspace, on two streams at a time; each has its own. */
static void test_callers_workspace(void) {
    enum { STREAMS = 2, ROUNDS = 10 };
    const hull_case c = {.type = RIFFLE_TYPE_F32,
                         .kind = HULL_KIND_CIRCLE,
                         .n = 9000,
                         .sets = 1,
                         .index_bytes = 4,
                         .callers_workspace = true};
    const riffle_status wanted = RIFFLE_ERROR_INVALID_ARGUMENT;
    rng r = {5};
    hull_arrays a = {0};
    create(&c, &r, &a);
    riffle_hull_plan *const here = plan_of(&c, RIFFLE_ENGINE_CPU), *const plan =
                                                                       plan_of(&c, RIFFLE_ENGINE_CUDA);
    const size_t bytes = riffle_hull_plan_workspace_bytes(plan);
    uint64_t *const lengths = (uint64_t *)(void *)a.device_lengths;
    a.workspace = device(bytes);
    check(bytes > 0 && riffle_hull_plan_workspace_bytes(here) == 0, "bytes of workspaces");
    check_refused(
        riffle_cuda_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = a.device_hulls, .lengths = lengths, .points = a.device_points},
            NULL, 0, stream),
        wanted, "the plan has no workspace of its own; bring one of", "no workspace");
    check_refused(riffle_cuda_hull_check(plan, NULL, stream), wanted,
                  "the plan has no workspace of its own; bring one of", "a check without one");
    check_refused(
        riffle_cuda_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = a.device_hulls, .lengths = lengths, .points = a.device_points},
            a.workspace + 64, riffle_hull_plan_workspace_bytes(plan), stream),
        wanted, "the workspace is not aligned to 256 bytes", "a misaligned workspace");
    check_refused(
        riffle_cuda_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = a.device_hulls, .lengths = lengths, .points = a.device_points},
            a.device_hulls, riffle_hull_plan_workspace_bytes(plan), stream),
        wanted, "overlaps hulls; bring one apart", "hulls as the workspace");
    check(riffle_hull_execute(
              here, &(riffle_hull_arrays){.hulls = a.want, .lengths = a.want_lengths, .points = a.points}) ==
              RIFFLE_OK,
          "hulls on the CPU");
    char *hulls[STREAMS], *counts[STREAMS], *workspaces[STREAMS];
    cudaStream_t streams[STREAMS];
    for (unsigned k = 0; k < STREAMS; k++) {
        hulls[k] = device(c.n * a.hull_bytes), counts[k] = device(sizeof *lengths),
        workspaces[k] = device(bytes);
        check_cuda(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking), "a stream");
    }
    for (unsigned round = 0; round < ROUNDS * STREAMS; round++)
        check(riffle_cuda_hull_execute(
                  plan,
                  &(riffle_hull_arrays){.hulls = hulls[round % STREAMS],
                                        .lengths = (uint64_t *)(void *)counts[round % STREAMS],
                                        .points = a.device_points},
                  workspaces[round % STREAMS], riffle_hull_plan_workspace_bytes(plan),
                  streams[round % STREAMS]) == RIFFLE_OK,
              "hulls on two streams: %s", riffle_error_detail());
    for (unsigned k = 0; k < STREAMS; k++) {
        check(riffle_cuda_hull_check(plan, workspaces[k], streams[k]) == RIFFLE_OK, "a check of two");
        cudaMemcpy(a.got, hulls[k], c.n * a.hull_bytes, cudaMemcpyDeviceToHost);
        cudaMemcpy(a.got_lengths, counts[k], sizeof *a.got_lengths, cudaMemcpyDeviceToHost);
        check(are_same(&c, &a) && are_guards_intact(workspaces[k], bytes), "hulls on two streams");
        device_free(hulls[k]), device_free(counts[k]), device_free(workspaces[k]);
        cudaStreamDestroy(streams[k]);
    }
    riffle_hull_plan_free(here);
    riffle_hull_plan_free(plan);
    destroy(&a);
}

/* ------------------------------------------------------------------- suites */

static rng begin(void) {
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    return (rng){check_random() | 1};
}

static void end(void) { cudaStreamDestroy(stream); }

void test_hull_sets(bool small) {
    rng r = begin();
    for (uint64_t each = 0; each <= 33; each += each < 3 ? 1 : 6) run_kinds(&r, 7, each, false, small ? 13 : 3);
    run_kinds(&r, 40, 10, true, small ? 7 : 3);
    run_kinds(&r, 3, 200, false, small ? 7 : 3);
    run_kinds(&r, 5, 700, true, small ? 13 : 5);
    if (!small) run_kinds(&r, 20000, 30, true, 11);
    end();
}

void test_hull_large(bool small) {
    rng r = begin();
    run_kinds(&r, 1, 4096, false, small ? 13 : 7);
    run_kinds(&r, 1, 4097, true, small ? 11 : 1);
    run_kinds(&r, 2, 6000, true, small ? 23 : 3);
    for (unsigned k = 0; k < 2; k++) /* all points are corners: the rounds are left out */
        run_case(&(hull_case){.type = k == 0 ? RIFFLE_TYPE_F32 : RIFFLE_TYPE_F64,
                              .kind = k == 0 ? HULL_KIND_PARABOLA : HULL_KIND_CIRCLE,
                              .n = 20000,
                              .sets = 1,
                              .is_uneven = k == 0,
                              .by_graph = true,
                              .index_bytes = 4},
                 &r);
    if (!small) {
        run_kinds(&r, 1, 100003, false, 3);
        run_kinds(&r, 1, 1000000, false, 11);
        run_kinds(&r, 1, 10000000, false, 37);
    }
    end();
}

void test_hull_paper(bool small) {
    rng r = begin();
    run_paper(&r, 50, small ? 23 : 7);
    run_paper(&r, 5000, small ? 23 : 3);
    end();
}

void test_hull_refused(bool small) {
    (void)small;
    begin();
    test_not_finite(20, 2, HULL_KIND_SQUARE);
    test_not_finite(600, 3, HULL_KIND_SQUARE);
    test_not_finite(30000, 1, HULL_KIND_SQUARE);
    test_not_finite(30000, 1, HULL_KIND_CIRCLE);
    test_beginnings();
    test_refusals();
    test_callers_workspace();
    end();
}
