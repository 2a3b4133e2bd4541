/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements to their side of the pivot, in their order, a tile of a block at a time: what comes before, and then all else, stands in shared memory as
 * it goes out, as two runs, each of which lies in its vectors as it does in the result.
 *
 *     result    | before, and the first of what equals it | pivot | the rest of what equals it, and behind |
 *     slots     |   before |   behind |
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_PART_TILES_H
#define RIFFLE_SORT_KERNELS_SELECT_PART_TILES_H

#include "sort/kernels/select/part_code.h"
#include "sort/kernels/select/select_put.h"

/** How many elements are less than the pivot, and how many equal it, up to some place. */
struct part_ranks {
    uint32_t less, equal;
};

/** Where a tile's elements go. */
struct part_way {
    part_ranks before; /* in all tiles before */
    uint32_t wanted;   /* so many that equal the pivot come before it */
    uint32_t pivot;    /* its place */
    uint32_t first;    /* the tile's first element */

    static __device__ inline uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
    __device__ inline uint32_t fronts(const part_ranks &r) const { return r.less + least(r.equal, wanted); }
    __device__ inline uint32_t front() const { return fronts(before); }
    __device__ inline uint32_t behind() const {
        return pivot + 1 + (first - front()) - (before.equal > wanted ? 1 : 0);
    }
    /* True if the pivot is in a tile after which so many are equal. */
    __device__ inline bool has_pivot(uint32_t equal) const { return before.equal <= wanted && equal > wanted; }
};

/* A thread's elements of a tile, and by a bit each whether they are less than the pivot, or equal it. */
template <class element> struct part_held {
    vector_of<element> v[PART_VECTORS];
    uint32_t less[PART_VECTORS], equal[PART_VECTORS];

    /* A warp's vectors lie side by side. */
    __device__ inline void read(const element *a, uint32_t n, uint64_t first, uint64_t end) {
        const uint64_t own = first + threadIdx.x / WARP_LANES * (PART_VECTORS * WARP_LANES) + warp_lane();
        UNROLL
        for (uint32_t i = 0; i < PART_VECTORS; ++i) select_read(a, n, own + i * WARP_LANES, end, v[i]);
    }

    template <class number>
    __device__ inline void compare(const select_coder &by, const part_stretch<number> &s) {
        UNROLL
        for (uint32_t i = 0; i < PART_VECTORS; ++i) {
            uint32_t up_to_first = 0, up_to_last = 0;
            UNROLL
            for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j) {
                const number code = part_code(by, v[i].of.part[j]);
                up_to_first |= (code < s.first ? 1u : 0u) << j;
                up_to_last |= (code <= s.last ? 1u : 0u) << j;
            }
            less[i] = up_to_first & v[i].valid;
            equal[i] = up_to_last & ~up_to_first & v[i].valid;
        }
    }
};

/* Two sums of up to 16 bits each. */
static __device__ inline uint32_t part_pair(uint32_t less, uint32_t equal) {
    return (uint32_t)__popc(less) | (uint32_t)__popc(equal) << 16;
}
static __device__ inline part_ranks part_of_pair(uint32_t pair) {
    return part_ranks{pair & 0xffff, pair >> 16};
}

/* Where each vector of a thread begins among the tile's, and the tile's sum. */
template <class element>
static __device__ inline uint32_t part_scan(const part_held<element> &held, uint32_t (&begin)[PART_VECTORS],
                                            uint32_t *shared) {
    uint32_t sum = 0;
    shared += WARP_LANES; /* behind the sums of the beginning */
    UNROLL
    for (uint32_t i = 0; i < PART_VECTORS; ++i) {
        const uint32_t own = part_pair(held.less[i], held.equal[i]), up = warp_sum_up(own);
        begin[i] = sum + up - own;
        sum += warp_from_lane(up, WARP_LANES - 1);
    }
    if (warp_lane() == 0) shared[threadIdx.x / WARP_LANES] = sum;
    __syncthreads();
    const uint32_t of_warp = warp_lane() < SELECT_THREADS / WARP_LANES ? shared[warp_lane()] : 0,
                   up = warp_sum_up(of_warp), before = warp_from_lane(up - of_warp, threadIdx.x / WARP_LANES);
    UNROLL
    for (uint32_t i = 0; i < PART_VECTORS; ++i) begin[i] += before;
    return warp_from_lane(up, WARP_LANES - 1);
}

