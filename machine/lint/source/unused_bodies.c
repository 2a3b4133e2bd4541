/* SPDX-License-Identifier: Apache-2.0
 *
 * Scopes that are no bodies, namespaces and classes, are gone through with whether a template encloses them; a body is gone over as a whole.
 */
#include "machine/lint/source/unused_bodies.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "machine/lint/source/launches.h"
#include "machine/lint/source/text.h"

/* A walk through the text that knows where each character stands in the user's files. */
typedef struct walk {
    const char *text, *end, *at;
    const char *file; /* in the text, up to a quote */
    size_t file_length;
    unsigned line;
    const lint_place *places;
    size_t count;
    uint64_t hits; /* places whose line has been met since this was cleared */
    const char *line_of_hit;
    const lint_place *hit; /* the first of them */
} walk;

static void meet_places(walk *w) {
    for (size_t k = 0; k < w->count; k++) {
        const lint_place *const one = &w->places[k];
        if (one->line != w->line || strlen(one->file) != w->file_length ||
            memcmp(one->file, w->file, w->file_length) != 0)
            continue;
        if (w->hits == 0) {
            w->hit = one;
            w->line_of_hit = w->at;
        }
        w->hits |= UINT64_C(1) << k;
    }
}

/* At a line that begins with '#': the next line's number, and its file. */
static void read_marker(walk *w) {
    const char *const stop = w->at + strcspn(w->at, "\n");
    const char *const open = memchr(w->at, '"', (size_t)(stop - w->at));
    const char *const close = open != NULL ? memchr(open + 1, '"', (size_t)(stop - open - 1)) : NULL;
    if (close != NULL) {
        w->line = (unsigned)strtoul(w->at + 1, NULL, 10) - 1;
        w->file = open + 1;
        w->file_length = (size_t)(close - open - 1);
    }
    w->at = stop;
}

/* To the next place that is within no constant. */
static void step(walk *w) {
    if (*w->at == '#' && (w->at == w->text || w->at[-1] == '\n')) {
        read_marker(w);
        return;
    }
    const char *const next = lint_next_place(w->text, w->at, w->end);
    for (; w->at < next; w->at++) {
        if (*w->at != '\n') continue;
        w->line++;
        meet_places(w);
    }
}

/* True if the '{' behind this declaration opens a class or a namespace: its word stands outside all brackets. */
static bool opens_scope(const char *from, const char *open) {
    static const char *const words[] = {"struct", "class", "union", "enum", "namespace"};
    int depth = 0;
    bool calls = false, is_extern = false;
    for (const char *at = from; at < open; at = lint_next_place(from, at, open)) {
        calls |= *at == '(';
        depth += (*at == '(' || *at == '<') - (*at == ')' || *at == '>');
        if (depth > 0) continue;
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            if (is_word_at(from, at, words[k])) return true;
        is_extern |= is_word_at(from, at, "extern");
    }
    return is_extern && !calls;
}

static bool has_template(const char *from, const char *to) {
    for (const char *at = from; at < to; at = lint_next_place(from, at, to))
        if (is_word_at(from, at, "template")) return true;
    return false;
}

/* Behind the '}' of the '{' where the walk stands; false if there is none, and the text's rest would pass for a body. */
static bool step_over_body(walk *w) {
    int depth = 0;
    do {
        depth += (*w->at == '{') - (*w->at == '}');
        step(w);
    } while (depth > 0 && w->at < w->end);
    return depth == 0;
}

/* In a template the length of a function's name is known once it is instantiated. */
static void write_assertion(const char *text, FILE *out) {
    fputs("static_assert(sizeof __PRETTY_FUNCTION__ == 0, \"" LINT_UNUSED, out);
    for (; *text != '\0'; text++)
        if (strchr("\"\\", *text) == NULL) fputc(*text, out);
    fputs("\");", out);
}

/* Lines stay what they were. */
static void write_body(const walk *w, const char *open, FILE *out) {
    fputc('{', out);
    for (const char *at = open; at != NULL && at < w->at; at = strchr(at + 1, '\n')) {
        if (*at == '\n') fputc('\n', out);
        if (at[1] == '#') fwrite(at + 1, 1, strcspn(at + 1, "\n"), out);
        if (at == w->line_of_hit) write_assertion(w->hit->text, out);
    }
    fputc('}', out);
}

bool lint_unused_bodies_write(const char *text, size_t length, const lint_place *places, size_t count,
                              FILE *out) {
    walk w = {.text = text, .at = text, .end = text + length, .file = text, .places = places, .count = count};
    const uint64_t all = count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
    const char *copied = text, *declaration = text;
    uint64_t found = 0, templates = 0; /* a bit for each scope that is open */
    if (count > 64) return false;
    while (w.at < w.end) {
        const char *const here = w.at;
        if (*here == '{' && !opens_scope(declaration, here)) {
            w.hits = 0;
            meet_places(&w);
            if (!step_over_body(&w)) return false;
            if (w.hits != 0 && templates == 0 && !has_template(declaration, here)) return false;
            if (w.hits != 0) {
                fwrite(copied, 1, (size_t)(here - copied), out);
                write_body(&w, here, out);
                copied = w.at;
            }
            found |= w.hits;
            declaration = w.at;
            continue;
        }
        if (*here == '{') templates = templates << 1 | has_template(declaration, here);
        if (*here == '}') templates >>= 1;
        step(&w);
        if (strchr(";{}", *here) != NULL) declaration = w.at;
    }
    fwrite(copied, 1, (size_t)(w.end - copied), out);
    return found == all;
}
