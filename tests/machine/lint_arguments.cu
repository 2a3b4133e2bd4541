/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of one block with 64 threads for each kind of argument; each run of a test compiles this file anew, so it is short. Whatever is
 * wrong leads to a write to nowhere.
 */
#include <cuda_runtime.h>

#define EXPECT(condition)                                                                                      \
    if (!(condition)) *(volatile int *)nullptr = 1

/* Each line of this one is a whole access of 16 or 8 bytes; the test counts the rounds. */
__global__ void vectors(float4 *out, const float4 *in, int2 *pairs) {
    __shared__ float4 tile[64];
    const unsigned t = threadIdx.x;
    float4 value = in[t];
    value.x = value.y + 1;
    tile[t] = value;
    __syncthreads();
    out[t] = make_float4(1, 2, 3, value.w);
    out[t] = tile[63 - t];
    pairs[t] = make_int2((int)t, 5);
    out[t] = {1, 2, 3, 4};
}

__global__ void parameters(int n, bool yes, size_t big, double x, char c, float4 v, const void *any,
                           long long *wide) {
    EXPECT(n == -7 && yes && big == 1ull << 40 && x == 0.25 && c == 'A' && v.x == 1 && v.w == 4);
    EXPECT(any != nullptr && wide[3] == 3);
}

template <class T, int N> __global__ void dynamic(T *out, const T *in) {
    extern __shared__ __align__(16) unsigned char raw[];
    T *held = reinterpret_cast<T *>(raw);
    held[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = held[N - 1 - threadIdx.x];
}

__global__ void permuted(unsigned short *seen, const unsigned short *order) { seen[order[threadIdx.x]] = 1; }

__global__ void index_filled(float *out, const float *in, const float2 *pair) {
    EXPECT(in[threadIdx.x] == threadIdx.x && pair[threadIdx.x].y == 2 * threadIdx.x + 1);
    out[threadIdx.x] = 1;
}

__global__ void from_file(const double *in) { EXPECT(in[threadIdx.x] == 3.0 * threadIdx.x); }

/* The alias is a local symbol, and those come first in an object. */
__global__ void two_names() {
    __shared__ volatile float tile[128];
    tile[threadIdx.x] = 1;
}
static void also_named() __attribute__((alias("_Z9two_namesv"), used));
