/* SPDX-License-Identifier: Apache-2.0
 *
 * src/kernels, compiled for GPUs. C's names let the C part of the engine take the kernels' addresses.
 */
#include <cuda_pipeline_primitives.h>

extern "C" {
#include "kernels/families.h"
}
