/* SPDX-License-Identifier: Apache-2.0 */
#include "device/simulate/simulate.h"

#include <stdlib.h>

#include "base/status.h"
#include "device/machine_library.h"
#include "device/predict/forecast.h"

enum { WARP = 32 }; /* the kernels' own */

static riffle_status check_width(const simulated *how, unsigned width) {
    if (how->kernels == NULL || width == WARP) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "kernels of %s have warps of %d; this machine has width %u",
                how->kernels, WARP, width);
}

static report_predicted predicted_of(const pattern_count *count) {
    return (report_predicted){count->rounds, count->casual_rounds, count->stages, count->time_units};
}

static report_prediction tell(const launch_prediction *told) {
    report_prediction out = {.kernel = told->kernel};
    const pattern_counts *const counts = &told->counts;
    for (unsigned op = 0; op < PATTERN_OPS; op++) {
        out.of[SPACE_GLOBAL][op] = predicted_of(&counts->of[PATTERN_GLOBAL][op]);
        out.of[SPACE_SHARED][op] = predicted_of(&counts->of[PATTERN_SHARED][op]);
    }
    return out;
}

/* Without memory nothing is told. */
void simulate_predicted(const prediction *told, riffle_report *report) {
    report->prediction = told->is_known ? calloc(told->launches + 1, sizeof *report->prediction) : NULL;
    report->is_predicted = report->prediction != NULL;
    if (!report->is_predicted) return;
    report->predicted_time_units = pattern_time_units(&told->counts);
    report->predicted_meaning = pattern_meaning_string(told->meaning);
    report->predictions = told->launches;
    for (size_t k = 0; k < told->launches; k++) report->prediction[k] = tell(&told->launch[k]);
}

/* The forecast is told of each list before the machine runs it. */
static riffle_status run(const simulated *how, device *on, void *subject, const machine_library *there,
                         riffle_report **out) {
    const prediction_model model = {*on->machine_options, UINT64_MAX};
    forecast told = forecast_begin(&model, how->patterns, subject);
    if (how->patterns != NULL) on->listener = forecast_listener(&told);
    const riffle_status status = how->run(on, subject);
    if (status == RIFFLE_OK) {
        *out = there->take_report(on->machine);
        if (how->patterns != NULL) simulate_predicted(&told.told, *out);
        how->describe(subject, *out);
    }
    prediction_free(&told.told);
    return status;
}

riffle_status simulate(const simulated *how, void *subject, const riffle_machine_options *options,
                       riffle_report **out) {
    const machine_library *there;
    struct machine *m;
    riffle_status status = machine_library_find(&there);
    if (status == RIFFLE_OK) status = there->create(options, &m);
    if (status != RIFFLE_OK) return status;
    device on = there->device_of(m);
    on.multiprocessors = how->multiprocessors;
    status = check_width(how, on.machine_options->width);
    if (status == RIFFLE_OK) status = run(how, &on, subject, there, out);
    there->free(m);
    return status;
}
