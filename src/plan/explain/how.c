/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/how.h"

#include "base/status.h"

enum { MOST_WIDTH = 32 };

static void replace(unsigned *value, unsigned asked) {
    if (asked != 0) *value = asked;
}

riffle_status explain_take_machine(const riffle_machine_options *asked, riffle_machine_options *out) {
    *out = (riffle_machine_options)EXPLAIN_MACHINE;
    if (asked == NULL) return RIFFLE_OK;
    replace(&out->width, asked->width);
    replace(&out->latency, asked->latency);
    replace(&out->shared_latency, asked->shared_latency);
    replace(&out->dmms, asked->dmms);
    replace(&out->block_threads, asked->block_threads);
    if (asked->shared_bytes != 0) out->shared_bytes = asked->shared_bytes;
    if (out->width > MOST_WIDTH || (out->width & (out->width - 1)) != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "simulated algorithms want a width that is a power of two, %d at most, and not %u",
                    MOST_WIDTH, out->width);
    if (out->block_threads >= out->width) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "simulated algorithms want blocks of a warp or more; %u threads are less than a warp of %u",
                out->block_threads, out->width);
}
