/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that move an element, or two, a thread and know no shared memory: copies, and moves along a map.
 */
#include <math.h>

#include "base/arithmetic.h"
#include "models/hmm.h"
#include "move/predict/predict.h"

enum { SITE_MAP, SITE_READ, SITE_WRITE, SITE_READ_OTHER, SITE_WRITE_OTHER };

static void declare(pattern *out, size_t elem_bytes) {
    pattern_declare(out, SITE_READ, PATTERN_GLOBAL, PATTERN_READ, elem_bytes);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, elem_bytes);
}

/* ---------------------------------------------------------------- by formulas */

/* True if warps are whole, and both arrays begin with an address group: then D_w counts the casual side. */
static bool has_formula(const launch *work, const pattern *out) {
    const uint64_t unit = (uint64_t)work->elem_bytes * out->machine->width;
    return work->block_x % out->machine->width == 0 && (uintptr_t)work->to % unit == 0 &&
           (uintptr_t)work->from % unit == 0;
}

/* A round of all warps. */
static void one_round(pattern *out, unsigned site, uint64_t stages, uint64_t warps) {
    pattern_stages(out, site, 0, stages, stages > warps ? 2 : 1);
}

/* The side along `map`, and what is in order beside it. */
static void by_distribution(const riffle_perm *map, unsigned casual, const unsigned *in_order, unsigned count,
                            pattern *out) {
    const unsigned width = out->machine->width;
    const uint64_t warps = ceil_div(riffle_perm_length(map), width);
    double groups = 0;
    bool is_exact;
    const riffle_status status =
        hmm_distribution_estimate(map, width, max(out->most_elements / width, 16), &groups, &is_exact);
    if (status != RIFFLE_OK) out->status = status;
    if (!is_exact) pattern_mean(out, PATTERN_ESTIMATED);
    one_round(out, casual, (uint64_t)llround(groups), warps);
    for (unsigned k = 0; k < count; k++) one_round(out, in_order[k], warps, warps);
}

/* ------------------------------------------------------------- warp after warp */

/* A launch's warps, each thread of which has elements k, k + threads, ... of the block's. */
typedef struct flat_launch {
    const launch *work;
    const pass *p;
    uint64_t n;     /* elements, or parts of rows */
    unsigned moves; /* moves of a thread */
    pattern *out;
} flat_launch;

/* The elements first .. end - 1 that a warp moves in its round: one a lane. */
typedef void (*warp_pattern)(const flat_launch *f, unsigned round, uint64_t first, uint64_t end);

static void each_warp(const flat_launch *f, warp_pattern of) {
    const uint64_t threads = f->work->block_x, each = threads * f->moves, width = f->out->machine->width;
    const uint64_t samples = pattern_samples(f->out, each);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t block = pattern_sample(f->out, samples, k);
        for (unsigned round = 0; round < f->moves; round++) {
            const uint64_t begin = block * each + round * threads, end = min(begin + threads, f->n);
            for (uint64_t first = begin; first < end; first += width)
                of(f, round, first, min(first + width, end));
        }
    }
}

static uint64_t image_of(const struct copy_arguments *s, uint64_t i) {
    const uint64_t step = s->reflected ? s->n - i : i, to = s->offset + step;
    return to < s->n ? to : to - s->n;
}

static void warp_of_copy(const flat_launch *f, unsigned round, uint64_t first, uint64_t end) {
    const size_t bytes = f->work->elem_bytes;
    pattern_lanes to = {0};
    for (uint64_t i = first; i < end; i++)
        pattern_lane(&to, (uintptr_t)f->work->to + image_of(f->work->arguments, i) * bytes);
    pattern_run(f->out, SITE_READ, round, (uintptr_t)f->work->from + first * bytes, end - first);
    pattern_access(f->out, SITE_WRITE, round, &to);
}

void pattern_of_copy(const launch *work, const void *subject, pattern *out) {
    static const unsigned in_order[] = {SITE_READ};
    const struct copy_arguments *const s = work->arguments;
    const flat_launch f = {work, subject, s->n, 1, out};
    const riffle_perm map = {
        .kind = PERM_ROTATION, .n = s->n, .rotation = {.offset = s->offset, .reflected = s->reflected != 0}};
    declare(out, work->elem_bytes);
    if (has_formula(work, out))
        by_distribution(&map, SITE_WRITE, in_order, 1, out);
    else
        each_warp(&f, warp_of_copy);
}

static void warp_of_reverse_ends(const flat_launch *f, unsigned round, uint64_t first, uint64_t end) {
    const struct reverse_ends_arguments *const t = f->work->arguments;
    const uint64_t pairs = t->first / 2, bytes = f->work->elem_bytes, to = (uintptr_t)f->work->to;
    pattern_lanes low = {0}, high = {0};
    for (uint64_t pair = first; pair < end; pair++) {
        const bool is_behind = pair >= pairs;
        const uint64_t from_end = is_behind ? pair - pairs : pair, begin = is_behind ? t->first : 0;
        const uint64_t length = is_behind ? t->n - t->first : t->first;
        pattern_lane(&low, to + (begin + from_end) * bytes);
        pattern_lane(&high, to + (begin + length - 1 - from_end) * bytes);
    }
    pattern_access(f->out, SITE_READ, round, &low);
    pattern_access(f->out, SITE_READ_OTHER, round, &high);
    pattern_access(f->out, SITE_WRITE, round, &low);
    pattern_access(f->out, SITE_WRITE_OTHER, round, &high);
}

