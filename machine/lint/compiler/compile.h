/* SPDX-License-Identifier: Apache-2.0
 *
 * From a user's file to an object that the machine can run:
 *
 *     FILE.cu + cuda/device.h --preprocess--> kernel.ii --blank launches, compile with hooks--> kernel.s
 *     kernel.s --gaps behind variables, hooks passed over where nobody looks, assemble--> kernel.o
 *     kernel.o + cuda/hooks.cpp + a place for dynamic shared memory --link--> kernel.so
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_COMPILE_H
#define RIFFLE_MACHINE_LINT_COMPILER_COMPILE_H

#include "base/folder/folder.h"
#include "machine/lint/arguments/arguments.h"
#include "riffle/machine.h"

/** The object's name in the folder. */
#define LINT_OBJECT "kernel.so"

enum { LINT_MAX_FILES = 64 };

/** The name of the preprocessed text of all files, one behind the other. */
#define LINT_TEXT "kernel.ii"

/** The name of the file with the constants' names (declarations.h). */
#define LINT_CONSTANTS "constants"

/** Compiles the job's files in the folder, ready to call job->kernel with these arguments. shared_bytes: room for
 *  dynamic shared memory. RIFFLE_ERROR_FORMAT if it does not compile, RIFFLE_ERROR_UNSUPPORTED without a
 *  compiler. */
riffle_status lint_compile(const riffle_lint_job *job, const lint_argument *arguments,
                           const lint_constant *constants, size_t shared_bytes, const private_folder *folder);

/** Has clang write LLVM's text of the job's files, kernel-0.ll and so on in the folder, with all kernels that they define or launch; each
 *  kernel is a function of the section LINT_KERNEL_SECTION. The job's compiler has to be clang. */
riffle_status lint_compile_forms(const riffle_lint_job *job, const private_folder *folder);

#define LINT_KERNEL_SECTION "riffle_kernel"

#endif