/* Shared memory has elements, or their numbers in the tile where more goes along. */
template <bool carries, class element> struct part_staged {
    typedef element type;
    enum { EACH = vector_of<element>::ELEMENTS };
    static __device__ inline element of(element e, uint32_t) { return e; }
};
template <class element> struct part_staged<true, element> {
    typedef uint16_t type;
    enum { EACH = 1 };
    static __device__ inline uint16_t of(element, uint32_t i) { return (uint16_t)i; }
};

/* A tile's two runs: how long they are, where they go, and where in shared memory they lie. */
struct part_runs {
    uint32_t fronts, behinds; /* elements */
    uint32_t front, behind;   /* places of the first ones */
    uint32_t front_slot, behind_slot;
};

/* `each` elements are a vector, and `lead` lie before the result's first in its own. */
static __device__ inline part_runs part_runs_of(const part_way &way, uint32_t fronts, uint32_t behinds,
                                                uint32_t lead, uint32_t each) {
    part_runs r = {fronts, behinds, way.front(), way.behind(), 0, 0};
    r.front_slot = (r.front + lead) % each;
    r.behind_slot = (r.front_slot + fronts + each - 1) / each * each + (r.behind + lead) % each;
    return r;
}

/* All of element `from` goes to place `to`. */
template <class element>
static __device__ inline void part_put(const part_along &p, element *b, const element *a, uint32_t to,
                                       uint32_t from) {
    const uint64_t there = (uint64_t)p.first + to, here = (uint64_t)p.first + from;
    if (b != nullptr) b[to] = a[from];
    if (p.indices != nullptr) select_put(p.indices, there, p.index_bytes, here);
    if (p.values != nullptr)
        select_put(p.values, there, p.value_bytes, select_get(p.from_values, here, p.value_bytes));
}

/* A thread's elements to their slots. `is_before`: what equals the pivot comes before it. */
template <bool carries, class element>
static __device__ inline void part_stage(const part_way &way, const part_held<element> &held,
                                         const uint32_t (&begin)[PART_VECTORS], const part_runs &runs,
                                         bool is_before, typename part_staged<carries, element>::type *slots) {
    UNROLL
    for (uint32_t i = 0; i < PART_VECTORS; ++i) {
        const part_ranks own = part_of_pair(begin[i]);
        const uint32_t fronts = held.less[i] | (is_before ? held.equal[i] : 0), valid = held.v[i].valid,
                       at = (uint32_t)held.v[i].first - way.first;
        uint32_t to = runs.front_slot + own.less + (is_before ? own.equal : 0),
                 other = runs.behind_slot + at + runs.front_slot;
        UNROLL
        for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j) {
            const bool is_front = (fronts >> j & 1) != 0;
            if ((valid >> j & 1) != 0)
                slots[is_front ? to : other + j - to] =
                    part_staged<carries, element>::of(held.v[i].of.part[j], at + j);
            to += is_front ? 1 : 0;
        }
    }
}

/* The same of the tile that has the pivot, which goes to its place. */
template <bool carries, class element>
static __device__ inline void
part_stage_pivot(const part_along &p, const part_way &way, const part_held<element> &held,
                 const uint32_t (&begin)[PART_VECTORS], const part_runs &runs, element *b, const element *a,
                 typename part_staged<carries, element>::type *slots) {
    ROLL for (uint32_t k = 0; k < PART_VECTORS * vector_of<element>::ELEMENTS; ++k) {
        part_ranks r = way.before;
        element e = 0;
        uint32_t at = 0;
        bool is = false, is_less = false, is_equal = false;
        UNROLL
        for (uint32_t i = 0; i < PART_VECTORS; ++i) {
            UNROLL
            for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j) {
                if (k != i * vector_of<element>::ELEMENTS + j) continue;
                const part_ranks own = part_of_pair(begin[i]);
                const uint32_t under = (1u << j) - 1;
                r.less += own.less + (uint32_t)__popc(held.less[i] & under);
                r.equal += own.equal + (uint32_t)__popc(held.equal[i] & under);
                e = held.v[i].of.part[j];
                at = (uint32_t)held.v[i].first + j - way.first;
                is = (held.v[i].valid >> j & 1) != 0;
                is_less = (held.less[i] >> j & 1) != 0;
                is_equal = (held.equal[i] >> j & 1) != 0;
            }
        }
        if (!is) continue;
        const uint32_t fronts = way.fronts(r) - runs.front;
        if (is_equal && r.equal == way.wanted) {
            if (carries)
                part_put(p, b, a, way.pivot, way.first + at);
            else
                b[way.pivot] = e;
        } else {
            slots[is_less || (is_equal && r.equal < way.wanted)
                      ? runs.front_slot + fronts
                      : runs.behind_slot + at - fronts - (r.equal > way.wanted ? 1 : 0)] =
                part_staged<carries, element>::of(e, at);
        }
    }
}

