/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads of the host that launch at once, C++'s and OpenMP's: each has its own results. With ENDS one of them ends the program.
 */
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
__global__ void add(int *a, int by) {
    __shared__ int s[64];
    extern __shared__ int d[];
    s[threadIdx.x] = a[64 * blockIdx.x + threadIdx.x];
    d[threadIdx.x] = by;
    __syncthreads();
    a[64 * blockIdx.x + threadIdx.x] = s[threadIdx.x] + d[63 - threadIdx.x];
}
static int *zeros(int n) {
    int *a;
    cudaMalloc(&a, n * sizeof(int));
    cudaMemset(a, 0, n * sizeof(int));
    return a;
}
static long work(int k) {
    const int n = 1024;
    std::vector<int> back(n);
    long sum = 0;
    for (int turn = 0; turn < 2; turn++) {
        int *a = zeros(n);
        for (int i = 0; i < 4; i++) add<<<n / 64, 64, 256>>>(a, k);
        cudaMemcpy(back.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(a);
        for (int one : back) sum += one;
    }
    return sum;
}
int main() {
    long sums[5] = {}, all = 0;
    std::thread threads[4];
    for (int k = 1; k < 5; k++) threads[k - 1] = std::thread([k, &sums] { sums[k] = work(k); });
    sums[0] = work(1);
    for (auto &one : threads) one.join();
    for (int k = 0; k < 5; k++)
        if (sums[k] != 2l * 1024 * 4 * (k > 0 ? k : 1)) return 1;
#pragma omp parallel for reduction(+ : all) num_threads(3)
    for (int k = 0; k < 3; k++) {
        int *a = zeros(64);
        add<<<1, 64, 256>>>(a, k);
        int back[64];
        cudaMemcpy(back, a, sizeof back, cudaMemcpyDeviceToHost);
        all += back[5];
    }
    if (all != 3) return 2;
#ifdef ENDS
    std::thread([] { exit(7); }).join();
#endif
    fprintf(stderr, "all right\n");
    return 0;
}
