/* SPDX-License-Identifier: Apache-2.0
 *
 * All elements beside two bounds of the pivot, which a sample makes: each block counts what is less than each bound, and what equals it, and
 * lists what is between them. Where the pivot is not there, the bounds of a second attempt are both the pivot.
 */
#include "sort/kernels/select/part_code.h"
#include "sort/kernels/select/select_staged.h"
#include "sort/kernels/sort_block.h"

/** Both bounds, a block each, from what goes on of the sample. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 1)
    part_bounds(element *, const element *, const GRID_CONSTANT part_table p) {
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = SELECT_MOST_GROUPS * SELECT_WINDOW / SELECT_THREADS;
    const uint32_t side = blockIdx.x, count = p.of.groups * SELECT_WINDOW;
    const element *const picked = (const element *)p.of.picked + side * count;
    element *const bounds = (element *)p.of.bounds, k0 = part_open<element>(p.of.coder, side);
    element k[each];
    if (p.is_open[side] != 0) {
        if (threadIdx.x == 0) bounds[side] = k0;
        return;
    }
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SELECT_THREADS + threadIdx.x;
        k[r] = i < count ? picked[i] : sort_of<element>::last();
    }
    sort_block<SELECT_THREADS>(k, (element *)shared_memory);
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (threadIdx.x * each + r == p.rank[side]) bounds[side] = k[r];
}

/* The bounds as stretches of codes, and how many elements of a thread are in each class and those before. */
template <class number> struct part_counts {
    part_stretch<number> low, high;
    uint32_t up_to[PART_CLASSES];

    /* True if it is between them. */
    __device__ inline bool add(number code) {
        const bool low_ends = code <= low.last, is_between = !low_ends && code < high.first;
        up_to[0] += code < low.first ? 1 : 0;
        up_to[1] += low_ends ? 1 : 0;
        up_to[2] += low_ends || is_between ? 1 : 0;
        up_to[3] += code <= high.last ? 1 : 0;
        return is_between;
    }
};

/* A thread's elements of a vector; a bit for each that is between. */
template <class element, class number>
static __device__ inline uint32_t part_count(const select_coder &by, const vector_of<element> &v,
                                             part_counts<number> &c) {
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    uint32_t between = 0;
    if (v.valid == (1u << each) - 1) {
        UNROLL
        for (uint32_t j = 0; j < each; ++j) between |= (c.add(part_code(by, v.of.part[j])) ? 1u : 0u) << j;
    } else {
        UNROLL
        for (uint32_t j = 0; j < each; ++j)
            if ((v.valid >> j & 1) != 0) between |= (c.add(part_code(by, v.of.part[j])) ? 1u : 0u) << j;
    }
    return between;
}

/* A thread's elements of some vectors, those of the masks, are listed. */
template <uint32_t vectors, class element>
static __device__ inline void
part_list(const select_table &t, const vector_of<element> (&v)[vectors], const uint32_t (&mask)[vectors],
          select_staged<typename select_candidate<true, typename select_of<element>::word>::type> &s) {
    typedef select_candidate<true, typename select_of<element>::word> candidate;
    uint32_t own = 0;
    UNROLL
    for (uint32_t i = 0; i < vectors; ++i) own += (uint32_t)__popc(mask[i]);
    if (__ballot_sync(WARP_ALL_LANES, own > 0) == 0) return;
    const uint32_t up = warp_sum_up(own), all = warp_from_lane(up, WARP_LANES - 1);
    const bool is_direct = all > SELECT_STAGED;
    uint32_t at = up - own;
    if (s.held + all > SELECT_STAGED) select_flush(s, select_room(s.count, s.held));
    at += is_direct ? select_room(s.count, all) : s.held;
    UNROLL
    for (uint32_t i = 0; i < vectors; ++i) {
        if (mask[i] == 0) continue;
        UNROLL
        for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j) {
            if ((mask[i] >> j & 1) == 0) continue;
            const typename candidate::type c =
                candidate::of(select_code(t.coder, v[i].of.part[j]), t.first + (uint32_t)(v[i].first + j));
            if (!is_direct)
                s.own[at] = c;
            else if (at < s.capacity)
                s.list[at] = c;
            ++at;
        }
    }
    if (!is_direct) s.held += all;
}

/* The block's sums of its threads' counts: as classes, or, of a second attempt, as what is before the pivot and what equals it. */
template <class number>
static __device__ inline void part_write(const part_table &p, const part_counts<number> &c, uint32_t *shared) {
    constexpr uint32_t warps = SELECT_THREADS / WARP_LANES;
    UNROLL
    for (uint32_t k = 0; k < PART_CLASSES; ++k) {
        const uint32_t sum = warp_sum_up(c.up_to[k]);
        if (warp_lane() == WARP_LANES - 1) shared[k * warps + threadIdx.x / WARP_LANES] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= PART_CLASSES) return;
    uint32_t all = 0, before = 0;
    for (uint32_t w = 0; w < warps; ++w) {
        all += shared[threadIdx.x * warps + w];
        if (threadIdx.x > 0) before += shared[(threadIdx.x - 1) * warps + w];
    }
    if (p.of.attempt == 0) p.classes[threadIdx.x * p.of.blocks + blockIdx.x] = all;
    if (p.of.attempt > 0 && threadIdx.x == 0) p.fronts[blockIdx.x] = all;
    if (p.of.attempt > 0 && threadIdx.x == 1) p.equals[blockIdx.x] = all - before;
}

/** a has the elements. Each block reads p.of.vectors vectors. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 3)
    part_filter(element *, const element *a, const GRID_CONSTANT part_table p) {
    typedef typename select_of<element>::word word;
    typedef typename select_candidate<true, word>::type listed;
    extern __shared__ uint64_t shared_memory[];
    const select_table &t = p.of;
    uint32_t *const shared = (uint32_t *)shared_memory;
    if (t.attempt > 0 && select_is_done(t, 0)) return;
    const word exact = t.attempt > 0 ? select_step<word>(t, t.rounds, shared).code : 0;
    const word *const bounds = (const word *)t.bounds;
    part_counts<word> c = {part_stretch_of(t.coder, t.attempt > 0 ? exact : bounds[0]),
                           part_stretch_of(t.coder, t.attempt > 0 ? exact : bounds[1]),
                           {0, 0, 0, 0}};
    select_staged<listed> s = {
        (listed *)t.list, (listed *)(shared_memory + PART_LEAD / 2) + threadIdx.x / WARP_LANES * SELECT_STAGED,
        &t.counts[PART_LISTED], t.capacity, 0};
    uint64_t first;
    const uint64_t end = select_vectors(t, a, &first);
    for (; first < end; first += SELECT_VECTORS * SELECT_THREADS) {
        vector_of<element> v[SELECT_VECTORS];
        uint32_t mask[SELECT_VECTORS];
        UNROLL
        for (uint32_t i = 0; i < SELECT_VECTORS; ++i)
            select_read(a, t.n, first + i * SELECT_THREADS + threadIdx.x, end, v[i]);
        UNROLL
        for (uint32_t i = 0; i < SELECT_VECTORS; ++i) mask[i] = part_count(t.coder, v[i], c);
        part_list(t, v, mask, s);
    }
    select_flush(s, select_room(s.count, s.held));
    __syncthreads();
    part_write(p, c, shared);
}
