/* SPDX-License-Identifier: Apache-2.0
 *
 * A request to the planner, as one value: checked, completed and recognized once, so that nobody behind it looks at defaults,
 * options or forms again.
 */
#ifndef RIFFLE_PLAN_REQUEST_REQUEST_H
#define RIFFLE_PLAN_REQUEST_REQUEST_H

#include "models/line_reads.h"
#include "perm/perm.h"
#include "plan/request/streaming.h"
#include "plan/request/target.h"

/** Where an array's stores go. */
typedef enum plan_stores { STORES_BY_LENGTH, STORES_CACHED, STORES_STREAMED } plan_stores;

typedef struct plan_request {
    riffle_perm *perm; /**< recognized; a handle of the request's own, NULL once a plan is made of it */
    uint64_t n;
    size_t elem_bytes;
    size_t array_bytes; /**< n * elem_bytes */
    uint64_t batch;     /**< arrays moved by one execution, at least 1 */
    uint64_t stride;    /**< elements from one to the next, at least n */
    size_t span_bytes;  /**< from the first array's start to the last one's end */
    bool in_place;
    bool callers_workspace;     /**< the plan allocates none */
    riffle_check check;         /**< each execution's */
    unsigned most_threads;      /**< whatever the arrays are worth, at least 1 */
    bool follows_openmp;        /**< executions take no more threads than OpenMP gives then */
    unsigned executions;        /**< expected; 0 for many */
    uint64_t row_length;        /**< length in the matrix algorithms' matrix; 0: about the square root of n */
    riffle_algorithm algorithm; /**< asked for; AUTO: the planner chooses */
    plan_stores stores; /**< affine, axes and reversed moves on a host go by it; BY_LENGTH but for trials */
    riffle_effort effort;
    double effort_seconds;  /**< 0: not said */
    void *effort_dst;       /**< both or neither ... */
    const void *effort_src; /**< ... and NULL in a plan */
    plan_target target;
    bool has_inverse; /**< perm has only indices to gather from, a table of its inverse, and not its own */
    const line_reader *reader; /**< reads a sample, where perm is a stand-in that cannot tell; else NULL */
    bool is_affine;
    perm_affine affine; /**< the affine form, where there is one */
} plan_request;

/** Checks the arguments of riffle_plan_create, whatever the permutation, and recognizes it. `options` may be
 *  NULL. On success *out is the caller's to drop. */
riffle_status plan_request_take(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                                const riffle_plan_options *options, plan_request *out);

/** The same for a permutation that is recognized already. */
riffle_status plan_request_take_recognized(const riffle_perm *perm, size_t elem_bytes,
                                           const plan_target *target, const riffle_plan_options *options,
                                           plan_request *out);

void plan_request_drop(plan_request *request);

/** Where loops that ask for lines ahead leave dst. */
dst_place plan_place(const plan_request *request);

/** True if other loops' stores go past the caches. */
bool plan_streams(const plan_request *request);

#endif
