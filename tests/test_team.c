/* SPDX-License-Identifier: Apache-2.0
 *
 * The threads of a loop: together they do all of it, each a part of its own, and a single one needs no parallel region.
 */
#include <omp.h>

#include "engines/cpu/team.h"
#include "support.h"

enum { MOST_ITEMS = 100, MOST_THREADS = 7 };

typedef struct tally {
    uint64_t items, at_a_time;
    unsigned *seen; /* how often each item was */
    uint64_t *taken;
    int level; /* of parallel regions around the work */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_make_up_the_whole),
        cmocka_unit_test(a_single_thread_needs_no_region),
        cmocka_unit_test(a_team_within_a_callers_region_does_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
