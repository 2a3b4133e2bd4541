/* SPDX-License-Identifier: Apache-2.0
 *
 * The axes algorithm: an axes permutation of any shape in one pass of tiles.
 */
#include <stdlib.h>

#include "base/status.h"
#include "models/traffic.h"
#include "plan/algorithm.h"

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

/* One array on the host, all arrays of a batch on a device. */
static void move_of(const plan_request *r, strided_move *out) {
    strided_of_axes(&r->perm->axes, r->elem_bytes, out);
    if (!plan_target_is_device(&r->target) || r->batch == 1) return;
    out->axis[out->rank++] = (strided_axis){r->batch, (int64_t)r->stride, (int64_t)r->stride};
    strided_normalize(out);
}

/* Of addresses that are aligned to no more than elements are. */
static size_t unit_of(const strided_move *move) {
    strided_move cut = *move;
    strided_choose_unit(&cut, 1);
    return cut.elem_bytes;
}

/* What arrays begin at multiples of: of an element's units at least. */
static void plan_boxes(const plan_request *r, const strided_move *move, size_t alignment, box_schedule *out) {
    strided_move m = *move;
    strided_choose_unit(&m, alignment);
    const plan_target *const t = &r->target;
    box_plan(&m, &(box_device){t->shared_bytes, t->block_threads, t->multiprocessors}, out);
}

/* Of an element, which may be several units of the boxes', or a part of one. */
static double traffic_of(const plan_request *r, const box_schedule *boxes) {
    return box_traffic(boxes) * (double)r->elem_bytes / (double)boxes->elem_bytes;
}

/* Of arrays that begin on the longest unit. */
static double traffic_as_planned(const plan_request *r) {
    strided_move move;
    box_schedule boxes;
    if (!plan_target_is_device(&r->target) || r->n == 0) return traffic_copy(r->elem_bytes);
    move_of(r, &move);
    plan_boxes(r, &move, STRIDED_LONGEST_UNIT, &boxes);
    return traffic_of(r, &boxes);
}

static riffle_status build(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    strided_move move;
    move_of(r, &move);
    if (!plan_target_is_device(&r->target)) {
        axes_tile_plan(&move, &plan_add_pass(plan, &PASS_AXES_TILE)->axes_tile);
        return RIFFLE_OK;
    }
    axes_box_pass *const boxes = calloc(1, sizeof *boxes);
    if (boxes == NULL) return fail_memory("a schedule of boxes", sizeof *boxes);
    plan_add_pass(plan, &PASS_AXES_BOX)->axes_box = boxes;
    plan->bytes += sizeof *boxes;
    plan->rounds = 1; /* all arrays at once */
    plan_boxes(r, &move, STRIDED_LONGEST_UNIT, &boxes->aligned);
    if (boxes->aligned.boxes > 0) plan_expect_traffic(r, traffic_of(r, &boxes->aligned), &plan->choice);
    boxes->anywhere = boxes->aligned;
    if (boxes->aligned.elem_bytes != unit_of(&move)) plan_boxes(r, &move, 1, &boxes->anywhere);
    return RIFFLE_OK;
}

const plan_algorithm algorithm_axes = {.id = RIFFLE_ALGORITHM_AXES,
                                       .name = "axes",
                                       .obstacle = obstacle,
                                       .traffic_as_planned = traffic_as_planned,
                                       .slowdown = slowdown,
                                       .build = build};
