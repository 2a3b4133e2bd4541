/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of a loop: together they do all of it, each a part of its own, and a single one needs no parallel
 * region. And every loop with more threads than a plan would take, for arrays of any length.
 */
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "base/threads/team.h"
#include "plan/plan.h"
#include "rounds.h"
#include "support.h"

enum { MOST_ITEMS = 100, MOST_THREADS = 7 };

typedef struct tally {
    uint64_t items, at_a_time;
    unsigned *seen; /* how often each item was */
    uint64_t *taken;
    int level; /* level of parallel regions around the work */
    unsigned *members, *wrong;
} tally;

static void count_share(const void *context, team_member me) {
    const tally *t = context;
    const team_share mine = team_share_of(t->items, me);
    for (uint64_t k = mine.first; k < mine.end; k++) t->seen[k]++;
}

static void count_taken(const void *context, team_member me) {
    (void)me;
    const tally *t = context;
    for (;;) {
        const team_share some = team_take(t->items, t->at_a_time, t->taken);
        if (some.first == some.end) return;
        for (uint64_t k = some.first; k < some.end; k++) t->seen[k]++;
    }
}

static void expect_each_once(const tally *t, unsigned threads) {
    for (uint64_t k = 0; k < t->items; k++) {
        if (t->seen[k] != 1)
            fail_msg("%u threads: item %llu of %llu was taken %u times", threads, (unsigned long long)k,
                     (unsigned long long)t->items, t->seen[k]);
        t->seen[k] = 0;
    }
}

static void shares_make_up_the_whole(void **state) {
    (void)state;
    unsigned seen[MOST_ITEMS] = {0};
    uint64_t taken;
    for (unsigned threads = 1; threads <= MOST_THREADS; threads++) {
        for (uint64_t items = 0; items <= MOST_ITEMS; items++) {
            const tally t = {.items = items, .at_a_time = 1 + items % 5, .seen = seen, .taken = &taken};
            team_run(threads, count_share, &t);
            expect_each_once(&t, threads);
            taken = 0;
            team_run(threads, count_taken, &t);
            expect_each_once(&t, threads);
        }
    }
}

typedef struct meeting {
    tally all;
    unsigned *arrived;
} meeting;

/* None begins before all are there: the first would be done before the second wakes. */
static void count_taken_together(const void *context, team_member me) {
    const meeting *m = context;
    __atomic_fetch_add(m->arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(m->arrived, __ATOMIC_ACQUIRE) < me.count) sched_yield();
    count_taken(&m->all, me);
}

/* Many takings of one item each, by threads at one time. */
static void nothing_is_taken_twice(void **state) {
    (void)state;
    enum { MANY = 1 << 20, TIMES = 5, THREADS = 4 };
    unsigned *const seen = calloc(MANY, sizeof *seen);
    assert_non_null(seen);
    for (unsigned k = 0; k < TIMES; k++) {
        uint64_t taken = 0;
        unsigned arrived = 0;
        const meeting m = {{.items = MANY, .at_a_time = 1, .seen = seen, .taken = &taken}, &arrived};
        team_run(THREADS, count_taken_together, &m);
        expect_each_once(&m.all, THREADS);
    }
    free(seen);
}

#if defined(__x86_64__)
/* Another member, that takes the second item or the first when this one has done `when` instructions of its taking. */
static struct {
    uint64_t taken;
    unsigned done, when;
    team_share mine;
} other;

static void take_between(int number) {
    (void)number;
    if (++other.done == other.when) other.mine = team_take(2, 1, &other.taken);
}

/* The processor stops after each instruction while its trap flag is set. The red zone is left alone. */
static inline void step_from_here(void) {
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                         : "cc", "memory");
}
static inline void step_no_more(void) {
    __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; lea 128(%%rsp), %%rsp" ::
                         : "cc", "memory");
}

/* A taking between any two instructions of another's: two threads meet so, but not in every run. */
static void a_taking_within_another_loses_none(void **state) {
    (void)state;
    if (is_sanitized()) skip(); /* a sanitizer keeps signals back */
    struct sigaction before;
    const struct sigaction between = {.sa_handler = take_between};
    assert_int_equal(sigaction(SIGTRAP, &between, &before), 0);
    unsigned met = 0;
    do {
        other.taken = other.done = 0;
        other.when = met + 1;
        step_from_here();
        const team_share mine = team_take(2, 1, &other.taken);
        step_no_more();
        if (other.done < other.when) break;
        if (mine.first == other.mine.first || mine.first + other.mine.first != 1)
            fail_msg("after %u instructions: items %llu and %llu were taken", other.when,
                     (unsigned long long)mine.first, (unsigned long long)other.mine.first);
    } while (++met < 1000);
    assert_int_equal(sigaction(SIGTRAP, &before, NULL), 0);
    assert_in_range(met, 2, 999);
}
#endif

static void note_level(const void *context, team_member me) {
    const tally *t = context;
    if (omp_get_level() != t->level) __atomic_fetch_add(t->wrong, 1, __ATOMIC_RELAXED);
    if (me.number == 0) *t->members = me.count;
}

