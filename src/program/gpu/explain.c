/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_explain_program: the launches of a program that nobody runs, by a device that only foretells.
 */
#include "program/explain.h"

#include "base/status.h"
#include "device/predict/forecast.h"
#include "device/predict/table.h"
#include "program/gpu/plan.h"
#include "program/gpu/predict.h"
#include "riffle/machine.h"

enum { MOST_ELEMENTS = 1 << 17 /* looked at in a launch, where its blocks are not alike */ };

/* Memory where nothing is. */
static riffle_status add_array(const riffle_program_plan *plan, uint64_t bytes, void **out) {
    return plan->base.on.ops->allocate(&plan->base.on, "an array of a program", (size_t)bytes, out);
}

/* As riffle_simulate_program has them: one array where that does, else two, and a third. */
static riffle_status predict(const riffle_program_plan *plan, forecast *told) {
    void *src, *dst, *workspace;
    launch_list list;
    riffle_status status = add_array(plan, program_plan_bytes(plan), &src);
    dst = src;
    if (status == RIFFLE_OK && !riffle_program_plan_in_place(plan))
        status = add_array(plan, program_plan_bytes(plan), &dst);
    if (status == RIFFLE_OK) status = add_array(plan, plan->base.workspace_bytes, &workspace);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    program_append(plan, dst, src, workspace, &list);
    status = forecast_list(told, &list);
    launch_list_free(&list);
    return status;
}

static riffle_status print(const riffle_program_plan *plan, const forecast *told, bool json, FILE *stream) {
    if (!json) {
        const riffle_status status = riffle_program_plan_explain(plan, stream);
        if (status == RIFFLE_OK) prediction_print(&told->told, &told->model.machine, stream);
    } else {
        fputc('{', stream);
        program_explain_members(&plan->passes, plan->type, plan->algorithm, plan->engine->name, stream);
        fputs(", ", stream);
        prediction_print_json(&told->told, &told->model.machine, stream);
        fputs("}\n", stream);
    }
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}

riffle_status riffle_explain_program(const riffle_program *program, riffle_type type,
                                     const riffle_program_options *options, const riffle_explanation *how,
                                     FILE *stream) {
    RETURN_IF_NULL(program, stream);
    prediction_model model;
    riffle_program_options asked = options != NULL ? *options : (riffle_program_options){0};
    riffle_status status = forecast_model_of(how, "programs", MOST_ELEMENTS, &model);
    if (status != RIFFLE_OK) return status;
    forecast told = forecast_begin(&model, program_patterns, NULL);
    const device on = device_of_forecast(&told, forecast_multiprocessors(how));
    riffle_program_plan *plan = NULL;
    asked.callers_workspace = true;
    status = program_plan_create(program, type, RIFFLE_ENGINE_CUDA, &on, &asked, &plan);
    if (status == RIFFLE_OK) status = predict(plan, &told);
    if (status == RIFFLE_OK) status = print(plan, &told, how != NULL && how->json, stream);
    riffle_program_plan_free(plan);
    prediction_free(&told.told);
    return status;
}
