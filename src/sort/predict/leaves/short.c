/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of short leaves of one length, several in a warp: all are known, but for the places that what goes along with keys is taken from.
 */
#include "base/arithmetic.h"
#include "models/random_access.h"
#include "sort/kernels/kernel.h"
#include "sort/predict/patterns.h"
#include "sort/predict/tied.h"

enum { WARPS = SORT_LEAF_THREADS / WARP_LANES };

typedef enum short_site {
    AHEAD_WRITE,
    AHEAD_READ,
    BEGINS,
    ENDS,
    KEYS_READ,
    CARRIED_READ,
    KEYS_WRITE,
    CARRIED_WRITE,
    BESIDE_TAKEN,
    OWN, /* and those behind it: rows filled, read, written; places written, read; of keys, and of what goes along */
} short_site;

enum { FILLED, ROWS_READ, ROWS_WRITTEN, PLACED, TAKEN, OWN_SITES };

typedef struct shorts {
    uint32_t unit, each, rows, length, turn; /* rows: lanes of a leaf */
    bool carries, has_begin, has_from;
} shorts;

static shorts shorts_of(const launch *work, const sort_short_table *t) {
    const uint32_t unit = (uint32_t)work->elem_bytes;
    const bool carries = t->carried.to != NULL;
    shorts s = {.unit = unit,
                .each = sort_short_each(unit, carries),
                .rows = 1,
                .length = t->leaves.length,
                .turn = t->turn,
                .carries = carries,
                .has_begin = t->leaves.begin != NULL,
                .has_from = t->carried.from != NULL};
    while (s.rows * s.each < s.length) s.rows *= 2;
    return s;
}

static void declare(pattern *p, const shorts *s) {
    static const struct {
        pattern_space space;
        pattern_op op;
    } sites[] = {
        [AHEAD_WRITE] = {PATTERN_SHARED, PATTERN_WRITE}, [AHEAD_READ] = {PATTERN_SHARED, PATTERN_READ},
        [BEGINS] = {PATTERN_GLOBAL, PATTERN_READ},       [ENDS] = {PATTERN_GLOBAL, PATTERN_READ},
        [KEYS_READ] = {PATTERN_GLOBAL, PATTERN_READ},    [CARRIED_READ] = {PATTERN_GLOBAL, PATTERN_READ},
        [KEYS_WRITE] = {PATTERN_GLOBAL, PATTERN_WRITE},  [CARRIED_WRITE] = {PATTERN_GLOBAL, PATTERN_WRITE},
        [BESIDE_TAKEN] = {PATTERN_SHARED, PATTERN_READ}};
    for (unsigned k = 0; k < OWN; k++)
        pattern_declare(p, k, sites[k].space, sites[k].op, k == KEYS_READ || k == KEYS_WRITE ? s->unit : 4);
    for (unsigned k = 0; k < 2 * OWN_SITES; k++) {
        const unsigned what = k % OWN_SITES;
        pattern_declare(p, OWN + k, PATTERN_SHARED,
                        what == ROWS_READ || what == TAKEN ? PATTERN_READ : PATTERN_WRITE,
                        k < OWN_SITES ? s->unit : 4);
    }
}

/* -------------------------------------------------------------------- shared */

/* Where the place of rows lies: a gap after whole rows of banks (sort/kernels/sort_registers.h). */
static uint64_t cell_of(const shorts *s, uint32_t unit, uint32_t place) {
    const uint32_t row = unit > 4 ? WARP_LANES * 4 / unit : WARP_LANES, whole = max(s->each, row);
    return (uint64_t)unit * (place + place / whole);
}

/* Each lane its own row, register by register. */
static void add_rows(pattern *p, unsigned site, const shorts *s, uint32_t unit) {
    for (uint32_t r = 0; r < s->each; r++) {
        pattern_lanes lanes = {0};
        for (uint32_t k = 0; k < WARP_LANES; k++) pattern_lane(&lanes, cell_of(s, unit, k * s->each + r));
        pattern_access(p, site, r, &lanes);
    }
}

