/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers that checks of passes add up of codes: two codes that change, or four, so that their sum stays, are found, all of them, where they are
 * not the same codes again; and so is one of a pair.
 */
#include <stdlib.h>

#include "check/kernels/codes.h"
#include "random_numbers.h"
#include "support.h"

enum { CODES = 4 };

static uint64_t seed;

/* Codes of 4 bytes, of 8, and pairs, whose upper half is what goes along. */
typedef struct code_kind {
    unsigned bits;
    bool is_pair;
} code_kind;

static void add_code(check_sums *sums, const code_kind *kind, uint64_t code) {
    if (kind->is_pair)
        check_add_pair(sums, (uint32_t)code, (uint32_t)(code >> 32));
    else if (kind->bits == 32)
        check_add_code_4(sums, (uint32_t)code);
    else
        check_add_code(sums, code);
}

static int compare(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool are_same(uint64_t *a, uint64_t *b) {
    qsort(a, CODES, sizeof *a, compare);
    qsort(b, CODES, sizeof *b, compare);
    return memcmp(a, b, CODES * sizeof *a) == 0;
}

/* Few low bits and many, around a number; differences are a power of two, a sum of two, or any. */
static void change(rng *r, unsigned bits, uint64_t before[CODES], uint64_t after[CODES]) {
    const uint64_t all = UINT64_MAX >> (64 - bits), low = UINT64_MAX >> (60 - rng_below(r, bits - 3)),
                   from = rng_below(r, 2) == 0 ? 0 : rng_next(r);
    const uint64_t one = UINT64_C(1) << rng_below(r, bits), two = UINT64_C(1) << rng_below(r, bits);
    const uint64_t d = rng_below(r, 4) == 0   ? rng_next(r)
                       : rng_below(r, 2) == 0 ? one
                                              : one + two,
                   e = rng_below(r, 2) == 0   ? 0
                       : rng_below(r, 2) == 0 ? d
                                              : two;
    for (unsigned k = 0; k < CODES; k++) before[k] = (from + (rng_next(r) & low)) & all;
    after[0] = (before[0] + d) & all, after[1] = (before[1] - d) & all;
    after[2] = (before[2] + e) & all, after[3] = (before[3] - e) & all;
}

static void changes_are_found(void **state) {
    static const code_kind kinds[] = {{32, false}, {64, false}, {64, true}};
    const unsigned rounds = test_is_long() ? 10000000 : 100000;
    rng r = {seed};
    (void)state;
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned round = 0; round < rounds; round++) {
            uint64_t before[CODES], after[CODES];
            check_sums was = {0, 0}, is = {0, 0};
            change(&r, kinds[k].bits, before, after);
            for (unsigned c = 0; c < CODES; c++) {
                add_code(&was, &kinds[k], before[c]);
                add_code(&is, &kinds[k], after[c]);
            }
            if (was.first == is.first && was.second == is.second && !are_same(before, after))
                fail_msg("seed %llu, kind %u, round %u: missed", (unsigned long long)seed, k, round);
        }
}

/* One of a pair that changes moves the second sum. */
static void one_of_a_pair_is_found(void **state) {
    rng r = {seed + 1};
    (void)state;
    for (unsigned round = 0; round < 100000; round++) {
        const uint64_t code = rng_next(&r), bit = UINT64_C(1) << rng_below(&r, 64);
        const uint32_t along = (uint32_t)rng_next(&r), other = (uint32_t)rng_next(&r);
        check_sums was = {0, 0}, changed = {0, 0}, moved = {0, 0};
        check_add_pair(&was, code, along);
        check_add_pair(&changed, code ^ bit, along);
        check_add_pair(&moved, code, other);
        assert_true(was.second != changed.second);
        assert_true(along == other || was.second != moved.second);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_found),
                                       cmocka_unit_test(one_of_a_pair_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
