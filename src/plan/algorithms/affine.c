/* SPDX-License-Identifier: Apache-2.0
 *
 * The affine algorithm: any affine permutation in one pass over cosets, of cache lines (affine_lines.h) or on
 * devices of shared memory's size (affine_tile.h); in place in one or two.
 */
#include "check/kernels/block.h"
#include "models/traffic.h"
#include "plan/affine/in_place.h"
#include "plan/affine/lines.h"
#include "plan/algorithm.h"

static const char *obstacle(const plan_request *r) {
    affine_arrays arrays;
    if (!r->is_affine) return "it moves only affine permutations of 2^m elements";
    if (plan_target_is_device(&r->target)) return affine_arrays_of(r, &arrays);
    if ((r->elem_bytes & (r->elem_bytes - 1)) != 0) return "its elements must be a power of two of bytes long";
    if (r->array_bytes < AFFINE_LINE_BYTES) return "the array is smaller than one cache line";
    return NULL;
}

static riffle_status shape(const plan_request *r, plan_choice *c) {
    if (plan_target_is_device(&r->target)) affine_arrays_of(r, &c->arrays);
    return RIFFLE_OK;
}

static unsigned passes_in_place(const plan_request *r, const plan_choice *c, perm_affine out[FACTOR_MOST]) {
    return affine_in_place_passes(&r->affine, &c->arrays, &r->target, out);
}

static const char *in_place(const plan_request *r, plan_choice *c) {
    static const char *const reasons[] = {
        "everything is in its place already", "its own inverse, or so on tiles: pairs of tiles change places",
        "two that are their own inverses, or so on tiles, one after the other",
        "three that are their own inverses, one after the other"};
    if (!r->is_affine) return "it is no affine permutation of 2^m elements";
    const char *why_not = affine_arrays_of(r, &c->arrays);
    if (why_not != NULL) return why_not;
    perm_affine passes[FACTOR_MOST];
    c->passes = passes_in_place(r, c, passes);
    c->reason = reasons[c->passes];
    return NULL;
}

/* In place what stays is not carried. */
static double traffic(const plan_request *r, const plan_choice *c) {
    perm_affine passes[FACTOR_MOST];
    if (!r->in_place) return c->passes * traffic_copy(r->elem_bytes);
    double sum = 0;
    for (unsigned k = 0; k < passes_in_place(r, c, passes); k++) {
        affine_exchange_schedule s;
        sum +=
            affine_in_place_exchanges(&passes[k], &c->arrays, &r->target, &s) ? affine_exchange_share(&s) : 1;
    }
    return sum * traffic_copy(r->elem_bytes);
}

static double slowdown(const plan_request *r) {
    if (!r->in_place) return vectors_for(LOOPS_AFFINE) == VECTORS_AVX512_VBMI ? 1.4 : 1.7;
    return r->elem_bytes == 1 ? 4 : 2; /* unit by unit */
}

static void add_lines(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    affine_lines_plan(&r->affine, (unsigned)__builtin_ctzll(r->elem_bytes), plan_streams(r),
                      &plan_add_pass(plan, &PASS_AFFINE_LINES)->affine_lines);
}

/* The passes' tiles may differ; what one needs serves all. */
static void add_staging(riffle_plan *plan, size_t each) {
    const size_t bytes = plan->choice.threads * each;
    if (bytes <= plan->staging_bytes) return;
    plan->bytes += bytes - plan->staging_bytes;
    plan->staging_bytes = bytes;
}

/* A check's words are added as they are read where that is by vectors and by whole warps, and the block's memory has room for their sums. */
static bool add_checked(riffle_plan *plan, const perm_affine *affine) {
    const plan_request *const r = &plan->request;
    affine_checked_pass checked = {.p = *affine};
    const affine_tile_schedule *const s = &checked.tiles;
    if (r->check == RIFFLE_CHECK_NONE || !plan_target_is_device(&r->target) || r->in_place) return false;
    const affine_tile_policy policy = affine_policy_for_check(&r->target, &plan->choice.arrays);
    affine_tile_plan(affine, &plan->choice.arrays, &policy, false, &checked.tiles);
    const size_t tile_bytes = (size_t)1 << s->tile_bits << s->arrays.unit_bits;
    if (s->arrays.element_bits > 0 || s->vector_bits + s->arrays.unit_bits != AFFINE_VECTOR_BITS ||
        1U << s->thread_bits < r->target.width || tile_bytes + sizeof(check_block) > r->target.shared_bytes)
        return false;
    plan_add_pass(plan, &PASS_AFFINE_CHECKED)->affine_checked = checked;
    return true;
}

static void add_tile(riffle_plan *plan, const perm_affine *affine) {
    const bool in_place = plan->request.in_place;
    const affine_arrays *const arrays = &plan->choice.arrays;
    const plan_target *const target = &plan->request.target;
    const affine_tile_policy policy = affine_policy_for(target, arrays, in_place);
    affine_exchange_schedule exchange;
    if (in_place && affine_in_place_exchanges(affine, arrays, target, &exchange)) {
        pass *p = plan_add_pass(plan, &PASS_AFFINE_EXCHANGE);
        p->from = BUFFER_DST;
        p->affine_exchange.vectors = exchange;
        affine_tile_plan(affine, arrays, &policy, in_place, &p->affine_exchange.tiles);
        return;
    }
    pass *p = plan_add_pass(plan, &PASS_AFFINE_TILE);
    if (in_place) p->from = BUFFER_DST;
    affine_tile_plan(affine, arrays, &policy, in_place, &p->affine_tile);
    if (!plan_target_is_device(target)) add_staging(plan, affine_tile_pair_bytes(&p->affine_tile));
}

static riffle_status build(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    if (!plan_target_is_device(&r->target) && !r->in_place) {
        add_lines(plan);
        return RIFFLE_OK;
    }
    plan->rounds = 1; /* all arrays at once */
    perm_affine passes[FACTOR_MOST] = {r->affine};
    if (r->in_place) passes_in_place(r, &plan->choice, passes);
    if (add_checked(plan, &r->affine)) return RIFFLE_OK;
    for (unsigned k = 0; k < plan->choice.passes; k++) add_tile(plan, &passes[k]);
    return RIFFLE_OK;
}

/* In place lines are not exchanged by vectors. */
static vector_loops loops(const plan_request *r) { return r->in_place ? LOOPS_PLAIN : LOOPS_AFFINE; }

const plan_algorithm algorithm_affine = {.id = RIFFLE_ALGORITHM_AFFINE,
                                         .name = "affine",
                                         .loops = loops,
                                         .obstacle = obstacle,
                                         .shape = shape,
                                         .in_place = in_place,
                                         .traffic = traffic,
                                         .slowdown = slowdown,
                                         .build = build};
