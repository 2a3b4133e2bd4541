/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole program in the place of one kernel: its main is called, and an exit or a crash of host code, on any of its threads, is
 * the program's end and not the process's.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "host_api.h"

extern "C" {
extern machine_host_api riffle_lint_host;
extern void *__dso_handle;
void __cxa_finalize(void *);
int main(int, char **);

static volatile bool runs;

static bool in_host_code() { return runs && !riffle_lint_host.in_kernel(); }

/* What has been counted is reported also where host code crashes. */
static void crash(int number) {
    if (in_host_code()) riffle_lint_host.end(128 + number);
    signal(number, SIG_DFL);
    raise(number);
}

/* What riffle does where a kernel divides by zero. */
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

int riffle_lint_run_main(int argc, char **argv) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT};
    runs = true;
    for (int number : crashes) signal(number, crash);
    watch_division();
    forget_options();
    const int status = main(argc, argv);
    __cxa_finalize(__dso_handle); /* what atexit and static variables have to do */
    for (int number : crashes) signal(number, SIG_DFL);
    sigaction(SIGFPE, &division, nullptr);
    runs = false;
    return status;
}

/* A kernel cannot end the program; what it tries is reported as it is of a kernel alone. */
void exit(int status) noexcept {
    if (!in_host_code()) _exit(status);
    __cxa_finalize(__dso_handle);
    fflush(nullptr);
    riffle_lint_host.end(status);
    __builtin_unreachable();
}
}
