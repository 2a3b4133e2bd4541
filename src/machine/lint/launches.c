/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/launches.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Behind R"delimiter( ... )delimiter" that begins at the quote. */
static const char *behind_raw_string(const char *at, const char *end) {
    const char *open = memchr(at, '(', (size_t)(end - at));
    if (open == NULL) return end;
    const size_t delimiter = (size_t)(open - at - 1);
    for (const char *c = open; c + delimiter + 1 < end; c++) {
        if (*c == ')' && memcmp(c + 1, at + 1, delimiter) == 0 && c[delimiter + 1] == '"')
            return c + delimiter + 2;
    }
    return end;
}

/* Behind the string or character constant that begins at the quote. */
static const char *behind_quoted(const char *at, const char *end) {
    const char quote = *at++;
    while (at < end && *at != quote && *at != '\n') at += *at == '\\' ? 2 : 1;
    return at < end ? at + 1 : end;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* True for the ' of 1'000'000. */
static bool separates_digits(const char *text, const char *at) {
    if (at == text || !isxdigit((unsigned char)at[-1])) return false;
    while (at > text && (is_word(at[-1]) || at[-1] == '\'')) at--;
    return isdigit((unsigned char)*at);
}

/* Behind whatever begins at `at` and can hold no launch; `at` itself if nothing such does. */
static const char *behind_constant(const char *text, const char *at, const char *end) {
    if (*at == '"') return at > text && at[-1] == 'R' ? behind_raw_string(at, end) : behind_quoted(at, end);
    if (*at == '\'' && !separates_digits(text, at)) return behind_quoted(at, end);
    return at;
}

static bool follows_operator(const char *text, const char *at) {
    static const char word[] = "operator";
    while (at > text && at[-1] == ' ') at--;
    const size_t length = sizeof word - 1;
    return at >= text + length && memcmp(at - length, word, length) == 0;
}

/* Behind the >>> that closes the launch; NULL if there is none before the statement ends. */
static const char *behind_launch(const char *text, const char *at, const char *end) {
    int depth = 0;
    while (at < end) {
        const char *behind = behind_constant(text, at, end);
        if (behind > at) {
            at = behind;
            continue;
        }
        if (depth == 0 && end - at >= 3 && memcmp(at, ">>>", 3) == 0) return at + 3;
        if (*at == ';') return NULL;
        depth += *at == '(' || *at == '[' || *at == '{';
        depth -= *at == ')' || *at == ']' || *at == '}';
        at++;
    }
    return NULL;
}

void lint_blank_launches(char *text, size_t length) {
    const char *end = text + length;
    for (char *at = text; at < end;) {
        const char *behind = behind_constant(text, at, end);
        if (behind > at) {
            at += behind - at;
            continue;
        }
        if (end - at >= 3 && memcmp(at, "<<<", 3) == 0 && !follows_operator(text, at)) {
            const char *closed = behind_launch(text, at + 3, end);
            for (; closed != NULL && at < closed; at++)
                if (*at != '\n') *at = ' ';
        }
        at++;
    }
}
