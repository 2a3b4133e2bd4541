/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/source/gaps.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine/lint/source/text.h"

const char lint_gap_name[] = "riffle_lint_gap_";

typedef struct gap_writer {
    FILE *out;
    char object[1024], local[1024]; /* the last names said to be objects, or local */
    bool mergeable;                 /* the section: its constants are one size, so none may grow */
    bool inside;                    /* an object's data */
    unsigned gaps;
} gap_writer;

/* The symbol that a directive is about. */
static void read_symbol(const char *at, char out[static 1024]) {
    at += strspn(at, " \t");
    snprintf(out, 1024, "%.*s", (int)strcspn(at, ", \t:\n"), at);
}

static void write_gap(gap_writer *w) {
    if (!w->inside) return;
    w->inside = false;
    fprintf(w->out, "\t.type %s%u, @object\n%s%u:\n\t.zero %d\n\t.size %s%u, %d\n", lint_gap_name, w->gaps,
            lint_gap_name, w->gaps, LINT_GAP_BYTES, lint_gap_name, w->gaps, LINT_GAP_BYTES);
    w->gaps++;
}

/* ".comm NAME,BYTES,ALIGNMENT" as an object of .bss. */
static bool write_common(gap_writer *w, const char *rest) {
    char name[1024], *end;
    read_symbol(rest, name);
    const char *numbers = strchr(rest, ',');
    if (numbers == NULL || strlen(name) + 1 == sizeof name) return false;
    const unsigned long bytes = strtoul(numbers + 1, &end, 10);
    if (*end != ',') return false;
    const unsigned long alignment = strtoul(end + 1, NULL, 10);
    fprintf(w->out, "\t.pushsection .bss\n\t.balign %lu\n", alignment);
    if (strcmp(name, w->local) != 0) fprintf(w->out, "\t.weak %s\n", name);
    fprintf(w->out, "\t.type %s, @object\n\t.size %s, %lu\n%s:\n\t.zero %lu\n", name, name, bytes, name, bytes);
    w->inside = true;
    write_gap(w);
    fprintf(w->out, "\t.popsection\n");
    return true;
}

/* Directives that may stand between an object's label and its end. */
static bool is_data(const char *directive) {
    static const char *const names[] = {".zero",  ".byte",   ".value",  ".short",  ".long", ".quad",  ".octa",
                                        ".2byte", ".4byte",  ".8byte",  ".string", ".asci", ".space", ".skip",
                                        ".float", ".double", ".base64", ".size",   "#",     "\n",     NULL};
    return *directive == '\0' || begins_with_any(directive, names);
}

/* Copies a line; `directive` is what it holds behind blanks. */
static void copy_line(gap_writer *w, const char *line, size_t length, const char *directive) {
    const size_t name = strlen(w->object);
    if (!is_data(directive)) write_gap(w);
    if (begins_with(directive, ".comm") && write_common(w, directive + strlen(".comm"))) return;
    fwrite(line, 1, length, w->out);
    if (begins_with(directive, ".local")) {
        read_symbol(directive + strlen(".local"), w->local);
    } else if (begins_with(directive, ".type")) {
        read_symbol(directive + strlen(".type"), w->object);
        const char *kind = memchr(directive, '@', length - (size_t)(directive - line));
        if (kind == NULL || begins_with(kind, "@function")) *w->object = '\0';
    } else if (begins_with(directive, ".section")) {
        const char *flags = memchr(directive, '"', length - (size_t)(directive - line));
        w->mergeable = flags != NULL && memchr(flags + 1, 'M', strcspn(flags + 1, "\"\n")) != NULL;
    } else if (begins_with(directive, ".text") || begins_with(directive, ".data") ||
               begins_with(directive, ".bss")) {
        w->mergeable = false;
    } else if (name > 0 && begins_with(line, w->object) && line[name] == ':') {
        w->inside = !w->mergeable;
    }
}

void lint_gaps_write_front(FILE *assembler) {
    static const char *const sections[] = {".tdata,\"awT\",%progbits", ".tbss,\"awT\",%nobits",
                                           ".data,\"aw\",%progbits", ".bss,\"aw\",%nobits"};
    for (unsigned k = 0; k < sizeof sections / sizeof sections[0]; k++)
        fprintf(
            assembler,
            ".section %s\n.balign 64\n.type %sfront_%u, %%%s\n%sfront_%u:\n.zero %d\n.size %sfront_%u, %d\n",
            sections[k], lint_gap_name, k, k < 2 ? "tls_object" : "object", lint_gap_name, k, LINT_GAP_BYTES,
            lint_gap_name, k, LINT_GAP_BYTES);
    fprintf(assembler, ".text\n");
}

void lint_gaps_write(const char *text, FILE *assembler) {
    gap_writer w = {.out = assembler};
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n") + (strchr(text, '\n') != NULL);
        copy_line(&w, text, length, text + strspn(text, " \t"));
        text += length;
    }
    write_gap(&w);
}
