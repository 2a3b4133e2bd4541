/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* realpath */
#include "machine/lint/compiler/toolkit.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From CUDA 13 on they have a folder of their own. */
static bool find_below(const char *toolkit, char out[static PATH_MAX]) {
    static const char *const places[] = {"include/cccl", "targets/*/include/cccl", "include",
                                         "targets/*/include"};
    static const char mark[] = "/cuda/std/__cccl/version.h";
    bool found = false;
    for (size_t k = 0; k < sizeof places / sizeof places[0] && !found; k++) {
        char pattern[PATH_MAX];
        glob_t matches;
        if (snprintf(pattern, sizeof pattern, "%s/%s%s", toolkit, places[k], mark) >= PATH_MAX) continue;
        if (glob(pattern, 0, NULL, &matches) != 0) continue;
        const size_t length = strlen(matches.gl_pathv[0]) - (sizeof mark - 1);
        found = length < PATH_MAX;
        if (found) snprintf(out, PATH_MAX, "%.*s", (int)length, matches.gl_pathv[0]);
        globfree(&matches);
    }
    return found;
}

/* Of TOOLKIT/bin/nvcc, behind links. */
static bool find_beside(const char *nvcc, char out[static PATH_MAX]) {
    char path[PATH_MAX];
    if (access(nvcc, X_OK) != 0 || realpath(nvcc, path) == NULL) return false;
    for (int k = 0; k < 2; k++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL) return false;
        *slash = '\0';
    }
    return find_below(path, out);
}

/* As a shell would find a command. */
static bool find_on_path(const char *nvcc, char out[static PATH_MAX]) {
    const char *path = getenv("PATH");
    if (strchr(nvcc, '/') != NULL) return find_beside(nvcc, out);
    while (path != NULL && *path != '\0') {
        char command[PATH_MAX];
        const size_t length = strcspn(path, ":");
        if (snprintf(command, sizeof command, "%.*s/%s", (int)length, path, nvcc) < PATH_MAX &&
            find_beside(command, out))
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

bool toolkit_find_cccl(const riffle_lint_job *job, char out[static PATH_MAX]) {
    if (job->nvcc != NULL) return find_on_path(job->nvcc, out);
    const char *home = getenv("CUDA_HOME");
    if (home == NULL || *home == '\0') home = getenv("CUDA_PATH");
    if (home != NULL && *home != '\0') return find_below(home, out);
    return find_on_path("nvcc", out) || find_below("/usr/local/cuda", out);
}
