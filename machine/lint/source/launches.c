/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "machine/lint/source/launches.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "machine/lint/source/parameters.h"
#include "machine/lint/source/text.h"

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

/* True for the ' of 1'000'000. */
static bool separates_digits(const char *text, const char *at) {
    if (at == text || !isxdigit((unsigned char)at[-1])) return false;
    while (at > text && (is_word(at[-1]) || at[-1] == '\'')) at--;
    return isdigit((unsigned char)*at);
}

const char *lint_behind_constant(const char *text, const char *at, const char *end) {
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

/* How long the <<< or >>> is that begins here, in which formatters put blanks: "<< <"; 0 for none. */
static size_t launch_mark(const char *at, const char *end, char mark) {
    if (end - at < 3 || at[0] != mark || at[1] != mark) return 0;
    const char *third = at + 2;
    while (third < end && *third == ' ') third++;
    return third < end && *third == mark ? (size_t)(third + 1 - at) : 0;
}

/* Behind the >>> that closes the launch; NULL if there is none before the statement ends. `mark`: how long it is. */
static const char *behind_launch(const char *text, const char *at, const char *end, size_t *mark) {
    for (int depth = 0; at < end; at = lint_next_place(text, at, end)) {
        const size_t closes = depth == 0 ? launch_mark(at, end, '>') : 0;
        if (closes > 0) {
            *mark = closes;
            return at + closes;
        }
        if (*at == ';') return NULL;
        depth += *at == '(' || *at == '[' || *at == '{';
        depth -= *at == ')' || *at == ']' || *at == '}';
    }
    return NULL;
}

/* A name's characters as a preprocessor writes them: gcc makes others than ASCII's "\U000000e9". */
static bool is_named(char c) { return is_word(c) || c == '\\' || (unsigned char)c >= 0x80; }

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
    while (at > text && is_named(at[-1])) at--;
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
        if (scope && !(mark > text && (is_named(mark[-1]) || mark[-1] == '>'))) return mark; /* "::k" */
        at = name_start(text, mark);
    }
}

/* As a string: blanks and new lines are one blank, and of a letter's number the compiler makes the letter. */
static void write_name(const char *from, const char *to, FILE *out) {
    bool blank = false;
    for (; from < to; from++) {
        if (strchr(" \t\n", *from) != NULL) {
            blank = true;
            continue;
        }
        if (blank) fputc(' ', out);
        blank = false;
        if (*from == '"' || (*from == '\\' && from[1] != 'U')) fputc('\\', out);
        fputc(*from, out);
    }
}

