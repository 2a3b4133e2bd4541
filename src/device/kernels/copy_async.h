/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of 4, 8 or 16 bytes from global to shared memory by way of no register, which a thread need not wait for. WAIT_FOR_COPIES waits for all
 * of the thread's; WAIT_FOR_COPIES_BUT for all but those that were begun since it was called so many times before.
 */
#ifndef RIFFLE_DEVICE_KERNELS_COPY_ASYNC_H
#define RIFFLE_DEVICE_KERNELS_COPY_ASYNC_H

#include "device/kernels/device.h"

#ifdef __CUDACC__
#include <cuda_pipeline_primitives.h>
#define COPY_ASYNC(to, from) __pipeline_memcpy_async(to, from, sizeof *(to))
#define WAIT_FOR_COPIES() (__pipeline_commit(), __pipeline_wait_prior(0))
#define WAIT_FOR_COPIES_BUT(last) (__pipeline_commit(), __pipeline_wait_prior(last))
#else
#define COPY_ASYNC(to, from) (*(to) = *(from))
#define WAIT_FOR_COPIES() ((void)0)
#define WAIT_FOR_COPIES_BUT(last) ((void)0)
#endif

#endif
