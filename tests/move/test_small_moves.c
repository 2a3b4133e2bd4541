/* SPDX-License-Identifier: Apache-2.0
 *
 * Executions of short arrays: no parallel region below 1 MiB, no thread, no memory from the allocator, and no system call. Tables and
 * plans of them open no region either, and in a process that asks for one thread none of any length. The
 * allocator's functions, pthread_create and libgomp's door to parallel regions are this program's, which counts. A child process that
 * the kernel ends at any system call but _exit executes each plan, too. And executions take no more threads than OpenMP gives when they
 * begin.
 */
#define _GNU_SOURCE /* RTLD_NEXT, syscall */
#include <dlfcn.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perm/kind.h"
#include "plan/plan.h"
#include "support.h"

/* Sanitizers have these functions themselves, and call the system when they like. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                                     \
    __has_feature(undefined_behavior_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

static volatile unsigned allocations, threads_started, regions;

#if !IS_SANITIZED && defined(__GLIBC__)
#define COUNTS_CALLS 1
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes) {
    allocations++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    allocations++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes) {
    allocations++;
    return __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    allocations++;
    return __libc_memalign(alignment, bytes);
}

typedef int create_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*run)(void *),
                   void *restrict argument) {
    create_thread *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    threads_started++;
    return create(thread, attributes, run, argument);
}

/* gcc's code of `#pragma omp parallel`. */
typedef void open_region(void (*work)(void *), void *data, unsigned threads, unsigned flags);
open_region GOMP_parallel;

void GOMP_parallel(void (*work)(void *), void *data, unsigned threads, unsigned flags) {
    open_region *open;
    *(void **)&open = dlsym(RTLD_NEXT, "GOMP_parallel");
    regions++;
    open(work, data, threads, flags);
}
#else
#define COUNTS_CALLS 0
#endif

#if COUNTS_CALLS && !defined(__clang__)
enum { COUNTS_REGIONS = 1 };
#else
enum { COUNTS_REGIONS = 0 };
#endif

typedef struct small_case {
    const char *by;
    uint64_t n;
    size_t elem_bytes;
} small_case;

/* 1 KiB, odd lengths, and the longest array of one thread. */
static const small_case CASES[] = {
    {"identity", 256, 4},
    {"identity", 1, 3},
    {"rotate:5", 256, 4},
    {"rotate:77", (1 << 18) - 1, 4},
    {"reverse", 256, 4},
    {"reverse", 255, 7},
    {"reverse", 1 << 17, 4},
    {"bit-reversal", 256, 4},
    {"bit-reversal", 8, 4},
    {"bit-reversal", 1024, 1},
    {"bit-reversal", 1 << 17, 4},
    {"transpose:16x16", 256, 4},
    {"transpose:512x256", 1 << 17, 4},
    {"random-affine:1", 256, 4},
    {"random-affine:2", 64, 16},
    {"random-affine:3", 1 << 16, 8},
    {"axes:5x7x7:2,1,0", 245, 4},
    {"axes:3x4x5x2:3,0,2,1", 120, 24},
    {"axes:51x52x53:2,1,0", 51 * 52 * 53, 4},
    {"axes:127x129x3:1,2,0", 127 * 129 * 3, 1},
    {"random:1", 256, 4},
    {"random:2", 1024, 1},
    {"random:3", 513, 12},
    {"random:4", 30000, 8},
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

typedef struct small_move {
    riffle_plan *plan;
    riffle_perm *perm;
    unsigned char *dst, *src;
    size_t bytes;
} small_move;

static small_move begin(const small_case *c, unsigned threads) {
    small_move m = {.bytes = c->n * c->elem_bytes};
    m.perm = parse_or_fail(c->by, c->n);
    const riffle_plan_options options = {.threads = threads};
    if (riffle_plan_create(m.perm, c->elem_bytes, RIFFLE_ENGINE_CPU, &options, &m.plan) != RIFFLE_OK)
        fail_msg("%s: %s", c->by, riffle_error_detail());
    m.dst = malloc(m.bytes);
    m.src = malloc(m.bytes);
    assert_true(m.dst != NULL && m.src != NULL);
    rng g = {test_seed()};
    for (size_t k = 0; k < m.bytes; k++) m.src[k] = (unsigned char)rng_next(&g);
    memset(m.dst, POISON_VALUE, m.bytes);
    return m;
}

static void end(small_move *m) {
    riffle_plan_free(m->plan);
    riffle_perm_free(m->perm);
    free(m->dst);
    free(m->src);
}

static void expect_moved(const small_case *c, const small_move *m) {
    for (uint64_t i = 0; i < c->n; i++)
        if (memcmp(m->dst + riffle_perm_at(m->perm, i) * c->elem_bytes, m->src + i * c->elem_bytes,
                   c->elem_bytes) != 0)
            fail_msg("%s of %llu elements of %zu bytes: element %llu is wrong", c->by, (unsigned long long)c->n,
                     c->elem_bytes, (unsigned long long)i);
}

static void nothing_is_allocated_and_no_thread_wakes(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2 * CASE_COUNT; k++) {
        const small_case *const c = &CASES[k / 2];
        small_move m = begin(c, k % 2);
        assert_int_equal(riffle_plan_threads(m.plan), 1);
        allocations = threads_started = regions = 0;
        const riffle_status status = riffle_execute(m.plan, m.dst, m.src);
        if (allocations + threads_started + regions != 0)
            fail_msg("%s of %llu elements: %u allocations, %u threads, %u parallel regions", c->by,
                     (unsigned long long)c->n, allocations, threads_started, regions);
        assert_int_equal(status, RIFFLE_OK);
        expect_moved(c, &m);
        end(&m);
    }
}

