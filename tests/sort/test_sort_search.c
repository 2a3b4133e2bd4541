/* SPDX-License-Identifier: Apache-2.0
 *
 * Places in sorted arrays against a count by the definition's comparison; integers merged from runs that are sorted, from more than are merged
 * at once, and from some that are not sorted.
 */
#include "sort/definition.h"
#include "sort_support.h"
#include "support.h"

enum { MOST = 700, SOUGHT = 40 };

static void *allocate(size_t bytes) {
    void *const out = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(out);
    return out;
}

/* Elements that come before the one sought, or, RIGHT, that it does not come before. */
static uint64_t count_ahead(sort_before *before, const sort_layout *layout, const char *sorted, uint64_t n,
                            const void *sought, riffle_sort_side side) {
    uint64_t ahead = 0;
    for (uint64_t i = 0; i < n; i++) {
        const void *const element = sorted + i * layout->elem_bytes;
        ahead +=
            side == RIFFLE_SORT_SIDE_LEFT ? before(layout, element, sought) : !before(layout, sought, element);
    }
    return ahead;
}

static void expect_places(rng *r, const riffle_sort_key *key, uint64_t n, uint64_t seed) {
    sort_layout layout;
    riffle_sort_plan *plan = NULL;
    uint64_t places[SOUGHT + 1];
    char *const elements = allocate((n + SOUGHT) * key->elem_bytes);
    assert_int_equal(sort_layout_make(key, &layout), RIFFLE_OK);
    sort_fill(r, key, (sort_shape)rng_below(r, SORT_SHAPES), elements, n + SOUGHT);
    assert_int_equal(riffle_sort_plan_create(n, key, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    assert_int_equal(riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = elements, .from_keys = elements}),
                     RIFFLE_OK);
    sort_before *const before = sort_layout_is_number(&layout) ? sort_before_by_number : sort_before_by_fields;
    for (int side = 0; side < 2; side++) {
        const char *const sought =
            rng_below(r, 2) == 0 || n < SOUGHT ? elements + n * key->elem_bytes : elements;
        places[SOUGHT] = 77;
        assert_int_equal(riffle_sort_search(plan, elements, n, sought, SOUGHT, (riffle_sort_side)side, places),
                         RIFFLE_OK);
        assert_int_equal(places[SOUGHT], 77);
        for (uint64_t k = 0; k < SOUGHT; k++)
            if (places[k] !=
                count_ahead(before, &layout, elements, n, sought + k * key->elem_bytes, (riffle_sort_side)side))
                fail_msg("seed %llu: place %llu of %llu is %llu", (unsigned long long)seed,
                         (unsigned long long)k, (unsigned long long)n, (unsigned long long)places[k]);
    }
    riffle_sort_plan_free(plan);
    free(elements);
}

static void test_places(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        const riffle_sort_key key = round % 2 == 0 ? sort_random_number(&r) : sort_random_row(&r);
        expect_places(&r, &key, rng_below(&r, MOST), seed);
    }
}

static void test_places_by_a_comparison(void **state) {
    (void)state;
    const uint32_t sorted[] = {30, 10, 20, 1, 11, 2, 99}, sought[] = {21, 40, 9, 3};
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    uint64_t places[4];
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, false, &key), RIFFLE_OK);
    key.before = "a % 10 < b % 10";
    assert_int_equal(riffle_sort_plan_create(7, &key, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    assert_int_equal(riffle_sort_search(plan, sorted, 7, sought, 4, RIFFLE_SORT_SIDE_LEFT, places), RIFFLE_OK);
    assert_memory_equal(places, ((uint64_t[]){3, 0, 6, 6}), sizeof places);
    assert_int_equal(riffle_sort_search(plan, sorted, 7, sought, 4, RIFFLE_SORT_SIDE_RIGHT, places), RIFFLE_OK);
    assert_memory_equal(places, ((uint64_t[]){5, 3, 7, 6}), sizeof places);
    assert_int_equal(riffle_sort_search(plan, NULL, 0, sought, 4, RIFFLE_SORT_SIDE_RIGHT, places), RIFFLE_OK);
    assert_memory_equal(places, ((uint64_t[]){0, 0, 0, 0}), sizeof places);
    assert_int_equal(riffle_sort_search(plan, NULL, 7, sought, 4, RIFFLE_SORT_SIDE_LEFT, places),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_sort_search(plan, sorted, 7, NULL, 4, RIFFLE_SORT_SIDE_LEFT, places),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_sort_search(plan, sorted, 7, sought, 4, (riffle_sort_side)2, places),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_sort_search(NULL, sorted, 7, sought, 4, RIFFLE_SORT_SIDE_LEFT, places),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    riffle_sort_plan_free(plan);
}

static int by_number(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* n numbers in k runs with gaps ahead and behind, merged into another array or in place. */
static void expect_merged(rng *r, uint64_t n, unsigned k, bool are_sorted, bool is_in_place) {
    const uint64_t gap = 5;
    int32_t *const from = allocate((n + 2 * gap) * sizeof *from),
                   *const to = allocate((n + 2 * gap) * sizeof *to),
                   *const wanted = allocate((n + 2 * gap) * sizeof *to);
    uint64_t *const first = allocate((k + 1) * sizeof *first);
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    for (uint64_t i = 0; i < n + 2 * gap; i++) from[i] = (int32_t)(uint32_t)rng_next(r);
    for (unsigned run = 0; run <= k; run++) first[run] = gap + n * run / k;
    for (unsigned run = 0; are_sorted && run < k; run++)
        qsort(from + first[run], first[run + 1] - first[run], sizeof *from, by_number);
    memcpy(to, from, (n + 2 * gap) * sizeof *to);
    memcpy(wanted, from, (n + 2 * gap) * sizeof *to);
    qsort(wanted + gap, n, sizeof *to, by_number);
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_I32, false, &key), RIFFLE_OK);
    const riffle_sort_options options = {.task = RIFFLE_SORT_TASK_MERGE, .segments = k, .threads = 2};
    assert_int_equal(riffle_sort_plan_create(n + 2 * gap, &key, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
    assert_int_equal(
        riffle_sort_execute(
            plan, &(riffle_sort_arrays){.keys = to, .from_keys = is_in_place ? to : from, .first = first}),
        RIFFLE_OK);
    assert_memory_equal(to, wanted, (n + 2 * gap) * sizeof *to);
    riffle_sort_plan_free(plan);
    free(from), free(to), free(wanted), free(first);
}

static void test_merged_integers(void **state) {
    (void)state;
    rng r = {test_seed()};
    static const unsigned runs[] = {1, 2, 3, 64, 65, 200};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++)
        for (unsigned way = 0; way < 4; way++) {
            expect_merged(&r, rng_below(&r, 1000), runs[k], way % 2 == 0, way / 2 == 0);
            if (runs[k] < 4 || runs[k] == 64)
                expect_merged(&r, 300000 + rng_below(&r, 1000), runs[k], way % 2 == 0, way / 2 == 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_places_by_a_comparison),
        cmocka_unit_test(test_merged_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
