/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/compiler/linker.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_on_path(const char *program) {
    const char *folders = getenv("PATH");
    while (folders != NULL && *folders != '\0') {
        char path[PATH_MAX];
        const size_t length = strcspn(folders, ":");
        const int written = snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, program);
        if (length > 0 && written < (int)sizeof path && access(path, X_OK) == 0) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

static bool names_linker(const compiler_line *line) {
    for (size_t k = 0; k < line->count; k++)
        if (strncmp(line->words[k], "-fuse-ld=", 9) == 0) return true;
    return false;
}

riffle_status linker_run(const riffle_lint_job *job, const compiler_line *line, const char *path,
                         const char *shown, const private_folder *folder) {
    if (!names_linker(line) && is_on_path("ld.lld")) {
        compiler_line quick = *line;
        compiler_add(&quick, "-fuse-ld=lld");
        if (compiler_run(job, &quick, path, shown, folder) == RIFFLE_OK) return RIFFLE_OK;
    }
    return compiler_run(job, line, path, shown, folder);
}
