/* SPDX-License-Identifier: Apache-2.0
 *
 * Leaves: buckets are read, sorted in registers and written, a warp a leaf. Leaves of about one length are one
 * launch, with as many registers as they need: with all lengths in one, instructions would not stay in their cache. Longer
 * ones are for sort_wide_leaves.cu.
 *
 * Where something is carried along, keys are sorted with their place in the leaf, so that equal ones keep their order.
 */
#include "kernels/sort/sort_registers.h"

/* The warp's records, in order of lanes, as what lane `l` and register r have at rank 32 r + l. */
template <uint32_t each, class element>
static __device__ inline void sort_turn(element (&e)[each], element *shared) {
    __syncwarp();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) shared[sort_cell<each, element>(sort_lane() * each + r)] = e[r];
    __syncwarp();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) e[r] = shared[sort_cell<each, element>(r * SORT_LANES + sort_lane())];
}

template <uint32_t each, class element>
static __device__ inline void sort_leaf(const sort_table &t, element *b, const element *a, uint32_t length,
                                        element *shared) {
    typedef sort_of<element> of;
    typename of::key k[each];
    element out[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SORT_LANES + sort_lane();
        k[r] = i < length ? of::get(a[i]) : of::last();
    }
    sort_warp(k);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) out[r] = sort_put<element>(t, k[r]);
    sort_turn(out, shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (r * SORT_LANES + sort_lane() < length) b[r * SORT_LANES + sort_lane()] = out[r];
}

template <uint32_t each, class element>
static __device__ inline void sort_leaf_carry(const sort_table &t, element *b, const element *a, uint32_t begin,
                                              uint32_t length, element *shared) {
    typedef sort_of<element> of;
    typename of::tagged k[each];
    element out[each];
    uint32_t carried[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SORT_LANES + sort_lane();
        k[r] = of::tag(i < length ? of::get(a[begin + i]) : of::last(), i);
    }
    sort_warp(k);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        out[r] = sort_put<element>(t, of::key_of(k[r]));
        carried[r] = of::tag_of(k[r]);
    }
    sort_turn(out, shared);
    sort_turn(carried, (uint32_t *)shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t from = begin + carried[r];
        carried[r] = carried[r] < length && t.carried_from != nullptr ? t.carried_from[from] : from;
    }
    __syncwarp();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SORT_LANES + sort_lane();
        if (i >= length) continue;
        b[begin + i] = out[r];
        t.carried_to[begin + i] = carried[r];
    }
}

/* Leaves `first` to first + t.turn - 1, those that are of this kernel's length. */
template <bool carries, uint32_t each, class element>
static __device__ inline void sort_some_leaves(const sort_table &t, element *b, const element *a,
                                               uint32_t first, element *shared) {
    const uint32_t leaf = first + sort_lane(), leaves = t.segments * t.row;
    const bool is = sort_lane() < t.turn && leaf < leaves;
    const uint32_t own_begin = is ? t.bucket_begin[leaf] : 0,
                   own = is ? t.bucket_begin[leaf + 1] - own_begin : 0;
    uint32_t todo = __ballot_sync(SORT_ALL_LANES, own > t.leaf_above && own <= SORT_LANES * each);
    ROLL for (; todo != 0; todo &= todo - 1) {
        const uint32_t which = (uint32_t)__popc((todo & (0 - todo)) - 1);
        const uint32_t begin = __shfl_sync(SORT_ALL_LANES, own_begin, which);
        const uint32_t length = __shfl_sync(SORT_ALL_LANES, own, which);
        if constexpr (carries) {
            sort_leaf_carry<each>(t, b, a, begin, length, shared);
        } else {
            sort_leaf<each>(t, b + begin, a + begin, length, shared);
        }
    }
}

/** From a, where the buckets lie, to b, and from t.carried_from to t.carried_to; they may be the same. Leaves of more than
 *  t.leaf_above keys, as far as a lane's `each` hold them. A grid of any length: a warp that is done takes the next leaves. */
template <bool carries, uint32_t each, class element>
__global__ void LAUNCH_BOUNDS(SORT_LEAF_THREADS, 3)
    sort_leaves(element *b, const element *a, const GRID_CONSTANT sort_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const shared = (element *)shared_memory + threadIdx.x / SORT_LANES * SORT_LANES * (each + 1);
    const uint32_t leaves = t.segments * t.row;
    for (;;) {
        uint32_t turn = 0;
        if (sort_lane() == 0) turn = ATOMIC_ADD(t.leaf_turn, 1u);
        turn = __shfl_sync(SORT_ALL_LANES, turn, 0);
        if (turn * t.turn >= leaves) return;
        sort_some_leaves<carries, each>(t, b, a, turn * t.turn, shared);
    }
}
