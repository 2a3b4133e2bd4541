/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that libriffle-cuda exports: a GPU as a device, which knows lists of launches and no plan, and the steps that GPUs plan with.
 */
#ifndef RIFFLE_DEVICE_CUDA_LIBRARY_H
#define RIFFLE_DEVICE_CUDA_LIBRARY_H

#include "base/library.h"
#include "device/device.h"
#include "riffle/cuda.h"

/** The steps of planning (move/cuda/steps.h). */
struct cuda_steps;
extern const struct cuda_steps cuda_steps_here;

typedef struct cuda_library {
    library_head head;
    riffle_status (*current)(device *out); /**< device_of_cuda */
    riffle_status (*describe)(riffle_cuda_device *out);
    /** Queues a list on the default stream, waits, and says how long the GPU took for it. */
    riffle_status (*time)(const device *d, const char *what, const launch_list *list, double *seconds);
    const struct cuda_steps *steps;
} cuda_library;

/** The one symbol of libriffle-cuda. */
extern const cuda_library riffle_cuda_library LIBRARY_SYMBOL;

/** Loads the library. RIFFLE_ERROR_UNSUPPORTED, with what to install, where there is none. */
riffle_status cuda_library_find(const cuda_library **out);

/** The library of who has a GPU as a device: it is loaded. */
const cuda_library *cuda_library_loaded(void);

#endif