/* The functions above count. */
static void calls_are_counted(void **state) {
    (void)state;
    if (!COUNTS_CALLS) skip();
    allocations = regions = 0;
    void *volatile held = malloc(1); /* a compiler leaves both calls out if nobody looks at it */
    free(held);
    assert_int_equal(allocations, 1);
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
    assert_true(members >= 1);
    assert_true(regions == COUNTS_REGIONS);
}

/* The child's exit status; -1 where the kernel has no such mode, -2 where a system call ended it. */
static int execute_without_system(const small_move *m) {
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(77);
        const riffle_status status = riffle_execute(m->plan, m->dst, m->src);
        syscall(SYS_exit, (int)status);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) return -2;
    return WEXITSTATUS(status) == 77 ? -1 : WEXITSTATUS(status);
}

static void the_system_is_not_called(void **state) {
    (void)state;
    if (IS_SANITIZED) skip();
    for (unsigned k = 0; k < CASE_COUNT; k++) {
        small_move m = begin(&CASES[k], 0);
        assert_int_equal(riffle_execute(m.plan, m.dst, m.src),
                         RIFFLE_OK); /* pages of the arrays come with the first touch */
        const int ended = execute_without_system(&m);
        end(&m);
        if (ended == -1) skip();
        if (ended != 0)
            fail_msg("%s of %llu elements: ended with %d", CASES[k].by, (unsigned long long)CASES[k].n, ended);
    }
}

typedef struct planned_case {
    uint64_t n;
    int given; /* threads */
    bool in_regions;
} planned_case;

/* The longest tables below 1 MiB, and longer ones. */
static const planned_case PLANNED[] = {
    {256, 4, false},           {(1 << 18) - 1, 4, false},    {1 << 18, 4, true},
    {(1 << 18) - 1, 1, false}, {(1 << 20) + 77, 1, false}, {(1 << 20) + 77, 4, true},
};

/* Regions that a table of random entries, its inverse, its comparison and its plans open. */
static unsigned regions_of_plans(uint64_t n, const uint32_t *entries) {
    static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_BUCKET};
    riffle_perm *perm, *inverse;
    regions = 0;
    assert_int_equal(riffle_perm_table_u32(n, entries, &perm), RIFFLE_OK);
    assert_int_equal(riffle_perm_invert(perm, &inverse), RIFFLE_OK);
    assert_true(perm_same_values(perm, perm));
    for (size_t k = 0; k < sizeof algorithms / sizeof algorithms[0]; k++) {
        riffle_plan *plan;
        const riffle_plan_options options = {.algorithm = algorithms[k]};
        assert_int_equal(riffle_plan_create(inverse, 2, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
        riffle_plan_free(plan);
    }
    riffle_perm_free(inverse);
    riffle_perm_free(perm);
    return regions;
}

static void short_tables_are_planned_by_one_thread(void **state) {
    (void)state;
    const int before = omp_get_max_threads();
    for (size_t k = 0; k < sizeof PLANNED / sizeof PLANNED[0]; k++) {
        const planned_case *const c = &PLANNED[k];
        riffle_perm *random = parse_or_fail("random:5", c->n);
        uint32_t *const entries = malloc(c->n * sizeof *entries);
        assert_non_null(entries);
        for (uint64_t i = 0; i < c->n; i++) entries[i] = (uint32_t)riffle_perm_at(random, i);
        omp_set_num_threads(c->given);
        const unsigned opened = regions_of_plans(c->n, entries);
        if (opened != 0 && !c->in_regions)
            fail_msg("a table of %llu, %d threads: %u regions", (unsigned long long)c->n, c->given, opened);
        if (COUNTS_REGIONS && c->in_regions && opened == 0)
            fail_msg("a table of %llu, %d threads: no region", (unsigned long long)c->n, c->given);
        free(entries);
        riffle_perm_free(random);
    }
    omp_set_num_threads(before);
}

/* threadpoolctl and omp_set_num_threads hold for plans that were made before. A number that was asked for stays. */
static void executions_follow_openmp(void **state) {
    (void)state;
    static const struct {
        unsigned asked, given;
        int limit;
        unsigned regions;
    } cases[] = {{0, 4, 1, 0}, {0, 4, 4, 1}, {2, 4, 1, 1}, {1, 4, 4, 0}, {0, 1, 4, 0}};
    const small_case c = {"rotate:5", 1 << 20, 4};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        omp_set_num_threads((int)cases[k].given);
        small_move m = begin(&c, cases[k].asked);
        omp_set_num_threads(cases[k].limit);
        regions = 0;
        assert_int_equal(riffle_execute(m.plan, m.dst, m.src), RIFFLE_OK);
        if (COUNTS_REGIONS && regions != cases[k].regions)
            fail_msg("case %zu: %u parallel regions", k, regions);
        expect_moved(&c, &m);
        end(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_counted),
        cmocka_unit_test(nothing_is_allocated_and_no_thread_wakes),
        cmocka_unit_test(the_system_is_not_called),
        cmocka_unit_test(short_tables_are_planned_by_one_thread),
        cmocka_unit_test(executions_follow_openmp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
