/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of a move's launches are what the memory machine counts of them, launch by launch and for each column of
 * the HMM paper's Table I: for random permutations, lengths, sizes of elements, batches and machines, of every algorithm.
 */
#include "predicted_moves.h"

static uint64_t seed;

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
    {RIFFLE_ALGORITHM_COPY, SPEC_ROTATION, false, true, {4, 8, 1, 2, 12, 16, 3}},
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

/* Results are read once more, by warps of 32 and blocks of some. */
static void choose_check(rng *r, predicted_case *c) {
    if (below(r, 3) > 0) return;
    c->options.check =
        c->algorithm == RIFFLE_ALGORITHM_BUCKET && below(r, 2) == 0 ? RIFFLE_CHECK_PASSES : RIFFLE_CHECK_FULL;
    c->machine.width = 32;
    if (c->machine.block_threads < 256) c->machine.block_threads = 256;
}

static void choose_case(rng *r, const algorithm_case *a, predicted_case *c) {
    size_t sizes = 0;
    while (sizes < sizeof a->elem_bytes / sizeof *a->elem_bytes && a->elem_bytes[sizes] != 0) sizes++;
    *c =
        (predicted_case){.seed = seed, .algorithm = a->algorithm, .elem_bytes = a->elem_bytes[below(r, sizes)]};
    choose_spec(r, a->kind, c);
    c->machine = choose_machine(r, a->any_blocks);
    if (a->algorithm == RIFFLE_ALGORITHM_ONCE) choose_tiles(r, c);
    c->options =
        (riffle_plan_options){.algorithm = a->algorithm, .in_place = a->in_place, .row_length = c->row_length};
    choose_check(r, c);
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

/* A move too long to be looked at whole, and how near its time is told. */
typedef struct long_move {
    riffle_algorithm algorithm;
    size_t elem_bytes, shared_bytes;
    unsigned block_threads;
    prediction_bound bound;
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
    const double counted = (double)riffle_report_time_units(report);
    assert_true(told.is_known && !told.is_exact);
    char what[60];
    snprintf(what, sizeof what, "its time is told as %.4f times what is counted",
             (double)told.time_units / counted);
    if (!is_within(m->bound, (double)told.time_units, counted)) fail_case(&c, what);
    riffle_report_free(report);
}

/* Two bucket passes, and three. */
static void estimates_are_near(void **state) {
    static const long_move moves[] = {{RIFFLE_ALGORITHM_ONCE, 4, 60000, 256, BOUND_MOVES_EXPECTED},
                                      {RIFFLE_ALGORITHM_BUCKET, 4, 60000, 256, BOUND_MOVES_EXPECTED},
                                      {RIFFLE_ALGORITHM_BUCKET, 1, 1500, 64, BOUND_MOVES_THREE_PASSES}};
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
