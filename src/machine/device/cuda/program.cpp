/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole program in the place of one kernel: its main is called, and an exit of the host's comes back from there.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

#include "host_api.h"

extern "C" {
machine_host_api riffle_lint_host;
int main(int, char **);

static jmp_buf at_end;
static int end_status;
static bool runs;

int riffle_lint_run_main(int argc, char **argv) {
    runs = true;
    if (setjmp(at_end) == 0) end_status = main(argc, argv);
    runs = false;
    return end_status;
}

/* A kernel cannot end the program; what it tries is reported as it is of a kernel alone. */
void exit(int status) noexcept {
    if (!runs || riffle_lint_host.in_kernel()) _exit(status);
    end_status = status;
    longjmp(at_end, 1);
}
}
