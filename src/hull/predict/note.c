/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/predict/note.h"

#include <string.h>

#include "base/arithmetic.h"
#include "hull/predict/accesses.h"

/* An entry of a lane's own, asked for and lowered; one of all lanes, asked for and lowered by the first of them. */
enum { ASKED, LOWERED = ASKED + 2, TOGETHER = LOWERED + 2, BY_ONE = TOGETHER + 2, SITES = BY_ONE + 2 };

void hull_extremes_begin(uint64_t lower[HULL_QUARTERS][HULL_ENTRIES],
                         uint64_t upper[HULL_QUARTERS][HULL_ENTRIES]) {
    memset(lower, 0xff, HULL_QUARTERS * sizeof *lower);
    memset(upper, 0xff, HULL_QUARTERS * sizeof *upper);
}

void hull_note_declare(pattern *p, unsigned site) {
    for (unsigned k = ASKED; k < SITES; k++)
        pattern_declare_atomic(p, site + k, PATTERN_GLOBAL, sizeof(uint64_t));
}

/* A height, ordered, above an index. */
static uint64_t key_of(double height, uint32_t index) {
    const float rounded = (float)height + 0.0F;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return (uint64_t)(bits >> 31 != 0 ? ~bits : bits | 0x80000000U) << 32 | index;
}

static void lower_own(tape *on, unsigned site, uint64_t place, uint64_t *entry, uint64_t key) {
    tape_note(on, site + ASKED, place);
    if (key >= *entry) return;
    tape_note(on, site + LOWERED, place);
    *entry = key;
}

/* Lanes that have no point come to the first such entry before the others. */
static void lower_together(tape *on, unsigned site, unsigned warp, uint64_t place, uint64_t *entry,
                           const uint64_t *keys, unsigned count, bool come_apart) {
    bool is_less = false;
    for (unsigned k = 0; k < 32; k++) {
        tape_lane(on, warp);
        tape_note(on, site + TOGETHER, place);
        if (come_apart && k + 1 == 32 - count) tape_meet(on);
    }
    tape_meet(on);
    uint64_t least = UINT64_MAX;
    for (unsigned k = 0; k < count; k++) {
        is_less |= keys[k] < *entry;
        least = min(least, keys[k]);
    }
    if (!is_less) return;
    tape_lane(on, warp);
    tape_note(on, site + BY_ONE, place);
    tape_meet(on);
    *entry = min(*entry, least);
}

void hull_note(tape *on, unsigned site, const hull_table *t, unsigned round, unsigned warp,
               const hull_trial_scale scale[HULL_QUARTERS], uint64_t lower[HULL_QUARTERS][HULL_ENTRIES],
               uint64_t upper[HULL_QUARTERS][HULL_ENTRIES], const hull_noted_points *points) {
    for (unsigned quarter = 0; quarter < HULL_QUARTERS; quarter++) {
        const hull_extremes *const to = &t->state->extremes[round][quarter];
        const hull_trial_scale *const s = &scale[quarter];
        uint64_t first[32], last[32];
        for (unsigned k = 0; k < points->count; k++) {
            const hull_f64 at = hull_trial_quartered(points->at[k], quarter);
            const uint32_t cell = hull_trial_cell(s, at.x), index = points->index[k];
            const double u = (at.x - s->from.x) * s->u, v = (at.y - s->from.y) * s->v;
            tape_lane(on, warp);
            lower_own(on, site, hull_place_of(t, &to->lower[1 + cell]), &lower[quarter][1 + cell],
                      key_of(v, index));
            lower_own(on, site + 1, hull_place_of(t, &to->upper[HULL_CELLS - cell]),
                      &upper[quarter][HULL_CELLS - cell], key_of(-v, index));
            first[k] = key_of(u, index), last[k] = key_of(-u, index);
        }
        tape_meet(on);
        lower_together(on, site, warp, hull_place_of(t, &to->lower[0]), &lower[quarter][0], first,
                       points->count, points->count > 0 && points->count < 32);
        lower_together(on, site + 1, warp, hull_place_of(t, &to->lower[HULL_ENTRIES - 1]),
                       &lower[quarter][HULL_ENTRIES - 1], last, points->count, false);
    }
}
