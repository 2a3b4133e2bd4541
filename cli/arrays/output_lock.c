/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* flock, major, minor */
#include "arrays/output_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "system/clock.h"

/* To have it alone for writing, where that is allowed: over a network such a lock wants it. A pipe is not opened, which its other
 * end would notice. */
static int open_file(const char *path, output_lock_kind kind) {
    enum { FLAGS = O_CLOEXEC | O_NOCTTY | O_NONBLOCK };
    struct stat file;
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode)) return -1;
    const int fd = kind == LOCK_ALONE ? open(path, O_RDWR | FLAGS) : -1;
    return fd >= 0 ? fd : open(path, O_RDONLY | FLAGS);
}

static bool is_still(const char *path, int fd) {
    struct stat now, locked;
    return stat(path, &now) == 0 && fstat(fd, &locked) == 0 && now.st_dev == locked.st_dev &&
           now.st_ino == locked.st_ino;
}

/* Who has locked a file, as /proc/locks says ("1: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE 0 EOF", or
 * READ where the lock is shared); 0 if it does not. */
static long find_holder(int fd) {
    struct stat file;
    char line[256];
    long pid = 0, found = 0;
    unsigned of_major, of_minor;
    uintmax_t inode;
    FILE *const locks = fstat(fd, &file) == 0 ? fopen("/proc/locks", "re") : NULL;
    if (locks == NULL) return 0;
    while (found == 0 && fgets(line, sizeof line, locks) != NULL) {
        const bool is_flock =
            sscanf(line, "%*d: FLOCK %*s %*s %ld %x:%x:%ju", &pid, &of_major, &of_minor, &inode) == 4;
        if (is_flock && pid > 0 && inode == file.st_ino && of_major == major(file.st_dev) &&
            of_minor == minor(file.st_dev))
            found = pid;
    }
    fclose(locks);
    return found;
}

/* One attempt. */
static bool try_lock(const char *path, output_lock_kind kind, output_lock *lock, long *holder) {
    const int fd = open_file(path, kind);
    *lock = NO_LOCK;
    if (fd < 0) return true;
    if (flock(fd, (kind == LOCK_ALONE ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) {
        if (is_still(path, fd)) {
            *lock = fd + 1;
            return true;
        }
    } else if (errno != EWOULDBLOCK && errno != EINTR) {
        close(fd);
        return true;
    }
    *holder = find_holder(fd);
    close(fd);
    return false;
}

bool output_lock_take(const char *path, output_lock_kind kind, double seconds, output_lock *lock,
                      long *holder) {
    const struct timespec moment = {.tv_nsec = 10000000};
    const double until = seconds_now() + seconds;
    bool is_done = try_lock(path, kind, lock, holder);
    while (!is_done && seconds_now() < until) {
        nanosleep(&moment, NULL);
        is_done = try_lock(path, kind, lock, holder);
    }
    return is_done;
}

void output_lock_release(output_lock lock) {
    if (lock != NO_LOCK) close(lock - 1);
}
