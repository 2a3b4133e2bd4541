/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/model.h"

#include <inttypes.h>
#include <math.h>

#include "base/arithmetic.h"
#include "models/hmm.h"
#include "models/io_bounds.h"
#include "perm/kind.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"
#include "plan/explain/predict.h"

enum {
    EVALUATIONS = 1 << 17, /* evaluations of single permutations, for an estimate */
    L2_BYTES = 50 << 20,   /* the machine's, by which choices are a GPU's */
};

static uint64_t bound_of(uint64_t n, const riffle_machine_options *m) {
    return hmm_lower_bound(n, m->width, m->latency);
}

static bool is_indexed(riffle_algorithm id) {
    return id == RIFFLE_ALGORITHM_SCATTER || id == RIFFLE_ALGORITHM_GATHER;
}

/* Their plan alone shows whether they can move it. */
static bool is_of_lines(riffle_algorithm id) {
    return id == RIFFLE_ALGORITHM_ROW_WISE || id == RIFFLE_ALGORITHM_COLUMN_WISE;
}

/* Scatter and gather move elements of other sizes in parts, whose stages are no blocks of elements. */
static bool are_blocks(riffle_algorithm id, size_t elem_bytes) {
    return !is_indexed(id) || elem_bytes == 4 || elem_bytes == 8;
}

/* Blocks of w elements of the array that an algorithm exchanges with global memory. */
static uint64_t exchanges(const plan_choice *c, uint64_t blocks, const pattern_counts *counts) {
    const pattern_count *const global = counts->of[PATTERN_GLOBAL];
    if (!is_indexed(c->algorithm->id)) return c->passes * blocks;
    return global[PATTERN_READ].stages + global[PATTERN_WRITE].stages -
           2 * blocks; /* the map and the side in order aside */
}

/* All rows are told of so. */
typedef struct telling {
    prediction_model model;
    plan_check_prediction check; /* its launches, which are around each algorithm's */
    model_taker *take;
    void *context;
} telling;

/* A check's launches around moves, of which some read src for it. */
static void add_check(const plan_check_prediction *check, bool adds_read, model_row *out) {
    out->check_time_units = pattern_time_units(&check->written.counts);
    out->meaning = max(out->meaning, check->written.meaning);
    if (!adds_read) {
        out->check_time_units += pattern_time_units(&check->read.counts);
        out->meaning = max(out->meaning, check->read.meaning);
    }
    out->time_units += out->check_time_units;
}

/* Row-wise ones alone say nothing of the permutation that was asked for. */
static void fill_row(const plan_choice *c, const prediction *p, bool adds_read, const plan_request *r,
                     const telling *t, model_row *out) {
    const riffle_algorithm id = c->algorithm->id;
    const prediction_model *const model = &t->model;
    *out = (model_row){.algorithm = c->algorithm->name, .is_known = p->is_known && !is_of_lines(id)};
    if (!out->is_known) return;
    out->meaning = p->meaning;
    out->time_units = pattern_time_units(&p->counts);
    out->adds_read = adds_read;
    if (c->passes > 0) add_check(&t->check, adds_read, out);
    out->over = (double)out->time_units / (double)bound_of(r->n, &model->machine);
    out->has_blocks = are_blocks(id, r->elem_bytes);
    if (out->has_blocks) out->blocks = exchanges(c, ceil_div(r->n, model->machine.width), &p->counts);
}

/* A row of one algorithm, or none if it cannot move what is asked for. */
static riffle_status tell_algorithm(const plan_request *r, const telling *t) {
    plan_choice choice;
    prediction p;
    model_row row;
    bool adds_read = false;
    if (plan_choose(r, &choice) != RIFFLE_OK) return RIFFLE_OK;
    const riffle_status status = plan_predict_moves(r, &choice, &t->model, &p, &adds_read);
    if (status == RIFFLE_OK) fill_row(&choice, &p, adds_read, r, t, &row), t->take(&row, t->context);
    prediction_free(&p);
    return status;
}

plan_target explain_target(const riffle_machine_options *m) {
    const device_limits limits = {.width = m->width,
                                  .block_threads = m->block_threads,
                                  .multiprocessors = 1,
                                  .shared_bytes = m->shared_bytes,
                                  .l2_bytes = L2_BYTES,
                                  .memory_bytes = UINT64_MAX};
    return plan_target_of(TARGET_MACHINE, "machine", &limits);
}

prediction_model explain_model_of(const riffle_perm *perm, const riffle_machine_options *m) {
    return (prediction_model){*m, EVALUATIONS / perm_parts(perm)};
}

