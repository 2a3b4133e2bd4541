/* SPDX-License-Identifier: Apache-2.0
 *
 * Permutations of packed elements as launches on the memory machine, which compares them with the host's: affine maps of every length and kind, tables, axes and
 * shuffles; no race, whole lines, no bank conflict, and the time units that were predicted; explanations; and what is refused.
 */
#include "bits/gpu/affine.h"
#include "bits/gpu/warp_map.h"
#include "bits_support.h"
#include "device_support.h"
#include "perm/gf2_span.h"
#include "perm/kind.h"
#include "predicted_support.h"
#include "riffle/cuda.h"

static uint64_t seed;

static riffle_report *simulated_report(const riffle_perm *perm, const char *name, rng *r) {
    const riffle_bits_options options = {.order = (riffle_bit_order)rng_below(r, 2),
                                         .batch = 1 + rng_below(r, 2)};
    const riffle_machine_options on = {.latency = 1 + (unsigned)rng_below(r, 400),
                                       .shared_latency = 1 + (unsigned)rng_below(r, 3),
                                       .dmms = 1 + (unsigned)rng_below(r, 2) * 4};
    riffle_report *report = NULL;
    if (riffle_simulate_bits(perm, (uint64_t)1 << rng_below(r, 3), &options, &on, &report) != RIFFLE_OK)
        fail_msg("seed %llu: %s of %llu: %s", (unsigned long long)seed, name,
                 (unsigned long long)riffle_perm_length(perm), riffle_error_detail());
    return report;
}

static void check(const riffle_perm *perm, const char *name, rng *r) {
    riffle_report *const report = simulated_report(perm, name, r);
    assert_int_equal(riffle_report_hazards(report), 0);
    assert_predicted(BOUND_BITS, report, name, seed);
    riffle_report_free(report);
}

static void check_spec(const char *spec, uint64_t n, rng *r) {
    riffle_perm *perm = parse_or_fail(spec, n);
    check(perm, spec, r);
    riffle_perm_free(perm);
}

static void each_length_of_affine_maps(void **state) {
    static const char *const specs[] = {"identity", "reverse",         "bit-reversal",
                                        "shuffle",  "random-affine:3", "random-affine:4"};
    rng r = {seed};
    (void)state;
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++)
        for (unsigned m = 3; m <= 19; m++)
            if (test_takes(s + m)) check_spec(specs[s], (uint64_t)1 << m, &r);
}

static void random_affine_maps(void **state) {
    rng r = {seed + 1};
    (void)state;
    for (unsigned k = 0; k < test_rounds(40); k++) {
        riffle_perm *perm = bits_random_map(&r, 8 + (unsigned)rng_below(&r, 9));
        check(perm, "a random map", &r);
        riffle_perm_free(perm);
    }
}

static void tables_axes_and_shuffles(void **state) {
    static const uint64_t lengths[] = {0, 1, 2, 9, 31, 257, 1000, 4099};
    rng r = {seed + 2};
    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) check_spec("random:5", lengths[k], &r);
    check_spec("rotate:16", 1024, &r);
    check_spec("transpose:13x17", 221, &r);
    check_spec("transpose:13x40", 520, &r);
}

/* Last axes of whole bytes: bytes move, or stay, and elements of rows change places, by units of every length. The kernels that move bytes are
 * estimated, some of them. */
static void packed_axes(void **state) {
    static const char *const specs[] = {
        "transpose:40x56",  "transpose:128x384",      "transpose:1024x24",         "transpose:24x1024",
        "axes:3x8x8:0,2,1", "axes:5x64x3x16:3,0,2,1", "axes:16x3x32x5x8:1,4,3,0,2"};
    static const uint64_t lengths[] = {2240, 49152, 24576, 24576, 192, 15360, 61440};
    rng r = {seed + 6};
    (void)state;
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
        for (unsigned times = 0; times < 3; times++) {
            riffle_perm *perm = parse_or_fail(specs[k], lengths[k]);
            riffle_report *const report = simulated_report(perm, specs[k], &r);
            char what[400] = "it is not predicted";
            assert_int_equal(riffle_report_hazards(report), 0);
            if (!report->is_predicted || predicted_fails(report, BOUND_BITS_ESTIMATED, sizeof what, what))
                fail_msg("seed %llu: %s: %s", (unsigned long long)seed, specs[k], what);
            riffle_report_free(report);
            riffle_perm_free(perm);
        }
}

