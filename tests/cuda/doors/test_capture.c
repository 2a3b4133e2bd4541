/* SPDX-License-Identifier: Apache-2.0
 *
 * A capture that riffle_cuda_execute is part of, and in the middle of it what cannot be captured: refused where it would
 * break the capture, done where it would not. In the end there is a graph that moves.
 */
#include "test_capture.h"

#include "../check.h"
#include "riffle/cuda.h"
#include "riffle/program.h"

enum { N = 5000, ELEM_BYTES = 4, BYTES = N * ELEM_BYTES, PROGRAM_BITS = 12 };

typedef struct captured {
    cudaStream_t stream, other; /* the one that is captured, and one that waits for nobody */
    bool is_blocking;           /* the captured one waits for the default stream */
    const char *name;
    riffle_perm *perm;
    void *table; /* perm's, on the device */
    check_arrays arrays;
} captured;

static riffle_plan *make_plan(const captured *c) {
    riffle_plan *plan = NULL;
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_BUCKET};
    check(riffle_plan_create(c->perm, ELEM_BYTES, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK, "a plan");
    return plan;
}

/* Refused if the capture would not bear it, else done, and given back. */
static void check_planned(const captured *c, bool is_borne, const char *what, riffle_status status,
                          riffle_plan *plan) {
    if (is_borne) {
        check(status == RIFFLE_OK, "%s while a stream is captured (%s): %s", what, c->name,
              riffle_error_detail());
        riffle_plan_free(plan);
    } else {
        check_refused(status, RIFFLE_ERROR_INVALID_ARGUMENT, "is being captured into a graph", what);
        check(plan == NULL, "%s: a plan in spite of a refusal", what);
    }
}

static void plan_on(const captured *c, cudaStream_t stream, bool is_borne, const char *what) {
    riffle_plan *plan = NULL;
    const riffle_status status =
        riffle_cuda_plan_table(N, c->table, sizeof(uint32_t), ELEM_BYTES, NULL, stream, &plan);
    check_planned(c, is_borne, what, status, plan);
}

/* A program's plan by the paper's way, which has a third array on the device. */
static riffle_status plan_program(riffle_program_plan **out) {
    riffle_program *program = NULL;
    const riffle_program_options options = {.algorithm = RIFFLE_PROGRAM_ALGORITHM_PAPER};
    riffle_status status =
        riffle_program_parse("bit-reversal | hadamard n | bit-reversal", NULL, PROGRAM_BITS, &program);
    if (status == RIFFLE_OK)
        status = riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CUDA, &options, out);
    riffle_program_free(program);
    return status;
}

/* Planned, run from host memory and freed, or refused. */
static void try_program(const captured *c, const riffle_program_plan *ready) {
    static float array[1 << PROGRAM_BITS], moved[1 << PROGRAM_BITS];
    riffle_program_plan *plan = NULL;
    riffle_status status = plan_program(&plan);
    if (c->is_blocking)
        check_refused(status, RIFFLE_ERROR_INVALID_ARGUMENT, "is being captured into a graph",
                      "a program's plan");
    else
        check(status == RIFFLE_OK, "a program's plan while a stream is captured: %s", riffle_error_detail());
    riffle_program_plan_free(plan);
    status = riffle_program_execute(ready, moved, array);
    if (c->is_blocking)
        check_refused(status, RIFFLE_ERROR_INVALID_ARGUMENT, "is being captured into a graph", "a program");
    else
        check(status == RIFFLE_OK, "a program while a stream is captured: %s", riffle_error_detail());
}

