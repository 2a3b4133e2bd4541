/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/source/declarations.h"

#include <stdlib.h>
#include <string.h>

#include "machine/lint/source/text.h"

/* ---- __launch_bounds__ and __cluster_dims__ */

static const struct {
    const char *word, *call;
} kernel_words[] = {{"__cluster_dims__", "riffle_lint_clusters"}, {"__launch_bounds__", "riffle_lint_bounds"}};
enum { KERNEL_WORDS = sizeof kernel_words / sizeof kernel_words[0] };

/* The arguments of each. */
typedef struct bounds {
    bool waits;                          /* for the body of a kernel that is declared with one */
    const char *arguments[KERNEL_WORDS]; /* their text; NULL: it is not there */
    size_t length[KERNEL_WORDS];
} bounds;

/* Behind such a word and its brackets, of which only the lines are written; NULL if none stands here. */
static const char *take_bounds(const char *text, const char *at, bounds *waiting, FILE *out) {
    for (unsigned k = 0; k < KERNEL_WORDS; k++) {
        if (!is_word_at(text, at, kernel_words[k].word)) continue;
        const char *open = skip_blanks(at + strlen(kernel_words[k].word));
        const char *behind = *open == '(' ? behind_brackets(open) : open;
        if (*open == '(') {
            waiting->waits = true;
            waiting->arguments[k] = open + 1;
            waiting->length[k] = (size_t)(behind - open) - 2;
        }
        for (; at < behind; at++)
            if (*at == '\n') fputc('\n', out);
        return behind;
    }
    return NULL;
}

/* As calls, at the begin of the kernel. */
static void write_bounds(const bounds *waiting, FILE *out) {
    for (unsigned k = 0; waiting->waits && k < KERNEL_WORDS; k++)
        if (waiting->arguments[k] != NULL)
            fprintf(out, " ::%s(%.*s);", kernel_words[k].call, (int)waiting->length[k], waiting->arguments[k]);
}

/* ---- __constant__ */

/* Writes the names that a declaration declares: of "static const float a[4], b = {1};" a and b. */
static void write_names(const char *at, FILE *constants) {
    const char *word = NULL;
    size_t length = 0;
    while (*at != '\0' && *at != '{') {
        at = skip_blanks(at);
        if (is_word(*at)) {
            word = at;
            length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
            at += length;
            continue;
        }
        if (strchr("[=,;", *at) != NULL && word != NULL) {
            fprintf(constants, "%.*s\n", (int)length, word);
            word = NULL;
            while (*at != '\0' && *at != ',' && *at != ';')
                at = strchr("([{", *at) != NULL ? behind_brackets(at) : behind_one(at);
            if (*at != ',') return;
        }
        if (*at == '\0' || *at == ';') return;
        at = strchr("([{", *at) != NULL ? behind_brackets(at) : behind_one(at);
    }
}

/* ---- __shared__ */

/* Behind "thread_local alignas(" and its bracket, which stands for "__shared__ alignas(": no attribute of C++'s may be there, but one of the
 * compilers' own. NULL if it is something else. */
static const char *write_alignment(const char *text, const char *at, FILE *out) {
    static const char shared[] = "thread_local", word[] = "alignas";
    if (!is_word_at(text, at, shared)) return NULL;
    const char *aligned = skip_markers(at + sizeof shared - 1), *open = aligned + sizeof word - 1;
    if (!is_word_at(text, aligned, word) || *open != '(') return NULL;
    const char *behind = behind_brackets(open);
    fwrite(at, 1, (size_t)(aligned - at), out);
    fprintf(out, "__attribute__((aligned%.*s))", (int)(behind - open), open);
    return behind;
}

/* ---- all of them */

/* Writes what comes before the next place where one of the words may begin: nearly all of a text. */
static const char *write_plain(const char *at, FILE *out) {
    const char *from = at;
    while (*at != '\0' && *at != '_' && *at != 't') at = behind_one(at);
    fwrite(from, 1, (size_t)(at - from), out);
    return at;
}

void lint_declarations_write(const char *text, FILE *out, FILE *constants) {
    bounds waiting = {.waits = false};
    for (const char *at = text; *at != '\0';) {
        if (!waiting.waits) at = write_plain(at, out);
        if (*at == '\0') break;
        const char *next = behind_one(at), *bounded = take_bounds(text, at, &waiting, out);
        if (bounded != NULL) {
            at = bounded;
            continue;
        }
        if (is_word_at(text, at, "__constant__")) {
            at += strlen("__constant__");
            fputs("__attribute__((used))", out);
            write_names(at, constants);
            continue;
        }
        const char *behind = write_alignment(text, at, out);
        if (behind != NULL) {
            at = behind;
            continue;
        }
        if (waiting.waits && *at == '(') next = behind_brackets(at); /* the parameters */
        fwrite(at, 1, (size_t)(next - at), out);
        if (*at == '{') write_bounds(&waiting, out);
        if (*at == '{' || *at == ';') waiting = (bounds){.waits = false};
        at = next;
    }
}

/* Its name as it is, or as the C++ ABI puts it into that of a static one, or one in a namespace: _ZL1c, _ZN1n1cE. */
static bool is_variable(const char *symbol, const char *name, size_t length) {
    char mangled[1100];
    const size_t symbol_length = strlen(symbol);
    if (symbol_length == length && memcmp(symbol, name, length) == 0) return true;
    if (!begins_with(symbol, "_Z") || length > 1000) return false;
    for (int in_namespace = 0; in_namespace < 2; in_namespace++) {
        const int all =
            snprintf(mangled, sizeof mangled, "%zu%.*s%s", length, (int)length, name, in_namespace ? "E" : "");
        if (symbol_length > (size_t)all && strcmp(symbol + symbol_length - (size_t)all, mangled) == 0)
            return true;
    }
    return false;
}

bool lint_declarations_name(const char *constants, const char *symbol) {
    for (const char *name = constants; *name != '\0';) {
        const size_t length = strcspn(name, "\n");
        if (length > 0 && is_variable(symbol, name, length)) return true;
        name += length + (name[length] == '\n');
    }
    return false;
}
