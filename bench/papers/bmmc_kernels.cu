/* SPDX-License-Identifier: Apache-2.0
 *
 * The four kernels that the BMMC paper prints in its appendix (Bouverot-Dupuis, Sheeran 2023): bit reversal of 2^15 elements, naive,
 * tiled, without bank conflicts, and with 2^3 tiles a block. They are as printed, but for white space; main calls each and compares.
 */
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void bit_reverse_naive(const int *input, int *output) {
    size_t in_addr = blockIdx.x * blockDim.x + threadIdx.x;

    // Compute the output address
    size_t out_addr = 0;
    out_addr |= (in_addr & 1ULL) << 14;
    out_addr |= (in_addr & 2ULL) << 12;
    out_addr |= (in_addr & 4ULL) << 10;
    out_addr |= (in_addr & 8ULL) << 8;
    out_addr |= (in_addr & 16ULL) << 6;
    out_addr |= (in_addr & 32ULL) << 4;
    out_addr |= (in_addr & 64ULL) << 2;
    out_addr |= in_addr & 128ULL;
    out_addr |= (in_addr & 256ULL) >> 2;
    out_addr |= (in_addr & 512ULL) >> 4;
    out_addr |= (in_addr & 1024ULL) >> 6;
    out_addr |= (in_addr & 2048ULL) >> 8;
    out_addr |= (in_addr & 4096ULL) >> 10;
    out_addr |= (in_addr & 8192ULL) >> 12;
    out_addr |= (in_addr & 16384ULL) >> 14;
    output[out_addr] = input[in_addr];
}

__global__ void bit_reverse_tiled(const int *input, int *output) {
    __shared__ int tile[1024];
    size_t block = blockIdx.x;
    size_t warp = threadIdx.y;
    size_t thread = threadIdx.x;

    // Read the input tile
    size_t in_addr = 0;
    size_t itile_addr = 0;
    in_addr |= (block & 31ULL) << 5;
    in_addr |= thread & 31ULL;
    in_addr |= (warp & 31ULL) << 10;
    itile_addr |= thread & 31ULL;
    itile_addr |= (warp & 31ULL) << 5;
    tile[itile_addr] = input[in_addr];

    // Synchronize
    __syncthreads();

    // Write the output tile
    size_t out_addr = 0;
    size_t otile_addr = 0;
    out_addr |= (block & 1ULL) << 9;
    out_addr |= (block & 2ULL) << 7;
    out_addr |= (block & 4ULL) << 5;
    out_addr |= (block & 8ULL) << 3;
    out_addr |= (block & 16ULL) << 1;
    out_addr |= (thread & 1ULL) << 4;
    out_addr |= (thread & 2ULL) << 2;
    out_addr |= thread & 4ULL;
    out_addr |= (thread & 8ULL) >> 2;
    out_addr |= (thread & 16ULL) >> 4;
    out_addr |= (warp & 1ULL) << 14;
    out_addr |= (warp & 2ULL) << 12;
    out_addr |= (warp & 4ULL) << 10;
    out_addr |= (warp & 8ULL) << 8;
    out_addr |= (warp & 16ULL) << 6;
    otile_addr |= (thread & 31ULL) << 5;
    otile_addr |= warp & 31ULL;
    output[out_addr] = tile[otile_addr];
}

__global__ void bit_reverse_banks(const int *input, int *output) {
    __shared__ int tile[1024];
    size_t block = blockIdx.x;
    size_t warp = threadIdx.y;
    size_t thread = threadIdx.x;

    // Read the input tile
    size_t in_addr = 0;
    size_t itile_addr = 0;
    size_t ishift = 0;
    in_addr |= (block & 31ULL) << 5;
    in_addr |= thread & 31ULL;
    in_addr |= (warp & 31ULL) << 10;
    itile_addr |= thread & 31ULL;
    itile_addr |= (warp & 31ULL) << 5;
    ishift |= (itile_addr & 992ULL) >> 5;
    tile[(itile_addr & 992) + ((ishift + itile_addr) & 31)] = input[in_addr];

    // Synchronize
    __syncthreads();

    // Write the output tile
    size_t out_addr = 0;
    size_t otile_addr = 0;
    size_t oshift = 0;
    out_addr |= (block & 1ULL) << 9;
    out_addr |= (block & 2ULL) << 7;
    out_addr |= (block & 4ULL) << 5;
    out_addr |= (block & 8ULL) << 3;
    out_addr |= (block & 16ULL) << 1;
    out_addr |= (thread & 1ULL) << 4;
    out_addr |= (thread & 2ULL) << 2;
    out_addr |= thread & 4ULL;
    out_addr |= (thread & 8ULL) >> 2;
    out_addr |= (thread & 16ULL) >> 4;
    out_addr |= (warp & 1ULL) << 14;
    out_addr |= (warp & 2ULL) << 12;
    out_addr |= (warp & 4ULL) << 10;
    out_addr |= (warp & 8ULL) << 8;
    out_addr |= (warp & 16ULL) << 6;
    otile_addr |= (thread & 31ULL) << 5;
    otile_addr |= warp & 31ULL;
    oshift |= (otile_addr & 992ULL) >> 5;
    output[out_addr] = tile[(otile_addr & 992) + ((oshift + otile_addr) & 31)];
}

