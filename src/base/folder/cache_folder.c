/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* scandir */
#include "base/folder/cache_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

bool cache_folder_names(const char *name, const char *start, const char *ending) {
    const size_t before = strlen(start), digits = 16;
    if (strncmp(name, start, before) != 0 || strspn(name + before, "0123456789abcdef") < digits) return false;
    for (name += before + digits; *ending != '\0' && *name != '\0'; name++, ending++)
        if (*ending == 'X' ? !isalnum((unsigned char)*name) : *name != *ending) return false;
    return *name == *ending;
}

typedef struct kept_file {
    const char *name;
    struct timespec used;
    uint64_t bytes;
} kept_file;

static int compare_uses(const void *a, const void *b) {
    const struct timespec one = ((const kept_file *)a)->used, other = ((const kept_file *)b)->used;
    if (one.tv_sec != other.tv_sec) return one.tv_sec < other.tv_sec ? -1 : 1;
    return (one.tv_nsec > other.tv_nsec) - (one.tv_nsec < other.tv_nsec);
}

static bool find_path(const char *folder, const char *name, char out[static PATH_MAX]) {
    return snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

/* Finds the listed files that are of this kind and still there, the one whose use is longest ago first. */
static size_t look_at(const char *folder, const cache_files *files, struct dirent **entries, size_t count,
                      kept_file *out) {
    size_t there = 0;
    for (size_t k = 0; k < count; k++) {
        char path[PATH_MAX];
        struct stat status;
        if (!find_path(folder, entries[k]->d_name, path) || lstat(path, &status) != 0) continue;
        if (!S_ISREG(status.st_mode) || !files->is_one(path, entries[k]->d_name)) continue;
        out[there++] = (kept_file){entries[k]->d_name, status.st_atim, (uint64_t)status.st_size};
    }
    qsort(out, there, sizeof *out, compare_uses);
    return there;
}

static void remove_surplus(const char *folder, const cache_files *files, const kept_file *all, size_t count) {
    uint64_t bytes = 0;
    for (size_t k = 0; k < count; k++) bytes += all[k].bytes;
    for (size_t k = 0; k < count && (count - k > files->most || bytes > files->bytes); k++) {
        char path[PATH_MAX];
        if (find_path(folder, all[k].name, path) && files->remove(path)) bytes -= all[k].bytes;
    }
}

void cache_folder_sweep(const char *folder, const cache_files *files) {
    struct dirent **entries;
    const int listed = scandir(folder, &entries, NULL, NULL);
    if (listed < 0) return;
    kept_file *const all = malloc(((size_t)listed + 1) * sizeof *all);
    if (all != NULL) remove_surplus(folder, files, all, look_at(folder, files, entries, (size_t)listed, all));
    free(all);
    for (int k = 0; k < listed; k++) free(entries[k]);
    free(entries);
}

int cache_folder_open(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

bool cache_folder_note_use(const char *path) {
    const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
    return utimensat(AT_FDCWD, path, now, 0) == 0;
}
