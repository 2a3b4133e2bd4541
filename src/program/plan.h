/* SPDX-License-Identifier: Apache-2.0
 *
 * The engines that a program can be compiled for.
 */
#ifndef RIFFLE_PROGRAM_PLAN_H
#define RIFFLE_PROGRAM_PLAN_H

#include "base/processor/vectors.h"
#include "device/plan.h"
#include "program/pass.h"

typedef struct program_engine program_engine;

struct riffle_program_plan {
    plan_base base;
    const program_engine *engine;
    riffle_type type;
    riffle_program_algorithm algorithm;
    uint64_t arrays;       /**< runs of 2^passes.n elements, one behind the other */
    program_passes passes; /**< by the engine's policy */
    void *own;             /**< the engine's */
};

/** An engine's operations on a plan. */
struct program_engine {
    const char *name;
    vector_loops (*loops)(riffle_type type); /**< the host's; NULL on a device */
    unsigned most_bits;                      /**< most bits of an index, in an array that a batch is made to */
    /** Compiles into plan->passes, sets plan->own. plan->type and plan->arrays are there. */
    riffle_status (*create)(riffle_program_plan *plan, const riffle_program *program,
                            const riffle_program_options *options);
    /** dst and src have been checked. */
    riffle_status (*execute)(const riffle_program_plan *plan, void *dst, const void *src);
    /** Frees plan->own, which may be NULL. */
    void (*destroy)(void *own);
};

extern const program_engine cpu_program_engine, device_program_engine;

/** riffle_program_plan_create, on a device that is not the current GPU: with RIFFLE_ENGINE_CUDA the memory machine; or NULL. */
riffle_status program_plan_create(const riffle_program *program, riffle_type type, riffle_engine engine,
                                  const device *on, const riffle_program_options *options,
                                  riffle_program_plan **out);

/** Checks that a program can be asked for so. */
riffle_status program_check_request(const riffle_program *program, riffle_type type,
                                    const riffle_program_options *options);

/** A batch of 2^k arrays is one array of k more bits, for `parm 2^n f` does f to each half: so only an odd number of *arrays is
 *  left to go through one by one, or those past 2^most_bits elements. */
riffle_status program_join_arrays(const riffle_program *program, unsigned most_bits, uint64_t *arrays,
                                  riffle_program **out);

/** Elements of all arrays of the plan. */
uint64_t program_plan_elements(const riffle_program_plan *plan);

/** Bytes of them. */
size_t program_plan_bytes(const riffle_program_plan *plan);

/** Checks that the program can be done from src to dst: separate arrays, or the same one where it is in place. */
riffle_status program_check_arrays(const riffle_program_plan *plan, const void *dst, const void *src);

#endif
