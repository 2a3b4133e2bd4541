/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes one sentence of a compiler's output: its first error, with the user's file and line.
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_MESSAGES_H
#define RIFFLE_MACHINE_LINT_COMPILER_MESSAGES_H

#include <stdbool.h>

#include "machine/lint/source/unused_bodies.h"
#include "riffle/machine.h"

/** The name that the compiler knows the code by that calls the kernel. */
#define LINT_ENTRY_FILE "riffle-lint-kernel"

/** How a header that stands for one that there is not says so; its name in quotes follows. */
#define LINT_LACKS "riffle lacks"

/** Fails with RIFFLE_ERROR_FORMAT. `path` is the file's name as the compiler saw it, `shown` as the user wrote it; `messages` is
 *  changed. */
riffle_status lint_fail_compile(const riffle_lint_job *job, const char *path, const char *shown,
                                const char *folder, char *messages);

/** True if what the compiler says is that it has not found a header of CUB's, Thrust's or libcu++'s. */
bool lint_lacks_cccl(const char *messages);

/** The places of errors that a compiler found in templates as they are written, 64 at most; it cuts `messages` up. 0 if one is of what is
 *  instantiated, or is a fatal one. */
size_t lint_error_places(char *messages, lint_place places[static 64]);

#endif
