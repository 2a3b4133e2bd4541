/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of up to 32 points, a warp each, a lane a point: sorted in registers; split by the line from the first to the last
 * point; and then every lane that does not turn between its neighbours goes, all at once, until none does. A point that is on
 * the wrong side of a line between two others is no corner, whether these two go themselves or not; so no order is needed.
 *
 * Sets of more points are listed, by how many they have.
 */
#include "hull/kernels/hull_types.h"

/* A point as a number, or two, that sort as points do; the first bits of the order of x; and the place. */
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
    static __device__ inline uint32_t leading(coordinate x) { return order(x); }
    __device__ inline void set(coordinate x, coordinate y) { xy = (uint64_t)order(x) << 32 | order(y); }
    __device__ inline void set_last() { xy = UINT64_MAX; }
    __device__ inline hull_key from(uint32_t lane) const { return {warp_from_lane(xy, lane)}; }
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
    static __device__ inline uint32_t leading(coordinate x) { return (uint32_t)(order(x) >> 32); }
    __device__ inline void set(coordinate x, coordinate y) { first = order(x), second = order(y); }
    __device__ inline void set_last() { first = second = UINT64_MAX; }
    __device__ inline hull_key from(uint32_t lane) const {
        return {warp_from_lane(first, lane), warp_from_lane(second, lane)};
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
    for (uint32_t run = 2; run <= WARP_LANES; run *= 2) {
        UNROLL
        for (uint32_t by = run / 2; by > 0; by /= 2) {
            const key other = mine->from(warp_lane() ^ by);
            const uint32_t others_name = __shfl_sync(WARP_ALL_LANES, *name, warp_lane() ^ by);
            const bool takes_less = ((warp_lane() & by) == 0) == ((warp_lane() & run) == 0);
            const bool is_less = other.is_before(*mine) || (other.is_same(*mine) && others_name < *name);
            if (is_less != takes_less) continue;
            *mine = other;
            *name = others_name;
        }
    }
}

/* In which steps of a sort of a warp's numbers a lane takes the lesser one: a bit a step. */
static __device__ inline uint32_t hull_lesser_steps() {
    uint32_t steps = 0, step = 0;
    UNROLL
    for (uint32_t run = 2; run <= WARP_LANES; run *= 2) {
        UNROLL
        for (uint32_t by = run / 2; by > 0; by /= 2, ++step)
            steps |= (uint32_t)(((warp_lane() & by) == 0) == ((warp_lane() & run) == 0)) << step;
    }
    return steps;
}

static __device__ inline uint32_t hull_sort_numbers(uint32_t mine, uint32_t lesser_steps) {
    uint32_t step = 0;
    UNROLL
    for (uint32_t run = 2; run <= WARP_LANES; run *= 2) {
        UNROLL
        for (uint32_t by = run / 2; by > 0; by /= 2, ++step) {
            const uint32_t other = __shfl_xor_sync(WARP_ALL_LANES, mine, by);
            const uint32_t less = other < mine ? other : mine, more = other < mine ? mine : other;
            mine = lesser_steps >> step & 1 ? less : more;
        }
    }
    return mine;
}

/* Points of a warp, in order, a lane a point. */
template <class place> struct hull_lanes {
    place at;
    uint32_t name;   /* number of the lane's point in its set */
    uint32_t places; /* lanes whose points repeat none before them */
};

/* By all of their bits. */
template <class of>
static __device__ HULL_NO_INLINE auto hull_sort_ties(typename of::coordinate x, typename of::coordinate y,
                                                     bool is_point) {
    hull_key<typename of::coordinate> mine;
    uint32_t name = warp_lane();
    mine.set_last();
    if (is_point) mine.set(x, y);
    hull_sort_keys(&mine, &name);
    const hull_key<typename of::coordinate> last = mine.from(warp_lane() == 0 ? 0 : warp_lane() - 1);
    const uint32_t points = (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, is_point));
    const uint32_t places =
        __ballot_sync(WARP_ALL_LANES, warp_lane() < points && (warp_lane() == 0 || !mine.is_same(last)));
    const auto at = of::lane_place(mine.x(), mine.y());
    return hull_lanes<decltype(of::lane_place(x, y))>{at, name, places};
}

/* The first 27 bits of x and the name, as one number, are enough where no two points have the same; of points that there are not
 * all bits are set. */
template <class of>
static __device__ inline auto hull_sort_lanes(typename of::coordinate x, typename of::coordinate y,
                                              bool is_point, uint32_t lesser_steps) {
    const uint32_t bits = WARP_LANES - 1, leading = hull_key<typename of::coordinate>::leading(x);
    const uint32_t number =
        hull_sort_numbers(is_point ? (leading & ~bits) | warp_lane() : UINT32_MAX, lesser_steps);
    const uint32_t last = __shfl_up_sync(WARP_ALL_LANES, number, 1);
    const bool is_tie = warp_lane() > 0 && number != UINT32_MAX && (number ^ last) <= bits;
    if (__ballot_sync(WARP_ALL_LANES, is_tie) != 0) return hull_sort_ties<of>(x, y, is_point);
    return hull_lanes<decltype(of::lane_place(x, y))>{warp_from_lane(of::lane_place(x, y), number & bits),
                                                      number & bits, __ballot_sync(WARP_ALL_LANES, is_point)};
}

