/* SPDX-License-Identifier: Apache-2.0
 *
 * b[offset + i mod n] = a[i], or b[offset - i mod n] = a[i] where reflected: one element a thread.
 */
#include "device/kernels/device.h"

template <class element>
__global__ void copy(element *__restrict__ b, const element *__restrict__ a, uint64_t n, uint64_t offset,
                     uint32_t reflected) {
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint64_t step = reflected ? n - i : i;
    const uint64_t to = offset + step;
    b[to < n ? to : to - n] = a[i];
}
