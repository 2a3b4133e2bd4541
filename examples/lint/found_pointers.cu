/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys and values of a table, with room for as many bytes of both: right where a pointer has 4 bytes.
 */
#include <cuda_runtime.h>

enum { ELEMENTS = 512 };

__global__ void add(const unsigned *keys, void **values, void **table) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < ELEMENTS) table[keys[i]] = values[i];
}

int main() {
    const size_t bytes = ELEMENTS * sizeof(unsigned);
    unsigned host[ELEMENTS], *keys;
    void **values, **table;
    for (int i = 0; i < ELEMENTS; i++) host[i] = i;
    cudaMalloc(&keys, bytes);
    cudaMalloc(&values, bytes); /* ELEMENTS pointers */
    cudaMalloc(&table, ELEMENTS * sizeof *table);
    cudaMemcpy(keys, host, bytes, cudaMemcpyHostToDevice);
    cudaMemset(values, 0, bytes);
    add<<<ELEMENTS / 128, 128>>>(keys, values, table);
    return cudaDeviceSynchronize();
}
