/* SPDX-License-Identifier: Apache-2.0
 *
 * The sort by a heap, which takes over where quicksort has met 64 bad pivots. Points that do so are hard to come by, so it is called
 * here by itself: of every length up to 300, with equal points among them, against an order by definition.
 */
#include "hull/cpu/solve_i64.c"
#include "support.h"

enum { MOST = 300, PLACES = 40 };

static void expect_sorted(const hull_candidate *items, const unsigned *times, uint64_t n, uint64_t seed) {
    unsigned found[PLACES * PLACES] = {0};
    for (uint64_t k = 0; k < n; k++) {
        if (k > 0 && is_before(&items[k], &items[k - 1]))
            fail_msg("%llu points: number %llu comes too late, seed %llu", (unsigned long long)n,
                     (unsigned long long)k, (unsigned long long)seed);
        found[items[k].at.i64.x * PLACES + items[k].at.i64.y]++;
    }
    assert_memory_equal(found, times, sizeof found);
}

static void test_heap(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    hull_candidate items[MOST];
    for (uint64_t n = 0; n <= MOST; n++) {
        unsigned times[PLACES * PLACES] = {0};
        for (uint64_t k = 0; k < n; k++) {
            const int64_t x = (int64_t)rng_below(&r, PLACES), y = (int64_t)rng_below(&r, PLACES);
            items[k] = (hull_candidate){.at.i64 = {x, y}, .index = (uint32_t)k};
            times[x * PLACES + y]++;
        }
        heap_sort(items, n);
        expect_sorted(items, times, n, seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_heap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
