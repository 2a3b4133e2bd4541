/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* posix_spawnp, open_memstream */
#include "engines/cpu/program/own.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/lint/folder.h"
#include "program/term.h"

enum { MOST_OPERATIONS = 256, MOST_WORDS = 32 };

struct own_operations {
    void *object;
    unsigned count;
    const program_stage *stage[MOST_OPERATIONS]; /* the first with this operation */
    line_own *function[MOST_OPERATIONS];
};

/* ------------------------------------------------------------------ source */

static int find(const own_operations *own, const program_stage *stage) {
    for (unsigned k = 0; k < own->count; k++)
        if (own->stage[k]->bits == stage->bits && op_equal(&own->stage[k]->op, &stage->op)) return (int)k;
    return -1;
}

static riffle_status fail_at_operation(const program_passes *passes, const program_stage *stage,
                                       riffle_status status, const char *why) {
    char place[96];
    program_print_place_of(passes->program, stage->op.source, sizeof place, place);
    return fail(status, "%s%s", place, why);
}

static riffle_status collect(const program_passes *passes, own_operations *own) {
    for (size_t p = 0; p < passes->count; p++) {
        for (size_t k = 0; k < passes->passes[p].stage_count; k++) {
            const program_stage *stage = &passes->passes[p].stages[k];
            if (stage->op.kind != RIFFLE_OP_OWN || find(own, stage) >= 0) continue;
            if (stage->bits > 1)
                return fail_at_operation(passes, stage, RIFFLE_ERROR_UNSUPPORTED,
                                         "groups of 4 and more are not run here in this version; use pair");
            if (own->count == MOST_OPERATIONS)
                return fail_at_operation(passes, stage, RIFFLE_ERROR_UNSUPPORTED,
                                         "more than 256 users' operations");
            own->stage[own->count++] = stage;
        }
    }
    return RIFFLE_OK;
}

static const char *const c_types[] = {
    [RIFFLE_TYPE_I8] = "int8_t",    [RIFFLE_TYPE_I16] = "int16_t",  [RIFFLE_TYPE_I32] = "int32_t",
    [RIFFLE_TYPE_I64] = "int64_t",  [RIFFLE_TYPE_U8] = "uint8_t",   [RIFFLE_TYPE_U16] = "uint16_t",
    [RIFFLE_TYPE_U32] = "uint32_t", [RIFFLE_TYPE_U64] = "uint64_t", [RIFFLE_TYPE_F32] = "float",
    [RIFFLE_TYPE_F64] = "double",
};

/* Each operation is a line of its own name, so that messages say which one is wrong. */
static void print_source(const own_operations *own, riffle_type type, FILE *out) {
    fprintf(out, "#include <math.h>\n#include <stdint.h>\ntypedef %s element;\n", c_types[type]);
    for (unsigned k = 0; k < own->count; k++) {
        const program_stage *stage = own->stage[k];
        fprintf(
            out,
            "# 1 \"operation%u\"\n"
            "void operation%u(element *restrict x, element *restrict y, const uint64_t *lane, uint64_t base) "
            "{ for (unsigned l = 0; l < 64 / sizeof(element); l++) { const uint64_t i = base ^ lane[l]; "
            "const element a = x[l]%s; (void)i; const element r[] = {%s}; "
            "_Static_assert(sizeof r == %u * sizeof *r, \"an operation on %s has %s\"); x[l] = r[0]; %s } }\n",
            k, k, stage->bits == 1 ? ", b = y[l]" : "", stage->op.source, 1U << stage->bits,
            stage->bits == 1 ? "pairs" : "elements", stage->bits == 1 ? "two expressions" : "one expression",
            stage->bits == 1 ? "y[l] = r[1];" : "");
    }
}

/* ---------------------------------------------------------------- compiler */

/* Runs the line with its output in `messages`; *exit_status is 127 where there is no such program. */
static riffle_status run_compiler(char *const *words, const char *messages, int *exit_status) {
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t child;
    const int error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    int ended = 0;
    while (error == 0 && waitpid(child, &ended, 0) < 0)
        if (errno != EINTR) return fail(RIFFLE_ERROR_IO, "the compiler's end was missed: %s", strerror(errno));
    *exit_status = error != 0 ? 127 : WIFEXITED(ended) ? WEXITSTATUS(ended) : 1;
    return *exit_status != 127
               ? RIFFLE_OK
               : fail(RIFFLE_ERROR_UNSUPPORTED,
                      "users' operations need a C compiler, and '%s' does not start; set CC", words[0]);
}

