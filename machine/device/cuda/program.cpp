/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole program in the place of one kernel: its main is called, and an exit or a crash of host code, on any of its threads, is
 * the program's end and not the process's.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host_api.h"

extern "C" {
extern machine_host_api riffle_lint_host;
extern void *__dso_handle;
void __cxa_finalize(void *);
int main(int, char **);
}

namespace riffle_lint { /* so that its variables are told from the program's */
static volatile bool runs;
static pid_t process;
static pthread_t thread; /* main's */

static bool in_host_code() { return runs && !riffle_lint_host.in_kernel(); }

/* Riffle's own thread, which writes the report, or the only one of a process that the program has forked. */
static bool is_first_thread() { return syscall(SYS_gettid) == getpid(); }

static void die(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

/* Reports the counts also where host code crashes. */
static void crash(int number) {
    if (in_host_code() && !is_first_thread()) riffle_lint_host.end(128 + number);
    die(number);
}

/* And where a signal ends the program that may come to any thread of the process: main's takes it, but only once. */
static void stopped(int number) {
    static volatile sig_atomic_t once;
    const bool is_forked = getpid() != process;
    if (is_forked || once > 0 || !in_host_code()) return die(number);
    if (is_first_thread()) {
        pthread_kill(thread, number);
    } else {
        once = 1;
        riffle_lint_host.end(128 + number);
    }
}

/* The program's own handlers come later; what was ignored stays so. */
static void watch(int number, void (*handler)(int)) {
    struct sigaction ours = {}, before;
    ours.sa_handler = handler;
    ours.sa_flags = SA_ONSTACK | SA_NODEFER;
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &ours, nullptr);
}

/* A stack for the handlers, since a crash may be that there is no more of the other. */
static void set_stack() {
    static char bytes[1 << 16];
    stack_t other = {};
    if (sigaltstack(nullptr, &other) != 0 || (other.ss_flags & SS_DISABLE) == 0) return; /* a sanitizer's */
    other.ss_sp = bytes;
    other.ss_size = sizeof bytes;
    other.ss_flags = 0;
    sigaltstack(&other, nullptr);
}

/* riffle's handler for a kernel's division by zero. */
static struct sigaction division;

static void divided(int number, siginfo_t *info, void *context) {
    if (!in_host_code() && (division.sa_flags & SA_SIGINFO) != 0)
        division.sa_sigaction(number, info, context);
    else
        crash(number);
}

static void watch_division() {
    struct sigaction ours = {};
    ours.sa_sigaction = divided;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGFPE, &ours, &division);
}

/* riffle has read its own command line with the same functions: a program's begins anew. */
static void forget_options() {
    static char name[] = "";
    char *words[] = {name, nullptr};
    optind = 0;
    opterr = 1;
    getopt(1, words, "");
}

} // namespace riffle_lint

using namespace riffle_lint;

extern "C" {
int riffle_lint_run_main(int argc, char **argv) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGPIPE};
    static const int stops[] = {SIGTERM, SIGALRM, SIGUSR1, SIGUSR2};
    runs = true;
    process = getpid();
    thread = pthread_self();
    set_stack();
    for (int number : crashes) watch(number, crash);
    for (int number : stops) watch(number, stopped);
    watch_division();
    forget_options();
    const int status = main(argc, argv);
    __cxa_finalize(__dso_handle); /* runs atexit's functions and destructors of static variables */
    for (int number : crashes) signal(number, SIG_DFL);
    for (int number : stops) signal(number, SIG_DFL);
    sigaction(SIGFPE, &division, nullptr);
    runs = false;
    return status;
}

/* A kernel cannot end the program; what it tries is reported as it is of a kernel alone. */
void exit(int status) noexcept {
    if (!in_host_code()) _exit(status);
    __cxa_finalize(__dso_handle);
    fflush(nullptr);
    _exit(status);
}

void _exit(int status) {
    if (in_host_code()) riffle_lint_host.end(status);
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

void _Exit(int status) noexcept { _exit(status); }

/* Without at_quick_exit's functions. */
void quick_exit(int status) noexcept { _exit(status); }
}
