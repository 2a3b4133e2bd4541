/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* prctl, syscall, __WALL */
#include "base/folder/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/folder/remove.h"
#include "base/status.h"

/* ---------------------------------------------------------------- the keeper's life */

/* It was cloned from a process that may have threads, so that only what is safe in a signal's handler is safe here. */

/* Files that the parent closes while a compiler runs are closed then: a pipe's reader is not kept waiting. */
static void close_files(void) {
#ifdef SYS_close_range
    syscall(SYS_close_range, 0U, ~0U, 0U);
#endif
}

/* A compiler may write there until it is gone; in a folder that is removed it cannot. */
static void end_all(const char *folder) {
    enum { MOST_TRIES = 200 };
    const struct timespec moment = {.tv_nsec = 5000000};
    kill(0, SIGTERM); /* a compiler that listens removes files of its own; here it is blocked */
    for (int k = 0; k < MOST_TRIES && !remove_tree(folder); k++) nanosleep(&moment, NULL);
    kill(0, SIGKILL);
}

static _Noreturn void keep(const char *folder, pid_t parent) {
    sigset_t end;
    int number;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    close_files();
    if (getppid() == parent) sigwait(&end, &number);
    end_all(folder);
    _exit(EXIT_FAILURE); /* not reached */
}

/* ---------------------------------------------------------------------- the interface */

/* A process without a signal at its end. Emulators of user programs have none, but forks. */
static long clone_quietly(void) {
    const long child = syscall(SYS_clone, 0UL, NULL, NULL, NULL, 0UL);
    return child >= 0 || errno != EINVAL ? child
                                         : syscall(SYS_clone, (unsigned long)SIGCHLD, NULL, NULL, NULL, 0UL);
}

riffle_status keeper_start(const char *folder, pid_t *keeper) {
    const pid_t parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* a handler of the host's is for the host */
    const long child = clone_quietly();
    const int error = errno;
    if (child == 0) keep(folder, parent);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child < 0)
        return fail(RIFFLE_ERROR_IO,
                    "no process can be started beside a compiler: %s; raise the limit of processes (ulimit -u)",
                    strerror(error));
    *keeper = (pid_t)child;
    setpgid(*keeper, *keeper); /* whoever of the two is first */
    return RIFFLE_OK;
}

void keeper_end(pid_t keeper) {
    kill(-keeper, SIGKILL);
    while (waitpid(keeper, NULL, __WALL) < 0 && errno == EINTR) {
    }
}
