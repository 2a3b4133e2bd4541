/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls on a device, a GPU or the memory machine: a plan and arrays become a list of launches (hull_append), and the doors queue it,
 * for arrays of the device and of the host. The launches stand in launch/hull.c.
 */
#include "hull/gpu/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/carry.h"
#include "hull/gpu/stages.h"
#include "riffle/cuda.h"

typedef struct device_hull {
    plan_target target;
    hull_request request;
    hull_layout layout;
    hull_stages stages; /* one large set's, whose candidates may be many; their workspace is behind the rest */
} device_hull;

/* ---------------------------------------------------------------------- plans */

/* The candidates' hull where one block has no room for them; else there are none. */
static void append_many(const device_hull *own, const hull_arrays *arrays, launch_list *out) {
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

void hull_append(const riffle_hull_plan *plan, const hull_arrays *arrays, launch_list *out) {
    const device_hull *const own = plan->own;
    launch_append_fill(out, arrays->workspace, 0xff, own->layout.ones);
    launch_hull(&own->request, &own->layout, arrays, &own->target, out);
    if (own->layout.is_one) append_many(own, arrays, out);
}

/* Any workspace will do to learn which launches there are. */
static riffle_status load_launches(const riffle_hull_plan *plan, const uint64_t *first) {
    const hull_arrays arrays = {.first = first, .workspace = (void *)(uintptr_t)WORKSPACE_ALIGNMENT};
    launch_list list;
    launch_list_begin(&list);
    hull_append(plan, &arrays, &list);
    return device_load(&plan->base.on, "a step of hulls", &list);
}

/* Plans the stages that one large set needs besides. */
static riffle_status choose_stages(const device *d, device_hull *own) {
    if (!own->layout.is_one) return RIFFLE_OK;
    own->stages = (hull_stages){.type = own->request.type,
                                .most = own->request.n,
                                .all = own->request.all,
                                .is_paper = own->request.is_paper};
    return hull_stages_choose(&own->stages, d);
}

static riffle_status prepare(riffle_hull_plan *plan, device_hull *own) {
    const uint64_t anything = 0;
    hull_lay_out(&own->request, &own->layout);
    riffle_status status = choose_stages(&plan->base.on, own);
    if (status == RIFFLE_OK) status = load_launches(plan, NULL);
    if (status == RIFFLE_OK) status = load_launches(plan, &anything);
    plan->base.workspace_bytes = own->layout.bytes + (own->layout.is_one ? hull_stages_bytes(&own->stages) : 0);
    return status == RIFFLE_OK ? plan_base_allocate(&plan->base, "a plan of hulls", "the workspace of hulls")
                               : status;
}

static riffle_status create(riffle_hull_plan *plan, const riffle_hull_options *options) {
    (void)options;
    device_limits limits;
    int before;
    riffle_status status = plan_base_find_device(&plan->base, &limits, &before);
    if (status != RIFFLE_OK) return status;
    device_hull *const own = plan->own = calloc(1, sizeof *own);
    if (own == NULL) {
        status = fail_memory("a plan of hulls", sizeof *own);
    } else {
        own->target = plan_target_of(TARGET_CUDA, "cuda", &limits);
        own->request =
            (hull_request){.type = plan->type,
                           .n = plan->n,
                           .sets = plan->sets,
                           .all = plan->all,
                           .index_bytes = plan->points ? 0 : plan->index_bytes,
                           .is_paper = plan->algorithm == RIFFLE_HULL_ALGORITHM_PAPER && plan->n > 0};
        status = prepare(plan, own);
    }
    plan->base.on.ops->unguard(&plan->base.on, before);
    return status;
}

static void destroy(void *own) { free(own); }

/* ------------------------------------------------------------------ executions */

static riffle_status queue(const riffle_hull_plan *plan, const hull_arrays *arrays,
                           struct CUstream_st *stream) {
    launch_list list;
    launch_list_begin(&list);
    hull_append(plan, arrays, &list);
    return device_run(&plan->base.on, "launching a step of hulls", &list, stream);
}

static riffle_status check_plan(const riffle_hull_plan *plan) {
    RETURN_IF_NULL(plan);
    return plan_base_check_device(&plan->base);
}

static riffle_status find_workspace(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays,
                                    const void *callers, size_t callers_bytes, void **out) {
    const call_array all[] = {{.name = "points", arrays->points, hull_point_bytes(plan), plan->n},
                              {.name = "hulls", arrays->hulls, riffle_hull_plan_result_bytes(plan), plan->n},
                              {.name = "lengths", arrays->lengths, sizeof *arrays->lengths, plan->sets},
                              {.name = "first", arrays->first, sizeof *arrays->first, plan->sets + 1}};
    return plan_base_find_workspace(&plan->base, all, sizeof all / sizeof *all, callers, callers_bytes, out);
}

riffle_status riffle_cuda_hull_execute(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays,
                                       void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK) status = hull_check_arrays(plan, arrays);
    if (status == RIFFLE_OK && arrays->first == NULL) status = hull_check_even(plan);
    if (status == RIFFLE_OK && (uintptr_t)arrays->points % hull_point_bytes(plan) != 0)
        status = fail(RIFFLE_ERROR_INVALID_ARGUMENT, "points are not aligned to a point of %zu bytes",
                      hull_point_bytes(plan));
    void *place = NULL;
    if (status == RIFFLE_OK) status = find_workspace(plan, arrays, workspace, workspace_bytes, &place);
    if (status != RIFFLE_OK) return status;
    return queue(plan, &(hull_arrays){arrays->points, arrays->first, arrays->hulls, arrays->lengths, place},
                 stream);
}

