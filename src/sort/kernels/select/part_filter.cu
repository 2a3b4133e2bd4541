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

/* The bounds as stretches of codes, and how many elements of a thread come before the first, up to its end, and up to the end of the second. */
template <class number> struct part_counts {
    part_stretch<number> low, high;
    uint32_t under, up_to_low, up_to_high;

    /* True if it is between them. */
    __device__ inline bool add(number code, bool is) {
        const bool ends_low = code <= low.last;
        under += is && code < low.first ? 1 : 0;
        up_to_low += is && ends_low ? 1 : 0;
        up_to_high += is && code <= high.last ? 1 : 0;
        return is && !ends_low && code < high.first;
    }
};

/* A thread's vectors of a tile, an element a bit. */
template <class element> struct part_seen {
    enum { EACH = vector_of<element>::ELEMENTS };
    vector_of<element> v[SELECT_VECTORS];

    __device__ inline void read(const element *a, uint32_t n, uint64_t first, uint64_t end) {
        UNROLL
        for (uint32_t i = 0; i < SELECT_VECTORS; ++i)
            select_read(a, n, first + i * SELECT_THREADS + threadIdx.x, end, v[i]);
    }

    /* A bit for each that is between. */
    template <class number>
    __device__ inline uint64_t count(const select_coder &by, part_counts<number> &c) const {
        uint64_t between = 0;
        UNROLL
        for (uint32_t i = 0; i < SELECT_VECTORS; ++i) {
            uint32_t of = 0;
            if (v[i].valid == (1u << EACH) - 1) {
                UNROLL
                for (uint32_t j = 0; j < EACH; ++j)
                    of |= (c.add(part_code(by, v[i].of.part[j]), true) ? 1u : 0u) << j;
            } else {
                UNROLL
                for (uint32_t j = 0; j < EACH; ++j)
                    of |= (c.add(part_code(by, v[i].of.part[j]), (v[i].valid >> j & 1) != 0) ? 1u : 0u) << j;
            }
            between |= (uint64_t)of << (i * EACH);
        }
        return between;
    }

    /* The element of a bit. */
    __device__ inline uint32_t place(uint32_t bit) const {
        return (uint32_t)(v[0].first + (int64_t)(bit / EACH) * (SELECT_THREADS * EACH) + bit % EACH);
    }
};

/* A thread's elements of a tile, those of `mask`, are listed: few of all, which are read again one by one. */
template <class element>
static __device__ inline void
part_list(const select_table &t, const element *a, const part_seen<element> &seen, uint64_t mask,
          select_staged<typename select_candidate<true, typename select_of<element>::word>::type> &s) {
    typedef select_candidate<true, typename select_of<element>::word> candidate;
    const uint32_t own = (uint32_t)__popc((uint32_t)mask) + (uint32_t)__popc((uint32_t)(mask >> 32));
    if (__ballot_sync(WARP_ALL_LANES, own > 0) == 0) return;
    const uint32_t up = warp_sum_up(own), all = warp_from_lane(up, WARP_LANES - 1);
    const bool is_direct = all > SELECT_STAGED;
    uint32_t at = up - own;
    if (s.held + all > SELECT_STAGED) select_flush(s, select_room(s.count, s.held));
    at += is_direct ? select_room(s.count, all) : s.held;
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t i = seen.place(part_lowest(mask));
        const typename candidate::type c = candidate::of(select_code(t.coder, a[i]), t.first + i);
        if (!is_direct)
            s.own[at] = c;
        else if (at < s.capacity)
            s.list[at] = c;
        ++at;
    }
    if (!is_direct) s.held += all;
}

/* The block's sums of its threads' counts: as classes, or, of a second attempt, as what is before the pivot and what equals it. */
static __device__ inline void part_write(const part_table &p, const uint32_t (&up_to)[PART_CLASSES],
                                         uint32_t *shared) {
    constexpr uint32_t warps = SELECT_THREADS / WARP_LANES;
    UNROLL
    for (uint32_t k = 0; k < PART_CLASSES; ++k) {
        const uint32_t sum = warp_sum_up(up_to[k]);
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
    if (t.attempt > 0 && part_is_found(p)) return;
    const word exact = t.attempt > 0 ? select_step<PART_DIGIT_BITS, word>(t, t.rounds, shared).code : 0;
    const word *const bounds = (const word *)t.bounds;
    part_counts<word> c = {part_stretch_of(t.coder, t.attempt > 0 ? exact : bounds[0]),
                           part_stretch_of(t.coder, t.attempt > 0 ? exact : bounds[1]), 0, 0, 0};
    select_staged<listed> s = {
        (listed *)t.list, (listed *)(shared_memory + PART_LEAD / 2) + threadIdx.x / WARP_LANES * SELECT_STAGED,
        &t.counts[PART_LISTED], t.capacity, 0};
    uint32_t between = 0;
    uint64_t first;
    const uint64_t end = select_vectors(t, a, &first);
    for (; first < end; first += SELECT_VECTORS * SELECT_THREADS) {
        part_seen<element> seen;
        seen.read(a, t.n, first, end);
        const uint64_t mask = seen.count(t.coder, c);
        between += (uint32_t)__popc((uint32_t)mask) + (uint32_t)__popc((uint32_t)(mask >> 32));
        part_list(t, a, seen, mask, s);
    }
    select_flush(s, select_room(s.count, s.held));
    __syncthreads();
    const uint32_t up_to[PART_CLASSES] = {c.under, c.up_to_low, c.up_to_low + between, c.up_to_high};
    part_write(p, up_to, shared);
}
