/* SPDX-License-Identifier: Apache-2.0
 *
 * The second file of a program.
 */
#include "lint_runtime.h"

__constant__ int offset;
__global__ void other(int *a) {
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = doubled(threadIdx.x) + offset;
    __syncthreads();
    a[threadIdx.x] = buffer[threadIdx.x ^ 1];
}
int other_file(int *a, int n) {
    const int five = 5;
    int last;
    cudaMemcpyToSymbol(offset, &five, sizeof five);
    other<<<1, n, n * sizeof(int)>>>(a);
    cudaMemcpy(&last, a + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    return last == 2 * (n - 2) + 5;
}
