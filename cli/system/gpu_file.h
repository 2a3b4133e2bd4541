/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU in a file: one flat JSON object of riffle_cuda_device's numbers (docs/command.md).
 */
#ifndef RIFFLE_CLI_SYSTEM_GPU_FILE_H
#define RIFFLE_CLI_SYSTEM_GPU_FILE_H

#include <stdbool.h>

#include "riffle/cuda.h"

/** Reads a GPU and its memory's bytes a second, 0 where the file has none; false after a complaint. */
bool gpu_file_read(const char *path, riffle_cuda_device *out, uint64_t *bytes_per_second);

#endif
