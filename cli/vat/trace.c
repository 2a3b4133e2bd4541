/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memrchr */
#include "vat/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 1 << 20, SHOWN_BYTES = 32 };

/* One more than a digit's value, 0 for what is no hexadecimal digit. */
static const uint8_t digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

__attribute__((format(printf, 2, 3))) static bool stop(vat_trace *trace, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trace->wrong, sizeof trace->wrong, format, arguments);
    va_end(arguments);
    return false;
}

static bool stop_at_line(vat_trace *trace, const char *line, const char *what) {
    const size_t length = strcspn(line, "\n");
    return stop(trace, "%s: line %llu: '%.*s' %s", trace->name, (unsigned long long)trace->line,
                (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES), line, what);
}

/* ------------------------------------------------------------------------------------------ lines */

/* The readers of numbers and lines below rely on the newline behind every line: it is no digit. */

/* Reads digits up to the first character that is none; NULL if there are none or too many. */
static const char *read_hexadecimal(const char *at, uint64_t *out) {
    const char *begin = at;
    uint64_t value = 0;
    for (uint8_t digit; (digit = digits[(uint8_t)*at]) != 0; ++at) {
        if (value >> 60 != 0) return NULL;
        value = value << 4 | (uint64_t)(digit - 1);
    }
    *out = value;
    return at != begin ? at : NULL;
}

static const char *read_decimal(const char *at, uint64_t *out) {
    const char *begin = at;
    uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; ++at) {
        if (__builtin_mul_overflow(value, 10, &value)) return NULL;
        if (__builtin_add_overflow(value, (uint64_t)(*at - '0'), &value)) return NULL;
    }
    *out = value;
    return at != begin ? at : NULL;
}

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\r') ++at;
    return at;
}

/* True for blanks and a comment, or nothing. */
static bool is_rest(const char *at) {
    at = skip_blanks(at);
    return *at == '\n' || *at == '#';
}

/* "==PID== ...", which valgrind says besides. */
static bool is_remark(const char *line) {
    return line[0] == '=' && line[1] == '=' && line[2] >= '0' && line[2] <= '9';
}

/* " L 1ffeffe7c8,8": a load; S is a store, M both, and "I  " a fetch, which begins without a blank. */
static bool has_lackey_tag(const char *line) {
    if (line[0] == ' ') return (line[1] == 'L' || line[1] == 'S' || line[1] == 'M') && line[2] == ' ';
    return line[0] == 'I' && line[1] == ' ' && line[2] == ' ';
}

/* These return where the newline or a comment is near, NULL for what is no access. */

static const char *read_lackey_line(const char *line, uint64_t *address, uint64_t *bytes) {
    if (!has_lackey_tag(line)) return NULL;
    const char *at = read_hexadecimal(line + 3, address);
    if (at == NULL || *at != ',') return NULL;
    at = read_decimal(at + 1, bytes);
    return at != NULL && *bytes >= 1 && *bytes <= VAT_TRACE_MAX_BYTES && is_rest(at) ? at : NULL;
}

static const char *read_address_line(const char *line, uint64_t *address, uint64_t *bytes) {
    const char *at = skip_blanks(line);
    const bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    at = hexadecimal ? read_hexadecimal(at + 2, address) : read_decimal(at, address);
    *bytes = 1;
    return at != NULL && is_rest(at) ? at : NULL;
}

/* Columns of riffle's own traces (docs/machine.md). */
static bool is_csv_head(const char *line) {
    static const char head[] =
        "time,launch,round,block,warp,lane,space,group,array,address,bytes,op,kernel,file,line";
    return strncmp(line, head, sizeof head - 1) == 0 && is_rest(line + sizeof head - 1);
}

/* Behind the comma at the end of a cell, which may be quoted; NULL where the line ends before. */
static const char *skip_cell(const char *at) {
    bool is_quoted = false;
    for (; *at != '\n' && (is_quoted || *at != ','); ++at) is_quoted ^= *at == '"';
    return *at == ',' ? at + 1 : NULL;
}

