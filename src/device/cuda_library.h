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

/** Several GPUs of one process; numbers are as cudaGetDevice counts. */
typedef struct cuda_peers {
    /** Makes a GPU current, and says which one was; and that one again. RIFFLE_ERROR_INVALID_ARGUMENT for a number that none has. */
    riffle_status (*use)(int number, int *before);
    void (*use_again)(int before);
    /** Says whether kernels of `from` can access the memory of `to`. */
    riffle_status (*can_access)(int from, int to, bool *out);
    /** Has kernels of `from`, which is current, access the memory of `to`. RIFFLE_ERROR_UNSUPPORTED, with what to do, where they cannot. */
    riffle_status (*open)(int from, int to);
    /** RIFFLE_ERROR_INVALID_ARGUMENT, with `what` ("dst") and the part's number, where memory is not that GPU's. */
    riffle_status (*check_memory)(int number, const char *what, unsigned part, const void *at);
    /** Queues a copy between the memories of two GPUs, or within one's, through the host where there is no access. */
    riffle_status (*copy)(void *dst, int to, const void *src, int from, size_t bytes,
                          struct CUstream_st *stream);
    /** An event of the current GPU; destroying NULL does nothing. */
    riffle_status (*create_event)(struct CUevent_st **out);
    void (*destroy_event)(struct CUevent_st *event);
    /** A stream of the current GPU that waits for no other, and whose blocks are placed before those of streams without a priority; destroying NULL does
     *  nothing, and what a stream has is done before. */
    riffle_status (*create_stream)(struct CUstream_st **out);
    void (*destroy_stream)(struct CUstream_st *stream);
    /** The event is when all that the stream, of the current GPU, has by now is done; another stream waits for that. */
    riffle_status (*record)(struct CUevent_st *event, struct CUstream_st *stream);
    riffle_status (*wait)(struct CUstream_st *stream, struct CUevent_st *event);
} cuda_peers;

typedef struct cuda_library {
    library_head head;
    riffle_status (*current)(device *out); /**< device_of_cuda */
    riffle_status (*describe)(riffle_cuda_device *out);
    /** Queues a list on the default stream, waits, and says how long the GPU took for it. */
    riffle_status (*time)(const device *d, const char *what, const launch_list *list, double *seconds);
    const struct cuda_steps *steps;
    const cuda_peers *peers;
    const riffle_cuda_memory *memory;
} cuda_library;

/** The one symbol of libriffle-cuda. */
extern const cuda_library riffle_cuda_library LIBRARY_SYMBOL;

/** Loads the library. RIFFLE_ERROR_UNSUPPORTED, with what to install, where there is none. */
riffle_status cuda_library_find(const cuda_library **out);

/** The library of who has a GPU as a device: it is loaded. */
const cuda_library *cuda_library_loaded(void);

#endif
