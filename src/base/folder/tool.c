/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* posix_spawnp, environ, memmem */
#include "base/folder/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"

/* ------------------------------------------------------------------- running */

enum { PLACE_ROOM = sizeof "TMPDIR=" + FOLDER_PATH };

/* English messages, whatever the user speaks: they are looked into. Temporary files in the folder: they go with it. `place` is room
 * that lives as long. */
static char **environment_for(const private_folder *folder, char place[static PLACE_ROOM]) {
    size_t count = 0;
    while (environ[count] != NULL) count++;
    char **changed = malloc((count + 3) * sizeof *changed);
    if (changed == NULL) return NULL;
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        if (strncmp(environ[k], "LC_ALL=", 7) != 0 && strncmp(environ[k], "TMPDIR=", 7) != 0)
            changed[kept++] = environ[k];
    }
    static char english[] = "LC_ALL=C";
    snprintf(place, PLACE_ROOM, "TMPDIR=%s", folder->path);
    changed[kept++] = english;
    changed[kept++] = place;
    changed[kept] = NULL;
    return changed;
}

/* The program joins the keeper's group. */
static int start(const private_folder *folder, const char *const *words, const char *output, char **environment,
                 pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, folder->keeper);
    const int error =
        posix_spawnp(child, words[0], &actions, &attributes, (char *const *)(uintptr_t)words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool is_want_of_means(int error) {
    return error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE || error == ENOSPC ||
           error == EDQUOT;
}

static riffle_status fail_start(const char *tool, int error, const char *remedy) {
    const bool is_want = is_want_of_means(error);
    return fail(is_want ? RIFFLE_ERROR_IO : RIFFLE_ERROR_UNSUPPORTED, "'%s' cannot be started: %s; %s", tool,
                strerror(error), is_want ? "see to memory, disk space and limits (ulimit -a)" : remedy);
}

riffle_status tool_run(const private_folder *folder, const char *const *words, const char *output,
                       const char *remedy, int *wait_status) {
    char place[PLACE_ROOM], path[FOLDER_PATH];
    folder_path(folder, output, path);
    char **environment = environment_for(folder, place);
    if (environment == NULL) return fail_memory("the environment of a compiler", 0);
    pid_t child;
    const int error = start(folder, words, path, environment, &child);
    free(environment);
    if (error != 0) return fail_start(words[0], error, remedy);
    while (waitpid(child, wait_status, 0) < 0) {
        if (errno != EINTR)
            return fail(RIFFLE_ERROR_IO, "the end of '%s' was missed: %s", words[0], strerror(errno));
    }
    return RIFFLE_OK;
}

/* ---------------------------------------------------------- what was wanting */

/* Lines that quote what was compiled have a bar behind their number. */
static bool is_quotation(const char *line, size_t length) { return memmem(line, length, " | ", 3) != NULL; }

/* True of "cc: error: ..." and "error: ...": an error at no place in a text is one of how the compiler was called. Linkers' are not,
 * nor those of macros; "k.cu(3): error: ..." is nvcc's way to name a place. */
static bool is_of_no_place(const char *line, size_t length, const char *error) {
    static const char *const others[] = {"<", "ld", "collect2"};
    const char *const colon = memchr(line, ':', length);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strncmp(line, others[k], strlen(others[k])) == 0) return false;
    if (memmem(line, length, "linker", strlen("linker")) != NULL) return false;
    if (error == line) return true;
    if (colon > line && colon[-1] == ')') return false;
    return colon + 2 == error || (colon + 8 == error && strncmp(colon, ": fatal ", 8) == 0);
}

/* The line of the first error, if that is one of the compiler's own flags; else NULL. */
static const char *find_flag(const char *messages) {
    for (const char *line = messages; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        const char *const error = memmem(line, length, "error: ", strlen("error: "));
        if (error != NULL && !is_quotation(line, length))
            return is_of_no_place(line, length, error) ? line : NULL;
    }
    return NULL;
}

/* Messages of compilers, assemblers, linkers and the dynamic linker that lack means, in English. */
static bool tells_of_want(const char *line, size_t length) {
    static const char *const words[] = {"No space left on device",
                                        "Disk quota exceeded",
                                        "File too large",
                                        "File size limit exceeded",
                                        "Cannot allocate memory",
                                        "out of memory",
                                        "memory exhausted",
                                        "failed to map segment",
                                        "Too many open files",
                                        "out of file descriptors",
                                        "Resource temporarily unavailable",
                                        "Input/output error",
                                        "signal terminated program",
                                        "internal compiler error"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (memmem(line, length, words[k], strlen(words[k])) != NULL) return true;
    return false;
}

/* The first such line, or NULL. */
static const char *find_want(const char *messages) {
    for (const char *line = messages; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        if (!is_quotation(line, length) && tells_of_want(line, length)) return line;
    }
    return NULL;
}

bool tool_lacked_means(int wait_status, const char *messages) {
    return WIFSIGNALED(wait_status) || find_want(messages) != NULL || find_flag(messages) != NULL;
}

riffle_status tool_fail_means(const char *tool, int wait_status, const char *messages) {
    static const char remedy[] = "see to memory, disk space and limits (ulimit -a)";
    const char *const line = find_want(messages);
    if (line != NULL)
        return fail(RIFFLE_ERROR_IO, "'%s' could not do its work: %.*s; %s", tool, (int)strcspn(line, "\n"),
                    line, remedy);
    const char *const flag = WIFSIGNALED(wait_status) ? NULL : find_flag(messages);
    if (flag != NULL)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "'%s' compiles nothing with the flags that it is given: %.*s; see to those in CC or CXX",
                    tool, (int)strcspn(flag, "\n"), flag);
    return fail(RIFFLE_ERROR_IO, "'%s' could not do its work: signal %d (%s) ended it; %s", tool,
                WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)), remedy);
}
