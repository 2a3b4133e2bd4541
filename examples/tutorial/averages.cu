/* SPDX-License-Identifier: Apache-2.0
 *
 * averages.cu: the program of docs/tutorial-lint.md. It takes averages of three neighbours, and has two defects that a GPU seldom shows; with
 * -DFIXED it has neither.
 */
#include <cstdio>

constexpr int BLOCK = 256, N = 4 * BLOCK;

#ifndef FIXED
__global__ void average(float *out, const float *in, int n) {
    __shared__ float tile[BLOCK + 2];
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    tile[t] = in[i];
    if (t < 2) tile[BLOCK + t] = in[i + BLOCK];
    if (i + 2 < n) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3;
}
#else
__global__ void average(float *out, const float *in, int n) {
    __shared__ float tile[BLOCK + 2];
    const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    tile[t] = in[i];
    if (t < 2 && i + BLOCK < n) tile[BLOCK + t] = in[i + BLOCK];
    __syncthreads();
    if (i + 2 < n) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3;
}
#endif

int main() {
    static float in[N], out[N];
    for (int i = 0; i < N; i++) in[i] = (float)i;

    float *a, *b;
    cudaMalloc(&a, sizeof in);
    cudaMalloc(&b, sizeof out);
    cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
    average<<<N / BLOCK, BLOCK>>>(b, a, N);
    cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost);

    int wrong = 0;
    for (int i = 0; i + 2 < N; i++) wrong += out[i] != (float)(i + 1);
    printf("%d wrong\n", wrong);
    cudaFree(a);
    cudaFree(b);
    return wrong != 0;
}
