// SPDX-License-Identifier: Apache-2.0
// A mean of neighbours in place of one that is a row short (docs/lint.md):
//     riffle lint blur.cu --for-all --length in=w*h --length out=w*h
constexpr int THREADS = 256;

__global__ void __launch_bounds__(THREADS) blur(float *out, const float *in, int w, int h) {
    __builtin_assume(w > 0);
    __shared__ float row[THREADS + 2];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= h) return; // h - 1 is meant: the last row has none below it
    for (int k = threadIdx.x; k < blockDim.x + 2; k += blockDim.x)
        row[k] = in[y * w + min(max(x - (int)threadIdx.x + k - 1, 0), w - 1)];
    __syncthreads();
    if (x < w)
        out[y * w + x] = (row[threadIdx.x] + row[threadIdx.x + 1] + row[threadIdx.x + 2] + in[(y + 1) * w + x]) / 4;
}
