/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine as an engine: a plan's passes, launch after launch, on a memory machine of any width.
 */
#include "move/simulate/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "device/simulate/simulate.h"
#include "move/gpu/rows.h"
#include "plan/checked.h"
#include "plan/choose/choose.h"
#include "plan/explain/predict.h"
#include "plan/plan.h"

/* Where a pass's schedule is in the machine's memory. */
typedef struct uploaded_pass {
    void *array[LAUNCH_MAX_ARRAYS];
} uploaded_pass;

/* One simulation: the machine, the plan, the plan's buffers and schedules in the machine's global memory, and
 * what was in src. */
typedef struct simulation {
    const riffle_perm *perm;
    size_t elem_bytes;
    const riffle_plan_options *options;
    device on; /* the machine */
    riffle_plan *plan;
    launch_limits limits;
    simulate_offsets offsets;
    void *buffer[BUFFERS];
    uploaded_pass *uploaded; /* for each pass */
    unsigned char *original;
    plan_check check; /* nothing, where executions are not read once more */
    prediction predicted;
} simulation;

enum { BEFORE = 0x5a }; /* each byte before an array that begins at an offset */

static riffle_status add_buffer(simulation *sim, pass_buffer which, const char *name, size_t offset,
                                size_t bytes) {
    void *start;
    if (bytes == 0) return RIFFLE_OK;
    const riffle_status status = sim->on.ops->allocate(&sim->on, name, offset + bytes, &start);
    if (status != RIFFLE_OK) return status;
    memset(start, BEFORE, offset);
    sim->buffer[which] = (char *)start + offset;
    return RIFFLE_OK;
}

/* Words of the source differ, so that an element in the wrong place shows. */
static uint64_t source_word(size_t k) {
    uint64_t word = (uint64_t)k * UINT64_C(0x9e3779b97f4a7c15);
    word ^= word >> 29;
    return word * UINT64_C(0xbf58476d1ce4e5b9);
}

static riffle_status fill_source(simulation *sim, pass_buffer which) {
    const size_t bytes = sim->plan->request.span_bytes;
    sim->original = malloc(bytes);
    if (sim->original == NULL) return fail_memory("a simulated array's copy", bytes);
    for (size_t k = 0; k < bytes; k += sizeof(uint64_t)) {
        const uint64_t word = source_word(k);
        memcpy(sim->original + k, &word, bytes - k < sizeof word ? bytes - k : sizeof word);
    }
    return sim->on.ops->upload(&sim->on, "bringing src", sim->buffer[which], sim->original, bytes);
}

static riffle_status add_buffers(simulation *sim) {
    const plan_request *const summary = &sim->plan->request;
    riffle_status status = RIFFLE_OK;
    if (!summary->in_place) status = add_buffer(sim, BUFFER_SRC, "src", sim->offsets.src, summary->span_bytes);
    if (status == RIFFLE_OK)
        status = add_buffer(sim, BUFFER_DST, summary->in_place ? "array" : "dst", sim->offsets.dst,
                            summary->span_bytes);
    if (status == RIFFLE_OK)
        status = add_buffer(sim, BUFFER_WORKSPACE, "workspace", 0, sim->plan->workspace_bytes);
    if (status == RIFFLE_OK) status = add_buffer(sim, BUFFER_SPARE, "spare", 0, sim->plan->spare_bytes);
    if (status == RIFFLE_OK && summary->span_bytes > 0)
        status = fill_source(sim, summary->in_place ? BUFFER_DST : BUFFER_SRC);
    return status;
}

/* Once, whatever the number of arrays that the passes move. */
static riffle_status upload_schedules(simulation *sim) {
    const unsigned passes = sim->plan->built;
    riffle_status status = RIFFLE_OK;
    sim->uploaded = calloc(passes + 1, sizeof *sim->uploaded);
    if (sim->uploaded == NULL) return fail_memory("a simulation's passes", passes * sizeof *sim->uploaded);
    for (unsigned p = 0; status == RIFFLE_OK && p < passes; p++) {
        launch_array arrays[LAUNCH_MAX_ARRAYS];
        launch_arrays(&sim->plan->passes[p], arrays);
        for (unsigned k = 0; status == RIFFLE_OK && k < LAUNCH_MAX_ARRAYS; k++)
            status = device_bring(&sim->on, arrays[k].name, arrays[k].start, arrays[k].bytes,
                                  &sim->uploaded[p].array[k]);
    }
    return status;
}

