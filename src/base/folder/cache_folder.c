/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "base/folder/cache_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of the user's own, into which nobody else writes; a link may lead elsewhere tomorrow. */
static bool is_own(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* All may write into /tmp, but rename there what is theirs only. */
static bool keeps_names(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && ((status.st_mode & S_IWOTH) == 0 || (status.st_mode & S_ISVTX) != 0);
}

bool cache_folder_find(char out[static PATH_MAX]) {
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    const bool is_named = cache != NULL && *cache == '/';
    if (!is_named && (home == NULL || *home != '/')) return false;
    int length = snprintf(out, PATH_MAX, "%s%s", is_named ? cache : home, is_named ? "" : "/.cache");
    if (length < 0 || length + CACHE_FOLDER_NAMES > PATH_MAX) return false;
    if (mkdir(out, 0700) != 0 && errno != EEXIST) return false;
    if (!keeps_names(out)) return false;
    memcpy(out + length, "/riffle", sizeof "/riffle");
    return (mkdir(out, 0700) == 0 || errno == EEXIST) && is_own(out);
}
