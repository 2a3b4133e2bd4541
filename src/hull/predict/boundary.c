/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of launches that make boundaries of extremes, a block each way to see points (hull/kernels/hull_boundary.cu), which are followed. The
 * second round has nothing to do where few points are left, as of a square of less than two million.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "hull/predict/accesses.h"
#include "hull/predict/chain.h"
#include "hull/predict/patterns.h"
#include "hull/predict/sieve.h"

enum {
    LISTED,
    SCALE,
    ENDS = SCALE + 4, /* an entry at either end, of the upper and of the lower cells */
    ENTRY,
    POINT = ENTRY + 2,
    INDEX = POINT + 2,
    PLACE,
    NOTED = PLACE + 2, /* an index, twice; and its number in the list */
    LISTING = NOTED + 2,
    COMPARED,
    SUMS = COMPARED + 2,
    CHAIN = SUMS + 2,
    CELL = CHAIN + HULL_CHAIN_SITES, /* a number of the chain, its x, its cell */
    SOUGHT = CELL + 3,
    UNTIL,
    KEPT,
    WRITTEN = KEPT + 3, /* to the state: places, indices, until, counts */
    BEFORE_PHASE_TWO = WRITTEN + 5,
};

_Static_assert((int)BEFORE_PHASE_TWO <= (int)PATTERN_SITES, "a pattern has sites enough");

/* A block's way, and what it has in shared memory. */
typedef struct made {
    const hull_table *t;
    hull_trial *trial;
    tape *of;
    uint32_t round, threads, way;
    hull_f64 place[HULL_ENTRIES];
    uint32_t index[HULL_ENTRIES], until[HULL_CELLS];
    uint16_t list[HULL_ENTRIES], cell[HULL_ENTRIES];
    uint32_t skipped, count;
} made;

/* Where things lie in shared memory, after the places. */
static uint64_t index_at(uint32_t k) { return HULL_ENTRIES * sizeof(hull_f64) + k * sizeof(uint32_t); }
static uint64_t list_at(unsigned list, uint32_t k) {
    return index_at(HULL_ENTRIES) + (list * (uint64_t)HULL_ENTRIES + k) * sizeof(uint16_t);
}
static uint64_t until_at(uint32_t cell) { return index_at(2 * HULL_ENTRIES) + cell * sizeof(uint32_t); }

/* ------------------------------------------------------------------- declaring */

