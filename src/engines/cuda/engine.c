/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass is one launch of one kernel, or two copies by the driver where it is a rotation.
 */
#include "engines/cuda/engine.h"

#include <stdlib.h>

#include "base/status.h"
#include "engines/cuda/device.h"
#include "engines/cuda/kernels.h"

/* One pass's part on the device. */
typedef struct cuda_pass {
    launch_limits limits;
    void *arrays[LAUNCH_MAX_ARRAYS];
} cuda_pass;

struct cuda_plan {
    int device;
    void *workspace, *spare;
    unsigned count;
    cuda_pass passes[];
};

static const void *kernel_of(const launch *work) {
    static cuda_kernel *const kernels[LAUNCH_KERNELS][2] = {
        [LAUNCH_COPY] = {riffle_copy_4, riffle_copy_8},
        [LAUNCH_SCATTER] = {riffle_scatter_4, riffle_scatter_8},
        [LAUNCH_GATHER] = {riffle_gather_4, riffle_gather_8},
        [LAUNCH_TRANSPOSE] = {riffle_transpose_4, riffle_transpose_8},
        [LAUNCH_ROW_WISE] = {riffle_row_wise_4, riffle_row_wise_8},
    };
    return (const void *)kernels[work->kernel][work->elem_bytes == 8];
}

/* A rotation needs no kernel. */
static bool is_plain_copy(const pass *p) { return p->kind == PASS_COPY && !p->copy.rotation.reflected; }

static size_t element_bytes_of(const pass *p) {
    switch (p->kind) {
    case PASS_COPY: return p->copy.elem_bytes;
    case PASS_SCATTER:
    case PASS_GATHER: return p->indexed.elem_bytes;
    case PASS_TRANSPOSE: return p->transpose.elem_bytes;
    case PASS_ROW_WISE: return p->row_wise.elem_bytes;
    default: return 0;
    }
}

/* A thread with a few elements of a tile or a row has their loads in flight at a time (AT_ONCE in src/kernels),
 * and smaller blocks wait less for their slowest warp. */
static launch_limits limits_of_pass(const pass *p, const launch_limits *device) {
    enum { PER_THREAD = 4 };
    launch_limits out = *device;
    uint64_t elements = device->block_threads * (uint64_t)PER_THREAD;
    if (p->kind == PASS_TRANSPOSE) elements = (uint64_t)out.width * out.width;
    if (p->kind == PASS_ROW_WISE) elements = p->row_wise.cols;
    const uint64_t warps = (elements / PER_THREAD + out.width - 1) / out.width;
    if (warps * out.width < out.block_threads) out.block_threads = (unsigned)warps * out.width;
    return out;
}

static riffle_status check_pass(const pass *p, const launch_limits *limits, const launch *work) {
    const size_t elem_bytes = element_bytes_of(p);
    if (elem_bytes != 4 && elem_bytes != 8) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "the cuda engine moves elements of 4 and 8 bytes, not of %zu, by anything but copy",
                    elem_bytes);
    }
    if (launch_blocks(p, limits) > LAUNCH_MAX_BLOCKS) {
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a pass of %llu blocks is more than a GPU's grid holds (%d)",
                    (unsigned long long)launch_blocks(p, limits), LAUNCH_MAX_BLOCKS);
    }
    if (work->shared_bytes <= limits->shared_bytes) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "a pass needs %zu bytes of shared memory in a block and this GPU gives %zu", work->shared_bytes,
                limits->shared_bytes);
}

static riffle_status upload(const launch_array *array, void **out) {
    const riffle_status status = cuda_allocate("a schedule", array->bytes, out);
    if (status != RIFFLE_OK || array->bytes == 0) return status;
    return cuda_result(cudaMemcpy(*out, array->start, array->bytes, cudaMemcpyHostToDevice),
                       "copying a schedule to the GPU");
}

static riffle_status prepare_pass(const pass *p, const launch_limits *device, cuda_pass *out) {
    out->limits = limits_of_pass(p, device);
    if (is_plain_copy(p)) return RIFFLE_OK;
    const void *const none[LAUNCH_MAX_ARRAYS] = {NULL};
    launch work;
    launch_of_pass(p, &out->limits, NULL, NULL, none, &work);
    riffle_status status = check_pass(p, &out->limits, &work);
    if (status == RIFFLE_OK) status = cuda_load_kernel(kernel_of(&work), device->shared_bytes);
    launch_array arrays[LAUNCH_MAX_ARRAYS];
    launch_arrays(p, arrays);
    for (unsigned k = 0; status == RIFFLE_OK && k < LAUNCH_MAX_ARRAYS; k++)
        status = upload(&arrays[k], &out->arrays[k]);
    return status;
}

static riffle_status prepare(const riffle_plan *plan, cuda_plan *device) {
    launch_limits limits;
    riffle_status status = cuda_engine_limits(&limits);
    if (status == RIFFLE_OK) status = cuda_device_current(&device->device);
    for (unsigned k = 0; status == RIFFLE_OK && plan->summary.n > 0 && k < device->count; k++)
        status = prepare_pass(&plan->passes[k], &limits, &device->passes[k]);
    if (status == RIFFLE_OK)
        status = cuda_allocate("the plan's workspace", plan->workspace_bytes, &device->workspace);
    if (status == RIFFLE_OK)
        status = cuda_allocate("the plan's spare buffer", plan->spare_bytes, &device->spare);
    return status;
}

