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

/* The papers' machine, with the limits of an H200. */
static const riffle_machine_options MACHINE = {.width = 32,
                                               .latency = 400,
                                               .shared_latency = 1,
                                               .dmms = 1,
                                               .block_threads = 1024,
                                               .shared_bytes = 227 << 10};

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

static void print_row(const plan_choice *c, const plan_prediction *p, const plan_request *r,
                      const plan_model *model, FILE *stream) {
    const uint64_t time = pattern_time_units(&p->counts), blocks = ceil_div(r->n, model->machine.width);
    const riffle_algorithm id = c->algorithm->id;
    char exchanged[24] = "-";
    fprintf(stream, "  %-22s ", c->algorithm->name);
    if (!p->is_known || is_of_lines(id)) {
        fprintf(stream, "%14s %15s %16s\n", "-", "-", "-");
        return;
    }
    if (are_blocks(id, r->elem_bytes))
        snprintf(exchanged, sizeof exchanged, "%" PRIu64, exchanges(c, blocks, &p->counts));
    fprintf(stream, "%14" PRIu64 " %15.2f %16s%s\n", time,
            (double)time / (double)bound_of(r->n, &model->machine), exchanged,
            p->is_exact ? "" : "  estimated");
}

/* A row of one algorithm, or none if it cannot move what is asked for; dashes where nothing is known. */
static riffle_status explain_algorithm(const plan_request *r, const plan_model *model, FILE *stream) {
    plan_choice choice;
    plan_prediction p;
    if (plan_choose(r, &choice) != RIFFLE_OK) return RIFFLE_OK;
    const riffle_status status = plan_predict(r, &choice, model, &p);
    if (status == RIFFLE_OK) print_row(&choice, &p, r, model, stream);
    plan_prediction_free(&p);
    return status;
}

/* The request as one to the memory machine, for one array. */
static plan_request as_of_machine(const plan_request *request, const riffle_machine_options *m) {
    const device_limits limits = {.width = m->width,
                                  .block_threads = m->block_threads,
                                  .multiprocessors = 1,
                                  .shared_bytes = m->shared_bytes,
                                  .l2_bytes = L2_BYTES,
                                  .memory_bytes = UINT64_MAX};
    plan_request r = *request;
    r.target = plan_target_of(TARGET_MACHINE, "machine", &limits);
    r.batch = 1;
    r.stride = r.n;
    r.row_length = 0;
    return r;
}

/* Every time is at least that of reading each element once; every block is exchanged once; of all permutations some take as
 * many exchanges as the last row says. */
static void print_bounds(const plan_request *r, const riffle_machine_options *m, FILE *stream) {
    const uint64_t blocks = ceil_div(r->n, m->width);
    const io_machine io = {1, m->width, (double)m->shared_bytes / (double)r->elem_bytes / m->width};
    fprintf(stream, "  %-22s %14" PRIu64 " %15.2f %16" PRIu64 "\n", "bound of all", bound_of(r->n, m), 1.0,
            blocks);
    fprintf(stream, "  %-22s %14s %15s %16.0f\n", "bound of the worst", "", "",
            ceil(io_bound_permutation((double)(blocks * m->width), io)));
}

riffle_status explain_model(const plan_request *request, FILE *stream) {
    if (request->n == 0) return RIFFLE_OK;
    plan_request r = as_of_machine(request, &MACHINE);
    const plan_model model = {MACHINE, EVALUATIONS / perm_parts(r.perm)};
    riffle_status status = RIFFLE_OK;
    fprintf(stream, "model        memory machine of width %u, latency %u\n", MACHINE.width, MACHINE.latency);
    fprintf(stream, "  %-22s %14s %15s %16s\n", "algorithm", "time units", "over the bound", "block exchanges");
    for (unsigned k = 0; status == RIFFLE_OK && k < ALGORITHMS; k++) {
        r.algorithm = algorithm_records[k]->id;
        if (!is_of_lines(r.algorithm) || request->algorithm == r.algorithm)
            status = explain_algorithm(&r, &model, stream);
    }
    print_bounds(&r, &MACHINE, stream);
    return status;
}
