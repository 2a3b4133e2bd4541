/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up numbers, 256 a block: with a stride that doubles, whose active threads are spread over all
 * warps (modulo) or meet in few banks (strided), and with one that halves (sequential).
 *
 *     riffle lint reduce_strided.cu --kernel strided --grid 16 --block 256 \
 *         --arg float:16 --arg float:4096:random
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int THREADS = 256;

__global__ void modulo(float *sums, const float *in) {
    __shared__ float part[THREADS];
    const unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (unsigned stride = 1; stride < THREADS; stride *= 2) {
        if (t % (2 * stride) == 0) part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void strided(float *sums, const float *in) {
    __shared__ float part[THREADS];
    const unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (unsigned stride = 1; stride < THREADS; stride *= 2) {
        const unsigned at = 2 * stride * t;
        if (at < THREADS) part[at] += part[at + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void sequential(float *sums, const float *in) {
    __shared__ float part[THREADS];
    const unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (unsigned stride = THREADS / 2; stride > 0; stride /= 2) {
        if (t < stride) part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

int main() {
    const int blocks = 16, n = blocks * THREADS;
    std::vector<float> in(n), sums(blocks);
    for (int i = 0; i < n; i++) in[i] = (float)(i % 7);
    float *device_in, *device_sums;
    check(cudaMalloc(&device_in, n * sizeof(float)));
    check(cudaMalloc(&device_sums, blocks * sizeof(float)));
    check(cudaMemcpy(device_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    for (int which = 0; which < 3; which++) {
        if (which == 0) modulo<<<blocks, THREADS>>>(device_sums, device_in);
        if (which == 1) strided<<<blocks, THREADS>>>(device_sums, device_in);
        if (which == 2) sequential<<<blocks, THREADS>>>(device_sums, device_in);
        check(cudaGetLastError());
        check(cudaMemcpy(sums.data(), device_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost));
        for (int block = 0; block < blocks; block++) {
            float expected = 0;
            for (int i = 0; i < THREADS; i++) expected += in[block * THREADS + i];
            if (std::fabs(sums[block] - expected) < 1e-3f) continue;
            std::printf("wrong in block %d\n", block);
            return 1;
        }
    }
    std::printf("ok\n");
    check(cudaFree(device_in));
    check(cudaFree(device_sums));
}
