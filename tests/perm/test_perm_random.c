/* SPDX-License-Identifier: Apache-2.0
 *
 * random:SEED: its promised values, and that it looks as random as it claims. The seeds are fixed, so that
 * the statistics are the same in every run; the bounds are some 4 standard deviations wide.
 */
#include "test_perm_support.h"

#include <math.h>

static riffle_perm *random_perm(uint64_t n, uint64_t seed) {
    riffle_perm *perm = NULL;
    assert_ok(riffle_perm_random(n, seed, &perm));
    return perm;
}

/* The definition of docs/spec.md, written down plainly; first, number k of splitmix64 from a seed. */
static uint64_t splitmix(uint64_t seed, unsigned k) {
    uint64_t z = seed + (uint64_t)(k + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint64_t by_definition(uint64_t n, uint64_t seed, uint64_t i) {
    uint64_t s[9];
    for (unsigned k = 0; k < 9; k++) s[k] = splitmix(splitmix(seed, 0) + n, k);
    unsigned b = 8;
    while ((uint64_t)1 << b < n) b++;
    unsigned low_bits = b / 2, high_bits = b - b / 2;
    do {
        uint64_t low = i & (((uint64_t)1 << low_bits) - 1), high = i >> low_bits;
        for (int r = 0; r < 8; r++) {
            uint32_t x = (uint32_t)(r % 2 == 0 ? low : high);
            uint32_t y = (x ^ (uint32_t)s[r]) * 0x85EBCA6BU;
            uint32_t z = ((y ^ y >> 15) + (uint32_t)(s[r] >> 32)) * 0xC2B2AE35U;
            if (r % 2 == 0) {
                high ^= z >> (32 - high_bits);
            } else {
                low ^= z >> (32 - low_bits);
            }
        }
        i = high << low_bits | low;
    } while (i >= n);
    return i <= 1 ? i ^ (s[8] & 1) : i;
}

static void follows_its_definition(void **state) {
    (void)state;
    static const uint64_t lengths[] = {2,
                                       3,
                                       5,
                                       255,
                                       256,
                                       257,
                                       1000,
                                       4096,
                                       65537,
                                       1000003,
                                       (UINT64_C(1) << 32) + 1,
                                       RIFFLE_MAX_LENGTH - 1,
                                       RIFFLE_MAX_LENGTH};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        uint64_t n = lengths[k], out[5000];
        for (uint64_t seed = 0; seed < 20; seed++) {
            riffle_perm *perm = random_perm(n, seed * seed * UINT64_C(0x123456789ABCDEF));
            size_t count = n < 5000 ? (size_t)n : 5000;
            assert_ok(riffle_perm_map(perm, n - count, count, out));
            for (uint64_t i = 0; i < count; i++)
                assert_int_equal(out[i],
                                 by_definition(n, seed * seed * UINT64_C(0x123456789ABCDEF), n - count + i));
            riffle_perm_free(perm);
        }
    }
}

/* The vectors of docs/spec.md. */
static void keeps_its_promise(void **state) {
    (void)state;
    static const struct {
        uint64_t n, seed, value[8];
    } vectors[] = {
        {8, 0, {7, 3, 4, 2, 6, 0, 5, 1}},
        {8, 1, {2, 5, 3, 0, 1, 6, 4, 7}},
        {10, 42, {9, 0, 6, 5, 4, 2, 7, 3}},
        {1000, 1, {627, 374, 853, 890, 981, 915, 634, 864}},
        {1024, 1, {838, 989, 814, 321, 556, 341, 716, 821}},
        {1048576, 7, {404269, 953184, 1042230, 189268, 275808, 265447, 620826, 475099}},
        {1000000, 7, {722057, 382752, 195573, 131051, 261912, 802703, 152870, 39236}},
        {UINT64_C(4294967296),
         3,
         {UINT64_C(1685374767), UINT64_C(4035407839), UINT64_C(2117274990), UINT64_C(3931611263), 437921408,
          UINT64_C(2035751819), UINT64_C(1632474953), UINT64_C(3437505527)}},
        {UINT64_C(1099511627776),
         UINT64_C(18446744073709551615),
         {UINT64_C(738282775596), UINT64_C(570899871732), UINT64_C(476118887440), UINT64_C(473004922447),
          UINT64_C(841302955310), UINT64_C(342410801432), UINT64_C(107946213221), UINT64_C(385266525602)}},
    };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        riffle_perm *perm = random_perm(vectors[k].n, vectors[k].seed);
        for (uint64_t i = 0; i < 8; i++) assert_int_equal(riffle_perm_at(perm, i), vectors[k].value[i]);
        riffle_perm_free(perm);
    }
}

