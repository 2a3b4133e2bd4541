/* SPDX-License-Identifier: Apache-2.0
 *
 * Scopes that are no bodies, namespaces and classes, are gone through; a body is what a ')' stands before, and is gone over as a
 * whole.
 */
#include "machine/lint/source/host_code.h"

#include <stdbool.h>
#include <string.h>

#include "machine/lint/source/launches.h"
#include "machine/lint/source/text.h"

/* Before what may stand between a function's parameters and its body. */
static const char *skip_qualifier(const char *text, const char *at) {
    static const char *const words[] = {"const", "noexcept", "override", "final"};
    const char *word = at;
    while (word > text && is_word(word[-1])) word--;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        const size_t length = strlen(words[k]);
        if ((size_t)(at - word) == length && memcmp(word, words[k], length) == 0) return skip_back(text, word);
    }
    return at;
}

/* True if a '{' opens a function's body. */
static bool opens_body(const char *text, const char *open) {
    const char *at = skip_back(text, open), *before = skip_qualifier(text, at);
    while (before < at) {
        at = before;
        before = skip_qualifier(text, at);
    }
    return at > text && at[-1] == ')';
}

/* Behind the '}' of the '{' here. */
static const char *behind_body(const char *text, const char *at, const char *end) {
    int depth = 0;
    for (; at < end; at = lint_next_place(text, at, end)) {
        depth += (*at == '{') - (*at == '}');
        if (depth == 0) return at + 1;
    }
    return end;
}

/* Where the declaration of a body begins: behind what ended before it. */
static const char *declaration_of(const char *text, const char *open) {
    while (open > text && strchr(";{}", open[-1]) == NULL) open--;
    return open;
}

/* Not in constants: the file that a line's mark names may be "main.cu". */
static bool has(const char *from, const char *to, const char *what) {
    const size_t length = strlen(what);
    for (const char *at = from; at + length <= to; at = lint_next_place(from, at, to))
        if (*at == *what && memcmp(at, what, length) == 0) return true;
    return false;
}

static bool has_word(const char *from, const char *to, const char *word) {
    for (const char *at = from; at + strlen(word) < to; at = lint_next_place(from, at, to))
        if (is_word_at(from, at, word)) return true;
    return false;
}

/* A kernel's declaration has an attribute that says so. */
static bool is_hosts(const char *declaration, const char *body, const char *end) {
    static const char *const marks[] = {"<<<",      "cudaMalloc", "cudaMemcpy", "cudaMemset",
                                        "cudaFree", "cudaEvent",  "cudaStream", "cublas",
                                        "cufft",    "cusparse",   "cusolver",   "cudnn",
                                        "thrust::", "std::cout",  "std::cerr",  "std::chrono"};
    if (has(declaration, body, "__attribute__((noinline))")) return false;
    if (has_word(declaration, body, "main")) return true;
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++)
        if (has(body, end, marks[k])) return true;
    return false;
}

static void blank(char *from, const char *to) {
    static const char trap[] = "__builtin_trap();";
    const size_t length = sizeof trap - 1;
    char *at = from;
    for (; at < to; at++)
        if (*at != '\n') *at = ' ';
    if ((size_t)(to - from) > length && memchr(from, '\n', length) == NULL) memcpy(from, trap, length);
}

void lint_blank_host_code(char *text, size_t length) {
    const char *end = text + length;
    bool in_header = false;
    for (char *at = text; at < end;) {
        if (*at == '#' && (at == text || at[-1] == '\n')) {
            in_header = enters_system(at);
            at += strcspn(at, "\n");
            continue;
        }
        const char *behind = lint_behind_constant(text, at, end);
        if (behind > at) {
            at += behind - at;
        } else if (*at == '{' && opens_body(text, at)) {
            const char *closed = behind_body(text, at, end);
            if (!in_header && is_hosts(declaration_of(text, at), at, closed)) blank(at + 1, closed - 1);
            at += closed - at;
        } else {
            at++;
        }
    }
}
