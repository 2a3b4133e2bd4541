/* SPDX-License-Identifier: Apache-2.0
 *
 * A sum whose last steps are one warp's, without a barrier: its lanes were thought to keep step. Since Volta they need not, and
 * volatile does not help.
 */
#include <cuda_runtime.h>

#ifdef FIXED
#define STEP(by)                                                                                               \
    __syncwarp();                                                                                              \
    if (t < by) part[t] += part[t + by]
#else
#define STEP(by) part[t] += part[t + by]
#endif

__device__ void last_warp(volatile int *part, int t) {
    STEP(32);
    STEP(16);
    STEP(8);
    STEP(4);
    STEP(2);
    STEP(1);
}

__global__ void sum(int *in, int *out) {
    __shared__ int part[128];
    part[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 64) part[threadIdx.x] += part[threadIdx.x + 64];
    __syncthreads();
    if (threadIdx.x < 32) last_warp(part, threadIdx.x);
    if (threadIdx.x == 0) *out = part[0];
}

int main() {
    int *in, *out, host[128], total;
    for (int i = 0; i < 128; i++) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof *out);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 128>>>(in, out);
    cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
    return total == 128 * 127 / 2 ? 0 : 1;
}
