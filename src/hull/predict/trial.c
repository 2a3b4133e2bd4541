/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/predict/trial.h"

#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"

uint64_t hull_trial_sampled(const hull_table *t, uint64_t j) {
    const uint64_t groups = t->sample / HULL_GROUP, group = j / HULL_GROUP, stretch = t->n / groups;
    const uint32_t random = (uint32_t)group * 2654435761U;
    const uint64_t within = stretch <= HULL_GROUP ? 0 : (uint64_t)random * (stretch - HULL_GROUP) >> 32;
    return group * stretch + within + j % HULL_GROUP;
}

hull_f64 hull_trial_quartered(hull_f64 at, unsigned quarter) {
    return quarter != 0 ? (hull_f64){at.y, -at.x} : at;
}

hull_f64 hull_trial_turned(hull_f64 at, bool is_upper) { return is_upper ? (hull_f64){-at.x, -at.y} : at; }

uint32_t hull_trial_cell(const hull_trial_scale *scale, double x) {
    const double u = (x - scale->from.x) * scale->u;
    return u >= HULL_CELLS ? HULL_CELLS - 1 : u > 0 ? (uint32_t)u : 0;
}

void hull_trial_find_scale(hull_trial *trial, const hull_table *t) {
    hull_f64 least = hull_drawn(&trial->draw, hull_trial_sampled(t, 0)), most = least;
    for (uint64_t j = 1; j < t->sample; j++) {
        const hull_f64 at = hull_drawn(&trial->draw, hull_trial_sampled(t, j));
        least = (hull_f64){fmin(least.x, at.x), fmin(least.y, at.y)};
        most = (hull_f64){fmax(most.x, at.x), fmax(most.y, at.y)};
    }
    const double width = most.x - least.x, height = most.y - least.y;
    trial->scale[0] = (hull_trial_scale){least, HULL_CELLS / width, 1 / height};
    trial->scale[1] = (hull_trial_scale){{least.y, -most.x}, HULL_CELLS / height, 1 / width};
}

/* ---------------------------------------------------------------- what is kept */

/* The square as the sieve sees it: from u[0] to u[1] cells, from v[0] to v[1] up. */
typedef struct seen {
    double u[2], v[2];
} seen;

static seen seen_by(const hull_trial *trial) {
    const hull_trial_scale *const s = &trial->scale[0];
    const double least = hull_drawn_coordinate(trial->draw.type, 0),
                 most = hull_drawn_coordinate(trial->draw.type, 1);
    return (seen){{(least - s->from.x) * s->u, (most - s->from.x) * s->u},
                  {(least - s->from.y) * s->v, (most - s->from.y) * s->v}};
}

/* The part below a stretch of the sieve; all, where it is empty. */
static double below(const hull_trial *trial, const seen *all, uint32_t cell) {
    const double least = trial->least[cell], most = trial->most[cell];
    return least <= most ? fmax(fmin(least, all->v[1]) - all->v[0], 0) : all->v[1] - all->v[0];
}

static double above(const hull_trial *trial, const seen *all, uint32_t cell) {
    const double least = trial->least[cell], most = trial->most[cell];
    return least <= most ? fmax(all->v[1] - fmax(most, all->v[0]), 0) : 0;
}

/* Up to each cell, and beyond the cells on either side, where all are kept: the area. */
static double sum_areas(const hull_trial *trial, const seen *all, double sums[HULL_CELLS + 2]) {
    const double height = all->v[1] - all->v[0];
    double sum = sums[0] = -all->u[0] * height;
    for (uint32_t cell = 0; cell < HULL_CELLS; cell++)
        sums[cell + 1] = sum += below(trial, all, cell) + above(trial, all, cell);
    return sums[HULL_CELLS + 1] = sum + fmax(all->u[1] - HULL_CELLS, 0) * height;
}

static hull_f64 placed(const hull_trial *trial, double u, double v) {
    const hull_trial_scale *const s = &trial->scale[0];
    return (hull_f64){s->from.x + u / s->u, s->from.y + v / s->v};
}