static void try_all(const captured *c, const riffle_plan *ready) {
    riffle_plan *plan = NULL;
    const riffle_status status = riffle_plan_create(c->perm, ELEM_BYTES, RIFFLE_ENGINE_CUDA, NULL, &plan);
    check_planned(c, !c->is_blocking, "riffle_plan_create", status, plan);
    plan_on(c, c->stream, false, "a table on the captured stream");
    plan_on(c, NULL, !c->is_blocking, "a table on the default stream");
    plan_on(c, c->other, !c->is_blocking, "a table on another stream");
    const riffle_status moved = riffle_execute(ready, c->arrays.dst, c->arrays.src);
    if (c->is_blocking)
        check_refused(moved, RIFFLE_ERROR_INVALID_ARGUMENT, "is being captured into a graph", "host arrays");
    else
        check(moved == RIFFLE_OK, "host arrays while a stream is captured: %s", riffle_error_detail());
}

static cudaGraph_t capture(captured *c, enum cudaStreamCaptureMode mode, const riffle_plan *ready) {
    cudaGraph_t graph = NULL;
    riffle_plan *const dying = make_plan(c);
    riffle_program_plan *program = NULL;
    check(plan_program(&program) == RIFFLE_OK, "a program's plan: %s", riffle_error_detail());
    if (!check_cuda(cudaStreamBeginCapture(c->stream, mode), "the start of a capture")) return NULL;
    try_all(c, ready);
    riffle_plan_free(dying);
    try_program(c, program);
    riffle_program_plan_free(program);
    check(riffle_cuda_execute(ready, c->arrays.device_dst, c->arrays.device_src, NULL, 0, c->stream) ==
              RIFFLE_OK,
          "executing while captured: %s", riffle_error_detail());
    check_cuda(cudaStreamEndCapture(c->stream, &graph), "the end of a capture");
    return graph;
}

static void run_graph(captured *c, cudaGraph_t graph) {
    cudaGraphExec_t ready;
    if (!check_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph")) return;
    if (arrays_renew(&c->arrays) && check_cuda(cudaGraphLaunch(ready, c->stream), "launching a graph"))
        arrays_moved(&c->arrays, c->perm, ELEM_BYTES, c->name);
    cudaGraphExecDestroy(ready);
}

static void try_modes(captured *c) {
    static const enum cudaStreamCaptureMode modes[] = {
        cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};
    riffle_plan *const ready = make_plan(c);
    for (unsigned k = 0; ready != NULL && k < sizeof modes / sizeof modes[0]; k++) {
        cudaGraph_t graph = capture(c, modes[k], ready);
        if (graph == NULL) continue;
        run_graph(c, graph);
        cudaGraphDestroy(graph);
        plan_on(c, c->stream, true, "a table after the capture");
    }
    riffle_plan_free(ready);
}

static bool upload_table(captured *c) {
    static uint32_t entries[N];
    for (uint64_t i = 0; i < N; i++) entries[i] = (uint32_t)riffle_perm_at(c->perm, i);
    return check_cuda(cudaMalloc(&c->table, sizeof entries), "a table") &&
           check_cuda(cudaMemcpy(c->table, entries, sizeof entries, cudaMemcpyHostToDevice),
                      "a table's entries");
}

void test_capture(void) {
    captured c = {.perm = NULL};
    if (check(riffle_perm_random(N, 11, &c.perm) == RIFFLE_OK, "a permutation") && upload_table(&c) &&
        arrays_create(BYTES, &c.arrays) &&
        check_cuda(cudaStreamCreateWithFlags(&c.other, cudaStreamNonBlocking), "a stream")) {
        for (unsigned blocking = 0; blocking < 2; blocking++) {
            c.is_blocking = blocking;
            c.name = blocking ? "one that waits for the default stream" : "one that does not";
            const unsigned flags = blocking ? cudaStreamDefault : cudaStreamNonBlocking;
            if (!check_cuda(cudaStreamCreateWithFlags(&c.stream, flags), "a stream")) continue;
            try_modes(&c);
            cudaStreamDestroy(c.stream);
        }
        cudaStreamDestroy(c.other);
    }
    arrays_free(&c.arrays);
    cudaFree(c.table);
    riffle_perm_free(c.perm);
}