/* The request as one to the memory machine, for one array. */
static plan_request as_of_machine(const plan_request *request, const riffle_machine_options *m) {
    plan_request r = *request;
    r.target = explain_target(m);
    r.batch = 1;
    r.stride = r.n;
    r.row_length = 0;
    return r;
}

riffle_status explain_model_rows(const plan_request *request, const riffle_machine_options *m,
                                 model_taker *take, void *context, uint64_t *check_time_units) {
    plan_request r = as_of_machine(request, m);
    telling t = {.model = explain_model_of(r.perm, m), .take = take, .context = context};
    riffle_status status = plan_predict_check(&r, &t.model, &t.check);
    *check_time_units = pattern_time_units(&t.check.read.counts) + pattern_time_units(&t.check.written.counts);
    for (unsigned k = 0; status == RIFFLE_OK && k < ALGORITHMS; k++) {
        r.algorithm = algorithm_records[k]->id;
        if (!is_of_lines(r.algorithm) || request->algorithm == r.algorithm) status = tell_algorithm(&r, &t);
    }
    prediction_free(&t.check.read);
    prediction_free(&t.check.written);
    return status;
}

model_bounds explain_model_bounds(const plan_request *r, const riffle_machine_options *m) {
    const uint64_t blocks = ceil_div(r->n, m->width);
    const io_machine io = {1, m->width, (double)m->shared_bytes / (double)r->elem_bytes / m->width};
    return (model_bounds){.time_units = bound_of(r->n, m),
                          .blocks = blocks,
                          .worst_blocks = ceil(io_bound_permutation((double)(blocks * m->width), io))};
}

/* ------------------------------------------------------------------ for people */

/* Where rows go, and the last whose moves read src for a check. */
typedef struct printing {
    FILE *stream;
    model_row adds_read;
} printing;

static void print_row(const model_row *row, void *context) {
    printing *const to = context;
    FILE *const stream = to->stream;
    char exchanged[24] = "-";
    if (row->adds_read) to->adds_read = *row;
    fprintf(stream, "  %-22s ", row->algorithm);
    if (!row->is_known) {
        fprintf(stream, "%14s %15s %16s\n", "-", "-", "-");
        return;
    }
    if (row->has_blocks) snprintf(exchanged, sizeof exchanged, "%" PRIu64, row->blocks);
    fprintf(stream, "%14" PRIu64 " %15.2f %16s%s%s\n", row->time_units, row->over, exchanged,
            row->meaning == PATTERN_EXACT ? "" : "  ",
            row->meaning == PATTERN_EXACT ? "" : pattern_meaning_string(row->meaning));
}

static void print_bounds(const model_bounds *b, FILE *stream) {
    fprintf(stream, "  %-22s %14" PRIu64 " %15.2f %16" PRIu64 "\n", "bound of all", b->time_units, 1.0,
            b->blocks);
    fprintf(stream, "  %-22s %14s %15s %16.0f\n", "bound of the worst", "", "", b->worst_blocks);
}

riffle_status explain_model(const plan_request *request, const riffle_machine_options *m, FILE *stream) {
    if (request->n == 0) return RIFFLE_OK;
    const model_bounds bounds = explain_model_bounds(request, m);
    fprintf(stream, "model        memory machine of width %u, latency %u", m->width, m->latency);
    if (m->shared_latency > 1) fprintf(stream, ", shared latency %u", m->shared_latency);
    if (m->dmms > 1) fprintf(stream, ", DMMs %u", m->dmms);
    if (request->batch > 1) fprintf(stream, ": one array of the batch");
    fprintf(stream, "\n  %-22s %14s %15s %16s\n", "algorithm", "time units", "over the bound",
            "block exchanges");
    uint64_t of_check;
    printing to = {.stream = stream};
    const riffle_status status = explain_model_rows(request, m, print_row, &to, &of_check);
    if (request->check == RIFFLE_CHECK_FULL)
        fprintf(stream, "  %-22s %14" PRIu64 "\n", "of these, the check", of_check);
    if (to.adds_read.adds_read)
        fprintf(stream, "    but of %-15s %14" PRIu64 "  its move adds up src as it reads it\n",
                to.adds_read.algorithm, to.adds_read.check_time_units);
    print_bounds(&bounds, stream);
    fprintf(stream, "  bound of all: no algorithm moves any permutation in less; of the worst: some "
                    "permutation takes as many, by any algorithm\n");
    return status;
}
