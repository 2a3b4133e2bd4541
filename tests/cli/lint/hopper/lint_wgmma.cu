// SPDX-License-Identifier: Apache-2.0
//
// Products of a warpgroup, barriers by number and st.async: right kernels beside plain sums, and each without the one thing that makes it so (WRONG). It runs on a GPU
// of compute capability 9.0 as it does here (nvcc -arch=sm_90a). A comment names a line.
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
__managed__ int wrong, checked;
#define EXPECT(condition)                                                                                      \
    do {                                                                                                       \
        if (!(condition)) printf("line %d thread %d\n", __LINE__, threadIdx.x), atomicAdd(&wrong, 1);          \
    } while (0)

__device__ int left_of(int row, int k) { return (row * 5 + k * 3) % 11 - 5; }
__device__ int right_of(int k, int column) { return (k * 7 + column * 2) % 9 - 4; }
__device__ int sum_of(int row, int column, int depth, int sign = 1) {
    int sum = 0;
    for (int k = 0; k < depth; k++) sum += left_of(row, k) * right_of(k, column);
    return sign * sum;
}

// How a matrix lies in shared memory: `lead` and `stride` in bytes, as PTX's canonical layouts have them.
struct layout {
    int swizzle, lead, stride;
    bool turned;
};
__device__ layout layout_of(int swizzle, bool turned) {
    if (swizzle == 0) return {0, 128, 256, turned};
    return {swizzle, turned ? 16 * swizzle : 16, 8 * swizzle, turned};
}
__device__ int byte_of(const layout &of, int line, int k, int bytes) {
    const int x = (of.turned ? line : k) * bytes, y = of.turned ? k : line, row = of.swizzle ? of.swizzle : 16;
    const bool changed = of.turned && of.swizzle == 0;
    const int at = x % row + x / row * (changed ? of.stride : of.lead) + y % 8 * row + y / 8 * (changed ? of.lead : of.stride);
    return at ^ ((at / 128 % (row / 16)) * 16);
}
__device__ uint64_t descriptor(const void *at, const layout &of) {
    const uint64_t address = (uint32_t)__cvta_generic_to_shared(at), modes = of.swizzle == 128 ? 1 : of.swizzle == 64 ? 2 : of.swizzle == 32 ? 3 : 0;
    return (address & 0x3ffff) >> 4 | (uint64_t)(of.lead >> 4) << 16 | (uint64_t)(of.stride >> 4) << 32 | modes << 62;
}
template <class T> __device__ void fill_left(char *a, const layout &of, int depth) {
    for (int k = threadIdx.x; k < 64 * depth; k += 128) *(T *)(a + byte_of(of, k / depth, k % depth, sizeof(T))) = T((float)left_of(k / depth, k % depth)); // fills
}
template <class T> __device__ void fill_right(char *b, const layout &of, int depth, int columns) {
    for (int k = threadIdx.x; k < columns * depth; k += 128) *(T *)(b + byte_of(of, k / depth, k % depth, sizeof(T))) = T((float)right_of(k % depth, k / depth));
}
__device__ void fence_proxy() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int LEFT> __device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory"); }
__device__ int row_of(int e) { return threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + e / 2 % 2 * 8; }
__device__ int column_of(int e) { return e / 4 * 8 + threadIdx.x % 4 * 2 + e % 2; }

#define UNROLL #pragma unroll
#define SUMS(letter) "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]), "+" letter(d[3]), "+" letter(d[4]), "+" letter(d[5]), "+" letter(d[6]), "+" letter(d[7])
#define EIGHT "{%0, %1, %2, %3, %4, %5, %6, %7}"

// Both majors and all swizzles; the second product adds to the first, and one with no sums before it begins anew.
template <int SWIZZLE, int TURN_A, int TURN_B> __global__ void halves() {
    __shared__ alignas(1024) char a[16384], b[8192];
    const layout la = layout_of(SWIZZLE, TURN_A), lb = layout_of(SWIZZLE, TURN_B);
    fill_left<__half>(a, la, 16), fill_right<__half>(b, lb, 16, 16);
    fence_proxy();
    __syncthreads();
    float d[8];
    for (int e = 0; e < 8; e++) d[e] = 1000;
    const uint64_t at_a = descriptor(a, la), at_b = descriptor(b, lb);
    fence();
    for (int turn = 0; turn < 3; turn++)
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " EIGHT ", %8, %9, p, 1, 1, %11, %12; }"
                     : SUMS("f") : "l"(at_a), "l"(at_b), "r"(turn), "n"(TURN_A), "n"(TURN_B));
    commit();
    wait<0>();
    for (int e = 0; e < 8; e++) EXPECT(d[e] == 3 * sum_of(row_of(e), column_of(e), 16));
    atomicAdd(&checked, 1);
}

