/* SPDX-License-Identifier: Apache-2.0
 *
 * The BMMC paper's kernels (Bouverot-Dupuis, Sheeran 2023): the factors of a matrix, their n_over, the paper's own examples
 * of stitching, and on the memory machine what the paper claims of each kernel: coalesced rounds in section
 * 4.1, shared ones without conflicts in 4.2, and that without 4.2's shifts there are conflicts.
 */
#include "affine_support.h"
#include "machine_support.h"

#include "papers/schedules/bmmc.h"
#include "perm/gf2_span.h"

static uint64_t seed;

static const riffle_algorithm TILED[] = {RIFFLE_ALGORITHM_BMMC_TILE, RIFFLE_ALGORITHM_BMMC_TILE_BANKS,
                                         RIFFLE_ALGORITHM_BMMC_TILE_ITERS,
                                         RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS};
enum { TILED_ALGORITHMS = sizeof TILED / sizeof TILED[0] };

static bool has_banks(riffle_algorithm algorithm) {
    return algorithm == RIFFLE_ALGORITHM_BMMC_TILE_BANKS || algorithm == RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS;
}

static bool has_iterations(riffle_algorithm algorithm) {
    return algorithm == RIFFLE_ALGORITHM_BMMC_TILE_ITERS || algorithm == RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS;
}

static perm_affine random_permuted(rng *r, unsigned m) {
    perm_affine p = {.a = gf2_identity(m), .c = random_index(r, m)};
    for (unsigned j = m; j > 1; j--) {
        const uint64_t k = rng_below(r, j), held = p.a.column[j - 1];
        p.a.column[j - 1] = p.a.column[k];
        p.a.column[k] = held;
    }
    return p;
}

/* One factor of a random matrix: tiled, and no bit permutation. */
static perm_affine random_tiled(rng *r, unsigned m, unsigned tile_bits) {
    const perm_affine p = random_affine(r, m);
    bmmc_schedule s[BMMC_MAX_PASSES];
    const unsigned passes = bmmc_plan(&p, RIFFLE_ALGORITHM_BMMC_TILE, tile_bits, s);
    perm_affine out = s[rng_below(r, passes)].p;
    out.c = random_index(r, m);
    return out;
}

static perm_affine random_case(rng *r, unsigned m, unsigned tile_bits) {
    switch (rng_below(r, 3)) {
    case 0: return random_affine(r, m);
    case 1: return random_tiled(r, m, tile_bits);
    default: return random_permuted(r, m);
    }
}

static void assert_same(const gf2_matrix *a, const gf2_matrix *b, const char *what) {
    for (unsigned j = 0; j < a->m; j++) {
        if (a->column[j] != b->column[j])
            fail_msg("seed %llu: %s differs in column %u of %u", (unsigned long long)seed, what, j, a->m);
    }
}

static void check_factors(const perm_affine *p, unsigned tile_bits) {
    bmmc_schedule s[BMMC_MAX_PASSES];
    const unsigned passes = bmmc_plan(p, RIFFLE_ALGORITHM_BMMC_TILE_BANKS, tile_bits, s);
    assert_int_equal(passes, bmmc_passes(p, RIFFLE_ALGORITHM_BMMC_TILE_BANKS, tile_bits));
    assert_int_equal(passes, bmmc_is_tiled(&p->a, tile_bits) ? 1 : 2);
    gf2_matrix product = s[0].p.a;
    if (passes == 2) product = gf2_multiply(&s[1].p.a, &s[0].p.a);
    assert_same(&product, &p->a, "the product of the factors");
    assert_true(s[passes - 1].p.c == p->c);
    assert_true(passes == 1 || s[0].p.c == 0);
    for (unsigned k = 0; k < passes; k++) {
        assert_true(bmmc_is_tiled(&s[k].p.a, tile_bits));
        assert_int_equal(__builtin_popcountll(s[k].row), tile_bits);
        assert_int_equal(__builtin_popcountll(s[k].row & s[k].column), s[k].over_bits);
        assert_true(((s[k].row | s[k].column) & s[k].block) == 0);
        assert_true((s[k].row | s[k].column | s[k].block) == ((uint64_t)1 << p->a.m) - 1);
    }
}

