/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/simulate/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/device.h"
#include "engines/launch/program.h"
#include "engines/program.h"
#include "engines/simulate/elements.h"
#include "engines/simulate/own.h"
#include "machine/count/report.h"
#include "plan/fused/paper.h"
#include "plan/fused/policy.h"
#include "program/term.h"

enum { WARP = 32 }; /* the kernels' own */

static riffle_status run_pass(machine *m, const program_pass *pass, riffle_type type, uint64_t count,
                              const users_kernel *users, void *const *array) {
    const device on = device_of_machine(m);
    fused_launches all = {0};
    launch_list list;
    riffle_status status = fused_lower(pass, type, count, pass->from != pass->to, &all);
    launch_list_begin(&list);
    if (status == RIFFLE_OK) {
        launch_program_pass(&all, users, array[pass->to], array[pass->from], &list);
        status = device_run(&on, "a pass", &list, NULL);
    }
    fused_launches_free(&all);
    return status;
}

static riffle_status make_arrays(machine *m, const program_passes *passes, size_t bytes, void **array) {
    const bool moves = program_moves(passes);
    riffle_status status = machine_buffer(m, moves ? "dst" : "array", bytes, &array[PROGRAM_DST]);
    array[PROGRAM_SRC] = array[PROGRAM_DST];
    if (status == RIFFLE_OK && moves) status = machine_buffer(m, "src", bytes, &array[PROGRAM_SRC]);
    if (status != RIFFLE_OK || !program_wants_workspace(passes)) return status;
    return machine_buffer(m, "workspace", bytes, &array[PROGRAM_WORKSPACE]);
}

riffle_status simulate_program(machine *m, const program_passes *passes, riffle_type type, uint64_t count,
                               void *data) {
    const size_t bytes = (size_t)count * riffle_type_bytes(type) << passes->n;
    void *array[PROGRAM_ARRAYS] = {NULL};
    riffle_status status = make_arrays(m, passes, bytes, array);
    if (status != RIFFLE_OK) return status;
    memcpy(array[PROGRAM_SRC], data, bytes);
    machine_written(m, array[PROGRAM_SRC], bytes);
    lint_object own = {.entry = NULL};
    users_kernel users = {0};
    if (passes->own_count > 0) status = simulate_own_load(m, passes, type, &own, &users);
    for (size_t k = 0; status == RIFFLE_OK && k < passes->count; k++)
        status = run_pass(m, &passes->passes[k], type, count, passes->own_count > 0 ? &users : NULL, array);
    lint_object_unload(&own);
    if (status == RIFFLE_OK && passes->count > 0) memcpy(data, array[PROGRAM_DST], bytes);
    return status;
}

/* ------------------------------------------------------------------- the door */

typedef struct program_simulation {
    const riffle_program *program; /* of one array */
    riffle_type type;
    uint64_t arrays;
    size_t bytes; /* of all arrays */
    machine *m;
    program_passes passes;
    uint64_t runs; /* of the arrays that the passes are for */
    void *data, *wanted;
} program_simulation;

static riffle_status check_machine(const riffle_machine_options *options) {
    if (options->width == WARP && options->block_threads >= WARP) return RIFFLE_OK;
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "programs' kernels exchange elements within warps of %d; this machine has width %u and blocks of %u "
        "threads",
        WARP, options->width, options->block_threads);
}

static riffle_status compile(program_simulation *sim, riffle_program_algorithm algorithm) {
    const riffle_machine_options *const options = machine_options(sim->m);
    riffle_program *wide = NULL;
    riffle_status status = check_machine(options);
    sim->runs = sim->arrays;
    if (status == RIFFLE_OK) status = program_join_arrays(sim->program, FUSED_MAX_BITS, &sim->runs, &wide);
    if (status != RIFFLE_OK) return status;
    status = (algorithm == RIFFLE_PROGRAM_PAPER ? fused_compile_paper : fused_compile)(
        wide, sim->type, options->shared_bytes, options->block_threads, &sim->passes);
    riffle_program_free(wide);
    return status;
}

/* A program with users' operations has no definition but theirs: what the host makes of it is wanted. */
static riffle_status run_on_host(program_simulation *sim) {
    riffle_program_plan *plan;
    const riffle_program_options options = {.batch = sim->arrays};
    riffle_status status =
        riffle_program_plan_create(sim->program, sim->type, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status != RIFFLE_OK) return status;
    status = riffle_program_execute(plan, sim->wanted, sim->data);
    riffle_program_plan_free(plan);
    return status;
}

/* Plain recursion says what is wanted. */
static riffle_status fill(program_simulation *sim) {
    sim->data = malloc(sim->bytes + 1);
    sim->wanted = malloc(sim->bytes + 1);
    if (sim->data == NULL || sim->wanted == NULL) return fail_memory("simulated arrays", 2 * sim->bytes);
    const size_t bytes = sim->bytes / sim->arrays;
    elements_fill(sim->type, sim->arrays << riffle_program_bits(sim->program), sim->data);
    memcpy(sim->wanted, sim->data, sim->bytes);
    riffle_status status = RIFFLE_OK;
    if (sim->passes.own_count > 0) return run_on_host(sim);
    for (uint64_t k = 0; status == RIFFLE_OK && k < sim->arrays; k++)
        status = riffle_program_evaluate(sim->program, sim->type, (char *)sim->wanted + k * bytes);
    return status;
}

static riffle_status check_result(const program_simulation *sim) {
    const uint64_t count = sim->arrays << riffle_program_bits(sim->program);
    const uint64_t wrong = elements_first_difference(sim->type, count, sim->data, sim->wanted);
    if (wrong == count) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INTERNAL, "element %llu is not what the program makes of it; please report this",
                (unsigned long long)wrong);
}

static riffle_status simulate(program_simulation *sim, riffle_program_algorithm algorithm,
                              riffle_report **out) {
    riffle_status status = compile(sim, algorithm);
    if (status == RIFFLE_OK) status = fill(sim);
    if (status == RIFFLE_OK) status = simulate_program(sim->m, &sim->passes, sim->type, sim->runs, sim->data);
    if (status == RIFFLE_OK) status = check_result(sim);
    if (status != RIFFLE_OK) return status;
    *out = machine_take_report(sim->m);
    (*out)->n = (uint64_t)1 << riffle_program_bits(sim->program);
    (*out)->algorithm = riffle_program_algorithm_string(algorithm);
    return RIFFLE_OK;
}

riffle_status riffle_simulate_program(const riffle_program *program, riffle_type type,
                                      const riffle_program_options *options,
                                      const riffle_machine_options *machine_options, riffle_report **out) {
    const riffle_program_options defaults = {0};
    if (options == NULL) options = &defaults;
    program_simulation sim = {.program = program, .type = type};
    riffle_status status = program_check_request(program, type, options);
    if (status != RIFFLE_OK) return status;
    sim.arrays = options->batch == 0 ? 1 : options->batch;
    sim.bytes = (size_t)(sim.arrays << riffle_program_bits(program)) * riffle_type_bytes(type);
    status = machine_create(machine_options, &sim.m);
    if (status != RIFFLE_OK) return status;
    status = simulate(&sim, options->algorithm, out);
    free(sim.data);
    free(sim.wanted);
    program_passes_free(&sim.passes);
    machine_free(sim.m);
    return status;
}
