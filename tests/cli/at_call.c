/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into the command: something happens at a call of a function, the first one unless told, and time may stand still.
 *
 *     AT=FUNCTION:signal:NUMBER         fsync, renameat, fallocate, madvise or pthread_create raises a signal and does its work
 *     AT=FUNCTION:signals:NUMBER        it raises the signal twice
 *     AT=FUNCTION:error:NUMBER          fsync, renameat or fallocate does nothing and fails with that error
 *     AT=FUNCTION:truncate:BYTES:PATH   it cuts a file short and does its work
 *     AT=FUNCTION:clear:BYTES:PATH      it makes what is behind that zeros and does its work
 *     AT=FUNCTION:rename:FROM:TO        it renames a file and does its work
 *     AT=FUNCTION:exit                  it ends the process, as libraries do that see no other way
 *     AT=FUNCTION:orphan               it kills the process that started this one, and waits for a signal to end it
 *     AT=FUNCTION:fail                  from then on no thread can be made
 *     AT_CALL_NUMBER=N                  the N-th call is meant
 *     MOST_THREADS=N                    at most N threads can be made at a time
 *     CLOCK_STANDS                      every clock shows the same time
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static bool fails;
static int threads; /* made and not joined; one thread makes them all */

static int failed_with; /* an error that the call is to have */

/* The environment as it was at first: a thread may change it while another asks. */
static const char *at, *at_call_number, *most_threads, *clock_stands;

__attribute__((constructor)) static void read_environment(void) {
    at = getenv("AT");
    at_call_number = getenv("AT_CALL_NUMBER");
    most_threads = getenv("MOST_THREADS");
    clock_stands = getenv("CLOCK_STANDS");
}

static void act(const char *what) {
    if (strncmp(what, "signal:", 7) == 0) raise(atoi(what + 7));
    if (strncmp(what, "signals:", 8) == 0) {
        raise(atoi(what + 8));
        raise(atoi(what + 8));
    }
    if (strncmp(what, "error:", 6) == 0) failed_with = atoi(what + 6);
    if (strcmp(what, "exit") == 0) exit(1);
    if (strcmp(what, "orphan") == 0) {
        if (kill(getppid(), SIGKILL) != 0) abort();
        for (;;) pause();
    }
    if (strcmp(what, "fail") == 0) fails = true;
    if (strncmp(what, "rename:", 7) == 0) {
        const char *const to = strchr(what + 7, ':') + 1;
        char from[256];
        snprintf(from, sizeof from, "%.*s", (int)(to - 1 - (what + 7)), what + 7);
        if (rename(from, to) != 0) abort();
    }
    char *path;
    if (strncmp(what, "truncate:", 9) == 0) {
        const long bytes = strtol(what + 9, &path, 10);
        if (truncate(path + 1, bytes) != 0) abort();
    }
    if (strncmp(what, "clear:", 6) == 0) {
        struct stat file;
        const long bytes = strtol(what + 6, &path, 10);
        if (stat(path + 1, &file) != 0 || truncate(path + 1, bytes) != 0 ||
            truncate(path + 1, file.st_size) != 0)
            abort();
    }
}

static void called(const char *function) {
    static int calls;
    const size_t length = strlen(function);
    if (at == NULL || strncmp(at, function, length) != 0 || at[length] != ':') return;
    if (++calls == (at_call_number != NULL ? atoi(at_call_number) : 1)) act(at + length + 1);
}

/* The same for a function that may be told to fail, with errno set. */
static bool fails_when_called(const char *function) {
    failed_with = 0;
    called(function);
    errno = failed_with;
    return failed_with != 0;
}

/* The function of that name that would have been called without us. */
#define NEXT(function, ...) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))(__VA_ARGS__)

int fsync(int file) {
    if (fails_when_called("fsync")) return -1;
    return NEXT(fsync, file);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    if (fails_when_called("renameat")) return -1;
    return NEXT(renameat, from_folder, from, to_folder, to);
}

int fallocate(int file, int mode, off_t offset, off_t length) {
    if (fails_when_called("fallocate")) return -1;
    return NEXT(fallocate, file, mode, offset, length);
}

int madvise(void *address, size_t length, int advice) {
    called("madvise");
    return NEXT(madvise, address, length, advice);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock_stands == NULL) return NEXT(clock_gettime, clock, now);
    *now = (struct timespec){.tv_sec = 1};
    return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    called("pthread_create");
    if (fails || (most_threads != NULL && threads >= atoi(most_threads))) return EAGAIN;
    threads++;
    return NEXT(pthread_create, thread, attributes, run, argument);
}

int pthread_join(pthread_t thread, void **result) {
    threads--;
    return NEXT(pthread_join, thread, result);
}
