/* SPDX-License-Identifier: Apache-2.0
 *
 * What the planner knows of the machine that a plan is for.
 */
#ifndef RIFFLE_PLAN_TARGET_H
#define RIFFLE_PLAN_TARGET_H

#include <stdbool.h>

#include "riffle.h"

typedef enum plan_target_kind { TARGET_CPU, TARGET_CUDA, TARGET_MACHINE } plan_target_kind;

typedef struct plan_target {
    plan_target_kind kind;
    const char *name;    /**< of the engine, for explain and messages; static storage */
    unsigned width;      /**< lanes of a warp and banks of shared memory, a power of two */
    size_t shared_bytes; /**< shared memory of a block: two rows of a row-wise pass must fit */
} plan_target;

/** The host: no banks to fear, so any width will do, and rows are bounded by their 16-bit schedules alone. */
static const plan_target PLAN_TARGET_CPU = {TARGET_CPU, "cpu", 32, SIZE_MAX};

/** True for targets that run src/kernels: they take elements of 4 and 8 bytes and tables of 4-byte entries. */
static inline bool plan_target_is_device(const plan_target *target) { return target->kind != TARGET_CPU; }

#endif
