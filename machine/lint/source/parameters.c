/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel is a function of this name with the attribute that stands for __global__ before it.
 */
#define _GNU_SOURCE /* memmem, memrchr */
#include "machine/lint/source/parameters.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "machine/lint/source/text.h"

static const char mark[] = "__attribute__((noinline))";

/* Where the list of parameters opens, of a declaration of this name that begins with the mark here; NULL if it is another's. */
static const char *find_list(const char *at, const char *end, const char *name, size_t length) {
    for (int depth = 0; at < end && strchr(";{}", *at) == NULL; at++) {
        const bool begins = depth == 0 && (size_t)(end - at) > length && memcmp(at, name, length) == 0;
        if (begins && !is_word(at[-1]) && !is_word(at[length])) {
            const char *open = at + length + strspn(at + length, " \t\n");
            if (*open == '(') return open;
        }
        depth += (*at == '(') - (*at == ')');
    }
    return NULL;
}

/* The last word of "const float *__restrict__ in = nullptr", or of "int a[4]", if it stands at the end. */
static void write_last_word(const char *from, const char *to, FILE *out) {
    for (const char *at = from; at < to; at++)
        if (*at == '=' || *at == '[') to = at;
    while (to > from && isspace((unsigned char)to[-1])) to--;
    const char *word = to;
    while (word > from && is_word(word[-1])) word--;
    if (word > from && !begins_with(word, "__restrict")) fwrite(word, 1, (size_t)(to - word), out);
}

static void write_list(const char *open, const char *end, FILE *out) {
    const char *from = open + 1;
    int depth = 0;
    for (const char *at = from; at < end; at++) {
        const bool closes = depth == 0 && *at == ')';
        if (closes || (depth == 0 && *at == ',')) {
            write_last_word(from, at, out);
            if (closes) return;
            fputc(',', out);
            from = at + 1;
        }
        depth += strchr("([{<", *at) != NULL;
        depth -= strchr(")]}>", *at) != NULL;
    }
}

/* Where the list of parameters opens of the first kernel with this name; NULL if there is none. */
static const char *find_kernel(const char *text, const char *end, const char *name, size_t length) {
    for (const char *at = text; at < end; at += sizeof mark - 1) {
        at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1);
        if (at == NULL) return NULL;
        const char *open = find_list(at, end, name, length);
        if (open != NULL) return open;
    }
    return NULL;
}

bool lint_has_kernel(const char *text, const char *name, size_t length) {
    return find_kernel(text, text + strlen(text), name, length) != NULL;
}

void lint_parameters_write(const char *text, const char *end, const char *name, size_t length, FILE *out) {
    const char *open = find_kernel(text, end, name, length);
    if (open != NULL) write_list(open, end, out);
}