static void shifts(void **state) {
    static const uint64_t lengths[] = {1, 3, 9, 31, 33, 1000, 1001, 4096, 32768, 40003, 200000, 262144};
    rng r = {seed + 7};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (unsigned reversed = 0; reversed < 2; reversed++) {
            char spec[64];
            snprintf(spec, sizeof spec, "%srotate:%llu", reversed != 0 ? "reverse|" : "",
                     (unsigned long long)rng_below(&r, lengths[l]));
            check_spec(spec, lengths[l], &r);
        }
}

/* Steps of a warp against the map that they are of, bit by bit, for every constant. */
static uint64_t after_steps(const warp_map *map, uint64_t lane, uint64_t place, uint64_t constant) {
    for (unsigned k = 0; k < map->steps; k++) {
        const bits_warp_step *const step = &map->step[k];
        const unsigned goes = (unsigned)__builtin_parityll(lane & step->lanes) ^ (step->places >> place & 1) ^
                              (unsigned)__builtin_parityll(constant & step->constant);
        if (goes != 0) lane ^= step->lane, place ^= step->place;
    }
    return lane << 5 | place;
}

static uint64_t sum_of_vectors(const uint64_t *vectors, uint64_t number) {
    uint64_t sum = 0;
    for (; number != 0; number &= number - 1) sum ^= vectors[__builtin_ctzll(number)];
    return sum;
}

static gf2_matrix random_matrix(rng *r, unsigned m) {
    gf2_matrix t, inverse;
    const bool is_near = rng_below(r, 2) == 0;
    do {
        t = gf2_identity(m);
        for (unsigned k = 0; k < m; k++)
            if (!is_near || rng_below(r, 3) == 0) t.column[k] = rng_below(r, (uint64_t)1 << m);
    } while (!gf2_invert(&t, &inverse, NULL));
    return t;
}

static void steps_are_the_map(void **state) {
    rng r = {seed + 3};
    (void)state;
    for (unsigned k = 0; k < test_rounds(60); k++) {
        const gf2_matrix t = random_matrix(&r, 10 + (unsigned)rng_below(&r, 9));
        const uint64_t constant = rng_below(&r, 32);
        warp_map map;
        warp_map_of(&t, &map);
        assert_true(map.steps <= BITS_AFFINE_STEPS);
        for (uint64_t x = 0; x < 1024; x++) {
            const uint64_t to = after_steps(&map, x >> 5, x & 31, constant);
            const uint64_t wanted = gf2_apply(&t, sum_of_vectors(map.in, x >> 5) ^ (x & 31)) ^ constant;
            if ((sum_of_vectors(map.out, to >> 5) ^ sum_of_vectors(map.shift, constant) ^ (to & 31)) != wanted)
                fail_msg("seed %llu: map %u, bit %llu", (unsigned long long)seed, k, (unsigned long long)x);
        }
    }
}

