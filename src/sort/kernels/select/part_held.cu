/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of one length that lanes of a warp, or a block, have in registers: each is read once and written once.
 */
#include "sort/kernels/select/part_held.h"

/* Elements `first` to first + count - 1 of b from the slots, by so many threads. As many slots come before the first as elements before b in its vector. */
template <class element>
static __device__ inline void part_write_elements(element *b, const element *slots, uint32_t first,
                                                  uint32_t count, uint32_t thread, uint32_t threads) {
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    b += first;
    const uint32_t lead = vector_lead(b), end = lead + count;
    for (uint32_t at = thread * each; at < end; at += threads * each) {
        if (at >= lead && at + each <= end) {
            STORE_STREAMED((vector16 *)(b + (at - lead)), *(const vector16 *)(slots + at));
            continue;
        }
        UNROLL
        for (uint32_t j = 0; j < each; ++j)
            if (at + j >= lead && at + j < end) b[at + j - lead] = slots[at + j];
    }
}

/* The same; of carried ones the slots have numbers, and all of what they name goes along. */
template <bool carries, class element>
static __device__ inline void part_write_held(const part_along &along, element *b, const element *a,
                                              const typename part_staged<carries, element>::type *slots,
                                              uint32_t first, uint32_t count, uint32_t thread,
                                              uint32_t threads) {
    if constexpr (carries) {
        for (uint32_t k = thread; k < count; k += threads) part_put(along, b, a, first + k, first + slots[k]);
    } else {
        part_write_elements(b, slots, first, count, thread, threads);
    }
}

/* Slots in front of the first element's. */
template <bool carries, class element> static __device__ inline uint32_t part_slot(const element *b) {
    return carries ? 0 : vector_lead(b);
}

/** b receives elements, from a. A warp has t.teams rows at a time, each in as many lanes, and t.times such stretches one behind the other. */
template <bool carries, uint32_t vectors, class element>
__global__ void LAUNCH_BOUNDS(PART_HELD_THREADS, vectors > 1 ? 4 : 6)
    part_warps(element *b, const element *a, const GRID_CONSTANT part_held_table t) {
    typedef typename part_staged<carries, element>::type staged;
    extern __shared__ uint64_t shared_memory[];
    part_lanes team = {WARP_LANES / t.teams};
    const uint32_t warp = threadIdx.x / WARP_LANES, warps = PART_HELD_THREADS / WARP_LANES,
                   own = warp_lane() & (team.lanes - 1), of_warp = warp_lane() / team.lanes,
                   stride = warps * t.teams;
    constexpr uint32_t bytes = carries ? vectors * WARP_LANES * vector_of<element>::ELEMENTS * sizeof(staged)
                                       : (vectors * WARP_LANES + 1) * sizeof(vector16);
    staged *const slots = (staged *)((char *)shared_memory + warp * bytes);
    uint32_t row = blockIdx.x * t.times * stride + warp * t.teams + of_warp;
    part_row<element, vectors> next;
    next.read(a + (uint64_t)row * t.length, row < t.rows ? t.length : 0, own, t.used);
    ROLL for (uint32_t k = 0; k < t.times; ++k, row += stride) {
        part_row<element, vectors> r = next;
        const uint32_t ahead = row + stride, first = (row - of_warp) * t.length;
        if (row - of_warp >= t.rows) return;
        if (k + 1 < t.times)
            next.read(a + (uint64_t)ahead * t.length, ahead < t.rows ? t.length : 0, own, t.used);
        const uint32_t lead = part_slot<carries>(b + first),
                       count = part_way::least(t.teams, t.rows - (row - of_warp)) * t.length;
        r.encode(t.coder);
        part_arrange<carries>(team, r, t.coder, t.place, of_warp * t.length, slots + lead + of_warp * t.length);
        __syncwarp();
        part_write_held<carries>(t.along, b, a, slots, first, count, warp_lane(), WARP_LANES);
        __syncwarp();
    }
}

/** b receives elements, from a: a block a row. */
template <bool carries, class element>
__global__ void LAUNCH_BOUNDS(PART_HELD_BOUND, 1)
    part_blocks(element *b, const element *a, const GRID_CONSTANT part_held_table t) {
    typedef typename part_staged<carries, element>::type staged;
    extern __shared__ uint64_t shared_memory[];
    part_block team = {shared_memory, 0};
    staged *const slots = (staged *)(shared_memory + 2 * WARP_LANES);
    const uint32_t first = blockIdx.x * t.length,
                   own = threadIdx.x / WARP_LANES * (WARP_LANES * t.used) + warp_lane();
    part_row<element, PART_HELD_VECTORS> r;
    r.read(a + first, t.length, own, t.used);
    r.encode(t.coder);
    part_arrange<carries>(team, r, t.coder, t.place, 0, slots + part_slot<carries>(b + first));
    __syncthreads();
    part_write_held<carries>(t.along, b, a, slots, first, t.length, threadIdx.x, blockDim.x);
}
