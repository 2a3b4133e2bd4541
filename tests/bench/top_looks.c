/* SPDX-License-Identifier: Apache-2.0
 *
 * The looks at the first of many, which a GPU takes as they are here: they say that right results are right, and find what is wrong
 * with others.
 */
#include "support.h"

#include <stdlib.h>

#include "sorts/sorts.h"

enum { N = 50, SEGMENTS = 3, COUNT = 7 };

typedef struct results {
    bench_numbers of;
    float numbers[SEGMENTS * N], keys[SEGMENTS * COUNT];
    uint32_t indices[SEGMENTS * COUNT];
} results;

static results *made; /* whose numbers are compared */

static int compare(const void *a, const void *b) {
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    if (made->numbers[i] != made->numbers[j]) return made->numbers[i] < made->numbers[j] ? -1 : 1;
    return i < j ? -1 : i > j;
}

/* Some numbers of each segment are equal, and so are the last result and two more. */
static results right(void) {
    static results r;
    uint32_t order[N];
    made = &r;
    r.of = (bench_numbers){.order = BENCH_FEW,
                           .type = RIFFLE_TYPE_F32,
                           .n = N,
                           .all = SEGMENTS * N,
                           .length = N,
                           .count = COUNT,
                           .elem_bytes = sizeof(float),
                           .index_bytes = sizeof(uint32_t)};
    for (uint32_t i = 0; i < SEGMENTS * N; i++) r.numbers[i] = (float)(i * 37 % N / 3);
    for (uint32_t s = 0; s < SEGMENTS; s++) {
        for (uint32_t k = 0; k < N; k++) order[k] = s * N + k;
        qsort(order, N, sizeof *order, compare);
        for (uint32_t k = 0; k < COUNT; k++) {
            r.indices[s * COUNT + k] = order[k];
            r.keys[s * COUNT + k] = r.numbers[order[k]];
        }
    }
    return r;
}

static bool is_right(const results *r, bool indices) {
    return bench_sort_is_top(&r->of, &(bench_top){r->numbers, r->keys, indices ? r->indices : NULL});
}

static void right_results_are_right(void **state) {
    (void)state;
    const results r = right();
    assert_true(is_right(&r, false));
    assert_true(is_right(&r, true));
}

static void wrong_keys_are_found(void **state) {
    (void)state;
    const unsigned last = 2 * COUNT - 1; /* the second segment's */
    for (unsigned place = 0; place < SEGMENTS * COUNT; place++) {
        results r = right();
        r.keys[place] += 0.5F;
        assert_false(is_right(&r, false));
        assert_false(is_right(&r, true));
    }
    results r = right();
    for (unsigned k = COUNT; k <= last; k++) r.keys[k] = 0; /* more zeros than there are */
    assert_false(is_right(&r, false));
    r = right();
    r.keys[last] = (float)N; /* some come before it that are no results */
    assert_false(is_right(&r, false));
}

static void wrong_indices_are_found(void **state) {
    (void)state;
    for (unsigned place = 0; place < SEGMENTS * COUNT; place++) {
        results r = right();
        r.indices[place] = UINT32_MAX;
        assert_false(is_right(&r, true));
        r = right();
        r.indices[place] = (r.indices[place] + N) % (SEGMENTS * N); /* an equal one of another segment */
        assert_false(is_right(&r, true));
    }
    results r = right();
    assert_true(r.keys[0] == r.keys[1]);
    const uint32_t first = r.indices[0];
    r.indices[0] = r.indices[1], r.indices[1] = first;
    assert_false(is_right(&r, true));
    r = right();
    for (uint32_t i = r.indices[COUNT - 1] + 1; i < N; i++) /* an equal one behind the last */
        if (r.numbers[i] == r.keys[COUNT - 1]) {
            r.indices[COUNT - 1] = i;
            assert_false(is_right(&r, true));
            return;
        }
    fail_msg("no element equals the last result");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results_are_right),
        cmocka_unit_test(wrong_keys_are_found),
        cmocka_unit_test(wrong_indices_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