/* The k-th array of a batch, in those buffers that hold all of it. */
static void *array_of(const simulation *sim, pass_buffer which, uint64_t k) {
    const size_t step = (size_t)sim->plan->request.stride * sim->plan->request.elem_bytes;
    const bool is_whole = which == BUFFER_SRC || which == BUFFER_DST;
    return (char *)sim->buffer[which] + (is_whole ? k * step : 0);
}

static riffle_status run_pass(simulation *sim, unsigned number, uint64_t k_th) {
    const pass *p = &sim->plan->passes[number];
    void *const to = array_of(sim, p->to, k_th), *const from = array_of(sim, p->from, k_th);
    launch_limits limits = sim->limits;
    launch_list list;
    limits.access_bytes = launch_access_bytes(to, from);
    launch_list_begin(&list);
    launch_pass(p, &limits, (const void *const *)sim->uploaded[number].array, to, from, &list);
    return device_run(&sim->on, "a pass", &list, NULL);
}

/* -------------------------------------------------------------------- the check */

/* The table of the permutation, in the machine's memory. */
static riffle_status bring_places(simulation *sim) {
    const size_t bytes = plan_check_table_bytes(&sim->plan->request);
    riffle_perm *table;
    void *there;
    riffle_status status = perm_tabulate(sim->perm, &table);
    if (status != RIFFLE_OK) return status;
    status = device_bring(&sim->on, "the places of a check", table->table.entries, bytes, &there);
    sim->check.places = there;
    riffle_perm_free(table);
    return status;
}

static riffle_status prepare_check(simulation *sim) {
    riffle_status status = RIFFLE_OK;
    if (!plan_is_checked(sim->plan)) return RIFFLE_OK;
    if (sim->check.affine.a.m == 0 && plan_reads_src(sim->plan)) status = bring_places(sim);
    if (status == RIFFLE_OK)
        status = sim->on.ops->allocate(&sim->on, "a check's record", CHECK_RECORD_BYTES, &sim->check.record);
    for (unsigned p = 0; p < sim->plan->built; p++) sim->uploaded[p].array[LAUNCH_RECORD] = sim->check.record;
    return status;
}

static riffle_status
run_side(const simulation *sim,
         void (*side)(const riffle_plan *, const plan_check *, const void *, launch_list *), pass_buffer rows) {
    launch_list list;
    if (!plan_is_checked(sim->plan)) return RIFFLE_OK;
    launch_list_begin(&list);
    side(sim->plan, &sim->check, sim->buffer[rows], &list);
    return device_run(&sim->on, "a check", &list, NULL);
}

static riffle_status run_check_before(const simulation *sim) {
    return run_side(sim, plan_check_append_before, sim->plan->request.in_place ? BUFFER_DST : BUFFER_SRC);
}

static riffle_status run_check_behind(const simulation *sim) {
    const riffle_status status = run_side(sim, plan_check_append_behind, BUFFER_DST);
    if (status != RIFFLE_OK || !plan_is_checked(sim->plan)) return status;
    return check_ask(&sim->on, sim->check.record, "the move", NULL);
}

/* --------------------------------------------------------------------- the moves */

static riffle_status predict(simulation *sim) {
    const prediction_model model = {*sim->on.machine_options, UINT64_MAX};
    plan_buffers buffers = {{0}};
    for (unsigned k = 0; k < BUFFERS; k++) buffers.start[k] = (uintptr_t)sim->buffer[k];
    return plan_predict_passes(sim->plan, &buffers, &sim->check, &model, &sim->predicted);
}

static riffle_status check_array(const simulation *sim, const riffle_perm *perm, uint64_t k_th) {
    const size_t elem_bytes = sim->plan->request.elem_bytes;
    const unsigned char *src = sim->original + k_th * sim->plan->request.stride * elem_bytes;
    const unsigned char *dst = array_of(sim, BUFFER_DST, k_th);
    for (uint64_t i = 0; i < perm->n; i++) {
        const uint64_t to = riffle_perm_at(perm, i);
        if (memcmp(dst + to * elem_bytes, src + i * elem_bytes, elem_bytes) == 0) continue;
        return fail(RIFFLE_ERROR_INTERNAL, "element %llu did not arrive at %llu; please report this",
                    (unsigned long long)i, (unsigned long long)to);
    }
    return RIFFLE_OK;
}

