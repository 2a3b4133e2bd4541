/* SPDX-License-Identifier: Apache-2.0 */
#include "device/predict/predict.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"

void prediction_free(prediction *p) {
    free(p->launch);
    *p = (prediction){0};
}

static launch_pattern pattern_of(const kernel_pattern *patterns, const kernel_record *kernel) {
    for (; patterns->kernel != NULL; patterns++)
        if (patterns->kernel == kernel) return patterns->pattern;
    return NULL;
}

static riffle_status add_launch(const char *kernel, const pattern_counts *counts, prediction *out) {
    if (out->launches == out->capacity) {
        const size_t capacity = 2 * out->capacity + 4;
        launch_prediction *const grown = realloc(out->launch, capacity * sizeof *grown);
        if (grown == NULL) return fail_memory("a prediction", capacity * sizeof *grown);
        out->launch = grown;
        out->capacity = capacity;
    }
    out->launch[out->launches++] = (launch_prediction){kernel, *counts};
    pattern_counts_add(&out->counts, counts);
    return RIFFLE_OK;
}

static bool is_counted(const launch *work) {
    return work->kind == LAUNCH_KERNEL || work->kind == LAUNCH_COOPERATIVE;
}

riffle_status predict_launch(const launch *work, uint64_t grid, const kernel_pattern *patterns,
                             const void *subject, const prediction_model *model, prediction *out) {
    const launch_pattern of = is_counted(work) ? pattern_of(patterns, work->kernel) : NULL;
    pattern counted;
    if (of == NULL) {
        out->is_known = false;
        return RIFFLE_OK;
    }
    pattern_begin(&counted, &model->machine, grid, model->most_elements);
    of(work, subject, &counted);
    const pattern_counts counts = pattern_end(&counted);
    if (counted.status != RIFFLE_OK) return counted.status;
    out->meaning = max(out->meaning, counted.meaning);
    out->is_known = !counted.is_unknown;
    if (counted.is_unknown || counted.has_no_step) return RIFFLE_OK;
    return add_launch(work->kernel->name, &counts, out);
}

riffle_status predict_list(const launch_list *list, const kernel_pattern *patterns, const void *subject,
                           const prediction_model *model, prediction *out) {
    riffle_status status = list->status;
    for (const launch *work = list->first; status == RIFFLE_OK && out->is_known && work != NULL;
         work = work->next)
        if (is_counted(work)) status = predict_launch(work, work->grid, patterns, subject, model, out);
    return status;
}
