/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of vectors of 16 bytes at places, which checks of passes add up on devices: what check/kernels/hash.h says is always found, and how
 * rare the rest is.
 */
#include "check/kernels/hash.h"
#include "support.h"

static uint64_t seed;

enum { WORDS = 4 };

static check_pair keys_of(uint64_t vector, uint32_t word) {
    return check_keys_in(check_mix((uint32_t)vector, 1 + (uint32_t)(vector >> 32)), word);
}

static bool are_zeros(check_pair keys) { return keys.first == 0 && keys.second == 0; }

static check_pair difference(check_pair a, check_pair b) {
    return (check_pair){a.first - b.first, a.second - b.second};
}

static void one_word_and_two_of_a_vector_are_found(void **state) {
    rng r = {seed};
    (void)state;
    for (unsigned round = 0; round < 1000000; round++) {
        const uint64_t vector = rng_below(&r, UINT64_C(1) << 33);
        for (uint32_t k = 0; k < WORDS; k++) {
            assert_false(are_zeros(keys_of(vector, k)));
            for (uint32_t j = 0; j < k; j++)
                assert_false(are_zeros(difference(keys_of(vector, k), keys_of(vector, j))));
        }
    }
}

/* Two numbers that would make the keys of a word the same: each of the four is a bijection. */
static void keys_of_a_word_are_a_bijection(void **state) {
    (void)state;
    for (uint32_t word = 1; word < WORDS; word++) {
        const check_pair a = check_keys_in((check_pair){1, 0}, word),
                         b = check_keys_in((check_pair){0, 1}, word);
        assert_int_equal((a.first * b.second - b.first * a.second) % 2, 1);
    }
}

/* The same change, up and down, of words at the corners of a parallelogram: two words of two vectors. */
static void words_of_two_vectors_are_told_apart(void **state) {
    rng r = {seed + 1};
    (void)state;
    for (unsigned round = 0; round < 2000000; round++) {
        const uint64_t vector = rng_below(&r, UINT64_C(1) << 33),
                       other = round % 2 == 0 ? rng_below(&r, UINT64_C(1) << 33)
                                              : vector ^ (uint64_t)1 << rng_below(&r, 33);
        const uint32_t k = (uint32_t)rng_below(&r, WORDS),
                       j = (k + 1 + (uint32_t)rng_below(&r, WORDS - 1)) % WORDS;
        if (vector != other && are_zeros(difference(difference(keys_of(vector, k), keys_of(vector, j)),
                                                    difference(keys_of(other, k), keys_of(other, j)))))
            fail_msg("seed %llu: words %u and %u of vectors %llu and %llu are not told apart",
                     (unsigned long long)seed, k, j, (unsigned long long)vector, (unsigned long long)other);
    }
}

/* The shortest differences of one vector that vanish modulo 2^32 whatever its keys are: the sums themselves do not. */
static void the_worst_differences_are_found(void **state) {
    static const int64_t worst[][WORDS] = {
        {-708928, -574256, 258432, 315824}, {-1220, -28, -1322, 1350}, {-1052, 1177, 156, -1333}};
    rng r = {seed + 2};
    (void)state;
    for (unsigned round = 0; round < 100000; round++)
        for (unsigned which = 0; which < sizeof worst / sizeof *worst; which++) {
            const uint64_t vector = rng_below(&r, UINT64_C(1) << 33);
            check_sums sums = {0, 0};
            for (uint32_t k = 0; k < WORDS; k++) {
                const check_pair keys = keys_of(vector, k);
                sums.first += (uint64_t)keys.first * (uint64_t)worst[which][k];
                sums.second += (uint64_t)keys.second * (uint64_t)worst[which][k];
            }
            assert_true(which == 2 || (uint32_t)sums.first == 0);
            assert_true(which == 1 || (uint32_t)sums.second == 0);
            assert_true(sums.first != 0 || sums.second != 0);
        }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_word_and_two_of_a_vector_are_found),
        cmocka_unit_test(keys_of_a_word_are_a_bijection),
        cmocka_unit_test(words_of_two_vectors_are_told_apart),
        cmocka_unit_test(the_worst_differences_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
