/* SPDX-License-Identifier: Apache-2.0
 *
 * Reversal in place: the pass on the host, by any number of threads, for elements of any length; plans of it, on the host
 * and on the memory machine; and what is refused.
 */
#include "move/cpu/passes/loops.h"
#include "move/gpu/launch.h"
#include "riffle/machine.h"
#include "support.h"

static uint64_t seed;

static const uint64_t lengths[] = {0, 1, 2, 3, 4, 31, 97, 256, 1009};
enum { LENGTHS = sizeof lengths / sizeof *lengths };
static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 63, 64, 65, 100, 4097};
enum { SIZES = sizeof sizes / sizeof *sizes };

static pass pass_of(uint64_t n, uint64_t first, size_t elem_bytes) {
    return (pass){.kind = &PASS_REVERSE_ENDS,
                  .from = BUFFER_DST,
                  .to = BUFFER_DST,
                  .reverse_ends = {n, first, elem_bytes}};
}

/* Element i goes to the other end of its run, and nothing beside the array is touched. */
static void expect_reversed(rng *r, uint64_t n, uint64_t first, size_t elem_bytes, unsigned threads) {
    const size_t bytes = (size_t)n * elem_bytes;
    guarded array = guarded_create(bytes, rng_below(r, TEST_LINE_BYTES));
    unsigned char *const before = malloc(bytes + 1);
    assert_non_null(before);
    fill_random(r, array.data, bytes);
    memcpy(before, array.data, bytes);
    const pass p = pass_of(n, first, elem_bytes);
    cpu_run_pass(&p, threads, NULL, array.data, array.data, NULL);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t to = (i < first ? first : n + first) - 1 - i;
        if (memcmp(array.data + to * elem_bytes, before + i * elem_bytes, elem_bytes) != 0)
            fail_msg("seed %llu: %llu of %llu x %zu bytes, %llu first, %u threads", (unsigned long long)seed,
                     (unsigned long long)i, (unsigned long long)n, elem_bytes, (unsigned long long)first,
                     threads);
    }
    assert_true(guarded_intact(&array));
    free(before);
    guarded_free(&array);
}

static void runs_are_reversed_on_the_host(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < LENGTHS * SIZES; k++) {
        const uint64_t n = lengths[k % LENGTHS];
        for (unsigned threads = 1; threads <= 5; threads += 2) {
            expect_reversed(&r, n, n, sizes[k / LENGTHS], threads);
            expect_reversed(&r, n, rng_below(&r, n + 1), sizes[k / LENGTHS], threads);
        }
    }
}

static void a_launch_has_a_thread_for_each_pair(void **state) {
    (void)state;
    const launch_limits limits = {.width = 32, .block_threads = 1024, .moves = 1};
    const void *const none[LAUNCH_MAX_ARRAYS] = {NULL};
    const struct {
        uint64_t n, first;
        unsigned grid;
    } cases[] = {{2, 2, 1}, {512, 512, 1}, {514, 514, 2}, {514, 257, 1}, {515, 257, 2}, {100000, 100000, 196}};
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pass p = pass_of(cases[k].n, cases[k].first, 4);
        launch_list list;
        launch_list_begin(&list);
        const launch *const work = launch_of_pass(&p, &limits, none, &list);
        assert_ptr_equal(work->kernel, &KERNEL_reverse_ends.record);
        assert_int_equal(work->block_x, 256);
        assert_int_equal(work->grid, cases[k].grid);
        assert_int_equal(launch_alignment(&p, 4), 4);
    }
}

/* ------------------------------------------------------------------- plans */

static const char *const specs[] = {"reverse", "reverse|rotate:1", "rotate:7|reverse", "~(reverse|rotate:5)"};
enum { SPECS = sizeof specs / sizeof *specs, BATCH = 3 };

