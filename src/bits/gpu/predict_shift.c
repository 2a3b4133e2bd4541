/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/gpu/predict_shift.h"

#include "base/arithmetic.h"
#include "bits/kernels/kernel.h"
#include "device/kernels/lanes.h"

/* ------------------------------------------------------------------ shifts */

/* Runs have sites of their own: a unit, the next one, and bytes where an array ends in one. */
enum {
    SITE_UNIT,
    SITE_UNIT_BYTE,
    SITE_NEXT,
    SITE_NEXT_BYTE,
    SITES_OF_RUN,
    SITE_TO = 2 * SITES_OF_RUN,
    SITE_BLOCK_UNIT, /* blocks of one run */
    SITE_BLOCK_NEXT,
    SITE_BLOCK_TO
};
enum { MOST_BYTES = sizeof(uint32_t) - 1 };

typedef struct shift_view {
    const bits_shift_table *t;
    uint64_t from, to; /* addresses */
    uint32_t bytes;    /* a unit has */
    pattern *out;
} shift_view;

/* A warp's accesses of a run. */
typedef struct shift_lanes {
    pattern_lanes whole[2], byte[2][MOST_BYTES];
} shift_lanes;

static void read_unit(const shift_view *v, uint64_t array, uint64_t q, unsigned which, shift_lanes *lanes) {
    const uint64_t at = q * v->bytes;
    if (at + v->bytes <= v->t->bytes) {
        pattern_lane(&lanes->whole[which], v->from + array + at);
        return;
    }
    for (uint64_t k = 0; at + k < v->t->bytes; k++)
        pattern_lane(&lanes->byte[which][k], v->from + array + at + k);
}

/* The bits of src, from `from` on, that a run has of a unit. */
static void read_window(const shift_view *v, uint64_t array, uint64_t from, uint64_t count,
                        shift_lanes *lanes) {
    const uint64_t width = 8 * v->bytes;
    read_unit(v, array, from / width, 0, lanes);
    if (from % width + count > width) read_unit(v, array, from / width + 1, 1, lanes);
}

static void read_runs(const shift_view *v, uint64_t array, uint64_t unit, shift_lanes run[2]) {
    const bits_shift_table *const t = v->t;
    const uint64_t first = unit * 8 * v->bytes, last = min(first + 8 * v->bytes, t->bits);
    if (first < t->cut) {
        const uint64_t stop = min(last, t->cut);
        read_window(v, array, t->is_reversed ? t->cut - stop : first + t->bits - t->cut, stop - first, &run[0]);
    }
    if (last > t->cut) {
        const uint64_t begin = max(first, t->cut);
        read_window(v, array, t->is_reversed ? t->bits + t->cut - last : begin - t->cut, last - begin, &run[1]);
    }
}

static void tell_run(const shift_view *v, unsigned site, const shift_lanes *run) {
    for (unsigned which = 0; which < 2; which++) {
        const unsigned unit = site + (which == 0 ? SITE_UNIT : SITE_NEXT);
        pattern_next(v->out, unit, &run->whole[which]);
        for (unsigned k = 0; k < MOST_BYTES; k++)
            pattern_next(v->out, unit + SITE_UNIT_BYTE, &run->byte[which][k]);
    }
}

/* A warp's units, of which it has one a lane. */
static void describe_units(const shift_view *v, uint64_t first, pattern_lanes *to) {
    const bits_shift_table *const t = v->t;
    shift_lanes run[2] = {0};
    for (uint64_t k = first; k < min(first + WARP_LANES, t->all); k++) {
        const uint64_t array = k / t->units * t->bytes, unit = t->first + k % t->units;
        read_runs(v, array, unit, run);
        pattern_lane(to, v->to + array + unit * v->bytes);
    }
    tell_run(v, 0, &run[0]);
    tell_run(v, SITES_OF_RUN, &run[1]);
}

/* A block as the kernel sees it. */
typedef struct shift_span {
    bool is_whole;
    uint64_t array, number, unit; /* bytes; units */
    uint32_t place;
} shift_span;

static shift_span span_of(const shift_view *v, uint64_t block) {
    const bits_shift_table *const t = v->t;
    const uint64_t width = 8 * v->bytes, array = block / t->units, number = t->first + block % t->units;
    const uint64_t begin = number * width, end = begin + BITS_SHIFT_BLOCK * width;
    const bool is_first = end <= t->cut;
    const uint64_t from = t->is_reversed ? (is_first ? t->cut : t->bits + t->cut) - end
                                         : begin + (is_first ? t->bits - t->cut : 0 - t->cut);
    shift_span s = {false, array * t->bytes, number, from / width, (uint32_t)(from % width)};
    s.is_whole = number + BITS_SHIFT_BLOCK <= t->first + t->units && end <= t->bits &&
                 (is_first || begin >= t->cut) &&
                 (s.unit + BITS_SHIFT_BLOCK + (s.place != 0)) * v->bytes <= t->bytes;
    return s;
}