static void accesses_are_good(void **state) {
    static const char *const specs[] = {"random-affine:7", "bit-reversal", "shuffle", "reverse"};
    (void)state;
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        riffle_perm *perm = parse_or_fail(specs[s], 1 << 19);
        riffle_report *report = NULL;
        assert_int_equal(riffle_simulate_bits(perm, 1, NULL, NULL, &report), RIFFLE_OK);
        assert_int_equal(riffle_report_uncoalesced(report, 0), 0);
        assert_int_equal(riffle_report_conflicts(report, 0), 0);
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

/* The bits that a launch of so many blocks moves, against the host's. */
static void check_blocks(const riffle_perm *perm, unsigned m, uint64_t batch, unsigned blocks) {
    const size_t bytes = (size_t)(batch << m) / 8;
    machine *const on = machine_or_fail((riffle_machine_options){.latency = 3});
    riffle_bits_plan *plan = NULL;
    perm_affine affine;
    bits_affine_table table;
    launch_list list;
    rng r = {seed};
    void *from, *to, *const wanted = malloc(bytes);
    assert_non_null(wanted);
    assert_true(perm_as_affine(perm, &affine));
    bits_affine_table_of(&affine, batch, &table);
    assert_int_equal(machine_buffer(on, "from", bytes, &from), RIFFLE_OK);
    assert_int_equal(machine_buffer(on, "to", bytes, &to), RIFFLE_OK);
    fill_random(&r, from, bytes);
    machine_written(on, from, bytes);
    memset(to, POISON_VALUE, bytes);
    launch_list_begin(&list);
    bits_affine_append(&table, to, from, &list);
    list.last->grid = blocks;
    run_list_or_fail(on, &list);
    assert_int_equal(machine_report(on)->hazards, 0);
    assert_int_equal(riffle_bits_plan_create(perm, 1, &(riffle_bits_options){.batch = batch}, &plan),
                     RIFFLE_OK);
    assert_int_equal(riffle_bits_execute(plan, wanted, from), RIFFLE_OK);
    assert_memory_equal(to, wanted, bytes);
    riffle_bits_plan_free(plan);
    machine_free(on);
    free(wanted);
}

/* Where there are more tiles than a launch has blocks. */
static void blocks_take_several_tiles(void **state) {
    static const struct {
        unsigned m, blocks;
        uint64_t batch;
    } cases[] = {{12, 3, 7}, {14, 2, 5}, {20, 3, 1}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *perm = parse_or_fail("random-affine:5", (uint64_t)1 << cases[k].m);
        check_blocks(perm, cases[k].m, cases[k].batch, cases[k].blocks);
        riffle_perm_free(perm);
    }
}

static void explanations(void **state) {
    static const struct {
        const char *spec, *says;
        uint64_t n;
    } cases[] = {{"random-affine:1", "32 words of a warp", (uint64_t)1 << 33},
                 {"random:1", "element by element", 100000},
                 {"transpose:30000x32000", "two passes: bytes, and then squares of 8 x 8", 960000000},
                 {"reverse", "runs, backwards", 1000001},
                 {"rotate:8", "rotate", 4096}};
    riffle_cuda_device gpu;
    (void)state;
    assert_int_equal(riffle_cuda_device_named("h200", &gpu, NULL), RIFFLE_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *perm = parse_or_fail(cases[k].spec, cases[k].n);
        char *text = NULL;
        size_t size = 0;
        FILE *const stream = open_memstream(&text, &size);
        const riffle_status status =
            riffle_explain_bits(perm, 1, &(riffle_bits_options){.engine = RIFFLE_ENGINE_CUDA},
                                &(riffle_explanation){.gpu = &gpu}, stream);
        fclose(stream);
        if (status != RIFFLE_OK) fail_msg("%s: %s", cases[k].spec, riffle_error_detail());
        assert_non_null(strstr(text, cases[k].says));
        assert_non_null(strstr(text, "time units"));
        free(text);
        riffle_perm_free(perm);
    }
}

static void bad_calls_are_refused(void **state) {
    riffle_perm *perm = parse_or_fail("random-affine:1", 4096);
    riffle_report *report = NULL;
    riffle_bits_plan *plan = NULL;
    unsigned char a[512] = {0}, b[512];
    (void)state;
    expect_refused(riffle_simulate_bits(perm, 3, NULL, NULL, &report), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "elements of 3 bits; packed ones have 1, 2 or 4, and riffle_plan_create moves whole bytes");
    assert_int_equal(riffle_simulate_bits(NULL, 1, NULL, NULL, &report), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_simulate_bits(perm, 1, NULL, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    expect_refused(riffle_simulate_bits(perm, 1, NULL, &(riffle_machine_options){.width = 16}, &report),
                   RIFFLE_ERROR_UNSUPPORTED, "kernels of bits have warps of 32; this machine has width 16");
    assert_null(report);
    assert_int_equal(
        riffle_bits_plan_create(perm, 1, &(riffle_bits_options){.engine = (riffle_engine)7}, &plan),
        RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_bits_plan_create(perm, 1, NULL, &plan), RIFFLE_OK);
    expect_refused(riffle_cuda_bits_execute(plan, b, a, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "the plan is for the cpu engine; create it with RIFFLE_ENGINE_CUDA");
    assert_int_equal(riffle_cuda_bits_execute(NULL, b, a, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_explain_bits(perm, 1, NULL, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    riffle_bits_plan_free(plan);
    riffle_perm_free(perm);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_the_map),  cmocka_unit_test(each_length_of_affine_maps),
        cmocka_unit_test(random_affine_maps), cmocka_unit_test(tables_axes_and_shuffles),
        cmocka_unit_test(packed_axes),        cmocka_unit_test(shifts),
        cmocka_unit_test(accesses_are_good),  cmocka_unit_test(blocks_take_several_tiles),
        cmocka_unit_test(explanations),       cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