/* The arguments: NULL is a pointer, whatever is made of it. */
static const char *write_arguments(const char *text, const char *at, const char *end, FILE *out) {
    static const char null[] = "__null";
    int depth = 0;
    while (at < end) {
        const char *behind = lint_behind_constant(text, at, end);
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

/* k<<<grid, block>>>(arguments): where its parts begin and end. */
typedef struct launch {
    const char *kernel, *kernel_end, *with, *with_end, *arguments;
} launch;

static bool find_launch(const char *text, const char *at, const char *end, launch *out) {
    const size_t opens = launch_mark(at, end, '<');
    size_t closes;
    if (opens == 0 || follows_operator(text, at)) return false;
    const char *closed = behind_launch(text, at + opens, end, &closes);
    if (closed == NULL) return false;
    *out = (launch){.kernel = kernel_start(text, at),
                    .kernel_end = at,
                    .with = at + opens,
                    .with_end = closed - closes,
                    .arguments = closed + strspn(closed, " \t\n")};
    return *out->arguments == '(';
}

/* "out,in" of "n::k<3>", as a string. */
static void write_parameters(const char *text, const char *end, const char *kernel, const char *kernel_end,
                             FILE *out) {
    const char *angle = memchr(kernel, '<', (size_t)(kernel_end - kernel));
    const char *to = skip_back(text, angle != NULL ? angle : kernel_end), *name = to;
    while (name > kernel && is_named(name[-1])) name--;
    fputc('"', out);
    if (name < to) lint_parameters_write(text, end, name, (size_t)(to - name), out);
    fputc('"', out);
}

/* A library's launches are of what it was handed, whose name its own code does not tell. */
static void write_launch(const char *text, const char *end, const launch *one, bool in_library, FILE *out) {
    const int length = (int)(one->kernel_end - one->kernel);
    fputs(" ::riffle_lint::configure(", out); /* the blank: "a : k<<<" is also written "a:k<<<" */
    if (in_library) fprintf(out, "::riffle_lint::name_of_kernel(%.*s, ", length, one->kernel);
    fputc('"', out);
    write_name(one->kernel, skip_back(text, one->kernel_end), out);
    fprintf(out, "\"%s, %.*s).names(", in_library ? ")" : "", (int)(one->with_end - one->with), one->with);
    write_parameters(text, end, one->kernel, one->kernel_end, out);
    fprintf(out, ")([&](auto &...riffle_a) __attribute__((no_sanitize_thread)) { %.*s(riffle_a...); })", length,
            one->kernel);
}

/* Behind the name of a function that takes a kernel by its address; NULL if none begins here. */
static const char *behind_taker(const char *text, const char *at, const char *end) {
    static const char *const takers[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel"};
    if (at > text && is_word(at[-1])) return NULL;
    for (size_t k = 0; k < sizeof takers / sizeof takers[0]; k++) {
        const size_t length = strlen(takers[k]);
        if ((size_t)(end - at) <= length || memcmp(at, takers[k], length) != 0 || is_word(at[length])) continue;
        const char *open = at + length + strspn(at + length, " \t\n");
        return open < end && *open == '(' ? open + 1 : NULL;
    }
    return NULL;
}

/* Behind ".func =", a kernel's address in a node of a graph. */
static const char *behind_node(const char *at, const char *end) {
    static const char member[] = ".func";
    const size_t length = sizeof member - 1;
    if ((size_t)(end - at) <= length || memcmp(at, member, length) != 0) return NULL;
    const char *equals = at + length + strspn(at + length, " \t\n");
    return equals + 1 < end && *equals == '=' && equals[1] != '=' ? equals + 1 : NULL;
}

/* Behind a cast to void *, if one begins here. */
static const char *behind_void_cast(const char *at) {
    static const char *const casts[] = {"(void *)", "(void*)", "(const void *)", "(const void*)"};
    at += strspn(at, " \t\n");
    for (size_t k = 0; k < sizeof casts / sizeof casts[0]; k++) {
        if (strncmp(at, casts[k], strlen(casts[k])) == 0) return at + strlen(casts[k]);
    }
    return NULL;
}

/* The end of an expression: the first , or ; or closing bracket that is not within it. */
static const char *expression_end(const char *text, const char *at, const char *end) {
    for (int depth = 0; at < end; at = lint_next_place(text, at, end)) {
        if (depth == 0 && strchr(",;)", *at) != NULL) return at;
        depth += strchr("([{<", *at) != NULL;
        depth -= strchr(")]}>", *at) != NULL && !(*at == '>' && at[-1] == '-');
    }
    return at;
}

/* The kernel in the place of its address: "(void *)k<3>" is named("k<3>", k<3>). Behind it. */
static const char *write_address(const char *text, const char *kernel, const char *end, FILE *out) {
    const char *behind = expression_end(text, kernel, end);
    kernel += strspn(kernel, " \t\n&");
    fputs(" ::riffle_lint::named(\"", out);
    write_name(kernel, skip_back(text, behind), out);
    fprintf(out, "\", %.*s)", (int)(behind - kernel), kernel);
    return behind;
}

/* Where the kernel stands whose address is taken here; NULL for none. `before`: what stands before its cast, which a call may leave out. */
static const char *find_address(const char *text, const char *at, const char *end, const char **before) {
    *before = behind_taker(text, at, end);
    if (*before != NULL) {
        const char *kernel = behind_void_cast(*before);
        return kernel != NULL ? kernel : *before;
    }
    *before = behind_node(at, end);
    return *before != NULL ? behind_void_cast(*before) : NULL;
}

/* True if the line says that one of CUB's or Thrust's headers follows. */
static bool enters_cccl(const char *line) {
    const size_t length = strcspn(line, "\n");
    return enters_system(line) &&
           (memmem(line, length, "/thrust/", 8) != NULL || memmem(line, length, "/cub/", 5) != NULL);
}

/* Behind a cast to a constant void * that begins here, by either syntax; *bracketed: what it casts stands in brackets. NULL for another. */
static const char *behind_untyping(const char *text, const char *at, bool *bracketed) {
    static const char *const casts[] = {"reinterpret_cast<void const*>(", "reinterpret_cast<const void*>(", "reinterpret_cast<void const *>(",
                                        "reinterpret_cast<const void *>("};
    *bracketed = *at == 'r';
    for (size_t k = 0; *bracketed && k < sizeof casts / sizeof casts[0]; k++)
        if (begins_with(at, casts[k]) && !(at > text && is_word(at[-1]))) return at + strlen(casts[k]);
    static const char *const plain[] = {"(void const*)", "(const void*)", "(void const *)", "(const void *)"};
    for (size_t k = 0; *at == '(' && k < sizeof plain / sizeof plain[0]; k++)
        if (begins_with(at, plain[k])) return at + strlen(plain[k]);
    return NULL;
}

/* Behind "&n::k<3>" that stands alone; NULL for another expression. */
static const char *behind_name(const char *text, const char *at, const char *end) {
    at += strspn(at, " \t\n&");
    const char *name = at;
    while (at < end && (is_named(*at) || *at == ':')) at++;
    if (at == name) return NULL;
    const char *behind = at + strspn(at, " \t\n");
    int depth = 0;
    if (*behind == '<' && behind[1] != '<' && behind[1] != '=') {
        for (at = behind; at < end; at = lint_next_place(text, at, end)) {
            depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
            if (depth == 0) break;
        }
        at++;
        behind = at + strspn(at, " \t\n");
    }
    return behind < end && strchr(",;)", *behind) != NULL ? at : NULL;
}

/* Writes what may be a kernel whose address becomes a void *, as untyped(k); behind it, or NULL where nothing of the kind is. `written`: up to where the text is. */
static const char *write_untyped(const char *text, const char *at, const char *end, const char *written, FILE *out) {
    bool bracketed;
    const char *from = behind_untyping(text, at, &bracketed);
    if (from == NULL) return NULL;
    const char *before = skip_back(text, at), *behind = bracketed ? from : behind_name(text, from, end);
    const bool returns = before - text >= 6 && memcmp(before - 6, "return", 6) == 0;
    if (behind == NULL || (!bracketed && !returns && before > text && strchr("=,(", before[-1]) == NULL)) return NULL;
    fwrite(written, 1, (size_t)(at - written), out);
    fputs(" ::riffle_lint::untyped(", out);
    if (!bracketed) fprintf(out, "%.*s)", (int)(behind - from), from);
    return behind;
}

void lint_write_launches(const char *text, size_t length, FILE *out) {
    const char *end = text + length, *written = text;
    bool in_library = false, in_system = false;
    for (const char *at = text; at < end;) {
        if (*at == '#' && (at == text || at[-1] == '\n')) {
            in_library = enters_cccl(at);
            in_system = enters_system(at);
            at += strcspn(at, "\n");
            continue;
        }
        const char *behind = lint_behind_constant(text, at, end), *before;
        if (behind > at) {
            at = behind;
            continue;
        }
        const char *address = find_address(text, at, end, &before), *untyped = NULL;
        launch one;
        if (address != NULL) {
            fwrite(written, 1, (size_t)(before - written), out);
            at = written = write_address(text, address, end, out);
        } else if (find_launch(text, at, end, &one) && one.kernel >= written) {
            fwrite(written, 1, (size_t)(one.kernel - written), out);
            write_launch(text, end, &one, in_library, out);
            at = written = write_arguments(text, one.arguments, end, out);
        } else if (!in_system && (untyped = write_untyped(text, at, end, written, out)) != NULL) {
            at = written = untyped;
        } else {
            at++;
        }
    }
    fwrite(written, 1, (size_t)(end - written), out);
}
