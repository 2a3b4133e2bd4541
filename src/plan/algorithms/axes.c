/* SPDX-License-Identifier: Apache-2.0
 *
 * The axes algorithm: an axes permutation of any shape in one pass of tiles.
 */
#include <stdlib.h>

#include "base/status.h"
#include "models/traffic.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"

static const char *obstacle(const plan_request *r) {
    if (r->perm->kind != PERM_AXES) return "it moves only axes permutations";
    const bool has_room =
        !plan_target_is_device(&r->target) || r->target.shared_bytes >= BOX_LEAST_SHARED_BYTES;
    return has_room ? NULL : "a block has less shared memory than a box of one element takes";
}

static double slowdown(const plan_request *r) {
    (void)r;
    return 1.7;
}

/* One array on the host, all arrays of a batch on a limits. */
static void move_of(const plan_request *r, strided_move *out) {
    strided_of_axes(&r->perm->axes, r->elem_bytes, out);
    if (!plan_target_is_device(&r->target) || r->batch == 1) return;
    out->axis[out->rank++] = (strided_axis){r->batch, (int64_t)r->stride, (int64_t)r->stride};
    strided_normalize(out);
}

static box_device device_of(const plan_request *r) {
    return (box_device){r->target.shared_bytes, r->target.block_threads, r->target.multiprocessors};
}

/* Boxes for arrays that begin at multiples of the longest unit. */
static void plan_aligned(const plan_request *r, const strided_move *move, box_schedule *out) {
    const box_device limits = device_of(r);
    strided_move m = *move;
    strided_choose_unit(&m, STRIDED_LONGEST_UNIT);
    box_plan(&m, &limits, out);
}

/* For arrays that begin at multiples of an element's units: cut as those are, where they fit so. */
static void plan_anywhere(const plan_request *r, const strided_move *move, const box_schedule *aligned,
                          box_schedule *out) {
    const box_device limits = device_of(r);
    strided_move m = *move;
    strided_choose_unit(&m, 1);
    if (aligned->alignment == m.elem_bytes) {
        *out = *aligned;
    } else if (!box_cut(&m, &aligned->shape, limits.shared_bytes, out)) {
        box_plan(&m, &limits, out);
    }
}

/* Traffic of an element, which may be several units of the boxes', or a part of one. */
static double traffic_of(const plan_request *r, const box_schedule *boxes) {
    return box_traffic(boxes) * (double)r->elem_bytes / (double)boxes->elem_bytes;
}

/* Traffic for arrays that begin on the longest unit. */
static double traffic_as_planned(const plan_request *r) {
    strided_move move;
    box_schedule boxes;
    if (!plan_target_is_device(&r->target) || r->n == 0) return traffic_copy(r->elem_bytes);
    move_of(r, &move);
    plan_aligned(r, &move, &boxes);
    return traffic_of(r, &boxes);
}

static riffle_status build(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    strided_move move;
    move_of(r, &move);
    if (!plan_target_is_device(&r->target)) {
        axes_tile_plan(&move, plan_place(r), &plan_add_pass(plan, &PASS_AXES_TILE)->axes_tile);
        return RIFFLE_OK;
    }
    axes_box_pass *const boxes = calloc(1, sizeof *boxes);
    if (boxes == NULL) return fail_memory("a schedule of boxes", sizeof *boxes);
    plan_add_pass(plan, &PASS_AXES_BOX)->axes_box = boxes;
    plan->bytes += sizeof *boxes;
    plan->rounds = 1; /* all arrays at once */
    plan_aligned(r, &move, &boxes->aligned);
    if (boxes->aligned.boxes > 0) plan_expect_traffic(r, traffic_of(r, &boxes->aligned), &plan->choice);
    plan_anywhere(r, &move, &boxes->aligned, &boxes->anywhere);
    return RIFFLE_OK;
}

static vector_loops loops(const plan_request *r) {
    (void)r;
    return LOOPS_AXES;
}

const plan_algorithm algorithm_axes = {.id = RIFFLE_ALGORITHM_AXES,
                                       .name = "axes",
                                       .loops = loops,
                                       .obstacle = obstacle,
                                       .traffic_as_planned = traffic_as_planned,
                                       .slowdown = slowdown,
                                       .build = build};
