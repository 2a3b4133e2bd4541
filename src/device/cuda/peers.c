/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda/peers.h"

#include <stdio.h>

#include "base/status.h"
#include "device/cuda/capture.h"
#include "device/cuda/memory.h"
#include "device/cuda/runtime.h"

enum { NAME = 32 };

static riffle_status use(int number, int *before) {
    int count = 0;
    riffle_status status = cuda_device_current(before);
    if (status == RIFFLE_OK) status = cuda_result(cudaGetDeviceCount(&count), "counting GPUs");
    if (status != RIFFLE_OK || *before == number) return status;
    if (number < 0 || number >= count)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no GPU %d: this process sees %d", number, count);
    return cuda_result(cudaSetDevice(number), "making a GPU current");
}

static void use_again(int before) { cudaSetDevice(before); }

static riffle_status can_access(int from, int to, bool *out) {
    int can = 0;
    const riffle_status status =
        cuda_result(cudaDeviceCanAccessPeer(&can, from, to), "asking whether GPUs access each other");
    *out = can != 0;
    return status;
}

static riffle_status open_peer(int from, int to) {
    bool can;
    const riffle_status status = can_access(from, to, &can);
    if (status != RIFFLE_OK) return status;
    if (!can)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "GPU %d cannot access the memory of GPU %d: no NVLink or PCIe way is open between them "
                    "(nvidia-smi topo -p2p w shows it); choose other GPUs, or have messages copied "
                    "(RIFFLE_MULTIGPU_TRANSPORT_AUTO or _COPIES)",
                    from, to);
    const cudaError_t error = cudaDeviceEnablePeerAccess(to, 0);
    if (error != cudaErrorPeerAccessAlreadyEnabled)
        return cuda_result(error, "getting access to another GPU's memory");
    cudaGetLastError(); /* it is an answer, not the caller's error */
    return RIFFLE_OK;
}

/* Captures refuse cudaMemcpyPeerAsync. The other copy finds out by itself whose memory it is, which is sure of cudaMalloc's alone where there is no
 * access. */
static riffle_status copy(void *dst, int to, const void *src, int from, size_t bytes,
                          struct CUstream_st *stream) {
    bool is_captured;
    const riffle_status status = capture_has(stream, &is_captured);
    if (status != RIFFLE_OK) return status;
    const cudaError_t error = is_captured ? cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, stream)
                                          : cudaMemcpyPeerAsync(dst, to, src, from, bytes, stream);
    return cuda_result(error, "copying from GPU to GPU");
}

static riffle_status check_memory(int number, const char *what, unsigned part, const void *at) {
    char name[NAME];
    snprintf(name, sizeof name, "%s[%u]", what, part);
    return cuda_memory_check(number, name, at);
}

static riffle_status create_stream(struct CUstream_st **out) {
    int least, greatest;
    const riffle_status status =
        cuda_result(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities of streams");
    if (status != RIFFLE_OK) return status;
    return cuda_result(cudaStreamCreateWithPriority(out, cudaStreamNonBlocking, greatest), "creating a stream");
}

static void destroy_stream(struct CUstream_st *stream) {
    if (stream != NULL) cudaStreamDestroy(stream);
}

static riffle_status wait_for(struct CUstream_st *stream, struct CUevent_st *event) {
    return cuda_result(cudaStreamWaitEvent(stream, event, 0), "having a stream wait for an event");
}

const cuda_peers cuda_peers_here = {.use = use,
                                    .use_again = use_again,
                                    .can_access = can_access,
                                    .open = open_peer,
                                    .copy = copy,
                                    .check_memory = check_memory,
                                    .create_event = cuda_create_event,
                                    .destroy_event = cuda_destroy_event,
                                    .create_stream = create_stream,
                                    .destroy_stream = destroy_stream,
                                    .record = cuda_record,
                                    .wait = wait_for};