/* An access of a lane to global memory; addresses are from the start of the one array. */
static const char *read_csv_line(vat_trace *trace, const char *line, uint64_t *address, uint64_t *bytes) {
    enum { SPACE_CELL = 6, ARRAY_CELL = 8 };
    const char *at = line, *space = NULL;
    for (unsigned cell = 0; cell < ARRAY_CELL; ++cell) {
        if (cell == SPACE_CELL) space = at;
        if ((at = skip_cell(at)) == NULL) return NULL;
    }
    const char *const array = at;
    at = skip_cell(at);
    if (at == NULL || strncmp(space, "global,", 7) != 0) return NULL;
    const size_t length =
        (size_t)(at - array) < sizeof trace->array ? (size_t)(at - array) : sizeof trace->array - 1;
    if (trace->array[0] == '\0') memcpy(trace->array, array, length);
    if (strlen(trace->array) != length || memcmp(trace->array, array, length) != 0) return NULL;
    at = read_decimal(at, address);
    if (at == NULL || *at != ',') return NULL;
    at = read_decimal(at + 1, bytes);
    return at != NULL && *at == ',' && *bytes >= 1 && *bytes <= VAT_TRACE_MAX_BYTES ? at + strcspn(at, "\n")
                                                                                    : NULL;
}

/* Refuses a line that is no access, unless it is one to leave out. */
static bool leave_out(vat_trace *trace, const char *line) {
    if (is_rest(line)) return true;
    switch (trace->format) {
    case VAT_TRACE_LACKEY:
        if (is_remark(line)) return true;
        return stop_at_line(trace, line,
                            "is no line of lackey's; keep the program's own output out with --log-file=FILE");
    case VAT_TRACE_ADDRESSES:
        return stop_at_line(trace, line,
                            "is no address; write one a line, below 2^64, in decimal or as 0x hexadecimal");
    case VAT_TRACE_CSV:
        if (trace->accesses == 0 && is_csv_head(line)) return true;
        return stop_at_line(trace, line,
                            "is no access to the global memory of the first line's array; replay traces of one "
                            "array, as 'riffle vat run --trace' writes them");
    default:
        return stop_at_line(
            trace, line,
            "is neither an address (decimal or 0x hexadecimal) nor a line of "
            "valgrind's --tool=lackey --trace-mem=yes, nor of riffle's --trace; write one of these");
    }
}

static void recognize(vat_trace *trace, const char *line) {
    const char first = *skip_blanks(line);
    if (first >= '0' && first <= '9') trace->format = VAT_TRACE_ADDRESSES;
    if (is_remark(line) || has_lackey_tag(line)) trace->format = VAT_TRACE_LACKEY;
    if (is_csv_head(line)) trace->format = VAT_TRACE_CSV;
}

static bool add_access(vat_trace *trace, const char *line, uint64_t address, uint64_t bytes,
                       vat_accesses *out) {
    if (address > trace->last || bytes - 1 > trace->last - address) {
        char what[128];
        snprintf(what, sizeof what,
                 "lies beyond K^d P, whose last address is 0x%llx; choose a larger --height, without --advise",
                 (unsigned long long)trace->last);
        return stop_at_line(trace, line, what);
    }
    out->first[out->count] = address;
    out->last[out->count++] = address + (bytes - 1);
    trace->accesses++;
    return true;
}