/* Chi-square in standard deviations from its mean. */
static double deviation(double chi_square, double degrees) {
    return (chi_square - degrees) / sqrt(2 * degrees);
}

/* All n! permutations of 3 to 6 elements are equally frequent. */
static void small_ones_are_uniform(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* statistics are the plain tier's */
    enum { SEEDS = 200000 };
    static unsigned count[720];
    for (unsigned n = 3, permutations = 6; n <= 6; n++, permutations *= n) {
        memset(count, 0, sizeof count);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            riffle_perm *perm = random_perm(n, seed);
            uint64_t p[6];
            assert_ok(riffle_perm_map(perm, 0, n, p));
            unsigned rank = 0; /* in lexicographic order */
            for (unsigned i = 0; i < n; i++) {
                unsigned smaller = 0;
                for (unsigned j = i + 1; j < n; j++) smaller += p[j] < p[i];
                rank = rank * (n - i) + smaller;
            }
            count[rank]++;
            riffle_perm_free(perm);
        }
        double expected = (double)SEEDS / permutations, chi_square = 0;
        for (unsigned k = 0; k < permutations; k++)
            chi_square += (count[k] - expected) * (count[k] - expected) / expected;
        double z = deviation(chi_square, permutations - 1);
        if (fabs(z) > 4) fail_msg("n = %u: chi-square is off by %.1f standard deviations", n, z);
    }
}

/* Over seeds: where one index goes, how far all go, how neighbours part, fixed points, cycles, sign. */
static void larger_ones_look_uniform(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* statistics are the plain tier's */
    static const uint64_t lengths[] = {16, 17, 100, 256, 300, 1000};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        uint64_t n = lengths[k], p[1000], seeds = 2000000 / n < 20000 ? 2000000 / n : 20000;
        double first[1000] = {0}, moved[1000] = {0}, apart[1000] = {0}, fixed = 0, cycles = 0, odd = 0;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            riffle_perm *perm = random_perm(n, seed * 7919);
            assert_ok(riffle_perm_map(perm, 0, (size_t)n, p));
            riffle_perm_free(perm);
            char seen[1000] = {0};
            double own_cycles = 0;
            first[p[0]]++;
            for (uint64_t i = 0; i < n; i++) {
                moved[(p[i] + n - i) % n]++;
                apart[(p[(i + 1) % n] + n - p[i]) % n]++;
                fixed += p[i] == i;
                own_cycles += !seen[i];
                for (uint64_t j = i; !seen[j]; j = p[j]) seen[j] = 1;
            }
            cycles += own_cycles;
            odd += fmod((double)n - own_cycles, 2);
        }
        double of_first = 0, of_moved = 0, of_apart = 0, s = (double)seeds, length = (double)n;
        for (uint64_t i = 0; i < n; i++) {
            of_first += pow(first[i] - s / length, 2) / (s / length);
            of_moved += pow(moved[i] - s, 2) / s;
            if (i > 0) of_apart += pow(apart[i] - s * length / (length - 1), 2) / (s * length / (length - 1));
        }
        double mean = 0, variance = 0; /* for the number of cycles of a random permutation */
        for (uint64_t i = 1; i <= n; i++) {
            mean += 1 / (double)i;
            variance += 1 / (double)i - 1 / (double)(i * i);
        }
        const struct {
            const char *name;
            double z;
        } scores[] = {{"P(0)", deviation(of_first, length - 1)},
                      {"P(i) - i", deviation(of_moved, length - 1)},
                      {"P(i+1) - P(i)", deviation(of_apart, length - 2)},
                      {"fixed points", (fixed / s - 1) * sqrt(s)},
                      {"cycles", (cycles / s - mean) / sqrt(variance / s)},
                      {"sign", (odd / s - 0.5) * 2 * sqrt(s)}};
        for (size_t t = 0; t < sizeof scores / sizeof *scores; t++) {
            if (fabs(scores[t].z) > 4)
                fail_msg("n = %lu: %s is off by %.1f standard deviations", (unsigned long)n, scores[t].name,
                         scores[t].z);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_its_definition),
        cmocka_unit_test(keeps_its_promise),
        cmocka_unit_test(small_ones_are_uniform),
        cmocka_unit_test(larger_ones_look_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
