/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/choose.h"

#include "base/status.h"
#include "models/traffic.h"
#include "plan/affine_tile.h"

/* The CPU policy, measured with `riffle bench --suite cpu` (docs/benchmarks.md). */
enum {
    WORD_BYTES = 8,
    LONGEST_BUCKETED_BYTES = 16, /* longer elements move one by one as fast */
    CACHED_BYTES = 1 << 20,      /* two such arrays stay in the second-level cache */
};
static const uint64_t LEAST_WORDS_BUCKETED = 1 << 20;      /* fewer elements are gathered as fast ... */
static const uint64_t LEAST_LONG_WORDS_BUCKETED = 1 << 23; /* ... and of those beyond a word, fewer than this */

/* Why `algorithm` cannot move `perm`, or NULL if it can. */
static const char *obstacle(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm) {
    perm_affine affine;
    switch (algorithm) {
    case RIFFLE_ALGORITHM_COPY:
        return perm->kind == PERM_ROTATION ? NULL : "it moves only the identity, rotations and reversals";
    case RIFFLE_ALGORITHM_AXES: return perm->kind == PERM_AXES ? NULL : "it moves only axes permutations";
    case RIFFLE_ALGORITHM_AFFINE:
        if (!perm_as_affine(perm, &affine)) return "it moves only affine permutations of 2^m elements";
        if ((elem_bytes & (elem_bytes - 1)) != 0) return "its elements must be a power of two of bytes long";
        if (perm->n * (uint64_t)elem_bytes < AFFINE_LINE_BYTES)
            return "the array is smaller than one cache line";
        return NULL;
    case RIFFLE_ALGORITHM_BUCKET:
        return elem_bytes <= BUCKET_MAX_ELEM_BYTES ? NULL : "its elements must be at most 64 bytes long";
    default: return NULL;
    }
}

static bool can(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm) {
    return obstacle(perm, elem_bytes, algorithm) == NULL;
}

bool plan_writes_out(const riffle_perm *perm, unsigned executions) {
    return executions != 1 && (perm->kind == PERM_RANDOM || perm->kind == PERM_SEQUENCE);
}

bool plan_is_cached(size_t array_bytes) { return array_bytes <= CACHED_BYTES; }

static plan_choice choose_arbitrary(const riffle_perm *perm, size_t elem_bytes, unsigned executions) {
    if (executions == 1) {
        return (plan_choice){.algorithm = RIFFLE_ALGORITHM_SCATTER,
                             .reason = "for one execution a schedule would take longer than it saves"};
    }
    if (elem_bytes % TRAFFIC_LINE_BYTES == 0) {
        return (plan_choice){.algorithm = RIFFLE_ALGORITHM_SCATTER,
                             .reason =
                                 "elements are whole cache lines: read in order, streamed to their places"};
    }
    if (elem_bytes > LONGEST_BUCKETED_BYTES) {
        return (plan_choice){.algorithm = RIFFLE_ALGORITHM_GATHER,
                             .reason = "elements are long: each is worth the line that it lies in"};
    }
    if (perm->n < (elem_bytes <= WORD_BYTES ? LEAST_WORDS_BUCKETED : LEAST_LONG_WORDS_BUCKETED)) {
        return (plan_choice){.algorithm = RIFFLE_ALGORITHM_GATHER,
                             .reason = "few elements: the caches bear moving them one by one"};
    }
    return (plan_choice){.algorithm = RIFFLE_ALGORITHM_BUCKET,
                         .reason =
                             "no structure to use and many elements: moving them one by one would fetch a line "
                             "for each"};
}

