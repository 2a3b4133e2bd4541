/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of a move's launches are what the memory machine counts of them, launch by launch and for each column of
 * the HMM paper's Table I: for random permutations, lengths, sizes of elements, batches and machines, of every algorithm.
 */
#include "predicted_support.h"
#include "riffle/papers.h"

static uint64_t seed;

/* A move that is simulated. */
typedef struct predicted_case {
    riffle_algorithm algorithm;
    char spec[160];
    uint64_t n, row_length;
    size_t elem_bytes;
    riffle_plan_options options;
    riffle_machine_options machine;
} predicted_case;

static void fail_case(const predicted_case *c, const char *what) {
    const riffle_machine_options *const m = &c->machine;
    fail_msg("seed %llu: %s of %llu x %zu bytes, %s%s, batch %llu apart %llu, width %u, latency %u and %u, "
             "DMMs %u, blocks of "
             "%u: %s",
             (unsigned long long)seed, c->spec, (unsigned long long)c->n, c->elem_bytes,
             riffle_algorithm_string(c->algorithm), c->options.in_place ? " in place" : "",
             (unsigned long long)c->options.batch, (unsigned long long)c->options.stride, m->width, m->latency,
             m->shared_latency, m->dmms, m->block_threads, what);
}

/* ------------------------------------------------------------------ comparing */

/* True if two numbers differ by no more than a quarter, and one. */
static bool are_near(uint64_t a, uint64_t b) { return (a > b ? a - b : b - a) <= 1 + a / 4; }

/* Words of different warps meet in other rounds of axes_words than is told, and explain calls it estimated: stages are equal, rounds
 * and time within a quarter. */
static bool are_bounded(const report_predicted *counted, const report_predicted *told) {
    return counted->stages == told->stages && are_near(counted->rounds, told->rounds) &&
           are_near(counted->time_units, told->time_units);
}

static bool is_estimated(const riffle_report *report) {
    return report->predictions > 0 && strcmp(report->prediction[0].kernel, "axes_words") == 0;
}

