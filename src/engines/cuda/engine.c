/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass is one launch of one kernel, or two copies by the driver where it is a rotation.
 */
#include "engines/cuda/engine.h"

#include <stdlib.h>

#include "base/status.h"
#include "engines/cuda/device.h"
#include "engines/cuda/kernels.h"

/* One pass's part on the device: its launch, but for the arrays it moves between. */
typedef struct cuda_pass {
    launch work;
    void *arrays[LAUNCH_MAX_ARRAYS];
} cuda_pass;

struct cuda_plan {
    int device;
    void *workspace, *spare;
    unsigned count;
    cuda_pass passes[];
};

static const void *kernel_of(const launch *work) {
    /* By the logarithm of an element's bytes. */
    static cuda_kernel *const kernels[LAUNCH_KERNELS][LAUNCH_ELEMENT_SIZES] = {
        [LAUNCH_COPY] = {[2] = riffle_copy_4, riffle_copy_8},
        [LAUNCH_SCATTER] = {[2] = riffle_scatter_4, riffle_scatter_8},
        [LAUNCH_GATHER] = {[2] = riffle_gather_4, riffle_gather_8},
        [LAUNCH_TRANSPOSE] = {[2] = riffle_transpose_4, riffle_transpose_8},
        [LAUNCH_ROW_WISE] = {[2] = riffle_row_wise_4, riffle_row_wise_8},
        [LAUNCH_AFFINE_TILE_32] = {riffle_affine_tile_1_16_32, riffle_affine_tile_2_16_32,
                                   riffle_affine_tile_4_16_32, riffle_affine_tile_8_16_32,
                                   riffle_affine_tile_16_16_32},
        [LAUNCH_AFFINE_TILE_32_PAIR] = {riffle_affine_tile_pair_1_16_32, riffle_affine_tile_pair_2_16_32,
                                        riffle_affine_tile_pair_4_16_32, riffle_affine_tile_pair_8_16_32,
                                        riffle_affine_tile_pair_16_16_32},
        [LAUNCH_AFFINE_TILE_64] = {riffle_affine_tile_1_16_64, riffle_affine_tile_2_16_64,
                                   riffle_affine_tile_4_16_64, riffle_affine_tile_8_16_64,
                                   riffle_affine_tile_16_16_64},
        [LAUNCH_AFFINE_TILE_64_PAIR] = {riffle_affine_tile_pair_1_16_64, riffle_affine_tile_pair_2_16_64,
                                        riffle_affine_tile_pair_4_16_64, riffle_affine_tile_pair_8_16_64,
                                        riffle_affine_tile_pair_16_16_64},
        [LAUNCH_AFFINE_UNITS] = {riffle_affine_tile_1_1_64, riffle_affine_tile_2_2_64,
                                 riffle_affine_tile_4_4_64, riffle_affine_tile_8_8_64},
        [LAUNCH_AFFINE_UNITS_PAIR] = {riffle_affine_tile_pair_1_1_64, riffle_affine_tile_pair_2_2_64,
                                      riffle_affine_tile_pair_4_4_64, riffle_affine_tile_pair_8_8_64},
        [LAUNCH_BMMC_NAIVE] = {[2] = riffle_bmmc_naive_4, riffle_bmmc_naive_8},
        [LAUNCH_BMMC_TILE] = {[2] = riffle_bmmc_tile_4, riffle_bmmc_tile_8},
        [LAUNCH_BMMC_TILE_BANKS] = {[2] = riffle_bmmc_tile_banks_4, riffle_bmmc_tile_banks_8},
        [LAUNCH_BMMC_TILE_ITERS] = {[2] = riffle_bmmc_tile_iters_4, riffle_bmmc_tile_iters_8},
        [LAUNCH_BMMC_TILE_BANKS_ITERS] = {[2] = riffle_bmmc_tile_banks_iters_4, riffle_bmmc_tile_banks_iters_8},
    };
    return (const void *)kernels[work->kernel][__builtin_ctzll(work->elem_bytes)];
}

