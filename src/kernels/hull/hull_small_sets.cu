/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of up to 32 points, a warp each, a lane a point: sorted in registers; split by the line from the first to the last
 * point; and then every lane that does not turn between its neighbours goes, all at once, until none does. A point that is on
 * the wrong side of a line between two others is no corner, whether these two go themselves or not; so no order is needed.
 *
 * Sets of more points are listed, by how many they have.
 */
#include "kernels/hull/hull_types.h"

/* A point as a number, or two, that sort as points do. */
template <class coordinate, bool is_narrow = sizeof(coordinate) <= 4> struct hull_key;

template <class coordinate> struct hull_key<coordinate, true> {
    uint64_t xy;
    static __device__ inline uint32_t order(coordinate x) {
        if constexpr ((coordinate)0.5 != 0) return hull_order_of_float(x);
        const bool is_signed = (coordinate)-1 < 0;
        return (uint32_t)(int32_t)x ^ (is_signed ? 0x80000000u : 0);
    }
    static __device__ inline double coordinate_of(uint32_t order) {
        if constexpr ((coordinate)0.5 != 0)
            return (double)hull_float_of_bits(order >> 31 != 0 ? order ^ 0x80000000u : ~order);
        return (coordinate)-1 < 0 ? (double)(int32_t)(order ^ 0x80000000u) : (double)order;
    }
    __device__ inline void set(coordinate x, coordinate y) { xy = (uint64_t)order(x) << 32 | order(y); }
    __device__ inline void set_last() { xy = UINT64_MAX; }
    __device__ inline hull_key from(uint32_t lane) const { return {hull_shuffle(xy, lane)}; }
    __device__ inline bool is_same(hull_key other) const { return xy == other.xy; }
    __device__ inline bool is_before(hull_key other) const { return xy < other.xy; }
    __device__ inline hull_f64 place() const {
        return {coordinate_of((uint32_t)(xy >> 32)), coordinate_of((uint32_t)xy)};
    }
};

template <class coordinate> struct hull_key<coordinate, false> {
    uint64_t x, y;
    static __device__ inline uint64_t order(double at) { return hull_real::order(at); }
    static __device__ inline uint64_t order(int64_t at) { return hull_integer::order(at); }
    static __device__ inline uint64_t order(uint64_t at) { return at; }
    static __device__ inline hull_f64 place(double, uint64_t x, uint64_t y) {
        return {hull_real::of_order(x), hull_real::of_order(y)};
    }
    template <class integer> static __device__ inline hull_i64 place(integer, uint64_t x, uint64_t y) {
        return {hull_integer::of_order(x), hull_integer::of_order(y)};
    }
    __device__ inline void set(coordinate at, coordinate up) { x = order(at), y = order(up); }
    __device__ inline void set_last() { x = y = UINT64_MAX; }
    __device__ inline hull_key from(uint32_t lane) const {
        return {hull_shuffle(x, lane), hull_shuffle(y, lane)};
    }
    __device__ inline bool is_same(hull_key other) const { return x == other.x && y == other.y; }
    __device__ inline bool is_before(hull_key other) const {
        return x < other.x || (x == other.x && y < other.y);
    }
    __device__ inline auto place() const { return place((coordinate)0, x, y); }
};

/* Sorts the keys of a warp, and what they are called; of equal ones the lesser name is first. */
template <class key> static __device__ inline void hull_sort_lanes(key *mine, uint32_t *name) {
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

/* The lanes of the lower boundary and of the upper one, both with the first and the last lane; `places` are those that have
 * a point of their own. */
struct hull_sides {
    uint32_t lower, upper;
};

template <class kind>
static __device__ inline hull_sides hull_split(typename kind::place at, uint32_t places, bool all) {
    const uint32_t first = (uint32_t)__ffs((int)places) - 1, last = 31 - (uint32_t)__clz((int)places);
    const uint32_t me = 1u << hull_lane(), ends = 1u << first | 1u << last;
    const typename kind::place from = hull_from_lane<kind>(at, first), to = hull_from_lane<kind>(at, last);
    const int side = (places & ~ends & me) != 0 ? kind::orient(from, to, at) : 0;
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
template <class kind>
static __device__ inline void hull_wear(typename kind::place at, hull_sides *sides, bool all) {
    const uint32_t me = 1u << hull_lane(), ends = sides->lower & sides->upper;
    const bool is_upper = (sides->upper & ~ends & me) != 0;
    bool is_inner = ((sides->lower | sides->upper) & ~ends & me) != 0;
    uint32_t gone;
    do {
        const uint32_t side = is_upper ? sides->upper : sides->lower;
        const uint32_t before = is_inner ? 31 - (uint32_t)__clz((int)(side & (me - 1))) : 0;
        const uint32_t behind = is_inner ? (uint32_t)__ffs((int)(side & ~(me | (me - 1)))) - 1 : 0;
        const typename kind::place a = hull_from_lane<kind>(at, before), b = hull_from_lane<kind>(at, behind);
        bool goes = false;
        if (is_inner) {
            const int turn = is_upper ? kind::orient(b, at, a) : kind::orient(a, at, b);
            goes = turn < 0 || (turn == 0 && !all);
        }
        gone = __ballot_sync(HULL_ALL_LANES, goes);
        is_inner = is_inner && !goes;
        sides->lower &= ~gone;
        sides->upper &= ~gone;
    } while (gone != 0);
}

/* Of the lane's set, of at most 32 points. */
template <class of>
static __device__ inline void hull_of_lanes(const hull_table *t, const typename of::coordinate *points,
                                            uint64_t set, hull_span span) {
    typedef typename of::kind kind;
    typedef hull_key<typename of::coordinate> key;
    const bool is_point = hull_lane() < span.end - span.begin;
    key mine;
    uint32_t name = hull_lane();
    mine.set_last();
    if (is_point) {
        const uint64_t i = span.begin + hull_lane();
        const typename of::pair at = ((const typename of::pair *)points)[i];
        mine.set(of::x_of(at), of::y_of(at));
        if (!kind::is_finite(mine.place())) hull_refuse_point(t, i);
    }
    hull_sort_lanes(&mine, &name);
    const uint32_t count = (uint32_t)(span.end - span.begin);
    const key last = mine.from(hull_lane() == 0 ? 0 : hull_lane() - 1);
    const uint32_t places =
        __ballot_sync(HULL_ALL_LANES, hull_lane() < count && (hull_lane() == 0 || !mine.is_same(last)));
    hull_sides sides = {0, 0};
    if (places != 0) {
        sides = hull_split<kind>(mine.place(), places, t->all != 0);
        hull_wear<kind>(mine.place(), &sides, t->all != 0);
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
            hull_of_lanes<of>(&t, (const typename of::coordinate *)a, set, span);
        } else if (hull_lane() == 0) {
            const uint32_t k = hull_class(points), at = ATOMIC_ADD(&t.state->record.classed[k], 1u) + 1;
            t.list[0][k * t.sets + at] = (uint32_t)set;
        }
    }
}
