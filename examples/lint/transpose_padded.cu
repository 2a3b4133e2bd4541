/* SPDX-License-Identifier: Apache-2.0
 *
 * Transposes a matrix through a 32 x 32 tile in shared memory with one column of padding: the elements
 * of a column lie in different banks.
 *
 *     riffle lint transpose_padded.cu --kernel transpose --grid 4,4 --block 32,8 \
 *         --arg float:16384 --arg float:16384:random --arg int=128
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int TILE = 32, ROWS = 8;

__global__ void transpose(float *out, const float *in, int n) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

int main() {
    const int n = 128;
    std::vector<float> in(n * n), out(n * n);
    for (int i = 0; i < n * n; i++) in[i] = (float)i;
    float *device_in, *device_out;
    check(cudaMalloc(&device_in, in.size() * sizeof(float)));
    check(cudaMalloc(&device_out, out.size() * sizeof(float)));
    check(cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
    transpose<<<dim3(n / TILE, n / TILE), dim3(TILE, ROWS)>>>(device_out, device_in, n);
    check(cudaGetLastError());
    check(cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n * n; i++) {
        if (out[i] == in[i % n * n + i / n]) continue;
        std::printf("wrong at %d\n", i);
        return 1;
    }
    std::printf("ok\n");
    check(cudaFree(device_in));
    check(cudaFree(device_out));
}
