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
#include "program/own.h"

enum { MOST_WORDS = 32 };

struct own_operations {
    void *object;
    line_own *function[];
};

/* ------------------------------------------------------------------ source */

static void print_lines(const program_own *own, const char *form, FILE *out) {
    for (unsigned k = 0; k < 1U << own->bits; k++) fprintf(out, form, k, k);
}

/* Each operation is a line of its own name, so that messages say which one is wrong. */
static void print_source(const program_passes *passes, riffle_type type, FILE *out) {
    fprintf(out, "#include <math.h>\n#include <stdint.h>\ntypedef %s element;\n", program_own_element(type));
    for (unsigned k = 0; k < passes->own_count; k++) {
        const program_own *own = &passes->own[k];
        fprintf(out,
                "# 1 \"operation%u\"\n"
                "void operation%u(void *const *line, const uint64_t *lane, uint64_t base) { ",
                k, k);
        print_lines(own, "element *restrict const line%u = line[%u]; ", out);
        fprintf(out, "for (unsigned l = 0; l < 64 / sizeof(element); l++) { const uint64_t i = base ^ lane[l]; "
                     "(void)i; const element x[] = {");
        print_lines(own, "line%u[l], ", out);
        fprintf(out, "}; ");
        program_own_print_names(own, out);
        fprintf(out, "const element r[] = {%s}; _Static_assert(sizeof r == sizeof x, \"", own->source);
        program_own_print_count(own, out);
        fprintf(out, "\"); ");
        print_lines(own, "line%u[l] = r[%u]; ", out);
        fprintf(out, "} }\n");
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
static riffle_status fail_to_compile(const program_passes *passes, const lint_folder *folder) {
    char *messages = NULL, words[200], why[256];
    size_t length;
    riffle_status status = lint_folder_read(folder, "messages", &messages, &length);
    if (status != RIFFLE_OK) return status;
    const int which = program_own_find_error(messages, sizeof words, words);
    snprintf(why, sizeof why, "the compiler refuses this operation: %s", words);
    status = which >= 0 && which < (int)passes->own_count
                 ? program_own_fail(passes, (unsigned)which, RIFFLE_ERROR_SYNTAX, why)
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
    if (exit_status != 0) return fail_to_compile(passes, folder);
    own->object = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    return own->object != NULL ? RIFFLE_OK
                               : fail(RIFFLE_ERROR_UNSUPPORTED,
                                      "users' operations were compiled but not loaded: %s", dlerror());
}

static riffle_status find_functions(unsigned count, own_operations *own) {
    for (unsigned k = 0; k < count; k++) {
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
    print_source(passes, type, out);
    lint_folder folder;
    riffle_status status =
        fclose(out) == 0 ? lint_folder_create(&folder) : fail_memory("users' operations", length);
    if (status == RIFFLE_OK) {
        status = lint_folder_write(&folder, "own.c", text, length);
        if (status == RIFFLE_OK) status = compile_in(passes, own, &folder);
        lint_folder_remove(&folder);
    }
    free(text);
    return status == RIFFLE_OK ? find_functions(passes->own_count, own) : status;
}

riffle_status own_operations_compile(const program_passes *passes, riffle_type type, own_operations **out) {
    *out = NULL;
    if (passes->own_count == 0) return RIFFLE_OK;
    const size_t bytes = sizeof **out + passes->own_count * sizeof *(*out)->function;
    own_operations *own = calloc(1, bytes);
    if (own == NULL) return fail_memory("users' operations", bytes);
    const riffle_status status = build(passes, type, own);
    if (status == RIFFLE_OK) {
        *out = own;
    } else {
        own_operations_free(own);
    }
    return status;
}

line_own *own_operations_find(const own_operations *own, const program_stage *stage) {
    return stage->op.kind == RIFFLE_OP_OWN ? own->function[stage->own] : NULL;
}

void own_operations_free(own_operations *own) {
    if (own == NULL) return;
    if (own->object != NULL) dlclose(own->object);
    free(own);
}
