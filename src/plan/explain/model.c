/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/model.h"

#include <inttypes.h>
#include <math.h>

#include "models/io_bounds.h"
#include "perm/kind.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"
#include "plan/explain/predict.h"

enum {
    LATENCY = 400,
    EVALUATIONS = 1 << 17, /* evaluations of single permutations, for an estimated distribution */
    FEWEST_WARPS = 16,     /* that it is estimated from all the same */
    BLOCK_THREADS = 1024,
    SHARED_BYTES = 227 << 10, /* shared memory of a block, for the I/O bound's cache too */
};

static uint64_t sampled_warps(const riffle_perm *perm, unsigned width) {
    const uint64_t warps = EVALUATIONS / (width * perm_parts(perm));
    return warps > FEWEST_WARPS ? warps : FEWEST_WARPS;
}

/* Blocks of w elements of the array that an algorithm exchanges with global memory. */
static uint64_t exchanges(const plan_choice *c, uint64_t blocks, hmm_count count) {
    const riffle_algorithm id = c->algorithm->id;
    const bool is_indexed = id == RIFFLE_ALGORITHM_SCATTER || id == RIFFLE_ALGORITHM_GATHER;
    return is_indexed ? count.stages - 2 * blocks
                      : c->passes * blocks; /* the map and the side in order aside */
}

/* A row of one algorithm, or none if it cannot move what is asked for; dashes where nothing is known. */
static riffle_status explain_algorithm(const plan_request *r, const plan_model *model, FILE *stream) {
    const hmm_machine machine = model->machine;
    plan_choice choice;
    plan_prediction p;
    if (plan_choose(r, &choice) != RIFFLE_OK) return RIFFLE_OK;
    const riffle_status status = plan_predict(r, &choice, model, &p);
    if (status != RIFFLE_OK) return status;
    fprintf(stream, "  %-14s ", choice.algorithm->name);
    if (!p.is_known) {
        fprintf(stream, "%14s %15s %16s\n", "-", "-", "-");
        return RIFFLE_OK;
    }
    const uint64_t time = hmm_time_units(p.count, machine), blocks = (r->n + machine.width - 1) / machine.width;
    fprintf(stream, "%14" PRIu64 " %15.2f %16" PRIu64 "%s\n", time,
            (double)time / (double)hmm_lower_bound(r->n, machine), exchanges(&choice, blocks, p.count),
            p.is_exact ? "" : "  estimated");
    return RIFFLE_OK;
}

/* The request as one to the memory machine, for one array. */
static plan_request as_of_machine(const plan_request *request) {
    plan_request r = *request;
    r.target.kind = TARGET_MACHINE;
    r.target.block_threads = BLOCK_THREADS;
    if (r.target.shared_bytes > SHARED_BYTES) r.target.shared_bytes = SHARED_BYTES;
    r.batch = 1;
    r.stride = r.n;
    r.row_length = 0;
    return r;
}

riffle_status explain_model(const plan_request *request, FILE *stream) {
    static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_COPY,     RIFFLE_ALGORITHM_SCATTER,
                                                  RIFFLE_ALGORITHM_GATHER,   RIFFLE_ALGORITHM_TRANSPOSE,
                                                  RIFFLE_ALGORITHM_AFFINE,   RIFFLE_ALGORITHM_CONFLICT_FREE,
                                                  RIFFLE_ALGORITHM_SCHEDULED};
    if (request->n == 0 || request->in_place) return RIFFLE_OK;
    plan_request r = as_of_machine(request);
    const unsigned width = r.target.width;
    const plan_model model = {{width, LATENCY, 1, BLOCK_THREADS}, 1, sampled_warps(r.perm, width)};
    riffle_status status = RIFFLE_OK;
    fprintf(stream, "model        memory machine of width %u, latency %d\n", width, LATENCY);
    fprintf(stream, "  %-14s %14s %15s %16s\n", "algorithm", "time units", "over the bound", "block exchanges");
    for (unsigned k = 0; status == RIFFLE_OK && k < sizeof algorithms / sizeof algorithms[0]; k++) {
        r.algorithm = algorithms[k];
        status = explain_algorithm(&r, &model, stream);
    }
    const io_machine io = {1, width, (double)r.target.shared_bytes / (double)r.elem_bytes / width};
    const double whole = (double)((r.n + width - 1) / width * width);
    fprintf(stream, "  %-14s %14" PRIu64 " %15.2f %16.0f\n", "lower bound", hmm_lower_bound(r.n, model.machine),
            1.0, ceil(io_bound_permutation(whole, io)));
    return status;
}
