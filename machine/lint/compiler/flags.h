/* SPDX-License-Identifier: Apache-2.0
 *
 * The flags of each step: the machine's own, the standard that is asked for, and the user's -I, -D and -arch.
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_FLAGS_H
#define RIFFLE_MACHINE_LINT_COMPILER_FLAGS_H

#include "machine/lint/compiler/compiler.h"

/** RIFFLE_ERROR_UNSUPPORTED for a standard that nvcc has not, and for a GPU, by -arch or its macros, that the machine is no model of. */
riffle_status flags_check(const riffle_lint_job *job);

/** The standard, and what keeps accesses as they are written. */
void flags_add_code(compiler_line *line, const riffle_lint_job *job);

/** The same, of one of the two compilers. */
void flags_add_compilers(compiler_line *line, bool is_clang);

/** What makes LLVM's text of a kernel short and its indices plain; for clang alone. */
void flags_add_forms(compiler_line *line, const riffle_lint_job *job);

void flags_add_link(compiler_line *line);

/** All of the user's but the macros that the source file defines, and what is for the linker; of -arch its macros. */
void flags_add_users(compiler_line *line, const riffle_lint_job *job);

/** True if the user says for which GPU code is compiled, by -arch or by __CUDA_ARCH__. */
bool flags_have_architecture(const riffle_lint_job *job);

/** The user's -l and -L, but for libraries of CUDA's that the machine supplies. */
void flags_add_libraries(compiler_line *line, const riffle_lint_job *job);

/** The NAME=VALUE of flag k if it is for the source file, else NULL; *words: how many flags it takes. */
const char *flags_users_macro(const riffle_lint_job *job, size_t k, size_t *words);

#endif
