// SPDX-License-Identifier: Apache-2.0
//
// mbarriers and bulk copies: right kernels, and each without the one thing that makes it so (WRONG). A comment names a line.
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda_runtime.h>
namespace cde = cuda::device::experimental;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ uint32_t shared_address(const void *at) { return (uint32_t)__cvta_generic_to_shared(at); }
__device__ void begin(uint64_t *at, unsigned count) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(at)), "r"(count) : "memory"); }
__device__ void arrive(uint64_t *at) { asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(shared_address(at)) : "memory"); }
__device__ void expect(uint64_t *at, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(at)), "r"(bytes) : "memory");
}
__device__ void wait(uint64_t *at, unsigned parity) {
    asm volatile("{\n .reg .pred done;\n WAIT:\n mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n @done bra DONE;\n bra WAIT;\n DONE:\n }" ::
                 "r"(shared_address(at)), "r"(parity) : "memory");
}

// Stages of a ring that one thread fills by bulk copies and the others empty.
template <int WRONG> __global__ void ring(const int *in, int *out, int stages) {
    const int WIDTH = 128, STAGES = 2;
    __shared__ alignas(128) int tile[STAGES][WIDTH];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++) begin(&full[s], 1), begin(&empty[s], WIDTH);
    if (WRONG != 1) __syncthreads();
    if (threadIdx.x == WIDTH) {
        for (int k = 0; k < stages; k++) {
            const int s = k % STAGES;
            if (WRONG != 2 && (WRONG != 4 || k >= STAGES)) wait(&empty[s], (k / STAGES + 1) & 1); // the phase before the first is over
            if (WRONG == 3) arrive(&full[s]);
            if (WRONG != 3) expect(&full[s], sizeof tile[s]);
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" // ring copies
                         ::"r"(shared_address(tile[s])), "l"(in + k * WIDTH), "r"((unsigned)sizeof tile[s]), "r"(shared_address(&full[s])) : "memory"); 
        }
    } else {
        for (int k = 0; k < stages; k++) {
            const int s = k % STAGES;
            if (WRONG != 4) wait(&full[s], k / STAGES & 1); // ring waits
            out[k * WIDTH + threadIdx.x] = tile[s][WIDTH - 1 - threadIdx.x]; // ring reads
            arrive(&empty[s]);
        }
    }
}

// A tile through shared memory and back, by libcu++'s names.
template <int WRONG> __global__ void there_and_back(int *data) {
    __shared__ alignas(128) int tile[256];
    __shared__ block_barrier bar;
    int *own = data + blockIdx.x * 256;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_global_to_shared(tile, own, sizeof tile, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    for (int k = threadIdx.x; k < 256; k += blockDim.x) tile[k] += 1; // back writes
    if (WRONG != 1) cde::fence_proxy_async_shared_cta();
    if (WRONG != 2) __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_shared_to_global(own, tile, sizeof tile); // back stores
        cde::cp_async_bulk_commit_group();
        if (WRONG != 3) cde::cp_async_bulk_wait_group_read<0>();
    }
    __syncthreads();
    if (WRONG == 3) tile[threadIdx.x] = 0; // back reuses
}

// A box of a tensor, whose swizzle the readers take back, and what is outside of the tensor is zeros.
template <int ROWS, int COLUMNS, int SWIZZLE> __global__ void boxes(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, float *out) {
    __shared__ alignas(1024) float tile[ROWS * COLUMNS];
    __shared__ block_barrier bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    const int x = blockIdx.x * COLUMNS - 4, y = blockIdx.y * ROWS - 1;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &from, x, y, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    for (int k = threadIdx.x; k < ROWS * COLUMNS; k += blockDim.x) {
        const int byte = k * 4, mask = SWIZZLE / 16 - 1;
        const int at = SWIZZLE == 0 ? byte : byte ^ ((byte >> 7 & mask) << 4);
        out[(blockIdx.y * gridDim.x + blockIdx.x) * ROWS * COLUMNS + k] = tile[at / 4];
    }
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_shared_to_global(&to, x, y, tile);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group<0>();
    }
}

// One block of a cluster brings what all of them read.
__global__ void __cluster_dims__(4, 1, 1) cast(const int *in, int *out) {
    __shared__ alignas(128) int tile[4][32];
    __shared__ uint64_t full;
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) begin(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x == 0) {
        expect(&full, sizeof tile);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::
                     "r"(shared_address(tile[rank])), "l"(in + (blockIdx.x / 4 * 4 + rank) * 32), "r"(128), "r"(shared_address(&full)), "h"((uint16_t)15) : "memory");
    }
    wait(&full, 0);
    out[blockIdx.x * 32 + threadIdx.x] = tile[0][threadIdx.x] + tile[1][threadIdx.x] + tile[2][threadIdx.x] + tile[3][threadIdx.x];
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}