/* Three arrays with gaps, which stay as they are. */
static void check_on_the_host(rng *r, const riffle_perm *perm, size_t elem_bytes) {
    const uint64_t n = riffle_perm_length(perm);
    const riffle_plan_options options = {.in_place = true,
                                         .batch = BATCH,
                                         .stride = n + rng_below(r, 3) + 1,
                                         .threads = (unsigned)rng_below(r, 3)};
    const size_t step = (size_t)options.stride * elem_bytes,
                 bytes = (BATCH - 1) * step + (size_t)n * elem_bytes;
    riffle_plan *plan = NULL;
    assert_int_equal(riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
    assert_int_equal(riffle_plan_algorithm(plan),
                     n > 1 ? RIFFLE_ALGORITHM_REVERSE_ENDS : RIFFLE_ALGORITHM_COPY);
    assert_int_equal(riffle_plan_passes(plan), n > 1);
    assert_int_equal(riffle_plan_workspace_bytes(plan), 0);
    guarded array = guarded_create(bytes, rng_below(r, TEST_LINE_BYTES));
    unsigned char *const before = malloc(bytes + 1);
    assert_non_null(before);
    fill_random(r, array.data, bytes);
    memcpy(before, array.data, bytes);
    assert_int_equal(riffle_execute(plan, array.data, array.data), RIFFLE_OK);
    for (unsigned k = 0; k < BATCH; k++) {
        if (!is_moved(perm, array.data + k * step, before + k * step, elem_bytes))
            fail_msg("seed %llu: n %llu, %zu bytes, array %u", (unsigned long long)seed, (unsigned long long)n,
                     elem_bytes, k);
        const size_t end = k * step + (size_t)n * elem_bytes;
        if (k + 1 < BATCH) assert_memory_equal(array.data + end, before + end, (k + 1) * step - end);
    }
    assert_true(guarded_intact(&array));
    free(before);
    guarded_free(&array);
    riffle_plan_free(plan);
}

static void plans_reverse_on_the_host(void **state) {
    (void)state;
    rng r = {seed + 1};
    for (unsigned k = 0; k < LENGTHS * SIZES; k++) {
        riffle_perm *perm = parse_or_fail("reverse", lengths[k % LENGTHS]);
        check_on_the_host(&r, perm, sizes[k / LENGTHS]);
        riffle_perm_free(perm);
        perm = parse_or_fail(specs[rng_below(&r, SPECS)], 3 + 2 * rng_below(&r, 500));
        check_on_the_host(&r, perm, sizes[k / LENGTHS]);
        riffle_perm_free(perm);
    }
}

/* Elements of no or one byte too many for a GPU among them: nothing moves. */
static void asked_for_by_name_it_reverses_the_shortest(void **state) {
    (void)state;
    static const size_t lengths_of_elements[] = {1, 4, 16, 100};
    const riffle_plan_options options = {.in_place = true, .algorithm = RIFFLE_ALGORITHM_REVERSE_ENDS};
    for (uint64_t k = 0; k < 3 * 4; k++) {
        const uint64_t n = k % 3;
        const size_t elem_bytes = lengths_of_elements[k / 3];
        riffle_perm *perm = parse_or_fail("reverse", n);
        riffle_plan *plan = NULL;
        if (riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
            fail_msg("%llu x %zu bytes: %s", (unsigned long long)n, elem_bytes, riffle_error_detail());
        assert_int_equal(riffle_plan_algorithm(plan), RIFFLE_ALGORITHM_REVERSE_ENDS);
        assert_int_equal(riffle_plan_passes(plan), n > 1);
        unsigned char array[2 * 100], before[2 * 100];
        for (size_t at = 0; at < sizeof array; at++) array[at] = before[at] = (unsigned char)at;
        assert_int_equal(riffle_execute(plan, array, array), RIFFLE_OK);
        assert_true(is_moved(perm, array, before, elem_bytes));
        assert_memory_equal(array + n * elem_bytes, before + n * elem_bytes, sizeof array - n * elem_bytes);
        riffle_plan_free(plan);
        riffle_perm_free(perm);
    }
}

static void the_machine_reverses_the_shortest_too(void **state) {
    (void)state;
    const riffle_plan_options options = {.in_place = true, .algorithm = RIFFLE_ALGORITHM_REVERSE_ENDS};
    for (uint64_t n = 0; n < 3; n++) {
        riffle_perm *perm = parse_or_fail("reverse", n);
        riffle_report *report = NULL;
        if (riffle_simulate(perm, 4, &options, NULL, &report) != RIFFLE_OK)
            fail_msg("%llu elements: %s", (unsigned long long)n, riffle_error_detail());
        assert_int_equal(riffle_report_time_units(report) > 0, n > 1);
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

/* Enough for several threads. */
static void large_arrays_are_reversed_by_threads(void **state) {
    (void)state;
    rng r = {seed + 2};
    riffle_perm *perm = parse_or_fail("reverse|rotate:300001", 1000003);
    check_on_the_host(&r, perm, 4);
    riffle_perm_free(perm);
}

/* The machine compares with the definition itself. */
static void plans_reverse_on_the_machine(void **state) {
    (void)state;
    static const size_t units[] = {1, 2, 4, 8, 16};
    static const uint64_t most[] = {3, 31, 97, 257, 1009, 1000};
    rng r = {seed + 3};
    for (unsigned k = 0; k < 5 * 6 * SPECS; k++) {
        riffle_perm *perm = parse_or_fail(specs[k / 30], most[k % 6]);
        const riffle_plan_options options = {
            .in_place = true, .batch = 1 + rng_below(&r, 3), .stride = most[k % 6] + rng_below(&r, 9)};
        riffle_report *report = NULL;
        if (riffle_simulate(perm, units[k / 6 % 5], &options, NULL, &report) != RIFFLE_OK)
            fail_msg("seed %llu: %s of %llu: %s", (unsigned long long)seed, specs[k / 30],
                     (unsigned long long)most[k % 6], riffle_error_detail());
        assert_int_equal(riffle_report_hazards(report), 0);
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

static void expect_words(riffle_status status, const char *words) {
    assert_int_equal(status, RIFFLE_ERROR_UNSUPPORTED);
    if (strstr(riffle_error_detail(), words) == NULL) fail_msg("'%s' lacks '%s'", riffle_error_detail(), words);
}

static void what_it_cannot_do_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        size_t elem_bytes;
        riffle_plan_options options;
        const char *host, *machine; /* words of the refusal; NULL where it is done */
    } cases[] = {
        {"reverse",
         12,
         {.in_place = true},
         NULL,
         "its elements must be of 1, 2, 4, 8 or 16 bytes to change places"},
        {"reverse", 32, {.in_place = true}, NULL, "1, 2, 4, 8 or 16 bytes"},
        {"rotate:1",
         4,
         {.in_place = true},
         "m elements, and it transposes no matrix, and it is no reversal; ",
         "m elements, and it transposes no matrix, and it is no reversal; "},
        {"rotate:1",
         4,
         {.in_place = true, .algorithm = RIFFLE_ALGORITHM_REVERSE_ENDS},
         "in place: it is no reversal; ",
         "in place: it is no reversal; "},
        {"reverse",
         4,
         {.in_place = true, .algorithm = RIFFLE_ALGORITHM_GATHER},
         "in place: only affine and transpose and reverse-ends can; ",
         "in place: only affine and transpose and reverse-ends can; "},
        {"reverse",
         4,
         {.algorithm = RIFFLE_ALGORITHM_REVERSE_ENDS},
         "it moves an array in place only",
         "it moves an array in place only"},
    };
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *perm = parse_or_fail(cases[k].spec, 1000);
        riffle_plan *plan = NULL;
        riffle_report *report = NULL;
        const riffle_status status =
            riffle_plan_create(perm, cases[k].elem_bytes, RIFFLE_ENGINE_CPU, &cases[k].options, &plan);
        if (cases[k].host != NULL) expect_words(status, cases[k].host);
        assert_true((cases[k].host == NULL) == (plan != NULL));
        expect_words(riffle_simulate(perm, cases[k].elem_bytes, &cases[k].options, NULL, &report),
                     cases[k].machine);
        riffle_plan_free(plan);
        riffle_perm_free(perm);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_reversed_on_the_host),
        cmocka_unit_test(a_launch_has_a_thread_for_each_pair),
        cmocka_unit_test(plans_reverse_on_the_host),
        cmocka_unit_test(large_arrays_are_reversed_by_threads),
        cmocka_unit_test(plans_reverse_on_the_machine),
        cmocka_unit_test(what_it_cannot_do_is_refused),
        cmocka_unit_test(asked_for_by_name_it_reverses_the_shortest),
        cmocka_unit_test(the_machine_reverses_the_shortest_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
