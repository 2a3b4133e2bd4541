/* SPDX-License-Identifier: Apache-2.0
 *
 * The bucket algorithm: any permutation in passes over pieces of a cache's size (bucket.h), or on devices of
 * shared memory's (bucket_tile.h).
 */
#include "base/arithmetic.h"
#include "base/processor/vectors.h"
#include "check/kernels/block.h"
#include "models/measured.h"
#include "models/traffic.h"
#include "perm/kind.h"
#include "plan/algorithm.h"
#include "plan/bucket/rows.h"
#include "plan/bucket/streams.h"
#include "plan/choose/choose.h"

static const char *obstacle(const plan_request *r) {
    if (!plan_target_is_device(&r->target))
        return r->elem_bytes <= BUCKET_MAX_ELEM_BYTES ? NULL : "its elements must be at most 64 bytes long";
    return bucket_tile_obstacle(r->n, r->elem_bytes);
}

/* Measured with AVX-512 alone, and with a second-level cache that holds two windows. */
static bool goes_by_rows(const plan_request *r, const bucket_shape *shape) {
    bucket_rows_shape rows;
    return shape->passes == 2 && vectors_for(LOOPS_TABLES) != VECTORS_PORTABLE &&
           bucket_rows_choose(r->n, r->elem_bytes, &rows);
}

bucket_shape bucket_shape_of(const plan_request *r) {
    bucket_shape shape = bucket_choose_shape(r->n, r->elem_bytes, &r->target.translation);
    if (r->check == RIFFLE_CHECK_PASSES) return shape;
    shape.form = bucket_find_streams(r->perm, r->elem_bytes, shape.piece_bits);
    if (shape.form != BUCKET_ANY)
        shape.passes = 1;
    else if (goes_by_rows(r, &shape))
        shape.form = BUCKET_ROWS;
    return shape;
}

/* The target whose shared memory pieces fill; a check of passes has a block's sums there. */
static plan_target target_of_pieces(const plan_request *r) {
    plan_target target = r->target;
    if (r->check == RIFFLE_CHECK_PASSES) target.shared_bytes -= min(target.shared_bytes, sizeof(check_block));
    return target;
}

static riffle_status shape(const plan_request *r, plan_choice *c) {
    if (plan_target_is_device(&r->target)) {
        const plan_target target = target_of_pieces(r);
        c->tile_shape = bucket_tile_choose(r->n, r->elem_bytes, &target);
        c->passes = c->tile_shape.passes;
    } else {
        if (c->shape.passes == 0) c->shape = bucket_shape_of(r); /* else the policy has found it */
        c->passes = c->shape.passes;
    }
    return RIFFLE_OK;
}

static double traffic(const plan_request *r, const plan_choice *c) {
    return traffic_bucket(r->elem_bytes, c->passes);
}

/* Two passes over elements of 4 bytes were measured. */
static double slowdown(const plan_request *r) {
    const double copies = measured_copies(MEASURED_BUCKET, measured_here(), (double)r->array_bytes);
    return copies * traffic_copy(MEASURED_ELEM_BYTES) / traffic_bucket(MEASURED_ELEM_BYTES, 2);
}

/* The order of each pass, and its runs. */
static double kept(const plan_request *r, const plan_choice *c) {
    const double run_share = 0.5;
    return (double)c->passes * sizeof(uint16_t) +
           (plan_target_is_device(&r->target) ? bucket_tile_chunk_share(r->elem_bytes, c->passes) : run_share);
}

/* Short tables are soon made, for an outline too. */
static bool leaves_tables(const riffle_plan *plan) {
    enum { SHORT = 1 << 18 };
    return plan->is_outline ? plan->request.n * perm_parts(plan->request.perm) > SHORT
                            : plan_leaves_tables_to_engine(plan);
}

static riffle_status free_all(bucket_tile_schedule schedules[BUCKET_TILE_PASSES], riffle_status status) {
    for (unsigned k = 0; k < BUCKET_TILE_PASSES; k++) bucket_tile_free(&schedules[k]);
    return status;
}

