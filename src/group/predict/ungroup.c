/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of rows that are brought back (group/kernels/ungroup.cu): which rows are read depends on the places.
 */
#include "group/predict/ungroup.h"

#include "base/arithmetic.h"
#include "base/splitmix.h"
#include "device/kernels/lanes.h"
#include "group/kernels/kernel.h"

enum { PLACE, READ, WEIGHT, WRITTEN };

typedef struct ungroup_view {
    const launch *work;
    const ungroup_table *table;
    const ungroup_subject *subject;
    pattern *out;
} ungroup_view;

uint64_t ungroup_drawn_place(const riffle_ungroup_task *task, uint64_t entry) {
    return task->rows > 0 ? splitmix_next(&entry) % task->rows : RIFFLE_GROUP_NOWHERE;
}

static uint64_t place_of(const ungroup_view *v, uint64_t entry) {
    const ungroup_subject *const s = v->subject;
    return s->places != NULL ? ungroup_place(s->task, s->places, entry) : ungroup_drawn_place(s->task, entry);
}

/* Units first .. end - 1 of the result, by a lane each, of the key-th of their rows' places. */
static void bring(const ungroup_view *v, uint64_t first, uint64_t end, uint64_t key) {
    const ungroup_table *const t = v->table;
    pattern_lanes places = {0}, read = {0}, weights = {0};
    for (uint64_t k = first; k < end; k++) {
        const uint64_t entry = k / t->rows.row_parts * t->keys_per_row + key, place = place_of(v, entry);
        pattern_lane(&places, (uintptr_t)t->places + entry * t->rows.entry_bytes);
        if (place >= t->limit) continue;
        pattern_lane(&read, (uintptr_t)v->work->from +
                                (place * t->rows.row_parts + k % t->rows.row_parts) * v->work->elem_bytes);
        pattern_lane(&weights, (uintptr_t)t->weights + entry * ungroup_weight_bytes(v->subject->task->sum));
    }
    pattern_next(v->out, PLACE, &places);
    pattern_next(v->out, READ, &read);
    if (t->weights != NULL) pattern_next(v->out, WEIGHT, &weights);
}

static void bring_by_warp(const ungroup_view *v, uint64_t begin, unsigned moves) {
    const ungroup_table *const t = v->table;
    pattern_begin_warp(v->out);
    for (unsigned i = 0; i < moves; i++) {
        const uint64_t first = begin + (uint64_t)i * GROUP_ROW_THREADS,
                       end = min(first + WARP_LANES, t->rows.parts);
        if (first >= end) break;
        for (uint64_t key = 0; key < t->keys_per_row; key++) bring(v, first, end, key);
        pattern_run(v->out, WRITTEN, i, (uintptr_t)v->work->to + first * v->work->elem_bytes, end - first);
    }
}

static void describe(const launch *work, const ungroup_subject *subject, unsigned moves, pattern *out) {
    const ungroup_table *const t = &((const struct ungroup_arguments *)work->arguments)->table;
    const ungroup_view v = {work, t, subject, out};
    const uint64_t each = (uint64_t)GROUP_ROW_THREADS * moves, samples = pattern_samples(out, each);
    if (subject->places == NULL) pattern_mean(out, PATTERN_EXPECTED);
    pattern_declare(out, PLACE, PATTERN_GLOBAL, PATTERN_READ, t->rows.entry_bytes);
    pattern_declare(out, READ, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, WEIGHT, PATTERN_GLOBAL, PATTERN_READ, ungroup_weight_bytes(subject->task->sum));
    pattern_declare(out, WRITTEN, PATTERN_GLOBAL, PATTERN_WRITE, work->elem_bytes);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t block = pattern_sample(out, samples, k);
        for (uint64_t thread = 0; thread < GROUP_ROW_THREADS; thread += WARP_LANES)
            bring_by_warp(&v, block * each + thread, moves);
    }
}

static void pattern_of_rows(const launch *work, const void *subject, pattern *out) {
    describe(work, subject, GROUP_ROW_MOVES, out);
}

static void pattern_of_sums(const launch *work, const void *subject, pattern *out) {
    describe(work, subject, 1, out);
}

const kernel_pattern ungroup_patterns[] = {
    {&KERNEL_ungroup_rows.record, pattern_of_rows}, {&KERNEL_ungroup_f32.record, pattern_of_sums},
    {&KERNEL_ungroup_f64.record, pattern_of_sums},  {&KERNEL_ungroup_f16.record, pattern_of_sums},
    {&KERNEL_ungroup_bf16.record, pattern_of_sums}, {NULL, NULL}};