void pattern_of_reverse_ends(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const struct reverse_ends_arguments *const t = work->arguments;
    const flat_launch f = {work, p, t->first / 2 + (t->n - t->first) / 2, 1, out};
    declare(out, work->elem_bytes);
    pattern_declare(out, SITE_READ_OTHER, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, SITE_WRITE_OTHER, PATTERN_GLOBAL, PATTERN_WRITE, work->elem_bytes);
    each_warp(&f, warp_of_reverse_ends);
}

/* --------------------------------------------------------------- along a map */

/* The permutation that a map's entries are: it is not written out where there is only an outline. */
static const riffle_perm *map_of(const pass *p) {
    return p->indexed.of != NULL ? p->indexed.of : p->indexed.map;
}

static void entries(const flat_launch *f, uint64_t first, uint64_t count, uint64_t out[PATTERN_LANES]) {
    const riffle_status status = riffle_perm_map(map_of(f->p), first, (size_t)count, out);
    if (status != RIFFLE_OK) f->out->status = status;
}

/* The map's entries first .. end - 1 are read, and so is, or is written, what is in order; the other side is casual. */
static void warp_along_map(const flat_launch *f, unsigned round, uint64_t first, uint64_t end, bool scatters) {
    const size_t bytes = f->work->elem_bytes;
    const uintptr_t to = (uintptr_t)f->work->to, from = (uintptr_t)f->work->from;
    uint64_t image[PATTERN_LANES];
    pattern_lanes other = {0};
    entries(f, first, end - first, image);
    for (uint64_t k = 0; k < end - first; k++) pattern_lane(&other, (scatters ? to : from) + image[k] * bytes);
    pattern_run(f->out, SITE_MAP, round, first * sizeof(uint32_t), end - first);
    pattern_run(f->out, scatters ? SITE_READ : SITE_WRITE, round, (scatters ? from : to) + first * bytes,
                end - first);
    pattern_access(f->out, scatters ? SITE_WRITE : SITE_READ, round, &other);
}

static void warp_of_scatter(const flat_launch *f, unsigned round, uint64_t first, uint64_t end) {
    warp_along_map(f, round, first, end, true);
}

static void warp_of_gather(const flat_launch *f, unsigned round, uint64_t first, uint64_t end) {
    warp_along_map(f, round, first, end, false);
}

static void along_map(const launch *work, const pass *p, bool scatters, pattern *out) {
    const struct map_arguments *const t = work->arguments;
    const unsigned in_order[] = {SITE_MAP, scatters ? SITE_READ : SITE_WRITE};
    const flat_launch f = {work, p, t->n, t->moves, out};
    declare(out, work->elem_bytes);
    pattern_declare(out, SITE_MAP, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    if (t->moves == 1 && has_formula(work, out))
        by_distribution(map_of(p), scatters ? SITE_WRITE : SITE_READ, in_order, 2, out);
    else
        each_warp(&f, scatters ? warp_of_scatter : warp_of_gather);
}

void pattern_of_scatter(const launch *work, const void *subject, pattern *out) {
    along_map(work, subject, true, out);
}
void pattern_of_gather(const launch *work, const void *subject, pattern *out) {
    along_map(work, subject, false, out);
}

/* ------------------------------------------------------------- rows of units */

/* Units first .. end - 1 of all rows: those of a row side by side on both sides. */
static void warp_of_rows(const flat_launch *f, unsigned round, uint64_t first, uint64_t end) {
    const rows_table *const t = &((const struct rows_arguments *)f->work->arguments)->table;
    const bool scatters = f->p->kind == &PASS_SCATTER;
    const size_t bytes = f->work->elem_bytes;
    const uint64_t first_row = first / t->row_parts;
    uint64_t image[PATTERN_LANES];
    pattern_lanes map = {0}, other = {0};
    entries(f, first_row, (end - 1) / t->row_parts - first_row + 1, image);
    for (uint64_t k = first; k < end; k++) {
        const uint64_t row = k / t->row_parts;
        pattern_lane(&map, row * t->entry_bytes);
        pattern_lane(&other, (uintptr_t)(scatters ? f->work->to : f->work->from) +
                                 (image[row - first_row] * t->row_parts + k % t->row_parts) * bytes);
    }
    pattern_access(f->out, SITE_MAP, round, &map);
    pattern_run(f->out, scatters ? SITE_READ : SITE_WRITE, round,
                (uintptr_t)(scatters ? f->work->from : f->work->to) + first * bytes, end - first);
    pattern_access(f->out, scatters ? SITE_WRITE : SITE_READ, round, &other);
}

void pattern_of_rows(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const rows_table *const t = &((const struct rows_arguments *)work->arguments)->table;
    const flat_launch f = {work, p, t->parts, t->moves, out};
    declare(out, work->elem_bytes);
    pattern_declare(out, SITE_MAP, PATTERN_GLOBAL, PATTERN_READ, t->entry_bytes);
    each_warp(&f, warp_of_rows);
}
