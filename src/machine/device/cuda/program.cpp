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

int riffle_lint_run_main(int argc, char **argv) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    runs = true;
    for (int number : crashes) signal(number, crash);
    const int status = main(argc, argv);
    __cxa_finalize(__dso_handle); /* what atexit and static variables have to do */
    for (int number : crashes) signal(number, SIG_DFL);
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
