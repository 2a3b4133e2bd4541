/* SPDX-License-Identifier: Apache-2.0
 *
 * Warps by time in Chrome's format of trace events, which ui.perfetto.dev opens: a launch is a process, a warp a thread, an access
 * of a warp a slice from its first stage to its end. A time unit is a microsecond there. Threads have numbers of 32 bits, so warps are
 * numbered as they are met.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/report/escape.h"
#include "machine/trace/formats.h"
#include "machine/trace/warps.h"

static void write_names(const riffle_trace *trace, const traced_warps *warps, FILE *stream) {
    for (size_t k = 0; k < warps->count; k++) {
        const traced_warp *w = &warps->warp[k];
        if (k == 0 || warps->warp[k - 1].launch != w->launch) {
            fprintf(stream,
                    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":", w->launch);
            escape_json(trace->round[w->round].kernel, stream);
            fprintf(stream, "}},\n");
        }
        fprintf(
            stream,
            "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%zu,\"args\":{\"name\":\"block %" PRIu64
            " warp %u\"}},\n",
            w->launch, k, w->block, w->warp);
    }
}

static void write_slice(const riffle_trace *trace, const traced_access *a, size_t warp, FILE *stream) {
    const traced_round *round = &trace->round[a->round];
    const riffle_trace_event first = trace_event(trace, a, 0);
    fprintf(stream,
            "{\"name\":\"%s %s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,\"tid\":%zu,\"ts\":%" PRIu64
            ",\"dur\":%u,\"args\":{\"round\":%u,\"stages\":%u,\"lanes\":%u,\"array\":",
            round->is_shared ? "shared" : "global", trace_op_names[round->op],
            a->stages > 1 ? "casual" : "good", round->launch, warp, trace_begin(trace, a),
            a->stages + round->latency - 1, a->round, a->stages, a->lanes);
    escape_json(first.array, stream);
    fprintf(stream, ",\"file\":");
    escape_json(round->file, stream);
    fprintf(stream, ",\"line\":%u}}", round->line);
}

bool trace_write_perfetto(const riffle_trace *trace, FILE *stream) {
    traced_warps warps;
    if (!warps_of(trace, true, &warps)) return false;
    fprintf(stream, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    write_names(trace, &warps, stream);
    for (size_t k = 0; k < trace->accesses; k++) {
        if (k > 0) fprintf(stream, ",\n");
        write_slice(trace, &trace->access[k], warps.of_access[k], stream);
    }
    fprintf(stream, "\n]}\n");
    warps_free(&warps);
    return true;
}
