/* SPDX-License-Identifier: Apache-2.0 */
#include "device/explain/explain.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "device/explain/text.h"
#include "device/predict/forecast.h"
#include "device/predict/table.h"
#include "riffle/cuda.h"

/* Times that were measured, and the bounds of the plan that took them. */
typedef struct measurement {
    measured_times times;
    measured_bound bound[EXPLAINED_BOUNDS];
    unsigned bounds;
} measurement;

static bool is_empty(const explained *what, const plan_base *plan) {
    size_t bytes[EXPLAINED_ARRAYS] = {0};
    what->arrays(plan, bytes);
    return bytes[0] == 0;
}

/* ------------------------------------------------------------------ measuring */

/* A plan that is measured. */
typedef struct subject {
    const explained *what;
    plan_base *plan;
    size_t bytes[EXPLAINED_ARRAYS], workspace_bytes;
    explained_arrays arrays;
} subject;

static riffle_status execute(const void *context) {
    const subject *const s = context;
    return s->what->execute(s->plan, &s->arrays);
}

static void append(const void *context, launch_list *out) {
    const subject *const s = context;
    s->what->append(s->plan, &s->arrays, out);
}

/* A GPU's comes from the host. */
static riffle_status fill(const subject *s) {
    static const device host = {.ops = NULL};
    const device *const on = &s->plan->on;
    void *here, *const there = s->arrays.of[s->what->filled];
    const size_t bytes = s->bytes[s->what->filled];
    if (on->ops == NULL) return s->what->fill(s->plan, there);
    riffle_status status = measure_array(&host, bytes, &here);
    if (status != RIFFLE_OK) return status;
    status = s->what->fill(s->plan, here);
    if (status == RIFFLE_OK)
        status = on->ops->upload(on, "bringing an array to measure with to the GPU", there, here, bytes);
    measure_array_free(&host, here, bytes);
    return status;
}

/* The second array has room for a copy of the first. */
static riffle_status make_arrays(subject *s) {
    const device *const on = &s->plan->on;
    riffle_status status = RIFFLE_OK;
    s->bytes[1] = max(s->bytes[0], s->bytes[1]);
    s->workspace_bytes = on->ops != NULL ? s->plan->workspace_bytes : 0;
    for (unsigned k = 0; status == RIFFLE_OK && k < EXPLAINED_ARRAYS; k++)
        if (s->bytes[k] > 0) status = measure_array(on, s->bytes[k], &s->arrays.of[k]);
    if (status == RIFFLE_OK && s->workspace_bytes > 0)
        status = measure_array(on, s->workspace_bytes, &s->arrays.workspace);
    return status == RIFFLE_OK ? fill(s) : status;
}

static void free_arrays(const subject *s) {
    const device *const on = &s->plan->on;
    for (unsigned k = 0; k < EXPLAINED_ARRAYS; k++) measure_array_free(on, s->arrays.of[k], s->bytes[k]);
    measure_array_free(on, s->arrays.workspace, s->workspace_bytes);
}

static riffle_status measure_plan(const explained *what, plan_base *plan, measurement *out) {
    subject s = {.what = what, .plan = plan};
    what->arrays(plan, s.bytes);
    if (s.bytes[0] == 0) return RIFFLE_OK;
    riffle_status status = make_arrays(&s);
    const measured_work work = {.on = &plan->on,
                                .to = s.arrays.of[1],
                                .from = s.arrays.of[0],
                                .bytes = s.bytes[0],
                                .execute = execute,
                                .append = append,
                                .context = &s};
    if (status == RIFFLE_OK) status = measure_times(&work, &out->times);
    out->bounds = what->bounds(plan, out->bound);
    free_arrays(&s);
    return status;
}

/* The GPU's own plan. */
static riffle_status measure_there(const explained *what, measurement *out) {
    plan_base *plan = NULL;
    riffle_status status = what->plan(what->asked, RIFFLE_ENGINE_CUDA, NULL, &plan);
    if (status != RIFFLE_OK) return status;
    status = measure_plan(what, plan, out);
    what->discard(plan);
    return status;
}

/* ----------------------------------------------------------------- predicting */

/* Memory where nothing is. */
static riffle_status place_arrays(const explained *what, const plan_base *plan, explained_arrays *out) {
    static const char name[] = "an array";
    const device *const on = &plan->on;
    size_t bytes[EXPLAINED_ARRAYS] = {0};
    riffle_status status = RIFFLE_OK;
    what->arrays(plan, bytes);
    for (unsigned k = 0; status == RIFFLE_OK && k < EXPLAINED_ARRAYS; k++)
        status = on->ops->allocate(on, name, bytes[k], &out->of[k]);
    return status == RIFFLE_OK ? on->ops->allocate(on, name, plan->workspace_bytes, &out->workspace) : status;
}

