/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine that a plan is for, as far as the planner knows it.
 */
#ifndef RIFFLE_PLAN_REQUEST_TARGET_H
#define RIFFLE_PLAN_REQUEST_TARGET_H

#include <stdbool.h>

#include "device/limits.h"
#include "models/translation.h"
#include "riffle.h"

typedef enum plan_target_kind { TARGET_CPU, TARGET_CUDA, TARGET_MACHINE } plan_target_kind;

typedef struct plan_target {
    plan_target_kind kind;
    const char *name;              /**< the engine's, for explain and messages; static storage */
    unsigned width;                /**< lanes of a warp and banks of shared memory, a power of two */
    size_t shared_bytes;           /**< shared memory of a block: two rows of a row-wise pass must fit */
    unsigned block_threads;        /**< most threads of a block */
    unsigned multiprocessors;      /**< that a launch should keep busy */
    unsigned capability;           /**< a GPU's, 90 for 9.0; else 0 */
    uint64_t l2_bytes;             /**< bytes of the cache that multiprocessors share */
    uint64_t memory_bytes;         /**< in which arrays and workspace must fit; UINT64_MAX where nobody knows */
    translation_cache translation; /**< a host core's; a device's is not modelled */
} plan_target;

/** A host with such a core: no banks to fear, so any width will do, and rows are bounded by their 16-bit
 *  schedules alone. */
static inline plan_target plan_target_cpu(const riffle_vat_preset *core) {
    return (plan_target){.kind = TARGET_CPU,
                         .name = "cpu",
                         .width = 32,
                         .shared_bytes = SIZE_MAX,
                         .block_threads = 1024,
                         .multiprocessors = 1,
                         .memory_bytes = UINT64_MAX,
                         .translation = translation_of(core)};
}

/** A device as the planner sees it. */
static inline plan_target plan_target_of(plan_target_kind kind, const char *name, const device_limits *limits) {
    return (plan_target){.kind = kind,
                         .name = name,
                         .width = limits->width,
                         .shared_bytes = limits->shared_bytes,
                         .block_threads = limits->block_threads,
                         .multiprocessors = limits->multiprocessors,
                         .capability = limits->capability,
                         .l2_bytes = limits->l2_bytes,
                         .memory_bytes = limits->memory_bytes};
}

/** True for targets that run the kernels. */
static inline bool plan_target_is_device(const plan_target *target) { return target->kind != TARGET_CPU; }

#endif
