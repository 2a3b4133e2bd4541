/* SPDX-License-Identifier: Apache-2.0
 *
 * A row that its team, some lanes of a warp or a block, has in registers: read once, its pivot found among codes that are halved until one is left, and
 * each element put where it stands in the result, in shared memory.
 */
#ifndef RIFFLE_SORT_KERNELS_SELECT_PART_HELD_H
#define RIFFLE_SORT_KERNELS_SELECT_PART_HELD_H

#include "sort/kernels/select/part_tiles.h"

/* Elements of 4 and 8 bytes become their codes where they are, and shorter ones stay as they are. */
template <class element> struct part_kept {
    typedef typename select_of<element>::word word;
    static __device__ inline element of(const select_coder &by, element e) { return part_code(by, e); }
    static __device__ inline word code(const select_coder &, element kept) { return kept; }
    static __device__ inline element back(const select_coder &by, element kept) {
        return sort_decode(by.coding, kept);
    }
};
template <class element> struct part_kept_short {
    typedef uint32_t word;
    static __device__ inline element of(const select_coder &, element e) { return e; }
    static __device__ inline word code(const select_coder &by, element kept) { return part_code(by, kept); }
    static __device__ inline element back(const select_coder &, element kept) { return kept; }
};
template <> struct part_kept<uint8_t> : part_kept_short<uint8_t> {};
template <> struct part_kept<uint16_t> : part_kept_short<uint16_t> {};

/* ------------------------------------------------------------------- teams */

/** So many neighbouring lanes, a power of two: each has one vector, or a warp several. */
struct part_lanes {
    uint32_t lanes;

    __device__ inline uint32_t sum(uint32_t x) const {
        if (lanes == WARP_LANES) return warp_sum(x);
        ROLL for (uint32_t by = 1; by < lanes; by *= 2) x += warp_across(x, by);
        return x;
    }
    template <class word> __device__ inline word least(word x) const {
        if (lanes == WARP_LANES) return warp_min(x);
        ROLL for (uint32_t by = 1; by < lanes; by *= 2) {
            const word other = warp_across(x, by);
            if (other < x) x = other;
        }
        return x;
    }
    /* All teams of a warp go on while one does. */
    __device__ inline bool any(bool is) const {
        return lanes == WARP_LANES ? is : __ballot_sync(WARP_ALL_LANES, is) != 0;
    }
    /* Makes the counts of a thread's vectors what comes before them; the sum of all of the team. */
    template <uint32_t vectors> __device__ inline uint32_t scan(uint32_t (&counts)[vectors]) const {
        const uint32_t first = warp_lane() & ~(lanes - 1);
        uint32_t all = 0;
        UNROLL
        for (uint32_t i = 0; i < vectors; ++i) {
            const uint32_t up = warp_sum_up(counts[i]), begin = warp_from_lane(up - counts[i], first);
            counts[i] = all + up - counts[i] - begin;
            all += warp_from_lane(up, first + lanes - 1) - begin;
        }
        return all;
    }
};

/** A block, whose warps tell each other by words in shared memory: two sets of them in turn, so that one barrier is enough. */
struct part_block {
    uint64_t *slots;
    uint32_t turn;

    /* This lane's of what the warps say: `none` where there are fewer. */
    __device__ inline uint64_t tell(uint64_t x, uint64_t none) {
        uint64_t *const said = slots + turn * WARP_LANES;
        if (warp_lane() == 0) said[threadIdx.x / WARP_LANES] = x;
        __syncthreads();
        turn ^= 1;
        return warp_lane() < blockDim.x / WARP_LANES ? said[warp_lane()] : none;
    }
    __device__ inline uint32_t sum(uint32_t x) { return warp_sum((uint32_t)tell(warp_sum(x), 0)); }
    template <class word> __device__ inline word least(word x) {
        return warp_min((word)tell(warp_min(x), ~(word)0));
    }
    __device__ inline bool any(bool is) const { return is; }

    template <uint32_t vectors> __device__ inline uint32_t scan(uint32_t (&counts)[vectors]) {
        const part_lanes warp = {WARP_LANES};
        const uint32_t own = warp.scan(counts), of_warp = (uint32_t)tell(own, 0), up = warp_sum_up(of_warp),
                       before = warp_from_lane(up - of_warp, threadIdx.x / WARP_LANES);
        UNROLL
        for (uint32_t i = 0; i < vectors; ++i) counts[i] += before;
        return warp_from_lane(up, WARP_LANES - 1);
    }
};

/* --------------------------------------------------------------------- a row */

