/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/predict/sort.h"

#include <string.h>

#include "base/arithmetic.h"
#include "hull/kernels/hull.h"
#include "hull/predict/chain.h"

enum { NAME_BITS = 12 };

/* Sites of a merge sort and the look at its order, which there may be two of; then the others. */
enum { MERGED = 0, RANKED, MOVED, NUMBER, POINT = NUMBER + 2, TRY = POINT + 6 };
enum { BY_X = 2 * TRY, NUMBERED, SUMS, AGAIN = SUMS + 2, NAMED = AGAIN + 7, WORD, SITES };

_Static_assert((int)SITES <= (int)PATTERN_SITES, "a pattern has sites enough");

typedef struct sorting {
    tape *t;
    const hull_f64 *at;
    uint32_t count, threads;
    const hull_sort_places *places;
    uint64_t number[2][HULL_FEW];
} sorting;

static void declare_numbers(pattern *p, unsigned site, pattern_op op) {
    pattern_declare(p, site, PATTERN_SHARED, op, sizeof(uint64_t));
}

void hull_sort_declare(pattern *p) {
    for (unsigned k = 0; k < 2 * TRY; k++)
        declare_numbers(p, k, k % TRY == MOVED ? PATTERN_WRITE : PATTERN_READ);
    for (unsigned k = 0; k < 2; k++) {
        pattern_declare(p, k * TRY + POINT + 4, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
        pattern_declare(p, k * TRY + POINT + 5, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    }
    declare_numbers(p, BY_X, PATTERN_READ);
    declare_numbers(p, NUMBERED, PATTERN_WRITE);
    pattern_declare(p, SUMS, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(p, SUMS + 1, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    for (unsigned k = AGAIN; k < AGAIN + 6; k++) declare_numbers(p, k, PATTERN_READ);
    declare_numbers(p, AGAIN + 6, PATTERN_WRITE);
    declare_numbers(p, NAMED, PATTERN_READ);
    pattern_declare(p, WORD, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint16_t));
}

/* Where number k of a list lies. */
static uint64_t place_of(const sorting *s, unsigned list, uint32_t k) {
    return s->places->numbers + ((uint64_t)list * s->places->room + k) * sizeof(uint64_t);
}

/* As hull_real::order: greater where x is. */
static uint64_t order_of(double x) {
    const uint64_t bits = hull_bits(x + 0.0);
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint32_t name_of(uint64_t number) { return (uint32_t)number & ((1U << NAME_BITS) - 1); }

/* A step of items k, a thread each side by side. */
typedef void (*step)(sorting *s, unsigned list, uint32_t k, uint32_t more);

static void each(sorting *s, step does, unsigned list, uint32_t more) {
    for (uint32_t first = 0; first < s->count; first += WARP_LANES) {
        for (uint32_t k = first; k < min(first + WARP_LANES, s->count); k++) {
            tape_lane(s->t, first % s->threads / WARP_LANES);
            does(s, list, k, more);
        }
        tape_meet(s->t);
    }
}

/* --------------------------------------------------------------------- steps */

static void number_by_x(sorting *s, unsigned list, uint32_t k, uint32_t more) {
    (void)more;
    tape_note(s->t, BY_X, k * sizeof(hull_f64));
    tape_note(s->t, NUMBERED, place_of(s, list, k));
    s->number[list][k] = order_of(s->at[k].x) >> NAME_BITS << NAME_BITS | k;
}

/* To behind the numbers of its own run, and those of the other that are less; `run` has a bit more than the site's number. */
static void merge(sorting *s, unsigned list, uint32_t k, uint32_t more) {
    const uint32_t run = more >> 1, site = more & 1 ? (uint32_t)TRY : 0;
    const uint64_t *const from = s->number[list];
    const uint32_t other = k & run ? (k & ~(run - 1)) - run : (k & ~(run - 1)) + run;
    const uint32_t begin = min(other, s->count), end = min(begin + run, s->count);
    uint32_t low = begin, high = end;
    tape_note(s->t, site + MERGED, place_of(s, list, k));
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        tape_note(s->t, site + RANKED, place_of(s, list, middle));
        if (from[middle] < from[k])
            low = middle + 1;
        else
            high = middle;
    }
    const uint32_t to = (k & ~(2 * run - 1)) + (k & (run - 1)) + low - begin;
    tape_note(s->t, site + MOVED, place_of(s, 1 - list, to));
    s->number[1 - list][to] = from[k];
}

/* Returns the list that has the numbers in order. */
static unsigned merge_sort(sorting *s, unsigned list, bool is_again) {
    for (uint32_t run = 1; run < s->count; run *= 2, list = 1 - list) each(s, merge, list, run << 1 | is_again);
    return list;
}

/* Neighbours are compared by their places. */
static void compare(sorting *s, unsigned list, uint32_t k, uint32_t is_again) {
    const unsigned site = is_again ? TRY : 0;
    if (k + 1 == s->count) return;
    const uint32_t names[2] = {name_of(s->number[list][k]), name_of(s->number[list][k + 1])};
    const hull_f64 a = s->at[names[0]], b = s->at[names[1]];
    for (unsigned i = 0; i < 2; i++) {
        tape_note(s->t, site + NUMBER + i, place_of(s, list, k + i));
        tape_note(s->t, site + POINT + 2 * i, names[i] * sizeof(hull_f64));
        tape_note(s->t, site + POINT + 2 * i + 1, names[i] * sizeof(hull_f64) + sizeof(double));
        if (a.x == b.x && a.y == b.y)
            tape_note(s->t, site + POINT + 4 + i, s->places->names + names[i] * sizeof(uint32_t));
    }
}

static bool is_before(const sorting *s, uint32_t p, uint32_t q) {
    const hull_f64 a = s->at[p], b = s->at[q];
    return a.x == b.x && a.y == b.y ? p < q : hull_before_f64(a, b);
}

static bool is_order(sorting *s, unsigned list, bool is_again) {
    bool out = true;
    each(s, compare, list, is_again);
    hull_note_sum(s->t, SUMS, s->threads);
    for (uint32_t k = 1; k < s->count; k++)
        out &= is_before(s, name_of(s->number[list][k - 1]), name_of(s->number[list][k]));
    return out;
}

/* --------------------------------------------------- where x does not tell all apart */

/* Word k of a thread's portion: whether its number is another than the one before, and in the second pass the new number. */
static void note_again(sorting *s, unsigned list, uint32_t k, bool is_second, uint64_t different) {
    const unsigned site = AGAIN + (is_second ? 2 : 0);
    if (k > 0) {
        tape_note(s->t, site, place_of(s, list, k));
        tape_note(s->t, site + 1, place_of(s, list, k - 1));
    }
    if (!is_second) return;
    const uint32_t name = name_of(s->number[list][k]);
    tape_note(s->t, AGAIN + 4, place_of(s, list, k));
    tape_note(s->t, AGAIN + 5, name * sizeof(hull_f64) + sizeof(double));
    tape_note(s->t, AGAIN + 6, place_of(s, 1 - list, k));
    s->number[1 - list][k] =
        different << (64 - NAME_BITS) | order_of(s->at[name].y) >> 2 * NAME_BITS << NAME_BITS | name;
}

/* How many different numbers by x there are up to k. */
static uint64_t step_of(const sorting *s, unsigned list, uint32_t k) {
    return k > 0 && (s->number[list][k] ^ s->number[list][k - 1]) >> NAME_BITS != 0;
}

static void number_again(sorting *s, unsigned list) {
    const uint32_t share = ceil_div(s->count, s->threads), warps = s->threads / WARP_LANES;
    for (unsigned pass = 0; pass < 2; pass++) {
        uint64_t before = 0; /* the warp's first thread has come through so many */
        for (uint32_t warp = 0; warp < warps; warp++) {
            uint64_t different[WARP_LANES];
            for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
                different[lane] = before;
                for (uint32_t k = (warp * WARP_LANES + lane) * share, j = 0; j < share && k + j < s->count; j++)
                    before += step_of(s, list, k + j);
            }
            for (uint32_t turn = 0; turn < share; turn++) {
                for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
                    const uint32_t k = (warp * WARP_LANES + lane) * share + turn;
                    tape_lane(s->t, warp);
                    if (k >= s->count) continue;
                    different[lane] += step_of(s, list, k);
                    note_again(s, list, k, pass > 0, different[lane]);
                }
                tape_meet(s->t);
            }
        }
        if (pass == 0) hull_note_sum(s->t, SUMS, s->threads);
    }
}

/* ------------------------------------------------------------------------ all */

static void name(sorting *s, unsigned list, uint32_t k, uint32_t more) {
    (void)more;
    tape_note(s->t, NAMED, place_of(s, list, k));
    tape_note(s->t, WORD, place_of(s, 1 - list, 0) + k * sizeof(uint16_t));
}

/* Numbers by y tell all apart but points in one place, and points drawn have no others. */
uint64_t hull_sort_follow(tape *t, const hull_f64 *at, uint32_t count, uint32_t threads,
                          const hull_sort_places *places, uint16_t *sorted) {
    sorting s = {.t = t, .at = at, .count = count, .threads = threads, .places = places};
    each(&s, number_by_x, 0, 0);
    unsigned list = merge_sort(&s, 0, false);
    if (!is_order(&s, list, false)) {
        number_again(&s, list);
        list = merge_sort(&s, 1 - list, true);
        is_order(&s, list, true);
    }
    each(&s, name, list, 0);
    for (uint32_t k = 0; k < count; k++) sorted[k] = (uint16_t)name_of(s.number[list][k]);
    return place_of(&s, 1 - list, 0);
}
