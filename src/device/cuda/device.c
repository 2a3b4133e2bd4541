/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU as a device, by CUDA's run-time library: the one place that launches.
 */
#include "device/device.h"

#include "base/status.h"
#include "device/cuda/capture.h"
#include "device/cuda/compile.h"
#include "device/cuda/runtime.h"
#include "riffle/cuda.h"

enum {
    OLDEST_MAJOR = 8, /* compute capability that the kernels are compiled for at least */
    EARLY_MAJOR = 9,  /* from here on a launch can be made ready before the one before it is done */
};

/* -------------------------------------------------------------- the device */

/* Asks the driver nothing that it has to look up: every call that takes indices comes here. */
static riffle_status describe(const device *d, device_limits *out) {
    riffle_cuda_device gpu;
    int width;
    riffle_status status = cuda_describe(&gpu);
    if (status == RIFFLE_OK)
        status = cuda_device_attribute(d->number, cudaDevAttrWarpSize, "asking what the GPU is", &width);
    if (status != RIFFLE_OK) return status;
    if (gpu.compute_major < OLDEST_MAJOR)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "the cuda engine needs a GPU of compute capability %d.0 or later; device %d has %u.x",
                    OLDEST_MAJOR, d->number, gpu.compute_major);
    *out = (device_limits){.width = (unsigned)width,
                           .block_threads = gpu.block_threads,
                           .multiprocessors = gpu.multiprocessors,
                           .capability = 10 * gpu.compute_major + gpu.compute_minor,
                           .shared_bytes = gpu.shared_bytes,
                           .l2_bytes = gpu.l2_bytes,
                           .memory_bytes = gpu.memory_bytes};
    cudaGetLastError(); /* launches are checked by it: an earlier call's error must not pass for one of theirs */
    return RIFFLE_OK;
}

static riffle_status check(const device *d) {
    int current;
    const riffle_status status = cuda_result(cudaGetDevice(&current), "asking which GPU is current");
    if (status != RIFFLE_OK || current == d->number) return status;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "the plan belongs to GPU %d and GPU %d is current; call cudaSetDevice(%d) first", d->number,
                current, d->number);
}

/* ------------------------------------------------------------------ memory */

static riffle_status allocate(const device *d, const char *what, size_t bytes, void **out) {
    (void)d;
    return cuda_allocate(what, bytes, out);
}

static void release(const device *d, void *start) {
    (void)d;
    cudaFree(start);
}

static riffle_status check_free(const device *d, const char *what, size_t bytes) {
    (void)d;
    return cuda_check_free(what, bytes);
}

static riffle_status upload(const device *d, const char *what, void *to, const void *from, size_t bytes) {
    (void)d;
    if (bytes == 0) return RIFFLE_OK;
    const cudaError_t error =
        cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice); /* a short one is not there yet */
    return cuda_result(error == cudaSuccess ? cudaStreamSynchronize(NULL) : error, what);
}

static riffle_status download(const device *d, const char *what, void *to, const void *from, size_t bytes,
                              struct CUstream_st *stream) {
    (void)d;
    if (bytes == 0) return RIFFLE_OK;
    if (stream == NULL) return cuda_result(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), what);
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
    return cuda_result(error == cudaSuccess ? cudaStreamSynchronize(stream) : error, what);
}

/* ---------------------------------------------------------------- launches */

static const void *address_of(const launch *work) {
    static const void *(*const families[KERNEL_FAMILIES])(unsigned, size_t) = {
#define FAMILY(name) [FAMILY_##name] = cuda_##name##_kernel,
        EACH_FAMILY(FAMILY)
#undef FAMILY
    };
    if (work->users != NULL) return work->users->address;
    return families[work->kernel->family](work->kernel->number, work->elem_bytes);
}

static riffle_status load_one(const char *what, const launch *work, size_t shared_bytes) {
    if (work->kind != LAUNCH_KERNEL && work->kind != LAUNCH_COOPERATIVE) return RIFFLE_OK;
    const void *const kernel = address_of(work);
    if (kernel == NULL)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "%s needs kernel %s for elements of %zu bytes, and there is none",
                    what, work->kernel->name, work->elem_bytes);
    if (work->shared_bytes > shared_bytes)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "%s needs %zu bytes of shared memory in a block and this GPU gives %zu", what,
                    work->shared_bytes, shared_bytes);
    return cuda_load_kernel(kernel, work->shared_bytes > 0 ? shared_bytes : 0);
}