/* Takes the next line, which is whole; false if it is wrong. */
static bool take_line(vat_trace *trace, vat_accesses *out) {
    const char *line = trace->text + trace->at;
    uint64_t address, bytes;
    trace->line++;
    if (trace->format == VAT_TRACE_UNKNOWN) recognize(trace, line);
    const bool lackey = trace->format == VAT_TRACE_LACKEY;
    const char *end = lackey                           ? read_lackey_line(line, &address, &bytes)
                      : trace->format == VAT_TRACE_CSV ? read_csv_line(trace, line, &address, &bytes)
                                                       : read_address_line(line, &address, &bytes);
    const bool access = end != NULL;
    if (!access && !leave_out(trace, line)) return false;
    if (!access) end = line;
    if (*end != '\n') end = memchr(end, '\n', trace->whole - (size_t)(end - trace->text));
    trace->at = (size_t)(end + 1 - trace->text);
    if (!access || (lackey && line[0] == 'I' && !trace->instructions)) return true;
    return add_access(trace, line, address, bytes, out);
}

/* ----------------------------------------------------------------------------------------- pieces */

/* Reads more text behind what is there; false at the end or where it cannot. */
static bool read_more(vat_trace *trace) {
    ssize_t got;
    do {
        got = read(trace->file, trace->text + trace->end, TEXT_BYTES - trace->end);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return stop(trace, "%s: cannot be read: %s", trace->name, strerror(errno));
    trace->ended = got == 0;
    trace->end += (size_t)got;
    return got > 0;
}

/* No line is left: may the trace end so? */
static void check_end(vat_trace *trace) {
    if (!trace->ended) {
        stop(trace, "%s: line %llu: longer than %d bytes; a trace has an access a line", trace->name,
             (unsigned long long)trace->line + 1, TEXT_BYTES);
    } else if (trace->accesses == 0 && trace->format == VAT_TRACE_LACKEY) {
        stop(trace, "%s: holds no loads or stores; --instructions counts fetches too", trace->name);
    } else if (trace->accesses == 0) {
        stop(trace,
             "%s: holds no accesses; write an address a line, or trace a program with valgrind --tool=lackey "
             "--trace-mem=yes --log-file=FILE",
             trace->name);
    }
}

/* The trace has ended with a line that lacks its newline. There is room for one: the line would be too long
 * otherwise. */
static void add_newline(vat_trace *trace) {
    trace->text[trace->end++] = '\n';
    trace->whole = trace->end;
    trace->unended = trace->line + 1;
}

/* Fetches lines once all are taken; false if there are no more. */
static bool fetch_lines(vat_trace *trace) {
    memmove(trace->text, trace->text + trace->whole, trace->end - trace->whole);
    trace->end -= trace->whole;
    trace->at = trace->whole = 0;
    while (trace->whole == 0 && trace->end < TEXT_BYTES && read_more(trace)) {
        const char *newline = memrchr(trace->text, '\n', trace->end);
        if (newline != NULL) trace->whole = (size_t)(newline + 1 - trace->text);
    }
    if (trace->whole == 0 && trace->ended && trace->end > 0) add_newline(trace);
    if (trace->whole == 0 && trace->wrong[0] == '\0') check_end(trace);
    return trace->whole > 0 && trace->wrong[0] == '\0';
}

bool vat_trace_open(vat_trace *trace, const char *path, bool instructions, uint64_t last) {
    const bool standard = strcmp(path, "-") == 0;
    *trace =
        (vat_trace){.name = standard ? "standard input" : path, .last = last, .instructions = instructions};
    trace->file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (trace->file < 0) return stop(trace, "%s: cannot be read: %s", trace->name, strerror(errno));
    trace->text = malloc(TEXT_BYTES);
    if (trace->text == NULL)
        return stop(trace, "%s: no memory for %d bytes; free some", trace->name, TEXT_BYTES);
    return true;
}

bool vat_trace_next(vat_trace *trace, vat_accesses *out) {
    out->count = 0;
    while (out->count < VAT_TRACE_CHUNK && (trace->at < trace->whole || fetch_lines(trace))) {
        if (!take_line(trace, out)) return false;
    }
    return trace->wrong[0] == '\0' && out->count > 0;
}

void vat_trace_close(vat_trace *trace) {
    free(trace->text);
    if (trace->file > STDERR_FILENO) close(trace->file);
    trace->text = NULL;
    trace->file = -1;
}
