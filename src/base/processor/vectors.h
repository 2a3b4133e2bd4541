/* SPDX-License-Identifier: Apache-2.0
 *
 * Which vector instructions run. No other file asks the processor for them: a dispatch asks vectors_for() for its loops and
 * takes that entry of its table.
 *
 * The processor is asked once a process. RIFFLE_PROCESSOR (base/processor/processor.h) takes away what the recorded processor
 * lacks, so its loops run; it cannot add what the one at hand lacks. Tests take away more by vectors_limit().
 *
 * A loop's file is named by its set: x_portable.c, x_ssse3.c, x_avx2.c, x_avx512.c, x_neon.c. Which sets a loop is written for
 * stands in one table, in vectors.c.
 */
#ifndef RIFFLE_BASE_PROCESSOR_VECTORS_H
#define RIFFLE_BASE_PROCESSOR_VECTORS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/processor/processor.h"

/** Defined by compilers that have AVX-512's arithmetic on halves for a function alone: GCC from 12 on, Clang from 16. */
#if defined(__x86_64__) && defined(__has_include) && (!defined(__clang__) || __clang_major__ >= 16)
#if __has_include(<avx512fp16intrin.h>)
#define VECTORS_COMPILE_FP16 1
#endif
#endif

/** A set of instructions. Sets of x86-64 are in order: a processor that has one has those before it. */
typedef enum vector_set {
    VECTORS_PORTABLE, /**< plain C for any processor */
    VECTORS_SSSE3,
    VECTORS_AVX2,        /**< with F16C and FMA */
    VECTORS_AVX512,      /**< F, BW, DQ and VL */
    VECTORS_AVX512_VBMI, /**< with VBMI too */
    VECTORS_AVX512_FP16, /**< ... and arithmetic on halves */
    VECTORS_NEON,        /**< every AArch64 has it */
    VECTOR_SETS
} vector_set;

/** The loops that are written for more than one set. */
typedef enum vector_loops {
    LOOPS_PLAIN,     /**< all other loops: plain C */
    LOOPS_AFFINE,    /**< the affine_lines pass */
    LOOPS_REVERSALS, /**< the copy pass, where it reverses */
    LOOPS_AXES,      /**< the axes_tile pass */
    LOOPS_PROGRAMS,  /**< stages of programs */
    LOOPS_HALVES,    /**< ... of halves */
    LOOPS_HULLS,     /**< the sieve of hulls */
    LOOPS_RANDOM,    /**< the numbers of `random` */
    LOOPS_F2,        /**< matrices over F2 */
    LOOPS_BITS,      /**< bits within bytes */
    LOOPS_CHECKS,    /**< sums of checks */
    LOOPS_GROUPS,    /**< rows on their way to groups */
    LOOPS_TABLES,    /**< the bucket_rows pass, of 4-byte elements */
    VECTOR_LOOPS
} vector_loops;

/** "portable", "SSSE3", "AVX2", "AVX-512", "AVX-512 VBMI", "AVX-512 FP16" or "NEON". */
const char *vectors_name(vector_set set);

/** The last set of x86-64 that a processor says it has. */
vector_set vectors_told_by(const processor *of);

/** True if instructions of the set may run. */
bool vectors_has(vector_set set);

/** The set by which these loops run: the best that they are written for and that may run. */
vector_set vectors_for(vector_loops loops);

/** The best set of the processor's kind that these loops are written for, whether it may run or not; of x86-64 where they have none of
 *  the processor's. */
vector_set vectors_best_for(vector_loops loops);

/** True if the table in vectors.c says that the loops are written for the set. */
bool vectors_are_written(vector_loops loops, vector_set set);

/** Takes away the sets behind `most`, for tests; VECTOR_SETS takes nothing away. Not while other threads move arrays. */
void vectors_limit(vector_set most);

#endif