static riffle_status load(const device *d, const char *what, const launch_list *list) {
    int shared_bytes = 0;
    riffle_status status = list->status;
    if (status == RIFFLE_OK)
        status = cuda_device_attribute(d->number, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                       "asking what the GPU is", &shared_bytes);
    for (const launch *l = list->first; status == RIFFLE_OK && l != NULL; l = l->next)
        status = load_one(what, l, (size_t)shared_bytes);
    return status;
}

static riffle_status fit(const device *d, const launch *work, unsigned most, unsigned *out) {
    const int threads = (int)(work->block_x * work->block_y);
    const void *const kernel = address_of(work);
    int multiprocessors = 0, each = 0;
    riffle_status status =
        cuda_device_attribute(d->number, cudaDevAttrMultiProcessorCount, "multiprocessors", &multiprocessors);
    if (status == RIFFLE_OK) status = cuda_load_kernel(kernel, work->shared_bytes);
    if (status == RIFFLE_OK)
        status = cuda_result(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, work->shared_bytes),
            "asking how many blocks fit");
    if (status != RIFFLE_OK) return status;
    if (each == 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "this GPU has no room for a block of %d threads and %zu bytes of shared memory", threads,
                    work->shared_bytes);
    *out = ((unsigned)each < most ? (unsigned)each : most) * (unsigned)multiprocessors;
    return RIFFLE_OK;
}

static cudaError_t launch_kernel(launch *work, bool is_early, cudaStream_t stream) {
    void *arguments[KERNEL_MAX_ARGUMENTS];
    cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                     .val.programmaticStreamSerializationAllowed = 1};
    const bool is_cooperative = work->kind == LAUNCH_COOPERATIVE;
    if (is_cooperative)
        attribute = (cudaLaunchAttribute){.id = cudaLaunchAttributeCooperative, .val.cooperative = 1};
    launch_addresses(work, arguments);
    const cudaLaunchConfig_t config = {.gridDim = {work->grid, 1, 1},
                                       .blockDim = {work->block_x, work->block_y, 1},
                                       .dynamicSmemBytes = work->shared_bytes,
                                       .stream = stream,
                                       .attrs = &attribute,
                                       .numAttrs = is_cooperative || is_early ? 1 : 0};
    return cudaLaunchKernelExC(&config, address_of(work), arguments);
}

static cudaError_t queue_one(launch *work, bool is_early, cudaStream_t stream) {
    switch (work->kind) {
    case LAUNCH_COPY:
        return cudaMemcpyAsync(work->to, work->from, work->bytes, cudaMemcpyDeviceToDevice, stream);
    case LAUNCH_FILL: return cudaMemsetAsync(work->to, work->value, work->bytes, stream);
    default: return launch_kernel(work, is_early, stream);
    }
}

/* Only lists in which something follows ask whether the GPU has that. */
static bool has_early(const device *d) {
    int major = 0;
    return cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, d->number) == cudaSuccess &&
           major >= EARLY_MAJOR;
}

static riffle_status queue(const device *d, const char *what, const launch_list *list,
                           struct CUstream_st *stream) {
    if (list->status != RIFFLE_OK) return list->status;
    for (const launch *l = list->first; l != NULL; l = l->next) {
        launch work = *l;
        const cudaError_t error = queue_one(&work, l->follows && has_early(d), stream);
        if (error != cudaSuccess) return cuda_result(error, what);
    }
    return RIFFLE_OK;
}

/* ---------------------------------------------------------------- captures */

static riffle_status guard(const device *d, const char *what, struct CUstream_st *stream, int *before) {
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    (void)d;
    const riffle_status status = capture_pass_by(what, stream, &mode);
    *before = (int)mode;
    return status;
}

static void guard_quietly(const device *d, int *before) {
    enum cudaStreamCaptureMode mode;
    (void)d;
    capture_pass_by_quietly(&mode);
    *before = (int)mode;
}

static void unguard(const device *d, int before) {
    (void)d;
    capture_leave((enum cudaStreamCaptureMode)before);
}

static const device_ops cuda_ops = {.name = "cuda",
                                    .compiler = "NVRTC",
                                    .compile = cuda_compile,
                                    .describe = describe,
                                    .allocate = allocate,
                                    .release = release,
                                    .check_free = check_free,
                                    .upload = upload,
                                    .download = download,
                                    .load = load,
                                    .fit = fit,
                                    .queue = queue,
                                    .guard = guard,
                                    .guard_quietly = guard_quietly,
                                    .unguard = unguard,
                                    .check = check};

riffle_status cuda_device(device *out) {
    *out = (device){.ops = &cuda_ops};
    return cuda_device_current(&out->number);
}
