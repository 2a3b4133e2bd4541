/* SPDX-License-Identifier: Apache-2.0
 *
 * Leaves: buckets are read, sorted in registers and written, a team of lanes a leaf. A team is a warp; for leaves that are
 * too long for one it is a block of two, since arrays of twice as many registers would be twice as many instructions. What is
 * longer still is listed, and sort_long.cu sorts it. Leaves of about one length are one launch, with as many registers as they
 * need: with all lengths in one, instructions would not stay in their cache.
 *
 * Where something is carried along, keys are sorted with their place in the leaf, so that equal ones keep their order.
 */
#include "kernels/sort/sort_block.h"

/** A warp; a block has several. */
struct sort_one_warp {
    static constexpr uint32_t lanes = SORT_LANES, threads = SORT_LEAF_THREADS, blocks = 3;
    static constexpr bool lists = false; /* what is too long for it */
    static __device__ inline uint32_t lane() { return sort_lane(); }
    static __device__ inline void meet() { __syncwarp(); }
    /** The first element of shared memory that is the team's own, for lanes of `each`. An index: of a pointer that a function
     *  returns nvcc does not know that it is shared memory's, and takes a quarter more registers. */
    template <uint32_t each, class element> static __device__ inline uint32_t room() {
        return threadIdx.x / SORT_LANES * SORT_LANES * (each + 1);
    }
    /** What the counter says, which goes on by 1. */
    static __device__ inline uint32_t take(uint32_t *counter, uint64_t *) {
        uint32_t turn = 0;
        if (sort_lane() == 0) turn = ATOMIC_ADD(counter, 1u);
        return __shfl_sync(SORT_ALL_LANES, turn, 0);
    }
    template <uint32_t each, class record, class element>
    static __device__ inline void sort(record (&k)[each], element *) {
        sort_warp(k);
    }
};

/** Two warps that are a block. */
struct sort_two_warps {
    static constexpr uint32_t lanes = SORT_WIDE_THREADS, threads = SORT_WIDE_THREADS, blocks = 8;
    static constexpr bool lists = true;
    static __device__ inline uint32_t lane() { return threadIdx.x; }
    static __device__ inline void meet() { __syncthreads(); }
    template <uint32_t, class element> static __device__ inline uint32_t room() {
        return 16 / sizeof(element); /* behind the turn that is taken */
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
        sort_block<SORT_WIDE_THREADS>(k, (record *)shared);
    }
};

/* What lane k has in register r, in order of lanes, becomes what is at rank lanes * r + k. */
template <class team, uint32_t each, class element>
static __device__ inline void sort_turn(element (&e)[each], element *shared) {
    team::meet();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) shared[sort_cell<each, element>(team::lane() * each + r)] = e[r];
    team::meet();
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        e[r] = shared[sort_cell<each, element>(r * team::lanes + team::lane())];
}

template <class team, uint32_t each, class element>
static __device__ inline void sort_leaf(const sort_table &t, element *b, const element *a, uint32_t length,
                                        element *shared) {
    typedef sort_of<element> of;
    typename of::key k[each];
    element out[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * team::lanes + team::lane();
        k[r] = i < length ? of::get(a[i]) : of::last();
    }
    team::sort(k, shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) out[r] = sort_put<element>(t, k[r]);
    sort_turn<team>(out, shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (r * team::lanes + team::lane() < length) b[r * team::lanes + team::lane()] = out[r];
}

template <class team, uint32_t each, class element>
static __device__ inline void sort_leaf_carry(const sort_table &t, element *b, const element *a, uint32_t begin,
                                              uint32_t length, element *shared) {
    typedef sort_of<element> of;
    typename of::tagged k[each];
    element out[each];
    uint32_t carried[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * team::lanes + team::lane();
        k[r] = of::tag(i < length ? of::get(a[begin + i]) : of::last(), i);
    }
    team::sort(k, shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        out[r] = sort_put<element>(t, of::key_of(k[r]));
        carried[r] = of::tag_of(k[r]);
    }
    sort_turn<team>(out, shared);
    sort_turn<team>(carried, (uint32_t *)shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t from = begin + carried[r];
        carried[r] = carried[r] < length && t.carried_from != nullptr ? t.carried_from[from] : from;
    }
    team::meet();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * team::lanes + team::lane();
        if (i >= length) continue;
        b[begin + i] = out[r];
        t.carried_to[begin + i] = carried[r];
    }
}

/* Leaves `first` to first + t.turn - 1, those that are of this kernel's length: all warps of a team find the same. */
template <class team, bool carries, uint32_t each, class element>
static __device__ inline void sort_some_leaves(const sort_table &t, element *b, const element *a,
                                               uint32_t first, element *shared) {
    constexpr uint32_t most = team::lanes * each;
    const uint32_t leaf = first + sort_lane(), leaves = t.segments * t.row;
    const bool is = sort_lane() < t.turn && leaf < leaves;
    const uint32_t own_begin = is ? t.bucket_begin[leaf] : 0,
                   own = is ? t.bucket_begin[leaf + 1] - own_begin : 0;
    uint32_t todo = __ballot_sync(SORT_ALL_LANES, own > t.leaf_above && own <= most);
    if (team::lists && own > most && threadIdx.x < SORT_LANES)
        t.rest[1 + ATOMIC_ADD(&t.rest[0], 1u)] = leaf;
    ROLL for (; todo != 0; todo &= todo - 1) {
        const uint32_t which = (uint32_t)__popc((todo & (0 - todo)) - 1);
        const uint32_t begin = __shfl_sync(SORT_ALL_LANES, own_begin, which);
        const uint32_t length = __shfl_sync(SORT_ALL_LANES, own, which);
        if constexpr (carries) {
            sort_leaf_carry<team, each>(t, b, a, begin, length, shared);
        } else {
            sort_leaf<team, each>(t, b + begin, a + begin, length, shared);
        }
        if (team::lists) team::meet(); /* the next leaf, or turn, takes the same shared memory */
    }
}

/** From a, where the buckets lie, to b, and from t.carried_from to t.carried_to; they may be the same. Leaves of more than
 *  t.leaf_above keys, as far as a lane's `each` hold them. A grid of any length: a team that is done takes the next leaves. */
template <class team, bool carries, uint32_t each, class element>
__global__ void LAUNCH_BOUNDS(team::threads, team::blocks)
    sort_leaves(element *b, const element *a, const GRID_CONSTANT sort_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const shared = (element *)shared_memory + team::template room<each, element>();
    const uint32_t leaves = t.segments * t.row;
    for (;;) {
        const uint32_t turn = team::take(t.leaf_turn, shared_memory);
        if (turn * t.turn >= leaves) return;
        sort_some_leaves<team, carries, each>(t, b, a, turn * t.turn, shared);
    }
}
