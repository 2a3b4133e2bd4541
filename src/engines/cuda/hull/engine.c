/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls on a GPU: the doors, for arrays of the device and of the host. What is launched stands in launch/hull.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/cuda/capture.h"
#include "device/cuda/runtime.h"
#include "engines/cuda/engine.h"
#include "engines/hull.h"
#include "engines/launch/hull.h"
#include "engines/launch/hull_stages.h"
#include "riffle/cuda.h"

typedef struct cuda_hull {
    plan_target target;
    hull_request request;
    hull_layout layout;
    hull_stages stages; /* of one large set, whose candidates may be many; their workspace is behind the rest */
} cuda_hull;

/* ---------------------------------------------------------------------- plans */

/* The candidates' hull where one block has no room for them; else there are none. */
static void append_many(const cuda_hull *own, const hull_arrays *arrays, launch_list *out) {
    char *const workspace = arrays->workspace;
    hull_state *const state = (hull_state *)(void *)(workspace + own->layout.state);
    uint32_t *const list = (uint32_t *)(void *)(workspace + own->layout.lists[0]);
    const hull_stages_arrays many = {.points = arrays->points,
                                     .candidates = list,
                                     .count = &state->record.many,
                                     .first = &state->record.first,
                                     .hull = list,
                                     .length = &state->record.many_length,
                                     .workspace = workspace + own->layout.bytes};
    launch_hull_stages(&own->stages, &many, out);
    launch_hull_results(&own->request, &own->layout, arrays, &own->target, out);
}

static void append_all(const cuda_hull *own, const hull_arrays *arrays, launch_list *out) {
    launch_append_fill(out, arrays->workspace, 0xff, own->layout.ones);
    launch_hull(&own->request, &own->layout, arrays, &own->target, out);
    if (own->layout.is_one) append_many(own, arrays, out);
}

static riffle_status load_launches(const device *d, const cuda_hull *own, const uint64_t *first) {
    const hull_arrays arrays = {.first = first};
    launch_list list;
    launch_list_begin(&list);
    append_all(own, &arrays, &list);
    const riffle_status status = d->ops->load(d, "a step of hulls", &list);
    launch_list_free(&list);
    return status;
}

/* What one large set needs besides. */
static riffle_status choose_stages(const device *d, cuda_hull *own) {
    if (!own->layout.is_one) return RIFFLE_OK;
    own->stages = (hull_stages){.type = own->request.type,
                                .most = own->request.n,
                                .all = own->request.all,
                                .is_paper = own->request.is_paper};
    return hull_stages_choose(&own->stages, d);
}

static riffle_status prepare(riffle_hull_plan *plan, cuda_hull *own) {
    const uint64_t anything = 0;
    hull_lay_out(&own->request, &own->layout);
    riffle_status status = choose_stages(&plan->base.on, own);
    if (status == RIFFLE_OK) status = load_launches(&plan->base.on, own, NULL);
    if (status == RIFFLE_OK) status = load_launches(&plan->base.on, own, &anything);
    plan->base.workspace_bytes = own->layout.bytes + (own->layout.is_one ? hull_stages_bytes(&own->stages) : 0);
    plan->base.is_exclusive = !plan->base.callers_workspace;
    return status == RIFFLE_OK ? plan_base_allocate(&plan->base, "a plan of hulls", "the workspace of hulls")
                               : status;
}

static riffle_status create(riffle_hull_plan *plan, const riffle_hull_options *options) {
    (void)options;
    plan_target target;
    riffle_status status = cuda_engine_target(&target);
    if (status != RIFFLE_OK) return status;
    cuda_hull *const own = calloc(1, sizeof *own);
    if (own == NULL) return fail_memory("a plan of hulls", sizeof *own);
    plan->own = own;
    own->target = target;
    own->request = (hull_request){.type = plan->type,
                                  .n = plan->n,
                                  .sets = plan->sets,
                                  .all = plan->all,
                                  .index_bytes = plan->points ? 0 : plan->index_bytes,
                                  .is_paper = plan->algorithm == RIFFLE_HULL_PAPER && plan->n > 0};
    int before;
    status = device_of_cuda(&plan->base.on);
    if (status == RIFFLE_OK) status = plan->base.on.ops->guard(&plan->base.on, "planning", NULL, &before);
    if (status != RIFFLE_OK) return status;
    status = prepare(plan, own);
    plan->base.on.ops->unguard(&plan->base.on, before);
    return status;
}

