/* SPDX-License-Identifier: Apache-2.0
 *
 * All elements to their side of the pivot, in their order. A block knows how many of the blocks before it come before the pivot, and moves its
 * own a tile at a time: what comes before, and then all else, stands in shared memory as it goes out, as two runs.
 *
 *     result    | before, and the first of what equals it | pivot | the rest of what equals it, and behind |
 */
#include "sort/kernels/select/part_code.h"
#include "sort/kernels/select/select_put.h"

/* How many elements are less than the pivot, and how many equal it, up to some place. */
struct part_ranks {
    uint32_t less, equal;
};

/* Where a tile's elements go. */
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
};

/* The block's beginning: what the blocks before it have. */
static __device__ inline part_way part_begin(const part_table &p, uint32_t *shared) {
    uint32_t less = 0, equal = 0, all = 0;
    part_way way;
    for (uint32_t b = threadIdx.x; b < p.of.blocks; b += SELECT_THREADS) {
        const uint32_t front = p.fronts[b];
        if (b < blockIdx.x) {
            less += front;
            equal += p.equals[b];
        }
        all += front;
    }
    sort_sum_before(less, shared, &way.before.less);
    sort_sum_before(equal, shared, &way.before.equal);
    sort_sum_before(all, shared, &way.wanted);
    way.pivot = p.of.count - 1;
    way.wanted = way.pivot - way.wanted;
    return way;
}

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
    uint32_t sum = 0, before = 0, all = 0;
    shared += WARP_LANES; /* behind the sums of the beginning */
    UNROLL
    for (uint32_t i = 0; i < PART_VECTORS; ++i) {
        const uint32_t own = part_pair(held.less[i], held.equal[i]), up = warp_sum_up(own);
        begin[i] = sum + up - own;
        sum += warp_from_lane(up, WARP_LANES - 1);
    }
    if (warp_lane() == 0) shared[threadIdx.x / WARP_LANES] = sum;
    __syncthreads();
    UNROLL
    for (uint32_t w = 0; w < SELECT_THREADS / WARP_LANES; ++w) {
        const uint32_t of = shared[w];
        if (w < threadIdx.x / WARP_LANES) before += of;
        all += of;
    }
    UNROLL
    for (uint32_t i = 0; i < PART_VECTORS; ++i) begin[i] += before;
    return all;
}

/* Shared memory has elements, or their numbers in the tile where more goes along. */
template <bool carries, class element> struct part_staged {
    typedef element type;
    static __device__ inline element of(element e, uint32_t) { return e; }
};
template <class element> struct part_staged<true, element> {
    typedef uint16_t type;
    static __device__ inline uint16_t of(element, uint32_t i) { return (uint16_t)i; }
};

/* All of element `from` goes to place `to`. */
template <class element>
static __device__ inline void part_put(const part_table &p, element *b, const element *a, uint32_t to,
                                       uint32_t from) {
    if (b != nullptr) b[to] = a[from];
    if (p.indices != nullptr) select_put(p.indices, to, p.index_bytes, from);
    if (p.values != nullptr)
        select_put(p.values, to, p.value_bytes, select_get(p.from_values, from, p.value_bytes));
}

/* A thread's elements to their slots of the tile; the pivot goes to its place. */
template <bool carries, class element>
static __device__ inline void part_stage(const part_table &p, const part_way &way,
                                         const part_held<element> &held, const uint32_t (&begin)[PART_VECTORS],
                                         uint32_t fronts, element *b, const element *a,
                                         typename part_staged<carries, element>::type *slots) {
    const uint32_t front = way.front();
    UNROLL
    for (uint32_t i = 0; i < PART_VECTORS; ++i) {
        const part_ranks own = part_of_pair(begin[i]);
        part_ranks r = {way.before.less + own.less, way.before.equal + own.equal};
        UNROLL
        for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j) {
            const bool is_less = (held.less[i] >> j & 1) != 0, is_equal = (held.equal[i] >> j & 1) != 0;
            const uint32_t at = (uint32_t)(held.v[i].first + j) - way.first, slot = way.fronts(r) - front;
            if ((held.v[i].valid >> j & 1) == 0) continue;
            const bool is_front = is_less || (is_equal && r.equal < way.wanted),
                       passed = r.equal > way.wanted && way.before.equal <= way.wanted;
            if (is_equal && r.equal == way.wanted) {
                if (carries)
                    part_put(p, b, a, way.pivot, way.first + at);
                else
                    b[way.pivot] = held.v[i].of.part[j];
            } else {
                slots[is_front ? slot : fronts + at - slot - (passed ? 1 : 0)] =
                    part_staged<carries, element>::of(held.v[i].of.part[j], at);
            }
            r.less += is_less ? 1 : 0;
            r.equal += is_equal ? 1 : 0;
        }
    }
}

/** b receives elements, from a. */
template <bool carries, class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 3)
    part_move(element *b, const element *a, const GRID_CONSTANT part_table p) {
    typedef typename select_of<element>::word word;
    typedef typename part_staged<carries, element>::type staged;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = vector_of<element>::ELEMENTS, tile = PART_VECTORS * SELECT_THREADS;
    uint32_t *const shared = (uint32_t *)shared_memory;
    staged *const slots = (staged *)(shared + PART_LEAD);
    const select_table &t = p.of;
    const select_table &found = select_is_done(t, 0) ? p.listed : t;
    const part_stretch<word> pivot = part_stretch_of(t.coder, ((const word *)found.bounds)[SELECT_EXACT]);
    part_way way = part_begin(p, shared);
    part_held<element> held;
    uint64_t first;
    const uint64_t end = select_vectors(t, a, &first);
    held.read(a, t.n, first, end);
    for (; first < end; first += tile) {
        uint32_t begin[PART_VECTORS];
        const uint64_t next = (first + tile < end ? first + tile : end) * each - vector_lead(a);
        way.first = first == 0 ? 0 : (uint32_t)(first * each - vector_lead(a));
        const uint32_t count = (uint32_t)(next < t.n ? next : t.n) - way.first;
        held.compare(t.coder, pivot);
        const part_ranks sum = part_of_pair(part_scan(held, begin, shared));
        const part_ranks after = {way.before.less + sum.less, way.before.equal + sum.equal};
        const uint32_t fronts = way.fronts(after) - way.front(), front = way.front(), behind = way.behind();
        const uint32_t passes = after.equal > way.wanted && way.before.equal <= way.wanted ? 1 : 0;
        part_stage<carries>(p, way, held, begin, fronts, b, a, slots);
        held.read(a, t.n, first + tile, end);
        __syncthreads();
        for (uint32_t k = threadIdx.x; k < count - passes; k += SELECT_THREADS) {
            const uint32_t to = k < fronts ? front + k : behind + (k - fronts);
            if constexpr (carries)
                part_put(p, b, a, to, way.first + slots[k]);
            else
                b[to] = slots[k];
        }
        __syncthreads();
        way.before = after;
    }
}
