/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures of a hull by rotating calipers (Shamos 1978; Toussaint 1983): for each side in turn the corner that is farthest from
 * it, and, for the rectangle on the side, the corners that are farthest along it. They go on with the side, never back. Every
 * decision is exact: which corner is farther by a predicate; which distance or area is less by rounded arithmetic with a bound
 * of its error, and where that does not decide by integers (big.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "hull/big.h"
#include "hull/points.h"

/* A number with a bound of its error. */
typedef struct rounded {
    double value, error;
} rounded;

/* Two points, and the difference of them. */
typedef struct pair {
    uint64_t from, to;
} pair;

/* Its corners are points[place[0]], points[place[1]], ...; points between these are left out. Numbers below are of corners. */
typedef struct hull {
    hull_points points;
    bool is_i64;
    uint64_t *place;
    uint64_t corners;
} hull;

static uint64_t next_of(const hull *h, uint64_t k) { return k + 1 < h->corners ? k + 1 : 0; }

static hull_f64 f64_at(const hull *h, uint64_t k) { return hull_f64_at(&h->points, h->place[k]); }
static hull_i64 i64_at(const hull *h, uint64_t k) { return hull_i64_at(&h->points, h->place[k]); }

/* --------------------------------------------------------------- exact signs */

static int cross_sign(const hull *h, pair p, pair q) {
    if (h->is_i64)
        return hull_cross_i64(i64_at(h, p.from), i64_at(h, p.to), i64_at(h, q.from), i64_at(h, q.to));
    return hull_cross_f64(f64_at(h, p.from), f64_at(h, p.to), f64_at(h, q.from), f64_at(h, q.to));
}

/* A quarter of a turn; of integers about another centre, which differences do not show. */
static hull_f64 turned_f64(hull_f64 a) { return (hull_f64){-a.y, a.x}; }
static hull_i64 turned_i64(hull_i64 a) { return (hull_i64){~a.y, a.x}; }

static int dot_sign(const hull *h, pair p, pair q) {
    if (h->is_i64)
        return hull_cross_i64(i64_at(h, p.from), i64_at(h, p.to), turned_i64(i64_at(h, q.from)),
                              turned_i64(i64_at(h, q.to)));
    return hull_cross_f64(f64_at(h, p.from), f64_at(h, p.to), turned_f64(f64_at(h, q.from)),
                          turned_f64(f64_at(h, q.to)));
}

/* ------------------------------------------------------- rounded and integers */

static double offset_i64(int64_t from, int64_t to) {
    return to >= from ? (double)((uint64_t)to - (uint64_t)from) : -(double)((uint64_t)from - (uint64_t)to);
}

/* p.to - p.from; each coordinate is wrong by 2^-53 of it at most. */
static hull_f64 offset(const hull *h, pair p) {
    if (h->is_i64) {
        const hull_i64 a = i64_at(h, p.from), b = i64_at(h, p.to);
        return (hull_f64){offset_i64(a.x, b.x), offset_i64(a.y, b.y)};
    }
    const hull_f64 a = f64_at(h, p.from), b = f64_at(h, p.to);
    return (hull_f64){b.x - a.x, b.y - a.y};
}

/* A sum of two products of offsets: four roundings each, of 2^-53, and one. */
static rounded sum_of(double a, double b) { return (rounded){a + b, 0x1p-50 * (fabs(a) + fabs(b))}; }

static rounded dot(const hull *h, pair p, pair q) {
    const hull_f64 a = offset(h, p), b = offset(h, q);
    return sum_of(a.x * b.x, a.y * b.y);
}

static rounded cross(const hull *h, pair p, pair q) {
    const hull_f64 a = offset(h, p), b = offset(h, q);
    return sum_of(a.x * b.y, -a.y * b.x);
}

/* The unit that both are multiples of. */
static int unit_of(const hull *h, pair p, int most) {
    if (h->is_i64) return 0;
    const hull_f64 a = f64_at(h, p.from), b = f64_at(h, p.to);
    const double coordinates[] = {a.x, a.y, b.x, b.y};
    for (unsigned k = 0; k < 4; k++) {
        const int unit = big_unit(coordinates[k], most);
        if (unit < most) most = unit;
    }
    return most;
}

static void set_big(const hull *h, uint64_t point, unsigned axis, int unit, big *out) {
    if (h->is_i64) {
        const hull_i64 a = i64_at(h, point);
        big_set_integer(out, axis == 0 ? a.x : a.y);
    } else {
        const hull_f64 a = f64_at(h, point);
        big_set_double(out, axis == 0 ? a.x : a.y, unit);
    }
}

static void big_offset(const hull *h, pair p, unsigned axis, int unit, big *out) {
    big from;
    set_big(h, p.to, axis, unit, out);
    set_big(h, p.from, axis, unit, &from);
    big_subtract(out, out, &from);
}

/* The dot product, or the cross product, as an integer. */
static void big_product(const hull *h, pair p, pair q, bool is_cross, int unit, big *out) {
    big a, b, second;
    big_offset(h, p, 0, unit, &a);
    big_offset(h, q, is_cross ? 1 : 0, unit, &b);
    big_multiply(out, &a, &b);
    big_offset(h, p, 1, unit, &a);
    big_offset(h, q, is_cross ? 0 : 1, unit, &b);
    big_multiply(&second, &a, &b);
    if (is_cross)
        big_subtract(out, out, &second);
    else
        big_add(out, out, &second);
}

static bool is_precise(rounded x) { return x.error < 0x1p-44 * fabs(x.value) && fabs(x.value) > 1e-250; }

/* 2^-down times a product divided by a length, which is finite and above 0, to 12 digits at least, also where its terms
 * cancel. */
static double share_of(const hull *h, pair p, pair q, bool is_cross, double length, int down) {
    const rounded product = is_cross ? cross(h, p, q) : dot(h, p, q);
    if (is_precise(product) && isfinite(product.value)) return ldexp(product.value, -down) / length;
    const int unit = unit_of(h, q, unit_of(h, p, 1024));
    int bits, shift;
    big whole;
    big_product(h, p, q, is_cross, unit, &whole);
    const double quotient = big_fraction(&whole, &bits) / frexp(length, &shift);
    return ldexp(quotient, bits + 2 * unit - shift - down);
}

/* ------------------------------------------------------------------ diameter */

/* The sign of |a| - |b|. */
static int compare_lengths(const hull *h, pair a, pair b) {
    const rounded of_a = dot(h, a, a), of_b = dot(h, b, b);
    const double difference = of_a.value - of_b.value;
    const double error = 2 * (of_a.error + of_b.error);
    if (fabs(difference) > error && of_a.value + of_b.value > 1e-250) return difference > 0 ? 1 : -1;
    const int unit = unit_of(h, b, unit_of(h, a, 1024));
    big size_a, size_b;
    big_product(h, a, a, false, unit, &size_a);
    big_product(h, b, b, false, unit, &size_b);
    return big_compare(&size_a, &size_b);
}

static void take_longer(const hull *h, uint64_t i, uint64_t j, pair *longest) {
    const pair found = i < j ? (pair){i, j} : (pair){j, i};
    const int order = compare_lengths(h, found, *longest);
    const bool is_earlier =
        found.from < longest->from || (found.from == longest->from && found.to < longest->to);
    if (order > 0 || (order == 0 && is_earlier)) *longest = found;
}

/* The farthest two of corners with an area are opposite to each other somewhere. */
static pair find_diameter(const hull *h) {
    const uint64_t n = h->corners;
    pair longest = {0, 1};
    for (uint64_t i = 0, j = 1; i < n; i++) {
        const pair side = {i, next_of(h, i)};
        while (cross_sign(h, side, (pair){j, next_of(h, j)}) > 0) j = next_of(h, j);
        for (uint64_t k = j;; k = next_of(h, k)) {
            take_longer(h, side.from, k, &longest);
            take_longer(h, side.to, k, &longest);
            if (cross_sign(h, side, (pair){k, next_of(h, k)}) != 0 || next_of(h, k) == j)
                break; /* else parallel */
        }
    }
    return longest;
}

/* ----------------------------------------------------------------- rectangle */

/* The rectangle on a side: it reaches from corner `back` to corner `front` along it, and to corner `top`. */
typedef struct box {
    pair side;
    uint64_t front, top, back;
} box;

static pair along(const box *b) { return (pair){b->back, b->front}; }
static pair across(const box *b) { return (pair){b->side.from, b->top}; }

/* Its area is length * breadth / side: a dot product, a cross product and the side's square. */
static rounded area_of(const hull *h, const box *b) {
    const rounded length = dot(h, b->side, along(b)), breadth = cross(h, b->side, across(b));
    const rounded side = dot(h, b->side, b->side);
    const double area = length.value * (breadth.value / side.value);
    const double relative =
        length.error / length.value + breadth.error / breadth.value + side.error / side.value + 0x1p-50;
    return (rounded){area, 2 * fabs(area * relative)};
}

static bool is_ordinary(rounded x) { return x.value > 1e-90 && x.value < 1e90 && x.error < x.value / 64; }

/* True if rounding cannot have lost more than the bounds say. */
static bool is_safe(const hull *h, const box *b) {
    return is_ordinary(dot(h, b->side, b->side)) && is_ordinary(dot(h, b->side, along(b))) &&
           is_ordinary(cross(h, b->side, across(b)));
}

static int common_unit(const hull *h, const box *b, int most) {
    return unit_of(h, b->side, unit_of(h, along(b), unit_of(h, across(b), most)));
}

/* length * breadth, and the side's square. */
static void big_area(const hull *h, const box *b, int unit, big *over, big *under) {
    big length, breadth;
    big_product(h, b->side, along(b), false, unit, &length);
    big_product(h, b->side, across(b), true, unit, &breadth);
    big_multiply(over, &length, &breadth);
    big_product(h, b->side, b->side, false, unit, under);
}

static int compare_areas_exactly(const hull *h, const box *a, const box *b) {
    const int unit = common_unit(h, a, common_unit(h, b, 1024));
    big a_over, a_under, b_over, b_under, left, right;
    big_area(h, a, unit, &a_over, &a_under);
    big_area(h, b, unit, &b_over, &b_under);
    big_multiply(&left, &a_over, &b_under);
    big_multiply(&right, &b_over, &a_under);
    return big_compare(&left, &right);
}

static double area_value(const hull *h, const box *b) {
    if (is_safe(h, b) && is_precise(area_of(h, b))) return area_of(h, b).value;
    const int unit = common_unit(h, b, 1024);
    int over_bits, under_bits;
    big over, under;
    big_area(h, b, unit, &over, &under);
    const double quotient = big_fraction(&over, &over_bits) / big_fraction(&under, &under_bits);
    return ldexp(quotient, over_bits - under_bits + 2 * unit);
}

/* The sign of a's area less b's. */
static int compare_areas(const hull *h, const box *a, const box *b) {
    if (is_safe(h, a) && is_safe(h, b)) {
        const rounded of_a = area_of(h, a), of_b = area_of(h, b);
        const double difference = of_a.value - of_b.value;
        if (fabs(difference) > of_a.error + of_b.error) return difference > 0 ? 1 : -1;
    }
    return compare_areas_exactly(h, a, b);
}

/* Finds the smallest rectangle of n >= 3 corners with an area. It has a side on one of the hull's (Freeman, Shapira 1975). */
static box find_rectangle(const hull *h) {
    box least = {{0, 1}, 0, 0, 0}, b = {{0, 1}, 1, 1, 1};
    for (uint64_t i = 0; i < h->corners; i++) {
        b.side = (pair){i, next_of(h, i)};
        if (i == 0 || b.front == i) b.front = b.side.to;
        while (dot_sign(h, b.side, (pair){b.front, next_of(h, b.front)}) > 0) b.front = next_of(h, b.front);
        if (i == 0) b.top = b.front;
        while (cross_sign(h, b.side, (pair){b.top, next_of(h, b.top)}) > 0) b.top = next_of(h, b.top);
        if (i == 0) b.back = b.top;
        while (dot_sign(h, b.side, (pair){b.back, next_of(h, b.back)}) < 0) b.back = next_of(h, b.back);
        if (i == 0 || compare_areas(h, &b, &least) < 0) least = b;
    }
    return least;
}

/* ------------------------------------------------------------------ measures */

/* A sum that keeps what rounding takes from it (Neumaier 1974). */
typedef struct precise {
    double sum, lost;
} precise;

static void add_precisely(precise *to, double x) {
    const double sum = to->sum + x;
    to->lost += fabs(to->sum) >= fabs(x) ? (to->sum - sum) + x : (x - sum) + to->sum;
    to->sum = sum;
}

static double total(const precise *of) { return isfinite(of->sum) ? of->sum + of->lost : of->sum; }

static double length_of(const hull *h, pair p) {
    const hull_f64 far = offset(h, p);
    return hypot(far.x, far.y);
}

/* 2^-down times twice the area. */
static double doubled_area(const hull *h, int down) {
    precise doubled = {0};
    for (uint64_t k = 1; k + 1 < h->corners; k++)
        add_precisely(&doubled, share_of(h, (pair){0, k}, (pair){0, k + 1}, true, 1, down));
    return total(&doubled);
}

/* An area may be a double where twice of it is beyond. */
static void measure_outline(const hull *h, riffle_hull_measures *out) {
    precise perimeter = {0};
    for (uint64_t k = 0; k < h->corners; k++) add_precisely(&perimeter, length_of(h, (pair){k, next_of(h, k)}));
    const double doubled = doubled_area(h, 0);
    out->area = isfinite(doubled) ? doubled / 2 : doubled_area(h, 1);
    out->perimeter = total(&perimeter);
}

/* The first corner of the side, as doubles: of uint64 as it was given. */
static hull_f64 place_of(const hull *h, uint64_t k) {
    if (!h->is_i64) return f64_at(h, k);
    const hull_i64 at = i64_at(h, k);
    if (h->points.type == RIFFLE_TYPE_I64) return (hull_f64){(double)at.x, (double)at.y};
    return (hull_f64){(double)((uint64_t)at.x ^ UINT64_C(1) << 63),
                      (double)((uint64_t)at.y ^ UINT64_C(1) << 63)};
}

/* The difference of two places, times 2^-down. */
static hull_f64 small_offset(const hull *h, pair p, int down) {
    if (down == 0) return offset(h, p);
    const hull_f64 a = place_of(h, p.from), b = place_of(h, p.to);
    return (hull_f64){ldexp(b.x, -down) - ldexp(a.x, -down), ldexp(b.y, -down) - ldexp(a.y, -down)};
}

/* The rectangle's sides and corners, found at 2^-down of their size; false if a corner or the side is beyond
 * doubles. */
static bool place_rectangle(const hull *h, const box *b, int down, riffle_hull_measures *out) {
    const hull_f64 whole = offset(h, b->side), at = place_of(h, b->side.from);
    const int side_down = isfinite(hypot(whole.x, whole.y)) ? 0 : down;
    const hull_f64 side = small_offset(h, b->side, side_down), from = {ldexp(at.x, -down), ldexp(at.y, -down)};
    const double length = hypot(side.x, side.y);
    const hull_f64 unit = {side.x / length, side.y / length};
    const int shift = side_down + down;
    const double begin = share_of(h, b->side, (pair){b->side.from, b->back}, false, length, shift);
    const double end = share_of(h, b->side, (pair){b->side.from, b->front}, false, length, shift);
    const double breadth = share_of(h, b->side, across(b), true, length, shift);
    const double reach[4][2] = {{begin, 0}, {end, 0}, {end, breadth}, {begin, breadth}};
    bool is_finite = isfinite(length);
    for (unsigned k = 0; k < 4; k++) {
        out->rectangle[k][0] = ldexp(from.x + unit.x * reach[k][0] - unit.y * reach[k][1], down);
        out->rectangle[k][1] = ldexp(from.y + unit.y * reach[k][0] + unit.x * reach[k][1], down);
        is_finite = is_finite && isfinite(out->rectangle[k][0]) && isfinite(out->rectangle[k][1]);
    }
    out->rectangle_length = ldexp(end - begin, down);
    out->rectangle_breadth = ldexp(breadth, down);
    return is_finite;
}

/* Corners may be doubles where lengths between them are beyond: then all is found at a sixteenth. */
static void measure_rectangle(const hull *h, const box *b, riffle_hull_measures *out) {
    if (!place_rectangle(h, b, 0, out)) place_rectangle(h, b, 4, out);
    out->rectangle_side = h->place[b->side.from];
    out->rectangle_area = area_value(h, b);
}

/* One corner or two: the rectangle is a point, or a stretch and back. */
static void measure_flat(const hull *h, riffle_hull_measures *out) {
    const hull_f64 ends[2] = {place_of(h, 0), place_of(h, h->corners - 1)};
    for (unsigned k = 0; k < 4; k++) {
        out->rectangle[k][0] = ends[k == 1 || k == 2].x;
        out->rectangle[k][1] = ends[k == 1 || k == 2].y;
    }
    out->rectangle_length = out->diameter;
}

/* ------------------------------------------------------------------ corners */

static bool turns(const hull *h, uint64_t from, uint64_t at, uint64_t to) {
    const hull_points *const p = &h->points;
    if (h->is_i64) return hull_orient_i64(hull_i64_at(p, from), hull_i64_at(p, at), hull_i64_at(p, to)) != 0;
    return hull_orient_f64(hull_f64_at(p, from), hull_f64_at(p, at), hull_f64_at(p, to)) != 0;
}

/* Corners are where the boundary turns. On a line it turns nowhere, and the ends are corners. There is a
 * point at least, and `place` has room for all. */
static void find_corners(hull *h) {
    const uint64_t n = h->points.n;
    h->corners = 1;
    h->place[0] = 0;
    for (uint64_t k = 1; k < n; k++)
        if (turns(h, h->place[h->corners - 1], k, k + 1 < n ? k + 1 : 0)) h->place[h->corners++] = k;
    if (h->corners > 2 && !turns(h, h->place[h->corners - 1], 0, h->place[1])) {
        h->corners--;
        memmove(h->place, h->place + 1, h->corners * sizeof *h->place);
    }
    if (h->corners > 2 || n < 2) return;
    h->corners = 2;
    h->place[1] = n - 1;
}

static void measure(const hull *h, riffle_hull_measures *out) {
    const bool has_area = h->corners > 2;
    const pair longest = has_area ? find_diameter(h) : (pair){0, h->corners - 1};
    measure_outline(h, out);
    out->diameter = length_of(h, longest);
    out->diameter_ends[0] = h->place[longest.from];
    out->diameter_ends[1] = h->place[longest.to];
    if (has_area) {
        const box least = find_rectangle(h);
        measure_rectangle(h, &least, out);
    } else {
        measure_flat(h, out);
    }
}

riffle_status riffle_hull_measure(uint64_t n, riffle_type type, const void *points, riffle_hull_measures *out) {
    RETURN_IF_NULL(out);
    if ((unsigned)type > RIFFLE_TYPE_C128 || !hull_has_type(type))
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "coordinates of type number %d; hulls are of integers, f32 and f64", (int)type);
    if (n > RIFFLE_MAX_LENGTH)
        return fail(RIFFLE_ERROR_LENGTH, "a hull of %llu points; an array has at most 2^%d",
                    (unsigned long long)n, RIFFLE_MAX_BITS);
    if (n > 0 && points == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "hull is NULL but there are %llu points of it",
                    (unsigned long long)n);
    hull h = {.points = {type, points, n}, .is_i64 = hull_is_i64(type)};
    const uint64_t bad = hull_first_not_finite(&h.points, 0, n);
    if (bad != n) return hull_refuse(&h.points, bad);
    riffle_hull_measures found = {0};
    if (n > 0) {
        h.place = malloc(n * sizeof *h.place);
        if (h.place == NULL) return fail_memory("the corners of a hull", n * sizeof *h.place);
        find_corners(&h);
        measure(&h, &found);
        free(h.place);
    }
    *out = found;
    return RIFFLE_OK;
}
