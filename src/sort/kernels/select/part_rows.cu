/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments parted, a block each: the pivot is found digit by digit, which are counted in shared memory, and then all are moved.
 */
#include "sort/kernels/select/part_tiles.h"

/* The pivot's code, and how many that equal it come before it. */
template <class element>
static __device__ inline select_state<typename select_of<element>::word>
part_row_pivot(const part_rows_table &t, const element *a, uint32_t n, uint32_t *shared) {
    typedef typename select_of<element>::word word;
    uint32_t *const counts = shared + PART_LEAD;
    const uint64_t end = vector_count(a, n);
    select_state<word> s = {0, t.place};
    ROLL for (uint32_t round = 0; round < t.rounds; ++round) {
        for (uint32_t i = threadIdx.x; i < PART_DIGITS; i += SELECT_THREADS) counts[i] = 0;
        __syncthreads();
        ROLL for (uint64_t first = 0; first < end; first += SELECT_THREADS)
            part_count_vector(t.coder, a, n, first, end, s.code, round, counts);
        __syncthreads();
        const select_place place = select_find<PART_DIGIT_BITS>(counts, s.rank, shared);
        s.code = select_with<PART_DIGIT_BITS>(s.code, round, place.digit);
        s.rank = place.rank;
    }
    return s;
}

/* A segment without a pivot stays as it is. */
template <class element>
static __device__ inline void part_keep(const part_along &along, element *b, const element *a, uint32_t n) {
    for (uint32_t i = threadIdx.x; i < n; i += SELECT_THREADS) part_put(along, b, a, i, i);
}

/** b receives elements, from a. */
template <bool carries, class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 3)
    part_rows(element *b, const element *a, const GRID_CONSTANT part_rows_table t) {
    typedef typename select_of<element>::word word;
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const shared = (uint32_t *)shared_memory;
    const uint32_t begin = t.begin != nullptr ? t.begin[blockIdx.x] : blockIdx.x * t.length,
                   n = (t.begin != nullptr ? t.begin[blockIdx.x + 1] : begin + t.length) - begin;
    part_along along = t.along;
    along.first = begin;
    a += begin;
    if (b != nullptr) b += begin;
    if (n <= t.place) {
        part_keep(along, b, a, n);
        return;
    }
    const select_state<word> s = part_row_pivot(t, a, n, shared);
    const part_way way = {{0, 0}, s.rank, t.place, 0};
    const uint64_t end = vector_count(a, n);
    part_tiles<carries>(t.coder, part_stretch_of(t.coder, s.code), along, way, b, a, n, 0, end, shared);
}
