/* SPDX-License-Identifier: Apache-2.0
 *
 * Knowledge of an array's bytes, whatever the size of its cells.
 */
#include "machine/check/shadow.h"
#include "machine_support.h"
#include "random_numbers.h"

/* Pieces that the host writes, in any order, against one mark for each byte. */
static void what_the_host_writes_is_defined(void **state) {
    (void)state;
    enum { BYTES = 1022, PIECES = 400, LONGEST = 300 };
    bool marked[BYTES] = {false};
    rng random = {19};
    shadow s;
    ordering o;
    assert_true(ordering_init(&o, 32, 32) && shadow_init(&s, BYTES, false));
    ordering_begin_launch(&o, 32);
    assert_true(ordering_begin_block(&o, 0));
    const shadow_accessor who = {&o, 0, ordering_segment(&o, 0), 1, SHADOW_WEAK, false};
    for (unsigned k = 0; k < PIECES; k++) {
        const size_t from = rng_below(&random, BYTES), most = BYTES - from < LONGEST ? BYTES - from : LONGEST;
        const size_t bytes = k < PIECES / 2 ? most / (1 + k % 16) : 0;
        assert_true(shadow_define(&s, from, bytes));
        memset(marked + from, true, bytes);
        const size_t unit = (size_t)1 << rng_below(&random, 3), at = rng_below(&random, BYTES / unit) * unit;
        bool all = true;
        for (size_t b = at; b < at + unit; b++) all = all && marked[b];
        shadow_finding found;
        assert_true(shadow_access(&s, at, unit, OP_READ, &who, &found));
        assert_int_equal(found.uninitialized, !all);
    }
    shadow_free(&s);
    ordering_free(&o);
}

static void assert_same_race(const shadow_race *a, const shadow_race *b) {
    assert_int_equal(a->found, b->found);
    assert_int_equal(a->atomic, b->atomic);
    assert_int_equal(a->site, b->site);
    assert_int_equal(a->segment, b->segment);
}

/* Accesses of ever smaller sizes, to an array whose cells become smaller with them and to one whose cells have a byte from the start. */
static void cells_of_any_size_know_the_same(void **state) {
    (void)state;
    enum { BYTES = 256, ACCESSES = 30000, SIZES = 5, ONE_BYTE = BYTES };
    rng random = {33};
    shadow large, small;
    ordering o;
    unsigned races = 0;
    assert_true(ordering_init(&o, 32, 32) && shadow_init(&large, BYTES + 16, false) && shadow_init(&small, BYTES + 16, false));
    ordering_begin_launch(&o, 32);
    assert_true(ordering_begin_block(&o, 0));
    shadow_finding one, other;
    const shadow_accessor first = {&o, 0, ordering_segment(&o, 0), 1, SHADOW_WEAK, false};
    assert_true(shadow_access(&small, ONE_BYTE, 1, OP_WRITE, &first, &one));
    assert_true(large.shift == 4 && small.shift == 0);
    assert_true(shadow_define(&large, 16, 48) && shadow_define(&small, 16, 48));
    for (unsigned k = 0; k < ACCESSES; k++) {
        const unsigned widest = SIZES - k / (ACCESSES / SIZES), bytes = 16u >> rng_below(&random, SIZES + 1 - widest);
        const size_t at = rng_below(&random, BYTES / bytes) * bytes;
        const unsigned thread = (unsigned)rng_below(&random, 32);
        const report_op op = (report_op)rng_below(&random, 3);
        const shadow_accessor who = {&o, thread, ordering_segment(&o, thread), (uint16_t)(1 + k % 100), SHADOW_WEAK, false};
        assert_true(shadow_access(&large, at, bytes, op, &who, &one) && shadow_access(&small, at, bytes, op, &who, &other));
        assert_int_equal(one.uninitialized, other.uninitialized);
        assert_same_race(&one.with_write, &other.with_write);
        assert_same_race(&one.with_read, &other.with_read);
        races += one.with_write.found;
        if (rng_below(&random, 64) == 0) assert_true(ordering_barrier(&o));
    }
    assert_true(races > 0 && large.shift == 0);
    shadow_free(&large);
    shadow_free(&small);
    ordering_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_host_writes_is_defined),
        cmocka_unit_test(cells_of_any_size_know_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