riffle_status cuda_plan_create(const riffle_plan *plan, cuda_plan **out) {
    const size_t bytes = sizeof(cuda_plan) + plan->built * sizeof(cuda_pass);
    cuda_plan *device = calloc(1, bytes);
    if (device == NULL) return fail_memory("a plan's part on the GPU", bytes);
    device->count = plan->built;
    const riffle_status status = prepare(plan, device);
    if (status == RIFFLE_OK) {
        *out = device;
    } else {
        cuda_plan_free(device);
    }
    return status;
}

void cuda_plan_free(cuda_plan *device) {
    if (device == NULL) return;
    for (unsigned k = 0; k < device->count; k++)
        for (unsigned i = 0; i < LAUNCH_MAX_ARRAYS; i++) cudaFree(device->passes[k].arrays[i]);
    cudaFree(device->workspace);
    cudaFree(device->spare);
    free(device);
}

/* to[offset + i mod n] = from[i]: what stays ahead of the wrap, and what goes around. */
static cudaError_t copy(const copy_schedule *s, char *to, const char *from, cudaStream_t stream) {
    const size_t offset = (size_t)s->rotation.offset * s->elem_bytes;
    const size_t ahead = (size_t)s->n * s->elem_bytes - offset;
    cudaError_t error = cudaMemcpyAsync(to + offset, from, ahead, cudaMemcpyDeviceToDevice, stream);
    if (error == cudaSuccess && offset > 0)
        error = cudaMemcpyAsync(to, from + ahead, offset, cudaMemcpyDeviceToDevice, stream);
    return error;
}

static cudaError_t run_pass(const cuda_pass *ready, const pass *p, void *to, const void *from,
                            cudaStream_t stream) {
    if (is_plain_copy(p)) return copy(&p->copy, to, from, stream);
    launch work;
    launch_of_pass(p, &ready->limits, to, from, (const void *const *)ready->arrays, &work);
    void *arguments[LAUNCH_MAX_ARGUMENTS];
    for (unsigned k = 0; k < LAUNCH_MAX_ARGUMENTS; k++) arguments[k] = &work.arguments[k];
    return cudaLaunchKernel(kernel_of(&work), (dim3){work.grid, 1, 1}, (dim3){work.block_x, work.block_y, 1},
                            arguments, work.shared_bytes, stream);
}

static riffle_status check_device(const cuda_plan *device) {
    int current;
    const riffle_status status = cuda_result(cudaGetDevice(&current), "asking which GPU is current");
    if (status != RIFFLE_OK || current == device->device) return status;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "the plan belongs to GPU %d and GPU %d is current; call cudaSetDevice(%d) first",
                device->device, current, device->device);
}

riffle_status cuda_plan_execute(const cuda_plan *device, const riffle_plan *plan, void *dst, const void *src,
                                struct CUstream_st *stream) {
    void *const written[BUFFERS] = {
        [BUFFER_DST] = dst, [BUFFER_WORKSPACE] = device->workspace, [BUFFER_SPARE] = device->spare};
    riffle_status status = check_device(device);
    for (unsigned k = 0; status == RIFFLE_OK && plan->summary.n > 0 && k < device->count; k++) {
        const pass *p = &plan->passes[k];
        const void *from = p->from == BUFFER_SRC ? src : written[p->from];
        status = cuda_result(run_pass(&device->passes[k], p, written[p->to], from, stream), "launching a pass");
    }
    return status;
}

static riffle_status execute_through(const cuda_plan *device, const riffle_plan *plan, void *dst,
                                     const void *src, void *device_dst, void *device_src) {
    const size_t bytes = plan->summary.array_bytes;
    riffle_status status =
        cuda_result(cudaMemcpy(device_src, src, bytes, cudaMemcpyHostToDevice), "copying the array to the GPU");
    if (status == RIFFLE_OK) status = cuda_plan_execute(device, plan, device_dst, device_src, NULL);
    if (status == RIFFLE_OK)
        status = cuda_result(cudaMemcpy(dst, device_dst, bytes, cudaMemcpyDeviceToHost),
                             "moving the array and copying it back");
    return status;
}

riffle_status cuda_plan_execute_host(const cuda_plan *device, const riffle_plan *plan, void *dst,
                                     const void *src) {
    void *device_dst = NULL, *device_src = NULL;
    riffle_status status = check_device(device);
    if (status == RIFFLE_OK)
        status = cuda_allocate("the array on the GPU", plan->summary.array_bytes, &device_src);
    if (status == RIFFLE_OK)
        status = cuda_allocate("the moved array on the GPU", plan->summary.array_bytes, &device_dst);
    if (status == RIFFLE_OK) status = execute_through(device, plan, dst, src, device_dst, device_src);
    cudaFree(device_dst);
    cudaFree(device_src);
    return status;
}
