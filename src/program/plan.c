/* SPDX-License-Identifier: Apache-2.0 */
#include "program/plan.h"

#include <stdlib.h>

#include "base/engine.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"

static const program_engine *const engines[] = {
    [RIFFLE_ENGINE_CPU] = &cpu_program_engine, [RIFFLE_ENGINE_CUDA] = &device_program_engine};

/* The program for an array of `more` more bits, of which each part is an array of before. */
static riffle_status widen(const riffle_program *program, unsigned more, riffle_program **out) {
    riffle_program *wide = riffle_program_retain(program);
    for (; more > 0; more--) {
        riffle_program *wider = NULL;
        const riffle_status status =
            riffle_program_parm((uint64_t)1 << riffle_program_bits(wide), wide, wide, &wider);
        riffle_program_free(wide);
        if (status != RIFFLE_OK) return status;
        wide = wider;
    }
    *out = wide;
    return RIFFLE_OK;
}

riffle_status program_check_request(const riffle_program *program, riffle_type type,
                                    const riffle_program_options *options) {
    const uint64_t batch = options->batch == 0 ? 1 : options->batch;
    if ((unsigned)type > RIFFLE_TYPE_C128)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no type with number %d", (int)type);
    if ((unsigned)options->algorithm > RIFFLE_PROGRAM_ALGORITHM_PAPER)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no way to do programs with number %d",
                    (int)options->algorithm);
    size_t bytes;
    if (!multiply_sizes(batch, (uint64_t)1 << riffle_program_bits(program), riffle_type_bytes(type), &bytes))
        return fail(RIFFLE_ERROR_LENGTH, "%llu arrays of 2^%u elements are more bytes than there are addresses",
                    (unsigned long long)batch, riffle_program_bits(program));
    if (batch > RIFFLE_MAX_LENGTH >> riffle_program_bits(program))
        return fail(RIFFLE_ERROR_LENGTH,
                    "%llu arrays of 2^%u elements are too long: 2^%d elements in all at most",
                    (unsigned long long)batch, riffle_program_bits(program), RIFFLE_MAX_BITS);
    return RIFFLE_OK;
}

riffle_status program_join_arrays(const riffle_program *program, unsigned most_bits, uint64_t *arrays,
                                  riffle_program **out) {
    const unsigned n = riffle_program_bits(program);
    unsigned more = *arrays == 0 ? 0 : (unsigned)__builtin_ctzll(*arrays);
    const unsigned most = most_bits > n ? most_bits - n : 0;
    if (more > most) more = most;
    *arrays >>= more;
    return widen(program, more, out);
}

static riffle_status create(riffle_program_plan *plan, const riffle_program *program,
                            const riffle_program_options *options) {
    riffle_program *wide = NULL;
    riffle_status status = program_join_arrays(program, plan->engine->most_bits, &plan->arrays, &wide);
    if (status != RIFFLE_OK) return status;
    status = plan->engine->create(plan, wide, options);
    riffle_program_free(wide);
    return status;
}

riffle_status program_plan_create(const riffle_program *program, riffle_type type, riffle_engine engine,
                                  const device *on, const riffle_program_options *options,
                                  riffle_program_plan **out) {
    const riffle_program_options defaults = {0};
    if (options == NULL) options = &defaults;
    RETURN_IF_NULL(program, out);
    riffle_status status = engine_check(engine, options->callers_workspace);
    if (status == RIFFLE_OK) status = program_check_request(program, type, options);
    plan_base *base;
    if (status == RIFFLE_OK)
        status = plan_base_create(sizeof(riffle_program_plan), "a program's plan", on,
                                  options->callers_workspace, &base);
    if (status != RIFFLE_OK) return status;
    riffle_program_plan *const plan = (riffle_program_plan *)base;
    plan->engine = engines[engine];
    plan->type = type;
    plan->algorithm = options->algorithm == RIFFLE_PROGRAM_ALGORITHM_AUTO ? RIFFLE_PROGRAM_ALGORITHM_FUSED
                                                                          : options->algorithm;
    plan->arrays = options->batch == 0 ? 1 : options->batch;
    status = create(plan, program, options);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        riffle_program_plan_free(plan);
    }
    return status;
}

