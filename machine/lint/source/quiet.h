/* SPDX-License-Identifier: Apache-2.0
 *
 * Hooks that are passed over while nobody looks: in host code, and in blocks of a kernel beyond those that are checked; those that tell the
 * path through the code in blocks that are not counted, too.
 *
 *     call __tsan_read4    becomes    testb $1, riffle_lint_seen(%rip) ; je behind it ; call __tsan_read4
 *
 * A call spoils the flags and more, so the compiler expects nothing of them. Volatile accesses and atomics keep their calls: threads that
 * wait for each other's must be given their turn, seen or not (device.c: pass_over).
 */
#ifndef RIFFLE_MACHINE_LINT_SOURCE_QUIET_H
#define RIFFLE_MACHINE_LINT_SOURCE_QUIET_H

#include <stdio.h>

/** Copies assembler text of x86-64. */
void lint_quiet_write(const char *text, FILE *assembler);

#endif
