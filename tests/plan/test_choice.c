/* SPDX-License-Identifier: Apache-2.0
 *
 * The choices of `auto` on the cpu engine, each time for a processor that the test names (base/processor/processor.h): no result here
 * depends on the host.
 */
#include "support.h"

#include "models/presets.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"

/* The name of what is chosen for `perm` on a recorded processor. */
static const char *choose(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *options,
                          const processor *on) {
    const riffle_vat_preset core = vat_preset_of(on);
    const plan_target target = plan_target_cpu(&core);
    plan_request request;
    plan_choice choice;
    riffle_status status = plan_request_take(perm, elem_bytes, &target, options, &request);
    if (status == RIFFLE_OK) status = plan_choose(&request, &choice);
    if (status != RIFFLE_OK) fail_msg("%s: %s", on->name, riffle_error_detail());
    plan_request_drop(&request);
    return choice.algorithm->name;
}

static void assert_chosen(const char *spec, uint64_t n, size_t elem_bytes, const processor *on,
                          riffle_algorithm expected) {
    riffle_perm *perm = parse_or_fail(spec, n);
    const char *got = choose(perm, elem_bytes, NULL, on), *name = riffle_algorithm_string(expected);
    riffle_perm_free(perm);
    if (strcmp(got, name) != 0)
        fail_msg("%s: %s of %llu elements of %zu bytes goes by %s, not %s", on->name, spec,
                 (unsigned long long)n, elem_bytes, got, name);
}

/* Structure is used whatever the processor, and so are whole lines and what the second-level cache holds. */
static void structure_decides_on_every_processor(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
        size_t elem_bytes;
        riffle_algorithm algorithm;
    } cases[] = {
        {"identity", 1 << 20, 4, RIFFLE_ALGORITHM_COPY},
        {"rotate:3", 1000003, 4, RIFFLE_ALGORITHM_COPY},
        {"bit-reversal", 1 << 20, 4, RIFFLE_ALGORITHM_AFFINE},
        {"random-affine:7", 1 << 20, 16, RIFFLE_ALGORITHM_AFFINE},
        {"axes:100x101x103:2,0,1", 100 * 101 * 103, 4, RIFFLE_ALGORITHM_AXES},
        {"random:1", 1 << 18, 4, RIFFLE_ALGORITHM_GATHER},
        {"random:1", 1 << 24, 4, RIFFLE_ALGORITHM_BUCKET},
        {"random:1", 1 << 20, 128, RIFFLE_ALGORITHM_SCATTER},
        {"random:1", 1 << 20, 80, RIFFLE_ALGORITHM_GATHER},
    };
    const processor *on;
    for (size_t p = 0; (on = processor_recorded_at(p)) != NULL; p++)
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
            assert_chosen(cases[k].spec, cases[k].n, cases[k].elem_bytes, on, cases[k].algorithm);
}

/* 2^bits is the longest random array that is gathered, for elements of 4, 8 and 16 bytes: the TLB's reach (for
 * the Zen 5's 4096 pages 16 MiB) and no more, but for long elements, of which a pass through the caches costs
 * as much as a fault. */
static const struct longest {
    const char *processor;
    unsigned bits[3];
} LONGEST_GATHERED[] = {
    {"core-2", {18, 17, 19}},
    {"nehalem", {19, 18, 20}},
    {"haswell", {20, 19, 21}},
    {"skylake", {20, 20, 21}},
    {"cascade-lake", {20, 20, 21}},
    {"ice-lake", {21, 20, 22}},
    {"rocket-lake", {21, 20, 22}},
    {"alder-lake", {21, 20, 22}},
    {"alder-lake-efficient", {21, 20, 22}},
    {"sapphire-rapids", {21, 20, 22}},
    {"sapphire-rapids-guest", {21, 20, 22}},
    {"zen2", {21, 20, 22}},
    {"zen3", {21, 20, 22}},
    {"zen4", {21, 21, 22}},
    {"zen5", {22, 21, 23}},
    {"zen5-guest", {22, 21, 23}},
    {"hygon", {20, 20, 21}},
    {"centaur", {20, 20, 21}},
    {"none", {20, 20, 21}},
};

static void the_translation_cache_decides_for_tables(void **state) {
    (void)state;
    for (size_t p = 0; p < sizeof LONGEST_GATHERED / sizeof LONGEST_GATHERED[0]; p++) {
        const processor *on = processor_recorded_at(p);
        assert_non_null(on);
        assert_string_equal(on->name, LONGEST_GATHERED[p].processor);
        for (unsigned e = 0; e < 3; e++)
            for (unsigned m = 10; m <= 28; m++)
                assert_chosen("random:1", (uint64_t)1 << m, (size_t)4 << e, on,
                              m <= LONGEST_GATHERED[p].bits[e] ? RIFFLE_ALGORITHM_GATHER
                                                               : RIFFLE_ALGORITHM_BUCKET);
    }
    assert_null(processor_recorded_at(sizeof LONGEST_GATHERED / sizeof LONGEST_GATHERED[0]));
}

