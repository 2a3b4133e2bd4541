/* SPDX-License-Identifier: Apache-2.0
 *
 * A line an access of a lane (docs/machine.md has the columns). Texts that need it are quoted as RFC 4180 has it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/trace/formats.h"

static void write_text(const char *text, FILE *stream) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void write_event(const riffle_trace_event *e, FILE *stream) {
    fprintf(stream, "%" PRIu64 ",%u,%u,%" PRIu64 ",%u,%u,%s,%" PRIu64 ",", e->time, e->launch, e->round,
            e->block, e->warp, e->lane, e->is_shared ? "shared" : "global", e->group);
    write_text(e->array, stream);
    fprintf(stream, ",%" PRIu64 ",%u,%s,", e->address, e->bytes, trace_op_names[e->op]);
    write_text(e->kernel, stream);
    fputc(',', stream);
    write_text(e->file, stream);
    fprintf(stream, ",%u\n", e->line);
}

bool trace_write_csv(const riffle_trace *trace, FILE *stream) {
    fputs("time,launch,round,block,warp,lane,space,group,array,address,bytes,op,kernel,file,line\n", stream);
    for (size_t k = 0; k < trace->accesses; k++) {
        const traced_access *a = &trace->access[k];
        for (unsigned at = 0; at < a->lanes; at++) {
            const riffle_trace_event event = trace_event(trace, a, at);
            write_event(&event, stream);
        }
    }
    return true;
}
