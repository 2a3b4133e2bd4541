/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain_model.h"

#include <math.h>

#include "models/hmm.h"
#include "models/io_bounds.h"
#include "perm/kind.h"
#include "plan/matrix.h"

enum {
    LATENCY = 400,
    EVALUATIONS = 1 << 17, /* of single permutations, for an estimated distribution */
    FEWEST_WARPS = 16,     /* that it is estimated from all the same */
    BLOCK_THREADS = 1024,
    SHARED_BYTES = 227 << 10, /* of a block, for the I/O bound's cache */
};

/* The permutation as the models see it: n rounded up to whole warps. */
typedef struct model_view {
    hmm_machine machine;
    uint64_t n;
    double forward, backward; /* D_w(P) and D_w of its inverse */
    bool exact;
    uint64_t row_rounds; /* of the scheduled permutation's rows */
} model_view;

static uint64_t sampled_warps(const riffle_perm *perm, unsigned width) {
    const uint64_t warps = EVALUATIONS / (width * perm_parts(perm));
    return warps > FEWEST_WARPS ? warps : FEWEST_WARPS;
}

static riffle_status view(const riffle_perm *perm, unsigned width, model_view *out) {
    *out =
        (model_view){.machine = {width, LATENCY}, .n = (perm->n + width - 1) / width * width, .row_rounds = 1};
    matrix_shape shape;
    if (scheduled_shape(perm->n, 0, width, ROW_WISE_MAX_COLS, &shape) == RIFFLE_OK)
        out->row_rounds = (shape.cols + BLOCK_THREADS - 1) / BLOCK_THREADS;
    const uint64_t warps = sampled_warps(perm, width);
    riffle_perm *inverse;
    bool exact_forward, exact_backward;
    riffle_status status = hmm_distribution_estimate(perm, width, warps, &out->forward, &exact_forward);
    if (status == RIFFLE_OK) status = riffle_perm_invert(perm, &inverse);
    if (status != RIFFLE_OK) return status;
    status = hmm_distribution_estimate(inverse, width, warps, &out->backward, &exact_backward);
    riffle_perm_free(inverse);
    out->exact = exact_forward && exact_backward;
    return status;
}

static bool can_move(const plan_request *r, riffle_algorithm algorithm) {
    matrix_shape shape;
    switch (algorithm) {
    case RIFFLE_ALGORITHM_COPY: return r->perm->kind == PERM_ROTATION;
    case RIFFLE_ALGORITHM_SCATTER:
    case RIFFLE_ALGORITHM_GATHER: return true;
    case RIFFLE_ALGORITHM_AFFINE: return r->is_affine;
    default: return matrix_for(r, algorithm, &shape) == RIFFLE_OK;
    }
}

/* Blocks of w elements of the array that an algorithm exchanges with global memory. */
static double exchanges(riffle_algorithm algorithm, const model_view *v) {
    const double blocks = (double)(v->n / v->machine.width);
    switch (algorithm) {
    case RIFFLE_ALGORITHM_SCATTER: return v->forward;
    case RIFFLE_ALGORITHM_GATHER: return v->backward;
    case RIFFLE_ALGORITHM_SCHEDULED: return 5 * blocks;
    default: return blocks;
    }
}

static void print_row(riffle_algorithm algorithm, const model_view *v, double bound, FILE *stream) {
    const double distribution = algorithm == RIFFLE_ALGORITHM_SCATTER ? v->forward : v->backward;
    const uint64_t rounds = algorithm == RIFFLE_ALGORITHM_SCHEDULED ? v->row_rounds : 1;
    const uint64_t time = hmm_time_units(algorithm, v->n, rounds, (uint64_t)llround(distribution), v->machine);
    fprintf(stream, "  %-14s %14llu %15.2f %16.0f\n", riffle_algorithm_string(algorithm),
            (unsigned long long)time, (double)time / bound, exchanges(algorithm, v));
}

riffle_status explain_model(const plan_request *request, FILE *stream) {
    static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_COPY,     RIFFLE_ALGORITHM_SCATTER,
                                                  RIFFLE_ALGORITHM_GATHER,   RIFFLE_ALGORITHM_TRANSPOSE,
                                                  RIFFLE_ALGORITHM_AFFINE,   RIFFLE_ALGORITHM_CONFLICT_FREE,
                                                  RIFFLE_ALGORITHM_SCHEDULED};
    if (request->n == 0 || request->in_place) return RIFFLE_OK;
    plan_request r = *request; /* of a machine as it is on the target */
    const size_t shared = r.target.shared_bytes < SHARED_BYTES ? r.target.shared_bytes : SHARED_BYTES;
    r.target.kind = TARGET_MACHINE;
    r.target.shared_bytes = shared;
    r.row_length = 0;
    model_view v;
    const riffle_status status = view(r.perm, r.target.width, &v);
    if (status != RIFFLE_OK) return status;
    const double block = r.target.width;
    const io_machine io = {1, block, (double)shared / (double)r.elem_bytes / block};
    const double bound = (double)hmm_lower_bound(v.n, v.machine);
    fprintf(stream, "model        memory machine of width %u, latency %d%s\n", r.target.width, LATENCY,
            v.exact ? "" : "; scatter and gather estimated");
    fprintf(stream, "  %-14s %14s %15s %16s\n", "algorithm", "time units", "over the bound", "block exchanges");
    for (unsigned k = 0; k < sizeof algorithms / sizeof algorithms[0]; k++) {
        if (can_move(&r, algorithms[k])) print_row(algorithms[k], &v, bound, stream);
    }
    fprintf(stream, "  %-14s %14.0f %15.2f %16.0f\n", "lower bound", bound, 1.0,
            ceil(io_bound_permutation((double)v.n, io)));
    return RIFFLE_OK;
}
