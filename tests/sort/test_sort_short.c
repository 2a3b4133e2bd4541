/* SPDX-License-Identifier: Apache-2.0
 *
 * Networks for short rows, each length: all rows of zeros and ones, where there are not too many, are sorted, and so all rows are
 * (Knuth, volume 3, section 5.3.4, theorem Z); random rows of longer ones, any number of them at a time, and nothing beside.
 */
#include "sort/cpu/short/short.h"

#include "support.h"

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sorts(const short_network *network, const uint64_t *rows, uint64_t count) {
    const uint64_t n = count * network->length;
    uint32_t *const narrow = malloc((n + 1) * sizeof *narrow);
    uint64_t *const wide = malloc((n + 1) * sizeof *wide), *const wanted = malloc(n * sizeof *wanted);
    assert_true(narrow != NULL && wide != NULL && wanted != NULL);
    for (uint64_t i = 0; i < n; i++) {
        wide[i] = rows[i];
        narrow[i] = (uint32_t)(rows[i] >> 32);
    }
    memcpy(wanted, rows, n * sizeof *wanted);
    for (uint64_t r = 0; r < count; r++)
        qsort(wanted + r * network->length, network->length, sizeof *wanted, by_number);
    wide[n] = narrow[n] = 77;
    short_sort_u32(network, narrow, count);
    short_sort_u64(network, wide, count);
    for (uint64_t i = 0; i < n; i++)
        if (wide[i] != wanted[i] || narrow[i] != (uint32_t)(wanted[i] >> 32))
            fail_msg("%llu rows of %u: number %llu", (unsigned long long)count, network->length,
                     (unsigned long long)i);
    assert_true(wide[n] == 77 && narrow[n] == 77);
    free(narrow);
    free(wide);
    free(wanted);
}

static void test_zeros_and_ones(void **state) {
    (void)state;
    enum { MOST = 12 };
    static uint64_t rows[(1 << MOST) * MOST];
    for (unsigned length = 1; length <= MOST; length++) {
        short_network network;
        short_network_make(length, &network);
        for (uint64_t r = 0; r < 1U << length; r++)
            for (unsigned i = 0; i < length; i++) rows[r * length + i] = (r >> i & 1) << 63;
        sorts(&network, rows, 1U << length);
    }
}

static void test_random(void **state) {
    (void)state;
    rng r = {test_seed()};
    uint64_t rows[SHORT_MOST * 40];
    for (unsigned length = 1; length <= SHORT_MOST; length++) {
        short_network network;
        short_network_make(length, &network);
        assert_true(network.length == length && network.count <= SHORT_MOST_PAIRS);
        for (unsigned round = 0; round < 8; round++) {
            const uint64_t count = rng_below(&r, 41), distinct = round % 2 ? 5 : UINT64_MAX;
            for (uint64_t i = 0; i < count * length; i++)
                rows[i] = rng_below(&r, distinct) << (round % 2 ? 61 : 0);
            sorts(&network, rows, count);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeros_and_ones),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
