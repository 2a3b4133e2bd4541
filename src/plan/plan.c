/* SPDX-License-Identifier: Apache-2.0
 *
 * From a decision to a plan: build the passes of the chosen algorithm and what memory they need.
 */
#include "plan/plan.h"

#include <stdlib.h>

#include "base/status.h"
#include "perm/kind.h"
#include "plan/affine_passes.h"
#include "plan/bmmc_passes.h"
#include "plan/matrix_passes.h"

/* What is costly to evaluate is written out where it will be looked up again and again; consumes `map`. */
static riffle_status prepare_map(const riffle_plan *plan, riffle_perm *map, riffle_perm **out) {
    *out = map;
    if (!plan_writes_out(map, &plan->summary.target, plan->summary.executions)) return RIFFLE_OK;
    riffle_status status = perm_tabulate(map, out);
    riffle_perm_free(map);
    return status;
}

static riffle_status build_indexed(riffle_plan *plan, pass_kind kind, riffle_perm *map) {
    riffle_status status = prepare_map(plan, map, &map);
    if (status != RIFFLE_OK) return status;
    plan->passes[plan->built++] =
        (pass){.kind = kind, .to = BUFFER_DST, .indexed = {map, plan->summary.elem_bytes}};
    if (map->kind == PERM_TABLE) plan->bytes += map->n * map->table.entry_bytes;
    return RIFFLE_OK;
}

/* A GPU writes out its map itself. */
static bool is_left_to_engine(const riffle_plan *plan) { return plan->summary.target.kind == TARGET_CUDA; }

static riffle_status build_left_map(riffle_plan *plan, pass_kind kind) {
    riffle_perm *map;
    const riffle_status status = table_elsewhere(plan->summary.n, &map);
    return status == RIFFLE_OK ? build_indexed(plan, kind, map) : status;
}

static riffle_status build_scatter(riffle_plan *plan, const riffle_perm *perm) {
    if (is_left_to_engine(plan)) return build_left_map(plan, PASS_SCATTER);
    return build_indexed(plan, PASS_SCATTER, riffle_perm_retain(perm));
}

static riffle_status build_gather(riffle_plan *plan, const riffle_perm *perm) {
    if (is_left_to_engine(plan)) return build_left_map(plan, PASS_GATHER);
    riffle_perm *inverse;
    riffle_status status = riffle_perm_invert(perm, &inverse);
    if (status != RIFFLE_OK) return status;
    return build_indexed(plan, PASS_GATHER, inverse);
}

static riffle_status build_copy(riffle_plan *plan, const riffle_perm *perm) {
    plan->passes[plan->built++] = (pass){.kind = PASS_COPY,
                                         .to = BUFFER_DST,
                                         .copy = {perm->rotation, plan->summary.n, plan->summary.elem_bytes}};
    return RIFFLE_OK;
}

static riffle_status build_axes(riffle_plan *plan, const riffle_perm *perm) {
    pass *p = &plan->passes[plan->built++];
    *p = (pass){.kind = PASS_AXES_TILE, .to = BUFFER_DST};
    axes_tile_plan(&perm->axes, plan->summary.elem_bytes, &p->axes_tile);
    return RIFFLE_OK;
}

/* Passes alternate between the workspace and dst, so that the last one writes dst. */
static pass_buffer written_by(const riffle_plan *plan, unsigned k) {
    return (plan->summary.choice.passes - 1 - k) % 2 == 0 ? BUFFER_DST : BUFFER_WORKSPACE;
}

static riffle_status build_bucket_tile(riffle_plan *plan, const riffle_perm *perm) {
    bucket_tile_schedule schedules[BUCKET_TILE_PASSES] = {{0}};
    const bucket_tile_shape shape = plan->summary.choice.tile_shape;
    riffle_status status = RIFFLE_OK;
    if (!is_left_to_engine(plan)) status = bucket_tile_plan(perm, plan->summary.elem_bytes, shape, schedules);
    if (status != RIFFLE_OK) return status;
    pass_buffer from = BUFFER_SRC;
    for (unsigned k = 0; k < shape.passes; k++) {
        const pass_buffer to = written_by(plan, k);
        plan->passes[plan->built++] =
            (pass){.kind = PASS_BUCKET_TILE, .from = from, .to = to, .bucket_tile = schedules[k]};
        if (!is_left_to_engine(plan)) plan->bytes += bucket_tile_bytes(&schedules[k]);
        from = to;
    }
    plan->workspace_bytes = bucket_tile_workspace_bytes(plan->summary.n, plan->summary.elem_bytes, &shape);
    return RIFFLE_OK;
}

