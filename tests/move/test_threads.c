/* SPDX-License-Identifier: Apache-2.0
 *
 * One plan used by several threads at a time, each of which moves arrays of its own, with two threads of
 * OpenMP's.
 */
#include <omp.h>
#include <pthread.h>

#include "riffle/sort.h"
#include "support.h"

enum { THREADS = 3, MOVES = 3, BYTES = 1 << 20, NUMBERS = BYTES / 4 };

typedef struct worker {
    const riffle_perm *perm;
    const riffle_plan *plan;
    size_t elem_bytes;
    uint64_t seed;
    bool right;
} worker;

static void *move_arrays(void *argument) {
    worker *w = argument;
    rng r = {w->seed};
    char *src = malloc(BYTES), *dst = malloc(BYTES);
    w->right = src != NULL && dst != NULL;
    for (unsigned k = 0; k < MOVES && w->right; k++) {
        fill_random(&r, src, BYTES);
        memset(dst, POISON_VALUE, BYTES);
        w->right = riffle_execute(w->plan, dst, src) == RIFFLE_OK && is_moved(w->perm, dst, src, w->elem_bytes);
    }
    free(src);
    free(dst);
    return NULL;
}

static void share_plan(const char *spec, size_t elem_bytes, riffle_algorithm algorithm) {
    riffle_perm *perm = parse_or_fail(spec, BYTES / elem_bytes);
    const riffle_plan_options options = {.algorithm = algorithm, .threads = 2};
    riffle_plan *plan;
    assert_int_equal(riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
    assert_int_equal(riffle_plan_threads(plan), 2);
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (unsigned t = 0; t < THREADS; t++) {
        workers[t] = (worker){.perm = perm, .plan = plan, .elem_bytes = elem_bytes, .seed = test_seed() + t};
        assert_int_equal(pthread_create(&threads[t], NULL, move_arrays, &workers[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(threads[t], NULL), 0);
        assert_true(workers[t].right);
    }
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

static void plans_are_shared_by_threads(void **state) {
    (void)state;
    share_plan("random:1", 4, RIFFLE_ALGORITHM_BUCKET);
    share_plan("random:1", 4, RIFFLE_ALGORITHM_GATHER);
    share_plan("random:1", 64, RIFFLE_ALGORITHM_SCATTER);
    share_plan("bit-reversal", 4, RIFFLE_ALGORITHM_AFFINE);
    share_plan("transpose:256x1024", 4, RIFFLE_ALGORITHM_AXES);
    share_plan("rotate:11", 4, RIFFLE_ALGORITHM_COPY);
}

typedef struct sorter {
    const riffle_sort_plan *plan;
    uint64_t seed;
    bool right;
} sorter;

static int compare_numbers(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void *sort_arrays(void *argument) {
    sorter *const s = argument;
    rng r = {s->seed};
    uint32_t *const from = malloc(BYTES), *const keys = malloc(BYTES);
    s->right = from != NULL && keys != NULL;
    for (unsigned k = 0; k < MOVES && s->right; k++) {
        fill_random(&r, from, BYTES);
        memset(keys, POISON_VALUE, BYTES);
        const riffle_sort_arrays arrays = {.keys = keys, .from_keys = from};
        s->right = riffle_sort_execute(s->plan, &arrays) == RIFFLE_OK;
        qsort(from, NUMBERS, sizeof *from, compare_numbers);
        s->right = s->right && memcmp(keys, from, BYTES) == 0;
    }
    free(from);
    free(keys);
    return NULL;
}

/* Each execution has memory of its own, so that none waits. */
static void sorts_are_shared_by_threads(void **state) {
    (void)state;
    riffle_sort_key key;
    riffle_sort_plan *plan;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, false, &key), RIFFLE_OK);
    const riffle_sort_options options = {.threads = 2};
    assert_int_equal(riffle_sort_plan_create(NUMBERS, &key, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
    pthread_t threads[THREADS];
    sorter sorters[THREADS];
    for (unsigned t = 0; t < THREADS; t++) {
        sorters[t] = (sorter){plan, test_seed() + t, false};
        assert_int_equal(pthread_create(&threads[t], NULL, sort_arrays, &sorters[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(threads[t], NULL), 0);
        assert_true(sorters[t].right);
    }
    riffle_sort_plan_free(plan);
}

int main(void) {
    omp_set_num_threads(2); /* whatever the host has */
    const struct CMUnitTest tests[] = {cmocka_unit_test(plans_are_shared_by_threads),
                                       cmocka_unit_test(sorts_are_shared_by_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
