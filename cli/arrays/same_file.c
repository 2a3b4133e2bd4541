/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays/same_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *last_name(const char *path) {
    const char *const slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static bool look_at_folder(const char *path, struct stat *out) {
    char folder[PATH_MAX];
    const int length = snprintf(folder, sizeof folder, "%.*s.", (int)(last_name(path) - path), path);
    return length > 0 && (size_t)length < sizeof folder && stat(folder, out) == 0;
}

bool is_same_file(const char *a, const char *b) {
    struct stat of_a, of_b;
    const bool has_a = stat(a, &of_a) == 0, has_b = stat(b, &of_b) == 0;
    if (has_a || has_b) return has_a && has_b && is_same(&of_a, &of_b);
    return strcmp(last_name(a), last_name(b)) == 0 && look_at_folder(a, &of_a) && look_at_folder(b, &of_b) &&
           is_same(&of_a, &of_b);
}
