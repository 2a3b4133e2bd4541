/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan's explanation as one JSON document (docs/command.md).
 */
#ifndef RIFFLE_PLAN_EXPLAIN_DOCUMENT_H
#define RIFFLE_PLAN_EXPLAIN_DOCUMENT_H

#include "plan/choose/choose.h"
#include "plan/explain/how.h"
#include "plan/plan.h"
#include "plan/request/streaming.h"

/** Prints what the table of riffle_explain has, but for one_use.h's line. Fails as the models do. */
riffle_status explain_document(const plan_request *request, const plan_choice *choice, const char *description,
                               const explain_how *how, FILE *stream);

/** True if memory's bandwidth is known, and the L2 cache cannot hold both arrays, which then might not go to memory. */
static inline bool explain_has_time(const plan_request *r, double bytes_per_second) {
    return bytes_per_second > 0 && r->span_bytes > r->target.l2_bytes / 2;
}

/** The seconds that memory takes for the traffic of the whole batch at its full bandwidth. */
static inline double explain_best_seconds(const plan_request *r, const plan_choice *c,
                                          double bytes_per_second) {
    return c->traffic * (double)r->n * (double)r->batch / bytes_per_second;
}

/** True where a host's caches hold the arrays, for moves leave these in the last one: little traffic to memory is to be expected. */
static inline bool explain_is_cached(const plan_request *r) { return !is_streamed(r->span_bytes); }

/** An array that a host's caches hold has no traffic. */
static inline bool explain_has_sectors(const plan_request *r) {
    return r->target.kind == TARGET_CUDA || !explain_is_cached(r);
}

/** The time of the traffic of whole sectors at the rate of the copy that was measured. */
static inline measured_bound explain_sectors(const plan_request *r, const plan_choice *c) {
    return (measured_bound){"sectors", "sector", "the traffic of whole sectors, at the copy's rate",
                            explain_has_sectors(r) ? c->traffic / (double)(2 * r->elem_bytes) : 0};
}

#endif
