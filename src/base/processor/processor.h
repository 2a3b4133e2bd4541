/* SPDX-License-Identifier: Apache-2.0
 *
 * The processor, as far as plans depend on it: what it answers to CPUID. No other file asks CPUID for figures.
 * The environment variable RIFFLE_PROCESSOR has a recorded processor answer instead of the one at hand, so that
 * tests see on any machine what is planned on another. Vector instructions that it lacks do not run then (base/processor/vectors.h).
 */
#ifndef RIFFLE_BASE_PROCESSOR_PROCESSOR_H
#define RIFFLE_BASE_PROCESSOR_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "riffle.h"

/** The registers that CPUID returns. */
typedef struct cpuid_answer {
    uint32_t eax, ebx, ecx, edx;
} cpuid_answer;

typedef struct cpuid_leaf {
    uint32_t number, subleaf;
    cpuid_answer answer;
} cpuid_leaf;

/** Ends a processor's leaves: no leaf has this number. */
#define CPUID_END UINT32_MAX

typedef struct processor {
    const char *name;         /**< its name in RIFFLE_PROCESSOR */
    const cpuid_leaf *leaves; /**< up to CPUID_END; NULL for the one at hand */
} processor;

/** Recorded processor k, or NULL for k beyond the last: real ones from 2006 on, bare and under hypervisors, one
 *  of an unknown vendor and one without CPUID. */
const processor *processor_recorded_at(size_t k);

/** The one that RIFFLE_PROCESSOR named when it was first asked for, else the one at hand. The environment is
 *  read once a process. RIFFLE_ERROR_INVALID_ARGUMENT if there is none of that name; the detail lists them. */
riffle_status processor_here(const processor **out);

/** CPUID for a leaf and subleaf; all 0 for leaves that the processor does not have, and where there is no
 *  CPUID. */
cpuid_answer processor_cpuid(const processor *of, uint32_t leaf, uint32_t subleaf);

typedef struct last_cache {
    uint64_t bytes;      /**< 0 where nothing tells of it */
    bool is_behind_mesh; /**< all cores share it, and each access crosses the chip */
} last_cache;

/** The last cache that leaf 8000001DH tells of, which AMD's processors have, or leaf 4, which Intel's have: theirs is taken to be behind a mesh. */
last_cache processor_last_cache(const processor *of);

#endif
