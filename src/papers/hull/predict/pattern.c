/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of the launches of the dissertation's hull: one takes all points, which none of them changes, and one makes all steps, of sets that are drawn.
 */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "hull/gpu/steps/steps_kernel.h"
#include "hull/points.h"
#include "hull/predict/patterns.h"
#include "papers/hull/predict/follow.h"

/* --------------------------------------------------------------------- memory */

static void *take(size_t count, size_t bytes, riffle_status *status) {
    void *const out = *status == RIFFLE_OK ? calloc(count + 1, bytes) : NULL;
    if (out == NULL && *status == RIFFLE_OK) *status = fail_memory("a prediction's cells", count * bytes);
    return out;
}

static riffle_status take_all(paper_follow *f) {
    const size_t cells = f->out.points + HULL_PAPER_EDGES, processors = f->processors;
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; k < 2; k++) {
        f->cells[k] = take(cells, sizeof *f->cells[k], &status);
        f->counts[k] = take(processors, sizeof *f->counts[k], &status);
        f->owner[k] = take(processors, sizeof *f->owner[k], &status);
        f->problems[k] = take(processors, sizeof *f->problems[k], &status);
    }
    f->best = take(processors, sizeof *f->best, &status);
    f->tasks = take(processors * HULL_PAPER_ITERATIONS + HULL_PAPER_EDGES, sizeof *f->tasks, &status);
    f->done = take(processors, sizeof *f->done, &status);
    return status;
}

static void free_all(paper_follow *f) {
    for (unsigned k = 0; k < 2; k++) {
        free(f->cells[k]);
        free(f->counts[k]);
        free(f->owner[k]);
        free(f->problems[k]);
    }
    free(f->best);
    free(f->tasks);
    free(f->done);
    paper_outside_free(&f->out);
}

/* ------------------------------------------------------------------------ steps */

static riffle_status follow(paper_follow *f) {
    riffle_status status = paper_initialize(f);
    if (f->is_done) {
        f->length = 1;
        return status;
    }
    while (status == RIFFLE_OK && f->active[f->iteration & 1] > 0) status = paper_split(f);
    if (status == RIFFLE_OK) status = paper_solve_alone(f);
    return status == RIFFLE_OK ? paper_finish(f) : status;
}

/* Corners of the hull go to `length`. */
static pattern_counts counts_of_steps(const launch *work, const hull_draw *draw, pattern *out,
                                      uint32_t *length) {
    const hull_paper_table *const t = &((const struct hull_paper_arguments *)work->arguments)->table;
    paper_follow f = {.t = t,
                      .n = t->from.most,
                      .warps = work->block_x / PAPER_LANES,
                      .processors = t->processors,
                      .kind = hull_record_kind(t->from.coordinate),
                      .type = draw->type};
    pattern_begin(&f.p, out->machine, out->grid, out->most_elements);
    out->status = paper_outside_draw(draw, f.n, &f.out);
    if (out->status == RIFFLE_OK) out->status = take_all(&f);
    if (out->status == RIFFLE_OK) out->status = follow(&f);
    free_all(&f);
    *length = f.length;
    return f.counts_of_steps;
}

/* --------------------------------------------------------------------- launches */

enum { POINT, LISTED = POINT + 2, LENGTH, MANY };

/* Address groups of so many numbers that lie two apart, from the first or the second of a group on. */
static uint64_t groups_of(uint64_t points, unsigned first) {
    return points == 0 ? 0 : (2 * points - 2 + first) / WARP_LANES + 1;
}

/* A turn of all threads reads both coordinates of real points, to see whether they are finite, and writes their numbers. */
static void add_turn(bool is_real, size_t turn, uint64_t points, pattern *out) {
    for (unsigned k = 0; is_real && k < 2; k++)
        pattern_stages(out, POINT + k, turn, groups_of(points, k), points > WARP_LANES / 2 ? 2 : 1);
    pattern_stages(out, LISTED, turn, ceil_div(points, (uint64_t)WARP_LANES), 1);
}

void pattern_of_hull_take_all(const launch *work, const void *subject, pattern *out) {
    const hull_table *const t = hull_table_of(work);
    const bool is_real = !hull_is_i64(((const hull_subject *)subject)->type);
    const uint64_t step = (uint64_t)work->grid * work->block_x;
    for (unsigned k = 0; k < 2; k++)
        pattern_declare(out, POINT + k, PATTERN_GLOBAL, PATTERN_READ, t->coordinate_bytes);
    pattern_declare(out, LISTED, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(out, LENGTH, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint64_t));
    pattern_declare(out, MANY, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint32_t));
    pattern_alike(out, 0, 1);
    for (uint64_t turn = 0; turn * step < t->n; turn++)
        add_turn(is_real, turn, min(t->n - turn * step, step), out);
    pattern_stages(out, LENGTH, 0, 1, 1);
    pattern_stages(out, MANY, 0, 1, 1);
}

/* Chance decides how often problems are divided: some draws more than for others make the mean. */
void pattern_of_hull_paper(const launch *work, const void *subject, pattern *out) {
    enum { DRAWS = 9 };
    const hull_subject *const of = subject;
    pattern_counts sum = {0};
    uint64_t corners = 0;
    pattern_mean(out, PATTERN_EXPECTED);
    for (uint64_t k = 0; k < DRAWS && out->status == RIFFLE_OK; k++) {
        uint32_t length = 0;
        const pattern_counts counts = counts_of_steps(work, &(hull_draw){of->type, k}, out, &length);
        pattern_counts_add(&sum, &counts);
        corners += length;
    }
    hull_scale_counts(&sum, 1.0 / DRAWS);
    pattern_add(out, &sum);
    if (out->status == RIFFLE_OK) out->status = hull_find_trials(of);
    for (unsigned k = 0; k < HULL_TRIALS && out->status == RIFFLE_OK; k++)
        of->trials[k]->many = (uint32_t)(corners / DRAWS);
}
