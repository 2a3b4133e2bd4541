/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams that are being captured into a graph, while a function allocates, frees or waits. CUDA counts such calls as
 * unsafe: made by a thread in the usual mode they fail and end the captures of other streams too. In the relaxed mode
 * they harm no capture but one of the streams that they use, and the default stream's waiting is part of every blocking
 * stream.
 */
#ifndef RIFFLE_DEVICE_CUDA_CAPTURE_H
#define RIFFLE_DEVICE_CUDA_CAPTURE_H

#include <cuda_runtime_api.h>

#include "riffle.h"

/** Says whether the stream is being captured; of the default stream, whether one is that waits for it. */
riffle_status capture_has(cudaStream_t stream, bool *out);

/** Puts the thread into the relaxed mode, and *before gets the mode that it was in, for capture_leave. Before that,
 *  RIFFLE_ERROR_INVALID_ARGUMENT, which says that `what` ("planning") cannot be captured, if `stream` is being captured, or
 *  one that waits for the default stream: no capture is harmed. May be nested. */
riffle_status capture_pass_by(const char *what, cudaStream_t stream, enum cudaStreamCaptureMode *before);

/** The same for who only gives memory back, and has nothing to say where that is refused. */
void capture_pass_by_quietly(enum cudaStreamCaptureMode *before);

void capture_leave(enum cudaStreamCaptureMode before);

#endif
