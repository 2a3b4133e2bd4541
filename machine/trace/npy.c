/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of the CSV file as fields of a NumPy structure, packed and little-endian; a text is as many bytes as the longest of
 * its column.
 *
 *     \x93NUMPY 1 0 | length | {'descr': [...], ...} spaces \n | record | record | ...
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/trace/formats.h"

enum { HEADER = 768, BEFORE = 10 /* bytes before the text of the header */, ALIGNMENT = 64 };

typedef struct widths {
    size_t array, kernel, file;
} widths;

static void widen(size_t *width, const char *text) {
    const size_t length = strlen(text);
    if (length > *width) *width = length;
}

static widths widths_of(const riffle_trace *trace) {
    widths all = {1, 1, 1}; /* NumPy knows no field of no bytes */
    for (size_t k = 0; k < trace->rounds; k++) {
        widen(&all.kernel, trace->round[k].kernel);
        widen(&all.file, trace->round[k].file);
    }
    for (size_t k = 0; k < trace->lanes; k++) widen(&all.array, trace->string[trace->lane[k].array]);
    return all;
}

static void write_header(const riffle_trace *trace, const widths *w, FILE *stream) {
    char text[HEADER];
    size_t length = (size_t)snprintf(
        text, sizeof text,
        "{'descr': [('time', '<u8'), ('launch', '<u4'), ('round', '<u4'), ('block', '<u8'), ('warp', '<u4'), "
        "('lane', '<u4'), ('space', '|S6'), ('group', '<u8'), ('array', '|S%zu'), ('address', '<u8'), "
        "('bytes', '<u4'), ('op', '|S6'), ('kernel', '|S%zu'), ('file', '|S%zu'), ('line', '<u4')], "
        "'fortran_order': False, 'shape': (%zu,), }",
        w->array, w->kernel, w->file, trace->lanes);
    while ((BEFORE + length + 1) % ALIGNMENT != 0) text[length++] = ' ';
    text[length++] = '\n';
    fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
    fputc((int)(length & 0xff), stream);
    fputc((int)(length >> 8), stream);
    fwrite(text, 1, length, stream);
}

static void write_number(uint64_t value, unsigned bytes, FILE *stream) {
    for (unsigned k = 0; k < bytes; k++) fputc((int)(value >> 8 * k & 0xff), stream);
}

static void write_text(const char *text, size_t width, FILE *stream) {
    const size_t length = strlen(text);
    fwrite(text, 1, length, stream);
    for (size_t k = length; k < width; k++) fputc('\0', stream);
}

static void write_event(const riffle_trace_event *e, const widths *w, FILE *stream) {
    write_number(e->time, 8, stream);
    write_number(e->launch, 4, stream);
    write_number(e->round, 4, stream);
    write_number(e->block, 8, stream);
    write_number(e->warp, 4, stream);
    write_number(e->lane, 4, stream);
    write_text(e->is_shared ? "shared" : "global", 6, stream);
    write_number(e->group, 8, stream);
    write_text(e->array, w->array, stream);
    write_number(e->address, 8, stream);
    write_number(e->bytes, 4, stream);
    write_text(trace_op_names[e->op], 6, stream);
    write_text(e->kernel, w->kernel, stream);
    write_text(e->file, w->file, stream);
    write_number(e->line, 4, stream);
}

bool trace_write_npy(const riffle_trace *trace, FILE *stream) {
    const widths w = widths_of(trace);
    write_header(trace, &w, stream);
    for (size_t k = 0; k < trace->accesses; k++) {
        const traced_access *a = &trace->access[k];
        for (unsigned at = 0; at < a->lanes; at++) {
            const riffle_trace_event event = trace_event(trace, a, at);
            write_event(&event, &w, stream);
        }
    }
    return true;
}