static void declare(pattern *p, const hull_table *t) {
    pattern_declare(p, LISTED, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    for (unsigned k = SCALE; k <= ENTRY + 1; k++)
        pattern_declare(p, k, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    for (unsigned k = 0; k < 2; k++) {
        pattern_declare(p, POINT + k, PATTERN_GLOBAL, PATTERN_READ, t->coordinate_bytes);
        pattern_declare(p, PLACE + k, PATTERN_SHARED, PATTERN_WRITE, sizeof(double));
        pattern_declare(p, NOTED + k, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
        pattern_declare(p, WRITTEN + k, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
    }
    pattern_declare(p, INDEX, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(p, LISTING, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint16_t));
    pattern_declare(p, COMPARED, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(p, COMPARED + 1, PATTERN_SHARED, PATTERN_READ, sizeof(double));
    pattern_declare(p, SUMS, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(p, SUMS + 1, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    hull_chain_declare(p, CHAIN);
    pattern_declare(p, CELL, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(p, CELL + 1, PATTERN_SHARED, PATTERN_READ, sizeof(double));
    pattern_declare(p, CELL + 2, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint16_t));
    pattern_declare(p, SOUGHT, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(p, UNTIL, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(p, KEPT, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(p, KEPT + 1, PATTERN_SHARED, PATTERN_READ, sizeof(double));
    pattern_declare(p, KEPT + 2, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    for (unsigned k = 2; k < 5; k++)
        pattern_declare(p, WRITTEN + k, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint32_t));
}

/* ------------------------------------------------------------------- fetching */

static const uint64_t *entry_of(const made *m, uint32_t k, uint64_t *place) {
    const unsigned quarter = m->way / 2;
    const bool is_upper = m->way % 2 != 0, is_end = k == 0 || k == HULL_ENTRIES - 1;
    const hull_extremes *const there = &m->t->state->extremes[m->round][quarter];
    const uint32_t at = is_end && is_upper ? HULL_ENTRIES - 1 - k : k;
    const bool is_of_upper = is_upper && !is_end;
    *place = hull_place_of(m->t, is_of_upper ? &there->upper[at] : &there->lower[at]);
    return is_of_upper ? &m->trial->upper[m->round][quarter][at] : &m->trial->lower[m->round][quarter][at];
}

/* A thread's entry: the point that is noted, or the first of all. */
static void fetch(made *m, uint32_t k) {
    const uint64_t c = m->t->coordinate_bytes;
    uint64_t point = 0;
    if (k < HULL_ENTRIES) {
        uint64_t place;
        m->index[k] = (uint32_t)*entry_of(m, k, &place);
        tape_note(m->of, k == 0 || k == HULL_ENTRIES - 1 ? ENDS : ENTRY + m->way % 2, place);
        tape_note(m->of, INDEX, index_at(k));
        if (m->index[k] != UINT32_MAX) {
            const hull_f64 at = hull_trial_quartered(hull_drawn(&m->trial->draw, m->index[k]), m->way / 2);
            m->place[k] = hull_trial_turned(at, m->way % 2 != 0);
            point = m->index[k];
            tape_note(m->of, PLACE, k * sizeof(hull_f64));
            tape_note(m->of, PLACE + 1, k * sizeof(hull_f64) + sizeof(double));
        }
    }
    tape_note(m->of, POINT, 2 * point * c);
    tape_note(m->of, POINT + 1, (2 * point + 1) * c);
}

static void fetch_all(made *m) {
    const uint32_t each = (HULL_ENTRIES + HULL_BLOCK - 1) / HULL_BLOCK, turn = each * m->threads;
    for (uint32_t begin = 0; begin < HULL_ENTRIES; begin += turn)
        for (uint32_t i = 0; i < each; i++)
            for (uint32_t first = 0; first < min(m->threads, HULL_ENTRIES - begin); first += WARP_LANES) {
                for (uint32_t thread = first; thread < first + WARP_LANES; thread++) {
                    tape_lane(m->of, first / WARP_LANES);
                    if (begin + thread < HULL_ENTRIES) fetch(m, begin + thread + i * m->threads);
                }
                tape_meet(m->of);
            }
}

/* ------------------------------------------------------------------ collecting */

static void collect(made *m) {
    const uint32_t share = ceil_div((uint32_t)HULL_ENTRIES, m->threads), warps = m->threads / WARP_LANES;
    uint32_t noted = 0, numbers[HULL_BLOCK];
    for (uint32_t thread = 0; thread < m->threads; thread++) {
        numbers[thread] = noted;
        for (uint32_t k = thread * share; k < min((thread + 1) * share, (uint32_t)HULL_ENTRIES); k++)
            if (m->index[k] != UINT32_MAX) m->list[noted++] = (uint16_t)k;
    }
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t warp = 0; warp < warps; warp++)
            for (uint32_t turn = 0; turn < share; turn++) {
                for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
                    const uint32_t thread = warp * WARP_LANES + lane, k = thread * share + turn;
                    tape_lane(m->of, warp);
                    if (k >= HULL_ENTRIES) continue;
                    tape_note(m->of, NOTED + pass, index_at(k));
                    if (pass > 0 && m->index[k] != UINT32_MAX)
                        tape_note(m->of, LISTING, list_at(0, numbers[thread]++));
                }
                tape_meet(m->of);
            }
    hull_note_sum(m->of, SUMS, m->threads);
    const bool skips = noted > 1 && !hull_before_f64(m->place[m->list[0]], m->place[m->list[1]]);
    const bool drops = noted > (skips ? 2U : 1U) &&
                       !hull_before_f64(m->place[m->list[noted - 2]], m->place[m->list[noted - 1]]);
    m->skipped = skips;
    m->count = noted - skips - drops;
    for (uint32_t warp = 0; warp < warps;
         warp++) { /* the first two, and the last two: numbers, and x of them */
        tape_lane(m->of, warp);
        for (unsigned k = 0; k < 8; k++) tape_note(m->of, COMPARED, 0);
        for (unsigned k = 0; k < 4; k++) tape_note(m->of, COMPARED + 1, 0);
        tape_meet(m->of);
    }
}

/* --------------------------------------------------------------------- chain */

typedef struct noted_points {
    hull_team_points points;
    const made *m;
} noted_points;

static uint32_t name_of(const hull_team_points *points, uint32_t word) { return (void)points, word; }
static uint64_t order_of(const hull_team_points *points, uint32_t word) {
    return (void)points, (void)word, UINT64_MAX;
}
static hull_f64 at_of(const hull_team_points *points, uint32_t word) {
    return ((const noted_points *)points)->m->place[word];
}

static uint32_t follow_chain(made *m) {
    const noted_points points = {{.at = at_of, .name = name_of, .order = order_of}, m};
    hull_followed_team team = {.size = m->threads,
                               .points = &points.points,
                               .list = {list_at(0, m->skipped), list_at(1, 0)},
                               .words = m->list + m->skipped,
                               .length = m->count,
                               .all = m->t->all != 0};
    hull_chain_follow(m->of, CHAIN, &team, 1, m->threads);
    return team.length;
}

/* -------------------------------------------------------------------- cells */

/* The cell of each corner; how many are in cells up to each. */
static void count_cells(made *m, const uint16_t *chain, uint32_t length) {
    const bool is_upper = m->way % 2 != 0;
    for (uint32_t first = 0; first < length; first += WARP_LANES) {
        for (uint32_t k = first; k < min(first + WARP_LANES, length); k++) {
            const uint32_t cell = hull_trial_cell(&m->trial->scale[m->way / 2],
                                                  hull_trial_turned(m->place[chain[k]], is_upper).x);
            m->cell[k] = (uint16_t)(is_upper ? HULL_CELLS - 1 - cell : cell);
            tape_lane(m->of, first % m->threads / WARP_LANES);
            tape_note(m->of, CELL, list_at(0, m->skipped + k));
            tape_note(m->of, CELL + 1, chain[k] * sizeof(hull_f64));
            tape_note(m->of, CELL + 2, list_at(1, k));
        }
        tape_meet(m->of);
    }
    for (uint32_t cell = 0; cell < HULL_CELLS; cell++) {
        uint32_t low = 0, high = length;
        tape_lane(m->of, cell % m->threads / WARP_LANES);
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            tape_note(m->of, SOUGHT, list_at(1, middle));
            if (m->cell[middle] <= cell)
                low = middle + 1;
            else
                high = middle;
        }
        m->until[cell] = low;
        tape_note(m->of, UNTIL, until_at(cell));
        if (cell % WARP_LANES == WARP_LANES - 1) tape_meet(m->of);
    }
}

/* Corners, and what was counted, to the state. */
static void write_boundary(made *m, const uint16_t *chain, uint32_t length) {
    const hull_boundary *const to = &m->t->state->boundary[m->round][m->way];
    for (uint32_t first = 0; first < length; first += WARP_LANES) {
        for (uint32_t k = first; k < min(first + WARP_LANES, length); k++) {
            tape_lane(m->of, first % m->threads / WARP_LANES);
            for (unsigned i = 0; i < 2; i++) {
                tape_note(m->of, KEPT, list_at(0, m->skipped + k));
                tape_note(m->of, KEPT + 1, chain[k] * sizeof(hull_f64) + i * sizeof(double));
                tape_note(m->of, WRITTEN + i, hull_place_of(m->t, &to->place[k][i]));
            }
            tape_note(m->of, KEPT, list_at(0, m->skipped + k));
            tape_note(m->of, KEPT + 2, index_at(chain[k]));
            tape_note(m->of, WRITTEN + 2, hull_place_of(m->t, &to->index[k]));
        }
        tape_meet(m->of);
    }
    for (uint32_t first = 0; first < HULL_CELLS; first += WARP_LANES) {
        for (uint32_t cell = first; cell < first + WARP_LANES; cell++) {
            tape_lane(m->of, first % m->threads / WARP_LANES);
            tape_note(m->of, KEPT + 2, until_at(cell));
            tape_note(m->of, WRITTEN + 3, hull_place_of(m->t, &to->until[cell]));
        }
        tape_meet(m->of);
    }
    tape_lane(m->of, 0);
    tape_note(m->of, WRITTEN + 4, hull_place_of(m->t, &to->count));
    tape_note(m->of, WRITTEN + 4, hull_place_of(m->t, &to->noted));
    tape_meet(m->of);
}

/* ---------------------------------------------------------------------- all */

/* Later launches find these. */
static void keep(const made *m, const uint16_t *chain, uint32_t length) {
    hull_trial_boundary *const to = &m->trial->boundary[m->round][m->way];
    for (uint32_t k = 0; k < length; k++) {
        to->place[k] = m->place[chain[k]];
        to->index[k] = m->index[chain[k]];
    }
    memcpy(to->until, m->until, sizeof to->until);
    to->count = length;
    to->noted = m->count;
}

static riffle_status follow(made *m, pattern *out) {
    const uint32_t length = follow_chain(m);
    const uint16_t *const chain = m->list + m->skipped;
    count_cells(m, chain, length);
    write_boundary(m, chain, length);
    keep(m, chain, length);
    if (m->round > 0 || m->way >= 2) return RIFFLE_OK;
    const hull_sieved sieved = {.trial = m->trial,
                                .threads = m->threads,
                                .is_upper = m->way != 0,
                                .list = list_at(0, m->skipped),
                                .until = until_at(0),
                                .names = chain};
    return hull_sieve_follow(&sieved, m->t, out);
}

/* In the second round all threads ask how many candidates there are, and mostly find that they are few. */
static riffle_status describe(const launch *work, hull_trial *trial, pattern *out) {
    const struct hull_round_arguments *const given = work->arguments;
    const hull_table *const t = &given->table;
    const unsigned warps = work->block_x / WARP_LANES;
    declare(out, t);
    if (given->round > 0) {
        hull_add_uniform(out, LISTED, 0, warps);
        if (hull_trial_is_early(trial)) return RIFFLE_OK;
    }
    made *const m = malloc(sizeof *m);
    pattern sieve;
    tape on;
    riffle_status status = tape_create(out, warps, &on);
    if (status == RIFFLE_OK && m == NULL) status = fail_memory("a prediction's points", sizeof *m);
    pattern_begin(&sieve, out->machine, out->grid, out->most_elements);
    hull_sieve_declare(&sieve);
    for (unsigned k = 0; k < 4; k++) hull_add_uniform(out, SCALE + k, 0, warps);
    for (uint32_t way = 0; status == RIFFLE_OK && way < work->grid; way++) {
        *m = (made){
            .t = t, .trial = trial, .of = &on, .round = given->round, .threads = work->block_x, .way = way};
        tape_begin_block(&on, warps);
        pattern_alike(out, way, 1);
        pattern_alike(&sieve, way, 1);
        fetch_all(m);
        collect(m);
        status = follow(m, &sieve);
    }
    const pattern_counts counts = pattern_end(&sieve);
    pattern_add(out, &counts);
    free(m);
    tape_free(&on);
    return status == RIFFLE_OK ? sieve.status : status;
}

void pattern_of_hull_boundaries(const launch *work, const void *subject, pattern *out) {
    hull_mean(work, subject, describe, out);
}
