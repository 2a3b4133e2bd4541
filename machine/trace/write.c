/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace as a file: what may be written, and which writer does it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/status.h"
#include "machine/library.h"
#include "machine/trace/formats.h"

static riffle_status check_whole(const riffle_trace *trace) {
    if (trace->lacks_memory) return fail_memory("a trace", trace->lane_capacity * sizeof *trace->lane);
    if (trace->made <= trace->options.limit) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "a trace of %" PRIu64 " accesses, and %" PRIu64
                " are its limit; ask for fewer elements or trials, trace one block (--trace-block B) or launch "
                "(--trace-launch K), or raise --trace-limit",
                trace->made, trace->options.limit);
}

static riffle_status check_drawn(const riffle_trace *trace) {
    if (trace->lanes == 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "a trace without an access has no picture; trace another launch or block");
    const uint64_t round = trace->options.round;
    if (round > 0 && (round > trace->rounds || trace->round[round - 1].accesses == 0))
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "round %" PRIu64 " has no access in the trace; choose one of its %zu rounds", round - 1,
                    trace->rounds);
    return RIFFLE_OK;
}

riffle_status trace_write(const riffle_trace *trace, riffle_trace_format format, FILE *stream) {
    RETURN_IF_NULL(trace, stream);
    const riffle_status status = check_whole(trace);
    if (status != RIFFLE_OK) return status;
    static bool (*const writers[])(const riffle_trace *, FILE *) = {
        [RIFFLE_TRACE_FORMAT_CSV] = trace_write_csv,           [RIFFLE_TRACE_FORMAT_NPY] = trace_write_npy,
        [RIFFLE_TRACE_FORMAT_PERFETTO] = trace_write_perfetto, [RIFFLE_TRACE_FORMAT_SVG] = trace_write_svg,
        [RIFFLE_TRACE_FORMAT_HTML] = trace_write_html,
    };
    if ((unsigned)format >= sizeof writers / sizeof *writers)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "no format of traces has the number %d; use RIFFLE_TRACE_FORMAT_...", (int)format);
    const riffle_status drawn = format >= RIFFLE_TRACE_FORMAT_SVG ? check_drawn(trace) : RIFFLE_OK;
    if (drawn != RIFFLE_OK) return drawn;
    if (!writers[format](trace, stream))
        return fail_memory("the warps of a trace", trace->accesses * sizeof(size_t));
    return fflush(stream) == 0 && !ferror(stream) ? RIFFLE_OK
                                                  : fail(RIFFLE_ERROR_IO, "the trace cannot be written");
}