// A from registers; signs; sums of halves, whose registers have two.
__global__ void of_registers() {
    __shared__ alignas(1024) char b[8192];
    const layout lb = layout_of(64, false);
    fill_right<__nv_bfloat16>(b, lb, 16, 16);
    fence_proxy();
    __syncthreads();
    unsigned w[4];
    for (int r = 0; r < 4; r++) {
        const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4 + r % 2 * 8, k = threadIdx.x % 4 * 2 + r / 2 * 8;
        const __nv_bfloat16 two[] = {(float)left_of(row, k), (float)left_of(row, k + 1)};
        memcpy(&w[r], two, 4);
    }
    float d[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    fence();
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %13, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 " EIGHT ", {%8, %9, %10, %11}, %12, p, -1, 1, 0; }"
                 : SUMS("f") : "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]), "l"(descriptor(b, lb)), "r"(1));
    commit();
    wait<0>();
    for (int e = 0; e < 8; e++) EXPECT(d[e] == sum_of(row_of(e), column_of(e), 16, -1) + 1);
    atomicAdd(&checked, 1);
}
__global__ void to_halves() {
    __shared__ alignas(1024) char a[8192], b[8192];
    const layout l = layout_of(32, false);
    fill_left<__nv_fp8_e4m3>(a, l, 32), fill_right<__nv_fp8_e5m2>(b, l, 32, 8);
    fence_proxy();
    __syncthreads();
    unsigned d[2] = {0x3c003c00, 0x3c003c00};
    fence();
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\nwgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2 {%0, %1}, %2, %3, p, 1, 1; }"
                 : "+r"(d[0]), "+r"(d[1]) : "l"(descriptor(a, l)), "l"(descriptor(b, l)), "r"(1));
    commit();
    wait<0>();
    for (int e = 0; e < 4; e++) {
        const __half_raw one = {(unsigned short)(d[e / 2] >> e % 2 * 16)};
        EXPECT(__half2float(__half(one)) == sum_of(row_of(e), column_of(e), 32) + 1);
    }
    atomicAdd(&checked, 1);
}
__global__ void of_words() {
    __shared__ alignas(1024) char a[8192], b[8192];
    const layout l = layout_of(0, false);
    fill_left<float>(a, l, 8), fill_right<float>(b, l, 8, 16);
    fence_proxy();
    __syncthreads();
    float d[8] = {};
    fence();
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0;\nwgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32 " EIGHT ", %8, %9, p, 1, 1; }"
                 : SUMS("f") : "l"(descriptor(a, l)), "l"(descriptor(b, l)), "r"(0));
    commit();
    wait<0>();
    for (int e = 0; e < 8; e++) EXPECT(d[e] == sum_of(row_of(e), column_of(e), 8));
    atomicAdd(&checked, 1);
}
struct plus_five {
    uint8_t x;
    __device__ plus_five(float number) : x((uint8_t)(number + 5)) {}
};
__global__ void of_integers() {
    __shared__ alignas(1024) char a[8192], b[8192];
    const layout l = layout_of(128, false);
    fill_left<int8_t>(a, l, 32), fill_right<plus_five>(b, l, 32, 16);
    fence_proxy();
    __syncthreads();
    const int most = 0x7fffffff;
    int d[8] = {1, 2, 3, most, most, 6, 7, 8};
    const int before[8] = {1, 2, 3, most, most, 6, 7, 8};
    fence();
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0;\nwgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8.satfinite " EIGHT ", %8, %9, p; }"
                 : SUMS("r") : "l"(descriptor(a, l)), "l"(descriptor(b, l)), "r"(1));
    commit();
    wait<0>();
    for (int e = 0; e < 8; e++) {
        long long sum = before[e];
        for (int k = 0; k < 32; k++) sum += left_of(row_of(e), k) * (right_of(k, column_of(e)) + 5);
        EXPECT(d[e] == (sum < most ? sum : most));
    }
    atomicAdd(&checked, 1);
}

// Two groups under way: the first is waited for while the second still runs.
template <int WRONG> __global__ void __launch_bounds__(128) waited(float *out) {
    __shared__ alignas(1024) char a[8192], b[8192];
    const layout l = layout_of(128, false);
    fill_left<__half>(a, l, 16), fill_right<__half>(b, l, 16, 16);
    if (WRONG != 3) fence_proxy();
    __syncthreads();
    float d[8] = {}, first[8] = {};
    if (WRONG != 4) fence();
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " EIGHT ", %8, %9, 1, 1, 1, 0, 0;" // first product
                 : "+f"(first[0]), "+f"(first[1]), "+f"(first[2]), "+f"(first[3]), "+f"(first[4]), "+f"(first[5]), "+f"(first[6]), "+f"(first[7])
                 : "l"(descriptor(a, l)), "l"(descriptor(b, l)));
    commit();
    UNROLL
    for (int e = 0; e < 8; e++) asm volatile("" : "+f"(first[e])::"memory"); // the compiler keeps its order, and nothing is read
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " EIGHT ", %8, %9, 1, 1, 1, 0, 0;" // second product
                 : SUMS("f") : "l"(descriptor(a, l)), "l"(descriptor(b, l)));
    if (WRONG != 5) commit();
    wait<1>();
    for (int e = 0; e < 8; e++) EXPECT(first[e] == sum_of(row_of(e), column_of(e), 16));
    if (WRONG == 1) out[threadIdx.x] = d[3]; // reads early
    if (WRONG == 2) *(__half *)(b + threadIdx.x % 8 * 128) = 0; // overwrites early
    wait<0>();
    if (WRONG == 5) out[threadIdx.x] = d[3]; // reads what was not committed
    if (WRONG == 0)
        for (int e = 0; e < 8; e++) EXPECT(d[e] == first[e]);
    atomicAdd(&checked, 1);
}

