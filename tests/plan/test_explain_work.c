/* SPDX-License-Identifier: Apache-2.0
 *
 * That explaining looks at few values of P, however long the array and the sequence: what each part of a
 * sequence is asked for is counted on its way (the linker puts these functions before perm/perm.c's;
 * tests/CMakeLists.txt).
 */
#include "support.h"

#include <stdatomic.h>

#include "perm/kind.h"

static atomic_uint_fast64_t evaluations;

void __real_perm_apply(const riffle_perm *perm, size_t count, uint64_t *values);
void __real_perm_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out);
void __wrap_perm_apply(const riffle_perm *perm, size_t count, uint64_t *values);
void __wrap_perm_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out);

void __wrap_perm_apply(const riffle_perm *perm, size_t count, uint64_t *values) {
    evaluations += count;
    __real_perm_apply(perm, count, values);
}

void __wrap_perm_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out) {
    evaluations += count;
    __real_perm_map(perm, first, count, out);
}

static riffle_perm *chain_of_random(uint64_t n, unsigned parts) {
    riffle_perm *chain = parse_or_fail("identity", n);
    for (unsigned k = 1; k <= parts; k++) {
        riffle_perm *part, *longer;
        assert_int_equal(riffle_perm_random(n, k, &part), RIFFLE_OK);
        assert_int_equal(riffle_perm_compose(chain, part, &longer), RIFFLE_OK);
        riffle_perm_free(part);
        riffle_perm_free(chain);
        chain = longer;
    }
    return chain;
}

/* Evaluations of single parts, all together. */
static uint64_t count_explaining(const riffle_perm *perm) {
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    evaluations = 0;
    assert_int_equal(riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, NULL, nowhere), RIFFLE_OK);
    fclose(nowhere);
    return evaluations;
}

/* A millisecond is about half a million evaluations. */
static void assert_quick(unsigned parts) {
    static const uint64_t lengths[] = {1000, 1 << 16, 1000003, 1 << 28, (uint64_t)1 << 40};
    for (unsigned k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        riffle_perm *perm = chain_of_random(lengths[k], parts);
        const uint64_t count = count_explaining(perm), most = (1 << 19) + (uint64_t)parts * 2048;
        if (count == 0 || count > most)
            fail_msg("n %llu, %u parts: %llu evaluations, more than %llu", (unsigned long long)lengths[k],
                     parts, (unsigned long long)count, (unsigned long long)most);
        riffle_perm_free(perm);
    }
}

static void explaining_a_short_sequence_is_quick(void **state) {
    (void)state;
    assert_quick(2);
}

static void explaining_a_long_sequence_is_quick(void **state) {
    (void)state;
    assert_quick(1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explaining_a_short_sequence_is_quick),
        cmocka_unit_test(explaining_a_long_sequence_is_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
