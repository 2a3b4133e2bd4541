/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine as an engine: a plan's passes, launch after launch, on a memory machine of any width.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "engines/machine/kernels.h"
#include "engines/machine/machine.h"
#include "engines/passes/rows.h"
#include "models/hmm.h"
#include "plan/plan.h"

/* Where a pass's schedule is in the machine's memory. */
typedef struct uploaded_pass {
    const void *array[LAUNCH_MAX_ARRAYS];
} uploaded_pass;

/* One simulation: the machine, the plan, the plan's buffers and schedules in the machine's global memory, and what
 * was in src. */
typedef struct simulation {
    machine *m;
    riffle_plan *plan;
    launch_limits limits;
    void *buffer[BUFFERS];
    uploaded_pass *uploaded; /* for each pass */
    unsigned char *original;
} simulation;

static riffle_status add_buffer(simulation *sim, pass_buffer which, const char *name, size_t bytes) {
    return bytes > 0 ? machine_buffer(sim->m, name, bytes, &sim->buffer[which]) : RIFFLE_OK;
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
    memcpy(sim->buffer[which], sim->original, bytes);
    machine_written(sim->m, sim->buffer[which], bytes);
    return RIFFLE_OK;
}

static riffle_status add_buffers(simulation *sim) {
    const plan_request *const summary = &sim->plan->request;
    riffle_status status = RIFFLE_OK;
    if (!summary->in_place) status = add_buffer(sim, BUFFER_SRC, "src", summary->span_bytes);
    if (status == RIFFLE_OK)
        status = add_buffer(sim, BUFFER_DST, summary->in_place ? "array" : "dst", summary->span_bytes);
    if (status == RIFFLE_OK)
        status = add_buffer(sim, BUFFER_WORKSPACE, "workspace", sim->plan->workspace_bytes);
    if (status == RIFFLE_OK) status = add_buffer(sim, BUFFER_SPARE, "spare", sim->plan->spare_bytes);
    if (status == RIFFLE_OK && summary->span_bytes > 0)
        status = fill_source(sim, summary->in_place ? BUFFER_DST : BUFFER_SRC);
    return status;
}

