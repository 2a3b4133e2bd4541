/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_explain_sort: the launches of a sort that nobody runs, by a device that only foretells.
 */
#include <inttypes.h>

#include "base/status.h"
#include "device/predict/forecast.h"
#include "device/predict/table.h"
#include "sort/gpu/plan.h"

/* Memory where nothing is. */
static riffle_status add_array(const riffle_sort_plan *plan, uint64_t bytes, void **out) {
    return plan->base.on.ops->allocate(&plan->base.on, "an array of a sort", (size_t)bytes, out);
}

/* A sort puts elements where they came from; a merge and some of them do not. */
static riffle_status add_arrays(const riffle_sort_plan *plan, riffle_sort_arrays *out, void **workspace) {
    const uint64_t n = plan->n;
    void *keys = NULL, *values = NULL, *indices = NULL, *lengths = NULL, *from = NULL, *from_values = NULL;
    riffle_status status = add_array(plan, n * plan->layout.elem_bytes, &from);
    if (status == RIFFLE_OK) status = add_array(plan, n * plan->value_bytes, &from_values);
    if (status == RIFFLE_OK) status = add_array(plan, n * plan->layout.elem_bytes, &keys);
    if (status == RIFFLE_OK) status = add_array(plan, n * plan->value_bytes, &values);
    if (status == RIFFLE_OK) status = add_array(plan, n * plan->index_bytes, &indices);
    if (status == RIFFLE_OK) status = add_array(plan, plan->segments * sizeof(uint64_t), &lengths);
    if (status == RIFFLE_OK) status = add_array(plan, plan->base.workspace_bytes, workspace);
    *out = (riffle_sort_arrays){.keys = keys,
                                .values = values,
                                .indices = indices,
                                .lengths = plan->task == RIFFLE_SORT_TASK_UNIQUE ? lengths : NULL,
                                .from_keys = from,
                                .from_values = from_values};
    return status;
}

static riffle_status predict(const riffle_sort_plan *plan, forecast *told) {
    const sort_subject subject = sort_subject_of(plan);
    riffle_sort_arrays arrays;
    void *workspace;
    launch_list list;
    riffle_status status = add_arrays(plan, &arrays, &workspace);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    sort_append(plan, &arrays, workspace, &list);
    told->subject = &subject;
    status = forecast_list(told, &list);
    launch_list_free(&list);
    return status;
}

static riffle_status print(const riffle_sort_plan *plan, const forecast *told, bool json, FILE *stream) {
    if (!json) {
        const riffle_status status = riffle_sort_plan_explain(plan, stream);
        if (status == RIFFLE_OK && plan->n > 0) prediction_print(&told->told, &told->model.machine, stream);
    } else {
        fprintf(stream,
                "{\"n\":%" PRIu64 ",\"elem_bytes\":%" PRIu32 ",\"segments\":%" PRIu64
                ",\"algorithm\":\"%s\",\"workspace_bytes\":%zu,",
                plan->n, plan->layout.elem_bytes, plan->segments, riffle_sort_algorithm_string(plan->algorithm),
                plan->base.workspace_bytes);
        prediction_print_json(&told->told, &told->model.machine, stream);
        fprintf(stream, "}\n");
    }
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}

riffle_status riffle_explain_sort(uint64_t n, const riffle_sort_key *key, const riffle_sort_options *options,
                                  const riffle_explanation *how, FILE *stream) {
    RETURN_IF_NULL(key, stream);
    prediction_model model;
    riffle_sort_options asked = options != NULL ? *options : (riffle_sort_options){0};
    riffle_status status = forecast_model_of(how, "sorts", UINT64_MAX, &model);
    if (status != RIFFLE_OK) return status;
    forecast told = forecast_begin(&model, sort_patterns_of(key, n, &asked), NULL);
    const device on = device_of_forecast(&told, forecast_multiprocessors(how));
    riffle_sort_plan *plan = NULL;
    asked.callers_workspace = 1;
    status = sort_plan_create(n, key, RIFFLE_ENGINE_CUDA, &on, &asked, &plan);
    if (status == RIFFLE_OK) status = predict(plan, &told);
    if (status == RIFFLE_OK) status = print(plan, &told, how != NULL && how->json, stream);
    riffle_sort_plan_free(plan);
    prediction_free(&told.told);
    return status;
}