static void destroy(void *own) { free(own); }

/* ------------------------------------------------------------------ executions */

static riffle_status queue(const riffle_hull_plan *plan, const hull_arrays *arrays, cudaStream_t stream) {
    launch_list list;
    launch_list_begin(&list);
    append_all(plan->own, arrays, &list);
    return device_run(&plan->base.on, "launching a step of hulls", &list, stream);
}

static riffle_status check_plan(const riffle_hull_plan *plan) {
    return plan != NULL ? plan_base_check_device(&plan->base)
                        : fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
}

static riffle_status check_apart(const riffle_hull_plan *plan, const hull_arrays *arrays) {
    const call_array all[] = {{.name = "points", arrays->points, hull_point_bytes(plan), plan->n},
                              {.name = "hulls", arrays->hulls, riffle_hull_plan_result_bytes(plan), plan->n},
                              {.name = "lengths", arrays->lengths, sizeof *arrays->lengths, plan->sets},
                              {.name = "first", arrays->first, sizeof *arrays->first, plan->sets + 1}};
    return arrays_check_workspace(all, sizeof all / sizeof *all, arrays->workspace, plan->base.workspace_bytes);
}

riffle_status riffle_cuda_hull_execute(const riffle_hull_plan *plan, void *hulls, uint64_t *lengths,
                                       const void *points, const uint64_t *first, void *workspace,
                                       struct CUstream_st *stream) {
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK) status = hull_check_arrays(plan, hulls, lengths, points);
    if (status == RIFFLE_OK && first == NULL) status = hull_check_even(plan);
    if (status == RIFFLE_OK && (uintptr_t)points % hull_point_bytes(plan) != 0)
        status = fail(RIFFLE_ERROR_INVALID_ARGUMENT, "points are not aligned to a point of %zu bytes",
                      hull_point_bytes(plan));
    void *place = NULL;
    if (status == RIFFLE_OK) status = plan_base_find_workspace(&plan->base, workspace, &place);
    if (status != RIFFLE_OK) return status;
    const hull_arrays arrays = {points, first, hulls, lengths, place};
    status = check_apart(plan, &arrays);
    return status == RIFFLE_OK ? queue(plan, &arrays, stream) : status;
}

/* ----------------------------------------------------------------------- check */

/* What the kernels know of a coordinate is its order's number of 64 bits: a double, for those that may be refused are floats. */
static riffle_status refuse(const hull_record *record) {
    double pair[2];
    if (record->bad_set != UINT64_MAX)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "set %" PRIu64 " does not begin and end among the points, in this order", record->bad_set);
    memcpy(pair, record->bad, sizeof pair);
    return hull_refuse_pair(record->bad_point, (hull_f64){pair[0], pair[1]});
}

riffle_status riffle_cuda_hull_check(const riffle_hull_plan *plan, const void *workspace,
                                     struct CUstream_st *stream) {
    hull_record record;
    void *place = NULL;
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK) status = plan_base_find_workspace(&plan->base, workspace, &place);
    if (status != RIFFLE_OK) return status;
    cudaError_t error = cudaMemcpyAsync(&record, place, sizeof record, cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess) return cuda_result(error, "finding hulls");
    return record.bad_point == UINT64_MAX && record.bad_set == UINT64_MAX ? RIFFLE_OK : refuse(&record);
}

/* ----------------------------------------------------------------- host arrays */

/* What a call from host memory has on the device. */
typedef struct carried {
    void *points, *hulls, *lengths, *first, *workspace;
    size_t point_bytes, hull_bytes, length_bytes, first_bytes, workspace_bytes;
} carried;

