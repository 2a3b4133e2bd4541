/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* faccessat, strndup */
#include "system/writable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* By the rights that opening goes by. */
static bool is_allowed(const char *path, int mode) { return faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0; }

static bool is_no_folder(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return false;
    if (S_ISDIR(status.st_mode)) errno = EISDIR;
    return !S_ISDIR(status.st_mode);
}

/* True if the folder of a file that is not there takes one; else errno is set. */
static bool is_makeable(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) return is_allowed(".", W_OK | X_OK);
    if (slash[1] == '\0') return errno = ENOENT, false;
    char *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    if (folder == NULL) return false;
    const bool allowed = is_allowed(folder, W_OK | X_OK);
    const int error = errno;
    free(folder);
    errno = error;
    return allowed;
}

bool is_writable(const char *path) {
    struct stat link;
    const bool is_file = lstat(path, &link) == 0 && S_ISREG(link.st_mode);
    if (is_allowed(path, F_OK))
        return is_no_folder(path) && is_allowed(path, W_OK) && (!is_file || is_makeable(path));
    if (errno != ENOENT) return false;
    return lstat(path, &link) == 0 || is_makeable(path); /* where a link to nothing leads, opening will tell */
}

bool is_replaceable(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || !S_ISREG(status.st_mode) || is_allowed(path, W_OK);
}

bool is_readable(const char *path) { return is_no_folder(path) && is_allowed(path, R_OK); }
