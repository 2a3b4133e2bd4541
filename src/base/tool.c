/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* posix_spawnp, environ */
#include "base/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"

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

riffle_status tool_run(const char *const *words, const char *output, const char *remedy, int *exit_status) {
    char **environment = environment_in_english();
    if (environment == NULL) return fail_memory("the environment of a compiler", 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t child;
    const int error =
        posix_spawnp(&child, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (error != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "'%s' cannot be started: %s; %s", words[0], strerror(error),
                    remedy);
    while (waitpid(child, exit_status, 0) < 0) {
        if (errno != EINTR)
            return fail(RIFFLE_ERROR_IO, "the end of '%s' was missed: %s", words[0], strerror(errno));
    }
    return RIFFLE_OK;
}
