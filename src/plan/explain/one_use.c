/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/one_use.h"

#include "perm/kind.h"
#include "plan/algorithm.h"
#include "plan/choose/device_cost.h"
#include "plan/once/plan.h"

static once_request request_of(const plan_request *r) {
    const bool takes = r->perm->kind == PERM_TABLE && r->perm->table.inverted; /* ~table:FILE is x[indices] */
    return (once_request){.puts = !takes,
                          .is_random = r->perm->kind == PERM_RANDOM,
                          .n = r->n,
                          .m = r->n,
                          .elem_bytes = r->elem_bytes};
}

static const char *call_of(const once_request *r) {
    if (r->is_random) return "riffle_cuda_shuffle";
    return r->puts ? "riffle_cuda_put" : "riffle_cuda_take";
}

/* True for a move of one array whose elements both a plan and a call can move; a call does not shuffle backwards. */
static bool has_call(const plan_request *r, const plan_choice *c) {
    const perm_kind kind = r->perm->kind;
    const bool is_along = kind == PERM_TABLE || (kind == PERM_RANDOM && !r->perm->random.inverted);
    const bool has_cost = c->algorithm == &algorithm_gather || c->algorithm == &algorithm_bucket ||
                          c->algorithm == &algorithm_once;
    const once_request once = request_of(r);
    return r->executions == 1 && r->target.kind == TARGET_CUDA && r->batch == 1 && !r->in_place && r->n > 0 &&
           is_along && has_cost && once_obstacle(&once) == NULL;
}

/* Picoseconds an element of the plan's passes. */
static riffle_status plan_cost(const plan_request *r, const plan_choice *c, double *out) {
    const line_reader of_perm = line_reader_of_perm(r->perm);
    const size_t map_bytes = table_entry_bytes(r->n);
    line_reads reads;
    if (c->algorithm == &algorithm_bucket) {
        *out = device_cost_bucket(r->n, r->elem_bytes, c->passes);
        return RIFFLE_OK;
    }
    if (c->algorithm == &algorithm_once) {
        const once_request once = once_request_of_plan(r);
        const once_shape shape = once_cut(&once, &r->target, true);
        *out = once_cost(&once, &shape, &r->target) / (double)r->n;
        return RIFFLE_OK;
    }
    const riffle_status status = line_reads_estimate(r->reader != NULL ? r->reader : &of_perm, r->n,
                                                     r->elem_bytes, map_bytes, r->target.l2_bytes, &reads);
    if (status == RIFFLE_OK) *out = device_cost_gather(r->n, r->elem_bytes, map_bytes, &reads);
    return status;
}

riffle_status explain_one_use(const plan_request *r, const plan_choice *c, FILE *stream) {
    if (!has_call(r, c)) return RIFFLE_OK;
    const once_request once = request_of(r);
    const once_shape shape = once_choose(&once, &r->target);
    const double copy = device_cost_copy(r->n, r->elem_bytes);
    double planned;
    const riffle_status status = plan_cost(r, c, &planned);
    if (status != RIFFLE_OK) return status;
    once_part parts[ONCE_MOST_PARTS];
    const unsigned count = once_parts(&once, &shape, table_entry_bytes(r->n), parts);
    fprintf(stream, "one use      %s, %s:", call_of(&once), shape.sorts ? "sorting" : "plain");
    for (unsigned k = 0; k < count; k++)
        fprintf(stream, "%s %s %zu", k > 0 ? "," : "", parts[k].name, parts[k].bytes);
    fprintf(stream, " bytes an element; about %.1f copies, and the plan's move %.1f and its planning\n",
            once_cost(&once, &shape, &r->target) / (double)r->n / copy, planned / copy);
    return RIFFLE_OK;
}
