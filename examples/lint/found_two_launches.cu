/* SPDX-License-Identifier: Apache-2.0
 *
 * A sum in two launches of one kernel, as tutorials have it: the second launch adds the results of the first, but each thread reads
 * two numbers, and there are only half as many results.
 */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(int *in, int *out) {
    __shared__ int part[64];
    const int i = blockIdx.x * (2 * blockDim.x) + threadIdx.x;
    part[threadIdx.x] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main() {
    const int n = 1 << 13, threads = 64, blocks = n / threads / 2;
    int *in, *parts, host[n], total;
    for (int i = 0; i < n; i++) host[i] = 1;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&parts, n * sizeof *parts); /* as long as the input, so nothing is out of bounds */
    cudaMemcpy(in, host, n * sizeof *in, cudaMemcpyHostToDevice);
    sum<<<blocks, threads>>>(in, parts);
    sum<<<1, threads>>>(parts, parts);
    cudaMemcpy(&total, parts, sizeof total, cudaMemcpyDeviceToHost);
    return total == n ? 0 : 1;
}