// Lanes that are elected, and words that change nothing on the machine.
__global__ void elected(int *out) {
    uint32_t one;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("{ .reg .pred P; .reg .b32 lane; elect.sync lane|P, %1; @P mov.s32 %0, 1; @!P mov.s32 %0, 0; }" : "=r"(one) : "r"(0xffffffff));
    if (one) out[threadIdx.x / 32] = threadIdx.x;
}

int wrong = 0;
template <class Value> void check(const char *what, int *out, int n, Value value) {
    cudaDeviceSynchronize();
    for (int k = 0; k < n; k++)
        if (out[k] != value(k) && wrong++ == 0) printf("%s: out[%d] is %d, not %d\n", what, k, out[k], value(k));
}

template <int ROWS, int COLUMNS, int SWIZZLE> void check_boxes(CUtensorMapSwizzle swizzle) {
    const int width = 44, height = 19, across = 3, down = (height + ROWS) / ROWS + 1;
    float *from, *to, *out;
    cudaMallocManaged(&from, width * height * 4);
    cudaMallocManaged(&to, width * height * 4);
    cudaMallocManaged(&out, across * down * ROWS * COLUMNS * 4);
    for (int k = 0; k < width * height; k++) from[k] = k + 1, to[k] = 0;
    PFN_cuTensorMapEncodeTiled_v12000 encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", (void **)&encode, cudaEnableDefault, &found);
    CUtensorMap maps[2];
    const cuuint64_t size[] = {width, height}, stride[] = {width * 4};
    const cuuint32_t box[] = {COLUMNS, ROWS}, step[] = {1, 1};
    for (int k = 0; k < 2; k++)
        if (encode(&maps[k], CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, k == 0 ? from : to, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                   CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) wrong++;
    boxes<ROWS, COLUMNS, SWIZZLE><<<dim3(across, down), 64>>>(maps[0], maps[1], out);
    cudaDeviceSynchronize();
    for (int k = 0; k < across * down * ROWS * COLUMNS; k++) {
        const int block = k / (ROWS * COLUMNS), x = block % across * COLUMNS - 4 + k % COLUMNS, y = block / across * ROWS - 1 + k / COLUMNS % ROWS;
        const bool inside = x >= 0 && x < width && y >= 0 && y < height;
        if (out[k] != (inside ? from[y * width + x] : 0) && wrong++ == 0) printf("boxes %d: out[%d] is %g\n", SWIZZLE, k, out[k]);
    }
    for (int k = 0; k < width * height; k++)
        if (to[k] != (k % width < across * COLUMNS - 4 ? from[k] : 0) && wrong++ == 0) printf("boxes %d: to[%d] is %g\n", SWIZZLE, k, to[k]);
}

int main() {
    const int n = 1024;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int k = 0; k < n; k++) in[k] = 3 * k + 1;
#ifndef HAZARDS
    ring<0><<<1, 129>>>(in, out, 7);
    check("ring", out, 7 * 128, [=](int k) { return in[k / 128 * 128 + 127 - k % 128]; });
    cudaMemcpy(out, in, n * sizeof *in, cudaMemcpyDefault);
    there_and_back<0><<<4, 64>>>(out);
    check("there and back", out, n, [=](int k) { return in[k] + 1; });
    check_boxes<8, 16, 0>(CU_TENSOR_MAP_SWIZZLE_NONE);
    check_boxes<8, 8, 32>(CU_TENSOR_MAP_SWIZZLE_32B);
    check_boxes<16, 16, 64>(CU_TENSOR_MAP_SWIZZLE_64B);
    check_boxes<8, 32, 128>(CU_TENSOR_MAP_SWIZZLE_128B);
    cast<<<8, 32>>>(in, out);
    check("cast", out, 256, [=](int k) { return 4 * in[k / 128 * 128 + k % 32] + 3 * 32 * 6; });
    elected<<<1, 64>>>(out);
    check("elected", out, 2, [](int k) { return 32 * k; });
#else
    ring<1><<<1, 129>>>(in, out, 4);
    ring<2><<<1, 129>>>(in, out, 4);
    ring<3><<<1, 129>>>(in, out, 4);
    ring<4><<<1, 129>>>(in, out, 2);
    there_and_back<1><<<1, 64>>>(out);
    there_and_back<2><<<1, 64>>>(out);
    there_and_back<3><<<1, 64>>>(out);
#endif
    return wrong != 0;
}
