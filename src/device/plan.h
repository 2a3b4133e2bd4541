/* SPDX-License-Identifier: Apache-2.0
 *
 * The base of every plan, of moves, programs, sorts and hulls: where it runs, a workspace, threads, and a lock.
 */
#ifndef RIFFLE_DEVICE_PLAN_H
#define RIFFLE_DEVICE_PLAN_H

#include <pthread.h>

#include "device/arrays.h"

typedef struct plan_base {
    device on;       /**< ops is NULL: the host */
    void *workspace; /**< on the device; NULL where each execution brings one, or none is needed */
    size_t workspace_bytes;
    bool callers_workspace;
    bool is_exclusive; /**< executions use what is the plan's: one at a time */
    unsigned threads;  /**< the host's, else 0 */
    pthread_mutex_t lock;
} plan_base;

/** Makes the lock of a plan that is zeroed. `what` ("the plan of a sort") is named where that fails; then plan_base_end must not
 *  be called. The plan is exclusive until it says otherwise. */
riffle_status plan_base_begin(plan_base *base, const char *what);

/** Makes a plan of so many bytes, zeroed, which begins with its base: for that device or, if it is NULL, for the host or the GPU that
 *  plan_base_find_device finds. */
riffle_status plan_base_create(size_t bytes, const char *what, const device *on, bool callers_workspace,
                               plan_base **out);

/** Gives the workspace back, and harms no capture. */
void plan_base_end(plan_base *base);

/** Begins planning: finds the current GPU for a plan that has no device, describes the device, and has captures pass by
 *  until it is unguarded. */
riffle_status plan_base_find_device(plan_base *base, device_limits *limits, int *before);

/** The lock of an exclusive plan. */
void plan_base_lock(const plan_base *base);
void plan_base_unlock(const plan_base *base);

/** Around an execution. */
static inline void plan_base_enter(const plan_base *base) {
    if (base->is_exclusive) plan_base_lock(base);
}

static inline void plan_base_leave(const plan_base *base) {
    if (base->is_exclusive) plan_base_unlock(base);
}

/** Makes the workspace, of base->workspace_bytes, unless each execution brings one; the plan is exclusive if there is one. `plan` ("a plan of hulls") and `what` ("the
 *  workspace of hulls") are named where there is no memory. */
riffle_status plan_base_allocate(plan_base *base, const char *plan, const char *what);

/** The workspace of an execution: the caller's, of so many bytes, or the plan's. RIFFLE_ERROR_INVALID_ARGUMENT where there is none
 *  and must be one, or it is too small, not aligned to WORKSPACE_ALIGNMENT, or overlaps one of these arrays. */
riffle_status plan_base_find_workspace(const plan_base *base, const call_array *arrays, unsigned count,
                                       const void *callers, size_t callers_bytes, void **out);

/** The workspace in the table of an execution whose arrays are carried: scratch where the plan has none of its own; and where it is
 *  once they are there. */
call_array plan_base_carry_workspace(const plan_base *base, const char *name);
void *plan_base_workspace_there(const plan_base *base, const call_array *carried);

/** RIFFLE_ERROR_INVALID_ARGUMENT if the plan is for the host, or for another device than the one in use. */
riffle_status plan_base_check_device(const plan_base *base);

#endif
