/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of up to 32 points, a warp each, a lane a point: sorted in registers; split by the line from the first to the last
 * point; and then every lane that does not turn between its neighbours goes, all at once, until none does. A point that is on
 * the wrong side of a line between two others is no corner, whether these two go themselves or not; so no order is needed.
 *
 * Sets of more points are listed, by how many they have.
 */
#include "kernels/hull/hull_types.h"

/* A point as a number, or two, that sort as points do; the first bits of x; and the place. */
template <class coordinate, bool is_narrow = sizeof(coordinate) <= 4> struct hull_key;

template <class coordinate> struct hull_key<coordinate, true> {
    uint64_t xy;
    static __device__ inline uint32_t order(coordinate x) {
        if constexpr ((coordinate)0.5 != 0) return hull_order_of_float(x);
        const bool is_signed = (coordinate)-1 < 0;
        return ((uint32_t)(int32_t)x ^ (is_signed ? 0x80000000u >> UNUSED : 0)) << UNUSED;
    }
    static __device__ inline coordinate coordinate_of(uint32_t order) {
        if constexpr ((coordinate)0.5 != 0)
            return hull_bits_as<float>(order >> 31 != 0 ? order ^ 0x80000000u : ~order);
        const bool is_signed = (coordinate)-1 < 0;
        return is_signed ? (coordinate)((int32_t)(order ^ 0x80000000u) >> UNUSED)
                         : (coordinate)(order >> UNUSED);
    }
    __device__ inline void set(coordinate x, coordinate y) { xy = (uint64_t)order(x) << 32 | order(y); }
    __device__ inline void set_last() { xy = UINT64_MAX; }
    __device__ inline uint32_t leading() const { return (uint32_t)(xy >> 32); }
    __device__ inline hull_key from(uint32_t lane) const { return {hull_shuffle(xy, lane)}; }
    __device__ inline bool is_same(hull_key other) const { return xy == other.xy; }
    __device__ inline bool is_before(hull_key other) const { return xy < other.xy; }
    __device__ inline coordinate x() const { return coordinate_of((uint32_t)(xy >> 32)); }
    __device__ inline coordinate y() const { return coordinate_of((uint32_t)xy); }

  private:
    enum { UNUSED = 32 - 8 * sizeof(coordinate) }; /* bits, which an order has at its end */
};

template <class coordinate> struct hull_key<coordinate, false> {
    uint64_t first, second;
    static __device__ inline uint64_t order(double at) { return hull_real::order(at); }
    static __device__ inline uint64_t order(int64_t at) { return hull_integer::order(at); }
    static __device__ inline uint64_t order(uint64_t at) { return at; }
    static __device__ inline coordinate coordinate_of(uint64_t order) {
        if constexpr ((coordinate)0.5 != 0) return hull_real::of_order(order);
        return (coordinate)-1 < 0 ? (coordinate)hull_integer::of_order(order) : (coordinate)order;
    }
    __device__ inline void set(coordinate x, coordinate y) { first = order(x), second = order(y); }
    __device__ inline void set_last() { first = second = UINT64_MAX; }
    __device__ inline uint32_t leading() const { return (uint32_t)(first >> 32); }
    __device__ inline hull_key from(uint32_t lane) const {
        return {hull_shuffle(first, lane), hull_shuffle(second, lane)};
    }
    __device__ inline bool is_same(hull_key other) const {
        return first == other.first && second == other.second;
    }
    __device__ inline bool is_before(hull_key other) const {
        return first < other.first || (first == other.first && second < other.second);
    }
    __device__ inline coordinate x() const { return coordinate_of(first); }
    __device__ inline coordinate y() const { return coordinate_of(second); }
};

/* Sorts the keys of a warp, and what they are called; of equal ones the lesser name is first. */
template <class key> static __device__ inline void hull_sort_keys(key *mine, uint32_t *name) {
    UNROLL
    for (uint32_t run = 2; run <= HULL_LANES; run *= 2) {
        UNROLL
        for (uint32_t by = run / 2; by > 0; by /= 2) {
            const key other = mine->from(hull_lane() ^ by);
            const uint32_t others_name = __shfl_sync(HULL_ALL_LANES, *name, hull_lane() ^ by);
            const bool takes_less = ((hull_lane() & by) == 0) == ((hull_lane() & run) == 0);
            const bool is_less = other.is_before(*mine) || (other.is_same(*mine) && others_name < *name);
            if (is_less != takes_less) continue;
            *mine = other;
            *name = others_name;
        }
    }
}

/* The same for numbers alone. */
static __device__ inline uint32_t hull_sort_numbers(uint32_t mine) {
    UNROLL
    for (uint32_t run = 2; run <= HULL_LANES; run *= 2) {
        UNROLL
        for (uint32_t by = run / 2; by > 0; by /= 2) {
            const uint32_t other = __shfl_sync(HULL_ALL_LANES, mine, hull_lane() ^ by);
            const bool takes_less = ((hull_lane() & by) == 0) == ((hull_lane() & run) == 0);
            mine = (other < mine) == takes_less ? other : mine;
        }
    }
    return mine;
}

/* The first 27 bits of x and the name, as one number, are enough where no two points have the same; of points that there are not
 * all bits are set. */
template <class key> static __device__ inline void hull_sort_lanes(key *mine, uint32_t *name, bool is_point) {
    const uint32_t bits = HULL_LANES - 1;
    const uint32_t number = hull_sort_numbers(is_point ? (mine->leading() & ~bits) | *name : UINT32_MAX);
    const uint32_t last = __shfl_sync(HULL_ALL_LANES, number, hull_lane() == 0 ? 0 : hull_lane() - 1);
    const bool is_tie = hull_lane() > 0 && number != UINT32_MAX && (number | bits) == (last | bits);
    if (__ballot_sync(HULL_ALL_LANES, is_tie) != 0) {
        hull_sort_keys(mine, name);
    } else {
        *name = number & bits;
        *mine = mine->from(*name);
    }
}