static plan_choice choose(const riffle_perm *perm, size_t elem_bytes, unsigned executions) {
    if (perm->kind == PERM_ROTATION && !perm->rotation.reflected) {
        return (plan_choice){.algorithm = RIFFLE_ALGORITHM_COPY, .reason = "at most two runs, copied"};
    }
    if (can(perm, elem_bytes, RIFFLE_ALGORITHM_AFFINE)) {
        return (plan_choice){.algorithm = RIFFLE_ALGORITHM_AFFINE,
                             .reason = "affine over GF(2): one pass reads and writes whole cache lines"};
    }
    if (perm->kind == PERM_ROTATION) {
        return (plan_choice){.algorithm = RIFFLE_ALGORITHM_COPY,
                             .reason = "at most two runs, copied backwards"};
    }
    if (perm->kind == PERM_AXES) {
        return (plan_choice){.algorithm = RIFFLE_ALGORITHM_AXES,
                             .reason = "axes in another order: tiles are long on both sides"};
    }
    return choose_arbitrary(perm, elem_bytes, executions);
}

/* What the processor adds to the traffic of each algorithm, measured as above. */
static double slowdown(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm) {
    switch (algorithm) {
    case RIFFLE_ALGORITHM_COPY: return perm->rotation.reflected ? 1.8 : 1.0;
    case RIFFLE_ALGORITHM_AFFINE: return 1.4;
    case RIFFLE_ALGORITHM_AXES: return 1.7;
    case RIFFLE_ALGORITHM_BUCKET: return 2.5;
    case RIFFLE_ALGORITHM_SCATTER: return elem_bytes <= LONGEST_BUCKETED_BYTES ? 2.0 : 1.3;
    default: return elem_bytes <= LONGEST_BUCKETED_BYTES ? 3.0 : 1.3;
    }
}

static size_t map_bytes(const riffle_perm *perm) {
    return perm->n <= (uint64_t)1 << 32 ? sizeof(uint32_t) : sizeof(uint64_t);
}

/* The order of each bucket pass and its runs, or the map where it is or will be a table. */
static double kept(const riffle_perm *perm, const plan_choice *choice, unsigned executions) {
    const double run_share = 0.5;
    switch (choice->algorithm) {
    case RIFFLE_ALGORITHM_BUCKET: return (double)choice->passes * sizeof(uint16_t) + run_share;
    case RIFFLE_ALGORITHM_SCATTER:
    case RIFFLE_ALGORITHM_GATHER:
        return perm->kind == PERM_TABLE || plan_writes_out(perm, executions) ? (double)map_bytes(perm) : 0;
    default: return 0;
    }
}

static double traffic(const riffle_perm *perm, size_t elem_bytes, const plan_choice *choice) {
    switch (choice->algorithm) {
    case RIFFLE_ALGORITHM_SCATTER: return traffic_scatter(elem_bytes, map_bytes(perm));
    case RIFFLE_ALGORITHM_GATHER: return traffic_gather(elem_bytes, map_bytes(perm));
    case RIFFLE_ALGORITHM_BUCKET: return traffic_bucket(elem_bytes, choice->passes);
    default: return traffic_copy(elem_bytes);
    }
}

riffle_status plan_choose(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *options,
                          plan_choice *out) {
    const riffle_algorithm wanted = options->algorithm;
    if ((unsigned)wanted > RIFFLE_ALGORITHM_BUCKET) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no algorithm with number %u", (unsigned)wanted);
    }
    plan_choice choice = {.algorithm = wanted, .reason = "asked for"};
    if (wanted == RIFFLE_ALGORITHM_AUTO) choice = choose(perm, elem_bytes, options->executions);
    const char *why_not = obstacle(perm, elem_bytes, choice.algorithm);
    if (why_not != NULL) {
        return fail(RIFFLE_ERROR_UNSUPPORTED, "algorithm '%s' cannot do this: %s; leave the choice to 'auto'",
                    riffle_algorithm_string(choice.algorithm), why_not);
    }
    choice.passes = 1;
    if (choice.algorithm == RIFFLE_ALGORITHM_BUCKET) {
        choice.shape = bucket_choose_shape(perm->n, elem_bytes);
        choice.passes = choice.shape.passes;
    }
    choice.traffic = traffic(perm, elem_bytes, &choice);
    choice.copies = choice.traffic / traffic_copy(elem_bytes) * slowdown(perm, elem_bytes, choice.algorithm);
    choice.kept = kept(perm, &choice, options->executions);
    *out = choice;
    return RIFFLE_OK;
}
