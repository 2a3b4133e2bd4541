/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "lint/documents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/document.h"
#include "arrays/same_file.h"
#include "frame/message.h"
#include "system/writable.h"

/* The whole of a file as text; NULL, with the reason said. */
static char *read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL, part[1 << 14];
    size_t length = 0;
    FILE *whole = file != NULL ? open_memstream(&text, &length) : NULL;
    for (size_t got = 1; whole != NULL && got > 0;) {
        got = fread(part, 1, sizeof part, file);
        fwrite(part, 1, got, whole);
    }
    const int error = errno;
    const bool read = whole != NULL && !ferror(file) && !ferror(whole);
    if (file != NULL) fclose(file);
    if (whole != NULL && fclose(whole) == 0 && read) return text;
    free(text);
    complain("%s: cannot be read: %s", path, strerror(error));
    return NULL;
}

/* A report and what the user asked of it. */
typedef struct subject {
    const request *ask;
    const riffle_report *report;
} subject;

static riffle_status print_sarif(const void *what, FILE *stream) {
    const subject *own = what;
    return riffle_report_print_sarif(own->report, own->ask->job.file, stream);
}

static riffle_status print_html(const void *what, FILE *stream) {
    const subject *own = what;
    char *source = read_whole(own->ask->job.file);
    const riffle_status status = riffle_report_print_html(own->report, own->ask->job.file, source, stream);
    free(source);
    return status;
}

riffle_report *documents_compare(const request *ask, riffle_report *report, FILE *out) {
    riffle_report *worse;
    if (ask->before == NULL) return report;
    char *text = read_whole(ask->before);
    if (text == NULL) return NULL;
    const riffle_status status =
        riffle_report_compare(report, ask->before, text, ask->json ? stderr : out, &worse);
    free(text);
    if (status == RIFFLE_OK) return worse;
    complain("%s", riffle_error_detail());
    return NULL;
}

bool documents_write(const request *ask, const riffle_report *report) {
    const subject own = {ask, report};
    return document_write(ask->sarif, print_sarif, &own) && document_write(ask->html, print_html, &own);
}

/* False, after a complaint, if a document's file is one that is read or written too. */
static bool is_other(const char *document, const char *option, const char *file, const char *what) {
    if (document == NULL || file == NULL || !is_same_file(document, file)) return true;
    complain("%s: %s and what --%s writes are the same file; give --%s another name", document, what, option,
             option);
    return false;
}

bool documents_are_apart(const request *ask) {
    for (unsigned k = 0; k < ask->files.count; k++)
        if (!is_other(ask->sarif, "sarif", ask->files.words[k], "the program") ||
            !is_other(ask->html, "html", ask->files.words[k], "the program"))
            return false;
    return is_other(ask->sarif, "sarif", ask->before, "what is compared with") &&
           is_other(ask->html, "html", ask->before, "what is compared with") &&
           is_other(ask->html, "html", ask->sarif, "what --sarif writes");
}

static bool refuse_file(const char *path, const char *what) {
    complain("%s: cannot be %s: %s", path, what, strerror(errno));
    return false;
}

bool documents_can_be(const request *ask) {
    if (ask->before != NULL && !is_readable(ask->before)) return refuse_file(ask->before, "read");
    if (ask->sarif != NULL && !is_writable(ask->sarif)) return refuse_file(ask->sarif, "written");
    return ask->html == NULL || is_writable(ask->html) || refuse_file(ask->html, "written");
}
