/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_execute: the door to the engines.
 */
#include "engines/cpu/execute.h"
#include "base/status.h"

static bool overlap(const void *a, const void *b, size_t bytes) {
    const uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
    return first < second ? second - first < bytes : first - second < bytes;
}

riffle_status riffle_execute(const riffle_plan *plan, void *dst, const void *src) {
    if (plan->summary.array_bytes == 0) return RIFFLE_OK;
    if (dst == NULL || src == NULL) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL but the array has %zu bytes",
                    dst == NULL ? "dst" : "src", plan->summary.array_bytes);
    }
    if (overlap(dst, src, plan->summary.array_bytes)) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "dst and src overlap: a plan moves between two separate arrays of %zu bytes",
                    plan->summary.array_bytes);
    }
    /* The lock guards the plan's scratch memory, not the plan, which stays as it is. */
    pthread_mutex_t *const lock = (pthread_mutex_t *)&plan->lock;
    if (plan_is_exclusive(plan)) pthread_mutex_lock(lock);
    cpu_execute(plan, dst, src);
    if (plan_is_exclusive(plan)) pthread_mutex_unlock(lock);
    return RIFFLE_OK;
}
