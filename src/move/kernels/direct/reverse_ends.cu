/* SPDX-License-Identifier: Apache-2.0
 *
 * Reverses a run of `first` elements and the run of n - first behind it, in place: a thread exchanges two elements that are
 * as far from the ends of their run.
 *
 *     [0 1 2 ... first-1] [first ... n-1]
 *      |   exchange   |    |          |
 *
 * a is b, and each element is one thread's.
 */
#include "device/kernels/device.h"

template <class element>
__global__ void reverse_ends(element *b, const element *a, uint64_t n, uint64_t first) {
    const uint64_t pair = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x, pairs = first / 2;
    const bool is_behind = pair >= pairs;
    const uint64_t from_end = is_behind ? pair - pairs : pair, begin = is_behind ? first : 0;
    const uint64_t length = is_behind ? n - first : first;
    if (from_end >= length / 2) return;
    const uint64_t low = begin + from_end, high = begin + length - 1 - from_end;
    const element held = a[low], other = a[high];
    b[low] = other;
    b[high] = held;
}
