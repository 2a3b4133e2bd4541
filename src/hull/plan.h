/* SPDX-License-Identifier: Apache-2.0
 *
 * The engines that hulls can be planned for.
 */
#ifndef RIFFLE_HULL_PLAN_H
#define RIFFLE_HULL_PLAN_H

#include <stdio.h>

#include "device/plan.h"
#include "hull/points.h"

typedef struct hull_engine hull_engine;

struct riffle_hull_plan {
    plan_base base;
    const hull_engine *engine;
    riffle_type type;
    uint64_t n, sets; /**< at least one set */
    bool all, points; /**< as the options say */
    riffle_hull_algorithm algorithm;
    size_t index_bytes; /**< 4 or 8, also where hulls are points */
    void *own;          /**< the engine's */
};

/** An engine's operations on a plan. */
struct hull_engine {
    /** Sets plan->own, threads and workspace_bytes; all else is there. */
    riffle_status (*create)(riffle_hull_plan *plan, const riffle_hull_options *options);
    /** riffle_hull_execute, whose arguments have been checked but for the points' values; of at least one set. */
    riffle_status (*execute)(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays);
    /** The algorithm that is done with these points, in a word or two: "sieve and chain". */
    const char *(*way)(const riffle_hull_plan *plan);
    /** Prints the phases of at least one point, a line or a few. */
    void (*explain)(const riffle_hull_plan *plan, FILE *out);
    /** Frees plan->own, which may be NULL. */
    void (*destroy)(void *own);
};

/** sequential_hull_engine: the CPU's for the dissertation's algorithm. */
extern const hull_engine cpu_hull_engine, sequential_hull_engine, device_hull_engine;

/** riffle_hull_plan_create, on a device that is not the current GPU: with RIFFLE_ENGINE_CUDA the memory machine; or NULL. */
riffle_status hull_plan_create(uint64_t n, riffle_type type, riffle_engine engine, const device *on,
                               const riffle_hull_options *options, riffle_hull_plan **out);

/** Refuses what no engine has: types, lengths, options. */
riffle_status hull_check_request(uint64_t n, riffle_type type, const riffle_hull_options *options);

/** Bytes of a point. */
size_t hull_point_bytes(const riffle_hull_plan *plan);

/** Refuses arrays that are not there, not aligned to coordinates, or overlap. */
riffle_status hull_check_arrays(const riffle_hull_plan *plan, const riffle_hull_arrays *arrays);

/** Refuses points that are no whole number for each set. */
riffle_status hull_check_even(const riffle_hull_plan *plan);

/** Where set k begins; k may be the number of sets. */
uint64_t hull_set_first(const riffle_hull_plan *plan, const uint64_t *first, uint64_t k);

#endif
