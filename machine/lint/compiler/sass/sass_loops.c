/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "machine/lint/compiler/sass/sass_loops.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *sass_instruction(const char *line, size_t length) {
    const char *at = memmem(line, length, "*/", 2), *end = line + length;
    if (at == NULL) return NULL;
    for (at += 2; at < end && (*at == ' ' || *at == '\t');) at++;
    if (at < end && *at == '@') {
        while (at < end && *at != ' ') at++;
        while (at < end && *at == ' ') at++;
    }
    return at < end ? at : NULL;
}

static bool add(sass_loops *l, size_t from, size_t end) {
    if (l->count == l->capacity) {
        const size_t capacity = 2 * l->capacity + 64;
        sass_span *grown = realloc(l->span, capacity * sizeof *grown);
        if (grown == NULL) return false;
        l->span = grown;
        l->capacity = capacity;
    }
    l->span[l->count++] = (sass_span){from, end};
    return true;
}

static bool begins(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

/* True if an instruction can jump to any place of its section. */
static bool goes_anywhere(const char *instruction) {
    static const char *const names[] = {"CALL", "RET", "BRX", "JMP", "JMX"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (begins(instruction, names[k])) return true;
    return false;
}

/* Where in the section the label lies that a jump names in brackets; SIZE_MAX if it has not come yet. */
static size_t label_before(const char *text, size_t section, size_t at, const char *jump, size_t length) {
    const char *open = memmem(jump, length, "`(", 2);
    const char *close = open == NULL ? NULL : memchr(open, ')', (size_t)(jump + length - open));
    if (close == NULL) return SIZE_MAX;
    const char *name = open + 2;
    const size_t bytes = (size_t)(close - name);
    for (const char *from = text + section; from < text + at;) {
        const char *found = memmem(from, (size_t)(text + at - from), name, bytes);
        if (found == NULL) return SIZE_MAX;
        if (found[bytes] == ':' && (found == text || found[-1] == '\n')) return (size_t)(found - text);
        from = found + 1;
    }
    return SIZE_MAX;
}

/* Finds the loops of one section, whose text ends before `end`. */
static bool find_in_section(const char *text, size_t section, size_t end, sass_loops *out) {
    for (size_t at = section; at < end;) {
        const size_t length = strcspn(text + at, "\n");
        const char *instruction = sass_instruction(text + at, length);
        if (instruction != NULL && goes_anywhere(instruction)) return add(out, section, end);
        if (instruction != NULL && begins(instruction, "BRA")) {
            const size_t rest = (size_t)(text + at + length - instruction);
            const size_t label = label_before(text, section, at, instruction, rest);
            if (label != SIZE_MAX && !add(out, label, at + length)) return false;
        }
        at += length + (text[at + length] == '\n');
    }
    return true;
}

bool sass_loops_find(const char *text, sass_loops *out) {
    static const char mark[] = "\n\t.section\t.text.";
    *out = (sass_loops){0};
    const size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        const char *next = strstr(text + at + 1, mark);
        const size_t end = next == NULL ? length : (size_t)(next - text);
        if (!find_in_section(text, at, end, out)) return false;
        at = end;
    }
    return true;
}

bool sass_loops_have(const sass_loops *l, size_t at) {
    for (size_t k = 0; k < l->count; k++)
        if (at >= l->span[k].from && at < l->span[k].end) return true;
    return false;
}

void sass_loops_free(sass_loops *l) {
    free(l->span);
    *l = (sass_loops){0};
}
