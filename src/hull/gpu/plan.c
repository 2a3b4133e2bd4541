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

enum { POINTS, HULLS, LENGTHS, FIRST, ARRAYS, WORKSPACE = ARRAYS, CARRIED };

static void list_arrays(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays,
                        call_array out[ARRAYS]) {
    const size_t points = plan->n * hull_point_bytes(plan),
                 hulls = plan->n * riffle_hull_plan_result_bytes(plan);
    out[POINTS] = call_array_of_bytes("points", arrays->points, points, ARRAY_READ);
    out[HULLS] = call_array_of_bytes("hulls", arrays->hulls, hulls, ARRAY_WRITTEN);
    out[LENGTHS] =
        call_array_of_bytes("lengths", arrays->lengths, plan->sets * sizeof *arrays->lengths, ARRAY_WRITTEN);
    out[FIRST] =
        call_array_of_bytes("first", arrays->first, (plan->sets + 1) * sizeof *arrays->first, ARRAY_READ);
}

riffle_status riffle_cuda_hull_execute(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays,
                                       void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    riffle_status status = check_plan(plan);
    if (status == RIFFLE_OK) status = hull_check_arrays(plan, arrays);
    if (status == RIFFLE_OK && arrays->first == NULL) status = hull_check_even(plan);
    if (status == RIFFLE_OK && (uintptr_t)arrays->points % hull_point_bytes(plan) != 0)
        status = fail(RIFFLE_ERROR_INVALID_ARGUMENT, "points are not aligned to a point of %zu bytes",
                      hull_point_bytes(plan));
    if (status != RIFFLE_OK) return status;
    call_array all[ARRAYS];
    void *place = NULL;
    list_arrays(plan, arrays, all);
    status = plan_base_find_workspace(&plan->base, all, ARRAYS, workspace, workspace_bytes, &place);
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

/* All that lies between the first set's beginning and the last one's end is fetched, so that what is behind hulls has to be
 * something. */
static riffle_status clear(const device *d, const call_array *hulls) {
    launch_list list;
    launch_list_begin(&list);
    launch_append_fill(&list, hulls->there, 0, call_array_bytes(hulls));
    return device_run(d, "clearing what is behind hulls", &list, NULL);
}

/* One set's hull alone is fetched. */
static riffle_status ask_length(const riffle_hull_plan *plan, call_array *a) {
    const device *const d = &plan->base.on;
    uint64_t length = 0;
    const riffle_status status =
        d->ops->download(d, "bringing hulls back from the GPU", &length, a[LENGTHS].there, sizeof length, NULL);
    a[HULLS].kept_behind = call_array_bytes(&a[HULLS]) - a[HULLS].kept_before -
                           (size_t)length * riffle_hull_plan_result_bytes(plan);
    return status;
}

static riffle_status run_there(const void *context, call_array *a) {
    const riffle_hull_plan *const plan = context;
    riffle_status status = plan->sets > 1 ? clear(&plan->base.on, &a[HULLS]) : RIFFLE_OK;
    const riffle_hull_arrays there = {.hulls = a[HULLS].there,
                                      .lengths = a[LENGTHS].there,
                                      .points = a[POINTS].there,
                                      .first = a[FIRST].there};
    void *const workspace = a[WORKSPACE].there;
    if (status == RIFFLE_OK)
        status = riffle_cuda_hull_execute(plan, &there, workspace, call_array_bytes(&a[WORKSPACE]), NULL);
    if (status == RIFFLE_OK) status = riffle_cuda_hull_check(plan, workspace, NULL);
    return status == RIFFLE_OK && plan->sets == 1 ? ask_length(plan, a) : status;
}

static riffle_status execute(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays) {
    const size_t bytes = riffle_hull_plan_result_bytes(plan);
    call_array all[CARRIED];
    list_arrays(plan, arrays, all);
    all[HULLS].kept_before = hull_set_first(plan, arrays->first, 0) * bytes;
    all[HULLS].kept_behind = (plan->n - hull_set_first(plan, arrays->first, plan->sets)) * bytes;
    all[WORKSPACE] = plan_base_carry_workspace(&plan->base, "the workspace of hulls");
    return device_carry(&plan->base.on, "hulls of host memory", all, CARRIED, run_there, plan);
}

/* ------------------------------------------------------------- explanations */

static const char *way(const riffle_hull_plan *plan) {
    if (plan->algorithm == RIFFLE_HULL_ALGORITHM_PAPER) return "the dissertation's";
    return plan->sets > 1 || plan->n <= HULL_FEW ? "chain" : "sieve and chain";
}

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
    .create = create, .execute = execute, .way = way, .explain = explain, .destroy = destroy};
