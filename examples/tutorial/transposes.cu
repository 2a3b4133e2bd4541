/* SPDX-License-Identifier: Apache-2.0
 *
 * transposes: the program of docs/tutorial-cuda.md. Four kernels that transpose an n x n matrix of floats, n a multiple of 32,
 * from the first that one writes to one whose tile has no bad direction, and the same by a plan of riffle's. `riffle lint`
 * runs the kernels without a GPU; on a GPU
 *
 *     nvcc -std=c++17 -o transposes transposes.cu $(pkg-config --cflags --libs riffle) && ./transposes
 *
 * runs and compares all five, and says nothing but "skipped" where there is no GPU.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "riffle/cuda.h"
#include "riffle/rap.h"

__global__ void direct(float *out, const float *in, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

__global__ void tiled(float *out, const float *in, int n) {
    __shared__ float tile[32 * 32];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32, row = threadIdx.y, col = threadIdx.x;
    tile[row * 32 + col] = in[(y + row) * n + x + col];
    __syncthreads();
    out[(x + row) * n + y + col] = tile[col * 32 + row];
}

__global__ void swizzled(float *out, const float *in, int n) {
    __shared__ float tile[32 * 32];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32, row = threadIdx.y, col = threadIdx.x;
    tile[riffle_swizzled(32, row, col)] = in[(y + row) * n + x + col];
    __syncthreads();
    out[(x + row) * n + y + col] = tile[riffle_swizzled(32, col, row)];
}

__global__ void permuted(float *out, const float *in, int n, const uint16_t *rotation) {
    __shared__ float tile[32 * 32];
    const int x = blockIdx.x * 32, y = blockIdx.y * 32, row = threadIdx.y, col = threadIdx.x;
    tile[riffle_rotated(32, row, col, rotation[row])] = in[(y + row) * n + x + col];
    __syncthreads();
    out[(x + row) * n + y + col] = tile[riffle_rotated(32, col, row, rotation[col])];
}

static const int n = 1024;

static void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "transposes: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

static void check(riffle_status status) {
    if (status == RIFFLE_OK) return;
    std::fprintf(stderr, "transposes: %s\n", riffle_error_detail());
    std::exit(1);
}

static float *device_floats() {
    float *array;
    must(cudaMalloc(&array, n * n * sizeof(float)));
    return array;
}

static uint16_t *device_rotations(uint64_t seed) {
    uint16_t host[32], *device;
    riffle_draw_permutation(seed, 0, 32, 1, host);
    must(cudaMalloc(&device, sizeof host));
    must(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    return device;
}

/* The plan knows the matrix, not the array: any pair of arrays on this GPU will do, on any stream. */
static void by_a_plan(float *out, const float *in) {
    riffle_perm *perm;
    riffle_plan *plan;
    check(riffle_perm_transpose(n, n, &perm));
    check(riffle_plan_create(perm, sizeof(float), RIFFLE_ENGINE_CUDA, NULL, &plan));
    check(riffle_cuda_execute(plan, out, in, NULL, 0, NULL));
    must(cudaDeviceSynchronize());
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

/* Compares and clears what a way made of in[i] = i. */
static int wrong(const char *way, float *out) {
    std::vector<float> host(n * n);
    must(cudaGetLastError());
    must(cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
    must(cudaMemset(out, 0xff, host.size() * sizeof(float)));
    for (int i = 0; i < n * n; i++)
        if (host[i] != (float)(i % n * n + i / n)) return std::printf("%s: wrong at %d\n", way, i), 1;
    return std::printf("%s: right\n", way), 0;
}

int main() {
    riffle_cuda_device gpu;
    if (riffle_cuda_describe(&gpu) != RIFFLE_OK) return std::printf("skipped: %s\n", riffle_error_detail()), 77;
    std::vector<float> host(n * n);
    for (int i = 0; i < n * n; i++) host[i] = (float)i;
    float *in = device_floats(), *out = device_floats();
    uint16_t *rotation = device_rotations(1);
    must(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));

    const dim3 grid(n / 32, n / 32), block(32, 32);
    int failed = 0;
    direct<<<grid, block>>>(out, in, n);
    failed += wrong("direct", out);
    tiled<<<grid, block>>>(out, in, n);
    failed += wrong("tiled", out);
    swizzled<<<grid, block>>>(out, in, n);
    failed += wrong("swizzled", out);
    permuted<<<grid, block>>>(out, in, n, rotation);
    failed += wrong("permuted", out);
    by_a_plan(out, in);
    failed += wrong("a plan", out);
    must(cudaFree(in));
    must(cudaFree(out));
    must(cudaFree(rotation));
    return failed ? 1 : 0;
}
