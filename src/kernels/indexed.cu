/* SPDX-License-Identifier: Apache-2.0
 *
 * Element by element along a table (Kasagi, Nakano, Ito 2013, section IV): the conventional algorithms, one
 * side of which is casual.
 */

/** D-designated: b[p[i]] = a[i]. */
__global__ void KERNEL(scatter)(element *__restrict__ b, const element *__restrict__ a,
                                const uint32_t *__restrict__ p, uint64_t n) {
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[p[i]] = a[i];
}

/** S-designated: b[i] = a[q[i]]. */
__global__ void KERNEL(gather)(element *__restrict__ b, const element *__restrict__ a,
                               const uint32_t *__restrict__ q, uint64_t n) {
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[q[i]];
}