/** A thread's vectors of a row. A warp's lie side by side. */
template <class element, uint32_t vectors> struct part_row {
    typedef part_kept<element> kept;
    typedef typename kept::word word;
    enum { EACH = vector_of<element>::ELEMENTS };
    typename vector_of<element>::held v[vectors];
    uint32_t n, end; /* the row's elements, and where the warp's end */
    uint32_t at;     /* the first of the first vector: there are none before 0 */
    uint32_t used;   /* so many vectors a thread; the others are none */

    __device__ inline void read(const element *a, uint32_t length, uint32_t first, uint32_t each) {
        n = length;
        used = each;
        end = part_way::least((first - warp_lane() + used * WARP_LANES) * EACH - vector_lead(a), length);
        at = first * EACH - vector_lead(a);
        UNROLL
        for (uint32_t i = 0; i < vectors; ++i) {
            vector_of<element> x;
            vector_read(a, n, first + i * WARP_LANES, (int32_t)place(i, 0) < (int32_t)end, x);
            v[i] = x.of;
        }
    }

    __device__ inline uint32_t place(uint32_t i, uint32_t j) const { return at + i * (WARP_LANES * EACH) + j; }
    __device__ inline bool is_there(uint32_t i, uint32_t j) const { return place(i, j) < end; }

    /* Codes of what is no element are behind all others. */
    __device__ inline void encode(const select_coder &by) {
        if constexpr (sizeof(element) == sizeof(word)) {
            UNROLL
            for (uint32_t i = 0; i < vectors; ++i) {
                UNROLL
                for (uint32_t j = 0; j < EACH; ++j)
                    v[i].part[j] = is_there(i, j) ? kept::of(by, v[i].part[j]) : ~(element)0;
            }
        }
    }
    __device__ inline word code(const select_coder &by, uint32_t i, uint32_t j) const {
        const word of = kept::code(by, v[i].part[j]);
        return sizeof(element) < sizeof(word) && !is_there(i, j) ? ~(word)0 : of;
    }

    __device__ inline uint32_t count(const select_coder &by, word below) const {
        uint32_t sum = 0;
        UNROLL
        for (uint32_t i = 0; i < vectors; ++i) {
            if (i > 0 && i >= used) break;
            UNROLL
            for (uint32_t j = 0; j < EACH; ++j) sum += code(by, i, j) < below ? 1 : 0;
        }
        return sum;
    }

    /* The least of the codes from a bound on, each with some bits turned over: with all of them the greatest is. */
    __device__ inline word least(const select_coder &by, word from, word turned) const {
        word of = ~(word)0;
        UNROLL
        for (uint32_t i = 0; i < vectors; ++i) {
            UNROLL
            for (uint32_t j = 0; j < EACH; ++j) {
                const word c = code(by, i, j) ^ turned;
                if (is_there(i, j) && c >= from && c < of) of = c;
            }
        }
        return of;
    }
};

/** The unjoined code of some rank. It is between two codes, the range of which is halved, until it is the first or the last of
 *  what is there. */
template <class team, class row>
static __device__ inline typename row::word part_find(team &of, const row &r, const select_coder &by,
                                                      uint32_t rank) {
    typedef typename row::word word;
    word low = of.least(r.least(by, 0, 0)), high = ~of.least(r.least(by, 0, ~(word)0));
    uint32_t before = 0, up_to = r.n;
    while (true) {
        const bool is_open = low < high && rank != before && rank + 1 != up_to;
        if (!of.any(is_open)) break;
        const word middle = low + (high - low) / 2 + 1;
        const uint32_t count = of.sum(r.count(by, middle));
        if (is_open && count > rank) {
            high = middle - 1;
            up_to = count;
        } else if (is_open) {
            low = middle;
            before = count;
        }
    }
    const word turned = rank == before ? 0 : ~(word)0;
    return of.least(r.least(by, turned == 0 ? low : ~high, turned)) ^ turned;
}

/** A row's elements to their slots, from its own on, as they stand in the result; or their numbers from `first` on. */
template <bool carries, class team, class element, uint32_t vectors>
static __device__ inline void part_arrange(team &of, const part_row<element, vectors> &r,
                                           const select_coder &by, uint32_t place, uint32_t first,
                                           typename part_staged<carries, element>::type *slots) {
    typedef typename part_row<element, vectors>::word word;
    const part_stretch<word> pivot = part_stretch_of(by, part_join(by, part_find(of, r, by, place)));
    uint32_t begin[vectors];
    UNROLL
    for (uint32_t i = 0; i < vectors; ++i) {
        begin[i] = 0;
        UNROLL
        for (uint32_t j = 0; j < r.EACH; ++j) {
            const word code = r.code(by, i, j);
            if (r.is_there(i, j)) begin[i] += code < pivot.first ? 1 : code <= pivot.last ? 1u << 16 : 0;
        }
    }
    const uint32_t wanted = place - part_of_pair(of.scan(begin)).less;
    UNROLL
    for (uint32_t i = 0; i < vectors; ++i) {
        part_ranks before = part_of_pair(begin[i]);
        UNROLL
        for (uint32_t j = 0; j < r.EACH; ++j) {
            const word code = r.code(by, i, j);
            const uint32_t at = r.place(i, j), fronts = before.less + part_way::least(before.equal, wanted);
            const bool is_less = code < pivot.first,
                       is_equal = !is_less && code <= pivot.last && r.is_there(i, j),
                       is_pivot = is_equal && before.equal == wanted,
                       is_front = is_less || (is_equal && before.equal < wanted);
            const uint32_t behind = place + 1 + at - fronts - (before.equal > wanted ? 1 : 0),
                           to = is_front   ? fronts
                                : is_pivot ? place
                                           : behind;
            if (r.is_there(i, j))
                slots[to] =
                    part_staged<carries, element>::of(part_kept<element>::back(by, r.v[i].part[j]), first + at);
            before.less += is_less ? 1 : 0;
            before.equal += is_equal ? 1 : 0;
        }
    }
}

#endif
