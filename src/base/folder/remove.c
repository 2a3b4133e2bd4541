/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* struct dirent64 */
#include "base/folder/remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_LEVELS = 16, ROOM = 4096 };

static bool is_itself(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/* Removes what is listed, and returns how much of it went; readdir would want memory. */
static unsigned remove_listed(int folder, unsigned levels);

static void empty(int parent, const char *name, unsigned levels) {
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    while (remove_listed(folder, levels) > 0) lseek(folder, 0, SEEK_SET);
    close(folder);
}

static bool remove_one(int folder, const char *name, unsigned levels) {
    if (unlinkat(folder, name, 0) == 0) return true;
    if (levels == 0) return false;
    empty(folder, name, levels - 1);
    return unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

static unsigned remove_listed(int folder, unsigned levels) {
    _Alignas(struct dirent64) char room[ROOM];
    unsigned removed = 0;
    for (long used; (used = syscall(SYS_getdents64, folder, room, sizeof room)) > 0;) {
        for (long at = 0; at < used;) {
            const struct dirent64 *const entry = (const struct dirent64 *)(room + at);
            if (!is_itself(entry->d_name)) removed += remove_one(folder, entry->d_name, levels);
            at += entry->d_reclen;
        }
    }
    return removed;
}

bool remove_tree(const char *folder) {
    empty(AT_FDCWD, folder, MOST_LEVELS);
    return unlinkat(AT_FDCWD, folder, AT_REMOVEDIR) == 0 || errno == ENOENT;
}