/* False if the algorithm does not do it. */
static bool check_case(const predicted_case *c) {
    riffle_perm *perm;
    riffle_report *report;
    char what[400];
    if (riffle_perm_parse(c->spec, c->n, &perm) != RIFFLE_OK) fail_case(c, riffle_error_detail());
    const riffle_status status = riffle_simulate(perm, c->elem_bytes, &c->options, &c->machine, &report);
    riffle_perm_free(perm);
    if (status == RIFFLE_ERROR_UNSUPPORTED) return false;
    if (status != RIFFLE_OK) fail_case(c, riffle_error_detail());
    if (!report->is_predicted) fail_case(c, "it is not predicted");
    if (predicted_differs(report, is_estimated(report) ? are_bounded : predicted_equal, sizeof what, what))
        fail_case(c, what);
    const uint64_t told = report->predicted_time_units, counted = riffle_report_time_units(report);
    if (is_estimated(report) ? !are_near(counted, told) : counted != told)
        fail_case(c, "other time units in all");
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

static uint64_t below(rng *r, uint64_t n) { return rng_next(r) % n; }

static void choose_axes(rng *r, predicted_case *c) {
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

static void choose_affine(rng *r, unsigned most, predicted_case *c) {
    static const char *const some[] = {"bit-reversal", "shuffle", "reverse", "random-affine:%llu"};
    c->n = (uint64_t)1 << (2 + below(r, most - 1));
    snprintf(c->spec, sizeof c->spec, some[below(r, 4)], (unsigned long long)rng_next(r));
}

static void choose_bits(rng *r, unsigned most, predicted_case *c) {
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

static void choose_spec(rng *r, spec_kind kind, predicted_case *c) {
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

static riffle_machine_options choose_machine(rng *r, bool any_blocks) {
    static const unsigned widths[] = {4, 8, 16, 32}, latencies[] = {1, 5, 400}, dmms[] = {1, 1, 3, 16};
    const unsigned width = widths[below(r, 4)];
    const unsigned blocks = (unsigned)(width << below(r, 6)), odd = any_blocks ? (unsigned)below(r, width) : 0;
    return (riffle_machine_options){.width = width,
                                    .latency = latencies[below(r, 3)],
                                    .shared_latency = 1 + (unsigned)below(r, 3),
                                    .dmms = dmms[below(r, 4)],
                                    .block_threads = blocks + odd < 1024 ? blocks + odd : 1024};
}

/* Warps of 32 lanes; little shared memory makes many tiles of few elements. */
static void choose_tiles(rng *r, predicted_case *c) {
    c->machine.width = 32;
    c->machine.block_threads = 32U << below(r, 5);
    if (below(r, 4) > 0) c->machine.shared_bytes = 3000 + 10 * c->machine.block_threads + below(r, 12000);
}

/* An algorithm, and what it moves. */
typedef struct algorithm_case {
    riffle_algorithm algorithm;
    spec_kind kind;
    bool in_place, any_blocks;
    size_t elem_bytes[8]; /* up to a 0 */
} algorithm_case;

static const algorithm_case CASES[] = {
    {RIFFLE_ALGORITHM_COPY, SPEC_ROTATION, false, true, {4, 8}},
    {RIFFLE_ALGORITHM_SCATTER, SPEC_ANY, false, true, {4, 8, 2, 1, 12, 16, 3, 52}},
    {RIFFLE_ALGORITHM_GATHER, SPEC_ANY, false, true, {4, 8, 2, 1, 12, 16, 3, 52}},
    {RIFFLE_ALGORITHM_SCATTER, SPEC_AFFINE, false, true, {4, 8}},
    {RIFFLE_ALGORITHM_GATHER, SPEC_ROTATION, false, true, {4, 8}},
    {RIFFLE_ALGORITHM_AFFINE, SPEC_AFFINE, false, false, {1, 2, 4, 8, 16, 32}},
    {RIFFLE_ALGORITHM_AFFINE, SPEC_AFFINE, true, false, {1, 2, 4, 8, 16, 32}},
    {RIFFLE_ALGORITHM_AFFINE, SPEC_BITS, true, false, {1, 2, 4, 8, 16}},
    {RIFFLE_ALGORITHM_AXES, SPEC_AXES, false, false, {1, 2, 4, 8, 16, 12}},
    {RIFFLE_ALGORITHM_AXES, SPEC_TRANSPOSE, false, false, {1, 2, 4, 8, 16}},
    {RIFFLE_ALGORITHM_BUCKET, SPEC_ANY, false, false, {1, 2, 4, 8, 16}},
    {RIFFLE_ALGORITHM_ONCE, SPEC_ANY, false, false, {1, 2, 4, 8, 16}},
    {RIFFLE_ALGORITHM_ONCE, SPEC_AFFINE, false, false, {1, 2, 4, 8, 16}},
    {RIFFLE_ALGORITHM_TRANSPOSE, SPEC_TRANSPOSE, false, true, {4, 8}},
    {RIFFLE_ALGORITHM_TRANSPOSE, SPEC_TRANSPOSE, true, false, {1, 2, 4, 8, 16}},
    {RIFFLE_ALGORITHM_ROW_WISE, SPEC_ROWS, false, true, {4, 8}},
    {RIFFLE_ALGORITHM_COLUMN_WISE, SPEC_ROWS, false, true, {4, 8}},
    {RIFFLE_ALGORITHM_SCHEDULED, SPEC_ANY, false, true, {4, 8}},
    {RIFFLE_ALGORITHM_CONFLICT_FREE, SPEC_ANY, false, true, {4, 8}},
    {RIFFLE_ALGORITHM_REVERSE_ENDS, SPEC_REVERSAL, true, true, {1, 2, 4, 8, 16}},
    {RIFFLE_ALGORITHM_BMMC_NAIVE, SPEC_AFFINE, false, false, {4, 8}},
    {RIFFLE_ALGORITHM_BMMC_TILE, SPEC_AFFINE, false, false, {4, 8}},
    {RIFFLE_ALGORITHM_BMMC_TILE_BANKS, SPEC_AFFINE, false, false, {4, 8}},
    {RIFFLE_ALGORITHM_BMMC_TILE_ITERS, SPEC_BITS, false, false, {4, 8}},
    {RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS, SPEC_BITS, false, false, {4, 8}},
};

static void choose_case(rng *r, const algorithm_case *a, predicted_case *c) {
    size_t sizes = 0;
    while (sizes < sizeof a->elem_bytes / sizeof *a->elem_bytes && a->elem_bytes[sizes] != 0) sizes++;
    *c = (predicted_case){.algorithm = a->algorithm, .elem_bytes = a->elem_bytes[below(r, sizes)]};
    choose_spec(r, a->kind, c);
    c->machine = choose_machine(r, a->any_blocks);
    if (a->algorithm == RIFFLE_ALGORITHM_ONCE) choose_tiles(r, c);
    c->options =
        (riffle_plan_options){.algorithm = a->algorithm, .in_place = a->in_place, .row_length = c->row_length};
    if (below(r, 3) > 0) return;
    c->options.batch = 1 + below(r, 3);
    c->options.stride = c->n + below(r, 3) * below(r, 9);
}

static void every_launch_is_counted_as_predicted(void **state) {
    const algorithm_case *const a = *state;
    const unsigned wanted = is_sanitized() ? 2 : test_rounds(20);
    rng r = {seed + (uint64_t)(a - CASES)};
    unsigned moved = 0;
    for (unsigned tried = 0; moved < wanted && tried < 20 * wanted; tried++) {
        predicted_case c;
        choose_case(&r, a, &c);
        moved += check_case(&c);
    }
    if (moved < wanted) fail_msg("%s moved %u of %u", riffle_algorithm_string(a->algorithm), moved, wanted);
}

/* -------------------------------------------------------------------- estimates */

/* A move too long to be looked at whole, and how many times too much or too little its time may be told. */
typedef struct long_move {
    riffle_algorithm algorithm;
    size_t elem_bytes, shared_bytes;
    unsigned block_threads;
    double most;
} long_move;

static void check_estimate(const long_move *m) {
    const predicted_case c = {
        .algorithm = m->algorithm,
        .spec = "a random permutation",
        .n = (1 << 18) + 1 + seed % 1000,
        .elem_bytes = m->elem_bytes,
        .options = {.algorithm = m->algorithm},
        .machine = {
            .width = 32, .latency = 400, .block_threads = m->block_threads, .shared_bytes = m->shared_bytes}};
    riffle_prediction told;
    riffle_report *report = NULL;
    riffle_perm *perm;
    assert_int_equal(riffle_perm_random(c.n, seed, &perm), RIFFLE_OK);
    riffle_status status = riffle_predict(perm, c.elem_bytes, &c.options, &c.machine, &told);
    if (status == RIFFLE_OK) status = riffle_simulate(perm, c.elem_bytes, &c.options, &c.machine, &report);
    riffle_perm_free(perm);
    if (status != RIFFLE_OK) fail_case(&c, riffle_error_detail());
    const double ratio = (double)told.time_units / (double)riffle_report_time_units(report);
    assert_true(told.is_known && !told.is_exact);
    char what[60];
    snprintf(what, sizeof what, "its time is told as %.4f times what is counted", ratio);
    if (ratio > m->most || ratio < 1 / m->most) fail_case(&c, what);
    riffle_report_free(report);
}

/* Two bucket passes, and three. */
static void estimates_are_near(void **state) {
    static const long_move moves[] = {{RIFFLE_ALGORITHM_ONCE, 4, 60000, 256, 1.05},
                                      {RIFFLE_ALGORITHM_BUCKET, 4, 60000, 256, 1.05},
                                      {RIFFLE_ALGORITHM_BUCKET, 1, 1500, 64, 1.1}};
    (void)state;
    if (is_sanitized()) skip();
    for (unsigned k = 0; k < sizeof moves / sizeof *moves; k++) check_estimate(&moves[k]);
}

int main(void) {
    enum { COUNT = sizeof CASES / sizeof *CASES };
    struct CMUnitTest tests[COUNT + 1] = {[COUNT] = cmocka_unit_test(estimates_are_near)};
    seed = test_seed();
    for (unsigned k = 0; k < COUNT; k++)
        tests[k] =
            (struct CMUnitTest){riffle_algorithm_string(CASES[k].algorithm),
                                every_launch_is_counted_as_predicted, NULL, NULL, (void *)(uintptr_t)&CASES[k]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