static void a_matrix_is_one_or_two_tiled_factors(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(20); round++) {
        for (unsigned tile_bits = 2; tile_bits <= 5; tile_bits++) {
            for (unsigned m = tile_bits; m <= 20; m++) {
                const perm_affine p = random_case(&r, m, tile_bits), bits = random_permuted(&r, m);
                check_factors(&p, tile_bits);
                assert_true(bmmc_is_tiled(&bits.a, tile_bits));
            }
        }
    }
}

/* The rank of A's highest tile_bits rows without the lowest tile_bits columns. */
static unsigned corner_rank(const gf2_matrix *a, unsigned tile_bits) {
    gf2_span span = {0};
    for (unsigned j = tile_bits; j < a->m; j++) gf2_span_add(&span, a->column[j] >> (a->m - tile_bits));
    return span.count;
}

/* bench/papers/bmmc.py has their distribution from this. */
static void the_overlaps_of_factors_are_ranks(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(20); round++) {
        for (unsigned tile_bits = 2; tile_bits <= 5; tile_bits++) {
            for (unsigned m = tile_bits + 1; m <= 20; m++) {
                const perm_affine p = random_affine(&r, m);
                bmmc_schedule s[BMMC_MAX_PASSES];
                if (bmmc_plan(&p, RIFFLE_ALGORITHM_BMMC_TILE_BANKS, tile_bits, s) == 1) continue;
                assert_int_equal(s[0].over_bits, tile_bits - corner_rank(&p.a, tile_bits));
                assert_int_equal(s[1].over_bits, m < 2 * tile_bits ? 2 * tile_bits - m : 0);
            }
        }
    }
}

/* Long arrays, and the whole of an index for a tile. */
static void extreme_lengths_factor_too(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned m = 0; m <= RIFFLE_MAX_BITS; m += m < 6 ? 1 : 17) {
        const perm_affine p = random_affine(&r, m);
        check_factors(&p, m < 5 ? m : 5);
    }
}

/* Section 4.1's: index bits one place down, the lowest to the top. */
static void stitching_is_the_papers(void **state) {
    (void)state;
    perm_affine p = {.a = {.m = 10}};
    for (unsigned j = 0; j < 10; j++) p.a.column[j] = (uint64_t)1 << (j > 0 ? j - 1 : 9);
    bmmc_schedule s[BMMC_MAX_PASSES];
    assert_int_equal(bmmc_plan(&p, RIFFLE_ALGORITHM_BMMC_TILE, 5, s), 1);
    assert_int_equal(s[0].over_bits, 4);
    assert_int_equal(bmmc_stitch_col(&s[0], 032, 014, 1), 01472);         /* 11010, 1100, 1: 1100111010 */
    assert_int_equal(bmmc_stitch_row(&s[0], 0, 013, 06), 01314);          /* 0, 1011, 00110: 1011001100 */
    assert_int_equal(bmmc_stitch_tile_row(&s[0], 0, 06), 014);            /* 0, 00110: 001100 */
    assert_int_equal(bmmc_stitch_tile_row(&s[0], 1, 1 << 4), 1 | 1 << 5); /* added by the fifth row bit */
}

/* One simulation and what to print when it is not as it should be. */
typedef struct simulated {
    char what[256];
    unsigned m, width_bits;
    size_t elem_bytes;
    riffle_algorithm algorithm;
    riffle_report *report;
} simulated;

static simulated simulate_perm(const riffle_perm *perm, unsigned width_bits, size_t elem_bytes,
                               riffle_algorithm algorithm) {
    const riffle_plan_options options = {.algorithm = algorithm};
    const riffle_machine_options device = {.width = 1u << width_bits, .latency = 7};
    simulated s = {.width_bits = width_bits, .elem_bytes = elem_bytes, .algorithm = algorithm};
    s.m = (unsigned)__builtin_ctzll(riffle_perm_length(perm));
    char spec[128];
    riffle_perm_print(perm, spec, sizeof spec, NULL);
    snprintf(s.what, sizeof s.what, "seed %llu: %s of 2^%u elements of %zu bytes, width %u, along %s",
             (unsigned long long)seed, riffle_algorithm_string(algorithm), s.m, elem_bytes, 1u << width_bits,
             spec);
    if (riffle_simulate(perm, elem_bytes, &options, &device, &s.report) != RIFFLE_OK)
        fail_msg("%s: %s", s.what, riffle_error_detail());
    if (s.report->hazards > 0) fail_msg("%s: %s", s.what, s.report->hazard[0].text);
    return s;
}

