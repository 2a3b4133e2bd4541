/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda/capture.h"

#include "base/status.h"
#include "device/cuda/runtime.h"

/* For the default stream, CUDA reports a capture of a stream that waits for it as an error. */
riffle_status capture_has(cudaStream_t stream, bool *out) {
    enum cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
    const cudaError_t error = cudaStreamIsCapturing(stream, &state);
    *out = error == cudaErrorStreamCaptureImplicit || state != cudaStreamCaptureStatusNone;
    if (error != cudaErrorStreamCaptureImplicit)
        return cuda_result(error, "asking whether a stream is captured");
    cudaGetLastError(); /* an answer, and none of the caller's errors */
    return RIFFLE_OK;
}

void capture_pass_by_quietly(enum cudaStreamCaptureMode *before) {
    *before = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(before);
}

riffle_status capture_pass_by(const char *what, cudaStream_t stream, enum cudaStreamCaptureMode *before) {
    bool is_own = false, is_blocking = false;
    riffle_status status = stream != NULL ? capture_has(stream, &is_own) : RIFFLE_OK;
    if (status == RIFFLE_OK) status = capture_has(NULL, &is_blocking);
    if (status != RIFFLE_OK) return status;
    if (is_own || is_blocking) {
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "%s allocates and waits, and %s is being captured into a graph; do it before the capture begins",
            what, is_own ? "its stream" : "a stream that waits for the default stream");
    }
    capture_pass_by_quietly(before);
    return RIFFLE_OK;
}

void capture_leave(enum cudaStreamCaptureMode before) { cudaThreadExchangeStreamCaptureMode(&before); }