/* The first message that tells an operation's error, with the operation's place. */
static riffle_status fail_to_compile(const program_passes *passes, const own_operations *own,
                                     const lint_folder *folder) {
    char *messages = NULL;
    size_t length;
    riffle_status status = lint_folder_read(folder, "messages", &messages, &length);
    if (status != RIFFLE_OK) return status;
    const char *error = strstr(messages, "error: ");
    const char *line = error;
    while (line != NULL && line > messages && line[-1] != '\n') line--;
    unsigned which;
    char why[256];
    const char *words = error != NULL ? error + strlen("error: ") : messages;
    snprintf(why, sizeof why, "the compiler refuses this operation: %.*s", (int)strcspn(words, "\n"), words);
    status = line != NULL && sscanf(line, "operation%u:", &which) == 1 && which < own->count
                 ? fail_at_operation(passes, own->stage[which], RIFFLE_ERROR_SYNTAX, why)
                 : fail(RIFFLE_ERROR_UNSUPPORTED, "%s", why);
    free(messages);
    return status;
}

static riffle_status compile_in(const program_passes *passes, own_operations *own, const lint_folder *folder) {
    char source[LINT_PATH], object[LINT_PATH], messages[LINT_PATH], compiler[1024];
    lint_folder_path(folder, "own.c", source);
    lint_folder_path(folder, "own.so", object);
    lint_folder_path(folder, "messages", messages);
    const char *named = getenv("CC");
    snprintf(compiler, sizeof compiler, "%s", named != NULL && *named != '\0' ? named : "cc");
    const char *const flags[] = {"-std=gnu11",        "-O3", "-w",   "-fPIC", "-shared", "-fwrapv",
                                 "-ffp-contract=off", "-o",  object, source,  "-lm"};
    char *words[MOST_WORDS + 1], *rest = NULL;
    size_t count = 0;
    for (char *word = strtok_r(compiler, " ", &rest); word != NULL && count < MOST_WORDS / 2;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) words[count++] = (char *)(uintptr_t)flags[k];
    words[count] = NULL;
    int exit_status = 0;
    riffle_status status = run_compiler(words, messages, &exit_status);
    if (status != RIFFLE_OK) return status;
    if (exit_status != 0) return fail_to_compile(passes, own, folder);
    own->object = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    return own->object != NULL ? RIFFLE_OK
                               : fail(RIFFLE_ERROR_UNSUPPORTED,
                                      "users' operations were compiled but not loaded: %s", dlerror());
}

static riffle_status find_functions(own_operations *own) {
    for (unsigned k = 0; k < own->count; k++) {
        char name[32];
        snprintf(name, sizeof name, "operation%u", k);
        void *const address = dlsym(own->object, name);
        if (address == NULL) return fail(RIFFLE_ERROR_INTERNAL, "%s is not in its object", name);
        memcpy(&own->function[k], &address, sizeof address);
    }
    return RIFFLE_OK;
}

static riffle_status build(const program_passes *passes, riffle_type type, own_operations *own) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return fail_memory("users' operations", 0);
    print_source(own, type, out);
    lint_folder folder;
    riffle_status status =
        fclose(out) == 0 ? lint_folder_create(&folder) : fail_memory("users' operations", length);
    if (status == RIFFLE_OK) {
        status = lint_folder_write(&folder, "own.c", text, length);
        if (status == RIFFLE_OK) status = compile_in(passes, own, &folder);
        lint_folder_remove(&folder);
    }
    free(text);
    return status == RIFFLE_OK ? find_functions(own) : status;
}

riffle_status own_operations_compile(const program_passes *passes, riffle_type type, own_operations **out) {
    own_operations *own = calloc(1, sizeof *own);
    if (own == NULL) return fail_memory("users' operations", sizeof *own);
    riffle_status status = collect(passes, own);
    if (status == RIFFLE_OK && own->count > 0) status = build(passes, type, own);
    if (status == RIFFLE_OK && own->count > 0) {
        *out = own;
        return RIFFLE_OK;
    }
    own_operations_free(own);
    *out = NULL;
    return status;
}

line_own *own_operations_find(const own_operations *own, const program_stage *stage) {
    const int which = find(own, stage);
    return which >= 0 ? own->function[which] : NULL;
}

void own_operations_free(own_operations *own) {
    if (own == NULL) return;
    if (own->object != NULL) dlclose(own->object);
    free(own);
}
