/* SPDX-License-Identifier: Apache-2.0
 *
 * The BMMC paper's algorithms (Bouverot-Dupuis, Sheeran 2023): five kernels, one schedule (bmmc.h). A matrix that is
 * not tiled takes the tiled ones two passes.
 */
#include "models/traffic.h"
#include "papers/schedules/bmmc.h"
#include "plan/algorithm.h"

static unsigned width_bits(const plan_request *r) { return (unsigned)__builtin_ctz(r->target.width); }

static const char *obstacle(const plan_request *r) {
    const char *const words = algorithm_words_obstacle(r);
    if (words != NULL) return words;
    if (!plan_target_is_device(&r->target)) return "the cpu engine does not have it";
    if (!r->is_affine) return "it moves only affine permutations of 2^m elements";
    return bmmc_obstacle(&r->affine, r->algorithm, width_bits(r));
}

static riffle_status shape(const plan_request *r, plan_choice *c) {
    c->passes = bmmc_passes(&r->affine, c->algorithm->id, width_bits(r));
    return RIFFLE_OK;
}

static double naive_traffic(const plan_request *r, const plan_choice *c) {
    (void)c;
    return traffic_scatter(r->elem_bytes, 0);
}

static riffle_status build(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    bmmc_schedule schedules[BMMC_MAX_PASSES];
    const unsigned passes = bmmc_plan(&r->affine, plan->choice.algorithm->id, width_bits(r), schedules);
    for (unsigned k = 0; k < passes; k++) {
        pass *p = plan_add_pass(plan, &PASS_BMMC);
        if (k > 0) p->from = BUFFER_WORKSPACE;
        if (k + 1 < passes) p->to = BUFFER_WORKSPACE;
        p->bmmc = (bmmc_pass){schedules[k], r->elem_bytes};
    }
    if (passes > 1) plan->workspace_bytes = r->array_bytes;
    return RIFFLE_OK;
}

const plan_algorithm algorithm_bmmc_naive = {.id = RIFFLE_ALGORITHM_BMMC_NAIVE,
                                             .name = "bmmc-naive",
                                             .obstacle = obstacle,
                                             .shape = shape,
                                             .traffic = naive_traffic,
                                             .build = build};

/* Algorithms by tiles differ in the kernel alone. */
#define TILED(ID, NAME)                                                                                        \
    { .id = ID, .name = NAME, .obstacle = obstacle, .shape = shape, .build = build }

const plan_algorithm algorithm_bmmc_tile = TILED(RIFFLE_ALGORITHM_BMMC_TILE, "bmmc-tile");
const plan_algorithm algorithm_bmmc_tile_banks = TILED(RIFFLE_ALGORITHM_BMMC_TILE_BANKS, "bmmc-tile-banks");
const plan_algorithm algorithm_bmmc_tile_iters = TILED(RIFFLE_ALGORITHM_BMMC_TILE_ITERS, "bmmc-tile-iters");
const plan_algorithm algorithm_bmmc_tile_banks_iters =
    TILED(RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS, "bmmc-tile-banks-iters");
