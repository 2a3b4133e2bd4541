/* SPDX-License-Identifier: Apache-2.0
 *
 * All elements beside two bounds of the pivot, which a sample makes: each warp counts what is less than each bound, and what equals it, and
 * lists what is between them. Where the pivot is not there, the bounds of a second attempt are both the pivot.
 */
#include "sort/kernels/select/part_share.h"
#include "sort/kernels/select/select_staged.h"
#include "sort/kernels/sort_block.h"

/* The bound of that rank among what goes on of the sample, and whether it is there more than once. */
template <uint32_t each, class element>
static __device__ inline bool part_bound(const element *picked, uint32_t count, uint32_t rank, element *bound,
                                         uint64_t *shared) {
    element k[each];
    uint32_t alike = 0;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SELECT_THREADS + threadIdx.x;
        k[r] = i < count ? picked[i] : sort_of<element>::last();
    }
    sort_block<SELECT_THREADS>(k, (element *)shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (threadIdx.x * each + r == rank) *(element *)shared = k[r];
    __syncthreads();
    *bound = *(const element *)shared;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) alike += k[r] == *bound ? 1 : 0;
    sort_sum_before(alike, (uint32_t *)(shared + 1), &alike);
    return alike > 1;
}

/** Both bounds, a block each, from what goes on of the sample. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 1)
    part_bounds(element *, const element *, const GRID_CONSTANT part_table p) {
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t few = SELECT_MOST_GROUPS * SELECT_WINDOW, many = PART_MOST_GROUPS * SELECT_WINDOW;
    const uint32_t side = blockIdx.x, count = p.of.groups * SELECT_WINDOW;
    const element *const picked = (const element *)p.of.picked + side * count;
    element bound = part_open<element>(p.of.coder, side);
    bool is_alike = false;
    if (p.is_open[side] == 0)
        is_alike = count <= few
                       ? part_bound<few / SELECT_THREADS>(picked, count, p.rank[side], &bound, shared_memory)
                       : part_bound<many / SELECT_THREADS>(picked, count, p.rank[side], &bound, shared_memory);
    if (threadIdx.x != 0) return;
    ((element *)p.of.bounds)[side] = bound;
    p.listed.counts[PART_ALIKE + side] = is_alike ? 1 : 0;
}

/* The bounds as stretches of codes, and how many elements of a thread come before the first, up to its end, between them, and up to the end of
 * the second. */
template <class number> struct part_counts {
    part_stretch<number> low, high;
    uint32_t under, up_to_low, between, up_to_high;

    /* True if it is between them. */
    __device__ inline bool add(number code, bool is) {
        const bool ends_low = code <= low.last;
        under += is && code < low.first ? 1 : 0;
        up_to_low += is && ends_low ? 1 : 0;
        up_to_high += is && code <= high.last ? 1 : 0;
        return is && !ends_low && code < high.first;
    }

    /* The same where few equal the bounds, which are then between them, too. */
    __device__ inline bool add_closed(number code, bool is) {
        under += is && code < low.first ? 1 : 0;
        return is && (number)(code - low.first) <= (number)(high.last - low.first);
    }

    /* Nothing has been counted of what equals the bounds. */
    __device__ inline void close() {
        up_to_low = under;
        up_to_high = under + between;
    }
};

/* A lane's elements that are between, a bit each of a vector's. */
struct part_between {
    uint32_t of[PART_SHARE_VECTORS];

    template <bool is_closed, bool is_whole, class element, class number>
    __device__ inline void count(const select_coder &by, const part_seen<element> &seen, const part_place &at,
                                 part_counts<number> &c) {
        UNROLL
        for (uint32_t i = 0; i < PART_SHARE_VECTORS; ++i) {
            of[i] = 0;
            UNROLL
            for (uint32_t j = 0; j < seen.EACH; ++j) {
                const number code = part_code(by, seen.v[i].part[j]);
                const bool is = is_whole || at.has<element>(i, j);
                of[i] |= ((is_closed ? c.add_closed(code, is) : c.add(code, is)) ? 1u : 0u) << j;
            }
        }
    }
    __device__ inline uint32_t sum() const {
        uint32_t all = 0;
        UNROLL
        for (uint32_t i = 0; i < PART_SHARE_VECTORS; ++i) all += (uint32_t)__popc(of[i]);
        return all;
    }
};

/* A lane's elements of vector i that are between, to `to` and behind. */
template <class element, class listed>
static __device__ inline listed *part_stage_vector(const select_table &t, const part_seen<element> &seen,
                                                   const part_place &place, const part_between &between,
                                                   uint32_t i, listed *to) {
    typedef select_candidate<true, typename select_of<element>::word> candidate;
    UNROLL
    for (uint32_t j = 0; j < seen.EACH; ++j)
        if ((between.of[i] >> j & 1) != 0)
            *to++ = candidate::of(select_code(t.coder, seen.v[i].part[j]),
                                  t.first + place.first + place.number<element>(i, j));
    return to;
}

