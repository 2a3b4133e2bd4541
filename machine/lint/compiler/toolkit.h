/* SPDX-License-Identifier: Apache-2.0
 *
 * Where CUDA's own headers are, if they are installed: those of CUB, Thrust and libcu++ (CCCL), and those of libraries that the machine has not. Nothing
 * else of a toolkit's is compiled.
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_TOOLKIT_H
#define RIFFLE_MACHINE_LINT_COMPILER_TOOLKIT_H

#include <limits.h>
#include <stdbool.h>

#include "riffle/machine.h"

/** The folder that has cub/, thrust/ and cuda/std/: that of the toolkit whose nvcc --nvcc names; else of $CUDA_HOME or $CUDA_PATH, if one
 *  is set; else of the nvcc on PATH, or of /usr/local/cuda. False if there is none. */
bool toolkit_find_cccl(const riffle_lint_job *job, char out[static PATH_MAX]);

/** The folder that has cusparse.h and so on, of the same toolkit. */
bool toolkit_find_headers(const riffle_lint_job *job, char out[static PATH_MAX]);

/** How the names of libraries' headers, functions and files begin of which the machine has nothing. Ends with NULL. */
extern const char *const toolkit_foreign[];

/** True if a name is one of those. */
bool toolkit_is_foreign(const char *name);

#endif