riffle_status riffle_program_plan_create(const riffle_program *program, riffle_type type, riffle_engine engine,
                                         const riffle_program_options *options, riffle_program_plan **out) {
    return program_plan_create(program, type, engine, NULL, options, out);
}

uint64_t program_plan_elements(const riffle_program_plan *plan) { return plan->arrays << plan->passes.n; }

size_t program_plan_bytes(const riffle_program_plan *plan) {
    return (size_t)program_plan_elements(plan) * riffle_type_bytes(plan->type);
}

riffle_status program_check_arrays(const riffle_program_plan *plan, const void *dst, const void *src) {
    const size_t bytes = program_plan_bytes(plan);
    if (dst == NULL || src == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL but the arrays have %zu bytes",
                    dst == NULL ? "dst" : "src", bytes);
    if (dst == src) {
        if (riffle_program_plan_in_place(plan)) return RIFFLE_OK;
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "dst is src, and this plan moves elements: give it a second array");
    }
    if (bytes_overlap(dst, bytes, src, bytes))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "dst and src overlap: they are separate arrays of %zu bytes, or the same", bytes);
    return RIFFLE_OK;
}

riffle_status riffle_program_execute(const riffle_program_plan *plan, void *dst, const void *src) {
    RETURN_IF_NULL(plan);
    if (plan->arrays == 0) return RIFFLE_OK;
    riffle_status status = program_check_arrays(plan, dst, src);
    if (status != RIFFLE_OK) return status;
    plan_base_enter(&plan->base);
    status = plan->engine->execute(plan, dst, src);
    plan_base_leave(&plan->base);
    return status;
}

bool riffle_program_plan_in_place(const riffle_program_plan *plan) {
    return plan != NULL && !program_moves(&plan->passes);
}

size_t riffle_program_plan_workspace_bytes(const riffle_program_plan *plan) {
    return plan != NULL ? plan->base.workspace_bytes : 0;
}

static const char *const algorithm_names[] = {[RIFFLE_PROGRAM_ALGORITHM_AUTO] = "auto",
                                              [RIFFLE_PROGRAM_ALGORITHM_FUSED] = "fused",
                                              [RIFFLE_PROGRAM_ALGORITHM_PAPER] = "paper"};
static const name_table algorithms = {"algorithm of programs", algorithm_names,
                                      RIFFLE_PROGRAM_ALGORITHM_PAPER + 1};

const char *riffle_program_algorithm_string(riffle_program_algorithm algorithm) {
    return name_of(&algorithms, algorithm);
}
riffle_status riffle_program_algorithm_parse(const char *name, riffle_program_algorithm *out) {
    return name_parse(&algorithms, name, (unsigned *)out);
}
size_t riffle_program_algorithm_list(riffle_program_algorithm *out, size_t capacity) {
    return name_list(&algorithms, (unsigned *)out, capacity);
}

riffle_program_algorithm riffle_program_plan_algorithm(const riffle_program_plan *plan) {
    return plan != NULL ? plan->algorithm : RIFFLE_PROGRAM_ALGORITHM_AUTO;
}
unsigned riffle_program_plan_passes(const riffle_program_plan *plan) {
    return plan != NULL ? (unsigned)plan->passes.count : 0;
}
unsigned riffle_program_plan_stages(const riffle_program_plan *plan) {
    return plan != NULL ? (unsigned)plan->passes.stages : 0;
}
unsigned riffle_program_plan_bound(const riffle_program_plan *plan) {
    return plan != NULL ? plan->passes.bound : 0;
}
unsigned riffle_program_plan_threads(const riffle_program_plan *plan) {
    return plan != NULL ? plan->base.threads : 0;
}

void riffle_program_plan_free(riffle_program_plan *plan) {
    if (plan == NULL) return;
    plan->engine->destroy(plan->own);
    program_passes_free(&plan->passes);
    plan_base_end(&plan->base);
    free(plan);
}