/* The lanes of the lower boundary and of the upper one, both with the first and the last lane; `places` are those that have
 * a point of their own. */
struct hull_sides {
    uint32_t lower, upper;
};

template <class place> static __device__ inline hull_sides hull_split(place at, uint32_t places, bool all) {
    const uint32_t first = (uint32_t)__ffs((int)places) - 1, last = 31 - (uint32_t)__clz((int)places);
    const uint32_t me = 1u << hull_lane(), ends = 1u << first | 1u << last;
    const place from = hull_from_lane(at, first), to = hull_from_lane(at, last);
    const int side = (places & ~ends & me) != 0 ? hull_lanes_turn(from, to, at) : 0;
    const uint32_t below = __ballot_sync(HULL_ALL_LANES, side < 0),
                   above = __ballot_sync(HULL_ALL_LANES, side > 0);
    const uint32_t between =
        all ? places & ~(below | above) : 0; /* of the side that has nothing else, or the lower one */
    hull_sides sides;
    sides.lower = ends | below | (below == 0 ? between : 0);
    sides.upper = ends | above | (above == 0 && below != 0 ? between : 0);
    return sides;
}

/* Takes away what is no corner. */
template <class place> static __device__ inline void hull_wear(place at, hull_sides *sides, bool all) {
    const uint32_t me = 1u << hull_lane(), ends = sides->lower & sides->upper;
    const bool is_upper = (sides->upper & ~ends & me) != 0;
    bool is_inner = ((sides->lower | sides->upper) & ~ends & me) != 0;
    uint32_t gone;
    do {
        const uint32_t side = is_upper ? sides->upper : sides->lower;
        const uint32_t before = is_inner ? 31 - (uint32_t)__clz((int)(side & (me - 1))) : 0;
        const uint32_t behind = is_inner ? (uint32_t)__ffs((int)(side & ~(me | (me - 1)))) - 1 : 0;
        const place a = hull_from_lane(at, is_upper ? behind : before);
        const place b = hull_from_lane(at, is_upper ? before : behind);
        const int turn = is_inner ? hull_lanes_turn(a, at, b) : 1;
        const bool goes = turn < 0 || (turn == 0 && !all);
        gone = __ballot_sync(HULL_ALL_LANES, goes);
        is_inner = is_inner && !goes;
        sides->lower &= ~gone;
        sides->upper &= ~gone;
    } while (gone != 0);
}

/* Of the lane's set, of at most 32 points. */
template <class of>
static __device__ inline void hull_of_lanes(const hull_table *t, const typename of::pair *points, uint64_t set,
                                            hull_span span) {
    typedef hull_key<typename of::coordinate> key;
    const uint32_t count = (uint32_t)(span.end - span.begin);
    const bool is_point = hull_lane() < count;
    key mine;
    uint32_t name = hull_lane();
    mine.set_last();
    if (is_point) {
        const typename of::pair at = points[span.begin + name];
        mine.set(of::x_of(at), of::y_of(at));
        if (!of::is_finite(of::x_of(at)) || !of::is_finite(of::y_of(at)))
            hull_refuse_point(t, span.begin + name);
    }
    hull_sort_lanes(&mine, &name, is_point);
    const key last = mine.from(hull_lane() == 0 ? 0 : hull_lane() - 1);
    const uint32_t places =
        __ballot_sync(HULL_ALL_LANES, is_point && (hull_lane() == 0 || !mine.is_same(last)));
    hull_sides sides = {0, 0};
    if (places != 0) {
        const auto place = of::lane_place(mine.x(), mine.y());
        sides = hull_split(place, places, t->all != 0);
        hull_wear(place, &sides, t->all != 0);
    }
    const uint32_t me = 1u << hull_lane(), inner = sides.upper & ~sides.lower;
    const uint32_t below = (uint32_t)__popc(sides.lower);
    if (sides.lower & me)
        hull_write(t, span.begin + (uint32_t)__popc(sides.lower & (me - 1)), (uint32_t)span.begin + name);
    if (inner & me)
        hull_write(t, span.begin + below + (uint32_t)__popc(inner & ~(me | (me - 1))),
                   (uint32_t)span.begin + name);
    if (hull_lane() == 0) t->lengths[set] = below + (uint32_t)__popc(inner);
}

/* The class of a set of so many points. */
static __device__ inline uint32_t hull_class(uint64_t points) {
    return points <= HULL_MIDDLING ? 0 : points <= HULL_FEW ? 1 : 2;
}

/** All sets: a warp each. */
template <class of, class element>
__global__ void LAUNCH_BOUNDS(256, 4)
    hull_small_sets(element *, const element *a, const GRID_CONSTANT hull_table t) {
    const uint64_t step = (uint64_t)gridDim.x * (blockDim.x / HULL_LANES);
    for (uint64_t set = (uint64_t)blockIdx.x * (blockDim.x / HULL_LANES) + threadIdx.x / HULL_LANES;
         set < t.sets; set += step) {
        const hull_span span = hull_span_of(&t, set);
        const uint64_t points = span.end - span.begin;
        if (points <= HULL_LANES) {
            hull_of_lanes<of>(&t, (const typename of::pair *)a, set, span);
        } else if (hull_lane() == 0) {
            const uint32_t k = hull_class(points), at = ATOMIC_ADD(&t.state->record.classed[k], 1u) + 1;
            t.list[0][k * t.sets + at] = (uint32_t)set;
        }
    }
}
