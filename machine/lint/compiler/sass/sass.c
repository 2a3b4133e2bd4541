/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "machine/lint/compiler/sass/sass.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder/tool.h"
#include "base/status.h"
#include "machine/lint/compiler/sass/sass_loops.h"

/* ---- reading */

/* An instruction's name: LDS is one to shared memory, LD one to either. */
typedef struct opcode {
    const char *name;
    report_op op;
    bool in[SPACES];
} opcode;

static const opcode opcodes[] = {
    {"LDS", OP_READ, {[SPACE_SHARED] = true}},
    {"STS", OP_WRITE, {[SPACE_SHARED] = true}},
    {"LDG", OP_READ, {[SPACE_GLOBAL] = true}},
    {"STG", OP_WRITE, {[SPACE_GLOBAL] = true}},
    {"LD", OP_READ, {true, true}},
    {"ST", OP_WRITE, {true, true}},
    {"ATOMS", OP_ATOMIC, {[SPACE_SHARED] = true}},
};

static const opcode *find_opcode(const char *name, size_t length) {
    for (size_t k = 0; k < sizeof opcodes / sizeof opcodes[0]; k++) {
        if (strlen(opcodes[k].name) == length && memcmp(opcodes[k].name, name, length) == 0) return &opcodes[k];
    }
    return NULL;
}

/* Bytes that modifiers such as "E.128.CONSTANT" say; 4 if they say none. */
static unsigned bytes_of(const char *modifiers, size_t length) {
    static const struct {
        const char *name;
        unsigned bytes;
    } sizes[] = {{".POPC.INC", WIDTHS_COUNTING},
                 {".128", 16},
                 {".64", 8},
                 {".U16", 2},
                 {".S16", 2},
                 {".U8", 1},
                 {".S8", 1}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const char *found = memmem(modifiers, length, sizes[k].name, strlen(sizes[k].name));
        if (found != NULL && !isalnum((unsigned char)found[strlen(sizes[k].name)])) return sizes[k].bytes;
    }
    return 4;
}

/* The line that the code behind it is of: '\t//## File "/a/b.cu", line 12 ...'. */
static bool read_place(const char *line, size_t length, char file[static PATH_MAX], unsigned *number) {
    static const char mark[] = "//## File \"", middle[] = "\", line ";
    const char *start = memmem(line, length, mark, sizeof mark - 1);
    if (start == NULL) return false;
    start += sizeof mark - 1;
    const char *end = memmem(start, (size_t)(line + length - start), middle, sizeof middle - 1);
    if (end == NULL || end - start >= PATH_MAX) return false;
    memcpy(file, start, (size_t)(end - start));
    file[end - start] = '\0';
    *number = (unsigned)strtoul(end + sizeof middle - 1, NULL, 10);
    return true;
}

/* The lines that code is of: the innermost first, then those that it was inlined at. */
enum { MAX_PLACES = 6 };
typedef struct code_places {
    unsigned count;
    bool ended; /* code has come since, so the next line is of other code */
    unsigned number[MAX_PLACES];
    char file[MAX_PLACES][PATH_MAX];
} code_places;

static bool add_place(code_places *of, const char *line, size_t length) {
    char file[PATH_MAX];
    unsigned number;
    if (!read_place(line, length, file, &number)) return false;
    if (of->ended) of->count = 0;
    of->ended = false;
    if (of->count == MAX_PLACES) return true;
    memcpy(of->file[of->count], file, strlen(file) + 1);
    of->number[of->count++] = number;
    return true;
}

/* Atomics are functions of CUDA's headers, so it is told where these were inlined, too. */
static bool add_opcode(const opcode *known, unsigned bytes, bool again, const code_places *of,
                       line_widths *out) {
    const unsigned places = known->op == OP_ATOMIC || of->count == 0 ? of->count : 1;
    for (unsigned space = 0; space < SPACES; space++) {
        for (unsigned k = 0; k < places && known->in[space]; k++) {
            if (!widths_add(out, of->file[k], of->number[k], (report_space)space, known->op, bytes, again))
                return false;
        }
    }
    return true;
}

static bool add_instruction(const char *at, const char *end, bool again, const code_places *of,
                            line_widths *out) {
    size_t whole = 0, name = 0;
    while (at + whole < end && (isalnum((unsigned char)at[whole]) || at[whole] == '.' || at[whole] == '_'))
        whole++;
    while (name < whole && at[name] != '.') name++;
    const opcode *known = find_opcode(at, name);
    return known == NULL || add_opcode(known, bytes_of(at + name, whole - name), again, of, out);
}

