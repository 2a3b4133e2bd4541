/* SPDX-License-Identifier: Apache-2.0
 *
 * The algorithm of one use, in two passes with the workspace between: on devices indices sorted as they go (plan/once/once.h), on the
 * host elements spread by tile (plan/once/spread.h). Nothing is planned but the cut; what a plan keeps are the indices, and of a
 * random permutation not even those.
 */
#include "device/kernels/lanes.h"
#include "perm/kind.h"
#include "plan/algorithm.h"
#include "plan/once/plan.h"

enum { PASSES = 2 };

once_request once_request_of_plan(const plan_request *r) {
    return (once_request){.puts = !r->has_inverse,
                          .is_random = r->perm->kind == PERM_RANDOM,
                          .n = r->n,
                          .m = r->n,
                          .elem_bytes = r->elem_bytes};
}

static spread_schedule spread_of(const plan_request *r) {
    return spread_cut(r->n, r->elem_bytes, threads_for(r->array_bytes, BYTES_A_THREAD, r->most_threads));
}

static const char *host_obstacle(const plan_request *r) {
    if (r->elem_bytes > SPREAD_LONGEST_ELEMENT) return "on the cpu its elements have at most 16 bytes";
    const spread_schedule s = spread_of(r);
    return spread_is_countable(&s) ? NULL : "on the cpu its tiles would be too many for the second-level cache";
}

static const char *obstacle(const plan_request *r) {
    const once_request once = once_request_of_plan(r);
    if (!plan_target_is_device(&r->target)) return host_obstacle(r);
    if (r->target.width != WARP_LANES) return "its kernels know warps of 32 lanes alone";
    if (r->n == 0 || once_cut(&once, &r->target, true).sorts) return NULL;
    const char *const why = once_obstacle(&once);
    return why != NULL ? why : "its pieces, and a count for each tile, do not fit into shared memory";
}

static riffle_status shape(const plan_request *r, plan_choice *c) {
    c->passes = r->n > 0 ? PASSES : 0;
    return RIFFLE_OK;
}

static double traffic(const plan_request *r, const plan_choice *c) {
    (void)c;
    if (!plan_target_is_device(&r->target)) return spread_traffic(r->elem_bytes);
    const once_request once = once_request_of_plan(r);
    const once_shape s = once_cut(&once, &r->target, true);
    once_part parts[ONCE_MOST_PARTS];
    size_t bytes = 0;
    const unsigned count = once_parts(&once, &s, table_entry_bytes(r->n), parts);
    for (unsigned k = 0; k < count; k++) bytes += parts[k].bytes;
    return (double)bytes;
}

static double kept(const plan_request *r, const plan_choice *c) {
    (void)c;
    return r->perm->kind == PERM_RANDOM ? 0 : (double)table_entry_bytes(r->n);
}

/* The cost on the host of computing images and moving by single elements in the caches. */
static double slowdown(const plan_request *r) {
    (void)r;
    return 1.7;
}

static size_t workspace(const plan_request *r, const plan_choice *c) {
    (void)c;
    if (!plan_target_is_device(&r->target)) {
        const spread_schedule s = spread_of(r);
        return spread_workspace(&s).bytes;
    }
    const once_request once = once_request_of_plan(r);
    return once_cut(&once, &r->target, true).at.bytes;
}

/* The indices: computed, made by the engine, or written out for the machine; an outline's stand for what is not written out. */
static riffle_status make_map(const riffle_plan *plan, once_schedule *out) {
    const plan_request *const r = &plan->request;
    if (r->perm->kind == PERM_RANDOM) {
        out->map = riffle_perm_retain(r->perm);
        return RIFFLE_OK;
    }
    if (!plan_leaves_tables_to_engine(plan)) return perm_tabulate(r->perm, &out->map);
    const riffle_status status = table_elsewhere(r->n, &out->map);
    if (status == RIFFLE_OK && plan->is_outline) out->of = riffle_perm_retain(r->perm);
    return status;
}

static riffle_status build_spread(riffle_plan *plan) {
    const plan_request *const r = &plan->request;
    pass *const spread = plan_add_pass(plan, &PASS_ONCE_SPREAD);
    spread->to = BUFFER_WORKSPACE;
    spread->spread = spread_of(r);
    pass *const place = plan_add_pass(plan, &PASS_ONCE_PLACE);
    place->from = BUFFER_WORKSPACE;
    place->spread = spread->spread;
    spread->spread.map = riffle_perm_retain(r->perm);
    plan->staging_bytes = place->spread.members * spread_staging_bytes(&place->spread);
    plan->workspace_bytes = spread_workspace(&place->spread).bytes;
    plan->bytes += plan->staging_bytes;
    if (r->perm->kind == PERM_TABLE) plan->bytes += r->n * r->perm->table.entry_bytes;
    return RIFFLE_OK;
}

static riffle_status build(riffle_plan *plan) {
    if (!plan_target_is_device(&plan->request.target)) return build_spread(plan);
    once_schedule schedule = {.request = once_request_of_plan(&plan->request), .target = plan->request.target};
    const riffle_status status = make_map(plan, &schedule);
    if (status != RIFFLE_OK) return status;
    schedule.shape = once_cut(&schedule.request, &schedule.target, true);
    pass *const sort = plan_add_pass(plan, &PASS_ONCE_SORT);
    sort->to = BUFFER_WORKSPACE;
    sort->once = schedule;
    pass *const collect = plan_add_pass(plan, &PASS_ONCE_COLLECT);
    collect->from = BUFFER_WORKSPACE;
    collect->once = schedule;
    collect->once.map = riffle_perm_retain(schedule.map);
    collect->once.of = riffle_perm_retain(schedule.of);
    plan->workspace_bytes = schedule.shape.at.bytes;
    if (schedule.map->kind == PERM_TABLE) plan->bytes += schedule.map->n * schedule.map->table.entry_bytes;
    return RIFFLE_OK;
}

const plan_algorithm algorithm_once = {.id = RIFFLE_ALGORITHM_ONCE,
                                       .name = "once",
                                       .obstacle = obstacle,
                                       .shape = shape,
                                       .traffic = traffic,
                                       .slowdown = slowdown,
                                       .kept = kept,
                                       .workspace = workspace,
                                       .build = build};
