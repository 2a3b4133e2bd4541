/* SPDX-License-Identifier: Apache-2.0
 *
 * Hopper's moves beside a kernel's threads, in known numbers: bulk copies and boxes of tensors, values of st.async, and factors of products by
 * descriptors. moved.py counts it on a GPU and by `riffle lint`. Nothing is computed: what is copied is zeros, or what nobody has written.
 */
#include <cstdint>
#include <cstdio>
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
#define DEV __device__ __forceinline__
DEV uint32_t sp(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
DEV void init(uint64_t *b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sp(b)), "r"(n)); }
DEV void expect(uint64_t *b, int n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sp(b)), "r"(n) : "memory"); }
DEV void arrive(uint64_t *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sp(b)) : "memory"); }
DEV void wait(uint64_t *b, int parity) {
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra W;\n}" ::"r"(sp(b)), "r"(parity) : "memory");
}
DEV void fence_async() { asm volatile("fence.proxy.async;" ::: "memory"); }
DEV void fence_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__global__ void bulk_load(const char *in, int *out) { // 4 copies of 1024
    __shared__ __align__(128) char s[4096];
    __shared__ uint64_t b;
    if (threadIdx.x == 0) { init(&b, 1); fence_init(); }
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&b, 4096);
        for (int k = 0; k < 4; k++)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sp(s + k * 1024)), "l"(in + k * 1024), "r"(1024), "r"(sp(&b)) : "memory");
    }
    wait(&b, 0);
    if (threadIdx.x == 0 && s[5] == 77) *out = 1;
}
__global__ void bulk_load_small(const char *in, int *out) { // 8 copies of 16 at distance 64
    __shared__ __align__(128) char s[4096];
    __shared__ uint64_t b;
    if (threadIdx.x == 0) { init(&b, 1); fence_init(); }
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&b, 128);
        for (int k = 0; k < 8; k++)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sp(s + k * 64)), "l"(in + k * 64 + 16), "r"(16), "r"(sp(&b)) : "memory");
    }
    wait(&b, 0);
    if (threadIdx.x == 0 && s[5] == 77) *out = 1;
}
__global__ void bulk_store(char *out) { // 3 copies of 2048
    __shared__ __align__(128) char s[2048];
    if (threadIdx.x == 0) {
        fence_async();
        for (int k = 0; k < 3; k++)
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + k * 2048), "r"(sp(s)), "r"(2048) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
__global__ void __cluster_dims__(2) bulk_peer(int *out) { // rank 0: 5 copies of 512 to rank 1
    __shared__ __align__(128) char s[512], d[2560];
    __shared__ uint64_t b;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0) { init(&b, 1); fence_init(); if (c.block_rank() == 1) expect(&b, 2560); }
    c.sync();
    if (threadIdx.x == 0 && c.block_rank() == 0) {
        fence_async();
        for (int k = 0; k < 5; k++) {
            uint32_t to, bar;
            asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(to) : "r"(sp(d + 512 * k)));
            asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(bar) : "r"(sp(&b)));
            asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "r"(sp(s)), "r"(512), "r"(bar) : "memory");
        }
    }
    if (c.block_rank() == 1) wait(&b, 0);
    c.sync();
    if (threadIdx.x == 0 && d[5] == 77) *out = 1;
}
__global__ void __cluster_dims__(2) multicast(const char *in, int *out) { // rank 0: 2 copies of 1024 to both
    __shared__ __align__(128) char d[2048];
    __shared__ uint64_t b;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0) { init(&b, 1); fence_init(); expect(&b, 2048); }
    c.sync();
    if (threadIdx.x == 0 && c.block_rank() == 0)
        for (int k = 0; k < 2; k++)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(sp(d + k * 1024)), "l"(in + k * 1024), "r"(1024), "r"(sp(&b)), "h"((uint16_t)3) : "memory");
    wait(&b, 0);
    c.sync();
    if (threadIdx.x == 0 && d[5] == 77) *out = 1;
}
template <int N> __global__ void tensor_load(const __grid_constant__ CUtensorMap map, int *out) { // N boxes of 32 x 8 floats, or so
    __shared__ __align__(1024) char s[4096];
    __shared__ uint64_t b;
    if (threadIdx.x == 0) { init(&b, 1); fence_init(); }
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&b, N * 1024);
        for (int k = 0; k < N; k++)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(sp(s + k * 1024)), "l"(&map), "r"(0), "r"(k * 8), "r"(sp(&b)) : "memory");
    }
    wait(&b, 0);
    if (threadIdx.x == 0 && s[5] == 77) *out = 1;
}
__global__ void tensor_store(const __grid_constant__ CUtensorMap map) {
    __shared__ __align__(1024) char s[4096];
    if (threadIdx.x == 0) {
        fence_async();
        for (int k = 0; k < 2; k++)
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(0), "r"(k * 8), "r"(sp(s + k * 1024)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
#ifndef RIFFLE_LINT
__global__ void tensor_reduce(const __grid_constant__ CUtensorMap map) {
    __shared__ __align__(1024) char s[4096];
    if (threadIdx.x == 0) {
        fence_async();
        for (int k = 0; k < 2; k++)
            asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(0), "r"(k * 8), "r"(sp(s + k * 1024)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
#endif
__global__ void barriers(int *out) { // 1 init, 5 phases of 64 threads' arrivals, 5 waits each
    __shared__ uint64_t b;
    if (threadIdx.x == 0) init(&b, 64);
    __syncthreads();
    for (int k = 0; k < 5; k++) { arrive(&b); wait(&b, k & 1); }
    if (out[1] == 77) *out = 1;
}
__global__ void __cluster_dims__(2) barriers_remote(int *out) { // 32 lanes of rank 0 arrive at rank 1's
    __shared__ uint64_t b;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0) { init(&b, 32); fence_init(); }
    c.sync();
    if (c.block_rank() == 0) {
        uint32_t bar;
        asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(bar) : "r"(sp(&b)));
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory");
    } else wait(&b, 0);
    c.sync();
}
template <int W> __global__ void __cluster_dims__(2) store_async(int *out) { // one warp of rank 0, W words, three times
    __shared__ __align__(128) int d[3 * 32 * W];
    __shared__ uint64_t b;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0) { init(&b, 1); fence_init(); if (c.block_rank() == 1) expect(&b, sizeof d); }
    c.sync();
    if (c.block_rank() == 0) {
        for (int k = 0; k < 3; k++) {
            uint32_t to, bar;
            asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(to) : "r"(sp(d + (k * 32 + threadIdx.x) * W)));
            asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(bar) : "r"(sp(&b)));
            if (W == 1) asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(k), "r"(bar) : "memory");
            if (W == 2) asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %1}, [%2];" ::"r"(to), "r"(k), "r"(bar) : "memory");
            if (W == 4) asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %1, %1, %1}, [%2];" ::"r"(to), "r"(k), "r"(bar) : "memory");
        }
    } else wait(&b, 0);
    c.sync();
    if (d[5] == 77) *out = 1;
}
DEV uint64_t desc(const void *p, int lead, int stride, int swizzle) {
    return (uint64_t)((sp(p) & 0x3ffff) >> 4) | (uint64_t)(lead >> 4) << 16 | (uint64_t)(stride >> 4) << 32 | (uint64_t)swizzle << 62;
}
DEV void open() { fence_async(); __syncthreads(); asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
DEV void close_() { asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory"); }
// m64n8k16, m64n64k16 and m64n128k16 of bf16 with A by descriptor or registers; S: swizzle code
template <int N, int S, bool R> __global__ void product(float *out) {
    __shared__ __align__(1024) char a[8192], b[16384];
    for (int k = threadIdx.x; k < 8192 / 4; k += 128) ((int *)a)[k] = 0;
    for (int k = threadIdx.x; k < 16384 / 4; k += 128) ((int *)b)[k] = 0;
    float d[64] = {};
    const int row = S == 1 ? 128 : S == 2 ? 64 : S == 3 ? 32 : 16;
    uint64_t da = desc(a, S == 0 ? 64 * 16 : 16, S == 0 ? 128 : 8 * row, S), db = desc(b, S == 0 ? N * 16 : 16, S == 0 ? 128 : 8 * row, S);
    uint32_t r = 0;
    open();
    if (N == 8 && !R)
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(da), "l"(db));
    if (N == 8 && R)
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, {%4,%4,%4,%4}, %5, 1, 1, 1, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(r), "l"(db));
    if (N == 64 && !R)
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, 1, 1, 1, 0, 0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                       "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                     : "l"(da), "l"(db));
    if (N == 64 && R)
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, {%32,%32,%32,%32}, %33, 1, 1, 1, 0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                       "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                     : "r"(r), "l"(db));
    close_();
    float s = 0;
    for (int k = 0; k < 64; k++) s += d[k];
    if (s == 77) *out = s;
}
#define OK(x) do { cudaError_t e = (x); if (e) { printf("%s: %s line %d\n", #x, cudaGetErrorString(e), __LINE__); } } while (0)
#define SYNC OK(cudaDeviceSynchronize())
int main() {
    char *in; int *out;
    OK(cudaMalloc(&in, 1 << 20)); OK(cudaMemset(in, 0, 1 << 20)); OK(cudaMalloc(&out, 1 << 20)); OK(cudaMemset(out, 0, 1 << 20));
    typedef CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    void *f; cudaDriverEntryPointQueryResult q;
    OK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &f, cudaEnableDefault, &q));
    auto map_of = [&](int width, int wbox, int hbox, CUtensorMapSwizzle sw) {
        CUtensorMap m;
        cuuint64_t dims[2] = {(cuuint64_t)width, 256}, strides[1] = {(cuuint64_t)1024}; cuuint32_t box[2] = {(cuuint32_t)wbox, (cuuint32_t)hbox}, el[2] = {1, 1};
        CUresult r = ((encode)f)(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in, dims, strides, box, el, CU_TENSOR_MAP_INTERLEAVE_NONE, sw, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        if (r) printf("encode %d\n", r);
        return m;
    };
    bulk_load<<<1, 32>>>(in, out); SYNC;
    bulk_load_small<<<1, 32>>>(in, out); SYNC;
    bulk_store<<<1, 32>>>(in); SYNC;
    bulk_peer<<<2, 32>>>(out); SYNC;
    multicast<<<2, 32>>>(in, out); SYNC;
    tensor_load<2><<<1, 32>>>(map_of(256, 32, 8, CU_TENSOR_MAP_SWIZZLE_128B), out); SYNC;
    tensor_load<1><<<1, 32>>>(map_of(256, 32, 8, CU_TENSOR_MAP_SWIZZLE_NONE), out); SYNC;
    tensor_load<3><<<1, 32>>>(map_of(20, 32, 8, CU_TENSOR_MAP_SWIZZLE_NONE), out); SYNC; // columns 20 to 31 are outside
    tensor_store<<<1, 32>>>(map_of(256, 32, 8, CU_TENSOR_MAP_SWIZZLE_NONE)); SYNC;
    tensor_store<<<1, 32>>>(map_of(20, 32, 8, CU_TENSOR_MAP_SWIZZLE_NONE)); SYNC;
#ifndef RIFFLE_LINT
    tensor_reduce<<<1, 32>>>(map_of(256, 32, 8, CU_TENSOR_MAP_SWIZZLE_NONE)); SYNC;
#endif
    barriers<<<1, 64>>>(out); SYNC;
    barriers_remote<<<2, 32>>>(out); SYNC;
    store_async<1><<<2, 32>>>(out); SYNC;
    store_async<2><<<2, 32>>>(out); SYNC;
    store_async<4><<<2, 32>>>(out); SYNC;
    float *o = (float *)out;
    product<8, 0, false><<<1, 128>>>(o); SYNC; product<8, 0, true><<<1, 128>>>(o); SYNC;
    product<64, 0, false><<<1, 128>>>(o); SYNC; product<64, 0, true><<<1, 128>>>(o); SYNC;
    product<64, 1, false><<<1, 128>>>(o); SYNC; product<64, 1, true><<<1, 128>>>(o); SYNC;
    product<64, 2, false><<<1, 128>>>(o); SYNC; product<64, 2, true><<<1, 128>>>(o); SYNC;
    product<64, 3, false><<<1, 128>>>(o); SYNC; product<64, 3, true><<<1, 128>>>(o); SYNC;
    product<8, 1, false><<<1, 128>>>(o); SYNC; product<8, 1, true><<<1, 128>>>(o); SYNC;
    printf("done\n");
    return 0;
}
