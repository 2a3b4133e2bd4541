/* SPDX-License-Identifier: Apache-2.0 */
#include "device/plan.h"

#include <stdlib.h>

#include "base/lock.h"
#include "base/status.h"

riffle_status plan_base_begin(plan_base *base, const char *what) {
    base->is_exclusive = true;
    return lock_create(what, &base->lock);
}

riffle_status plan_base_create(size_t bytes, const char *what, const device *on, bool callers_workspace,
                               plan_base **out) {
    plan_base *const base = calloc(1, bytes);
    if (base == NULL) return fail_memory(what, bytes);
    const riffle_status status = plan_base_begin(base, what);
    if (status != RIFFLE_OK) {
        free(base);
        return status;
    }
    if (on != NULL) base->on = *on;
    base->callers_workspace = callers_workspace;
    *out = base;
    return RIFFLE_OK;
}

riffle_status plan_base_find_device(plan_base *base, device_limits *limits, int *before) {
    device *const d = &base->on;
    riffle_status status = d->ops != NULL ? RIFFLE_OK : device_of_cuda(d);
    if (status == RIFFLE_OK) status = d->ops->describe(d, limits);
    return status == RIFFLE_OK ? d->ops->guard(d, "planning", NULL, before) : status;
}

void plan_base_end(plan_base *base) {
    int before;
    pthread_mutex_destroy(&base->lock);
    if (base->workspace == NULL) return;
    base->on.ops->guard_quietly(&base->on, &before);
    base->on.ops->release(&base->on, base->workspace);
    base->on.ops->unguard(&base->on, before);
}

/* The lock guards what the plan keeps, not the plan, which stays as it is. */
static pthread_mutex_t *lock_of(const plan_base *base) { return (pthread_mutex_t *)(uintptr_t)&base->lock; }

void plan_base_lock(const plan_base *base) { pthread_mutex_lock(lock_of(base)); }

void plan_base_unlock(const plan_base *base) { pthread_mutex_unlock(lock_of(base)); }

riffle_status plan_base_allocate(plan_base *base, const char *plan, const char *what) {
    const device *const d = &base->on;
    base->is_exclusive = !base->callers_workspace && base->workspace_bytes > 0;
    if (!base->is_exclusive) return RIFFLE_OK;
    const riffle_status status = d->ops->check_free(d, plan, base->workspace_bytes);
    return status == RIFFLE_OK ? d->ops->allocate(d, what, base->workspace_bytes, &base->workspace) : status;
}

riffle_status plan_base_find_workspace(const plan_base *base, const call_array *arrays, unsigned count,
                                       const void *callers, size_t callers_bytes, void **out) {
    *out = callers != NULL ? (void *)(uintptr_t)callers : base->workspace;
    if (*out == NULL && base->workspace_bytes > 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the plan has no workspace of its own; bring one of %zu bytes", base->workspace_bytes);
    return arrays_check_workspace(arrays, count, *out, callers != NULL ? callers_bytes : base->workspace_bytes,
                                  base->workspace_bytes);
}

call_array plan_base_carry_workspace(const plan_base *base, const char *name) {
    return call_array_of_bytes(name, NULL, base->callers_workspace ? base->workspace_bytes : 0, ARRAY_SCRATCH);
}

void *plan_base_workspace_there(const plan_base *base, const call_array *carried) {
    return carried->there != NULL ? carried->there : base->workspace;
}

riffle_status plan_base_check_device(const plan_base *base) {
    if (base->on.ops != NULL) return base->on.ops->check(&base->on);
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "the plan is for the cpu engine; create it with RIFFLE_ENGINE_CUDA");
}
