/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel with what the user wrote (engines/nvrtc/own.h), loaded.
 */
#ifndef RIFFLE_ENGINES_CUDA_OWN_H
#define RIFFLE_ENGINES_CUDA_OWN_H

#include <cuda_runtime_api.h>

#include "device/launch.h"
#include "engines/nvrtc/nvrtc.h"

typedef struct cuda_own {
    cudaLibrary_t library; /**< NULL: there is none */
    users_kernel kernel;
} cuda_own;

/** The kernel for launches, or NULL. */
static inline const users_kernel *cuda_own_kernel(const cuda_own *own) {
    return own->library != NULL ? &own->kernel : NULL;
}

/** Loads the code, which is one kernel, and frees it. */
riffle_status cuda_own_load(nvrtc_code *code, cuda_own *out);

/** Does nothing where there is none, and harms no capture. */
void cuda_own_unload(cuda_own *own);

#endif
