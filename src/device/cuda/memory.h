/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory, copies and events of the current GPU for transports, which see the public headers alone.
 */
#ifndef RIFFLE_DEVICE_CUDA_MEMORY_H
#define RIFFLE_DEVICE_CUDA_MEMORY_H

#include "device/cuda_library.h"

extern const riffle_cuda_memory cuda_memory_here;

/** RIFFLE_ERROR_INVALID_ARGUMENT, with `what` ("dst[1]"), where memory is not that GPU's. */
riffle_status cuda_memory_check(int number, const char *what, const void *at);

/** Events, of transports and of several GPUs alike. */
riffle_status cuda_create_event(struct CUevent_st **out);
void cuda_destroy_event(struct CUevent_st *event);
riffle_status cuda_record(struct CUevent_st *event, struct CUstream_st *stream);

#endif
