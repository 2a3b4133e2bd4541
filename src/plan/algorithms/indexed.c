/* SPDX-License-Identifier: Apache-2.0
 *
 * The scatter and gather algorithms: element by element along the permutation, or along its inverse (Kasagi,
 * Nakano, Ito 2013, section V: destination-designated and source-designated).
 */
#include "models/measured.h"
#include "models/traffic.h"
#include "perm/kind.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"

enum { LONGEST_SINGLE_BYTES = 16 }; /* shorter elements share their lines with many others */

/* Lines that two threads write go to and fro between their caches: at 1 MiB that takes twice as long as one
 * thread, and from 4 MiB on two pay. */
enum { LINE_BYTES = 64, SHARED_LINES_BYTES_A_THREAD = 4 * BYTES_A_THREAD };

static size_t scatter_bytes_a_thread(const plan_request *r) {
    return r->elem_bytes < LINE_BYTES ? SHARED_LINES_BYTES_A_THREAD : BYTES_A_THREAD;
}

/* One array at a time is in a core's second-level cache, which has each line brought once. */
static bool is_in_cache(const plan_request *r) {
    return !plan_target_is_device(&r->target) && plan_is_cached(r->array_bytes);
}

static double scatter_traffic(const plan_request *r, const plan_choice *c) {
    (void)c;
    if (is_in_cache(r)) return traffic_copy(r->elem_bytes);
    return traffic_scatter(r->elem_bytes, table_entry_bytes(r->n));
}

static double gather_traffic(const plan_request *r, const plan_choice *c) {
    (void)c;
    if (is_in_cache(r)) return traffic_copy(r->elem_bytes);
    return traffic_gather(r->elem_bytes, table_entry_bytes(r->n));
}

/* Short elements as those of 4 bytes, which were measured; not so arrays in the second-level cache. */
static double slowdown_of(const plan_request *r, measured_move move, double measured_traffic) {
    if (is_in_cache(r)) return 0;
    if (r->elem_bytes > LONGEST_SINGLE_BYTES) return 1.3;
    const double copies = measured_copies(move, measured_here(), (double)r->array_bytes);
    return copies * traffic_copy(MEASURED_ELEM_BYTES) / measured_traffic;
}

static double scatter_slowdown(const plan_request *r) {
    return slowdown_of(r, MEASURED_SCATTER, traffic_scatter(MEASURED_ELEM_BYTES, sizeof(uint32_t)));
}

static double gather_slowdown(const plan_request *r) {
    return slowdown_of(r, MEASURED_GATHER, traffic_gather(MEASURED_ELEM_BYTES, sizeof(uint32_t)));
}

/* The map, where it is or will be a table. */
static double kept(const plan_request *r, const plan_choice *c) {
    (void)c;
    return r->perm->kind == PERM_TABLE || plan_writes_out(r->perm, r) ? (double)table_entry_bytes(r->n) : 0;
}

/* Writes out a map that is costly to evaluate, where it will be looked up again and again; consumes `map`. */
static riffle_status prepare(const plan_request *r, riffle_perm *map, riffle_perm **out) {
    *out = map;
    if (!plan_writes_out(map, r)) return RIFFLE_OK;
    const riffle_status status = perm_tabulate(map, out);
    riffle_perm_free(map);
    return status;
}

/* The map of a scatter, or of a gather. */
static riffle_status map_of(const plan_request *r, bool gathers, riffle_perm **out) {
    if (gathers) return riffle_perm_invert(r->perm, out);
    *out = riffle_perm_retain(r->perm);
    return RIFFLE_OK;
}

/* A table that a device makes; an outline's stands for a map that is not written out. */
static riffle_status make_elsewhere(const riffle_plan *plan, bool gathers, indexed_schedule *out) {
    const plan_request *const r = &plan->request;
    riffle_status status = plan->is_outline ? map_of(r, gathers, &out->of) : RIFFLE_OK;
    if (status == RIFFLE_OK) status = table_elsewhere(r->n, &out->map);
    if (status != RIFFLE_OK) riffle_perm_free(out->of);
    return status;
}

static riffle_status make_here(const riffle_plan *plan, bool gathers, indexed_schedule *out) {
    riffle_perm *map;
    const riffle_status status = map_of(&plan->request, gathers, &map);
    return status == RIFFLE_OK ? prepare(&plan->request, map, &out->map) : status;
}

static riffle_status build(riffle_plan *plan, bool gathers) {
    indexed_schedule s = {.elem_bytes = plan->request.elem_bytes};
    const riffle_status status =
        (plan_leaves_tables_to_engine(plan) ? make_elsewhere : make_here)(plan, gathers, &s);
    if (status != RIFFLE_OK) return status;
    plan_add_pass(plan, gathers ? &PASS_GATHER : &PASS_SCATTER)->indexed = s;
    if (s.map->kind == PERM_TABLE) plan->bytes += s.map->n * s.map->table.entry_bytes;
    return RIFFLE_OK;
}

static riffle_status build_scatter(riffle_plan *plan) { return build(plan, false); }
static riffle_status build_gather(riffle_plan *plan) { return build(plan, true); }

const plan_algorithm algorithm_scatter = {.id = RIFFLE_ALGORITHM_SCATTER,
                                          .name = "scatter",
                                          .traffic = scatter_traffic,
                                          .slowdown = scatter_slowdown,
                                          .kept = kept,
                                          .bytes_a_thread = scatter_bytes_a_thread,
                                          .build = build_scatter};

const plan_algorithm algorithm_gather = {.id = RIFFLE_ALGORITHM_GATHER,
                                         .name = "gather",
                                         .traffic = gather_traffic,
                                         .slowdown = gather_slowdown,
                                         .kept = kept,
                                         .build = build_gather};