/* A rotation needs no kernel. */
static bool is_plain_copy(const pass *p) { return p->kind == PASS_COPY && !p->copy.rotation.reflected; }

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
    if (is_plain_copy(p)) return RIFFLE_OK;
    const launch_limits limits = limits_of_pass(p, device);
    launch_array arrays[LAUNCH_MAX_ARRAYS];
    launch_arrays(p, arrays);
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < LAUNCH_MAX_ARRAYS; k++)
        status = upload(&arrays[k], &out->arrays[k]);
    if (status != RIFFLE_OK) return status;
    launch_of_pass(p, &limits, (const void *const *)out->arrays, &out->work);
    status = check_pass(p, &limits, &out->work);
    return status == RIFFLE_OK ? cuda_load_kernel(kernel_of(&out->work), device->shared_bytes) : status;
}

static riffle_status prepare(const riffle_plan *plan, cuda_plan *device) {
    const plan_target *target = &plan->summary.target;
    const launch_limits limits = {target->width, target->block_threads, target->shared_bytes};
    riffle_status status = cuda_device_current(&device->device);
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
    launch work = ready->work;
    void *arguments[LAUNCH_MAX_ARGUMENTS];
    launch_between(&work, to, from);
    launch_argument_addresses(&work, arguments);
    return cudaLaunchKernel(kernel_of(&work), (dim3){work.grid, 1, 1}, (dim3){work.block_x, work.block_y, 1},
                            arguments, work.shared_bytes, stream);
}

/* One array of the batch. */
static riffle_status execute_one(const cuda_plan *device, const riffle_plan *plan, void *dst, const void *src,
                                 struct CUstream_st *stream) {
    void *const written[BUFFERS] = {
        [BUFFER_DST] = dst, [BUFFER_WORKSPACE] = device->workspace, [BUFFER_SPARE] = device->spare};
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && plan->summary.n > 0 && k < device->count; k++) {
        const pass *p = &plan->passes[k];
        const void *from = p->from == BUFFER_SRC ? src : written[p->from];
        status = cuda_result(run_pass(&device->passes[k], p, written[p->to], from, stream), "launching a pass");
    }
    return status;
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
    const size_t step = (size_t)plan->summary.stride * plan->summary.elem_bytes;
    riffle_status status = check_device(device);
    for (uint64_t k = 0; status == RIFFLE_OK && k < plan->rounds; k++)
        status = execute_one(device, plan, (char *)dst + k * step, (const char *)src + k * step, stream);
    return status;
}

/* Between two arrays of a batch lies what is not to be changed. */
static bool leaves_gaps(const riffle_plan *plan) {
    return plan->summary.batch > 1 && plan->summary.stride != plan->summary.n;
}

static riffle_status execute_through(const cuda_plan *device, const riffle_plan *plan, void *dst,
                                     const void *src, void *device_dst, void *device_src) {
    const size_t bytes = plan->summary.span_bytes;
    riffle_status status =
        cuda_result(cudaMemcpy(device_src, src, bytes, cudaMemcpyHostToDevice), "copying the array to the GPU");
    if (status == RIFFLE_OK && leaves_gaps(plan) && device_dst != device_src)
        status = cuda_result(cudaMemcpy(device_dst, dst, bytes, cudaMemcpyHostToDevice),
                             "copying what lies between arrays to the GPU");
    if (status == RIFFLE_OK) status = cuda_plan_execute(device, plan, device_dst, device_src, NULL);
    if (status == RIFFLE_OK)
        status = cuda_result(cudaMemcpy(dst, device_dst, bytes, cudaMemcpyDeviceToHost),
                             "moving the array and copying it back");
    return status;
}

riffle_status cuda_plan_execute_host(const cuda_plan *device, const riffle_plan *plan, void *dst,
                                     const void *src) {
    const size_t bytes = plan->summary.span_bytes;
    void *second = NULL, *first = NULL;
    riffle_status status = check_device(device);
    if (status == RIFFLE_OK) status = cuda_allocate("the array on the GPU", bytes, &first);
    if (status == RIFFLE_OK && !plan->summary.in_place)
        status = cuda_allocate("the moved array on the GPU", bytes, &second);
    if (status == RIFFLE_OK)
        status = execute_through(device, plan, dst, src, plan->summary.in_place ? first : second, first);
    cudaFree(second);
    cudaFree(first);
    return status;
}