/* The slots go out: whole vectors where a run has them. */
template <class element>
static __device__ inline void part_write_runs(element *b, const element *slots, const part_runs &r) {
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    const uint32_t turn = (r.front_slot + r.fronts + each - 1) / each,
                   end = (r.behind_slot + r.behinds + each - 1) / each;
    for (uint32_t v = threadIdx.x; v < end; v += SELECT_THREADS) {
        const bool is_front = v < turn;
        const uint32_t slot = is_front ? r.front_slot : r.behind_slot, place = is_front ? r.front : r.behind,
                       last = slot + (is_front ? r.fronts : r.behinds), at = v * each;
        if (at >= slot && at + each <= last) {
            STORE_STREAMED((vector16 *)(b + place + (at - slot)), ((const vector16 *)slots)[v]);
            continue;
        }
        UNROLL
        for (uint32_t j = 0; j < each; ++j)
            if (at + j >= slot && at + j < last) b[place + (at + j - slot)] = slots[at + j];
    }
}

/* All of what the slots name goes along. */
template <class element>
static __device__ inline void part_write_runs(const part_along &p, const part_way &way, element *b,
                                              const element *a, const uint16_t *slots, const part_runs &r) {
    for (uint32_t k = threadIdx.x; k < r.fronts + r.behinds; k += SELECT_THREADS)
        part_put(p, b, a, k < r.fronts ? r.front + k : r.behind + (k - r.fronts), way.first + slots[k]);
}

/** Vectors `first` to end - 1 of a block. b receives elements, from the n at a; `shared` has PART_LEAD words, and PART_ROOM vectors behind them. */
template <bool carries, class element>
static __device__ inline void part_tiles(const select_coder &by,
                                         const part_stretch<typename select_of<element>::word> &pivot,
                                         const part_along &along, part_way way, element *b, const element *a,
                                         uint32_t n, uint64_t first, uint64_t end, uint32_t *shared) {
    typedef part_staged<carries, element> staged;
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    typename staged::type *const slots = (typename staged::type *)(shared + PART_LEAD);
    part_held<element> held;
    held.read(a, n, first, end);
    for (; first < end; first += PART_TILE) {
        uint32_t begin[PART_VECTORS];
        const uint64_t next = (first + PART_TILE < end ? first + PART_TILE : end) * each - vector_lead(a);
        way.first = first == 0 ? 0 : (uint32_t)(first * each - vector_lead(a));
        const uint32_t count = (uint32_t)(next < n ? next : n) - way.first;
        held.compare(by, pivot);
        const part_ranks sum = part_of_pair(part_scan(held, begin, shared));
        const part_ranks after = {way.before.less + sum.less, way.before.equal + sum.equal};
        const bool has_pivot = way.has_pivot(after.equal);
        const uint32_t fronts = way.fronts(after) - way.front();
        const part_runs runs =
            part_runs_of(way, fronts, count - fronts - (has_pivot ? 1 : 0), vector_lead(b), staged::EACH);
        if (has_pivot)
            part_stage_pivot<carries>(along, way, held, begin, runs, b, a, slots);
        else
            part_stage<carries>(way, held, begin, runs, after.equal <= way.wanted, slots);
        held.read(a, n, first + PART_TILE, end);
        __syncthreads();
        if constexpr (carries)
            part_write_runs(along, way, b, a, slots, runs);
        else
            part_write_runs(b, slots, runs);
        way.before = after; /* the next scan waits for all before slots are used again */
    }
}

#endif
