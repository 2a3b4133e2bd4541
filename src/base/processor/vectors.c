/* SPDX-License-Identifier: Apache-2.0 */
#include "base/processor/vectors.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

#define SET(name) (1u << VECTORS_##name)

#if defined(VECTORS_COMPILE_FP16)
#define SET_OF_HALVES SET(AVX512_FP16)
#else
#define SET_OF_HALVES 0
#endif

static const char *const set_names[VECTOR_SETS] = {"portable",     "SSSE3",        "AVX2", "AVX-512",
                                                   "AVX-512 VBMI", "AVX-512 FP16", "NEON"};

/* Which sets each loop is written for, beside plain C. */
static const struct written {
    const char *name; /* for riffle_cpu_describe */
    unsigned sets;
} written[VECTOR_LOOPS] = {
    [LOOPS_PLAIN] = {NULL, 0},
    [LOOPS_AFFINE] = {"affine", SET(SSSE3) | SET(AVX2) | SET(AVX512_VBMI) | SET(NEON)},
    [LOOPS_REVERSALS] = {"reversals", SET(SSSE3) | SET(AVX2) | SET(NEON)},
    [LOOPS_AXES] = {"axes", SET(SSSE3) | SET(AVX2) | SET(AVX512) | SET(AVX512_VBMI) | SET(NEON)},
    [LOOPS_PROGRAMS] = {"programs", SET(AVX2) | SET(AVX512_VBMI) | SET(NEON)},
    [LOOPS_HALVES] = {"halves", SET(AVX2) | SET(AVX512_VBMI) | SET_OF_HALVES | SET(NEON)},
    [LOOPS_HULLS] = {"hulls", SET(AVX2) | SET(AVX512) | SET(NEON)},
    [LOOPS_RANDOM] = {"random", SET(AVX2) | SET(AVX512)},
    [LOOPS_F2] = {"matrices", SET(AVX2) | SET(AVX512) | SET(NEON)},
    [LOOPS_BITS] = {"bits", SET(AVX2) | SET(AVX512) | SET(NEON)},
    [LOOPS_CHECKS] = {"checks", SET(AVX2)},
    [LOOPS_GROUPS] = {"groups", SET(AVX512)},
    [LOOPS_TABLES] = {"tables", SET(AVX512)},
};

static _Atomic unsigned found; /* sets, by bits; 0 until the processor was asked, which tells each thread the same */
static _Atomic unsigned allowed = ~0u;

/* The set with all those before it. */
static unsigned up_to(vector_set set) { return (SET(PORTABLE) << set << 1) - 1; }

/* The last one of a set of sets. */
static vector_set best_of(unsigned sets) { return (vector_set)(31 - __builtin_clz(sets)); }

vector_set vectors_told_by(const processor *of) {
    enum { SSSE3 = 1 << 9, FMA = 1 << 12, F16C = 1 << 29 };       /* ECX of leaf 1 */
    enum { AVX2 = 1 << 5, AVX512 = 1 << 16 | 1 << 17 | 1 << 28 | 1 << 30 }; /* EBX of leaf 7: F, DQ, CD, BW; VL is its bit 31 */
    enum { AVX512VBMI = 1 << 1, AVX512FP16 = 1 << 23 };           /* ECX and EDX of leaf 7 */
    const cpuid_answer one = processor_cpuid(of, 1, 0), seven = processor_cpuid(of, 7, 0);
    if ((one.ecx & SSSE3) == 0) return VECTORS_PORTABLE;
    if ((one.ecx & FMA) == 0 || (one.ecx & F16C) == 0 || (seven.ebx & AVX2) == 0) return VECTORS_SSSE3;
    if ((seven.ebx & AVX512) != AVX512 || seven.ebx >> 31 == 0) return VECTORS_AVX2;
    if ((seven.ecx & AVX512VBMI) == 0) return VECTORS_AVX512;
    return (seven.edx & AVX512FP16) != 0 ? VECTORS_AVX512_FP16 : VECTORS_AVX512_VBMI;
}

/* The sets that this processor has and that the system keeps when it switches tasks: the compiler's functions ask for both. */
static unsigned at_hand(void) {
#if defined(__x86_64__)
    static const processor this_one = {.name = ""};
    const vector_set kept = __builtin_cpu_supports("avx512vl") ? VECTORS_AVX512_FP16
                            : __builtin_cpu_supports("avx2")   ? VECTORS_AVX2
                                                               : VECTORS_SSSE3;
    return up_to(kept) & up_to(vectors_told_by(&this_one));
#elif defined(__aarch64__)
    return SET(PORTABLE) | SET(NEON);
#else
    return SET(PORTABLE);
#endif
}

static unsigned find(void) {
    const processor *here;
    unsigned sets = at_hand() | SET(PORTABLE);
    const bool is_known = processor_here(&here) == RIFFLE_OK; /* else code that needs to know which one it is fails */
    if (is_known && here->leaves != NULL) sets &= up_to(vectors_told_by(here));
    atomic_store_explicit(&found, sets, memory_order_relaxed);
    return sets;
}

/* Asked for in each execution: a call of pthread_once takes longer than a line of 1 KiB. */
static unsigned usable(void) {
    unsigned sets = atomic_load_explicit(&found, memory_order_relaxed);
    if (sets == 0) sets = find();
    return (sets & atomic_load_explicit(&allowed, memory_order_relaxed)) | SET(PORTABLE);
}

const char *vectors_name(vector_set set) { return set_names[set]; }

bool vectors_has(vector_set set) { return (usable() >> set & 1) != 0; }

bool vectors_are_written(vector_loops loops, vector_set set) {
    return set == VECTORS_PORTABLE || (written[loops].sets >> set & 1) != 0;
}

vector_set vectors_for(vector_loops loops) { return best_of((usable() & written[loops].sets) | SET(PORTABLE)); }

vector_set vectors_best_for(vector_loops loops) {
    const vector_set here = vectors_for(loops);
    return here == VECTORS_NEON ? here : best_of((written[loops].sets & ~SET(NEON)) | SET(PORTABLE));
}

void vectors_limit(vector_set most) { atomic_store(&allowed, most < VECTOR_SETS ? up_to(most) : ~0u); }

static const char *widest(void) {
    const vector_set best = best_of(usable());
    if (best != VECTORS_PORTABLE) return set_names[best];
#if defined(__x86_64__)
    return "SSE2";
#else
    return "none known";
#endif
}

riffle_status riffle_cpu_describe(riffle_cpu *out) {
    RETURN_IF_NULL(out);
    const processor *here;
    const riffle_status status = processor_here(&here);
    if (status != RIFFLE_OK) return status;
    memset(out, 0, sizeof *out);
    snprintf(out->vectors, sizeof out->vectors, "%s", widest());
    for (vector_loops k = LOOPS_PLAIN + 1; k < VECTOR_LOOPS; k++) {
        const size_t length = strlen(out->loops);
        snprintf(out->loops + length, sizeof out->loops - length, "%s%s %s", length > 0 ? ", " : "",
                 written[k].name, set_names[vectors_for(k)]);
    }
    return RIFFLE_OK;
}
