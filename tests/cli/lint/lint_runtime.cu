/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for riffle lint that asks much of CUDA, together with lint_runtime_other.cu: each check says what was wrong, and main
 * returns how many were.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <helper_cuda.h>
#include <mma.h>

#include "lint_runtime.h"

namespace cg = cooperative_groups;

static int wrong;
#define EXPECT(condition)                                                                                      \
    do {                                                                                                       \
        if (!(condition)) {                                                                                    \
            printf("line %d: %s\n", __LINE__, #condition);                                                     \
            wrong++;                                                                                           \
        }                                                                                                      \
    } while (0)

/* ---- textures and surfaces */

texture<float, 2, cudaReadModeElementType> reference;
__global__ void sample(cudaTextureObject_t t, cudaSurfaceObject_t s, float *out) {
    const int x = threadIdx.x;
    out[x] = tex2D<float>(t, x + 0.5f, 1.5f);
    out[32 + x] = tex2D<float>(t, x + 1.0f, 1.5f);
    out[64 + x] = tex2D(reference, x - 3.5f, 0.5f);
    surf2Dwrite(10.0f * x, s, x * 4, 2);
}

static void textures() {
    float host[4][32], *out, back[96];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 32; x++) host[y][x] = 100.0f * y + x;
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 32, 4, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0], 4, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t t;
    cudaSurfaceObject_t s;
    cudaCreateTextureObject(&t, &resource, &how, nullptr);
    cudaCreateSurfaceObject(&s, &resource);
    cudaBindTextureToArray(reference, array);
    cudaMalloc(&out, sizeof back);
    sample<<<1, 32>>>(t, s, out);
    cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
    EXPECT(back[5] == 105 && back[31] == 131);
    EXPECT(back[32 + 5] == 105.5f && back[32 + 31] == 131);
    EXPECT(back[64] == 0 && back[64 + 10] == 6);
    cudaMemcpy2DFromArray(host, sizeof host[0], array, 0, 0, sizeof host[0], 4, cudaMemcpyDeviceToHost);
    EXPECT(host[2][7] == 70);
    cudaDestroyTextureObject(t);
    cudaFreeArray(array);
    cudaFree(out);
}

/* ---- groups, halves, barriers, random numbers, products of matrices */

