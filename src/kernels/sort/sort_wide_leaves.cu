/* SPDX-License-Identifier: Apache-2.0
 *
 * Leaves that are too long for a warp, by blocks of two warps: arrays of twice as many registers would be twice as many
 * instructions. What is longer still is listed, and sort_long.cu sorts it.
 */
#include "kernels/sort/sort_block.h"

/* What thread k has in register r, in order of threads, becomes what is at rank 64 r + k. */
template <uint32_t each, class element>
static __device__ inline void sort_turn_wide(element (&e)[each], element *shared) {
    __syncthreads();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) shared[sort_cell<each, element>(threadIdx.x * each + r)] = e[r];
    __syncthreads();
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        e[r] = shared[sort_cell<each, element>(r * SORT_WIDE_THREADS + threadIdx.x)];
}

template <uint32_t each, class element>
static __device__ inline void sort_wide_leaf(const sort_table &t, element *b, const element *a, uint32_t length,
                                             uint64_t *shared) {
    typedef sort_of<element> of;
    typename of::key k[each];
    element out[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SORT_WIDE_THREADS + threadIdx.x;
        k[r] = i < length ? of::get(a[i]) : of::last();
    }
    sort_block<SORT_WIDE_THREADS>(k, (typename of::key *)shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) out[r] = sort_put<element>(t, k[r]);
    sort_turn_wide(out, (element *)shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (r * SORT_WIDE_THREADS + threadIdx.x < length) b[r * SORT_WIDE_THREADS + threadIdx.x] = out[r];
}

template <uint32_t each, class element>
static __device__ inline void sort_wide_leaf_carry(const sort_table &t, element *b, const element *a,
                                                   uint32_t begin, uint32_t length, uint64_t *shared) {
    typedef sort_of<element> of;
    typename of::tagged k[each];
    element out[each];
    uint32_t carried[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SORT_WIDE_THREADS + threadIdx.x;
        k[r] = of::tag(i < length ? of::get(a[begin + i]) : of::last(), i);
    }
    sort_block<SORT_WIDE_THREADS>(k, (typename of::tagged *)shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        out[r] = sort_put<element>(t, of::key_of(k[r]));
        carried[r] = of::tag_of(k[r]);
    }
    sort_turn_wide(out, (element *)shared);
    sort_turn_wide(carried, (uint32_t *)shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t from = begin + carried[r];
        carried[r] = carried[r] < length && t.carried_from != nullptr ? t.carried_from[from] : from;
    }
    __syncthreads();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SORT_WIDE_THREADS + threadIdx.x;
        if (i >= length) continue;
        b[begin + i] = out[r];
        t.carried_to[begin + i] = carried[r];
    }
}

/* Leaves `first` to first + t.turn - 1, those that are of this kernel's length: both warps find the same. */
template <bool carries, uint32_t each, class element>
static __device__ inline void sort_some_wide_leaves(const sort_table &t, element *b, const element *a,
                                                    uint32_t first, uint64_t *shared) {
    constexpr uint32_t most = SORT_WIDE_THREADS * each;
    const uint32_t leaf = first + sort_lane(), leaves = t.segments * t.row;
    const bool is = sort_lane() < t.turn && leaf < leaves;
    const uint32_t own_begin = is ? t.bucket_begin[leaf] : 0,
                   own = is ? t.bucket_begin[leaf + 1] - own_begin : 0;
    uint32_t todo = __ballot_sync(SORT_ALL_LANES, own > t.leaf_above && own <= most);
    if (own > most && threadIdx.x < SORT_LANES) t.rest[1 + ATOMIC_ADD(&t.rest[0], 1u)] = leaf;
    ROLL for (; todo != 0; todo &= todo - 1) {
        const uint32_t which = (uint32_t)__popc((todo & (0 - todo)) - 1);
        const uint32_t begin = __shfl_sync(SORT_ALL_LANES, own_begin, which);
        const uint32_t length = __shfl_sync(SORT_ALL_LANES, own, which);
        if constexpr (carries) {
            sort_wide_leaf_carry<each>(t, b, a, begin, length, shared);
        } else {
            sort_wide_leaf<each>(t, b + begin, a + begin, length, shared);
        }
        __syncthreads();
    }
}

/** As sort_leaves, for leaves of more than t.leaf_above keys. */
template <bool carries, uint32_t each, class element>
__global__ void LAUNCH_BOUNDS(SORT_WIDE_THREADS, 8)
    sort_wide_leaves(element *b, const element *a, const GRID_CONSTANT sort_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const turn = (uint32_t *)shared_memory;
    const uint32_t leaves = t.segments * t.row;
    for (;;) {
        if (threadIdx.x == 0) *turn = ATOMIC_ADD(t.leaf_turn, 1u);
        __syncthreads();
        const uint32_t first = *turn * t.turn;
        __syncthreads();
        if (first >= leaves) return;
        sort_some_wide_leaves<carries, each>(t, b, a, first, shared_memory + 2);
    }
}
