/* SPDX-License-Identifier: Apache-2.0
 *
 * A reader of JSON (RFC 8259) that keeps what it is asked for and passes over the rest: members of objects come to a function
 * by their key, which reads the value.
 */
#include "machine/report/read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/library.h"

enum { TEXT_ROOM = 1024, MOST_DEPTH = 32 };

typedef struct reader {
    const char *at;
    unsigned depth;
    riffle_report *report;
    bool out_of_memory;
} reader;

static void skip_space(reader *r) { r->at += strspn(r->at, " \t\n\r"); }

/* Takes one character behind space. */
static bool take(reader *r, char c) {
    skip_space(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

/* ---- values */

static bool read_code(const char *at, unsigned *out) {
    *out = 0;
    for (unsigned k = 0; k < 4; k++) {
        if (!isxdigit((unsigned char)at[k])) return false;
        *out = *out * 16 + (unsigned)(isdigit((unsigned char)at[k]) ? at[k] - '0' : tolower(at[k]) - 'a' + 10);
    }
    return true;
}

/* A character behind a backslash; characters beyond ASCII by their number are what nobody prints, and become one. */
static bool read_escape(reader *r, char *out) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    unsigned code;
    const char *letter = *r->at != '\0' ? strchr(letters, *r->at) : NULL;
    if (letter != NULL) {
        *out = meant[letter - letters];
        r->at++;
        return true;
    }
    if (*r->at != 'u' || !read_code(r->at + 1, &code)) return false;
    *out = code > 0 && code < 0x80 ? (char)code : '?';
    r->at += 5;
    return true;
}

/* Cuts a text that is longer than TEXT_ROOM. */
static bool read_text(reader *r, char out[static TEXT_ROOM]) {
    size_t used = 0;
    if (!take(r, '"')) return false;
    while (*r->at != '"') {
        char c = *r->at;
        if ((unsigned char)c < ' ') return false; /* also at the end, behind which nothing is read */
        r->at++;
        if (c == '\\' && !read_escape(r, &c)) return false;
        if (used + 1 < TEXT_ROOM) out[used++] = c;
    }
    out[used] = '\0';
    r->at++;
    return true;
}

static bool read_number(reader *r, uint64_t *out) {
    char *end;
    skip_space(r);
    if (!isdigit((unsigned char)*r->at)) return false;
    *out = strtoull(r->at, &end, 10);
    r->at = end;
    return true;
}

typedef bool member(reader *r, const char *key, void *whole);
static bool skip_value(reader *r);

static bool read_object(reader *r, member *each, void *whole) {
    char key[TEXT_ROOM];
    if (!take(r, '{')) return false;
    if (take(r, '}')) return true;
    do {
        if (!read_text(r, key) || !take(r, ':') || !each(r, key, whole)) return false;
    } while (take(r, ','));
    return take(r, '}');
}

typedef bool element(reader *r);

static bool read_array(reader *r, element *each) {
    if (!take(r, '[')) return false;
    if (take(r, ']')) return true;
    do {
        if (!each(r)) return false;
    } while (take(r, ','));
    return take(r, ']');
}

static bool skip_member(reader *r, const char *key, void *whole) {
    (void)key, (void)whole;
    return skip_value(r);
}

static bool skip_word(reader *r) {
    const size_t length = strspn(r->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
    r->at += length;
    return length > 0;
}

static bool skip_value(reader *r) {
    char text[TEXT_ROOM];
    skip_space(r);
    if (++r->depth > MOST_DEPTH) return false;
    bool done;
    switch (*r->at) {
    case '{': done = read_object(r, skip_member, NULL); break;
    case '[': done = read_array(r, skip_value); break;
    case '"': done = read_text(r, text); break;
    default: done = skip_word(r);
    }
    r->depth--;
    return done;
}

/* ---- rows and hazards */

static bool keep_text(reader *r, const char **out) {
    char text[TEXT_ROOM];
    if (!read_text(r, text)) return false;
    *out = report_string(r->report, text);
    r->out_of_memory |= *out == NULL;
    return *out != NULL;
}

static bool keep_line(reader *r, unsigned *out) {
    uint64_t line;
    if (!read_number(r, &line)) return false;
    *out = (unsigned)line;
    return true;
}

/* The number of a name in a list. */
static bool read_name(reader *r, const char *const *names, unsigned count, unsigned *out) {
    char text[TEXT_ROOM];
    if (!read_text(r, text)) return false;
    for (*out = 0; *out < count; ++*out) {
        if (strcmp(names[*out], text) == 0) return true;
    }
    return false;
}

static bool read_estimate_member(reader *r, const char *key, void *whole) {
    report_part *part = whole;
    if (strcmp(key, "warps") == 0) return read_number(r, &part->warps);
    if (strcmp(key, "requests") == 0) return read_number(r, &part->requests);
    if (strcmp(key, "ideal_requests") == 0) return read_number(r, &part->ideal_requests);
    return skip_value(r);
}

static bool read_row_member(reader *r, const char *key, void *whole) {
    report_line *row = whole;
    unsigned number;
    if (strcmp(key, "kernel") == 0) return keep_text(r, &row->kernel);
    if (strcmp(key, "file") == 0) return keep_text(r, &row->file);
    if (strcmp(key, "array") == 0) return keep_text(r, &row->array);
    if (strcmp(key, "line") == 0) return keep_line(r, &row->line);
    if (strcmp(key, "warps") == 0) return read_number(r, &row->warps);
    if (strcmp(key, "requests") == 0) return read_number(r, &row->requests);
    if (strcmp(key, "ideal_requests") == 0) return read_number(r, &row->ideal_requests);
    if (strcmp(key, "estimate") == 0) {
        row->sampled = true;
        return read_object(r, read_estimate_member, &row->part[0]);
    }
    if (strcmp(key, "space") == 0 && read_name(r, report_space_names, SPACES, &number))
        row->space = (report_space)number;
    else if (strcmp(key, "op") == 0 && read_name(r, report_op_names, OPS, &number))
        row->op = (report_op)number;
    else
        return strcmp(key, "space") != 0 && strcmp(key, "op") != 0 && skip_value(r);
    return true;
}

static bool read_row(reader *r) {
    report_line row = {0};
    if (!read_object(r, read_row_member, &row) || row.kernel == NULL || row.file == NULL) return false;
    r->out_of_memory |= report_add_line(r->report, &row) != RIFFLE_OK;
    return !r->out_of_memory;
}

static bool read_hazard_member(reader *r, const char *key, void *whole) {
    report_hazard *hazard = whole;
    unsigned kind;
    if (strcmp(key, "kernel") == 0) return keep_text(r, &hazard->kernel);
    if (strcmp(key, "file") == 0) return keep_text(r, &hazard->file);
    if (strcmp(key, "text") == 0) return keep_text(r, &hazard->text);
    if (strcmp(key, "line") == 0) return keep_line(r, &hazard->line);
    if (strcmp(key, "count") == 0) return read_number(r, &hazard->count);
    if (strcmp(key, "kind") != 0) return skip_value(r);
    if (!read_name(r, hazard_names, HAZARDS, &kind)) return false;
    hazard->kind = (hazard_kind)kind;
    return true;
}

static bool read_hazard(reader *r) {
    report_hazard hazard = {0};
    if (!read_object(r, read_hazard_member, &hazard) || hazard.kernel == NULL || hazard.file == NULL ||
        hazard.text == NULL)
        return false;
    r->out_of_memory |= report_add_hazard(r->report, &hazard) != RIFFLE_OK;
    return !r->out_of_memory;
}

static bool read_report_member(reader *r, const char *key, void *has_rows) {
    if (strcmp(key, "hazards") == 0) return read_array(r, read_hazard);
    if (strcmp(key, "rounds") != 0) return skip_value(r);
    *(bool *)has_rows = true;
    return read_array(r, read_row);
}

riffle_status report_read(const char *name, const char *text, riffle_report **out) {
    const riffle_machine_options none = {0};
    bool has_rows = false;
    reader r = {.at = text};
    riffle_status status = report_create(&none, &r.report);
    if (status != RIFFLE_OK) return status;
    const bool read = read_object(&r, read_report_member, &has_rows);
    skip_space(&r);
    if (r.out_of_memory)
        status = fail_memory("a report", strlen(text));
    else if (!read || *r.at != '\0')
        status = fail(RIFFLE_ERROR_FORMAT, "%s: is no report at byte %zu; give what --json printed", name,
                      (size_t)(r.at - text));
    else if (!has_rows)
        status = fail(RIFFLE_ERROR_FORMAT, "%s: has no rounds; give what --json printed", name);
    if (status == RIFFLE_OK)
        *out = r.report;
    else
        report_free(r.report);
    return status;
}
