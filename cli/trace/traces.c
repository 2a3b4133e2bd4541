/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/traces.h"

#include <errno.h>
#include <string.h>

#include "arrays/document.h"
#include "arrays/same_file.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "system/writable.h"

/* The format that a file's ending stands for; -1 if none. */
static int format_of(const char *file) {
    static const struct {
        const char *ending;
        riffle_trace_format format;
    } all[] = {{".csv", RIFFLE_TRACE_FORMAT_CSV},
               {".npy", RIFFLE_TRACE_FORMAT_NPY},
               {".json", RIFFLE_TRACE_FORMAT_PERFETTO}};
    const size_t length = strlen(file);
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        const size_t own = strlen(all[k].ending);
        if (length > own && strcmp(file + length - own, all[k].ending) == 0) return (int)all[k].format;
    }
    return -1;
}

bool option_one_of_many(const command_option *option, const char *text, void *field) {
    uint64_t value;
    if (!read_range(option, text, option->least, option->most, &value)) return false;
    *(uint64_t *)field = value + 1;
    return true;
}

static bool is_asked(const traces *asked) {
    return asked->file != NULL || asked->svg != NULL || asked->html != NULL;
}

static int check_alone(const traces *asked) {
    const riffle_trace_options *o = &asked->options;
    const char *given = o->launch > 0 ? "launch" : o->block > 0 ? "block" : o->limit > 0 ? "limit" : NULL;
    if (o->round > 0) given = "round";
    if (is_asked(asked) || given == NULL) return EXIT_DONE;
    complain("--trace-%s: is for a trace; name its file with --trace FILE or --svg FILE", given);
    return EXIT_USAGE;
}

static int check_file(const char *path) {
    if (path == NULL || is_writable(path)) return EXIT_DONE;
    complain("%s: cannot be written: %s", path, strerror(errno));
    return EXIT_FAILED;
}

/* EXIT_USAGE, after a complaint, if two names are one file's. */
static int check_apart(const char *one, const char *other) {
    if (one == NULL || other == NULL || !is_same_file(one, other)) return EXIT_DONE;
    complain("%s: two of --trace and the pictures are the same file; give one of them another name", one);
    return EXIT_USAGE;
}

int traces_check(const traces *asked) {
    int status = check_alone(asked);
    if (asked->file != NULL && format_of(asked->file) < 0) {
        complain("--trace '%s': has no ending that says its format; write FILE.csv, FILE.npy or FILE.json",
                 asked->file);
        status = EXIT_USAGE;
    }
    if (status == EXIT_DONE) status = check_apart(asked->file, asked->svg);
    if (status == EXIT_DONE) status = check_apart(asked->file, asked->html);
    if (status == EXIT_DONE) status = check_apart(asked->svg, asked->html);
    if (status == EXIT_DONE) status = check_file(asked->file);
    if (status == EXIT_DONE) status = check_file(asked->svg);
    return status == EXIT_DONE ? check_file(asked->html) : status;
}

bool traces_begin(const traces *asked, riffle_trace **out) {
    *out = NULL;
    if (!is_asked(asked)) return true;
    const riffle_status status = riffle_trace_create(&asked->options, out);
    if (status != RIFFLE_OK) complain_status("--trace", status);
    return status == RIFFLE_OK;
}

/* A trace and a format to print it in. */
typedef struct subject {
    const riffle_trace *trace;
    riffle_trace_format format;
} subject;

static riffle_status print(const void *what, FILE *stream) {
    const subject *own = what;
    return riffle_trace_write(own->trace, own->format, stream);
}

static bool write_as(const char *path, riffle_trace_format format, const riffle_trace *trace) {
    return document_write(path, print, &(subject){trace, format});
}

bool traces_write(const traces *asked, const riffle_trace *trace) {
    const int format = asked->file != NULL ? format_of(asked->file) : 0;
    return write_as(asked->file, (riffle_trace_format)format, trace) &&
           write_as(asked->svg, RIFFLE_TRACE_FORMAT_SVG, trace) &&
           write_as(asked->html, RIFFLE_TRACE_FORMAT_HTML, trace);
}
