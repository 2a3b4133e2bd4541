/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, sigaltstack */
#include "system/signal_stack.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

enum { BYTES = 1 << 16 }; /* the registers that the system saves take up to 12 KiB */

void signal_stack_make(void) {
    stack_t stack = {.ss_size = BYTES}, now;
    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
    stack.ss_sp = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp == MAP_FAILED) return;
    if (sigaltstack(&stack, NULL) != 0) munmap(stack.ss_sp, BYTES);
}
