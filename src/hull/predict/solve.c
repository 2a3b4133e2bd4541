/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/predict/solve.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "hull/predict/accesses.h"
#include "hull/predict/chain.h"
#include "hull/predict/sort.h"

/* Near: a list's words, points fetched, points put down, results. */
enum {
    LISTED,
    POINT,
    NAME = POINT + 2,
    PLACE,
    WRITTEN_NAME = PLACE + 2,
    RESULT,
    NEAR_SITES = RESULT + HULL_RESULT_SITES
};

/* Solving: what repeats others, the chains, results. */
enum {
    UNIQUE = 0,
    SUMS = 14,
    INIT = 16,
    CHAIN,
    COUNTS = CHAIN + HULL_CHAIN_SITES,
    TAKEN,
    ORDERED,
    SOLVE_SITES
};

_Static_assert((int)SOLVE_SITES <= (int)PATTERN_SITES, "a pattern has sites enough");

struct hull_solver_memory {
    hull_f64 place[HULL_FEW];
    uint16_t sorted[HULL_FEW], order[HULL_FEW], word[2][HULL_FEW];
};

/* -------------------------------------------------------------------- begin */

static void declare_near(hull_solver *s) {
    pattern *const p = &s->near;
    const size_t c = s->table->coordinate_bytes;
    pattern_declare(p, LISTED, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    for (unsigned k = 0; k < 2; k++) {
        pattern_declare(p, POINT + k, PATTERN_GLOBAL, PATTERN_READ, c);
        pattern_declare(p, PLACE + k, PATTERN_SHARED, PATTERN_WRITE, sizeof(double));
    }
    pattern_declare(p, NAME, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(p, WRITTEN_NAME, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    hull_declare_result(p, RESULT, s->table);
}

static void declare_solving(hull_solver *s) {
    pattern *const p = &s->solving;
    for (unsigned k = UNIQUE; k < SUMS; k++)
        pattern_declare(p, k, PATTERN_SHARED, PATTERN_READ, k % 7 < 2 ? sizeof(uint16_t) : sizeof(double));
    pattern_declare(p, UNIQUE + 6, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(p, UNIQUE + 13, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint16_t));
    pattern_declare(p, SUMS, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(p, SUMS + 1, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(p, INIT, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint16_t));
    hull_chain_declare(p, CHAIN);
    pattern_declare(p, COUNTS, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(p, TAKEN, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(p, ORDERED, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
}

riffle_status hull_solver_begin(const pattern *of, const hull_table *table, uint32_t room, uint32_t threads,
                                hull_solver *s) {
    const unsigned warps = threads / WARP_LANES;
    *s = (hull_solver){.table = table, .room = room, .threads = threads, .memory = malloc(sizeof *s->memory)};
    pattern_begin(&s->near, of->machine, of->grid, of->most_elements);
    pattern_begin(&s->sorting, of->machine, of->grid, of->most_elements);
    pattern_begin(&s->solving, of->machine, of->grid, of->most_elements);
    declare_near(s);
    hull_sort_declare(&s->sorting);
    declare_solving(s);
    if (s->memory == NULL) return fail_memory("a prediction's points", sizeof *s->memory);
    riffle_status status = tape_create(&s->near, warps, &s->near_tape);
    if (status == RIFFLE_OK) status = tape_create(&s->sorting, warps, &s->sorting_tape);
    if (status == RIFFLE_OK) status = tape_create(&s->solving, warps, &s->solving_tape);
    return status;
}

void hull_solver_begin_block(hull_solver *s, uint64_t first, uint64_t alike) {
    tape *const tapes[] = {&s->near_tape, &s->sorting_tape, &s->solving_tape};
    for (unsigned k = 0; k < 3; k++) {
        pattern_alike(tapes[k]->p, first, alike);
        tape_begin_block(tapes[k], s->threads / WARP_LANES);
    }
}

pattern_counts hull_solver_end(hull_solver *s) {
    tape *const tapes[] = {&s->near_tape, &s->sorting_tape, &s->solving_tape};
    pattern *const patterns[] = {&s->near, &s->sorting, &s->solving};
    pattern_counts sum = {0};
    for (unsigned k = 0; k < 3; k++) {
        const pattern_counts one = pattern_end(patterns[k]);
        pattern_counts_add(&sum, &one);
        tape_free(tapes[k]);
    }
    free(s->memory);
    s->memory = NULL;
    return sum;
}

/* --------------------------------------------------------------------- places */

static uint64_t names_of(const hull_solver *s) { return s->room * sizeof(hull_f64); }

/* Numbers, and the lists that take their place. */
static uint64_t numbers_of(const hull_solver *s) {
    return names_of(s) + (s->room + 4 * (uint64_t)s->threads) * sizeof(uint32_t);
}

static uint64_t list_of(const hull_solver *s, unsigned number, uint32_t k) {
    return numbers_of(s) + ((uint64_t)number * s->room + k) * sizeof(uint16_t);
}

/* ------------------------------------------------------------------ bringing */

/* A thread fetches four points at once; where there are fewer, its first again. */
static void bring(hull_solver *s, const hull_solved *set) {
    enum { AT_ONCE = 4 };
    const uint32_t c = s->table->coordinate_bytes;
    tape *const t = &s->near_tape;
    for (uint32_t begin = 0; begin < set->count; begin += AT_ONCE * s->threads)
        for (uint32_t first = begin; first < min(set->count, begin + s->threads); first += WARP_LANES) {
            for (uint32_t own = first; own < min(first + WARP_LANES, set->count); own++) {
                tape_lane(t, (first - begin) / WARP_LANES);
                for (uint32_t i = 0; i < AT_ONCE; i++) {
                    const uint32_t k = own + i * s->threads, taken = k < set->count ? k : own;
                    const uint64_t point = set->index != NULL ? set->index[taken] : set->first + taken;
                    if (set->index != NULL) tape_note(t, LISTED, set->names + taken * sizeof(uint32_t));
                    tape_note(t, POINT, 2 * point * c);
                    tape_note(t, POINT + 1, (2 * point + 1) * c);
                    if (k >= set->count) continue;
                    tape_note(t, NAME, names_of(s) + k * sizeof(uint32_t));
                    tape_note(t, PLACE, k * sizeof(hull_f64));
                    tape_note(t, PLACE + 1, k * sizeof(hull_f64) + sizeof(double));
                }
            }
            tape_meet(t);
        }
}

/* -------------------------------------------------------------------- unique */

/* Point k and the one before it; true if they are in one place. */
static bool note_pair(hull_solver *s, unsigned site, uint64_t given, uint32_t k) {
    tape *const t = &s->solving_tape;
    const uint16_t *const sorted = s->memory->sorted;
    const hull_f64 a = s->memory->place[sorted[k - 1]], b = s->memory->place[sorted[k]];
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t place = sorted[k - 1 + i] * sizeof(hull_f64);
        tape_note(t, site + i, given + (k - 1 + i) * sizeof(uint16_t));
        tape_note(t, site + 2 + i, place);
        if (a.x == b.x) tape_note(t, site + 4 + i, place + sizeof(double));
    }
    return a.x == b.x && a.y == b.y;
}

/* Each thread's portion, twice: how many are new, and these to list 2. `given` is where the order lies. */
static uint32_t keep_unique(hull_solver *s, uint64_t given, uint32_t count) {
    tape *const t = &s->solving_tape;
    const uint32_t share = ceil_div(count, s->threads), warps = s->threads / WARP_LANES;
    uint32_t places = 0, numbers[HULL_BLOCK] = {0};
    for (uint32_t thread = 0; thread < s->threads; thread++) {
        numbers[thread] = places;
        for (uint32_t k = thread * share; k < min((thread + 1) * share, count); k++) {
            const hull_f64 *const place = s->memory->place;
            const uint16_t *const sorted = s->memory->sorted;
            if (k == 0 || place[sorted[k - 1]].x != place[sorted[k]].x ||
                place[sorted[k - 1]].y != place[sorted[k]].y)
                s->memory->order[places++] = sorted[k];
        }
    }
    for (unsigned pass = 0; pass < 2; pass++) {
        const unsigned site = UNIQUE + 7 * pass;
        for (uint32_t warp = 0; warp < warps; warp++)
            for (uint32_t turn = 0; turn < share; turn++) {
                for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
                    const uint32_t thread = warp * WARP_LANES + lane, k = thread * share + turn;
                    tape_lane(t, warp);
                    if (k >= count) continue;
                    const bool is_new = k == 0 || !note_pair(s, site, given, k);
                    if (!is_new || pass == 0) continue;
                    tape_note(t, UNIQUE + 6, given + k * sizeof(uint16_t));
                    tape_note(t, UNIQUE + 13, list_of(s, 2, numbers[thread]++));
                }
                tape_meet(t);
            }
        if (pass == 0) hull_note_sum(t, SUMS, s->threads);
    }
    return places;
}

/* ----------------------------------------------------------------- the chains */

/* Points in order, as a boundary sees them. */
typedef struct side {
    hull_team_points points;
    const hull_solver *s;
    uint32_t places;
    bool is_upper;
} side;

static uint32_t number_in(const side *of, uint32_t word) { return of->is_upper ? of->places - 1 - word : word; }

static uint32_t name_of(const hull_team_points *points, uint32_t word) {
    const side *const of = (const side *)points;
    return of->s->memory->order[number_in(of, word)];
}

static uint64_t order_of(const hull_team_points *points, uint32_t word) {
    const side *const of = (const side *)points;
    return list_of(of->s, 2, number_in(of, word));
}

static hull_f64 at_of(const hull_team_points *points, uint32_t word) {
    const side *const of = (const side *)points;
    const hull_f64 at = of->s->memory->place[name_of(points, word)];
    return of->is_upper ? (hull_f64){-at.x, -at.y} : at;
}

static void begin_lists(hull_solver *s, uint32_t places) {
    tape *const t = &s->solving_tape;
    const uint32_t size = s->threads / 2;
    for (unsigned upper = 0; upper < 2; upper++)
        for (uint32_t first = 0; first < places; first += WARP_LANES) {
            for (uint32_t k = first; k < min(first + WARP_LANES, places); k++) {
                tape_lane(t, (upper * size + first % size) / WARP_LANES);
                tape_note(t, INIT, list_of(s, upper ? 0 : 1, k));
                s->memory->word[upper][k] = (uint16_t)k;
            }
            tape_meet(t);
        }
}

/* All threads read how long both are; then corners are written, of the upper one all but its ends. */
static void write_results(hull_solver *s, const hull_solved *set, const side sides[2],
                          const hull_followed_team teams[2]) {
    tape *const t = &s->solving_tape, *const near = &s->near_tape;
    const uint32_t size = s->threads / 2, below = teams[0].length;
    for (uint32_t warp = 0; warp < s->threads / WARP_LANES; warp++) {
        tape_lane(t, warp);
        tape_note(t, COUNTS, 0);
        tape_note(t, COUNTS, 0);
        tape_meet(t);
    }
    const bool is_line = below == sides[0].places && teams[1].length == below; /* written as one of them */
    for (unsigned upper = 0; upper < (is_line ? 1U : 2U); upper++) {
        const uint32_t end = upper ? teams[1].length - 1 : below;
        for (uint32_t first = upper; first < end; first += WARP_LANES) {
            for (uint32_t k = first; k < min(first + WARP_LANES, end); k++) {
                const uint32_t warp = (upper * size + (first - upper) % size) / WARP_LANES;
                const uint32_t word = teams[upper].words[k], name = name_of(&sides[upper].points, word);
                const uint64_t point = set->index != NULL ? set->index[name] : set->first + name;
                tape_lane(t, warp);
                tape_note(t, TAKEN, list_of(s, upper ? 0 : 1, k));
                tape_note(t, ORDERED, order_of(&sides[upper].points, word));
                tape_lane(near, warp);
                tape_note(near, WRITTEN_NAME, names_of(s) + name * sizeof(uint32_t));
                hull_note_result(near, RESULT, s->table, set->first + (upper ? below + k - 1 : k), point);
            }
            tape_meet(t);
            tape_meet(near);
        }
    }
}

uint32_t hull_solver_follow(hull_solver *s, const hull_solved *set) {
    memcpy(s->memory->place, set->at, set->count * sizeof *set->at);
    bring(s, set);
    const uint64_t given =
        hull_sort_follow(&s->sorting_tape, s->memory->place, set->count, s->threads,
                         &(hull_sort_places){names_of(s), numbers_of(s), s->room}, s->memory->sorted);
    const uint32_t places = keep_unique(s, given, set->count), size = s->threads / 2;
    side sides[2];
    hull_followed_team teams[2];
    for (unsigned upper = 0; upper < 2; upper++) {
        sides[upper] = (side){.points = {.at = at_of, .name = name_of, .order = order_of},
                              .s = s,
                              .places = places,
                              .is_upper = upper != 0};
        teams[upper] =
            (hull_followed_team){.first = upper * size,
                                 .number = upper,
                                 .size = size,
                                 .points = &sides[upper].points,
                                 .list = {list_of(s, upper ? 0 : 1, 0), list_of(s, upper ? 4 : 3, 0)},
                                 .words = s->memory->word[upper],
                                 .length = places,
                                 .all = s->table->all != 0};
    }
    begin_lists(s, places);
    hull_chain_follow(&s->solving_tape, CHAIN, teams, 2, s->threads);
    write_results(s, set, sides, teams);
    const bool is_line = teams[0].length == places && teams[1].length == places;
    return is_line ? teams[0].length : teams[0].length + teams[1].length - 2;
}
