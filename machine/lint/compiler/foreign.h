/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's libraries that the machine has not (cuDNN, cuSPARSE, cuSOLVER, NCCL, NPP, NVRTC and others): their headers are a toolkit's own, and
 * each of their functions is one that says so when it is called.
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_FOREIGN_H
#define RIFFLE_MACHINE_LINT_COMPILER_FOREIGN_H

#include <stdbool.h>

#include "base/folder/folder.h"
#include "riffle/machine.h"

/** The source of these functions in the folder. */
#define LINT_FOREIGN "foreign.cpp"

/** Has copies of these libraries' headers stand among the machine's, where a toolkit has them. */
riffle_status foreign_copy_headers(const riffle_lint_job *job, const private_folder *folder);

/** Writes the functions of these libraries that the first `objects` files' objects call, if there are some: `*any`. */
riffle_status foreign_write(const private_folder *folder, unsigned objects, bool *any);

#endif
