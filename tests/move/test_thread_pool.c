/* SPDX-License-Identifier: Apache-2.0
 *
 * How many threads a plan takes, and that an execution starts none of its own: OpenMP's pool serves it, so the
 * first one starts the threads and the others find them. pthread_create is this program's, which counts, and
 * OpenMP's runtime calls it.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

#include "plan/plan.h"
#include "support.h"

static unsigned started; /* threads, by anybody in this process; one thread at a time starts others here */

/* The thread sanitizer has a pthread_create of its own, linked in, and must know of every thread. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CANNOT_COUNT
#endif
#endif
#ifndef CANNOT_COUNT
typedef int create_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*run)(void *),
                   void *restrict argument) {
    create_thread *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    started++;
    return create(thread, attributes, run, argument);
}
#endif

/* As many as the host has processors or not: what is tested here shall not depend on that. */
enum { GIVEN = 4, EXECUTIONS = 1000 };

/* Every kind of pass. Arrays that several threads share, and arrays that each are one thread's. */
enum { LONG_BITS = 20, SHORT_BITS = 10, ELEM_BYTES = 4 };

typedef struct pass_case {
    riffle_algorithm algorithm;
    const pass_kind *kind;
    const char *of_long, *of_short;
} pass_case;

static const pass_case CASES[] = {
    {RIFFLE_ALGORITHM_COPY, &PASS_COPY, "reverse", "reverse"},
    {RIFFLE_ALGORITHM_SCATTER, &PASS_SCATTER, "random:1", "random:1"},
    {RIFFLE_ALGORITHM_GATHER, &PASS_GATHER, "random:1", "random:1"},
    {RIFFLE_ALGORITHM_AFFINE, &PASS_AFFINE_LINES, "bit-reversal", "bit-reversal"},
    {RIFFLE_ALGORITHM_AXES, &PASS_AXES_TILE, "axes:128x64x128:2,0,1", "axes:8x16x8:2,0,1"},
    {RIFFLE_ALGORITHM_BUCKET, &PASS_BUCKET, "random:1", "random:1"},
    {RIFFLE_ALGORITHM_TRANSPOSE, &PASS_TRANSPOSE, "transpose:1024x1024", "transpose:32x32"},
    {RIFFLE_ALGORITHM_ROW_WISE, &PASS_ROW_WISE, "identity", "identity"},
    {RIFFLE_ALGORITHM_SCHEDULED, &PASS_ROW_WISE, "random:1", NULL}, /* short arrays share its workspace */
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

typedef struct arrays {
    void *dst, *src;
    size_t bytes;
} arrays;

static arrays make_arrays(size_t bytes) {
    arrays a = {.bytes = bytes};
    assert_int_equal(riffle_buffer_create(bytes, &a.dst), RIFFLE_OK);
    assert_int_equal(riffle_buffer_create(bytes, &a.src), RIFFLE_OK);
    return a;
}

static void free_arrays(arrays a) {
    riffle_buffer_free(a.dst, a.bytes);
    riffle_buffer_free(a.src, a.bytes);
}

static riffle_plan *plan_or_fail(const char *spec, uint64_t n, riffle_plan_options options) {
    riffle_perm *perm = parse_or_fail(spec, n);
    riffle_plan *plan = NULL;
    if (riffle_plan_create(perm, ELEM_BYTES, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
        fail_msg("%s: %s", spec, riffle_error_detail());
    riffle_perm_free(perm);
    return plan;
}

/* The plan is one for several threads, and all executions but the first start none. */
static void expect_no_new_threads(const char *what, const riffle_plan *plan, unsigned executions, arrays a) {
    assert_in_range(plan->request.batch * plan->request.array_bytes, 1, a.bytes);
    if (riffle_plan_threads(plan) < 2) fail_msg("%s: planned for one thread", what);
    assert_int_equal(riffle_execute(plan, a.dst, a.src), RIFFLE_OK);
    const unsigned before = started;
    for (unsigned k = 0; k < executions; k++) assert_int_equal(riffle_execute(plan, a.dst, a.src), RIFFLE_OK);
    if (started != before)
        fail_msg("%s, %u threads: %u executions started %u threads", what, riffle_plan_threads(plan),
                 executions, started - before);
}

static void skip_without_counter(void) {
#ifdef CANNOT_COUNT
    skip();
#endif
}

static void every_pass_finds_its_threads(unsigned threads) {
    skip_without_counter();
    const uint64_t n = (uint64_t)1 << LONG_BITS;
    const arrays a = make_arrays(n * ELEM_BYTES);
    memset(a.src, 1, a.bytes);
    for (unsigned k = 0; k < CASE_COUNT; k++) {
        const pass_case *c = &CASES[k];
        riffle_plan *plan =
            plan_or_fail(c->of_long, n, (riffle_plan_options){.algorithm = c->algorithm, .threads = threads});
        assert_ptr_equal(plan->passes[0].kind, c->kind);
        expect_no_new_threads(riffle_algorithm_string(c->algorithm), plan, 5, a);
        riffle_plan_free(plan);
    }
    free_arrays(a);
}

static void two_threads_are_found_again(void **state) {
    (void)state;
    every_pass_finds_its_threads(2);
}

static void as_many_threads_as_are_given_are_found_again(void **state) {
    (void)state;
    every_pass_finds_its_threads(0);
}

/* Short arrays go to a thread each. */
static void every_batch_finds_its_threads(unsigned threads) {
    skip_without_counter();
    const uint64_t n = (uint64_t)1 << SHORT_BITS, batch = (uint64_t)1 << (LONG_BITS - SHORT_BITS);
    const arrays a = make_arrays(batch * n * ELEM_BYTES);
    for (unsigned k = 0; k < CASE_COUNT; k++) {
        const pass_case *c = &CASES[k];
        if (c->of_short == NULL) continue;
        riffle_plan *plan =
            plan_or_fail(c->of_short, n,
                         (riffle_plan_options){.algorithm = c->algorithm, .threads = threads, .batch = batch});
        expect_no_new_threads(riffle_algorithm_string(c->algorithm), plan, 5, a);
        riffle_plan_free(plan);
    }
    free_arrays(a);
}

static void batches_on_two_threads_find_them_again(void **state) {
    (void)state;
    every_batch_finds_its_threads(2);
}

static void batches_on_all_threads_find_them_again(void **state) {
    (void)state;
    every_batch_finds_its_threads(0);
}

/* Arrays that are long enough for several threads each. */
static void long_arrays_of_a_batch_find_their_threads(void **state) {
    (void)state;
    skip_without_counter();
    const uint64_t n = (uint64_t)1 << LONG_BITS, batch = 2;
    const arrays a = make_arrays(batch * n * ELEM_BYTES);
    for (unsigned threads = 0; threads <= 2; threads += 2) {
        const riffle_plan_options options = {.threads = threads, .batch = batch};
        riffle_plan *plan = plan_or_fail("bit-reversal", n, options);
        assert_in_range(plan->choice.threads, 2, GIVEN);
        assert_int_equal(plan->choice.batch_threads, 1);
        expect_no_new_threads("a batch of long arrays", plan, 5, a);
        riffle_plan_free(plan);
    }
    free_arrays(a);
}

static void a_thousand_executions_start_the_threads_of_one(void **state) {
    (void)state;
    skip_without_counter();
    const uint64_t n = (uint64_t)1 << (LONG_BITS - 2); /* the shortest array that two threads share */
    const arrays a = make_arrays(n * ELEM_BYTES);
    riffle_plan *plan = plan_or_fail("reverse", n, (riffle_plan_options){.threads = 2});
    expect_no_new_threads("reverse", plan, EXECUTIONS, a);
    riffle_plan_free(plan);
    free_arrays(a);
}

static unsigned fewer(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned processors(void) {
    const unsigned here = (unsigned)omp_get_num_procs();
    return here > GIVEN ? here : GIVEN;
}

/* Two threads are more than an array of less than 1 MiB pays for, and elements that are scattered into lines
 * that the threads share pay from 4 MiB on. However many are asked for, each has as much. */
static void short_arrays_are_one_threads_work(void **state) {
    (void)state;
    static const struct {
        riffle_algorithm algorithm;
        size_t elem_bytes, bytes;
        unsigned threads;
    } cases[] = {
        {RIFFLE_ALGORITHM_COPY, 4, 16 << 10, 1},      {RIFFLE_ALGORITHM_COPY, 4, 64 << 10, 1},
        {RIFFLE_ALGORITHM_COPY, 4, (1 << 20) - 4, 1}, {RIFFLE_ALGORITHM_COPY, 4, 1 << 20, 2},
        {RIFFLE_ALGORITHM_COPY, 4, 3 << 19, 3},       {RIFFLE_ALGORITHM_COPY, 4, 64 << 20, GIVEN},
        {RIFFLE_ALGORITHM_AFFINE, 4, 1 << 19, 1},     {RIFFLE_ALGORITHM_AFFINE, 4, 1 << 20, 2},
        {RIFFLE_ALGORITHM_GATHER, 4, 1 << 19, 1},     {RIFFLE_ALGORITHM_GATHER, 4, 1 << 20, 2},
        {RIFFLE_ALGORITHM_SCATTER, 4, 1 << 21, 1},    {RIFFLE_ALGORITHM_SCATTER, 4, (4 << 20) - 4, 1},
        {RIFFLE_ALGORITHM_SCATTER, 4, 4 << 20, 2},    {RIFFLE_ALGORITHM_SCATTER, 32, 1 << 21, 1},
        {RIFFLE_ALGORITHM_SCATTER, 64, 1 << 20, 2},   {RIFFLE_ALGORITHM_SCATTER, 4, 64 << 20, GIVEN},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm *perm = parse_or_fail("reverse", cases[k].bytes / cases[k].elem_bytes);
        for (unsigned asked = 0; asked <= 64; asked += 32) {
            const riffle_plan_options options = {.algorithm = cases[k].algorithm, .threads = asked};
            riffle_plan *plan = NULL;
            if (riffle_plan_create(perm, cases[k].elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
                fail_msg("case %zu: %s", k, riffle_error_detail());
            const bool all =
                cases[k].threads == GIVEN && asked > 0; /* a machine may have more processors than that */
            if (riffle_plan_threads(plan) != (all ? fewer(asked, processors()) : cases[k].threads))
                fail_msg("case %zu, %u threads asked for: %u taken", k, asked, riffle_plan_threads(plan));
            riffle_plan_free(plan);
        }
        riffle_perm_free(perm);
    }
}

/* No more threads than arrays, none that has less to do than one of several at one array would, and one where
 * the arrays share a workspace. */
static void batches_take_as_many_threads_as_pay(void **state) {
    (void)state;
    static const struct {
        uint64_t n, batch, stride;
        unsigned threads;
    } cases[] = {
        {1 << 10, 255, 0, 1}, {1 << 10, 256, 0, 2},       {1 << 10, 1 << 10, 0, GIVEN},
        {3 << 16, 2, 0, 2},   {1 << 10, 255, 1 << 20, 1}, {1 << 17, 1, 0, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_plan *plan = plan_or_fail(
            "reverse", cases[k].n, (riffle_plan_options){.batch = cases[k].batch, .stride = cases[k].stride});
        assert_int_equal(plan->choice.threads, 1);
        if (riffle_plan_threads(plan) != cases[k].threads)
            fail_msg("case %zu: %u threads", k, riffle_plan_threads(plan));
        riffle_plan_free(plan);
    }
    const riffle_plan_options scheduled = {.algorithm = RIFFLE_ALGORITHM_SCHEDULED, .batch = 1 << 10};
    riffle_plan *plan = plan_or_fail("random:1", 1 << 10, scheduled);
    assert_int_equal(riffle_plan_threads(plan), 1);
    riffle_plan_free(plan);
}

/* The count is of threads that OpenMP starts. */
static void threads_are_counted(void **state) {
    (void)state;
    skip_without_counter();
    const unsigned before = started;
    unsigned members = 0;
#pragma omp parallel num_threads(GIVEN) reduction(+ : members)
    members++;
    assert_int_equal(members, GIVEN);
    assert_int_equal(started - before, GIVEN - 1);
}

int main(void) {
    omp_set_num_threads(GIVEN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_arrays_are_one_threads_work),
        cmocka_unit_test(batches_take_as_many_threads_as_pay),
        cmocka_unit_test(threads_are_counted),
        cmocka_unit_test(two_threads_are_found_again),
        cmocka_unit_test(as_many_threads_as_are_given_are_found_again),
        cmocka_unit_test(batches_on_two_threads_find_them_again),
        cmocka_unit_test(batches_on_all_threads_find_them_again),
        cmocka_unit_test(long_arrays_of_a_batch_find_their_threads),
        cmocka_unit_test(a_thousand_executions_start_the_threads_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