static simulated simulate(const perm_affine *p, unsigned width_bits, size_t elem_bytes,
                          riffle_algorithm algorithm) {
    riffle_perm *perm = perm_of(p);
    const simulated s = simulate_perm(perm, width_bits, elem_bytes, algorithm);
    riffle_perm_free(perm);
    return s;
}

static void expect(const simulated *s, report_space space, report_op op, uint64_t rounds, uint64_t casual) {
    const report_line sum = sum_of(s->report, space, op);
    if (sum.rounds != rounds || sum.casual_rounds != casual)
        fail_msg("%s: %s %s: %llu rounds, %llu of them casual, not %llu and %llu", s->what,
                 report_space_names[space], report_op_names[op], (unsigned long long)sum.rounds,
                 (unsigned long long)sum.casual_rounds, (unsigned long long)rounds, (unsigned long long)casual);
}

/* Each pass reads and writes everything once, in a round for each of a block's tiles. */
static uint64_t rounds_of(const simulated *s, const perm_affine *p) {
    bmmc_schedule schedules[BMMC_MAX_PASSES];
    const unsigned passes = bmmc_plan(p, s->algorithm, s->width_bits, schedules);
    return (uint64_t)passes << schedules[0].iteration_bits;
}

static void check_claims(const simulated *s, const perm_affine *p) {
    const uint64_t rounds = rounds_of(s, p);
    expect(s, SPACE_GLOBAL, OP_READ, rounds, 0);
    expect(s, SPACE_GLOBAL, OP_WRITE, rounds, 0);
    expect(s, SPACE_SHARED, OP_WRITE, rounds, 0);
    const report_line out = sum_of(s->report, SPACE_SHARED, OP_READ);
    if (has_banks(s->algorithm) && out.casual_rounds > 0) fail_msg("%s: bank conflicts", s->what);
    if (out.rounds != rounds) fail_msg("%s: %llu rounds", s->what, (unsigned long long)out.rounds);
    if (has_banks(s->algorithm) && s->elem_bytes == 4 && out.requests != out.ideal_requests)
        fail_msg("%s: bank conflicts of a GPU", s->what);
}

static void check_tiled(const perm_affine *p, unsigned width_bits, size_t elem_bytes) {
    for (unsigned k = 0; k < TILED_ALGORITHMS; k++) {
        if (bmmc_obstacle(p, TILED[k], width_bits) != NULL) continue;
        const simulated s = simulate(p, width_bits, elem_bytes, TILED[k]);
        check_claims(&s, p);
        riffle_report_free(s.report);
    }
}

/* riffle_simulate compares every element with the definition. */
static void tiles_are_coalesced_and_their_shifted_rows_free_of_conflicts(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(12); round++) {
        const unsigned width_bits = round % 2 == 0 ? 5 : 3, m = width_bits + (unsigned)rng_below(&r, 9);
        const size_t elem_bytes = rng_below(&r, 2) == 0 ? 4 : 8;
        const perm_affine general = random_affine(&r, m), tiled = random_tiled(&r, m, width_bits);
        const perm_affine bits = random_permuted(&r, m);
        check_tiled(&general, width_bits, elem_bytes);
        check_tiled(&tiled, width_bits, elem_bytes);
        check_tiled(&bits, width_bits, elem_bytes);
    }
}

static void any_width_and_length_from_a_row_of_a_tile_on_is_moved(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned width_bits = 0; width_bits <= 5; width_bits++) {
        for (unsigned m = width_bits; m <= width_bits + 5; m++) {
            const perm_affine p = random_case(&r, m, width_bits);
            check_tiled(&p, width_bits, 4);
        }
    }
}

/* Its reads are coalesced; its writes go where they must. */
static void the_naive_kernel_moves_any_length(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned m = 0; m <= 13; m++) {
        const unsigned width_bits = (unsigned)rng_below(&r, 6);
        const perm_affine p = random_case(&r, m, m < width_bits ? m : width_bits);
        const simulated s = simulate(&p, width_bits, m % 2 == 0 ? 4 : 8, RIFFLE_ALGORITHM_BMMC_NAIVE);
        expect(&s, SPACE_GLOBAL, OP_READ, 1, 0);
        assert_int_equal(sum_of(s.report, SPACE_GLOBAL, OP_WRITE).rounds, 1);
        riffle_report_free(s.report);
    }
}