/* ----------------------------------------------------------------------- check */

/* The kernels know a coordinate by its order's number of 64 bits: a double, for those that may be refused are floats. */
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
    RETURN_IF_NULL(plan);
    hull_record record;
    void *place = NULL;
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK)
        status = plan_base_find_workspace(&plan->base, NULL, 0, workspace, plan->base.workspace_bytes, &place);
    const device *const d = &plan->base.on;
    if (status == RIFFLE_OK)
        status = d->ops->download(d, "finding hulls", &record, place, sizeof record, stream);
    if (status != RIFFLE_OK) return status;
    return record.bad_point == UINT64_MAX && record.bad_set == UINT64_MAX ? RIFFLE_OK : refuse(&record);
}

riffle_status hull_paper_counts(const riffle_hull_plan *plan, hull_paper_state *out) {
    const device *const d = &plan->base.on;
    const device_hull *const own = plan->own;
    return d->ops->download(d, "finding hulls", out, (const char *)plan->base.workspace + own->layout.bytes,
                            sizeof *out, NULL);
}

/* ----------------------------------------------------------------- host arrays */

enum { POINTS, HULLS, LENGTHS, FIRST, WORKSPACE, CARRIED };

/* All that lies between the first set's beginning and the last one's end is fetched, so that what is behind hulls has to be
 * something. */
static riffle_status clear(const device *d, const carried_array *hulls) {
    launch_list list;
    launch_list_begin(&list);
    launch_append_fill(&list, hulls->at, 0, hulls->bytes);
    return device_run(d, "clearing what is behind hulls", &list, NULL);
}

/* One set's hull alone is fetched. */
static riffle_status ask_length(const riffle_hull_plan *plan, carried_array *a) {
    const device *const d = &plan->base.on;
    uint64_t length = 0;
    const riffle_status status =
        d->ops->download(d, "bringing hulls back from the GPU", &length, a[LENGTHS].at, sizeof length, NULL);
    a[HULLS].fetched = length * riffle_hull_plan_result_bytes(plan);
    return status;
}

static riffle_status run_there(const void *context, carried_array *a) {
    const riffle_hull_plan *const plan = context;
    riffle_status status = plan->sets > 1 ? clear(&plan->base.on, &a[HULLS]) : RIFFLE_OK;
    const riffle_hull_arrays there = {
        .hulls = a[HULLS].at, .lengths = a[LENGTHS].at, .points = a[POINTS].at, .first = a[FIRST].at};
    if (status == RIFFLE_OK)
        status = riffle_cuda_hull_execute(plan, &there, a[WORKSPACE].at, a[WORKSPACE].bytes, NULL);
    if (status == RIFFLE_OK) status = riffle_cuda_hull_check(plan, a[WORKSPACE].at, NULL);
    return status == RIFFLE_OK && plan->sets == 1 ? ask_length(plan, a) : status;
}

static riffle_status execute(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays) {
    const uint64_t *const first = arrays->first;
    const size_t bytes = riffle_hull_plan_result_bytes(plan);
    const uint64_t begin = hull_set_first(plan, first, 0);
    carried_array all[CARRIED] = {
        [POINTS] = carried_in("points", arrays->points, plan->n * hull_point_bytes(plan)),
        [HULLS] = carried_out("hulls", arrays->hulls, plan->n * bytes),
        [LENGTHS] = carried_out("lengths", arrays->lengths, plan->sets * sizeof(uint64_t)),
        [FIRST] = carried_in("first", first, first != NULL ? (plan->sets + 1) * sizeof *first : 0),
        [WORKSPACE] = carried_room("the workspace of hulls",
                                   plan->base.callers_workspace ? plan->base.workspace_bytes : 0)};
    all[HULLS].begin = begin * bytes;
    all[HULLS].fetched = (hull_set_first(plan, first, plan->sets) - begin) * bytes;
    return device_carry(&plan->base.on, "hulls of host memory", all, CARRIED, run_there, plan);
}

/* ------------------------------------------------------------- explanations */

static void explain(const riffle_hull_plan *plan, FILE *out) {
    fprintf(out, "phases      ");
    if (plan->algorithm == RIFFLE_HULL_ALGORITHM_PAPER)
        fprintf(out,
                "the dissertation's (chapter 3): points outermost divide the others, until none is left\n");
    else if (plan->sets > 1)
        fprintf(out, "sets of up to %d points are a warp's each, longer ones a block's\n", WARP_LANES);
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

const hull_engine device_hull_engine = {
    .create = create, .execute = execute, .explain = explain, .destroy = destroy};
