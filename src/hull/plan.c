/* SPDX-License-Identifier: Apache-2.0
 *
 * The doors of riffle/hull.h.
 */
#include "hull/plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/engine.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/status.h"

static const hull_engine *const engines[] = {
    [RIFFLE_ENGINE_CPU] = &cpu_hull_engine, [RIFFLE_ENGINE_CUDA] = &device_hull_engine};

static riffle_status check_algorithm(const riffle_hull_options *options) {
    if ((unsigned)options->algorithm > RIFFLE_HULL_ALGORITHM_PAPER)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no algorithm for hulls with number %d",
                    (int)options->algorithm);
    if (options->algorithm == RIFFLE_HULL_ALGORITHM_AUTO || (options->segments <= 1 && !options->all))
        return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "the dissertation's algorithm finds %s; use another algorithm",
                options->segments > 1 ? "one hull and not those of many sets"
                                      : "corners and not the points between them");
}

riffle_status hull_check_request(uint64_t n, riffle_type type, const riffle_hull_options *options) {
    if ((unsigned)type > RIFFLE_TYPE_C128)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no type with number %d", (int)type);
    if (!hull_has_type(type))
        return fail(RIFFLE_ERROR_UNSUPPORTED, "coordinates of type %s; hulls are of integers, f32 and f64",
                    riffle_type_string(type));
    if (n > RIFFLE_HULL_MAX_POINTS)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " points; hulls are of at most 2^31", n);
    if (options->segments > RIFFLE_HULL_MAX_POINTS)
        return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " sets of points; there are at most 2^31",
                    options->segments);
    if (options->index_bytes != 0 && options->index_bytes != 4 && options->index_bytes != 8)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "indices have 4 or 8 bytes, not %zu", options->index_bytes);
    return check_algorithm(options);
}

static const char *const algorithm_names[] = {
    [RIFFLE_HULL_ALGORITHM_AUTO] = "auto", [RIFFLE_HULL_ALGORITHM_PAPER] = "paper"};
static const name_table algorithms = {"algorithm of hulls", algorithm_names, RIFFLE_HULL_ALGORITHM_PAPER + 1};

const char *riffle_hull_algorithm_string(riffle_hull_algorithm algorithm) {
    return name_of(&algorithms, algorithm);
}
riffle_status riffle_hull_algorithm_parse(const char *name, riffle_hull_algorithm *out) {
    return name_parse(&algorithms, name, (unsigned *)out);
}
size_t riffle_hull_algorithm_list(riffle_hull_algorithm *out, size_t capacity) {
    return name_list(&algorithms, (unsigned *)out, capacity);
}

riffle_status hull_plan_create(uint64_t n, riffle_type type, riffle_engine engine, const device *on,
                               const riffle_hull_options *options, riffle_hull_plan **out) {
    const riffle_hull_options defaults = {0};
    if (options == NULL) options = &defaults;
    RETURN_IF_NULL(out);
    riffle_status status = engine_check(engine, options->callers_workspace);
    if (status == RIFFLE_OK) status = hull_check_request(n, type, options);
    plan_base *base;
    if (status == RIFFLE_OK)
        status = plan_base_create(sizeof(riffle_hull_plan), "the plan of a hull", on,
                                  options->callers_workspace, &base);
    if (status != RIFFLE_OK) return status;
    riffle_hull_plan *const plan = (riffle_hull_plan *)base;
    const bool is_paper = options->algorithm == RIFFLE_HULL_ALGORITHM_PAPER;
    plan->engine = is_paper && engine == RIFFLE_ENGINE_CPU ? &sequential_hull_engine : engines[engine];
    plan->type = type;
    plan->n = n;
    plan->sets = options->segments == 0 ? 1 : options->segments;
    plan->all = options->all;
    plan->points = options->points;
    plan->algorithm = options->algorithm;
    plan->index_bytes = options->index_bytes == 0 ? 4 : options->index_bytes;
    status = plan->engine->create(plan, options);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        riffle_hull_plan_free(plan);
    }
    return status;
}

riffle_status riffle_hull_plan_create(uint64_t n, riffle_type type, riffle_engine engine,
                                      const riffle_hull_options *options, riffle_hull_plan **out) {
    return hull_plan_create(n, type, engine, NULL, options, out);
}

size_t hull_point_bytes(const riffle_hull_plan *plan) { return 2 * riffle_type_bytes(plan->type); }

size_t riffle_hull_plan_result_bytes(const riffle_hull_plan *plan) {
    if (plan == NULL) return 0;
    return plan->points ? hull_point_bytes(plan) : plan->index_bytes;
}

size_t riffle_hull_plan_workspace_bytes(const riffle_hull_plan *plan) {
    return plan != NULL ? plan->base.workspace_bytes : 0;
}

unsigned riffle_hull_plan_threads(const riffle_hull_plan *plan) {
    return plan != NULL ? plan->base.threads : 0;
}

uint64_t hull_set_first(const riffle_hull_plan *plan, const uint64_t *first, uint64_t k) {
    return first != NULL ? first[k] : k * (plan->n / plan->sets);
}

riffle_status hull_check_even(const riffle_hull_plan *plan) {
    if (plan->n % plan->sets == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "%" PRIu64 " points are no %" PRIu64 " sets of as many; say where sets begin", plan->n,
                plan->sets);
}

static riffle_status check_sets(const riffle_hull_plan *plan, const uint64_t *first) {
    if (first == NULL) return hull_check_even(plan);
    for (uint64_t k = 0; k < plan->sets; k++)
        if (first[k] > first[k + 1])
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "set %" PRIu64 " begins at point %" PRIu64 " and ends at point %" PRIu64, k, first[k],
                        first[k + 1]);
    if (first[plan->sets] > plan->n)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the last set ends at point %" PRIu64 " of %" PRIu64,
                    first[plan->sets], plan->n);
    return RIFFLE_OK;
}

riffle_status hull_check_arrays(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays) {
    RETURN_IF_NULL(plan, arrays);
    if (arrays->lengths == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "lengths is NULL; it has one for each set");
    if (plan->n > 0 && (arrays->hulls == NULL || arrays->points == NULL))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL but there are %" PRIu64 " points",
                    arrays->hulls == NULL ? "hulls" : "points", plan->n);
    if ((uintptr_t)arrays->points % riffle_type_bytes(plan->type) != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "points are not aligned to their coordinates");
    if (bytes_overlap(arrays->hulls, plan->n * riffle_hull_plan_result_bytes(plan), arrays->points,
                      plan->n * hull_point_bytes(plan)))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "hulls and points overlap");
    return RIFFLE_OK;
}

riffle_status riffle_hull_execute(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays) {
    riffle_status status = hull_check_arrays(plan, arrays);
    if (status == RIFFLE_OK) status = check_sets(plan, arrays->first);
    if (status != RIFFLE_OK) return status;
    plan_base_enter(&plan->base);
    status = plan->engine->execute(plan, arrays);
    plan_base_leave(&plan->base);
    return status;
}

void riffle_hull_plan_free(riffle_hull_plan *plan) {
    if (plan == NULL) return;
    plan->engine->destroy(plan->own);
    plan_base_end(&plan->base);
    free(plan);
}
