/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/predict/sieve.h"

#include <math.h>

#include "base/arithmetic.h"
#include "hull/predict/accesses.h"

/* Bounds on errors of scaled places, as the kernel's. */
static const double SIEVE_U = 1.0 / 256, SIEVE_V = 1.0 / 262144;

/* Sites of a height, of which there are two: a number and a coordinate for each point that it looks at, and the count of a cell. */
enum {
    FIRST,
    LAST,
    AHEAD,
    BACK,
    FROM,
    TO,
    UP,
    UP_AGAIN,
    DOWN,
    POINTS,
    UNTIL = 2 * POINTS,
    HEIGHT_SITES,
    WRITTEN = 2 * HEIGHT_SITES
};

void hull_sieve_declare(pattern *p) {
    for (unsigned height = 0; height < 2; height++) {
        const unsigned site = height * HEIGHT_SITES;
        for (unsigned k = 0; k < POINTS; k++) {
            pattern_declare(p, site + 2 * k, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
            pattern_declare(p, site + 2 * k + 1, PATTERN_SHARED, PATTERN_READ, sizeof(double));
        }
        pattern_declare(p, site + UNTIL, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
        pattern_declare(p, WRITTEN + height, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(float));
    }
}

typedef struct profile {
    const hull_sieved *s;
    const hull_trial_boundary *of;
    tape on;
    unsigned site;
} profile;

/* Point k as the sieve is scaled, looked at in the kernel's `what`. */
static double looked(profile *p, unsigned what, uint32_t k) {
    const hull_trial_scale *const scale = &p->s->trial->scale[0];
    const bool is_up = what >= UP, is_upper = p->s->is_upper;
    const hull_f64 at = hull_trial_turned(p->of->place[k], is_upper);
    const double scaled = is_up ? (at.y - scale->from.y) * scale->v : (at.x - scale->from.x) * scale->u;
    tape_note(&p->on, p->site + 2 * what, p->s->list + k * sizeof(uint16_t));
    tape_note(&p->on, p->site + 2 * what + 1, p->s->names[k] * sizeof(hull_f64) + (is_up ? sizeof(double) : 0));
    return is_upper ? -scaled : scaled;
}

static double height_at(profile *p, double u, uint32_t cell) {
    const uint32_t count = p->of->count;
    if (count < 2 || !(looked(p, FIRST, 0) < u && u < looked(p, LAST, count - 1))) return INFINITY;
    tape_note(&p->on, p->site + UNTIL, p->s->until + cell * sizeof(uint32_t));
    uint32_t k = p->of->until[cell];
    while (k < count && looked(p, AHEAD, k) <= u) ++k;
    while (k > 0 && looked(p, BACK, k - 1) > u) --k;
    const double from = looked(p, FROM, k - 1), to = looked(p, TO, k), low = looked(p, UP, k - 1);
    return low + (looked(p, UP_AGAIN, k) - looked(p, DOWN, k - 1)) * ((u - from) / (to - from));
}

static void make_cell(profile *p, const hull_table *t, uint32_t cell) {
    const bool is_upper = p->s->is_upper;
    const uint32_t mine = is_upper ? HULL_CELLS - 1 - cell : cell;
    const double begin = cell - SIEVE_U, end = cell + 1 + SIEVE_U;
    p->site = 0;
    const double a = height_at(p, is_upper ? -end : begin, mine > 0 ? mine - 1 : 0);
    p->site = HEIGHT_SITES;
    const double b = height_at(p, is_upper ? -begin : end, mine), highest = fmax(a, b) + SIEVE_V;
    float *const to = is_upper ? &p->s->trial->most[cell] : &p->s->trial->least[cell];
    *to = (float)(is_upper ? -highest : highest);
    tape_note(&p->on, WRITTEN + is_upper,
              hull_place_of(t, is_upper ? &t->state->most[cell] : &t->state->least[cell]));
}

riffle_status hull_sieve_follow(const hull_sieved *s, const hull_table *t, pattern *p) {
    profile of = {.s = s, .of = &s->trial->boundary[0][s->is_upper]};
    const riffle_status status = tape_create(p, s->threads / WARP_LANES, &of.on);
    for (uint32_t first = 0; status == RIFFLE_OK && first < HULL_CELLS; first += WARP_LANES) {
        for (uint32_t cell = first; cell < first + WARP_LANES; cell++) {
            tape_lane(&of.on, first % s->threads / WARP_LANES);
            make_cell(&of, t, cell);
        }
        tape_meet(&of.on);
    }
    tape_free(&of.on);
    return status;
}
