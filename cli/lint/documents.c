/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "lint/documents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arrays/same_file.h"
#include "frame/message.h"
#include "riffle/npy.h"
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

typedef riffle_status print_document(const request *ask, const riffle_report *report, FILE *stream);

static riffle_status print_sarif(const request *ask, const riffle_report *report, FILE *stream) {
    return riffle_report_print_sarif(report, ask->job.file, stream);
}

static riffle_status print_html(const request *ask, const riffle_report *report, FILE *stream) {
    char *source = read_whole(ask->job.file);
    const riffle_status status = riffle_report_print_html(report, ask->job.file, source, stream);
    free(source);
    return status;
}

/* A file, or none yet; else a pipe or a device, or a link to nothing. */
static bool is_replaced(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 ? S_ISREG(file.st_mode) : lstat(path, &file) != 0;
}

/* The text comes in a file's place whole or not at all. */
static bool replace_file(const char *path, const char *text, size_t bytes) {
    riffle_npy_output *file = NULL;
    riffle_status status = riffle_npy_output_create_bare(path, bytes, NULL, &file);
    if (status == RIFFLE_OK) {
        memcpy(riffle_npy_output_data(file), text, bytes);
        status = riffle_npy_output_commit(file);
    }
    if (status != RIFFLE_OK) complain_status(path, status);
    return status == RIFFLE_OK;
}

static bool write_itself(const char *path, const char *text, size_t bytes) {
    FILE *const file = fopen(path, "wb");
    bool works = file != NULL && fwrite(text, 1, bytes, file) == bytes;
    const int error = errno;
    if (file != NULL) works = fclose(file) == 0 && works;
    if (!works) complain("%s: cannot be written: %s", path, strerror(error));
    return works;
}

/* A document into a file of its own; false with the reason said. */
static bool write_document(const request *ask, const riffle_report *report, const char *path,
                           print_document *print) {
    if (path == NULL) return true;
    char *text = NULL;
    size_t bytes = 0;
    FILE *const whole = open_memstream(&text, &bytes);
    bool works = whole != NULL && print(ask, report, whole) == RIFFLE_OK;
    if (whole != NULL) works = fclose(whole) == 0 && works;
    if (!works) complain("%s: no memory for the document", path);
    if (works) works = is_replaced(path) ? replace_file(path, text, bytes) : write_itself(path, text, bytes);
    free(text);
    return works;
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
    return write_document(ask, report, ask->sarif, print_sarif) &&
           write_document(ask, report, ask->html, print_html);
}

/* False, after a complaint, if a document's file is one that is read or written too. */
static bool is_other(const char *document, const char *option, const char *file, const char *what) {
    if (document == NULL || file == NULL || !is_same_file(document, file)) return true;
    complain("%s: %s and what --%s writes are the same file; give --%s another name", document, what, option,
             option);
    return false;
}

static bool has_name(const char *document, const char *option) {
    if (document == NULL || *document != '\0') return true;
    complain("--%s '': names no file; write a name", option);
    return false;
}

bool documents_are_apart(const request *ask) {
    if (!has_name(ask->sarif, "sarif") || !has_name(ask->html, "html")) return false;
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
