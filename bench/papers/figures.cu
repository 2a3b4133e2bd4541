/* SPDX-License-Identifier: Apache-2.0
 *
 * The RAP paper's Figures 4 to 6 (Nakano, Matsumae, Ito 2014) at w = 4: its three transposes of shared memory, and one of them with rows
 * rotated by r = (2, 0, 3, 1). bench/papers/pictures.py draws them of what riffle lint traces; nothing here needs a GPU.
 */
#include <cuda_runtime.h>

enum algorithm { CRSW, SRCW, DRDW };
enum { W = 4, NONE = 0, FIGURE6 = 2 | 0 << 2 | 3 << 4 | 1 << 6 };

struct place {
    unsigned row, col;
};

/* Thread (i, j) reads there, and writes where row and column are exchanged. */
__device__ inline place source_of(algorithm by, unsigned i, unsigned j) {
    if (by == CRSW) return {i, j};
    if (by == SRCW) return {j, i};
    return {(i + j) % W, j};
}

/* Row i is rotated by r_i, two bits each. */
__device__ inline unsigned address(unsigned r, unsigned row, unsigned col) {
    return row * W + (col + (r >> 2 * row & 3)) % W;
}

template <algorithm BY> __global__ void transpose(float *out, const float *in, unsigned r) {
    __shared__ float a[W * W], b[W * W];
    const unsigned i = threadIdx.x / W, j = threadIdx.x % W;
    a[address(r, i, j)] = in[i * W + j];
    __syncthreads();
    const place from = source_of(BY, i, j);
    b[address(r, from.col, from.row)] = a[address(r, from.row, from.col)];
    __syncthreads();
    out[i * W + j] = b[address(r, i, j)];
}

int main() {
    float *in, *out;
    if (cudaMalloc(&in, W * W * sizeof *in) != cudaSuccess) return 1;
    if (cudaMalloc(&out, W * W * sizeof *out) != cudaSuccess) return 1;
    if (cudaMemset(in, 0, W * W * sizeof *in) != cudaSuccess) return 1;
    transpose<CRSW><<<1, W * W>>>(out, in, NONE);
    transpose<SRCW><<<1, W * W>>>(out, in, NONE);
    transpose<DRDW><<<1, W * W>>>(out, in, NONE);
    transpose<CRSW><<<1, W * W>>>(out, in, FIGURE6);
    const cudaError_t status = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return status == cudaSuccess ? 0 : 1;
}
