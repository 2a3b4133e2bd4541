/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* posix_spawnp, environ */
#include "machine/lint/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/lint/messages.h"

void compiler_add(compiler_line *line, const char *word) {
    if (line->count < COMPILER_MAX_WORDS)
        line->words[line->count++] = word;
    else
        line->full = true;
    line->words[line->count] = NULL;
}

void compiler_add_all(compiler_line *line, const char *const *words, size_t count) {
    for (size_t k = 0; k < count && words[k] != NULL; k++) compiler_add(line, words[k]);
}

const char *compiler_of(const riffle_lint_job *job) {
    if (job->compiler != NULL) return job->compiler;
    const char *named = getenv("CXX");
    return named != NULL && *named != '\0' ? named : "c++";
}

void compiler_begin(compiler_line *line, const riffle_lint_job *job) {
    line->count = 0;
    line->full =
        snprintf(line->compiler, sizeof line->compiler, "%s", compiler_of(job)) >= (int)sizeof line->compiler;
    char *rest = NULL;
    for (char *word = strtok_r(line->compiler, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        compiler_add(line, word);
}

/* English messages, whatever the user speaks: they are looked into. */
static char **environment_in_english(void) {
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **changed = malloc((count + 2) * sizeof *changed);
    if (changed == NULL) return NULL;
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        if (strncmp(environ[k], "LC_ALL=", 7) != 0) changed[kept++] = environ[k];
    }
    static char english[] = "LC_ALL=C";
    changed[kept++] = english;
    changed[kept] = NULL;
    return changed;
}

/* Starts the line with its output in `messages` and waits for its end. */
static riffle_status spawn(const compiler_line *line, const char *messages, int *exit_status) {
    char **environment = environment_in_english();
    if (environment == NULL) return fail_memory("the compiler's environment", 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t child;
    const int error = posix_spawnp(&child, line->words[0], &actions, NULL,
                                   (char *const *)(uintptr_t)line->words, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (error != 0) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "the C++ compiler '%s' cannot be started: %s; install one or name it with CXX",
                    line->words[0], strerror(error));
    }
    while (waitpid(child, exit_status, 0) < 0) {
        if (errno != EINTR) return fail(RIFFLE_ERROR_IO, "the compiler's end was missed: %s", strerror(errno));
    }
    return RIFFLE_OK;
}

riffle_status compiler_run(const riffle_lint_job *job, const compiler_line *line, const char *path,
                           const char *shown, const lint_folder *folder) {
    char messages[LINT_PATH], *text;
    if (line->full)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the compiler's name and flags are more than fit; give fewer");
    if (line->count == 0 || *line->words[0] == '-')
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the C++ compiler has no name; write g++ or clang++, say");
    lint_folder_path(folder, "messages", messages);
    int exit_status = 0;
    size_t length;
    riffle_status status = spawn(line, messages, &exit_status);
    if (status != RIFFLE_OK || exit_status == 0) return status;
    status = lint_folder_read(folder, "messages", &text, &length);
    if (status != RIFFLE_OK) return status;
    status = lint_fail_compile(job, path, shown, folder->path, text);
    free(text);
    return status;
}