static hull_f64 draw_kept(const hull_trial *trial, const seen *all, const double sums[HULL_CELLS + 2],
                          uint64_t k) {
    const hull_draw draw = {trial->draw.type, ~trial->draw.number};
    const double at = hull_drawn_number(&draw, 3 * k) * sums[HULL_CELLS + 1],
                 along = hull_drawn_number(&draw, 3 * k + 1), up = hull_drawn_number(&draw, 3 * k + 2);
    const double height = all->v[1] - all->v[0];
    uint32_t low = 0, high = HULL_CELLS + 1;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (sums[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return placed(trial, all->u[0] * along, all->v[0] + up * height);
    if (low == HULL_CELLS + 1)
        return placed(trial, HULL_CELLS + along * (all->u[1] - HULL_CELLS), all->v[0] + up * height);
    const double under = below(trial, all, low - 1), over = above(trial, all, low - 1), v = up * (under + over);
    return placed(trial, low - 1 + along, v < under ? all->v[0] + v : all->v[1] - (v - under));
}

/* ------------------------------------------------------------------- the list */

typedef struct listed {
    uint64_t key;
    hull_candidate is;
} listed;

static int by_key(const void *a, const void *b) {
    const listed *const p = a, *const q = b;
    return (p->key > q->key) - (p->key < q->key);
}

/* A block lists what it keeps, tile after tile, a warp's at a time, row after row. */
static uint64_t key_of(uint64_t index, unsigned points, unsigned threads, unsigned grid) {
    const uint64_t tile = (uint64_t)points * threads, number = index / tile, within = index % tile;
    const uint64_t block = number % grid, turn = number / grid, warp = within % threads / 32;
    return ((block << 20 | turn) << 20) | warp << 13 | within / threads << 5 | within % 32;
}

/* The corners of both boundaries of the first quarter are kept as well; their ends are the same. */
static uint32_t add_corners(const hull_trial *trial, listed *to) {
    uint32_t count = 0;
    for (unsigned way = 0; way < 2; way++) {
        const hull_trial_boundary *const of = &trial->boundary[0][way];
        for (uint32_t k = way; k + way < of->count; k++)
            to[count++].is = (hull_candidate){hull_trial_turned(of->place[k], way != 0), of->index[k]};
    }
    return count;
}

static uint32_t add_drawn(const hull_trial *trial, uint64_t n, const seen *all,
                          const double sums[HULL_CELLS + 2], uint32_t count, listed *to) {
    for (uint32_t k = 0; k < count; k++) {
        const double anywhere = hull_drawn_number(&(hull_draw){trial->draw.type, trial->draw.number + 1000}, k);
        to[k].is = (hull_candidate){draw_kept(trial, all, sums, k), (uint32_t)(anywhere * (double)n)};
    }
    return count;
}

/* ------------------------------------------------------- coordinates of a byte */

enum { BYTES = 256, PLACES = BYTES * BYTES };

static hull_f64 place_of(const hull_trial *trial, uint32_t number) {
    return (hull_f64){hull_drawn_coordinate(trial->draw.type, (double)(number / BYTES) / BYTES),
                      hull_drawn_coordinate(trial->draw.type, (double)(number % BYTES) / BYTES)};
}

/* As the kernel's sieve decides (hull/kernels/hull_filter.cu). */
static bool stays(const hull_trial *trial, hull_f64 at) {
    const hull_trial_scale *const s = &trial->scale[0];
    const float u = (float)((at.x - s->from.x) * s->u), v = (float)((at.y - s->from.y) * s->v);
    if (!(u >= 0 && u < (float)HULL_CELLS)) return true;
    return !(v >= trial->least[(uint32_t)u] && v <= trial->most[(uint32_t)u]);
}

/* All places are tried, since so many points lie on a boundary that areas do not tell how many stay. */
static uint32_t find_kept_places(const hull_trial *trial, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < PLACES; k++)
        if (stays(trial, place_of(trial, k))) out[count++] = k;
    return count;
}

static uint32_t add_placed(const hull_trial *trial, uint64_t n, const uint32_t *places, uint32_t of,
                           uint32_t count, listed *to) {
    const hull_draw draw = {trial->draw.type, trial->draw.number + 1000};
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t which = (uint32_t)(hull_drawn_number(&draw, 2 * (uint64_t)k) * of);
        const double anywhere = hull_drawn_number(&draw, 2 * (uint64_t)k + 1);
        to[k].is = (hull_candidate){place_of(trial, places[which]), (uint32_t)(anywhere * (double)n)};
    }
    return count;
}

riffle_status hull_trial_keep(hull_trial *trial, const hull_table *t, unsigned points, unsigned threads,
                              unsigned grid) {
    double sums[HULL_CELLS + 2];
    const seen all = seen_by(trial);
    const double area = (all.u[1] - all.u[0]) * (all.v[1] - all.v[0]);
    const bool is_byte = t->coordinate_bytes == 1;
    uint32_t *const places = is_byte ? malloc(PLACES * sizeof *places) : NULL;
    if (is_byte && places == NULL) return fail_memory("a prediction's places", PLACES * sizeof *places);
    const uint32_t kept_places = is_byte ? find_kept_places(trial, places) : 0;
    const double part = is_byte ? kept_places / (double)PLACES : sum_areas(trial, &all, sums) / area;
    const uint32_t drawn = (uint32_t)llround(part * (double)t->n);
    const uint32_t most = drawn + 2 * HULL_ENTRIES;
    listed *const order = malloc(most * sizeof *order);
    for (unsigned k = 0; k < 2; k++) {
        free(trial->list[k]);
        trial->list[k] = malloc(most * sizeof *trial->list[k]);
    }
    if (order == NULL || trial->list[0] == NULL || trial->list[1] == NULL) {
        free(order);
        free(places);
        return fail_memory("a prediction's candidates", most * (sizeof *order + 2 * sizeof *trial->list[0]));
    }
    const uint32_t count = is_byte ? add_placed(trial, t->n, places, kept_places, drawn, order)
                                   : add_drawn(trial, t->n, &all, sums, drawn, order);
    free(places);
    trial->listed[0] = count + add_corners(trial, order + count);
    trial->kept = trial->listed[0] / (double)t->n;
    for (uint32_t k = 0; k < trial->listed[0]; k++)
        order[k].key = key_of(order[k].is.index, points, threads, grid);
    qsort(order, trial->listed[0], sizeof *order, by_key);
    for (uint32_t k = 0; k < trial->listed[0]; k++) trial->list[0][k] = order[k].is;
    free(order);
    return RIFFLE_OK;
}
