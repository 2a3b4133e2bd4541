/* SPDX-License-Identifier: Apache-2.0
 *
 * The worked example of the memory machine models (Kasagi, Nakano, Ito 2013, figure 3): two warps of four
 * threads read <7, 5, 15, 0> and <10, 11, 12, 9>. With width 4 and latency 5 that takes 7 time units on the DMM
 * (shared memory) and 9 on the UMM (global memory).
 *
 *     riffle lint worked_example.cu --kernel umm --width 4 --latency 5 --block 8 --arg int:8 --arg int:16:index
 */
#include <cstdio>
#include <cstdlib>

__device__ int place(int thread) {
    switch (thread) {
    case 0: return 7;
    case 1: return 5;
    case 2: return 15;
    case 3: return 0;
    case 4: return 10;
    case 5: return 11;
    case 6: return 12;
    default: return 9;
    }
}

__global__ void umm(int *out, const int *in) {
    const int got = in[place(threadIdx.x)];
    out[threadIdx.x] = got;
}

__global__ void dmm(int *out, const int *in) {
    __shared__ int cells[16];
    cells[threadIdx.x] = in[threadIdx.x];
    cells[threadIdx.x + 8] = in[threadIdx.x + 8];
    __syncthreads();
    const int got = cells[place(threadIdx.x)];
    out[threadIdx.x] = got;
}

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

int main() {
    static const int expected[8] = {7, 5, 15, 0, 10, 11, 12, 9};
    int in[16], out[8], *device_in, *device_out;
    for (int i = 0; i < 16; i++) in[i] = i;
    check(cudaMalloc(&device_in, sizeof in));
    check(cudaMalloc(&device_out, sizeof out));
    check(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    for (int shared = 0; shared < 2; shared++) {
        if (shared) dmm<<<1, 8>>>(device_out, device_in);
        else umm<<<1, 8>>>(device_out, device_in);
        check(cudaGetLastError());
        check(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 8; i++) {
            if (out[i] == expected[i]) continue;
            std::printf("wrong at %d\n", i);
            return 1;
        }
    }
    std::printf("ok\n");
    check(cudaFree(device_in));
    check(cudaFree(device_out));
}
