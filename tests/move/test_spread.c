/* SPDX-License-Identifier: Apache-2.0
 *
 * The algorithm of one use on the host: spread by tile, then placed. Against the definition, for elements of every size that it has,
 * lengths around its tiles, threads, permutations of every kind, and executions one after the other in one workspace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

typedef struct job {
    const char *spec;
    uint64_t n;
    size_t elem_bytes;
    unsigned threads;
} job;

static uint8_t byte_of(uint64_t i, size_t k) {
    return (uint8_t)((i * 0x9e3779b97f4a7c15u) >> (8 * (k % 8))) ^ (uint8_t)k;
}

static void fill(uint8_t *array, uint64_t n, size_t elem_bytes, uint64_t salt) {
    for (uint64_t i = 0; i < n; i++)
        for (size_t k = 0; k < elem_bytes; k++) array[i * elem_bytes + k] = byte_of(i + salt, k);
}

static void check(const riffle_perm *p, const job *j, const uint8_t *dst, const uint8_t *src) {
    for (uint64_t i = 0; i < j->n; i++) {
        const uint64_t to = riffle_perm_at(p, i);
        if (memcmp(dst + to * j->elem_bytes, src + i * j->elem_bytes, j->elem_bytes) != 0)
            fail_msg("%s, n %llu, %zu bytes, %u threads: element %llu is not at %llu", j->spec,
                     (unsigned long long)j->n, j->elem_bytes, j->threads, (unsigned long long)i,
                     (unsigned long long)to);
    }
}

/* At addresses that no element of more than a byte likes, with guards before and behind. */
static void move(const job *j) {
    enum { GUARD = 65 };
    const size_t bytes = (size_t)j->n * j->elem_bytes;
    riffle_perm *p;
    riffle_plan *plan;
    const riffle_plan_options options = {
        .algorithm = RIFFLE_ALGORITHM_ONCE, .executions = 1, .threads = j->threads};
    uint8_t *const src = malloc(bytes + 2 * GUARD), *const dst = malloc(bytes + 2 * GUARD);
    assert_non_null(src);
    assert_non_null(dst);
    assert_int_equal(riffle_perm_parse(j->spec, j->n, &p), RIFFLE_OK);
    assert_int_equal(riffle_plan_create(p, j->elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
    assert_int_equal(riffle_plan_algorithm(plan), RIFFLE_ALGORITHM_ONCE);
    for (uint64_t turn = 0; turn < 2; turn++) {
        fill(src + GUARD, j->n, j->elem_bytes, turn);
        memset(dst, 0xa5, bytes + 2 * GUARD);
        assert_int_equal(riffle_execute(plan, dst + GUARD, src + GUARD), RIFFLE_OK);
        check(p, j, dst + GUARD, src + GUARD);
        for (size_t k = 0; k < GUARD; k++) assert_true(dst[k] == 0xa5 && dst[GUARD + bytes + k] == 0xa5);
    }
    riffle_plan_free(plan);
    riffle_perm_free(p);
    free(src);
    free(dst);
}

static void test_sizes(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 13, 16};
    static const uint64_t lengths[] = {0, 1, 2, 97, 16384, 65535, 65537, 150001};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            if (lengths[l] < 10000 || test_takes(s + l))
                move(&(job){"random:7", lengths[l], sizes[s], (unsigned)(l % 2 + 1)});
}

/* All to one tile after the other, all tiles in turn, an inverse, a sequence and a table. */
static void test_kinds(void **state) {
    (void)state;
    static const char *const specs[] = {"identity",  "reverse",          "bit-reversal",
                                        "~random:3", "random:1|reverse", "rotate:12345"};
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) move(&(job){specs[k], (uint64_t)1 << 18, 4, 2});
    move(&(job){"table:[3,1,0,2]", 4, 8, 1});
}

static void test_threads(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) move(&(job){"random:5", 700001, 4, threads});
}

static void test_choice(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
        size_t elem_bytes;
        unsigned executions;
        bool is_once;
    } cases[] = {{"random:1", (uint64_t)1 << 26, 4, 1, true},   {"~random:1", (uint64_t)1 << 26, 8, 1, true},
                 {"random:1", (uint64_t)1 << 26, 4, 0, false},  {"random:1", 1 << 16, 4, 1, false},
                 {"random:1", (uint64_t)1 << 24, 24, 1, false}, {"random:1", (uint64_t)1 << 30, 4, 1, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_perm *p;
        char *text = NULL;
        size_t length = 0;
        const riffle_plan_options options = {.executions = cases[k].executions};
        assert_int_equal(riffle_perm_parse(cases[k].spec, cases[k].n, &p), RIFFLE_OK);
        FILE *const stream = open_memstream(&text, &length);
        assert_int_equal(riffle_explain(p, cases[k].elem_bytes, RIFFLE_ENGINE_CPU, &options, stream),
                         RIFFLE_OK);
        fclose(stream);
        assert_true((strstr(text, "algorithm    once, 2 passes") != NULL) == cases[k].is_once);
        free(text);
        riffle_perm_free(p);
    }
}

static void test_refusals(void **state) {
    (void)state;
    riffle_perm *p;
    riffle_plan *plan;
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_ONCE};
    assert_int_equal(riffle_perm_parse("random:1", 100, &p), RIFFLE_OK);
    assert_int_equal(riffle_plan_create(p, 17, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "on the cpu its elements have at most 16 bytes"));
    riffle_perm_free(p);
    assert_int_equal(riffle_perm_parse("random:1", (uint64_t)1 << 31, &p), RIFFLE_OK);
    assert_int_equal(riffle_plan_create(p, 4, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "its tiles would be too many for the second-level cache"));
    riffle_perm_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_kinds),
                                       cmocka_unit_test(test_threads), cmocka_unit_test(test_choice),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