/* A table that is secretly structured moves like what it is. */
/* A shuffle is computed from either end: short elements are spread by tile, and others fetched, as few ones are, for stores in
 * order are dearer to lose than loads. A table's inverse would have to be made first. */
static void one_execution_has_no_schedule(void **state) {
    (void)state;
    static const riffle_plan_options once = {.executions = 1};
    static const uint32_t table[] = {2, 0, 1, 4, 3, 6, 7, 5};
    riffle_perm *perms[3];
    assert_int_equal(riffle_perm_random(1 << 26, 1, &perms[0]), RIFFLE_OK);
    assert_int_equal(riffle_perm_random(1 << 12, 1, &perms[2]), RIFFLE_OK);
    assert_int_equal(riffle_perm_table_u32(8, table, &perms[1]), RIFFLE_OK);
    const processor *const on = processor_recorded_at(0);
    for (size_t bytes = 1; bytes <= 256; bytes *= 4) {
        assert_string_equal(choose(perms[0], bytes, &once, on), bytes <= 16 ? "once" : "gather");
        assert_string_equal(choose(perms[2], bytes, &once, on), "gather");
        assert_string_equal(choose(perms[1], bytes, &once, on), "scatter");
    }
    for (unsigned k = 0; k < 3; k++) riffle_perm_free(perms[k]);
}

static void tables_are_recognized(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        riffle_algorithm algorithm;
    } cases[] = {{"bit-reversal", RIFFLE_ALGORITHM_AFFINE},
                 {"rotate:77", RIFFLE_ALGORITHM_COPY},
                 {"random:3", RIFFLE_ALGORITHM_BUCKET}};
    enum { N = 1 << 23 };
    static uint64_t table[N];
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm *perm = parse_or_fail(cases[k].spec, N), *hidden;
        assert_int_equal(riffle_perm_map(perm, 0, N, table), RIFFLE_OK);
        assert_int_equal(riffle_perm_table_u64(N, table, &hidden), RIFFLE_OK);
        assert_string_equal(choose(hidden, 4, NULL, processor_recorded_at(0)),
                            riffle_algorithm_string(cases[k].algorithm));
        riffle_perm_free(hidden);
        riffle_perm_free(perm);
    }
}

static plan_choice choose_once(const riffle_perm *perm, riffle_check check) {
    const riffle_vat_preset core = vat_preset_of(processor_recorded_at(0));
    const plan_target target = plan_target_cpu(&core);
    const riffle_plan_options options = {.check = check};
    plan_request request;
    plan_choice choice;
    assert_int_equal(plan_request_take(perm, 4, &target, &options, &request), RIFFLE_OK);
    assert_int_equal(plan_choose(&request, &choice), RIFFLE_OK);
    plan_request_drop(&request);
    return choice;
}

/* Cards dealt to players at random, and put together again: one pass each, but where passes are to be compared. */
static void streams_take_one_pass(void **state) {
    (void)state;
    enum { N = 1 << 22, PLAYERS = 7 };
    static uint32_t table[N];
    uint32_t next[PLAYERS + 1] = {0};
    riffle_perm *deal, *collect;
    for (uint64_t i = 0; i < N; i++) next[i * i * 2654435761 % 1000003 % PLAYERS + 1]++;
    for (unsigned k = 0; k < PLAYERS; k++) next[k + 1] += next[k];
    for (uint64_t i = 0; i < N; i++) table[i] = next[i * i * 2654435761 % 1000003 % PLAYERS]++;
    assert_int_equal(riffle_perm_table_u32(N, table, &deal), RIFFLE_OK);
    assert_int_equal(riffle_perm_invert(deal, &collect), RIFFLE_OK);
    plan_choice got = choose_once(deal, RIFFLE_CHECK_NONE);
    assert_ptr_equal(got.algorithm, &algorithm_bucket);
    assert_int_equal(got.passes, 1);
    assert_non_null(strstr(got.reason, "pieces of src go to few places in long runs"));
    assert_int_equal(got.workspace_bytes, 0);
    got = choose_once(collect, RIFFLE_CHECK_NONE);
    assert_ptr_equal(got.algorithm, &algorithm_bucket);
    assert_int_equal(got.passes, 1);
    assert_non_null(strstr(got.reason, "pieces of dst come in runs"));
    const riffle_perm *const streams[] = {deal, collect};
    for (unsigned k = 0; k < 2; k++) {
        got = choose_once(streams[k], RIFFLE_CHECK_PASSES);
        assert_int_equal(got.passes, 2);
        assert_non_null(strstr(got.reason, "a check of passes compares what is between two"));
    }
    riffle_perm_free(deal);
    riffle_perm_free(collect);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure_decides_on_every_processor),
        cmocka_unit_test(the_translation_cache_decides_for_tables),
        cmocka_unit_test(one_execution_has_no_schedule),
        cmocka_unit_test(tables_are_recognized),
        cmocka_unit_test(streams_take_one_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