static riffle_status build_bucket(riffle_plan *plan, const riffle_perm *perm) {
    if (plan_target_is_device(&plan->summary.target)) return build_bucket_tile(plan, perm);
    bucket_schedule schedules[BUCKET_MAX_PASSES];
    riffle_status status = bucket_plan(perm, plan->summary.elem_bytes, plan->summary.choice.shape,
                                       plan->summary.threads, schedules);
    if (status != RIFFLE_OK) return status;
    pass_buffer from = BUFFER_SRC;
    for (unsigned k = 0; k < plan->summary.choice.passes; k++) {
        const pass_buffer to = written_by(plan, k);
        plan->passes[plan->built++] =
            (pass){.kind = PASS_BUCKET, .from = from, .to = to, .bucket = schedules[k]};
        plan->bytes += bucket_bytes(&schedules[k]);
        from = to;
    }
    if (plan->summary.choice.passes == 1) return RIFFLE_OK;
    plan->staging_bytes = plan->summary.threads * bucket_staging_bytes(&schedules[0]);
    plan->bytes += plan->staging_bytes;
    plan->workspace_bytes = plan->summary.array_bytes;
    return RIFFLE_OK;
}

static riffle_status build_passes(riffle_plan *plan, const riffle_perm *perm) {
    static riffle_status (*const build[])(riffle_plan *, const riffle_perm *) = {
        [RIFFLE_ALGORITHM_COPY] = build_copy,
        [RIFFLE_ALGORITHM_SCATTER] = build_scatter,
        [RIFFLE_ALGORITHM_GATHER] = build_gather,
        [RIFFLE_ALGORITHM_AFFINE] = build_affine,
        [RIFFLE_ALGORITHM_AXES] = build_axes,
        [RIFFLE_ALGORITHM_BUCKET] = build_bucket,
        [RIFFLE_ALGORITHM_TRANSPOSE] = build_transpose,
        [RIFFLE_ALGORITHM_ROW_WISE] = build_row_wise,
        [RIFFLE_ALGORITHM_COLUMN_WISE] = build_column_wise,
        [RIFFLE_ALGORITHM_SCHEDULED] = build_scheduled,
        [RIFFLE_ALGORITHM_CONFLICT_FREE] = build_row_wise,
        [RIFFLE_ALGORITHM_BMMC_NAIVE] = build_bmmc,
        [RIFFLE_ALGORITHM_BMMC_TILE] = build_bmmc,
        [RIFFLE_ALGORITHM_BMMC_TILE_BANKS] = build_bmmc,
        [RIFFLE_ALGORITHM_BMMC_TILE_ITERS] = build_bmmc,
        [RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS] = build_bmmc,
    };
    if (plan->summary.choice.passes == 0) return RIFFLE_OK;
    return build[plan->summary.choice.algorithm](plan, perm);
}

riffle_status plan_build_decided(const riffle_perm *perm, const plan_summary *summary, riffle_plan **out) {
    const size_t bytes = sizeof(riffle_plan) + summary->choice.passes * sizeof(pass);
    riffle_plan *plan = calloc(1, bytes);
    if (plan == NULL) return fail_memory("a plan", bytes);
    plan->summary = *summary;
    plan->bytes = bytes;
    plan->rounds = summary->batch;
    if (pthread_mutex_init(&plan->lock, NULL) != 0) {
        free(plan);
        return fail_memory("a plan's lock", sizeof plan->lock);
    }
    riffle_status status = build_passes(plan, perm);
    if (status != RIFFLE_OK) {
        plan_destroy(plan);
        return status;
    }
    *out = plan;
    return RIFFLE_OK;
}

riffle_status plan_build(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                         const riffle_plan_options *options, riffle_perm **recognized, riffle_plan **out) {
    riffle_perm *value;
    plan_summary summary;
    riffle_status status = plan_decide(perm, elem_bytes, target, options, &value, &summary);
    if (status != RIFFLE_OK) return status;
    status = plan_build_decided(value, &summary, out);
    if (status == RIFFLE_OK && recognized != NULL) {
        *recognized = value;
    } else {
        riffle_perm_free(value);
    }
    return status;
}

static void free_pass(pass *p) {
    switch (p->kind) {
    case PASS_SCATTER:
    case PASS_GATHER: riffle_perm_free(p->indexed.map); break;
    case PASS_BUCKET: bucket_free(&p->bucket); break;
    case PASS_BUCKET_TILE: bucket_tile_free(&p->bucket_tile); break;
    case PASS_ROW_WISE: row_wise_free(&p->row_wise); break;
    default: break;
    }
}

void plan_destroy(riffle_plan *plan) {
    if (plan == NULL) return;
    for (unsigned k = 0; k < plan->built; k++) free_pass(&plan->passes[k]);
    pthread_mutex_destroy(&plan->lock);
    free(plan);
}

riffle_algorithm riffle_plan_algorithm(const riffle_plan *plan) { return plan->summary.choice.algorithm; }

unsigned riffle_plan_passes(const riffle_plan *plan) { return plan->summary.choice.passes; }

size_t riffle_plan_bytes(const riffle_plan *plan) { return plan->bytes; }

size_t riffle_plan_workspace_bytes(const riffle_plan *plan) {
    return plan->spare_bytes > 0 ? plan_spare_start(plan) + plan->spare_bytes : plan->workspace_bytes;
}
