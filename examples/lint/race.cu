/* SPDX-License-Identifier: Apache-2.0
 *
 * Reverses each block's 256 numbers through shared memory, and lacks the barrier between writing and reading
 * them. Compiled with -DFIXED it has one.
 *
 *     riffle lint race.cu --kernel reverse --grid 4 --block 256 --arg int:1024:index
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int THREADS = 256;

__global__ void reverse(int *data) {
    __shared__ int held[THREADS];
    int *mine = data + blockIdx.x * THREADS;
    held[threadIdx.x] = mine[threadIdx.x];
#ifdef FIXED
    __syncthreads();
#endif
    mine[threadIdx.x] = held[THREADS - 1 - threadIdx.x];
}

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

int main() {
    const int blocks = 4, n = blocks * THREADS;
    std::vector<int> before(n), after(n);
    for (int i = 0; i < n; i++) before[i] = i;
    int *data;
    check(cudaMalloc(&data, n * sizeof(int)));
    check(cudaMemcpy(data, before.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    reverse<<<blocks, THREADS>>>(data);
    check(cudaGetLastError());
    check(cudaMemcpy(after.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        if (after[i] == before[i / THREADS * THREADS + THREADS - 1 - i % THREADS]) continue;
        std::printf("wrong at %d\n", i);
        return 1;
    }
    std::printf("ok\n");
    check(cudaFree(data));
}