static riffle_status check_before(const simulation *sim) {
    const unsigned char *const dst = sim->buffer[BUFFER_DST];
    for (size_t k = 1; dst != NULL && k <= sim->offsets.dst; k++)
        if (dst[0 - k] != BEFORE)
            return fail(RIFFLE_ERROR_INTERNAL, "something before dst was written; please report this");
    return RIFFLE_OK;
}

static riffle_status run_passes(simulation *sim, uint64_t k_th) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < sim->plan->built; k++) status = run_pass(sim, k, k_th);
    return status;
}

static riffle_status run_plan(simulation *sim, const riffle_perm *perm) {
    riffle_status status = add_buffers(sim);
    if (status == RIFFLE_OK) status = upload_schedules(sim);
    if (status == RIFFLE_OK) status = prepare_check(sim);
    if (status == RIFFLE_OK) status = predict(sim);
    if (status == RIFFLE_OK) status = run_check_before(sim);
    for (uint64_t k = 0; status == RIFFLE_OK && perm->n > 0 && k < sim->plan->rounds; k++)
        status = run_passes(sim, k);
    if (status == RIFFLE_OK) status = run_check_behind(sim);
    for (uint64_t k = 0; status == RIFFLE_OK && perm->n > 0 && k < sim->plan->request.batch; k++)
        status = check_array(sim, perm, k);
    return status == RIFFLE_OK ? check_before(sim) : status;
}

static riffle_status check_machine(const riffle_machine_options *options) {
    if ((options->width & (options->width - 1)) == 0 && options->block_threads >= options->width)
        return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "simulated algorithms want a width that is a power of two and blocks of a warp or more; this "
                "machine has "
                "width %u and blocks of %u threads",
                options->width, options->block_threads);
}

static riffle_status make_plan(simulation *sim) {
    const riffle_machine_options *options = sim->on.machine_options;
    device_limits limits;
    const riffle_check check = sim->options != NULL ? sim->options->check : RIFFLE_CHECK_NONE;
    riffle_status status = check_machine(options);
    if (status == RIFFLE_OK) status = plan_check_fits(check, options);
    if (status == RIFFLE_OK) status = sim->on.ops->describe(&sim->on, &limits);
    if (status != RIFFLE_OK) return status;
    const plan_target target = plan_target_of(TARGET_MACHINE, "machine", &limits);
    sim->limits = (launch_limits){.width = options->width,
                                  .block_threads = options->block_threads,
                                  .shared_bytes = options->shared_bytes,
                                  .moves = 1};
    plan_request request;
    status = plan_request_take(sim->perm, sim->elem_bytes, &target, sim->options, &request);
    if (status != RIFFLE_OK) return status;
    if (check != RIFFLE_CHECK_NONE) plan_check_evaluates(&request, request.perm, &sim->check.affine);
    status = plan_build(&request, &sim->plan);
    plan_request_drop(&request);
    return status;
}

static riffle_status run(const device *on, void *subject) {
    simulation *const sim = subject;
    sim->on = *on;
    riffle_status status = make_plan(sim);
    if (status != RIFFLE_OK) return status;
    plan_settle(sim->plan);
    return run_plan(sim, sim->perm);
}

static void describe(const void *subject, riffle_report *report) {
    const simulation *const sim = subject;
    simulate_predicted(&sim->predicted, report);
    report->n = sim->perm->n;
    report->algorithm = riffle_algorithm_string(riffle_plan_algorithm(sim->plan));
}

riffle_status simulate_at(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *plan_options,
                          const riffle_machine_options *machine_options, simulate_offsets offsets,
                          riffle_report **out) {
    static const simulated how = {NULL, 1, run, describe, NULL};
    simulation sim = {.perm = perm, .elem_bytes = elem_bytes, .options = plan_options, .offsets = offsets};
    const riffle_status status = simulate(&how, &sim, machine_options, out);
    plan_destroy(sim.plan);
    prediction_free(&sim.predicted);
    free(sim.uploaded);
    free(sim.original);
    return status;
}

riffle_status riffle_simulate(const riffle_perm *perm, size_t elem_bytes,
                              const riffle_plan_options *plan_options,
                              const riffle_machine_options *machine_options, riffle_report **out) {
    RETURN_IF_NULL(perm, out);
    return simulate_at(perm, elem_bytes, plan_options, machine_options, (simulate_offsets){0, 0}, out);
}