struct Pair {
    double value;
    int place[4];
};
__global__ void groups(float *out, Pair *pairs) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    const float sum = cg::reduce(tile, (float)tile.thread_rank(), cg::plus<float>());
    Pair mine = {1.0 * threadIdx.x, {0, 0, 0, (int)threadIdx.x}};
    mine = tile.shfl(mine, 3);
    if (threadIdx.x % 3 == 0) {
        cg::coalesced_group some = cg::coalesced_threads();
        out[threadIdx.x] = some.size() + 1000.0f * some.thread_rank();
        if (__popc(__activemask()) != 11) out[threadIdx.x] = -1;
    } else {
        out[threadIdx.x] = sum;
    }
    pairs[threadIdx.x] = mine;
}
__global__ void halves(const __half2 *in, __half2 *out, __half *total) {
    out[threadIdx.x] = __hfma2(in[threadIdx.x], in[threadIdx.x], __float2half2_rn(0.5f));
    atomicAdd(total, __low2half(in[threadIdx.x]));
}
__global__ void waits(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s[64];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    bar.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void random(curandState *states, float *out) {
    curand_init(7, threadIdx.x, 0, &states[threadIdx.x]);
    curandState own = states[threadIdx.x];
    out[threadIdx.x] = curand_uniform(&own);
    states[threadIdx.x] = own;
}
__global__ void product(const half *a, const half *b, float *c) {
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 1.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

static void kernels() {
    float *out;
    Pair *pairs;
    cudaMallocManaged(&out, 256 * sizeof *out);
    cudaMallocManaged(&pairs, 32 * sizeof *pairs);
    groups<<<1, 32>>>(out, pairs);
    cudaDeviceSynchronize();
    EXPECT(out[1] == 120 && out[17] == 120 && out[0] == 11 && out[30] == 10011);
    EXPECT(pairs[0].place[3] == 3 && pairs[31].value == 19 && pairs[31].place[3] == 19);
    __half2 *in, *squares;
    __half *total;
    cudaMallocManaged(&in, 32 * sizeof *in);
    cudaMallocManaged(&squares, 32 * sizeof *in);
    cudaMallocManaged(&total, sizeof *total);
    for (int k = 0; k < 32; k++) in[k] = __floats2half2_rn(k * 0.25f, 1e-5f);
    *total = __float2half(0);
    halves<<<1, 32>>>(in, squares, total);
    EXPECT((float)squares[8].x == 4.5f && __half2float(*total) == 124);
    EXPECT(__half_as_ushort(__float2half(65519)) == 0x7bff && __half_as_ushort(__float2half(65520)) == 0x7c00);
    EXPECT(__half_as_ushort(__float2half(2049)) == 0x6800 && __half_as_ushort(__float2half(2051)) == 0x6802);
    EXPECT(__half_as_ushort(__float2half(6e-8f)) == 1 && __half2float(__ushort_as_half(1)) == 0x1p-24f);
    int *numbers;
    cudaMallocManaged(&numbers, 64 * sizeof *numbers);
    waits<<<1, 64>>>(numbers);
    EXPECT(numbers[0] == 63 && numbers[63] == 0);
    curandState *states;
    cudaMalloc(&states, 32 * sizeof *states);
    random<<<1, 32>>>(states, out);
    EXPECT(out[0] > 0 && out[0] <= 1 && out[0] != out[1]);
    half *a, *b;
    cudaMallocManaged(&a, 256 * sizeof *a);
    cudaMallocManaged(&b, 256 * sizeof *b);
    for (int k = 0; k < 256; k++) {
        a[k] = __int2half_rn(k % 7);
        b[k] = __int2half_rn(k % 5);
    }
    product<<<1, 32>>>(a, b, out);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            float sum = 1;
            for (int k = 0; k < 16; k++) sum += (i * 16 + k) % 7 * ((j * 16 + k) % 5);
            EXPECT(out[i * 16 + j] == sum);
        }
}

/* ---- launches and graphs */

template <int BY> __global__ void grow(int *a, int times) { a[threadIdx.x] += BY * times; }

static void launches() {
    int *a, times = 2;
    cudaMalloc(&a, 32 * sizeof *a);
    cudaMemset(a, 0, 32 * sizeof *a);
    void *arguments[] = {&a, &times};
    EXPECT(cudaLaunchKernel((void *)grow<3>, dim3(1), dim3(32), arguments, 0, 0) == cudaSuccess);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    checkCudaErrors(cudaStreamCreate(&stream));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    grow <1> << <1, 32, 0, stream >> > (a, 10);
    cudaStreamEndCapture(stream, &graph);
    cudaKernelNodeParams node = {};
    cudaGraphNode_t added;
    node.func = (void *)grow<100>;
    node.gridDim = dim3(1);
    node.blockDim = dim3(32);
    node.kernelParams = arguments;
    cudaGraphAddKernelNode(&added, graph, nullptr, 0, &node);
    cudaGraphInstantiate(&run, graph, nullptr, nullptr, 0);
    int seen[32];
    cudaMemcpy(seen, a, sizeof seen, cudaMemcpyDeviceToHost);
    EXPECT(seen[0] == 6);
    cudaGraphLaunch(run, stream);
    cudaGraphLaunch(run, stream);
    cudaMemcpy(seen, a, sizeof seen, cudaMemcpyDeviceToHost);
    EXPECT(seen[31] == 6 + 2 * 210);
    dim3 gridDim(1), blockDim(32); /* as many programs name theirs */
    grow<0><<<gridDim, blockDim>>>(a, 0);
    EXPECT(other_file(a, 32) == 1);
    int value = 0;
    cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    EXPECT(value == 2048 && strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
}

int main() {
    textures();
    kernels();
    launches();
    return wrong;
}