/* A tile's elements that are between are held back, `own` of this lane: all at once, or vector by vector where they are many. */
template <class element, class listed>
static __device__ inline void part_list(const select_table &t, const part_seen<element> &seen,
                                        const part_place &place, const part_between &between, uint32_t own,
                                        select_staged<listed> &s) {
    constexpr uint32_t most = part_seen<element>::STAGED;
    if (__ballot_sync(WARP_ALL_LANES, own > 0) == 0) return;
    const uint32_t up = warp_sum_up(own), all = warp_from_lane(up, WARP_LANES - 1);
    if (s.held + all > most) select_flush(s, select_room(s.count, s.held));
    if (all <= most) {
        listed *to = s.own + s.held + up - own;
        UNROLL
        for (uint32_t i = 0; i < PART_SHARE_VECTORS; ++i)
            to = part_stage_vector(t, seen, place, between, i, to);
        s.held += all;
        return;
    }
    UNROLL
    for (uint32_t i = 0; i < PART_SHARE_VECTORS; ++i) {
        const uint32_t here = (uint32_t)__popc(between.of[i]), upto = warp_sum_up(here),
                       of_vector = warp_from_lane(upto, WARP_LANES - 1);
        if (s.held + of_vector > most) select_flush(s, select_room(s.count, s.held));
        part_stage_vector(t, seen, place, between, i, s.own + s.held + upto - here);
        s.held += of_vector;
    }
}

/* All of a warp's share. */
template <bool is_closed, class element, class number, class staged>
static __device__ inline void part_filter_share(const select_table &t, const element *a, uint32_t number_of,
                                                part_counts<number> &c, staged &s) {
    const part_share share = part_share::of(t, a, number_of);
    for (uint32_t first = share.first; first < share.end; first += part_seen<element>::VECTORS) {
        const part_place at = part_place::of(a, t.n, share, first);
        part_seen<element> seen;
        seen.read(a, t.n, first, share.end);
        part_between between;
        if (at.is_whole<element>())
            between.count<is_closed, true>(t.coder, seen, at, c);
        else
            between.count<is_closed, false>(t.coder, seen, at, c);
        const uint32_t own = between.sum();
        c.between += own;
        part_list(t, seen, at, between, own, s);
    }
    if (is_closed) c.close();
    select_flush(s, select_room(s.count, s.held));
}

/* True if few elements equal the bounds, as far as the sample says. */
template <class number>
static __device__ inline bool part_is_closed(const part_table &p, const part_counts<number> &c) {
    return p.of.attempt == 0 && c.low.first <= c.high.last &&
           p.listed.counts[PART_ALIKE] + p.listed.counts[PART_ALIKE + 1] == 0;
}

/* A warp's sums of its lanes' counts: as classes, or, of a second attempt, as what is before the pivot and what equals it. */
template <class number>
static __device__ inline void part_write(const part_table &p, uint32_t share, const part_counts<number> &c) {
    const uint32_t under = warp_sum(c.under), up_to_low = warp_sum(c.up_to_low), between = warp_sum(c.between),
                   up_to_high = warp_sum(c.up_to_high);
    if (warp_lane() != 0) return;
    if (p.of.attempt > 0) {
        p.fronts[share] = under;
        p.equals[share] = up_to_low - under;
        return;
    }
    uint32_t *const to = p.classes + share;
    to[0] = under;
    to[p.shares] = up_to_low;
    to[2 * p.shares] = up_to_low + between;
    to[3 * p.shares] = up_to_high;
}

/** a has the elements, of which each warp counts a share. */
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
    const uint32_t share = blockIdx.x * PART_SHARES + threadIdx.x / WARP_LANES;
    part_counts<word> c = {part_stretch_of(t.coder, t.attempt > 0 ? exact : bounds[0]),
                           part_stretch_of(t.coder, t.attempt > 0 ? exact : bounds[1]),
                           0,
                           0,
                           0,
                           0};
    select_staged<listed> s = {(listed *)t.list,
                               (listed *)(shared_memory + PART_LEAD / 2) +
                                   threadIdx.x / WARP_LANES * part_seen<element>::STAGED,
                               &t.counts[PART_LISTED], t.capacity, 0};
    if (part_is_closed(p, c))
        part_filter_share<true>(t, a, share, c, s);
    else
        part_filter_share<false>(t, a, share, c, s);
    part_write(p, share, c);
}
