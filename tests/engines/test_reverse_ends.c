/* SPDX-License-Identifier: Apache-2.0
 *
 * Reversal in place: the pass on the host, by any number of threads, for elements of any length.
 */
#include "engines/cpu/loops.h"
#include "engines/launch/launch.h"
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
    cpu_run_pass(&p, threads, NULL, array.data, array.data);
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
        launch work;
        launch_of_pass(&p, &limits, none, &work);
        assert_int_equal(work.kernel, KERNEL_reverse_ends);
        assert_int_equal(work.block_x, 256);
        assert_int_equal(work.grid, cases[k].grid);
        assert_int_equal(launch_alignment(&p, 4), 4);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_reversed_on_the_host),
        cmocka_unit_test(a_launch_has_a_thread_for_each_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
