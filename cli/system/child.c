/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* mkdtemp, nftw, pipe2, sigtimedwait */
#include "system/child.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frame/exit.h"
#include "frame/message.h"
#include "system/children.h"

enum { EXIT_NO_SYMBOL = 127 /* exit status of the dynamic linker */, LAST_WORDS_SECONDS = 10 };

/* The last bytes that the child sends. Its exit status says nothing, since a kernel may call exit. */
static const char token[] = "done";

/* ---- the child's folder */

static bool make_folder(char *path, size_t capacity) {
    const char *place = getenv("TMPDIR");
    if (place == NULL || *place == '\0') place = "/tmp";
    if (snprintf(path, capacity, "%s/riffle-XXXXXX", place) < (int)capacity && mkdtemp(path) != NULL)
        return true;
    complain("%s: no folder can be made there: %s; set TMPDIR to a place for temporary files", place,
             strerror(errno));
    return false;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

/* ---- how a child ends */

static const char *reason_of(int signal_number) {
    switch (signal_number) {
    case SIGSEGV:
    case SIGBUS: return "it used an address that is no memory, or called itself without end";
    case SIGFPE: return "an integer was divided by zero";
    case SIGILL: return "it came to code that cannot be executed";
    case SIGABRT:
        return "it stopped itself, by a failed assert, abort, __trap or an exception (device code cannot "
               "throw)";
    case SIGKILL: return "it was killed, perhaps for want of memory; use smaller arrays";
    default: return NULL;
    }
}

static bool has_token(int pipe_end) {
    char sent[sizeof token];
    return read(pipe_end, sent, sizeof sent) == (ssize_t)sizeof sent && memcmp(sent, token, sizeof token) == 0;
}

static int explain_exit(const char *place, const char *what, int exit_status, bool done) {
    if (done) return exit_status;
    if (exit_status == EXIT_NO_SYMBOL)
        complain("%s: the %s calls a function that its file does not define; define it there", place, what);
    else
        complain("%s: the %s ended the process, with status %d; device code cannot call exit", place, what,
                 exit_status);
    return EXIT_FAILED;
}

static int explain_end(const char *place, const char *what, int wait_status, bool done) {
    if (WIFEXITED(wait_status)) return explain_exit(place, what, WEXITSTATUS(wait_status), done);
    const int number = WTERMSIG(wait_status);
    const char *reason = reason_of(number);
    if (reason == NULL) return -number; /* a closed pipe, say: not ours to explain */
    complain("%s: the %s crashed: %s", place, what, reason);
    return EXIT_FAILED;
}

/* ---- watching it */

static sigset_t watched_signals(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; ++k) {
        struct sigaction before;
        if (sigaction(signals[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaddset(&watched, signals[k]);
    }
    return watched;
}

static struct timespec time_left(const struct timespec *deadline) {
    struct timespec now, left = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec < deadline->tv_sec) left.tv_sec = deadline->tv_sec - now.tv_sec;
    return left;
}

/* Waits for the child's end, a signal or the deadline; returns the signal, SIGALRM for the deadline. */
static int watch(pid_t child, const sigset_t *watched, unsigned seconds, int *wait_status) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += seconds + LAST_WORDS_SECONDS;
    for (;;) {
        const struct timespec left = time_left(&deadline);
        const int number = sigtimedwait(watched, NULL, &left);
        if (waitpid(child, wait_status, WNOHANG) == child) return SIGCHLD;
        if (number < 0 && errno == EAGAIN && left.tv_sec == 0) return SIGALRM;
        if (number > 0 && number != SIGCHLD) return number;
    }
}

/* Whatever is left of the child's: the compiler, or what a program started. Processes that outlive their parents become this
 * process's children, also where they have left the group. */
static void end_all(pid_t child) {
    kill(-child, SIGKILL);
    children_end(SIGKILL);
}

static void begin_child(const char *folder, const sigset_t *unblocked) {
    signal(SIGBUS, SIG_DFL); /* a kernel's, which outlive() explains */
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("TMPDIR", folder, 1);
    sigprocmask(SIG_SETMASK, unblocked, NULL);
}

static bool leaves_at_once;

void leave_at_once(void) { leaves_at_once = true; }

/* The child's whole life; the token goes out when all that it prints has. */
static _Noreturn void live(const char *folder, const sigset_t *unblocked, int (*work)(void *context),
                           void *context, int pipe_end) {
    begin_child(folder, unblocked);
    int exit_status = work(context);
    fflush(leaves_at_once ? stdout : NULL); /* a thread may hold another stream */
    if (write(pipe_end, token, sizeof token) != (ssize_t)sizeof token) exit_status = EXIT_FAILED;
    if (leaves_at_once) _exit(exit_status);
    exit(exit_status);
}

/* Watches the child to its end, which it explains; -signal if one came that is for this process. */
static int outlive(const char *place, const char *what, pid_t child, const sigset_t *watched, unsigned seconds,
                   int pipe_end) {
    int wait_status = 0;
    const int number = watch(child, watched, seconds, &wait_status);
    end_all(child);
    if (number == SIGCHLD) return explain_end(place, what, wait_status, has_token(pipe_end));
    if (number != SIGALRM) return -number;
    complain("%s: not done after %u seconds; allow more with --timeout", place, seconds);
    return EXIT_FAILED;
}

static int run_in_folder(const char *place, const char *what, int (*work)(void *context), void *context,
                         unsigned seconds, const char *folder) {
    const sigset_t watched = watched_signals();
    sigset_t unblocked;
    int ends[2], result = EXIT_FAILED;
    /* Not blocking: a process that the kernel has started may still hold the other end. */
    const bool piped = pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0;
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigprocmask(SIG_BLOCK, &watched, &unblocked);
    fflush(NULL);
    const pid_t child = piped ? fork() : -1;
    if (child == 0) live(folder, &unblocked, work, context, ends[1]);
    if (child < 0) complain("%s: no process can be started: %s", place, strerror(errno));
    if (piped) close(ends[1]);
    if (child > 0) result = outlive(place, what, child, &watched, seconds, ends[0]);
    if (piped) close(ends[0]);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    sigprocmask(SIG_SETMASK, &unblocked, NULL);
    return result;
}

int run_child(const char *place, const char *what, int (*work)(void *context), void *context,
              unsigned seconds) {
    char folder[4096];
    if (!make_folder(folder, sizeof folder)) return EXIT_FAILED;
    const int result = run_in_folder(place, what, work, context, seconds, folder);
    if (result >= 0) return result;
    raise(-result);
    return EXIT_FAILED;
}
