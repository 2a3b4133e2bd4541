/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/predict/chain.h"

#include "base/arithmetic.h"
#include "hull/kernels/hull.h"

enum { ROUNDS = 16 };

enum {
    AT_BEGIN,
    BEFORE = AT_BEGIN + HULL_CHAIN_LOOK_SITES,
    BEHIND = BEFORE + HULL_CHAIN_LOOK_SITES,
    KEPT = BEHIND + HULL_CHAIN_LOOK_SITES,
    TO,
    FROM,
    BACK,
    SUMS,
    SUMMED,
    LENGTH,
    SITES
};

_Static_assert((int)SITES <= (int)HULL_CHAIN_SITES, "a chain has no more sites than it says");

void hull_chain_declare(pattern *p, unsigned site) {
    for (unsigned k = AT_BEGIN; k < KEPT; k++) {
        const unsigned of_look = k % HULL_CHAIN_LOOK_SITES;
        const bool is_word = of_look == 0 || of_look % HULL_CHAIN_PLACE_SITES == 1;
        pattern_declare(p, site + k, PATTERN_SHARED, PATTERN_READ, is_word ? sizeof(uint16_t) : sizeof(double));
    }
    pattern_declare(p, site + KEPT, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(p, site + TO, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint16_t));
    pattern_declare(p, site + FROM, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_declare(p, site + BACK, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint16_t));
    pattern_declare(p, site + SUMS, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(p, site + SUMMED, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(p, site + LENGTH, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
}

void hull_note_sum(tape *t, unsigned site, uint32_t threads) {
    for (uint32_t warp = 0; warp < threads / WARP_LANES; warp++) {
        tape_lane(t, warp);
        tape_note(t, site, warp * sizeof(uint32_t));
        tape_note(t, site + 1, 0); /* a lane each, of neighbouring words */
        tape_meet(t);
    }
}

static uint64_t word_at(const hull_followed_team *team, unsigned list, uint32_t k) {
    return team->list[list] + k * sizeof(uint16_t);
}

/* A word of list 0, and its point. */
static void note_place(tape *t, unsigned site, const hull_followed_team *team, uint32_t k) {
    const hull_team_points *const points = team->points;
    const uint64_t order = points->order(points, team->words[k]),
                   place = points->places + points->name(points, team->words[k]) * sizeof(hull_f64);
    const unsigned own = site + 1 + team->number * HULL_CHAIN_PLACE_SITES;
    tape_note(t, site, word_at(team, 0, k));
    if (order != UINT64_MAX) tape_note(t, own, order);
    tape_note(t, own + 1, place);
    tape_note(t, own + 2, place + sizeof(double));
}

/* -------------------------------------------------------------------- wearing */

/* A thread's portion of a round. */
typedef struct portion {
    uint32_t begin, end, stay; /* words that it has looked at up to `end`, and that stay so far */
    hull_f64 before, mine;
} portion;

static hull_f64 place_of(const hull_followed_team *team, uint32_t k) {
    return team->points->at(team->points, team->words[k]);
}

static void begin_portion(tape *t, unsigned site, const hull_followed_team *team, portion *own) {
    own->stay = 0;
    if (own->begin >= own->end) return;
    note_place(t, site + AT_BEGIN, team, own->begin);
    own->mine = place_of(team, own->begin);
    if (own->begin == 0) return;
    note_place(t, site + BEFORE, team, own->begin - 1);
    own->before = place_of(team, own->begin - 1);
}

/* Looks at word k; `left` are the words of the portion that stay. */
static void look(tape *t, unsigned site, const hull_followed_team *team, portion *own, uint32_t k,
                 uint16_t *left) {
    const bool is_last = k + 1 == team->length;
    if (!is_last) note_place(t, site + BEHIND, team, k + 1);
    const hull_f64 behind = is_last ? own->mine : place_of(team, k + 1);
    if (k == 0 || is_last || hull_orient_f64(own->before, own->mine, behind) >= (team->all ? 0 : 1)) {
        tape_note(t, site + KEPT, word_at(team, 0, k));
        tape_note(t, site + TO, word_at(team, 1, own->begin + own->stay));
        left[own->begin + own->stay++] = team->words[k];
        own->before = own->mine;
    }
    own->mine = behind;
}

/* Lanes of a warp, which turn their loops together. */
static void look_by_warp(tape *t, unsigned site, const hull_followed_team *team, portion *own, uint32_t warp,
                         uint32_t share, uint16_t *left) {
    const uint32_t block_warp = team->first / WARP_LANES + warp;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        tape_lane(t, block_warp);
        begin_portion(t, site, team, &own[lane]);
    }
    tape_meet(t);
    for (uint32_t turn = 0; turn < share; turn++) {
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            tape_lane(t, block_warp);
            if (own[lane].begin + turn < own[lane].end)
                look(t, site, team, &own[lane], own[lane].begin + turn, left);
        }
        tape_meet(t);
    }
}

/* Words that stay go to behind those that the threads before keep. */
static uint32_t put_back(tape *t, unsigned site, hull_followed_team *team, const portion *own, uint32_t warp,
                         uint32_t first, const uint16_t *left) {
    uint32_t places[WARP_LANES], most = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        places[lane] = first;
        first += own[lane].stay;
        most = max(most, own[lane].stay);
    }
    for (uint32_t k = 0; k < most; k++) {
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            tape_lane(t, team->first / WARP_LANES + warp);
            if (k >= own[lane].stay) continue;
            tape_note(t, site + FROM, word_at(team, 1, own[lane].begin + k));
            tape_note(t, site + BACK, word_at(team, 0, places[lane] + k));
            team->words[places[lane] + k] = left[own[lane].begin + k];
        }
        tape_meet(t);
    }
    return first;
}

enum { MOST_THREADS = HULL_BLOCK, MOST_WORDS = HULL_FEW };

static void wear(tape *t, unsigned site, hull_followed_team *team) {
    const uint32_t warps = team->size / WARP_LANES, share = ceil_div(team->length, team->size);
    portion own[MOST_THREADS];
    uint16_t left[MOST_WORDS];
    uint32_t first = 0;
    for (uint32_t k = 0; k < team->size; k++) {
        own[k] = (portion){.begin = min(k * share, team->length)};
        own[k].end = min(own[k].begin + share, team->length);
    }
    for (uint32_t warp = 0; warp < warps; warp++)
        look_by_warp(t, site, team, own + warp * WARP_LANES, warp, share, left);
    for (uint32_t warp = 0; warp < warps; warp++)
        first = put_back(t, site, team, own + warp * WARP_LANES, warp, first, left);
    team->length = first;
}

void hull_chain_follow(tape *t, unsigned site, hull_followed_team *teams, unsigned count, uint32_t threads) {
    bool goes_on = true;
    for (unsigned round = 0; goes_on && round < ROUNDS; round++) {
        goes_on = false;
        for (unsigned k = 0; k < count; k++) {
            const uint32_t before = teams[k].length;
            wear(t, site, &teams[k]);
            goes_on |= teams[k].length != before;
        }
        hull_note_sum(t, site + SUMS, threads);
    }
    for (unsigned k = 0; k < count; k++) {
        tape_lane(t, teams[k].first / WARP_LANES);
        tape_note(t, site + LENGTH, 0);
        tape_meet(t);
    }
}
