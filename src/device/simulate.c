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
