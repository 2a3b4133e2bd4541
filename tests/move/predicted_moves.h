/* SPDX-License-Identifier: Apache-2.0
 *
 * Random moves of every kind of permutation on random machines, and whether a simulation counts what was predicted of one.
 */
#ifndef RIFFLE_TESTS_MOVE_PREDICTED_MOVES_H
#define RIFFLE_TESTS_MOVE_PREDICTED_MOVES_H

#include "predicted_support.h"
#include "riffle/papers.h"

/* A move that is simulated. */
typedef struct predicted_case {
    uint64_t seed; /* in messages */
    riffle_algorithm algorithm;
    char spec[160];
    uint64_t n, row_length;
    size_t elem_bytes;
    riffle_plan_options options;
    riffle_machine_options machine;
} predicted_case;

static inline void fail_case(const predicted_case *c, const char *what) {
    const riffle_machine_options *const m = &c->machine;
    fail_msg("seed %llu: %s of %llu x %zu bytes, %s%s%s, batch %llu apart %llu, width %u, latency %u and %u, "
             "DMMs %u, blocks of "
             "%u: %s",
             (unsigned long long)c->seed, c->spec, (unsigned long long)c->n, c->elem_bytes,
             riffle_algorithm_string(c->algorithm), c->options.in_place ? " in place" : "",
             c->options.check != RIFFLE_CHECK_NONE ? ", checked" : "", (unsigned long long)c->options.batch,
             (unsigned long long)c->options.stride, m->width, m->latency, m->shared_latency, m->dmms,
             m->block_threads, what);
}

/* ------------------------------------------------------------------ comparing */

/* False if the algorithm does not do it. */
static inline bool simulate_case(const predicted_case *c, riffle_report **out) {
    riffle_perm *perm;
    if (riffle_perm_parse(c->spec, c->n, &perm) != RIFFLE_OK) fail_case(c, riffle_error_detail());
    const riffle_status status = riffle_simulate(perm, c->elem_bytes, &c->options, &c->machine, out);
    riffle_perm_free(perm);
    if (status != RIFFLE_OK && status != RIFFLE_ERROR_UNSUPPORTED) fail_case(c, riffle_error_detail());
    return status == RIFFLE_OK;
}

/* False if the algorithm does not do it. */
static inline bool check_case(const predicted_case *c) {
    riffle_report *report;
    char what[400];
    if (!simulate_case(c, &report)) return false;
    if (!report->is_predicted) fail_case(c, "it is not predicted");
    const bool is_exact = strcmp(report->predicted_meaning, "exact") == 0;
    if (predicted_fails(report, is_exact ? BOUND_MOVES : BOUND_MOVES_ESTIMATED, sizeof what, what))
        fail_case(c, what);
    riffle_report_free(report);
    return true;
}

/* ---------------------------------------------------------------- random cases */

/* Kinds of permutations, as algorithms take them. */
typedef enum spec_kind {
    SPEC_ANY,
    SPEC_ROTATION,
    SPEC_AFFINE,
    SPEC_BITS,
    SPEC_AXES,
    SPEC_TRANSPOSE,
    SPEC_REVERSAL,
    SPEC_ROWS
} spec_kind;

static inline uint64_t below(rng *r, uint64_t n) { return rng_next(r) % n; }

static inline void choose_axes(rng *r, predicted_case *c) {
    const unsigned rank = 2 + (unsigned)below(r, 3);
    unsigned order[4];
    uint64_t n = 1, most = rank == 2 ? 90 : rank == 3 ? 24 : 11;
    size_t at = (size_t)snprintf(c->spec, sizeof c->spec, "axes:");
    for (unsigned k = 0; k < rank; k++) {
        const uint64_t length = 1 + below(r, most);
        n *= length;
        order[k] = k;
        at += (size_t)snprintf(c->spec + at, sizeof c->spec - at, "%s%llu", k > 0 ? "x" : "",
                               (unsigned long long)length);
    }
    for (unsigned k = rank; k > 1; k--) {
        const unsigned j = (unsigned)below(r, k), held = order[j];
        order[j] = order[k - 1], order[k - 1] = held;
    }
    for (unsigned k = 0; k < rank; k++)
        at += (size_t)snprintf(c->spec + at, sizeof c->spec - at, "%s%u", k > 0 ? "," : ":", order[k]);
    c->n = n;
}

static inline void choose_affine(rng *r, unsigned most, predicted_case *c) {
    static const char *const some[] = {"bit-reversal", "shuffle", "reverse", "random-affine:%llu"};
    c->n = (uint64_t)1 << (2 + below(r, most - 1));
    snprintf(c->spec, sizeof c->spec, some[below(r, 4)], (unsigned long long)rng_next(r));
}

static inline void choose_bits(rng *r, unsigned most, predicted_case *c) {
    const unsigned bits = 5 + (unsigned)below(r, most - 4);
    unsigned to[32];
    size_t at = (size_t)snprintf(c->spec, sizeof c->spec, "bits:");
    for (unsigned k = 0; k < bits; k++) to[k] = k;
    for (unsigned k = bits; k > 1; k--) {
        const unsigned j = (unsigned)below(r, k), held = to[j];
        to[j] = to[k - 1], to[k - 1] = held;
    }
    for (unsigned k = 0; k < bits; k++)
        at += (size_t)snprintf(c->spec + at, sizeof c->spec - at, "%s%u", k > 0 ? "," : "", to[k]);
    c->n = (uint64_t)1 << bits;
}

static inline void choose_spec(rng *r, spec_kind kind, predicted_case *c) {
    const uint64_t rows = 1 + below(r, 80), cols = 1 + below(r, 80);
    c->n = 1 + below(r, 5000);
    switch (kind) {
    case SPEC_ROTATION:
        if (below(r, 3) > 0)
            snprintf(c->spec, sizeof c->spec, "rotate:%llu", (unsigned long long)below(r, c->n));
        else
            snprintf(c->spec, sizeof c->spec, "reverse");
        break;
    case SPEC_AFFINE: choose_affine(r, 13, c); break;
    case SPEC_BITS: choose_bits(r, 14, c); break;
    case SPEC_AXES: choose_axes(r, c); break;
    case SPEC_TRANSPOSE:
        c->n = rows * cols;
        snprintf(c->spec, sizeof c->spec, "transpose:%llux%llu", (unsigned long long)rows,
                 (unsigned long long)cols);
        break;
    case SPEC_REVERSAL: snprintf(c->spec, sizeof c->spec, "reverse"); break;
    case SPEC_ROWS: /* whole rows and columns of each machine's warps */
        c->row_length = 32 * (1 + below(r, 4));
        c->n = c->row_length * 32 * (1 + below(r, 3));
        snprintf(c->spec, sizeof c->spec, "identity");
        break;
    default: snprintf(c->spec, sizeof c->spec, "random:%llu", (unsigned long long)rng_next(r)); break;
    }
}

static inline riffle_machine_options choose_machine(rng *r, bool any_blocks) {
    static const unsigned widths[] = {4, 8, 16, 32}, latencies[] = {1, 5, 400}, dmms[] = {1, 1, 3, 16};
    const unsigned width = widths[below(r, 4)];
    const unsigned blocks = (unsigned)(width << below(r, 6)), odd = any_blocks ? (unsigned)below(r, width) : 0;
    return (riffle_machine_options){.width = width,
                                    .latency = latencies[below(r, 3)],
                                    .shared_latency = 1 + (unsigned)below(r, 3),
                                    .dmms = dmms[below(r, 4)],
                                    .block_threads = blocks + odd < 1024 ? blocks + odd : 1024};
}

#endif
