/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole program in the place of one kernel: its main is called, and an exit or a crash of the host's comes back from there.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "host_api.h"

extern "C" {
extern machine_host_api riffle_lint_host;
int main(int, char **);

static sigjmp_buf at_end;
static int end_status;
static bool runs;

static bool in_host_code() { return runs && !riffle_lint_host.in_kernel(); }
static void leave_main(int status) {
    end_status = status;
    siglongjmp(at_end, 1);
}

/* What has been counted is reported also where host code crashes. */
static void crash(int number) {
    if (in_host_code()) leave_main(128 + number);
    signal(number, SIG_DFL);
    raise(number);
}

int riffle_lint_run_main(int argc, char **argv) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    runs = true;
    for (int number : crashes) signal(number, crash);
    if (sigsetjmp(at_end, 1) == 0) end_status = main(argc, argv);
    for (int number : crashes) signal(number, SIG_DFL);
    runs = false;
    return end_status;
}

/* A kernel cannot end the program; what it tries is reported as it is of a kernel alone. */
void exit(int status) noexcept {
    if (!in_host_code()) _exit(status);
    leave_main(status);
    __builtin_unreachable();
}
}