static riffle_status predict(const explained *what, const plan_base *plan, forecast *told) {
    explained_arrays arrays = {.workspace = NULL};
    launch_list list;
    riffle_status status = place_arrays(what, plan, &arrays);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    what->append(plan, &arrays, &list);
    status = forecast_list(told, &list);
    launch_list_free(&list);
    return status;
}

/* ------------------------------------------------------------------- printing */

void explain_members(const plan_base *plan, const char *algorithm, FILE *stream) {
    fprintf(stream, ",\"engine\":\"%s\",\"algorithm\":\"%s\",\"workspace_bytes\":%zu",
            plan->on.ops != NULL ? "cuda" : "cpu", algorithm, plan->workspace_bytes);
    if (plan->threads > 0) fprintf(stream, ",\"threads\":%u", plan->threads);
}

/* `told` is NULL where nothing is predicted. */
static riffle_status print(const explained *what, const plan_base *plan, const forecast *told,
                           const measurement *m, const riffle_explanation *how, FILE *stream) {
    if (!how->json) {
        const riffle_status status = what->print(plan, stream);
        if (status != RIFFLE_OK) return status;
        if (how->gpu != NULL) fprintf(stream, "gpu         %s\n", how->gpu->name);
        measured_times_print(&m->times, m->bound, m->bounds, stream);
        if (told != NULL && !is_empty(what, plan)) prediction_print(&told->told, &told->model.machine, stream);
    } else {
        fputc('{', stream);
        what->members(plan, stream);
        if (told != NULL) fputc(',', stream);
        if (told != NULL && how->gpu != NULL) explain_text("gpu", how->gpu->name, stream);
        if (told != NULL) prediction_print_json(&told->told, &told->model.machine, stream);
        measured_times_print_json(&m->times, m->bound, m->bounds, stream);
        fputs("}\n", stream);
    }
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}

/* ------------------------------------------------------------------- the doors */

riffle_status explain_check_gpu(riffle_engine engine, const riffle_explanation *how) {
    if (how->gpu != NULL && engine != RIFFLE_ENGINE_CUDA)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a GPU is given, but the engine is %s; ask for cuda",
                    riffle_engine_string(engine));
    if (how->gpu != NULL && how->measure)
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "a GPU that is named is not measured; leave out measure, or have no device named, which takes "
            "the one that is here");
    return RIFFLE_OK;
}

static riffle_status explain_here(const explained *what, riffle_engine engine, const riffle_explanation *how,
                                  FILE *stream) {
    measurement m = {.bounds = 0};
    plan_base *plan = NULL;
    riffle_status status = what->plan(what->asked, engine, NULL, &plan);
    if (status != RIFFLE_OK) return status;
    if (how->measure) status = measure_plan(what, plan, &m);
    if (status == RIFFLE_OK) status = print(what, plan, NULL, &m, how, stream);
    what->discard(plan);
    return status;
}

static riffle_status explain_forecast(const explained *what, const riffle_explanation *how, FILE *stream) {
    measurement m = {.bounds = 0};
    prediction_model model;
    plan_base *plan = NULL;
    riffle_status status = forecast_model_of(how, what->kernels, what->most_elements, &model);
    if (status == RIFFLE_OK && how->measure) status = measure_there(what, &m);
    if (status != RIFFLE_OK) return status;
    forecast told = forecast_begin(&model, what->patterns, what->subject);
    const device on = device_of_forecast(&told, forecast_multiprocessors(how));
    status = what->plan(what->asked, RIFFLE_ENGINE_CUDA, &on, &plan);
    if (status == RIFFLE_OK) status = predict(what, plan, &told);
    if (status == RIFFLE_OK) status = print(what, plan, &told, &m, how, stream);
    if (plan != NULL) what->discard(plan);
    prediction_free(&told.told);
    return status;
}

riffle_status explain_plan(const explained *what, riffle_engine engine, const riffle_explanation *how,
                           FILE *stream) {
    static const riffle_explanation defaults;
    if (how == NULL) how = &defaults;
    const riffle_status status = explain_check_gpu(engine, how);
    if (status != RIFFLE_OK) return status;
    return engine == RIFFLE_ENGINE_CUDA ? explain_forecast(what, how, stream)
                                        : explain_here(what, engine, how, stream);
}