static bool read_code(const char *text, const sass_loops *loops, line_widths *out) {
    code_places of;
    of.count = 0;
    of.ended = false;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const char *instruction = sass_instruction(line, length);
        if (!add_place(&of, line, length) && instruction != NULL) {
            const bool again = sass_loops_have(loops, (size_t)(line - text));
            if (!add_instruction(instruction, line + length, again, &of, out)) return false;
            of.ended = true;
        }
        line += length + (line[length] == '\n');
    }
    return true;
}

bool lint_sass_read(const char *text, line_widths *out) {
    sass_loops loops;
    const bool read = sass_loops_find(text, &loops) && read_code(text, &loops, out);
    sass_loops_free(&loops);
    return read;
}

/* ---- running */

enum { MAX_WORDS = 256 };

static riffle_status run(const char *const *words, const private_folder *folder, const char *output,
                         int *exit_status) {
    return tool_run(folder, words, output, "leave --nvcc out, or install it with CUDA", exit_status);
}

/* Fails with the first line that tells of an error, else the first one. */
static riffle_status fail_run(const char *tool, const char *file, const private_folder *folder,
                              const char *output, int wait_status) {
    char *text;
    size_t length;
    riffle_status status = folder_read(folder, output, &text, &length);
    if (status != RIFFLE_OK) return status;
    if (tool_lacked_means(wait_status, text)) {
        status = tool_fail_means(tool, wait_status, text);
        free(text);
        return status;
    }
    const char *first = text;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *error = memmem(line, strcspn(line, "\n"), "error", 5);
        if (error == NULL) continue;
        first = line;
        break;
    }
    const riffle_status failed = fail(RIFFLE_ERROR_FORMAT, "%s: %s does not take it: %.*s", file, tool,
                                      (int)strcspn(first, "\n"), first);
    free(text);
    return failed;
}

static riffle_status compile(const riffle_lint_job *job, const char *file, const private_folder *folder,
                             const char *cubin) {
    const char *words[MAX_WORDS + 1] = {job->nvcc, "-std=c++17", "-arch=sm_90", "-w", "-lineinfo",
                                        "-cubin",  "-o",         cubin,         file};
    size_t count = 9;
    if (job->flag_count > MAX_WORDS - count)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%zu flags are more than nvcc is given; give fewer",
                    job->flag_count);
    for (size_t k = 0; k < job->flag_count; k++) words[count++] = job->flags[k];
    int exit_status = 0;
    const riffle_status status = run(words, folder, "nvcc.txt", &exit_status);
    if (status != RIFFLE_OK || exit_status == 0) return status;
    return fail_run(job->nvcc, file, folder, "nvcc.txt", exit_status);
}

/* Beside nvcc where that is named with its folder. */
static riffle_status disassemble(const riffle_lint_job *job, const char *file, const private_folder *folder,
                                 const char *cubin) {
    char beside[PATH_MAX];
    const char *slash = strrchr(job->nvcc, '/');
    snprintf(beside, sizeof beside, "%.*snvdisasm", slash != NULL ? (int)(slash + 1 - job->nvcc) : 0,
             job->nvcc);
    const char *tool = slash != NULL && access(beside, X_OK) == 0 ? beside : "nvdisasm";
    const char *const words[] = {tool, "-gi", "-c", cubin, NULL};
    int exit_status = 0;
    const riffle_status status = run(words, folder, "sass.txt", &exit_status);
    if (status != RIFFLE_OK || exit_status == 0) return status;
    return fail_run(tool, file, folder, "sass.txt", exit_status);
}

/* Adds what nvcc makes of one file. */
static riffle_status read_file(const riffle_lint_job *job, const char *file, const private_folder *folder,
                               line_widths *out) {
    char cubin[FOLDER_PATH], *text;
    size_t length;
    folder_path(folder, "nvcc.cubin", cubin);
    riffle_status status = compile(job, file, folder, cubin);
    if (status == RIFFLE_OK) status = disassemble(job, file, folder, cubin);
    if (status == RIFFLE_OK) status = folder_read(folder, "sass.txt", &text, &length);
    if (status != RIFFLE_OK) return status;
    const bool read = lint_sass_read(text, out);
    free(text);
    return read ? RIFFLE_OK : fail_memory("the widths of accesses", length);
}

riffle_status lint_sass_widths(const riffle_lint_job *job, const private_folder *folder, line_widths *out) {
    *out = (line_widths){0};
    riffle_status status = read_file(job, job->file, folder, out);
    for (size_t k = 0; k < job->more_count && status == RIFFLE_OK; k++)
        status = read_file(job, job->more[k], folder, out);
    if (status != RIFFLE_OK) widths_free(out);
    return status;
}
