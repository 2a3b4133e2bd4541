/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* realpath */
#include "machine/lint/compiler/toolkit.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/lint/source/text.h"

const char *const toolkit_foreign[] = {"cublasXt", "cudnn", "cusolver", "cusparse",  "nccl", "npp",
                                       "nvjpeg",   "nvJitLink", "nvrtc", "pnccl", NULL};

bool toolkit_is_foreign(const char *name) { return begins_with_any(name, toolkit_foreign); }

/* A folder of a toolkit's, known by a file that it has. */
typedef struct part {
    const char *places[5], *mark;
} part;

/* From CUDA 13 on CCCL has a folder of its own. */
static const part cccl = {{"include/cccl", "targets/*/include/cccl", "include", "targets/*/include", NULL},
                          "/cuda/std/__cccl/version.h"};
static const part headers = {{"include", "targets/*/include", NULL}, "/cuda_runtime_api.h"};

static bool find_below(const char *toolkit, const part *what, char out[static PATH_MAX]) {
    bool found = false;
    for (size_t k = 0; what->places[k] != NULL && !found; k++) {
        char pattern[PATH_MAX];
        glob_t matches;
        if (snprintf(pattern, sizeof pattern, "%s/%s%s", toolkit, what->places[k], what->mark) >= PATH_MAX)
            continue;
        if (glob(pattern, 0, NULL, &matches) != 0) continue;
        const size_t length = strlen(matches.gl_pathv[0]) - strlen(what->mark);
        found = length < PATH_MAX;
        if (found) snprintf(out, PATH_MAX, "%.*s", (int)length, matches.gl_pathv[0]);
        globfree(&matches);
    }
    return found;
}

/* Of TOOLKIT/bin/nvcc, behind links. */
static bool find_beside(const char *nvcc, const part *what, char out[static PATH_MAX]) {
    char path[PATH_MAX];
    if (access(nvcc, X_OK) != 0 || realpath(nvcc, path) == NULL) return false;
    for (int k = 0; k < 2; k++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL) return false;
        *slash = '\0';
    }
    return find_below(path, what, out);
}

/* As a shell would find a command. */
static bool find_on_path(const char *nvcc, const part *what, char out[static PATH_MAX]) {
    const char *path = getenv("PATH");
    if (strchr(nvcc, '/') != NULL) return find_beside(nvcc, what, out);
    while (path != NULL && *path != '\0') {
        char command[PATH_MAX];
        const size_t length = strcspn(path, ":");
        if (snprintf(command, sizeof command, "%.*s/%s", (int)length, path, nvcc) < PATH_MAX &&
            find_beside(command, what, out))
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static bool find(const riffle_lint_job *job, const part *what, char out[static PATH_MAX]) {
    if (job->nvcc != NULL) return find_on_path(job->nvcc, what, out);
    const char *home = getenv("CUDA_HOME");
    if (home == NULL || *home == '\0') home = getenv("CUDA_PATH");
    if (home != NULL && *home != '\0') return find_below(home, what, out);
    return find_on_path("nvcc", what, out) || find_below("/usr/local/cuda", what, out);
}

bool toolkit_find_cccl(const riffle_lint_job *job, char out[static PATH_MAX]) { return find(job, &cccl, out); }

bool toolkit_find_headers(const riffle_lint_job *job, char out[static PATH_MAX]) { return find(job, &headers, out); }