__global__ void bit_reverse_iters(const int *input, int *output) {
    __shared__ int tile[8192];
    size_t block = blockIdx.x;
    size_t warp = threadIdx.y;
    size_t thread = threadIdx.x;

    // Read the input tiles
    size_t in_addr = 0;
    size_t itile_addr = 0;
    itile_addr |= thread & 31ULL;
    itile_addr |= (warp & 31ULL) << 5;
    in_addr |= (block & 3ULL) << 8;
    in_addr |= thread & 31ULL;
    in_addr |= (warp & 31ULL) << 10;
    for (size_t iter = 0; iter < 8; iter++) {
        in_addr &= ~224ULL;
        in_addr |= (iter & 7ULL) << 5;
        tile[(iter << 10) + itile_addr] = input[in_addr];
    }

    // Synchronize
    __syncthreads();

    // Write the output tiles
    size_t out_addr = 0;
    size_t otile_addr = 0;
    otile_addr |= (thread & 31ULL) << 5;
    otile_addr |= warp & 31ULL;
    out_addr |= (block & 1ULL) << 6;
    out_addr |= (block & 2ULL) << 4;
    out_addr |= (thread & 1ULL) << 4;
    out_addr |= (thread & 2ULL) << 2;
    out_addr |= thread & 4ULL;
    out_addr |= (thread & 8ULL) >> 2;
    out_addr |= (thread & 16ULL) >> 4;
    out_addr |= (warp & 1ULL) << 14;
    out_addr |= (warp & 2ULL) << 12;
    out_addr |= (warp & 4ULL) << 10;
    out_addr |= (warp & 8ULL) << 8;
    out_addr |= (warp & 16ULL) << 6;
    for (size_t iter = 0; iter < 8; iter++) {
        out_addr &= ~896ULL;
        out_addr |= (iter & 1ULL) << 9;
        out_addr |= (iter & 2ULL) << 7;
        out_addr |= (iter & 4ULL) << 5;
        output[out_addr] = tile[(iter << 10) + otile_addr];
    }
}

enum { BITS = 15, N = 1 << BITS, TILE = 1 << 10, ITERATIONS = 8 };

static int reversed(int x) {
    int y = 0;
    for (int bit = 0; bit < BITS; bit++) y |= (x >> bit & 1) << (BITS - 1 - bit);
    return y;
}

static bool is_reversed(const int *device) {
    std::vector<int> host(N);
    if (cudaMemcpy(host.data(), device, N * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return false;
    for (int i = 0; i < N; i++)
        if (host[reversed(i)] != i) return false;
    return true;
}

int main() {
    std::vector<int> numbers(N);
    for (int i = 0; i < N; i++) numbers[i] = i;
    int *in, *out;
    if (cudaMalloc(&in, N * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMalloc(&out, N * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice) != cudaSuccess) return 1;
    int right = 0;
    bit_reverse_naive<<<N / 1024, 1024>>>(in, out);
    right += is_reversed(out);
    bit_reverse_tiled<<<N / TILE, dim3(32, 32)>>>(in, out);
    right += is_reversed(out);
    bit_reverse_banks<<<N / TILE, dim3(32, 32)>>>(in, out);
    right += is_reversed(out);
    bit_reverse_iters<<<N / TILE / ITERATIONS, dim3(32, 32)>>>(in, out);
    right += is_reversed(out);
    cudaFree(in);
    cudaFree(out);
    printf("%d of 4 kernels reverse the bits\n", right);
    return right == 4 ? 0 : 1;
}
