/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of launches that look at candidates beside the boundaries, exactly (hull/kernels/hull_refine.cu), which are followed. The second round
 * has nothing to do where few are left, as of a square of less than two million points.
 */
#include "base/arithmetic.h"
#include "hull/predict/accesses.h"
#include "hull/predict/note.h"
#include "hull/predict/patterns.h"

/* Sites of one of the four boundaries: until, the walk back, the point behind, its index, the count, the point ahead. */
enum { UNTIL, BACK, BEHIND = BACK + 2, SAME = BEHIND + 2, COUNT, AHEAD, BESIDE_SITES = AHEAD + 2 };

enum {
    LISTED,
    SCALE,
    FROM,
    POINT,
    BESIDE = POINT + 2,
    NOTE = BESIDE + HULL_WAYS * BESIDE_SITES,
    APPENDED = NOTE + 8,
    WRITTEN,
    SITES
};

_Static_assert((int)SITES <= (int)PATTERN_SITES, "a pattern has sites enough");

enum { OUTSIDE, WITHIN, REPEATED };

typedef struct refining {
    const hull_table *t;
    hull_trial *trial;
    uint32_t round;
    tape on;
} refining;

static void declare(pattern *p, const hull_table *t) {
    pattern_declare(p, LISTED, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(p, SCALE, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    pattern_declare(p, FROM, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(p, POINT, PATTERN_GLOBAL, PATTERN_READ, t->coordinate_bytes);
    pattern_declare(p, POINT + 1, PATTERN_GLOBAL, PATTERN_READ, t->coordinate_bytes);
    for (unsigned way = 0; way < HULL_WAYS; way++)
        for (unsigned k = 0; k < BESIDE_SITES; k++)
            pattern_declare(p, BESIDE + way * BESIDE_SITES + k, PATTERN_GLOBAL, PATTERN_READ,
                            k == UNTIL || k == SAME || k == COUNT ? sizeof(uint32_t) : sizeof(uint64_t));
    hull_note_declare(p, NOTE);
    pattern_declare_atomic(p, APPENDED, PATTERN_GLOBAL, sizeof(uint32_t));
    pattern_declare(p, WRITTEN, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint32_t));
}

/* ------------------------------------------------------------------ beside */

static hull_f64 note_kept(refining *r, unsigned site, unsigned way, uint32_t k) {
    const uint64_t *const place = r->t->state->boundary[r->round][way].place[k];
    tape_note(&r->on, site, hull_place_of(r->t, place));
    tape_note(&r->on, site + 1, hull_place_of(r->t, place + 1));
    return r->trial->boundary[r->round][way].place[k];
}

/* Beside the boundary of a way; the one of `other` begins where it ends. */
static int beside(refining *r, unsigned way, unsigned other, hull_f64 at, uint32_t cell, uint32_t index) {
    const unsigned site = BESIDE + way * BESIDE_SITES;
    const hull_trial_boundary *const of = &r->trial->boundary[r->round][way];
    const hull_boundary *const there = &r->t->state->boundary[r->round][way];
    uint32_t k = of->until[cell];
    tape_note(&r->on, site + UNTIL, hull_place_of(r->t, &there->until[cell]));
    while (k > 0 && hull_before_f64(at, note_kept(r, site + BACK, way, k - 1))) --k;
    if (k == 0) return OUTSIDE;
    const hull_f64 from = note_kept(r, site + BEHIND, way, k - 1);
    if (from.x == at.x && from.y == at.y) {
        tape_note(&r->on, site + SAME, hull_place_of(r->t, &there->index[k - 1]));
        return index > of->index[k - 1] ? REPEATED : OUTSIDE;
    }
    tape_note(&r->on, site + COUNT, hull_place_of(r->t, &there->count));
    const bool is_last = k == of->count;
    const hull_f64 to = is_last ? hull_trial_turned(note_kept(r, site + AHEAD, other, 0), true)
                                : note_kept(r, site + AHEAD, way, k);
    if (is_last && !hull_before_f64(at, to)) return OUTSIDE;
    const int turn = hull_orient_f64(from, to, at);
    return turn > 0 || (turn == 0 && r->t->all == 0) ? WITHIN : OUTSIDE;
}

static bool is_candidate(refining *r, const hull_candidate *of) {
    for (unsigned quarter = 0; quarter < HULL_QUARTERS; quarter++) {
        const unsigned way = 2 * quarter;
        const hull_f64 at = hull_trial_quartered(of->at, quarter);
        const uint32_t cell = hull_trial_cell(&r->trial->scale[quarter], at.x);
        int where = beside(r, way, way + 1, at, cell, of->index);
        if (where == WITHIN)
            where = beside(r, way + 1, way, hull_trial_turned(at, true), HULL_CELLS - 1 - cell, of->index);
        if (where != OUTSIDE) return false;
    }
    return true;
}

/* ------------------------------------------------------------------- a warp */

static void load(refining *r, unsigned warp, uint32_t k) {
    const uint64_t c = r->t->coordinate_bytes, point = r->trial->list[r->round][k].index;
    tape_lane(&r->on, warp);
    tape_note(&r->on, FROM, hull_place_of(r->t, r->t->list[r->round] + k));
    tape_note(&r->on, POINT, 2 * point * c);
    tape_note(&r->on, POINT + 1, (2 * point + 1) * c);
}

/* Lanes behind the last candidate read the block's first, before the others read theirs. */
static void load_all(refining *r, unsigned warp, uint32_t begin, uint32_t first, uint32_t end) {
    for (uint32_t k = max(first, end); k < first + WARP_LANES; k++) load(r, warp, begin);
    tape_meet(&r->on);
    for (uint32_t k = first; k < end; k++) load(r, warp, k);
    tape_meet(&r->on);
}

static void append(refining *r, unsigned warp, const hull_noted_points *kept) {
    const hull_table *const t = r->t;
    if (kept->count == 0) return;
    tape_lane(&r->on, warp);
    tape_note(&r->on, APPENDED, hull_place_of(t, &t->state->record.listed[r->round + 1]));
    for (unsigned k = 0; k < kept->count; k++) {
        tape_lane(&r->on, warp);
        uint32_t *const listed = &r->trial->listed[r->round + 1];
        tape_note(&r->on, WRITTEN, hull_place_of(t, t->list[1 - r->round] + *listed));
        r->trial->list[1 - r->round][(*listed)++] = (hull_candidate){kept->at[k], kept->index[k]};
    }
    tape_meet(&r->on);
}

static void follow_warp(refining *r, unsigned warp, uint32_t begin) {
    const uint32_t first = begin + warp * WARP_LANES, end = min(first + WARP_LANES, r->trial->listed[r->round]);
    hull_noted_points kept = {.count = 0};
    load_all(r, warp, begin, first, max(end, first));
    for (uint32_t k = first; k < end; k++) {
        const hull_candidate *const one = &r->trial->list[r->round][k];
        tape_lane(&r->on, warp);
        if (!is_candidate(r, one)) continue;
        kept.lane[kept.count] = k - first;
        kept.index[kept.count] = one->index;
        kept.at[kept.count++] = one->at;
    }
    tape_meet(&r->on);
    if (r->round == 0)
        hull_note(&r->on, NOTE, r->t, 1, warp, r->trial->scale, r->trial->lower[1], r->trial->upper[1], &kept);
    append(r, warp, &kept);
}

/* -------------------------------------------------------------------- launch */

static riffle_status describe(const launch *work, hull_trial *trial, pattern *out) {
    const unsigned warps = work->block_x / WARP_LANES;
    const struct hull_round_arguments *const given = work->arguments;
    refining r = {.t = &given->table, .trial = trial, .round = given->round};
    declare(out, r.t);
    hull_add_uniform(out, LISTED, 0, warps);
    if (r.round > 0 && hull_trial_is_early(trial)) return RIFFLE_OK;
    const riffle_status status = tape_create(out, warps, &r.on);
    if (r.round == 0) hull_extremes_begin(trial->lower[1], trial->upper[1]);
    for (unsigned k = 0; k < 4 * HULL_QUARTERS; k++) hull_add_uniform(out, SCALE, k, warps);
    trial->listed[r.round + 1] = 0;
    for (uint32_t block = 0; status == RIFFLE_OK && block < work->grid; block++) {
        tape_begin_block(&r.on, warps);
        pattern_alike(out, block, 1);
        for (uint64_t begin = block * work->block_x; begin < trial->listed[r.round];
             begin += (uint64_t)work->grid * work->block_x)
            for (unsigned warp = 0; warp < warps; warp++) follow_warp(&r, warp, (uint32_t)begin);
    }
    tape_free(&r.on);
    return status;
}

void pattern_of_hull_refine(const launch *work, const void *subject, pattern *out) {
    hull_mean(work, subject, describe, out);
}
