/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* asprintf */
#include "arrays/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file limit that is met is an error then, as a full disk is, and no signal. */
static bool write_all(int fd, const char *text, size_t bytes) {
    void (*const before)(int) = signal(SIGXFSZ, SIG_IGN);
    bool works = true;
    while (works && bytes > 0) {
        const ssize_t written = write(fd, text, bytes);
        works = written >= 0 || errno == EINTR;
        if (written > 0) {
            text += written;
            bytes -= (size_t)written;
        }
    }
    signal(SIGXFSZ, before);
    return works;
}

/* Closes it too; the first error is the one that counts. */
static bool end_writing(int fd, bool works) {
    const int reason = errno;
    const bool is_closed = close(fd) == 0;
    if (!works) errno = reason;
    return works && is_closed;
}

static bool write_itself(const char *path, const char *text, size_t bytes) {
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && end_writing(fd, write_all(fd, text, bytes));
}

/* Whoever may not give files away may still be of the group. */
static bool keep_owner(int fd, const struct stat *old) {
    struct stat file;
    if (fstat(fd, &file) != 0) return false;
    if (file.st_uid == old->st_uid && file.st_gid == old->st_gid) return true;
    if (fchown(fd, old->st_uid, old->st_gid) == 0) return true;
    return fchown(fd, (uid_t)-1, old->st_gid) == 0 && file.st_uid == old->st_uid;
}

static bool take_over(int fd, const struct stat *old, bool *changes_owner) {
    if (fchmod(fd, old->st_mode & 0777) != 0) return false;
    *changes_owner = !keep_owner(fd, old);
    return true;
}

/* Made as any program makes a file, so that umask and the folder's default ACL apply. */
static int create_beside(const char *path, char **aside) {
    const char *const slash = strrchr(path, '/'), *const name = slash == NULL ? path : slash + 1;
    unsigned noise;
    if (getrandom(&noise, sizeof noise, 0) != (ssize_t)sizeof noise) return -1;
    if (asprintf(aside, "%.*s.%.200s.riffle-%08x", (int)(name - path), path, name, noise) < 0) {
        *aside = NULL;
        return -1;
    }
    return open(*aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* `old` is what is there now, or NULL. */
static bool replace_by_rename(const char *path, const struct stat *old, const char *text, size_t bytes,
                              bool *changes_owner) {
    char *aside = NULL;
    const int fd = create_beside(path, &aside);
    bool works = fd >= 0;
    if (works) {
        works =
            (old == NULL || take_over(fd, old, changes_owner)) && write_all(fd, text, bytes) && fsync(fd) == 0;
        works = end_writing(fd, works) && rename(aside, path) == 0;
        const int reason = errno;
        if (!works) unlink(aside);
        errno = reason;
    }
    free(aside);
    return works;
}

bool replace_file(const char *path, const char *text, size_t bytes, bool *changes_owner) {
    struct stat old, link;
    *changes_owner = false;
    const bool is_there = stat(path, &old) == 0;
    if (is_there && !S_ISREG(old.st_mode)) return write_itself(path, text, bytes);
    const bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    char *const real = is_link ? realpath(path, NULL) : strdup(path);
    if (real == NULL) return false;
    const bool works = replace_by_rename(real, is_there ? &old : NULL, text, bytes, changes_owner);
    free(real);
    return works;
}