/* A warp reads one column of the tile, which without shifts lies in one bank. */
static void bit_reversal_conflicts_unless_rows_are_shifted(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("bit-reversal", 1 << 13);
    for (unsigned k = 0; k < TILED_ALGORITHMS; k++) {
        const simulated s = simulate_perm(perm, 5, 4, TILED[k]);
        const uint64_t rounds = has_iterations(TILED[k]) ? 8 : 1;
        expect(&s, SPACE_SHARED, OP_WRITE, rounds, 0);
        expect(&s, SPACE_SHARED, OP_READ, rounds, has_banks(TILED[k]) ? 0 : rounds);
        assert_int_equal(sum_of(s.report, SPACE_SHARED, OP_READ).worst_stages, has_banks(TILED[k]) ? 1 : 32);
        riffle_report_free(s.report);
    }
    const simulated naive = simulate_perm(perm, 5, 4, RIFFLE_ALGORITHM_BMMC_NAIVE);
    expect(&naive, SPACE_GLOBAL, OP_WRITE, 1, 1);
    riffle_report_free(naive.report);
    riffle_perm_free(perm);
}

static void expect_refusal(const char *spec, uint64_t n, size_t elem_bytes, riffle_algorithm algorithm,
                           const char *detail) {
    const riffle_plan_options options = {.algorithm = algorithm};
    riffle_perm *perm = parse_or_fail(spec, n);
    riffle_report *report = NULL;
    assert_int_equal(riffle_simulate(perm, elem_bytes, &options, NULL, &report), RIFFLE_ERROR_UNSUPPORTED);
    if (strstr(riffle_error_detail(), detail) == NULL)
        fail_msg("'%s' lacks '%s'", riffle_error_detail(), detail);
    assert_null(report);
    riffle_perm_free(perm);
}

static void what_a_kernel_cannot_do_is_refused(void **state) {
    (void)state;
    expect_refusal("random-affine:1", 1 << 12, 4, RIFFLE_ALGORITHM_BMMC_TILE_ITERS, "only bit permutations");
    expect_refusal("random-affine:1", 1 << 12, 4, RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS,
                   "only bit permutations");
    expect_refusal("bit-reversal", 16, 4, RIFFLE_ALGORITHM_BMMC_TILE, "smaller than one row of a tile");
    expect_refusal("random:1", 1 << 12, 4, RIFFLE_ALGORITHM_BMMC_NAIVE, "only affine permutations");
    expect_refusal("bit-reversal", 1 << 12, 2, RIFFLE_ALGORITHM_BMMC_TILE, "elements of 4 and of 8 bytes");
    riffle_perm *perm = parse_or_fail("bit-reversal", 1 << 12);
    riffle_plan *plan = NULL;
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_BMMC_TILE_BANKS};
    assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "the cpu engine does not have it"));
    riffle_perm_free(perm);
}

static void algorithms_have_names(void **state) {
    (void)state;
    static const char *const names[] = {"bmmc-naive", "bmmc-tile", "bmmc-tile-banks", "bmmc-tile-iters",
                                        "bmmc-tile-banks-iters"};
    for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++) {
        riffle_algorithm algorithm;
        assert_int_equal(riffle_algorithm_parse(names[k], &algorithm), RIFFLE_OK);
        assert_int_equal(algorithm, RIFFLE_ALGORITHM_BMMC_NAIVE + k);
        assert_string_equal(riffle_algorithm_string(algorithm), names[k]);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_is_one_or_two_tiled_factors),
        cmocka_unit_test(the_overlaps_of_factors_are_ranks),
        cmocka_unit_test(extreme_lengths_factor_too),
        cmocka_unit_test(stitching_is_the_papers),
        cmocka_unit_test(tiles_are_coalesced_and_their_shifted_rows_free_of_conflicts),
        cmocka_unit_test(any_width_and_length_from_a_row_of_a_tile_on_is_moved),
        cmocka_unit_test(the_naive_kernel_moves_any_length),
        cmocka_unit_test(bit_reversal_conflicts_unless_rows_are_shifted),
        cmocka_unit_test(what_a_kernel_cannot_do_is_refused),
        cmocka_unit_test(algorithms_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
