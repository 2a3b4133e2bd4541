/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_simulate_program: a program is done to arrays of any elements, and compared with what plain recursion makes of them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/elements.h"
#include "device/simulate/simulate.h"
#include "program/gpu/predict.h"
#include "program/plan.h"
#include "program/term.h"

typedef struct program_simulation {
    const riffle_program *program; /* for one array */
    riffle_type type;
    const riffle_program_options *options;
    uint64_t arrays;
    riffle_program_algorithm algorithm; /* that the plan has */
    size_t bytes;                       /* all arrays' */
    void *data, *got, *wanted;
} program_simulation;

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
static riffle_status evaluate(program_simulation *sim) {
    const size_t bytes = sim->bytes / sim->arrays;
    riffle_status status = RIFFLE_OK;
    memcpy(sim->wanted, sim->data, sim->bytes);
    for (uint64_t k = 0; status == RIFFLE_OK && k < sim->arrays; k++)
        status = riffle_program_evaluate(sim->program, sim->type, (char *)sim->wanted + k * bytes);
    return status;
}

static riffle_status fill(program_simulation *sim, bool has_own) {
    sim->data = malloc(sim->bytes + 1);
    sim->got = malloc(sim->bytes + 1);
    sim->wanted = malloc(sim->bytes + 1);
    if (sim->data == NULL || sim->got == NULL || sim->wanted == NULL)
        return fail_memory("simulated arrays", 3 * sim->bytes);
    elements_fill(sim->type, sim->arrays << riffle_program_bits(sim->program), sim->data);
    return has_own ? run_on_host(sim) : evaluate(sim);
}

static riffle_status check_result(const program_simulation *sim) {
    const uint64_t count = sim->arrays << riffle_program_bits(sim->program);
    const uint64_t wrong = elements_first_difference(sim->type, count, sim->got, sim->wanted);
    if (wrong == count) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INTERNAL, "element %llu is not what the program makes of it; please report this",
                (unsigned long long)wrong);
}

static riffle_status run(const device *on, void *subject) {
    program_simulation *const sim = subject;
    riffle_program_plan *plan = NULL;
    riffle_status status =
        program_plan_create(sim->program, sim->type, RIFFLE_ENGINE_CUDA, on, sim->options, &plan);
    if (status != RIFFLE_OK) return status;
    sim->bytes = (size_t)(sim->arrays << riffle_program_bits(sim->program)) * riffle_type_bytes(sim->type);
    sim->algorithm = plan->algorithm;
    status = fill(sim, plan->passes.own_count > 0);
    if (status == RIFFLE_OK) status = riffle_program_execute(plan, sim->got, sim->data);
    riffle_program_plan_free(plan);
    return status == RIFFLE_OK ? check_result(sim) : status;
}

static void describe(const void *subject, riffle_report *report) {
    const program_simulation *const sim = subject;
    report->n = (uint64_t)1 << riffle_program_bits(sim->program);
    report->algorithm = riffle_program_algorithm_string(sim->algorithm);
}

riffle_status riffle_simulate_program(const riffle_program *program, riffle_type type,
                                      const riffle_program_options *options,
                                      const riffle_machine_options *machine_options, riffle_report **out) {
    RETURN_IF_NULL(program, out);
    static const simulated how = {"programs", SIMULATED_MULTIPROCESSORS, run, describe, program_patterns};
    const riffle_program_options defaults = {0};
    if (options == NULL) options = &defaults;
    program_simulation sim = {.program = program,
                              .type = type,
                              .options = options,
                              .arrays = options->batch == 0 ? 1 : options->batch};
    const riffle_status status = simulate(&how, &sim, machine_options, out);
    free(sim.data);
    free(sim.got);
    free(sim.wanted);
    return status;
}
