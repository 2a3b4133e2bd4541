/* SPDX-License-Identifier: Apache-2.0
 *
 * The doors that lead to an engine: making a plan ready for it, executing, and explaining for it.
 */
#include "engines/engine.h"

#include "base/status.h"
#include "engines/cpu/execute.h"
#include "engines/cuda/engine.h"

riffle_status engine_target(riffle_engine engine, plan_target *out) {
    switch (engine) {
    case RIFFLE_ENGINE_CPU: *out = PLAN_TARGET_CPU; return RIFFLE_OK;
    case RIFFLE_ENGINE_CUDA: return cuda_engine_target(out);
    }
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no engine with number %d", (int)engine);
}

/* `perm` is what the plan was decided for. */
static riffle_status prepare(riffle_plan *plan, const riffle_perm *perm) {
    riffle_status status;
    if (plan->summary.target.kind == TARGET_CUDA) {
        status = cuda_plan_create(plan, &(cuda_source){.perm = perm});
    } else {
        cpu_plan *host;
        status = cpu_plan_create(plan, &host);
        if (status == RIFFLE_OK) plan->engine = host;
    }
    return status;
}

/* Sets *algorithm to what was chosen, where it came to that. */
static riffle_status create(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                            const riffle_plan_options *options, riffle_algorithm *algorithm,
                            riffle_plan **out) {
    riffle_plan *plan;
    riffle_perm *recognized;
    riffle_status status = plan_build(perm, elem_bytes, target, options, &recognized, &plan);
    if (status != RIFFLE_OK) return status;
    *algorithm = plan->summary.choice.algorithm;
    status = prepare(plan, recognized);
    riffle_perm_free(recognized);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        plan_destroy(plan);
    }
    return status;
}

riffle_status riffle_plan_create(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                                 const riffle_plan_options *options, riffle_plan **out) {
    plan_target target;
    riffle_plan_options wanted = options != NULL ? *options : (riffle_plan_options){0};
    riffle_algorithm chosen = RIFFLE_ALGORITHM_AUTO;
    riffle_status status = engine_target(engine, &target);
    if (status == RIFFLE_OK) status = create(perm, elem_bytes, &target, &wanted, &chosen, out);
    if (status != RIFFLE_ERROR_OUT_OF_MEMORY || engine != RIFFLE_ENGINE_CUDA ||
        wanted.algorithm != RIFFLE_ALGORITHM_AUTO || chosen != RIFFLE_ALGORITHM_BUCKET)
        return status;
    wanted.algorithm = RIFFLE_ALGORITHM_GATHER; /* it needs less, and is better than nothing */
    return create(perm, elem_bytes, &target, &wanted, &chosen, out);
}

void riffle_plan_free(riffle_plan *plan) {
    if (plan == NULL) return;
    if (plan->summary.target.kind == TARGET_CUDA) {
        cuda_plan_free(plan->engine);
    } else {
        cpu_plan_free(plan->engine);
    }
    plan_destroy(plan);
}

static bool overlap(const void *a, const void *b, size_t bytes) {
    const uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
    return first < second ? second - first < bytes : first - second < bytes;
}

riffle_status engine_check_arrays(const riffle_plan *plan, const void *dst, const void *src) {
    const size_t bytes = plan->summary.span_bytes;
    if (dst == NULL || src == NULL) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL but the array has %zu bytes",
                    dst == NULL ? "dst" : "src", bytes);
    }
    if (plan->summary.in_place && dst != src) {
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "dst is not src, and the plan is in place: give the array as both, or plan without in_place");
    }
    if (!plan->summary.in_place && overlap(dst, src, bytes)) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "dst and src overlap: a plan moves between two separate arrays of %zu bytes", bytes);
    }
    return RIFFLE_OK;
}

static riffle_status execute(const riffle_plan *plan, void *dst, const void *src) {
    if (plan->summary.target.kind == TARGET_CUDA) return cuda_plan_execute_host(plan, dst, src);
    cpu_plan_execute(plan->engine, plan, dst, src);
    return RIFFLE_OK;
}

riffle_status riffle_execute(const riffle_plan *plan, void *dst, const void *src) {
    if (plan->summary.array_bytes == 0) return RIFFLE_OK;
    riffle_status status = engine_check_arrays(plan, dst, src);
    if (status != RIFFLE_OK) return status;
    /* The lock guards the engine's buffers, not the plan, which stays as it is. */
    pthread_mutex_t *const lock = (pthread_mutex_t *)&plan->lock;
    if (plan_is_exclusive(plan)) pthread_mutex_lock(lock);
    status = execute(plan, dst, src);
    if (plan_is_exclusive(plan)) pthread_mutex_unlock(lock);
    return status;
}

riffle_status riffle_explain(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                             const riffle_plan_options *options, FILE *stream) {
    plan_target target;
    const riffle_status status = engine_target(engine, &target);
    return status == RIFFLE_OK ? plan_explain(perm, elem_bytes, &target, options, stream) : status;
}
