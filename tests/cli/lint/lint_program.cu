/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole program for riffle lint: what its host code asks of CUDA, and that what the kernels do arrives.
 */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <memory>
#include <vector>
#define CHECK(call)                                                                                            \
    do {                                                                                                       \
        cudaError_t e = (call);                                                                                \
        if (e != cudaSuccess) {                                                                                \
            fprintf(stderr, "%s\n", cudaGetErrorString(e));                                                    \
            exit(3);                                                                                           \
        }                                                                                                      \
    } while (0)
struct Options {
    int stride;
    float scale;
};
__constant__ float weights[4];
__device__ int hits;
template <class T> __global__ void scale(T *out, const T *in, int n, Options o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(i * o.stride) % n] * o.scale * weights[1];
}
namespace deep {
__global__ void count(const float *in, int n, int *extra) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 100) atomicAdd(&hits, 1);
    if (extra != nullptr && i == 0) *extra = 7;
}
} // namespace deep
__global__ void plain(int *a) {
    extern __shared__ int s[];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[31 - threadIdx.x];
}
int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    std::atomic<int> ready{0};
    {
        const std::shared_ptr<int> kept = std::make_shared<int>(1), again = kept;
        ready.fetch_add(*again);
        if (ready.load() != 1 || kept.use_count() != 2) return 2;
    }
    static std::vector<float> host(n); /* exit leaves it behind */
    for (int i = 0; i < n; i++) host[i] = i;
    float *in, *out;
    int *managed;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc((void **)&out, n * sizeof *out));
    CHECK(cudaMallocManaged(&managed, 32 * sizeof(int)));
    for (int i = 0; i < 32; i++) managed[i] = i;
    const float w[4] = {1, 2, 3, 4};
    CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
    CHECK(cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    Options o = {7, 0.5f};
    for (int k = 0; k < 3; k++) scale<<<(n + 127) / 128, 128>>>(out, in, n, o);
    scale<float><<<dim3((n + 127) / 128), dim3(128), 0, stream>>>(in, out, n, Options{1, 1});
    deep::count<<<(n + 63) / 64, 64>>>(out, n, NULL);
    plain<<<1, 32, 32 * sizeof(int)>>>(managed);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    int found;
    CHECK(cudaMemcpyFromSymbol(&found, hits, sizeof found));
    CHECK(cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        if (host[i] != i * 7 % n) {
            printf("wrong at %d: %f\n", i, host[i]);
            return 1;
        }
    printf("found %d, managed %d\n", found, managed[0]);
    void *args[] = {&managed};
    cudaLaunchKernel(plain, dim3(1), dim3(32), args, 128, stream);
    plain<<<1, 2000>>>(managed);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
    cudaFree(managed);
    exit(argc > 2 ? 5 : 0);
}
