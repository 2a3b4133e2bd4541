/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* strcasestr */
#include "machine/lint/compiler/messages.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/lint/architecture/architecture.h"
#include "machine/lint/architecture/beyond.h"
#include "machine/lint/compiler/toolkit.h"
#include "machine/lint/ptx/statement.h"
#include "machine/lint/source/text.h"

/* One error of a compiler, "FILE:LINE:COLUMN: error: TEXT". */
typedef struct message {
    const char *file;
    char *text;
    unsigned line;
} message;

/* Splits a line; false if it is no error. */
static bool split_error(char *line, message *out) {
    static const char *const marks[] = {": error: ", ": fatal error: "};
    char *mark = NULL;
    for (size_t k = 0; k < 2 && mark == NULL; k++) {
        mark = strstr(line, marks[k]);
        if (mark != NULL) out->text = mark + strlen(marks[k]);
    }
    if (mark == NULL) return false;
    *mark = '\0';
    out->line = 0;
    for (char *colon; (colon = strrchr(line, ':')) != NULL && isdigit((unsigned char)colon[1]);) {
        out->line = (unsigned)strtoul(colon + 1, NULL, 10); /* the column first, then the line */
        *colon = '\0';
    }
    out->file = line;
    return true;
}

/* The line of the user's file that what follows comes from: "PATH:LINE:COLUMN:   required from here" of gcc,
 * "PATH:LINE:COLUMN: note: in instantiation of ..." of clang, "In file included from PATH:LINE" of both; else
 * 0. */
static unsigned line_of_use(const char *line, const char *path) {
    static const char included[] = "In file included from ";
    const size_t length = strlen(path);
    const bool includes = strncmp(line, included, sizeof included - 1) == 0;
    if (includes) line += sizeof included - 1;
    if (strncmp(line, path, length) != 0 || line[length] != ':') return 0;
    if (!includes && strstr(line, "required from") == NULL && strstr(line, "note: in instantiation") == NULL)
        return 0;
    return (unsigned)strtoul(line + length + 1, NULL, 10);
}