/* A key's place is ahead of where it lies by the rest of the rows before. */
static void add_places(pattern *p, unsigned site, const shorts *s, uint32_t unit, uint32_t keys) {
    for (uint32_t r = 0; r * WARP_LANES < keys; r++) {
        pattern_lanes lanes = {0};
        for (uint32_t i = r * WARP_LANES; i < min(keys, (r + 1) * WARP_LANES); i++) {
            const uint32_t leaf = i / s->length;
            pattern_lane(&lanes, cell_of(s, unit, i + leaf * (s->rows * s->each - s->length)));
        }
        pattern_access(p, site, r, &lanes);
    }
}

static void add_shared(pattern *p, const shorts *s, uint32_t leaves) {
    const uint32_t keys = leaves * s->length;
    pattern_stages(p, AHEAD_WRITE, 0, 1, 1);
    for (uint32_t r = 0; r < s->each; r++) pattern_stages(p, AHEAD_READ, r, 1, 1);
    for (unsigned k = 0; k < (s->carries ? 2U : 1U); k++) {
        const unsigned own = OWN + k * OWN_SITES, unit = k == 0 ? s->unit : 4;
        if (keys < WARP_LANES * s->each) add_rows(p, own + FILLED, s, unit);
        if (k == 0) add_rows(p, own + ROWS_READ, s, unit);
        add_rows(p, own + ROWS_WRITTEN, s, unit);
        add_places(p, own + PLACED, s, unit, keys);
        add_places(p, own + TAKEN, s, unit, keys);
    }
}

/* -------------------------------------------------------------------- global */

/* A stretch of keys, from any cell on, by warps that are alike. */
static void add_stretch(pattern *p, unsigned site, uint32_t unit, uint64_t begin, uint32_t keys) {
    for (uint32_t r = 0; r * WARP_LANES < keys; r++)
        pattern_run(p, site, r, (begin + r * WARP_LANES) * unit, min(keys - r * WARP_LANES, WARP_LANES));
}

static void add_global(pattern *p, const shorts *s, uint64_t warp, uint32_t leaves) {
    const uint64_t before = warp * s->turn, begin = before * s->length;
    const uint32_t keys = leaves * s->length;
    if (s->has_begin) {
        pattern_run(p, BEGINS, 0, 4 * before, min(leaves + 1, WARP_LANES));
        pattern_run(p, ENDS, 0, 4 * (before + 1), leaves);
    }
    add_stretch(p, KEYS_READ, s->unit, begin, keys);
    add_stretch(p, KEYS_WRITE, s->unit, begin, keys);
    if (s->carries && s->has_from) add_stretch(p, CARRIED_READ, 4, begin, keys);
    if (s->carries) add_stretch(p, CARRIED_WRITE, 4, begin, keys);
}

/* -------------------------------------------------------------------- launch */

/* Lanes take what goes along from anywhere in the rows. */
static void add_taken(pattern *p, const shorts *s, uint64_t warps) {
    const double meet = random_fullest_bank(WARP_LANES, WARP_LANES * s->each, WARP_LANES, true);
    if (!s->carries) return;
    pattern_mean(p, PATTERN_EXPECTED);
    pattern_alike(p, 0, 1);
    for (uint32_t r = 0; r < s->each; r++)
        pattern_stages(p, BESIDE_TAKEN, r, (uint64_t)(meet * (double)warps + 0.5), 2);
}

/* Warps lie on cells as the one 32 before does; the last warp may have fewer leaves. */
void pattern_of_sort_short(const launch *work, const void *subject, pattern *out) {
    const sort_short_table *const t = &((const struct sort_short_arguments *)work->arguments)->table;
    if (tied_are_sorted(subject)) {
        tied_short(work, out);
        return;
    }
    const shorts s = shorts_of(work, t);
    const uint64_t whole = t->leaves.count / s.turn, blocks = whole / WARPS;
    const uint32_t last = t->leaves.count % s.turn;
    declare(out, &s);
    for (unsigned k = 0; k < WARPS; k++) {
        pattern_alike(out, 0, blocks + (k < whole % WARPS ? 1 : 0));
        add_shared(out, &s, s.turn);
    }
    for (uint64_t k = 0; k < WARP_LANES && k < whole; k++) {
        pattern_alike(out, 0, (whole - k + WARP_LANES - 1) / WARP_LANES);
        add_global(out, &s, k, s.turn);
    }
    pattern_alike(out, blocks, 1);
    if (last > 0) add_shared(out, &s, last);
    if (last > 0) add_global(out, &s, whole, last);
    add_taken(out, &s, whole + (last > 0 ? 1 : 0));
}
