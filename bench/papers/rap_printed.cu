/* SPDX-License-Identifier: Apache-2.0
 *
 * The CRSW transpose as the RAP paper prints it in section VI (Nakano, Matsumae, Ito 2014), its statement as it stands, with the numbers of
 * a permutation in r. It transposes, but all lanes of a warp write one column of b, which is one bank: rows of b are not rotated.
 * examples/rap/transpose.cu writes b[j][(i + r_j) mod 32].
 */
#include <cuda_runtime.h>

struct shifts {
    int of[6];
};

__global__ void transpose(double *out, const double *in, shifts given) {
    __shared__ double a[32][32], b[32][32];
    int r[6];
    for (int k = 0; k < 6; k++) r[k] = given.of[k];
    int i = threadIdx.x / 32;
    int j = threadIdx.x % 32;
    a[i][(j + (r[i / 6] >> (5 * (i % 6)))) & 0x1f] = in[threadIdx.x];
    __syncthreads();
    b[(j + (r[i / 6] >> (5 * (i % 6)))) & 0x1f][i] = a[i][(j + (r[i / 6] >> (5 * (i % 6)))) & 0x1f];
    __syncthreads();
    out[threadIdx.x] = b[i][j];
}

int main() {
    shifts given = {};
    for (int i = 0; i < 32; i++) given.of[i / 6] |= (5 * i + 3) % 32 << 5 * (i % 6);
    double *in, *out;
    if (cudaMalloc(&in, 1024 * sizeof *in) != cudaSuccess) return 1;
    if (cudaMalloc(&out, 1024 * sizeof *out) != cudaSuccess) return 1;
    if (cudaMemset(in, 0, 1024 * sizeof *in) != cudaSuccess) return 1;
    transpose<<<1, 1024>>>(out, in, given);
    const cudaError_t status = cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return status == cudaSuccess ? 0 : 1;
}