// Two warps produce and two consume; each pair meets the other at barriers of its own.
template <int WRONG> __global__ void pairs(int *out) {
    __shared__ int tile[64];
    if (threadIdx.x >= 64) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int k = 0; k < 4; k++) {
            if (WRONG != 1) asm volatile("bar.sync 1, 128;" ::: "memory");
            tile[threadIdx.x - 64] = k * 64 + threadIdx.x; // pairs write
            if (WRONG != 2 || k < 3) asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    } else {
        for (int k = 0; k < 4; k++) {
            asm volatile("barrier.cta.arrive.aligned %0, %1;" ::"r"(1), "r"(128) : "memory");
            asm volatile("barrier.cta.sync.aligned %0, 128;" ::"r"(2) : "memory"); // pairs wait
            out[k * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // pairs read
        }
    }
}

// Each block of a cluster stores into the next one's memory, beside its threads.
__global__ void __cluster_dims__(2, 1, 1) thrown(int *out) {
    __shared__ alignas(16) int tile[32][2];
    __shared__ uint64_t full;
    uint32_t rank, to, at = (uint32_t)__cvta_generic_to_shared(tile[threadIdx.x]), barrier = (uint32_t)__cvta_generic_to_shared(&full), its;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"((unsigned)sizeof tile) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;\n barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(at), "r"(rank ^ 1));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(its) : "r"(barrier), "r"(rank ^ 1));
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(to), "r"((int)(rank * 100 + threadIdx.x)), "r"(7), "r"(its) : "memory");
    asm volatile("{\n .reg .pred done;\n WAIT_%=:\n mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n @done bra DONE_%=;\n bra WAIT_%=;\n DONE_%=:\n }" ::"r"(barrier) : "memory");
    out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x][0] * tile[threadIdx.x][1];
    asm volatile("barrier.cluster.arrive.release.aligned;\n barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

template <int SWIZZLE> static void all_majors() {
    halves<SWIZZLE, 0, 0><<<1, 128>>>();
    halves<SWIZZLE, 0, 1><<<1, 128>>>();
    halves<SWIZZLE, 1, 0><<<1, 128>>>();
    halves<SWIZZLE, 1, 1><<<1, 128>>>();
}

int main() {
    int *out;
    cudaMallocManaged(&out, 256 * sizeof *out);
    float *sums = (float *)out;
#ifdef HAZARDS
    waited<1><<<1, 128>>>(sums);
    waited<2><<<1, 128>>>(sums);
    waited<3><<<1, 128>>>(sums);
    waited<4><<<1, 128>>>(sums);
    waited<5><<<1, 128>>>(sums);
    waited<0><<<1, 96>>>(sums);
    pairs<1><<<1, 128>>>(out);
    pairs<2><<<1, 128>>>(out);
    return 0;
#endif
    all_majors<0>(), all_majors<32>(), all_majors<64>(), all_majors<128>();
    of_registers<<<1, 128>>>();
    to_halves<<<1, 128>>>();
    of_words<<<1, 128>>>();
    of_integers<<<1, 128>>>();
    waited<0><<<1, 128>>>(sums);
    pairs<0><<<1, 128>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    if (checked != 21 * 128) printf("%d checked\n", checked), wrong++;
    for (int k = 0; k < 256; k++)
        if (out[k] != k / 64 * 64 + 64 + 63 - k % 64) printf("pairs %d: %d\n", k, out[k]), wrong++;
    void const *kernel = reinterpret_cast<void const *>(&thrown);
    void *arguments[] = {&out};
    cudaLaunchConfig_t config = {};
    config.gridDim = 2, config.blockDim = 32;
    if (cudaLaunchKernelExC(&config, kernel, arguments) != cudaSuccess) return 4;
    if (cudaDeviceSynchronize() != cudaSuccess) return 3;
    for (int k = 0; k < 64; k++)
        if (out[k] != 7 * ((k / 32 ^ 1) * 100 + k % 32)) printf("thrown %d: %d\n", k, out[k]), wrong++;
    return wrong != 0;
}
