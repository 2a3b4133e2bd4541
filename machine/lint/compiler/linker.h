/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking: most of what GNU's linker does for a small kernel is to read the names of the C++ and C libraries, a fifth of a run's time. LLVM's
 * takes half of that, where it is on PATH and the compiler's line names no other.
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_LINKER_H
#define RIFFLE_MACHINE_LINT_COMPILER_LINKER_H

#include "machine/lint/compiler/compiler.h"

/** As compiler_run, of a line that links. What LLVM's linker does not link the compiler's own does, or says why not. */
riffle_status linker_run(const riffle_lint_job *job, const compiler_line *line, const char *path,
                         const char *shown, const private_folder *folder);

#endif