static riffle_status build_tiles(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    const bool is_left = leaves_tables(plan);
    const bucket_tile_shape *const cut = &plan->choice.tile_shape;
    bucket_tile_schedule schedules[BUCKET_TILE_PASSES] = {{0}};
    riffle_status status = is_left ? RIFFLE_OK : bucket_tile_plan(r->perm, r->elem_bytes, *cut, schedules);
    if (status != RIFFLE_OK) return status;
    for (unsigned k = 1; !is_left && r->check == RIFFLE_CHECK_PASSES && status == RIFFLE_OK && k < cut->passes;
         k++)
        status = bucket_tile_mark(&schedules[k]);
    if (status != RIFFLE_OK) return free_all(schedules, status);
    if (is_left && plan->is_outline) bucket_tile_outline(r->n, r->elem_bytes, cut, schedules);
    for (unsigned k = 0; k < cut->passes; k++) {
        pass *p = plan_add_pass(plan, r->check == RIFFLE_CHECK_PASSES ? &PASS_BUCKET_TILE_CHECKED
                                                                      : &PASS_BUCKET_TILE);
        p->block_threads = r->target.block_threads;
        p->from = k == 0 ? BUFFER_SRC : plan_written_by(plan, k - 1);
        p->to = plan_written_by(plan, k);
        p->bucket_tile = schedules[k];
        plan_compare_between(plan, k);
        if (!is_left) plan->bytes += bucket_tile_bytes(&schedules[k]);
    }
    plan->workspace_bytes = bucket_tile_workspace_bytes(r->n, r->elem_bytes, cut);
    return RIFFLE_OK;
}

/* Two passes with rows between them; where these take too much room, two without. A sixteenth of all may be empty between the passes. */
static riffle_status build_rows(riffle_plan *plan, bool *fits) {
    enum { EMPTY_PART = 16 };
    const plan_request *const r = &plan->request;
    bucket_rows schedules[2];
    bucket_rows_shape cut;
    bucket_rows_choose(r->n, r->elem_bytes, &cut);
    const riffle_status status =
        bucket_rows_plan(r->perm, r->elem_bytes, &cut, plan->choice.threads, schedules, fits);
    if (status != RIFFLE_OK || !*fits) return status;
    if (schedules[0].n > r->n + r->n / EMPTY_PART) {
        for (unsigned k = 0; k < 2; k++) bucket_rows_free(&schedules[k]);
        *fits = false;
        return RIFFLE_OK;
    }
    for (unsigned k = 0; k < 2; k++) {
        pass *const p = plan_add_pass(plan, &PASS_BUCKET_ROWS);
        p->from = k == 0 ? BUFFER_SRC : BUFFER_WORKSPACE;
        p->to = plan_written_by(plan, k);
        p->bucket_rows = schedules[k];
        plan->bytes += bucket_rows_bytes(&schedules[k]);
    }
    plan->workspace_bytes = schedules[0].n * r->elem_bytes;
    return RIFFLE_OK;
}

static riffle_status build(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    if (plan_target_is_device(&r->target)) return build_tiles(plan);
    if (plan->choice.shape.form == BUCKET_ROWS) {
        bool fits;
        const riffle_status made = build_rows(plan, &fits);
        if (made != RIFFLE_OK || fits) return made;
        plan->choice.shape.form = BUCKET_ANY;
    }
    bucket_schedule schedules[BUCKET_MAX_PASSES];
    const unsigned passes = plan->choice.passes, threads = plan->choice.threads;
    const bucket_shape cut = plan->choice.shape;
    const riffle_status status = (cut.form == BUCKET_ANY ? bucket_plan : bucket_plan_streams)(
        r->perm, r->elem_bytes, cut, threads, schedules);
    if (status != RIFFLE_OK) return status;
    for (unsigned k = 0; k < passes; k++) {
        pass *p = plan_add_pass(plan, r->check == RIFFLE_CHECK_PASSES ? &PASS_BUCKET_CHECKED : &PASS_BUCKET);
        p->from = k == 0 ? BUFFER_SRC : plan_written_by(plan, k - 1);
        p->to = plan_written_by(plan, k);
        p->bucket = schedules[k];
        plan_compare_between(plan, k);
        plan->bytes += bucket_bytes(&schedules[k]);
    }
    if (passes > 1) plan->workspace_bytes = r->array_bytes;
    if (passes > 1 || cut.form == BUCKET_JOIN)
        plan->staging_bytes = threads * bucket_staging_bytes(&schedules[0]);
    plan->bytes += plan->staging_bytes;
    return RIFFLE_OK;
}

const plan_algorithm algorithm_bucket = {.id = RIFFLE_ALGORITHM_BUCKET,
                                         .name = "bucket",
                                         .obstacle = obstacle,
                                         .shape = shape,
                                         .traffic = traffic,
                                         .slowdown = slowdown,
                                         .kept = kept,
                                         .compares = true,
                                         .build = build};