/* Units of a warp from thread `first` on, in each turn. */
static void describe_whole(const shift_view *v, const shift_span *s, uint64_t first) {
    for (uint64_t j = first; j < BITS_SHIFT_BLOCK; j += BITS_SHIFT_THREADS) {
        pattern_lanes unit = {0}, next = {0}, to = {0};
        for (uint64_t k = j; k < j + WARP_LANES; k++) {
            const uint64_t at = s->unit + (v->t->is_reversed ? BITS_SHIFT_BLOCK - 1 - k : k);
            pattern_lane(&unit, v->from + s->array + at * v->bytes);
            if (s->place != 0) pattern_lane(&next, v->from + s->array + (at + 1) * v->bytes);
            pattern_lane(&to, v->to + s->array + (s->number + k) * v->bytes);
        }
        pattern_next(v->out, SITE_BLOCK_UNIT, &unit);
        pattern_next(v->out, SITE_BLOCK_NEXT, &next);
        pattern_next(v->out, SITE_BLOCK_TO, &to);
    }
}

static void describe_block(const shift_view *v, uint64_t block) {
    const shift_span s = span_of(v, block);
    for (uint64_t first = 0; first < BITS_SHIFT_THREADS; first += WARP_LANES) {
        pattern_begin_warp(v->out);
        if (s.is_whole) {
            describe_whole(v, &s, first);
            continue;
        }
        for (uint64_t j = first; j < BITS_SHIFT_BLOCK; j += BITS_SHIFT_THREADS) {
            pattern_lanes to = {0};
            describe_units(v, block + j, &to);
            pattern_next(v->out, SITE_TO, &to);
        }
    }
}

void pattern_of_shift(const launch *work, const void *subject, pattern *out) {
    const struct bits_shift_arguments *const a = work->arguments;
    const shift_view v = {&a->table, (uintptr_t)work->from, (uintptr_t)work->to, (uint32_t)work->elem_bytes,
                          out};
    const uint64_t samples = pattern_samples(out, BITS_SHIFT_BLOCK);
    (void)subject;
    for (unsigned run = 0; run < 2 * SITES_OF_RUN; run += SITES_OF_RUN)
        for (unsigned site = run; site < run + SITES_OF_RUN; site++)
            pattern_declare(out, site, PATTERN_GLOBAL, PATTERN_READ,
                            (site & SITE_UNIT_BYTE) != 0 ? 1 : v.bytes);
    pattern_declare(out, SITE_TO, PATTERN_GLOBAL, PATTERN_WRITE, v.bytes);
    pattern_declare(out, SITE_BLOCK_UNIT, PATTERN_GLOBAL, PATTERN_READ, v.bytes);
    pattern_declare(out, SITE_BLOCK_NEXT, PATTERN_GLOBAL, PATTERN_READ, v.bytes);
    pattern_declare(out, SITE_BLOCK_TO, PATTERN_GLOBAL, PATTERN_WRITE, v.bytes);
    for (uint64_t k = 0; k < samples; k++)
        describe_block(&v, pattern_sample(out, samples, k) * BITS_SHIFT_BLOCK);
}

/* --------------------------------------------------------------- exchanges */

enum { SITE_READ, SITE_WRITE, MOST_ROWS = 8 };

/* A warp's units of E rows each. */
static void exchange_units(const launch *work, uint64_t first, pattern *out) {
    const struct bits_exchange_arguments *const a = work->arguments;
    const unsigned each = 8 / a->elem_bits;
    pattern_lanes read[MOST_ROWS] = {{0}}, written[MOST_ROWS] = {{0}};
    for (uint64_t k = first; k < min(first + WARP_LANES, a->units); k++) {
        const uint64_t at = k / a->row * a->row * each + k % a->row;
        for (unsigned i = 0; i < each; i++) {
            const uint64_t byte = (at + a->row * (a->is_big ? each - 1 - i : i)) * work->elem_bytes;
            pattern_lane(&read[i], (uintptr_t)work->from + byte);
            pattern_lane(&written[i], (uintptr_t)work->to + byte);
        }
    }
    for (unsigned i = 0; i < each; i++) pattern_next(out, SITE_READ, &read[i]);
    for (unsigned i = 0; i < each; i++) pattern_next(out, SITE_WRITE, &written[i]);
}

void pattern_of_exchange_of_bits(const launch *work, const void *subject, pattern *out) {
    const struct bits_exchange_arguments *const a = work->arguments;
    const uint64_t samples = pattern_samples(out, BITS_EXCHANGE_THREADS * 8 / a->elem_bits);
    const uint64_t threads = out->grid * BITS_EXCHANGE_THREADS;
    (void)subject;
    pattern_declare(out, SITE_READ, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, work->elem_bytes);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t block = pattern_sample(out, samples, k) * BITS_EXCHANGE_THREADS;
        for (uint64_t warp = block; warp < block + BITS_EXCHANGE_THREADS; warp += WARP_LANES) {
            pattern_begin_warp(out);
            for (uint64_t first = warp; first < a->units; first += threads) exchange_units(work, first, out);
        }
    }
}