/* Lanes of the lower and of the upper boundary; the first and the last place are in both. */
struct hull_sides {
    uint32_t lower, upper;
};

template <class place> static __device__ inline hull_sides hull_split(place at, uint32_t places, bool all) {
    const uint32_t first = (uint32_t)__ffs((int)places) - 1, last = 31 - (uint32_t)__clz((int)places);
    const uint32_t me = 1u << warp_lane(), ends = 1u << first | 1u << last;
    const place from = warp_from_lane(at, first), to = warp_from_lane(at, last);
    const int side = (places & ~ends & me) != 0 ? hull_lanes_turn(from, to, at) : 0;
    const uint32_t below = __ballot_sync(WARP_ALL_LANES, side < 0),
                   above = __ballot_sync(WARP_ALL_LANES, side > 0);
    const uint32_t between =
        all ? places & ~(below | above) : 0; /* on the side that has nothing else, or the lower one */
    hull_sides sides;
    sides.lower = ends | below | (below == 0 ? between : 0);
    sides.upper = ends | above | (above == 0 && below != 0 ? between : 0);
    return sides;
}

/* The highest bit of `lanes`, of which there is one. */
static __device__ inline uint32_t hull_highest(uint32_t lanes) { return 31 - (uint32_t)__clz((int)lanes); }

/* Takes away what is no corner. */
template <class place> static __device__ inline void hull_wear_lanes(place at, hull_sides *sides, bool all) {
    const uint32_t me = 1u << warp_lane(), ends = sides->lower & sides->upper;
    const bool is_upper = (sides->upper & ~ends & me) != 0;
    const int sign = is_upper ? -1 : 1, least = all ? 0 : 1;
    uint32_t side = is_upper ? sides->upper : sides->lower, gone;
    bool is_inner = ((sides->lower | sides->upper) & ~ends & me) != 0;
    do {
        const uint32_t left = side & (me - 1), right = side & ~(me | (me - 1));
        const place before = warp_from_lane(at, is_inner ? hull_highest(left) : 0);
        const place behind = warp_from_lane(at, is_inner ? hull_highest(right & (0 - right)) : 0);
        bool goes = false;
        if (is_inner) goes = sign * hull_lanes_turn(before, at, behind) < least;
        gone = __ballot_sync(WARP_ALL_LANES, goes);
        is_inner = is_inner && !goes;
        side &= ~gone;
    } while (gone != 0);
    const uint32_t inner = __ballot_sync(WARP_ALL_LANES, is_inner);
    sides->lower &= inner | ends;
    sides->upper &= inner | ends;
}

/* The hull of the lane's set, of at most 32 points. */
template <class of>
static __device__ inline void hull_of_lanes(const hull_table *t, const typename of::pair *points, uint64_t set,
                                            hull_span span, uint32_t lesser_steps) {
    typename of::coordinate x = 0, y = 0;
    const bool is_point = warp_lane() < (uint32_t)(span.end - span.begin);
    if (is_point) {
        const typename of::pair at = points[span.begin + warp_lane()];
        x = of::x_of(at), y = of::y_of(at);
        if (!of::is_finite(x) || !of::is_finite(y)) hull_refuse_point(t, span.begin + warp_lane());
    }
    const auto lanes = hull_sort_lanes<of>(x, y, is_point, lesser_steps);
    hull_sides sides = {0, 0};
    if (lanes.places != 0) {
        sides = hull_split(lanes.at, lanes.places, t->all != 0);
        hull_wear_lanes(lanes.at, &sides, t->all != 0);
    }
    const uint32_t me = 1u << warp_lane(), inner = sides.upper & ~sides.lower;
    const bool is_lower = (sides.lower & me) != 0;
    const uint32_t earlier = is_lower ? sides.lower & (me - 1) : inner & ~(me | (me - 1));
    const uint32_t place = (uint32_t)__popc(earlier) + (is_lower ? 0 : (uint32_t)__popc(sides.lower));
    if (is_lower || (inner & me) != 0) hull_write(t, span.begin + place, (uint32_t)span.begin + lanes.name);
    if (warp_lane() == 0) t->lengths[set] = (uint32_t)__popc(sides.lower | inner);
}

/* The class of a set of so many points. */
static __device__ inline uint32_t hull_class(uint64_t points) {
    return points <= HULL_MIDDLING ? 0 : points <= HULL_FEW ? 1 : 2;
}

/** All sets: a warp each. */
template <class of, class element>
__global__ void LAUNCH_BOUNDS(256, 5)
    hull_small_sets(element *, const element *a, const GRID_CONSTANT hull_table t) {
    hull_follow();
    const uint64_t step = (uint64_t)gridDim.x * (blockDim.x / WARP_LANES);
    const uint32_t lesser_steps = hull_lesser_steps();
    for (uint64_t set = (uint64_t)blockIdx.x * (blockDim.x / WARP_LANES) + threadIdx.x / WARP_LANES;
         set < t.sets; set += step) {
        const hull_span span = hull_span_of(&t, set);
        const uint64_t points = span.end - span.begin;
        if (points <= WARP_LANES) {
            hull_of_lanes<of>(&t, (const typename of::pair *)a, set, span, lesser_steps);
        } else if (warp_lane() == 0) {
            const uint32_t k = hull_class(points), at = ATOMIC_ADD(&t.state->record.classed[k], 1u) + 1;
            t.list[0][k * t.sets + at] = (uint32_t)set;
        }
    }
}
