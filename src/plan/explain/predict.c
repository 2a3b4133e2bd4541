/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/predict.h"

plan_buffers plan_buffers_nowhere(const plan_request *request) {
    const uintptr_t apart = (uintptr_t)1 << 44;
    plan_buffers out;
    for (unsigned k = 0; k < BUFFERS; k++) out.start[k] = (k + 1) * apart;
    if (request->in_place) out.start[BUFFER_SRC] = out.start[BUFFER_DST];
    return out;
}

uintptr_t plan_array_of(const riffle_plan *plan, const plan_buffers *buffers, pass_buffer which, uint64_t k) {
    const size_t step = (size_t)plan->request.stride * plan->request.elem_bytes;
    const bool is_whole = which == BUFFER_SRC || which == BUFFER_DST;
    return buffers->start[which] + (is_whole ? k * step : 0);
}

static riffle_status predict_pass(const riffle_plan *plan, const plan_buffers *buffers, unsigned number,
                                  uint64_t k_th, const prediction_model *model, prediction *out) {
    const pass *const p = &plan->passes[number];
    void *const to = (void *)plan_array_of(plan, buffers, p->to, k_th);
    const void *const from = (const void *)plan_array_of(plan, buffers, p->from, k_th);
    if (p->kind->predict != NULL) return p->kind->predict(p, model, to, from, out);
    out->is_known = false;
    return RIFFLE_OK;
}

riffle_status plan_predict_passes(const riffle_plan *plan, const plan_buffers *buffers,
                                  const prediction_model *model, prediction *out) {
    riffle_status status = RIFFLE_OK;
    *out = prediction_of_nothing();
    if (plan->request.n == 0) return RIFFLE_OK;
    for (uint64_t k = 0; k < plan->rounds; k++)
        for (unsigned p = 0; status == RIFFLE_OK && out->is_known && p < plan->built; p++)
            status = predict_pass(plan, buffers, p, k, model, out);
    return status;
}

riffle_status plan_predict(const plan_request *request, const plan_choice *choice,
                           const prediction_model *model, prediction *out) {
    const plan_buffers buffers = plan_buffers_nowhere(request);
    riffle_plan *plan;
    *out = (prediction){0};
    riffle_status status = plan_outline(request, choice, &plan);
    if (status != RIFFLE_OK) return status;
    status = plan_predict_passes(plan, &buffers, model, out);
    plan_destroy(plan);
    return status;
}
