/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates for the first `count` elements: all that come before a bound, and those that equal it if the sample has few of these. A warp
 * holds its own back until it has many, and takes room for them in the list at once; the list's order says nothing. An element that equals
 * the bound and is no candidate is counted, by each block.
 */
#include "sort/kernels/select/select_digits.h"
#include "sort/kernels/select/select_read.h"
#include "sort/kernels/select/select_staged.h"

/* A thread's candidates of a vector, those of `mask`. */
template <bool placed, class element>
static __device__ inline void
select_append(const select_table &t, const vector_of<element> &v, uint32_t mask,
              select_staged<typename select_candidate<placed, typename select_of<element>::word>::type> &s) {
    typedef select_candidate<placed, typename select_of<element>::word> candidate;
    const uint32_t own = (uint32_t)__popc(mask), up = warp_sum_up(own);
    const uint32_t all = warp_from_lane(up, WARP_LANES - 1);
    const bool is_direct = all > SELECT_STAGED;
    uint32_t at = up - own;
    if (s.held + all > SELECT_STAGED) select_flush(s, select_room(s.count, s.held));
    at += is_direct ? select_room(s.count, all) : s.held;
    UNROLL
    for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j) {
        if ((mask >> j & 1) == 0) continue;
        const typename candidate::type c =
            candidate::of(select_code(t.coder, v.of.part[j]), t.first + (uint32_t)(v.first + j));
        if (!is_direct)
            s.own[at] = c;
        else if (at < s.capacity)
            s.list[at] = c;
        ++at;
    }
    if (!is_direct) s.held += all;
}

/* Sums of the block's warps, of two numbers each: [warp][2] at `shared`. */
static __device__ inline void select_note(uint32_t *shared, uint32_t held, uint32_t ties) {
    const uint32_t all = warp_from_lane(warp_sum_up(ties), WARP_LANES - 1), warp = threadIdx.x / WARP_LANES;
    __syncthreads();
    if (warp_lane() == 0) {
        shared[2 * warp] = held;
        shared[2 * warp + 1] = all;
    }
    __syncthreads();
}

/* All that warps still hold is written, for which the block takes room at once; and its ties are. */
template <class listed>
static __device__ inline void select_finish(const select_table &t, select_staged<listed> &s, uint32_t ties,
                                            uint32_t *shared) {
    constexpr uint32_t warps = SELECT_THREADS / WARP_LANES;
    uint32_t held = 0, before = 0, all_ties = 0;
    select_note(shared, s.held, ties);
    for (uint32_t w = 0; w < warps; ++w) {
        if (w < threadIdx.x / WARP_LANES) before += shared[2 * w];
        held += shared[2 * w];
        all_ties += shared[2 * w + 1];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        shared[0] = held > 0 ? ATOMIC_ADD(s.count, held) : 0;
        t.ties[t.attempt * t.blocks + blockIdx.x] = all_ties;
        if (all_ties > 0) ATOMIC_ADD(&t.counts[SELECT_TIES + t.attempt], all_ties);
    }
    __syncthreads();
    select_flush(s, shared[0] + before);
}

/** a has the elements. Each block reads t.vectors vectors. */
template <bool placed, class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 3)
    select_filter(element *, const element *a, const GRID_CONSTANT select_table t) {
    typedef typename select_of<element>::word word;
    typedef typename sort_of<word>::key key;
    typedef typename select_candidate<placed, word>::type listed;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    uint32_t *const shared = (uint32_t *)shared_memory;
    if (t.attempt > 0 && select_is_done(t, 0)) return;
    const key bound = t.attempt == 0 ? select_bound<word>(t, 0)
                                     : select_step<SELECT_DIGIT_BITS, word>(t, t.rounds, shared).code;
    const bool takes_ties =
        t.attempt == 0 && sort_before(bound, sort_of<word>::get(((const word *)t.bounds)[1]));
    const key most = select_most(t.coder, bound);
    select_staged<listed> s = {(listed *)t.list,
                               (listed *)(shared_memory + SELECT_THREADS / WARP_LANES) +
                                   threadIdx.x / WARP_LANES * SELECT_STAGED,
                               &t.counts[t.attempt], t.capacity, 0};
    uint32_t ties = 0;
    uint64_t first;
    const uint64_t end = select_vectors(t, a, &first);
    for (; first < end; first += SELECT_VECTORS * SELECT_THREADS) {
        vector_of<element> v[SELECT_VECTORS];
        select_read_tile(a, t.n, first, end, v);
        UNROLL
        for (uint32_t i = 0; i < SELECT_VECTORS; ++i) {
            uint32_t mask = 0, same = 0;
            if (__ballot_sync(WARP_ALL_LANES, select_may(t.coder, v[i], most)) == 0) continue;
            UNROLL
            for (uint32_t j = 0; j < each; ++j) {
                const key code = select_code(t.coder, v[i].of.part[j]);
                if (sort_before(code, bound)) mask |= 1u << j;
                if (sort_same(code, bound)) same |= 1u << j;
            }
            if (takes_ties) {
                mask |= same;
            } else {
                ties += (uint32_t)__popc(same & v[i].valid);
            }
            mask &= v[i].valid;
            if (__ballot_sync(WARP_ALL_LANES, mask != 0) != 0) select_append<placed>(t, v[i], mask, s);
        }
    }
    select_finish(t, s, ties, shared);
}
