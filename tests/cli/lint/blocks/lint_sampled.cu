/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels whose faults are in blocks far behind those that are counted, each told by the name of its kernel; and such as waste more the farther
 * a block is.
 */
#include <cstdio>

enum { BLOCKS = 96, THREADS = 64, N = BLOCKS * THREADS, SIDE = 64 };

/* A stencil of polybench's 2DCONV with a mistake: the last row has no row below. */
__global__ void below(const float *a, float *b) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < SIDE && j < SIDE && i > 0) b[i * SIDE + j] = 0.5f * a[(i - 1) * SIDE + j] + 0.25f * a[(i + 1) * SIDE + j]; // below
}

__global__ void unsynced(int *a) {
    __shared__ int s[THREADS];
    s[threadIdx.x] = threadIdx.x; // unsynced writes
    if (blockIdx.x != gridDim.x - 2) __syncthreads();
    a[blockIdx.x * THREADS + threadIdx.x] = s[THREADS - 1 - threadIdx.x]; // unsynced reads
}

__global__ void meets(int *a) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    a[blockIdx.x == gridDim.x - 1 ? i - THREADS : i] = i; // meets
}

__global__ void unset(const int *a, int *b) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    b[i] = a[i]; // unset
}

__global__ void misaligned(char *a) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    *(int *)(a + 4 * i + (i == N - 70)) = i; // misaligned
}

/* The stride grows from 1 to 32. */
__global__ void strided(const int *a, int *b) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    b[i] = a[threadIdx.x * (1 + blockIdx.x / 3)]; // strided
}

__global__ void right(const int *a, int *b) {
    __shared__ int s[THREADS];
    s[threadIdx.x] = a[blockIdx.x * THREADS + threadIdx.x];
    __syncthreads();
    b[blockIdx.x * THREADS + threadIdx.x] = s[THREADS - 1 - threadIdx.x];
}

int main() {
    static int given[N], got[N];
    int *a, *b, *half;
    float *image, *blurred;
    for (int i = 0; i < N; i++) given[i] = i;
    cudaMalloc(&a, sizeof given);
    cudaMalloc(&b, sizeof given + 4);
    cudaMalloc(&half, sizeof given);
    cudaMalloc(&image, SIDE * SIDE * sizeof *image);
    cudaMalloc(&blurred, SIDE * SIDE * sizeof *blurred);
    cudaMemcpy(a, given, sizeof given, cudaMemcpyHostToDevice);
    cudaMemcpy(half, given, sizeof given - 4, cudaMemcpyHostToDevice);
    cudaMemset(image, 0, SIDE * SIDE * sizeof *image);
    for (int turn = 0; turn < 3; turn++) right<<<BLOCKS, THREADS>>>(a, b);
    cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++) wrong += got[i] != i / THREADS * THREADS + THREADS - 1 - i % THREADS;
    below<<<dim3(SIDE / 32, SIDE / 2), dim3(32, 2)>>>(image, blurred);
    unsynced<<<BLOCKS, THREADS>>>(b);
    meets<<<BLOCKS, THREADS>>>(b);
    unset<<<BLOCKS, THREADS>>>(half, b);
    misaligned<<<BLOCKS, THREADS>>>((char *)b);
    strided<<<BLOCKS, THREADS>>>(a, b);
    return wrong == 0 ? 0 : 3;
}
