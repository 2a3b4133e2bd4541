/* SPDX-License-Identifier: Apache-2.0
 *
 * The doors that lead to an engine: making a plan ready for it, executing, and explaining for it.
 */
#include "move/engine.h"

#include "base/engine.h"
#include "base/status.h"
#include "device/arrays.h"
#include "move/cpu/check.h"
#include "move/cpu/execute.h"
#include "move/cpu/measure.h"
#include "move/cuda/engine.h"
#include "plan/choose/choose.h"

static riffle_status cpu_target(plan_target *out) {
    riffle_vat_preset core;
    const riffle_status status = riffle_vat_detect(&core);
    if (status == RIFFLE_OK) *out = plan_target_cpu(&core);
    return status;
}

riffle_status engine_target(riffle_engine engine, plan_target *out) {
    const riffle_status status = engine_check(engine, false);
    if (status != RIFFLE_OK) return status;
    return engine == RIFFLE_ENGINE_CUDA ? cuda_engine_target(out) : cpu_target(out);
}

static riffle_status prepare(riffle_plan *plan) {
    if (plan->request.target.kind == TARGET_CUDA)
        return cuda_plan_create(plan, &(cuda_source){.perm = plan->request.perm});
    cpu_plan *host;
    const riffle_status status = cpu_plan_create(plan, &host);
    if (status == RIFFLE_OK) plan->engine = host;
    return status;
}

/* Sets *algorithm to what was chosen, where it came to that. */
static riffle_status create(const plan_request *request, riffle_algorithm *algorithm, riffle_plan **out) {
    riffle_plan *plan;
    riffle_status status = plan_build(request, &plan);
    if (status != RIFFLE_OK) return status;
    *algorithm = riffle_plan_algorithm(plan);
    status = prepare(plan);
    plan_settle(plan);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        plan_destroy(plan);
    }
    return status;
}

riffle_status engine_create_plan(plan_request *request, riffle_plan **out) {
    if (request->effort == RIFFLE_EFFORT_MEASURE && request->array_bytes > 0) return measure_plan(request, out);
    riffle_algorithm chosen = RIFFLE_ALGORITHM_AUTO;
    const riffle_status status = create(request, &chosen, out);
    if (status != RIFFLE_ERROR_OUT_OF_MEMORY || request->target.kind != TARGET_CUDA ||
        request->algorithm != RIFFLE_ALGORITHM_AUTO ||
        (chosen != RIFFLE_ALGORITHM_BUCKET && chosen != RIFFLE_ALGORITHM_ONCE))
        return status;
    request->algorithm = RIFFLE_ALGORITHM_GATHER; /* it needs less, and is better than nothing */
    return create(request, &chosen, out);
}

/* The request of a public call, to be dropped. */
static riffle_status take_request(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                                  const riffle_plan_options *options, plan_request *out) {
    plan_target target;
    const riffle_status status = engine_target(engine, &target);
    return status == RIFFLE_OK ? plan_request_take(perm, elem_bytes, &target, options, out) : status;
}

riffle_status riffle_plan_create(const riffle_perm *perm, size_t elem_bytes, riffle_engine engine,
                                 const riffle_plan_options *options, riffle_plan **out) {
    RETURN_IF_NULL(perm, out);
    plan_request request;
    riffle_status status = take_request(perm, elem_bytes, engine, options, &request);
    if (status != RIFFLE_OK) return status;
    status = engine_create_plan(&request, out);
    plan_request_drop(&request);
    return status;
}

void riffle_plan_free(riffle_plan *plan) {
    if (plan == NULL) return;
    if (plan->request.target.kind == TARGET_CUDA) {
        cuda_plan_free(plan->engine);
    } else {
        cpu_plan_free(plan->engine);
    }
    plan_destroy(plan);
}

riffle_status engine_check_arrays(const riffle_plan *plan, const void *dst, const void *src) {
    const size_t bytes = plan->request.span_bytes;
    if (dst == NULL || src == NULL) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL but the array has %zu bytes",
                    dst == NULL ? "dst" : "src", bytes);
    }
    if (plan->request.in_place && dst != src) {
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "dst is not src, and the plan is in place: give the array as both, or plan without in_place");
    }
    if (!plan->request.in_place && bytes_overlap(dst, bytes, src, bytes)) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "dst and src overlap: a plan moves between two separate arrays of %zu bytes", bytes);
    }
    return RIFFLE_OK;
}

static riffle_status execute(const riffle_plan *plan, void *dst, const void *src) {
    if (plan->request.target.kind == TARGET_CUDA) return cuda_plan_execute_host(plan, dst, src);
    if (plan->request.check == RIFFLE_CHECK_NONE) {
        cpu_plan_execute(plan->engine, plan, dst, src, NULL);
        return RIFFLE_OK;
    }
    check_sums compared = {0, 0};
    const check_sums read = plan->checked != NULL ? cpu_check_read(plan, src) : compared;
    cpu_plan_execute(plan->engine, plan, dst, src, &compared);
    return plan->checked != NULL ? cpu_check_written(plan, dst, read) : cpu_check_compared(compared);
}

riffle_status riffle_execute(const riffle_plan *plan, void *dst, const void *src) {
    RETURN_IF_NULL(plan);
    if (plan->request.array_bytes == 0) return RIFFLE_OK;
    riffle_status status = engine_check_arrays(plan, dst, src);
    if (status != RIFFLE_OK) return status;
    plan_base_enter(&plan->base);
    status = execute(plan, dst, src);
    plan_base_leave(&plan->base);
    return status;
}
