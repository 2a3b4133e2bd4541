/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/predict.h"

#include "check/predict.h"

#define APART ((uintptr_t)1 << 44) /* from one buffer that is nowhere to the next */

plan_buffers plan_buffers_nowhere(const plan_request *request) {
    plan_buffers out;
    for (unsigned k = 0; k < BUFFERS; k++) out.start[k] = (k + 1) * APART;
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

static uintptr_t src_of(const plan_request *request, const plan_buffers *buffers) {
    return buffers->start[request->in_place ? BUFFER_DST : BUFFER_SRC];
}

typedef void check_appender(const plan_request *request, const plan_check *check, const void *rows,
                            launch_list *out);

/* The launch of one side of a check. */
static riffle_status predict_side(const plan_request *request, const plan_check *check, check_appender *append,
                                  uintptr_t rows, const prediction_model *model, prediction *out) {
    launch_list list;
    launch_list_begin(&list);
    append(request, check, (const void *)rows, &list);
    const riffle_status status = predict_list(&list, check_patterns, NULL, model, out);
    launch_list_free(&list);
    return status;
}

riffle_status plan_predict_passes(const riffle_plan *plan, const plan_buffers *buffers, const plan_check *check,
                                  const prediction_model *model, prediction *out) {
    const plan_request *const r = &plan->request;
    riffle_status status = RIFFLE_OK;
    *out = prediction_of_nothing();
    if (r->n == 0) return RIFFLE_OK;
    if (plan_is_checked(plan))
        status = predict_side(r, check, plan_check_append_read, src_of(r, buffers), model, out);
    for (uint64_t k = 0; k < plan->rounds; k++)
        for (unsigned p = 0; status == RIFFLE_OK && out->is_known && p < plan->built; p++)
            status = predict_pass(plan, buffers, p, k, model, out);
    if (status == RIFFLE_OK && plan_is_checked(plan))
        status = predict_side(r, check, plan_check_append_written, buffers->start[BUFFER_DST], model, out);
    return status;
}

/* A check whose record and table are nowhere, behind plan_buffers_nowhere. */
static plan_check check_nowhere(const plan_request *request) {
    plan_check out = {.record = (void *)((BUFFERS + 1) * APART)};
    if (!plan_check_evaluates(request, request->perm, &out.affine))
        out.places = (const void *)((BUFFERS + 2) * APART);
    return out;
}

riffle_status plan_predict(const plan_request *request, const plan_choice *choice,
                           const prediction_model *model, prediction *out) {
    const plan_buffers buffers = plan_buffers_nowhere(request);
    const plan_check check = check_nowhere(request);
    riffle_plan *plan;
    *out = (prediction){0};
    riffle_status status = plan_outline(request, choice, &plan);
    if (status != RIFFLE_OK) return status;
    status = plan_predict_passes(plan, &buffers, &check, model, out);
    plan_destroy(plan);
    return status;
}

riffle_status plan_predict_check(const plan_request *request, const prediction_model *model, prediction *out) {
    const plan_buffers buffers = plan_buffers_nowhere(request);
    const plan_check check = check_nowhere(request);
    *out = prediction_of_nothing();
    if (request->check == RIFFLE_CHECK_NONE || request->array_bytes == 0) return RIFFLE_OK;
    const riffle_status status =
        predict_side(request, &check, plan_check_append_read, src_of(request, &buffers), model, out);
    if (status != RIFFLE_OK) return status;
    return predict_side(request, &check, plan_check_append_written, buffers.start[BUFFER_DST], model, out);
}
