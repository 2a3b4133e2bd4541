/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda/memory.h"

#include <assert.h>
#include <string.h>

#include "base/status.h"
#include "device/cuda/capture.h"
#include "device/cuda/runtime.h"

static riffle_status identify(unsigned char *uuid) {
    int number;
    struct cudaDeviceProp is;
    riffle_status status = cuda_device_current(&number);
    if (status == RIFFLE_OK)
        status = cuda_result(cudaGetDeviceProperties(&is, number), "asking which GPU it is");
    if (status == RIFFLE_OK) memcpy(uuid, is.uuid.bytes, sizeof is.uuid.bytes);
    return status;
}

riffle_status cuda_memory_check(int number, const char *what, const void *at) {
    struct cudaPointerAttributes is;
    const riffle_status status = cuda_result(cudaPointerGetAttributes(&is, at), "asking whose memory it is");
    if (status != RIFFLE_OK || is.type == cudaMemoryTypeManaged) return status;
    if (is.type != cudaMemoryTypeDevice)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is not in a GPU's memory; it belongs in that of GPU %d",
                    what, number);
    if (is.device == number) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is in the memory of GPU %d, and belongs in that of GPU %d",
                what, is.device, number);
}

static riffle_status check(const char *what, const void *at) {
    int number;
    const riffle_status status = cuda_device_current(&number);
    return status == RIFFLE_OK ? cuda_memory_check(number, what, at) : status;
}

static riffle_status allocate(const char *what, size_t bytes, void **out) {
    enum cudaStreamCaptureMode before;
    capture_pass_by_quietly(&before);
    const riffle_status status = cuda_allocate(what, bytes, out);
    capture_leave(before);
    return status;
}

static void release(void *at) {
    enum cudaStreamCaptureMode before;
    capture_pass_by_quietly(&before);
    cudaFree(at);
    capture_leave(before);
}

static riffle_status allocate_pinned(const char *what, size_t bytes, void **out) {
    enum cudaStreamCaptureMode before;
    *out = NULL;
    if (bytes == 0) return RIFFLE_OK;
    capture_pass_by_quietly(&before);
    const cudaError_t error = cudaHostAlloc(out, bytes, cudaHostAllocPortable);
    capture_leave(before);
    if (error != cudaErrorMemoryAllocation) return cuda_result(error, what);
    cudaGetLastError();
    return fail(RIFFLE_ERROR_OUT_OF_MEMORY, "the host has no %zu bytes to pin for %s", bytes, what);
}

static void release_pinned(void *at) {
    enum cudaStreamCaptureMode before;
    capture_pass_by_quietly(&before);
    cudaFreeHost(at);
    capture_leave(before);
}

static riffle_status share(void *at, unsigned char *handle) {
    cudaIpcMemHandle_t out;
    static_assert(sizeof out == RIFFLE_CUDA_HANDLE_BYTES, "a handle is as CUDA has it");
    const riffle_status status = cuda_result(cudaIpcGetMemHandle(&out, at), "sharing memory with other ranks");
    if (status == RIFFLE_OK) memcpy(handle, &out, sizeof out);
    return status;
}

static riffle_status open_shared(const unsigned char *handle, void **out) {
    cudaIpcMemHandle_t from;
    memcpy(&from, handle, sizeof from);
    return cuda_result(cudaIpcOpenMemHandle(out, from, cudaIpcMemLazyEnablePeerAccess),
                       "opening the memory of another rank's GPU");
}

static void close_shared(void *at) { cudaIpcCloseMemHandle(at); }

static riffle_status copy(void *to, const void *from, size_t bytes, struct CUstream_st *stream) {
    if (bytes == 0) return RIFFLE_OK;
    return cuda_result(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream),
                       "copying a rank's elements");
}

riffle_status cuda_create_event(struct CUevent_st **out) {
    return cuda_result(cudaEventCreateWithFlags(out, cudaEventDisableTiming), "creating an event");
}

void cuda_destroy_event(struct CUevent_st *event) {
    if (event != NULL) cudaEventDestroy(event);
}

riffle_status cuda_record(struct CUevent_st *event, struct CUstream_st *stream) {
    return cuda_result(cudaEventRecord(event, stream), "recording an event");
}

static riffle_status query(struct CUevent_st *event, bool *done) {
    const cudaError_t error = cudaEventQuery(event);
    *done = error == cudaSuccess;
    if (error != cudaErrorNotReady) return cuda_result(error, "what was queued");
    cudaGetLastError(); /* an answer, and none of the caller's errors */
    return RIFFLE_OK;
}

static riffle_status wait_for(struct CUevent_st *event) {
    return cuda_result(cudaEventSynchronize(event), "what was queued");
}

const riffle_cuda_memory cuda_memory_here = {.identify = identify,
                                             .check = check,
                                             .allocate = allocate,
                                             .release = release,
                                             .allocate_pinned = allocate_pinned,
                                             .release_pinned = release_pinned,
                                             .share = share,
                                             .open = open_shared,
                                             .close = close_shared,
                                             .copy = copy,
                                             .create_event = cuda_create_event,
                                             .destroy_event = cuda_destroy_event,
                                             .record = cuda_record,
                                             .query = query,
                                             .wait = wait_for};