static void a_single_thread_needs_no_region(void **state) {
    (void)state;
    unsigned members = 0, wrong = 0;
    const tally alone = {.level = 0, .members = &members, .wrong = &wrong};
    team_run(1, note_level, &alone);
    assert_int_equal(members, 1);
    team_run(0, note_level, &alone);
    assert_int_equal(members, 1);
    const tally several = {.level = 1, .members = &members, .wrong = &wrong};
    team_run(3, note_level, &several);
    assert_int_equal(members, 3);
    assert_int_equal(wrong, 0);
}

/* A caller's own threads: each does all of its own loop. */
static void a_team_within_a_callers_region_does_all(void **state) {
    (void)state;
    unsigned wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
    {
        unsigned seen[MOST_ITEMS] = {0};
        for (unsigned threads = 1; threads <= 2; threads++) {
            const tally t = {.items = MOST_ITEMS, .seen = seen};
            team_run(threads, count_share, &t);
            for (unsigned k = 0; k < MOST_ITEMS; k++) wrong += seen[k] != threads;
        }
    }
    assert_int_equal(wrong, 0);
}

/* Plans whose threads share no staging may be given any number of them. (test_bucket.c does so with the
 * other.) */
static void check_loop(rng *r, riffle_algorithm algorithm, const char *spec, uint64_t n, size_t elem_bytes,
                       unsigned threads) {
    riffle_perm *perm = parse_or_fail(spec, n);
    const riffle_plan_options options = {.algorithm = algorithm};
    riffle_plan *plan;
    const riffle_status status = riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status != RIFFLE_OK) fail_msg("%s: %s", spec, riffle_error_detail());
    assert_int_equal(plan->staging_bytes, 0);
    plan->choice.threads = threads;
    guarded dst = guarded_create(n * elem_bytes, rng_below(r, 64)), src = guarded_create(n * elem_bytes, 0);
    fill_random(r, src.data, src.bytes);
    assert_int_equal(riffle_execute(plan, dst.data, src.data), RIFFLE_OK);
    if (!guarded_intact(&dst) || !is_moved(perm, dst.data, src.data, elem_bytes))
        fail_msg("%s: %s of %llu elements of %zu bytes, %u threads", spec, riffle_algorithm_string(algorithm),
                 (unsigned long long)n, elem_bytes, threads);
    guarded_free(&dst);
    guarded_free(&src);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

static void every_loop_takes_any_number_of_threads(void **state) {
    (void)state;
    static const struct {
        riffle_algorithm algorithm;
        const char *spec;
        uint64_t n;
    } cases[] = {
        {RIFFLE_ALGORITHM_COPY, "reverse", 0},
        {RIFFLE_ALGORITHM_COPY, "reverse|rotate:3", 1021},
        {RIFFLE_ALGORITHM_COPY, "rotate:5", 3},
        {RIFFLE_ALGORITHM_COPY, "rotate:77", 4096},
        {RIFFLE_ALGORITHM_SCATTER, "random:1", 2},
        {RIFFLE_ALGORITHM_SCATTER, "random:2", 9973},
        {RIFFLE_ALGORITHM_SCATTER, "reverse", 1024},
        {RIFFLE_ALGORITHM_GATHER, "random:3", 5},
        {RIFFLE_ALGORITHM_GATHER, "random:4", 4097},
        {RIFFLE_ALGORITHM_GATHER, "bit-reversal", 1024},
        {RIFFLE_ALGORITHM_AFFINE, "bit-reversal", 1 << 12},
        {RIFFLE_ALGORITHM_AFFINE, "random-affine:1", 1 << 14},
        {RIFFLE_ALGORITHM_AXES, "axes:2x3x5:2,0,1", 30},
        {RIFFLE_ALGORITHM_AXES, "axes:31x33x17:1,2,0", 31 * 33 * 17},
        {RIFFLE_ALGORITHM_TRANSPOSE, "transpose:33x65", 33 * 65},
        {RIFFLE_ALGORITHM_TRANSPOSE, "transpose:3x2", 6},
        {RIFFLE_ALGORITHM_SCHEDULED, "random:5", 1000},
        {RIFFLE_ALGORITHM_SCHEDULED, "random:6", 1 << 13},
        {RIFFLE_ALGORITHM_CONFLICT_FREE, "random:7", 1021},
    };
    static const size_t sizes[] = {1, 4, 8, 64};
    rng r = {test_seed()};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (unsigned threads = 1; threads <= MOST_THREADS; threads += 2)
                check_loop(&r, cases[k].algorithm, cases[k].spec, cases[k].n, sizes[s], threads);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_make_up_the_whole),
        cmocka_unit_test(nothing_is_taken_twice),
#if defined(__x86_64__)
        cmocka_unit_test(a_taking_within_another_loses_none),
#endif
        cmocka_unit_test(a_single_thread_needs_no_region),
        cmocka_unit_test(a_team_within_a_callers_region_does_all),
        cmocka_unit_test(every_loop_takes_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