static riffle_status bring(carried *c, const riffle_hull_plan *plan, const void *points,
                           const uint64_t *first) {
    riffle_status status = cuda_allocate("the points of hulls", c->point_bytes, &c->points);
    if (status == RIFFLE_OK) status = cuda_allocate("hulls", c->hull_bytes, &c->hulls);
    if (status == RIFFLE_OK) status = cuda_allocate("lengths of hulls", c->length_bytes, &c->lengths);
    if (status == RIFFLE_OK) status = cuda_allocate("where sets begin", c->first_bytes, &c->first);
    if (status == RIFFLE_OK)
        status = cuda_allocate("the workspace of hulls", c->workspace_bytes, &c->workspace);
    if (status != RIFFLE_OK) return status;
    cudaError_t error = cudaMemcpy(c->points, points, c->point_bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess && plan->sets > 1) /* what is behind hulls comes back too */
        error = cudaMemset(c->hulls, 0, c->hull_bytes);
    if (error == cudaSuccess && first != NULL)
        error = cudaMemcpy(c->first, first, c->first_bytes, cudaMemcpyHostToDevice);
    status = cuda_result(error, "bringing points to the GPU");
    if (status == RIFFLE_OK)
        status = riffle_cuda_hull_execute(plan, c->hulls, c->lengths, c->points, c->first, c->workspace, NULL);
    return status == RIFFLE_OK ? riffle_cuda_hull_check(plan, c->workspace, NULL) : status;
}

/* Of one set its hull, of many all that lies between the first beginning and the last end. */
static riffle_status fetch(const carried *c, const riffle_hull_plan *plan, void *hulls, uint64_t *lengths,
                           const uint64_t *first) {
    const size_t bytes = riffle_hull_plan_result_bytes(plan);
    const uint64_t begin = hull_set_first(plan, first, 0), end = hull_set_first(plan, first, plan->sets);
    cudaError_t error = cudaMemcpy(lengths, c->lengths, c->length_bytes, cudaMemcpyDeviceToHost);
    const uint64_t results = plan->sets == 1 ? lengths[0] : end - begin;
    if (error == cudaSuccess && results > 0)
        error = cudaMemcpy((char *)hulls + begin * bytes, (const char *)c->hulls + begin * bytes,
                           results * bytes, cudaMemcpyDeviceToHost);
    return cuda_result(error, "bringing hulls back from the GPU");
}

static riffle_status execute(const riffle_hull_plan *plan, void *hulls, uint64_t *lengths, const void *points,
                             const uint64_t *first) {
    carried c = {.point_bytes = plan->n * hull_point_bytes(plan),
                 .hull_bytes = plan->n * riffle_hull_plan_result_bytes(plan),
                 .length_bytes = plan->sets * sizeof *lengths,
                 .first_bytes = first != NULL ? (plan->sets + 1) * sizeof *first : 0,
                 .workspace_bytes = plan->base.callers_workspace ? plan->base.workspace_bytes : 0};
    enum cudaStreamCaptureMode mode;
    riffle_status status = plan_base_check_device(&plan->base);
    if (status == RIFFLE_OK) status = capture_pass_by("hulls of host memory", NULL, &mode);
    if (status != RIFFLE_OK) return status;
    status = bring(&c, plan, points, first);
    if (status == RIFFLE_OK) status = fetch(&c, plan, hulls, lengths, first);
    cudaFree(c.points);
    cudaFree(c.hulls);
    cudaFree(c.lengths);
    cudaFree(c.first);
    cudaFree(c.workspace);
    capture_leave(mode);
    return status;
}

/* ------------------------------------------------------------- explanations */

static void explain(const riffle_hull_plan *plan, FILE *out) {
    fprintf(out, "phases      ");
    if (plan->algorithm == RIFFLE_HULL_PAPER)
        fprintf(out,
                "the dissertation's (chapter 3): points outermost divide the others, until none is left\n");
    else if (plan->sets > 1)
        fprintf(out, "sets of up to %d points are a warp's each, longer ones a block's\n", HULL_LANES);
    else if (plan->n <= HULL_FEW)
        fprintf(out, "one block sorts the points, and finds their hull\n");
    else
        fprintf(out,
                "outermost points of a sample make boundaries, and these a sieve\n"
                "            all are read once, and what falls into the sieve is thrown away\n"
                "            what stays meets boundaries again, and is sorted and joined by one block, or by "
                "all where it is more than %d points\n",
                HULL_FEW);
}

const hull_engine cuda_hull_engine = {
    .create = create, .execute = execute, .explain = explain, .destroy = destroy};
