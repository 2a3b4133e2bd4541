/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/predict.h"

#include "check/predict.h"

#define APART ((uintptr_t)1 << 44) /* from one buffer that is nowhere to the next */
#define RECORD_NOWHERE ((void *)((BUFFERS + 1) * APART))

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
                                  uint64_t k_th, const void *record, const prediction_model *model,
                                  prediction *out) {
    const pass *const p = &plan->passes[number];
    void *const to = (void *)plan_array_of(plan, buffers, p->to, k_th);
    const void *const from = (const void *)plan_array_of(plan, buffers, p->from, k_th);
    if (p->kind->predict != NULL) return p->kind->predict(p, model, to, from, record, out);
    out->is_known = false;
    return RIFFLE_OK;
}

static uintptr_t src_of(const plan_request *request, const plan_buffers *buffers) {
    return buffers->start[request->in_place ? BUFFER_DST : BUFFER_SRC];
}

/* Adds a check's launches, and lets go of them. */
static riffle_status predict_check(launch_list *list, const prediction_model *model, prediction *out) {
    const riffle_status status = predict_list(list, check_patterns, NULL, model, out);
    launch_list_free(list);
    return status;
}

static riffle_status predict_moves(const riffle_plan *plan, const plan_buffers *buffers, const void *record,
                                   const prediction_model *model, prediction *out) {
    riffle_status status = RIFFLE_OK;
    for (uint64_t k = 0; k < plan->rounds; k++)
        for (unsigned p = 0; status == RIFFLE_OK && out->is_known && p < plan->built; p++)
            status = predict_pass(plan, buffers, p, k, record, model, out);
    return status;
}

riffle_status plan_predict_passes(const riffle_plan *plan, const plan_buffers *buffers, const plan_check *check,
                                  const prediction_model *model, prediction *out) {
    const plan_request *const r = &plan->request;
    const bool is_checked = plan_is_checked(plan);
    launch_list list;
    *out = prediction_of_nothing();
    if (r->n == 0) return RIFFLE_OK;
    launch_list_begin(&list);
    if (is_checked) plan_check_append_before(plan, check, (const void *)src_of(r, buffers), &list);
    riffle_status status = predict_check(&list, model, out);
    if (status == RIFFLE_OK) status = predict_moves(plan, buffers, check->record, model, out);
    if (status != RIFFLE_OK || !is_checked) return status;
    launch_list_begin(&list);
    plan_check_append_behind(plan, check, (const void *)buffers->start[BUFFER_DST], &list);
    return predict_check(&list, model, out);
}

/* A check whose record and table are nowhere, behind plan_buffers_nowhere. */
static plan_check check_nowhere(const plan_request *request) {
    plan_check out = {.record = RECORD_NOWHERE};
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

riffle_status plan_predict_moves(const plan_request *request, const plan_choice *choice,
                                 const prediction_model *model, prediction *out, bool *adds_read) {
    const plan_buffers buffers = plan_buffers_nowhere(request);
    riffle_plan *plan;
    *out = prediction_of_nothing();
    riffle_status status = plan_outline(request, choice, &plan);
    if (status != RIFFLE_OK) return status;
    *adds_read = plan_adds_read(plan);
    status = predict_moves(plan, &buffers, RECORD_NOWHERE, model, out);
    plan_destroy(plan);
    return status;
}

riffle_status plan_predict_check(const plan_request *request, const prediction_model *model,
                                 plan_check_prediction *out) {
    const plan_buffers buffers = plan_buffers_nowhere(request);
    const plan_check check = check_nowhere(request);
    launch_list list;
    *out = (plan_check_prediction){prediction_of_nothing(), prediction_of_nothing()};
    if (request->check != RIFFLE_CHECK_FULL || request->array_bytes == 0) return RIFFLE_OK;
    launch_list_begin(&list);
    plan_check_append_read(request, &check, (const void *)src_of(request, &buffers), &list);
    const riffle_status status = predict_check(&list, model, &out->read);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    plan_check_append_written(request, &check, (const void *)buffers.start[BUFFER_DST], &list);
    return predict_check(&list, model, &out->written);
}