/* The first error, placed in the user's file if there is a way from there; false if there is none. */
static bool find_error(char *messages, const char *path, const char *folder, message *out) {
    bool found = false;
    unsigned use = 0;
    for (char *line = strtok(messages, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const unsigned used_at = line_of_use(line, path);
        if (used_at > 0) use = used_at;
        if (!found) {
            found = split_error(line, out);
            if (found && strncmp(out->file, folder, strlen(folder)) != 0) return true;
        }
        if (found && use > 0) {
            out->file = path;
            out->line = use;
            return true;
        }
    }
    return found;
}

/* The first word in 'quotes'. */
static bool quoted_word(const char *text, char out[static 128]) {
    const char *open = strchr(text, '\'');
    const char *close = open != NULL ? strchr(open + 1, '\'') : NULL;
    if (close == NULL || close - open > 127) return false;
    memcpy(out, open + 1, (size_t)(close - open - 1));
    out[close - open - 1] = '\0';
    return true;
}

/* The name that the compiler does not know; false if the error is about something else. */
static bool unknown_name(const char *text, char out[static 128]) {
    static const char *const phrases[] = {"was not declared",     "has not been declared",
                                          "does not name a type", "undeclared identifier",
                                          "unknown type name",    "is not a member",
                                          "no member named",      "no type named",
                                          "no template named",    NULL};
    for (const char *const *phrase = phrases; *phrase != NULL; phrase++)
        if (strstr(text, *phrase) != NULL && quoted_word(text, out)) return true;
    return false;
}

/* True if what the error misses, a name or a file, is of later GPUs. */
static bool missing_of_beyond(const char *text, beyond_name *out) {
    char name[128];
    if (unknown_name(text, name)) return beyond_find(name, out);
    const bool is_file = strstr(text, LINT_LACKS) != NULL || strstr(text, "No such file") != NULL ||
                         strstr(text, "file not found") != NULL;
    return is_file && beyond_find(text, out);
}

/* Writes what of CUDA the error misses; false if it is about something else. */
static bool missing_of_cuda(const char *text, char out[static 128]) {
    static const char *const headers[] = {"cuda",       "cooperative_groups/",
                                          "cub/",       "thrust/",
                                          "mma.h",      "curand",
                                          "cublas",     "cufft",
                                          "nvToolsExt", "nv/",
                                          "helper_",
                                          "surface_",   "texture_",
                                          "sm_",        NULL};
    static const char *const names[] = {
        "__", "cuda",   "cu", "CU", "tex", "surf", "half", "nv", "wmma", "thrust", "cooperative_groups",
        "cg", "atomic", NULL};
    if (strstr(text, LINT_LACKS) != NULL) return quoted_word(text, out);
    const char *gone = strstr(text, ": No such file or directory");
    if (gone != NULL && gone - text < 128) {
        memcpy(out, text, (size_t)(gone - text));
        out[gone - text] = '\0';
        return begins_with_any(out, headers);
    }
    if (strstr(text, "file not found") != NULL) return quoted_word(text, out) && begins_with_any(out, headers);
    if (unknown_name(text, out))
        return begins_with_any(out, names) || strstr(text, "'cooperative_groups'") != NULL;
    if (strstr(text, "asm") == NULL && strstr(text, "assembly") == NULL) return false;
    memcpy(out, "inline PTX", sizeof "inline PTX");
    return true;
}

/* True if the first word in 'quotes' has this prefix; `rest` is then what follows it. A second quoted word is a proposal. */
static bool quotes_name(const char *text, const char *start, char rest[static 128]) {
    char word[128];
    if (!quoted_word(text, word) || strncmp(word, start, strlen(start)) != 0) return false;
    strcpy(rest, word + strlen(start));
    return true;
}

/* Names the operand or register that a PTX statement lacks; false if the error is about something else. */
static bool missing_of_ptx(const char *text, char out[static 192]) {
    char rest[128];
    if (quotes_name(text, LINT_PTX_OPERAND, rest))
        snprintf(out, 192, "the statement has no operand %%%s", rest);
    else if (!quotes_name(text, LINT_PTX_REGISTER, rest))
        return false;
    else if (*rest == '\0')
        snprintf(out, 192, "an operand is missing between two commas");
    else
        snprintf(out, 192, "'%s' is no register that the statement declares", rest);
    return true;
}

/* The text of one of riffle's own assertions without the compiler's words around it; other errors as they are. */
static const char *asserted(char *text) {
    static const char gcc[] = "static assertion failed: ", clang[] = "static_assert failed";
    if (strncmp(text, gcc, sizeof gcc - 1) == 0) return text + sizeof gcc - 1;
    if (strncmp(text, "static assertion failed due", 27) == 0 && strstr(text, "': ") != NULL)
        return strstr(text, "': ") + 3; /* clang from 16 on */
    char *open = strchr(text, '"'), *close = strrchr(text, '"');
    if (strncmp(text, clang, sizeof clang - 1) != 0 || open == close) return text;
    *close = '\0';
    return open + 1;
}

/* The error that a body was left out for; others as they are. */
static char *left_out(char *text) {
    char *const own = strstr(text, LINT_UNUSED);
    if (own == NULL) return text;
    char *const end = strrchr(own, '"'); /* clang's */
    if (end != NULL) *end = '\0';
    return own + sizeof LINT_UNUSED - 1;
}

/* An error in the code that names the kernel. */
static riffle_status fail_kernel(const char *kernel, char *text) {
    if (strstr(text, "no matching function") != NULL || strstr(text, "no matches converting") != NULL) {
        return fail(RIFFLE_ERROR_FORMAT,
                    "kernel '%s': not one function that returns void; write a template's arguments, as in "
                    "'%s<float>'; overloads cannot be told apart: write a second kernel with another name that "
                    "calls the one",
                    kernel, kernel);
    }
    const char *own = asserted(text);
    if (strncmp(own, "constant '", 10) == 0) return fail(RIFFLE_ERROR_FORMAT, "%s", own);
    return fail(RIFFLE_ERROR_FORMAT, "kernel '%s': %s", kernel, own);
}

/* The library that the linker has not found; false if it says something else. */
static bool missing_library(const char *messages, char out[static 128]) {
    static const char *const phrases[] = {"cannot find -l", "unable to find library -l", NULL};
    for (const char *const *phrase = phrases; *phrase != NULL; phrase++) {
        const char *at = strstr(messages, *phrase);
        if (at == NULL) continue;
        at += strlen(*phrase);
        snprintf(out, 128, "%.*s", (int)strcspn(at, ": \n"), at);
        return true;
    }
    return false;
}

/* How names of CCCL's headers begin. */
static const char *const cccl_names[] = {"cub/", "thrust/", "cuda/", "nv/", NULL};

bool lint_lacks_cccl(const char *messages) {
    static const char *const before[] = {LINT_LACKS " '", "fatal error: ", "fatal error: '", NULL};
    for (const char *const *mark = before; *mark != NULL; mark++)
        for (const char *at = messages; (at = strstr(at, *mark)) != NULL;)
            if (begins_with_any(at += strlen(*mark), cccl_names)) return true;
    return false;
}

size_t lint_error_places(char *messages, lint_place places[static 64]) {
    size_t count = 0;
    if (strstr(messages, "required from") != NULL || strstr(messages, "in instantiation of") != NULL ||
        strstr(messages, "fatal error: ") != NULL)
        return 0;
    for (char *line = strtok(messages, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        message one;
        if (!split_error(line, &one)) continue;
        if (count == 64) return 0;
        places[count++] = (lint_place){one.file, one.text, one.line};
    }
    return count;
}

/* True if a toolkit would have it, and there is none. */
static bool is_of_no_toolkit(const riffle_lint_job *job, const char *missing) {
    char path[PATH_MAX];
    if (toolkit_is_foreign(missing)) return !toolkit_find_headers(job, path);
    return begins_with_any(missing, cccl_names) && !toolkit_find_cccl(job, path);
}

riffle_status lint_fail_compile(const riffle_lint_job *job, const char *path, const char *shown,
                                const char *folder, char *messages) {
    if (strstr(messages, ": Error: ") != NULL)
        return fail(RIFFLE_ERROR_FORMAT, "%s: inline PTX: the machine does not supply this part of CUDA",
                    shown);
    message first;
    char library[128];
    if (missing_library(messages, library))
        return fail(RIFFLE_ERROR_FORMAT, "no library '%s' for -l; name its folder by -L", library);
    if (!find_error(messages, path, folder, &first)) {
        return fail(RIFFLE_ERROR_FORMAT, "%s: the compiler failed: %s", shown,
                    *messages != '\0' ? messages : "it said nothing");
    }
    first.text = left_out(first.text);
    if (job->kernel != NULL && strcmp(first.file, LINT_ENTRY_FILE) == 0)
        return fail_kernel(job->kernel, first.text);
    if (strncmp(first.file, folder, strlen(folder)) == 0)
        return fail(RIFFLE_ERROR_FORMAT, "%s: %s", shown, asserted(first.text));
    const char *file = strcmp(first.file, path) == 0 ? shown : first.file;
    char *instruction = strstr(first.text, LINT_PTX_LACKS);
    if (instruction != NULL && strstr(instruction, LINT_PTX_LACKS_END) != NULL) {
        *strstr(instruction, LINT_PTX_LACKS_END) = '\0';
        return fail(RIFFLE_ERROR_FORMAT, "%s` at %s:%u is %s", instruction, file, first.line,
                    beyond_is_instruction(instruction) ? ARCHITECTURE_BEYOND : "not supported");
    }
    beyond_name beyond;
    if (missing_of_beyond(first.text, &beyond))
        return fail(RIFFLE_ERROR_FORMAT, "%s:%u: %s is " ARCHITECTURE_BEYOND, file, first.line, beyond.word);
    char missing[192];
    if (missing_of_ptx(first.text, missing))
        return fail(RIFFLE_ERROR_FORMAT, "%s:%u: inline PTX: %s", file, first.line, missing);
    if (missing_of_cuda(first.text, missing) && is_of_no_toolkit(job, missing)) {
        return fail(
            RIFFLE_ERROR_FORMAT,
            "%s:%u: %s: the machine does not supply this part of CUDA, but takes CUDA's own header where it is "
            "installed; put its nvcc on PATH, or name its folder by CUDA_HOME",
            file, first.line, missing);
    }
    if (missing_of_cuda(first.text, missing)) {
        return fail(RIFFLE_ERROR_FORMAT, "%s:%u: %s: the machine does not supply this part of CUDA", file,
                    first.line, missing);
    }
    if (beyond_find(first.text, &beyond) || beyond_find_in_file(first.file, first.line, &beyond))
        return fail(RIFFLE_ERROR_FORMAT, "%s:%u: %s; %s there is " ARCHITECTURE_BEYOND, file, first.line,
                    first.text, beyond.word);
    return fail(RIFFLE_ERROR_FORMAT, "%s:%u: %s", file, first.line, first.text);
}
