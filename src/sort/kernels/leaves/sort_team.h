/* SPDX-License-Identifier: Apache-2.0
 *
 * Teams of lanes that sort a leaf, and keys alone in their registers.
 */
#ifndef RIFFLE_SORT_KERNELS_LEAVES_SORT_TEAM_H
#define RIFFLE_SORT_KERNELS_LEAVES_SORT_TEAM_H

#include "sort/kernels/sort_block.h"

/** Several warps that are a block. */
template <uint32_t warps> struct sort_team {
    static constexpr uint32_t lanes = warps * WARP_LANES;
    static constexpr bool is_block = true;
    static __device__ inline uint32_t lane() { return threadIdx.x; }
    static __device__ inline void meet() { __syncthreads(); }
    static __device__ inline uint32_t room(uint32_t, uint32_t turn) {
        return turn;
    } /* it is behind what is taken */
    /** The bits of all lanes, or-ed, in one of `joined`, which are zeros. */
    static __device__ inline uint32_t join(uint32_t bits, uint32_t *joined) {
        bits = __reduce_or_sync(WARP_ALL_LANES, bits);
        if (warp_lane() == 0) ATOMIC_OR(joined, bits);
        __syncthreads();
        return *joined;
    }
    static __device__ inline uint32_t take(uint32_t *counter, uint64_t *shared) {
        uint32_t *const turn = (uint32_t *)shared;
        if (threadIdx.x == 0) *turn = ATOMIC_ADD(counter, 1u);
        __syncthreads();
        const uint32_t taken = *turn;
        __syncthreads();
        return taken;
    }
    template <uint32_t each, class record, class element>
    static __device__ inline void sort(record (&k)[each], element *shared) {
        sort_block<lanes>(k, (record *)shared);
    }
};

/** A warp; a block has several. */
template <> struct sort_team<1> {
    static constexpr uint32_t lanes = WARP_LANES;
    static constexpr bool is_block = false;
    static __device__ inline uint32_t lane() { return warp_lane(); }
    static __device__ inline void meet() { __syncwarp(); }
    /** The first element of shared memory that is the team's own, where each has so many. An index: of a pointer that a function
     *  returns nvcc does not know that it is shared memory's, and takes a quarter more registers. */
    static __device__ inline uint32_t room(uint32_t elements, uint32_t) {
        return threadIdx.x / WARP_LANES * elements;
    }
    /** Returns the counter, which goes on by 1. */
    static __device__ inline uint32_t take(uint32_t *counter, uint64_t *) {
        uint32_t turn = 0;
        if (warp_lane() == 0) turn = ATOMIC_ADD(counter, 1u);
        return __shfl_sync(WARP_ALL_LANES, turn, 0);
    }
    static __device__ inline uint32_t join(uint32_t bits, uint32_t *) {
        return __reduce_or_sync(WARP_ALL_LANES, bits);
    }
    template <uint32_t each, class record, class element>
    static __device__ inline void sort(record (&k)[each], element *) {
        sort_warp(k);
    }
};

/* Lane k's register r, in order of lanes, becomes the element at rank lanes * r + k. */
template <class team, uint32_t each, class element>
static __device__ inline void sort_turn(element (&e)[each], element *shared) {
    element *const own = shared + sort_cell<each, element>(team::lane() * each);
    element *const across = shared + sort_cell<each, element>(team::lane());
    team::meet();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) own[r] = e[r];
    team::meet();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) e[r] = across[sort_row<team::lanes, each>(r)];
}

/** Keys in registers, lanes side by side, become elements in order as they are written. */
template <class team, uint32_t each, class element>
static __device__ inline void sort_held(const sort_coder &by, element (&k)[each], element *shared) {
    team::sort(k, shared);
    sort_put_all(by, k);
    sort_turn<team>(k, shared);
}

#endif
