/* SPDX-License-Identifier: Apache-2.0
 *
 * Where CUDA's own headers of CUB, Thrust and libcu++ (CCCL) are, if they are installed: nothing else of a toolkit's is compiled.
 */
#ifndef RIFFLE_MACHINE_LINT_COMPILER_TOOLKIT_H
#define RIFFLE_MACHINE_LINT_COMPILER_TOOLKIT_H

#include <limits.h>
#include <stdbool.h>

#include "riffle/machine.h"

/** The folder that has cub/, thrust/ and cuda/std/: that of the toolkit whose nvcc --nvcc names; else of $CUDA_HOME or $CUDA_PATH, if one
 *  is set; else of the nvcc on PATH, or of /usr/local/cuda. False if there is none. */
bool toolkit_find_cccl(const riffle_lint_job *job, char out[static PATH_MAX]);

#endif
