/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the segments of a sort begin, as its other kernels have it: numbers of 4 bytes, and, for those that cut segments
 * into pieces, how many of these there are before.
 *
 *     first   | 64 bits each; NULL: all segments are of one length |
 *     begin   | segments + 1 | whether `first` is none |
 *
 * If `first` descends, or goes beyond n, all segments begin and end at 0: nothing is sorted then.
 */
#include "sort/kernels/sort_sum.h"
#include "sort/kernels/tables/level.h"
#include "sort/kernels/tables/pick.h"

/** The first words of b become 0. One block. */
template <class element> __global__ void sort_clear(element *__restrict__ b, const element *, uint32_t words) {
    for (uint32_t k = threadIdx.x; k < words; k += blockDim.x) b[k] = 0;
}

/** b is `begin`; a thread a segment, and one for the end. */
template <class element>
__global__ void sort_begin(element *__restrict__ b, const element *, const GRID_CONSTANT sort_begin_table t) {
    const uint64_t s = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (s > t.segments) return;
    if (t.first == nullptr) {
        b[s] = (uint32_t)(s * (t.n / t.segments));
        return;
    }
    const uint64_t here = t.first[s], next = s < t.segments ? t.first[s + 1] : t.n;
    b[s] = (uint32_t)here;
    if (here > next) ATOMIC_OR(&b[t.segments + 1], 1u);
}

/** Nothing is sorted where `first` is none. */
template <class element>
__global__ void sort_settle(element *__restrict__ b, const element *, uint32_t segments) {
    const uint64_t s = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (s <= segments && b[segments + 1] != 0) b[s] = 0;
}

/** b receives how many pieces there are before each of the t.segments segments, and all of them. One block. */
template <class element>
__global__ void sort_pieces(element *__restrict__ b, const element *, const GRID_CONSTANT sort_pieces_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t before = 0, all;
    for (uint32_t first = 0; first < t.segments; first += blockDim.x) {
        const uint32_t s = first + threadIdx.x;
        const uint32_t length = s < t.segments ? t.begin[s + 1] - t.begin[s] : 0;
        const uint32_t sum = sort_sum_before((length + t.piece - 1) / t.piece, (uint32_t *)shared_memory, &all);
        if (s < t.segments) b[s] = before + sum;
        before += all;
        __syncthreads();
    }
    if (threadIdx.x == 0) b[t.segments] = before;
}
