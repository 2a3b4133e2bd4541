/* SPDX-License-Identifier: Apache-2.0 */
#include "device/simulate.h"

#include "base/status.h"
#include "device/machine_library.h"

enum { WARP = 32 }; /* the kernels' own */

static riffle_status check_width(const simulated *how, unsigned width) {
    if (how->kernels == NULL || width == WARP) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "kernels of %s have warps of %d; this machine has width %u",
                how->kernels, WARP, width);
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
    if (status == RIFFLE_OK) status = how->run(&on, subject);
    if (status == RIFFLE_OK) {
        *out = there->take_report(m);
        how->describe(subject, *out);
    }
    there->free(m);
    return status;
}

static report_predicted predicted_of(const pattern_count *count) {
    return (report_predicted){count->rounds, count->casual_rounds, count->stages, count->time_units};
}

void simulate_tell(const char *kernel, const pattern_counts *counts, report_prediction *out) {
    out->kernel = kernel;
    for (unsigned op = 0; op < PATTERN_OPS; op++) {
        out->of[SPACE_GLOBAL][op] = predicted_of(&counts->of[PATTERN_GLOBAL][op]);
        out->of[SPACE_SHARED][op] = predicted_of(&counts->of[PATTERN_SHARED][op]);
    }
}
