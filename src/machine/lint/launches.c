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

/* ---- launches that run */

static const char *skip_back(const char *text, const char *at) {
    while (at > text && strchr(" \t\n", at[-1]) != NULL) at--;
    return at;
}

/* The bracket that the one before `at` closes. Within round and square ones, < and > are no brackets. */
static const char *open_bracket(const char *text, const char *at) {
    int depth = 0, angles = 0;
    while (at > text) {
        const char c = *--at;
        depth += c == ')' || c == ']';
        depth -= c == '(' || c == '[';
        const bool arrow = c == '>' && at > text && at[-1] == '-';
        if (depth == 0) angles += (c == '>' && !arrow) - (c == '<');
        if (depth == 0 && angles == 0) return at;
    }
    return text;
}

/* One name, with template arguments behind it, that ends before `at`. */
static const char *name_start(const char *text, const char *at) {
    at = skip_back(text, at);
    if (at > text && (at[-1] == '>' || at[-1] == ')' || at[-1] == ']'))
        at = skip_back(text, open_bracket(text, at));
    while (at > text && is_word(at[-1])) at--;
    return at;
}

/* Where the kernel is named that is launched at `at`: "n::k<3>", "table[i]", "object.kernel". */
static const char *kernel_start(const char *text, const char *at) {
    for (at = name_start(text, at);;) {
        const char *before = skip_back(text, at);
        const bool scope = before - text >= 2 && memcmp(before - 2, "::", 2) == 0;
        const bool arrow = before - text >= 2 && memcmp(before - 2, "->", 2) == 0;
        if (!scope && !arrow && !(before > text && before[-1] == '.')) return at;
        const char *mark = before - (scope || arrow ? 2 : 1);
        if (scope && !(mark > text && (is_word(mark[-1]) || mark[-1] == '>'))) return mark; /* "::k" */
        at = name_start(text, mark);
    }
}

/* As a string: blanks and new lines are one blank. */
static void write_name(const char *from, const char *to, FILE *out) {
    bool blank = false;
    for (; from < to; from++) {
        if (strchr(" \t\n", *from) != NULL) {
            blank = true;
            continue;
        }
        if (blank) fputc(' ', out);
        blank = false;
        if (*from == '"' || *from == '\\') fputc('\\', out);
        fputc(*from, out);
    }
}

/* The arguments: NULL is a pointer, whatever is made of it. */
static const char *write_arguments(const char *text, const char *at, const char *end, FILE *out) {
    static const char null[] = "__null";
    int depth = 0;
    while (at < end) {
        const char *behind = behind_constant(text, at, end);
        if (behind == at) {
            if (end - at >= 6 && memcmp(at, null, 6) == 0 && !is_word(at[6]) && !is_word(at[-1])) {
                fputs("nullptr", out);
                at += 6;
                continue;
            }
            depth += *at == '(' || *at == '[' || *at == '{';
            depth -= *at == ')' || *at == ']' || *at == '}';
            behind = at + 1;
        }
        fwrite(at, 1, (size_t)(behind - at), out);
        at = behind;
        if (depth == 0) return at;
    }
    return at;
}

void lint_write_launches(const char *text, size_t length, FILE *out) {
    const char *end = text + length, *written = text;
    for (const char *at = text; at < end;) {
        const char *behind = behind_constant(text, at, end);
        if (behind > at) {
            at = behind;
            continue;
        }
        const bool opens = end - at >= 3 && memcmp(at, "<<<", 3) == 0 && !follows_operator(text, at);
        const char *closed = opens ? behind_launch(text, at + 3, end) : NULL;
        const char *start = closed != NULL ? kernel_start(text, at) : NULL;
        const char *open = closed != NULL ? closed + strspn(closed, " \t\n") : end;
        if (closed == NULL || start < written || *open != '(') {
            at++;
            continue;
        }
        fwrite(written, 1, (size_t)(start - written), out);
        fputs("::riffle_lint::configure(\"", out);
        write_name(start, skip_back(text, at), out);
        fprintf(out,
                "\", %.*s)([&](auto &...riffle_a) __attribute__((no_sanitize_thread)) { %.*s(riffle_a...); })",
                (int)(closed - 3 - (at + 3)), at + 3, (int)(at - start), start);
        at = written = write_arguments(text, open, end, out);
    }
    fwrite(written, 1, (size_t)(end - written), out);
}