/* Puts a schedule's array into the machine's memory. */
static riffle_status upload(simulation *sim, const launch_array *array, const void **out) {
    *out = NULL;
    if (array->start == NULL) return RIFFLE_OK;
    void *copy;
    const riffle_status status = machine_buffer(sim->m, array->name, array->bytes, &copy);
    if (status != RIFFLE_OK) return status;
    memcpy(copy, array->start, array->bytes);
    machine_written(sim->m, copy, array->bytes);
    *out = copy;
    return RIFFLE_OK;
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
            status = upload(sim, &arrays[k], &sim->uploaded[p].array[k]);
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
    launch work;
    launch_of_pass(p, &sim->limits, sim->uploaded[number].array, &work);
    launch_between(&work, array_of(sim, p->to, k_th), array_of(sim, p->from, k_th));
    void *arguments[KERNEL_MAX_ARGUMENTS];
    kernel_argument_addresses(work.kernel, &work.arguments, arguments);
    return machine_run(sim->m, &(machine_launch){.kernel = kernel_names[work.kernel],
                                                 .entry = machine_kernel_entry(work.kernel, work.elem_bytes),
                                                 .args = arguments,
                                                 .grid = {work.grid, 1, 1},
                                                 .block = {work.block_x, work.block_y, 1},
                                                 .shared_bytes = work.shared_bytes});
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

static riffle_status run_passes(simulation *sim, uint64_t k_th) {
    for (unsigned k = 0; k < sim->plan->built; k++) {
        const riffle_status status = run_pass(sim, k, k_th);
        if (status != RIFFLE_OK) return status;
        if (machine_stopped(sim->m))
            return fail(RIFFLE_ERROR_INTERNAL,
                        "the machine stopped a kernel of riffle's own; please report this");
    }
    return RIFFLE_OK;
}

static riffle_status run_plan(simulation *sim, const riffle_perm *perm) {
    riffle_status status = add_buffers(sim);
    if (status == RIFFLE_OK) status = upload_schedules(sim);
    for (uint64_t k = 0; status == RIFFLE_OK && perm->n > 0 && k < sim->plan->rounds; k++)
        status = run_passes(sim, k);
    for (uint64_t k = 0; status == RIFFLE_OK && perm->n > 0 && k < sim->plan->request.batch; k++)
        status = check_array(sim, perm, k);
    return status;
}

/* Table I's running time of a pass over a matrix; 0 where tiles are cut off at its edges, which the table
 * leaves out. */
static uint64_t predict_matrix(const pass *p, const riffle_machine_options *options, hmm_machine model) {
    if (p->kind == &PASS_ROW_WISE) {
        const row_wise_schedule *s = &p->row_wise;
        const uint64_t row_rounds = (s->cols + options->block_threads - 1) / options->block_threads;
        return hmm_time_units(RIFFLE_ALGORITHM_ROW_WISE, s->rows * s->cols, row_rounds, 0, model);
    }
    const transpose_schedule *t = &p->transpose;
    if (t->rows % model.width != 0 || t->cols % model.width != 0) return 0;
    return hmm_time_units(RIFFLE_ALGORITHM_TRANSPOSE, t->rows * t->cols, 1, 0, model);
}

/* Another rotation writes across the bounds of address groups, which the table leaves out too. */
static bool is_identity(const perm_rotation *rotation) { return rotation->offset == 0 && !rotation->reflected; }

/* The same of a pass element by element, with the distribution that it has. */
static riffle_status predict_indexed(const pass *p, uint64_t n, hmm_machine model, uint64_t *out) {
    uint64_t distribution;
    const riffle_status status = hmm_distribution(p->indexed.map, model.width, &distribution);
    const riffle_algorithm algorithm =
        p->kind == &PASS_SCATTER ? RIFFLE_ALGORITHM_SCATTER : RIFFLE_ALGORITHM_GATHER;
    if (status == RIFFLE_OK) *out = hmm_time_units(algorithm, n, 1, distribution, model);
    return status;
}

/* The sum over all passes; 0 for other machines than the papers', whose shared memory has latency 1 and whose
 * stages all add up, and where one pass has no closed form. */
static riffle_status predict(const simulation *sim, uint64_t *out) {
    const riffle_machine_options *options = machine_options(sim->m);
    const hmm_machine model = {options->width, options->latency};
    const uint64_t whole = (sim->plan->request.n + model.width - 1) / model.width * model.width;
    *out = 0;
    if (options->shared_latency != 1 || options->dmms != 1 || whole == 0 || sim->plan->rounds != 1)
        return RIFFLE_OK;
    uint64_t sum = 0;
    for (unsigned k = 0; k < sim->plan->built; k++) {
        const pass *p = &sim->plan->passes[k];
        uint64_t time = 0;
        riffle_status status = RIFFLE_OK;
        if (p->kind == &PASS_COPY) {
            if (is_identity(&p->copy.rotation))
                time = hmm_time_units(RIFFLE_ALGORITHM_COPY, whole, 1, 0, model);
        } else if (p->kind == &PASS_SCATTER || p->kind == &PASS_GATHER) {
            if (!launch_moves_rows(&p->indexed)) status = predict_indexed(p, whole, model, &time);
        } else if (p->kind == &PASS_TRANSPOSE || p->kind == &PASS_ROW_WISE) {
            time = predict_matrix(p, options, model);
        }
        if (status != RIFFLE_OK || time == 0) return status;
        sum += time;
    }
    *out = sum;
    return RIFFLE_OK;
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

static riffle_status simulate(simulation *sim, const riffle_perm *perm, size_t elem_bytes,
                              const riffle_plan_options *plan_options, riffle_report **out) {
    const riffle_machine_options *options = machine_options(sim->m);
    riffle_status status = check_machine(options);
    if (status != RIFFLE_OK) return status;
    const plan_target target = {.kind = TARGET_MACHINE,
                                .name = "machine",
                                .width = options->width,
                                .shared_bytes = options->shared_bytes,
                                .block_threads = options->block_threads,
                                .multiprocessors = 1,
                                .l2_bytes = 50 << 20, /* choices are a GPU's */
                                .memory_bytes = UINT64_MAX};
    sim->limits = (launch_limits){options->width, options->block_threads, options->shared_bytes, 1};
    plan_request request;
    status = plan_request_take(perm, elem_bytes, &target, plan_options, &request);
    if (status != RIFFLE_OK) return status;
    status = plan_build(&request, &sim->plan);
    plan_request_drop(&request);
    if (status != RIFFLE_OK) return status;
    plan_settle(sim->plan);
    status = run_plan(sim, perm);
    uint64_t predicted = 0;
    if (status == RIFFLE_OK) status = predict(sim, &predicted);
    if (status != RIFFLE_OK) return status;
    riffle_report *report = machine_take_report(sim->m);
    report->n = perm->n;
    report->algorithm = riffle_algorithm_string(riffle_plan_algorithm(sim->plan));
    report->predicted_time_units = predicted;
    *out = report;
    return RIFFLE_OK;
}

riffle_status riffle_simulate(const riffle_perm *perm, size_t elem_bytes,
                              const riffle_plan_options *plan_options,
                              const riffle_machine_options *machine_options, riffle_report **out) {
    simulation sim = {0};
    riffle_status status = machine_create(machine_options, &sim.m);
    if (status != RIFFLE_OK) return status;
    status = simulate(&sim, perm, elem_bytes, plan_options, out);
    plan_destroy(sim.plan);
    free(sim.uploaded);
    free(sim.original);
    machine_free(sim.m);
    return status;
}
