/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts by a comparison of the user's: that they stop when the caller says so, with nothing written, and that a text is compiled once,
 * whatever is planned by it.
 */
#define _GNU_SOURCE /* mkdtemp, asprintf */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "custom/kept.h"
#include "riffle/program.h"
#include "riffle/sort.h"

static riffle_sort_plan *planned(uint64_t n, const char *before, const riffle_sort_options *options) {
    riffle_sort_key key;
    riffle_sort_plan *plan;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
    key.before = before;
    assert_int_equal(riffle_sort_plan_create(n, &key, RIFFLE_ENGINE_CPU, options, &plan), RIFFLE_OK);
    return plan;
}

/* ------------------------------------------------------------------ stopping */

enum { N = 50000 };
static const char slow[] = "({ for (volatile int k = 0; k < 20000; k++); a < b; })";

/* Asked for the count-th time it says yes. */
typedef struct patience {
    unsigned asked, count;
} patience;

static bool is_out(void *context) {
    patience *const p = context;
    return ++p->asked >= p->count;
}

static void fill(uint32_t *numbers, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) numbers[i] = (uint32_t)(i * 2654435761U);
}

static void stops(riffle_sort_task task, size_t index_bytes, unsigned count) {
    static uint32_t from[N], keys[N];
    static uint64_t indices[N], lengths[1];
    patience p = {0, count};
    const riffle_sort_options options = {
        .task = task, .index_bytes = index_bytes, .stop = is_out, .stop_context = &p};
    riffle_sort_plan *const plan = planned(N, slow, &options);
    fill(from, N);
    memset(keys, 0xa5, sizeof keys);
    memset(indices, 0xa5, sizeof indices);
    const riffle_sort_arrays arrays = {.keys = keys,
                                       .indices = index_bytes > 0 ? indices : NULL,
                                       .from_keys = from,
                                       .lengths = task == RIFFLE_SORT_TASK_UNIQUE ? lengths : NULL};
    assert_int_equal(riffle_sort_execute(plan, &arrays), RIFFLE_ERROR_STOPPED);
    assert_string_equal(riffle_error_detail(), "the sort was told to stop");
    assert_int_equal(p.asked, count);
    for (uint64_t i = 0; i < N; i++) {
        assert_int_equal(keys[i], 0xa5a5a5a5U);
        assert_int_equal(indices[i], 0xa5a5a5a5a5a5a5a5U);
    }
    riffle_sort_plan_free(plan);
}

static void test_execution_stops(void **state) {
    (void)state;
    stops(RIFFLE_SORT_TASK_SORT, 0, 1);
    stops(RIFFLE_SORT_TASK_SORT, 8, 3);
    stops(RIFFLE_SORT_TASK_UNIQUE, 0, 2);
    stops(RIFFLE_SORT_TASK_MERGE, 8, 1);
}

static void test_check_stops(void **state) {
    (void)state;
    static uint32_t from[N];
    patience p = {0, 1};
    uint64_t witness[3] = {7, 8, 9};
    riffle_sort_plan *const plan = planned(N, slow, &(riffle_sort_options){.stop = is_out, .stop_context = &p});
    fill(from, N);
    assert_int_equal(riffle_sort_check(plan, from, witness), RIFFLE_ERROR_STOPPED);
    assert_true(p.asked == 1 && witness[0] == 7 && witness[1] == 8 && witness[2] == 9);
    riffle_sort_plan_free(plan);
}

/* Who is asked and says no changes nothing, and one execution's stop is not the next one's. */
static void test_goes_on(void **state) {
    (void)state;
    enum { FEW = 3000 };
    uint32_t from[FEW], keys[FEW];
    patience p = {0, 1};
    riffle_sort_plan *const plan =
        planned(FEW, slow, &(riffle_sort_options){.stop = is_out, .stop_context = &p});
    fill(from, FEW);
    const riffle_sort_arrays arrays = {.keys = keys, .from_keys = from};
    assert_int_equal(riffle_sort_execute(plan, &arrays), RIFFLE_ERROR_STOPPED);
    p.count = UINT32_MAX;
    assert_int_equal(riffle_sort_execute(plan, &arrays), RIFFLE_OK);
    assert_true(p.asked > 1);
    for (uint64_t i = 1; i < FEW; i++) assert_true(keys[i - 1] <= keys[i]);
    riffle_sort_plan_free(plan);
}

/* ----------------------------------------------------------------- compiling */

static char folder[] = "/tmp/riffle-test-XXXXXX";

static char *in_folder(const char *name) {
    char *path;
    assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
    return path;
}

static unsigned runs(void) {
    char *const path = in_folder("runs");
    struct stat s = {0};
    if (stat(path, &s) != 0) s.st_size = 0;
    free(path);
    return (unsigned)s.st_size;
}

/* CC becomes a compiler that writes a byte for each of its runs. */
static int count_compilers(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL) return 1;
    const char *const named = getenv("CC");
    char *const script = in_folder("cc");
    FILE *const out = fopen(script, "w");
    if (out == NULL) return 1;
    fprintf(out, "#!/bin/sh\nprintf . >>%s/runs\nexec %s \"$@\"\n", folder,
            named != NULL && *named ? named : "cc");
    if (fclose(out) != 0 || chmod(script, 0700) != 0 || setenv("CC", script, 1) != 0) return 1;
    free(script);
    return 0;
}

static int remove_compilers(void **state) {
    (void)state;
    char *const script = in_folder("cc"), *const counts = in_folder("runs");
    const int wrong = unlink(script) != 0 || unlink(counts) != 0 || rmdir(folder) != 0;
    free(script);
    free(counts);
    return wrong;
}

static void test_a_text_is_compiled_once(void **state) {
    (void)state;
    uint32_t numbers[4] = {3, 1, 2, 0};
    const unsigned before = runs();
    riffle_sort_plan *const first = planned(4, "a + 0 > b + 0", NULL), *const other =
                                                                           planned(3, "a + 0 > b + 0", NULL);
    assert_int_equal(runs(), before + 1);
    riffle_sort_plan_free(first);
    assert_int_equal(riffle_sort_execute(other, &(riffle_sort_arrays){.keys = numbers, .from_keys = numbers}),
                     RIFFLE_OK);
    assert_int_equal(riffle_sort_check(other, numbers, NULL), RIFFLE_OK);
    riffle_sort_plan_free(other);
    assert_true(numbers[0] == 3 && numbers[1] == 2 && numbers[2] == 1 && numbers[3] == 0);
    riffle_sort_plan_free(planned(1000, "a + 0 > b + 0", NULL));
    assert_int_equal(runs(), before + 1);
    riffle_sort_plan_free(planned(1000, "a + 1 > b + 1", NULL));
    assert_int_equal(runs(), before + 2);
}

/* Objects in use stay, and the latest of the others. */
static void test_few_are_kept(void **state) {
    (void)state;
    char text[64];
    const unsigned before = runs();
    riffle_sort_plan *const used = planned(4, "a < b || 0 > 1", NULL);
    riffle_sort_plan_free(planned(3, "a < b || 0 > 1", NULL)); /* a second user, who leaves */
    for (unsigned k = 0; k <= OWN_KEPT; k++) {
        snprintf(text, sizeof text, "a %% %u < b %% %u", k + 10, k + 10);
        riffle_sort_plan_free(planned(4, text, NULL));
    }
    assert_int_equal(runs(), before + 1 + OWN_KEPT + 1);
    riffle_sort_plan_free(planned(5, "a < b || 0 > 1", NULL));
    riffle_sort_plan_free(planned(5, text, NULL));
    assert_int_equal(runs(), before + 1 + OWN_KEPT + 1);
    riffle_sort_plan_free(planned(5, "a % 10 < b % 10", NULL));
    assert_int_equal(runs(), before + 1 + OWN_KEPT + 2);
    uint32_t numbers[4] = {3, 1, 2, 0};
    assert_int_equal(riffle_sort_execute(used, &(riffle_sort_arrays){.keys = numbers, .from_keys = numbers}),
                     RIFFLE_OK);
    assert_true(numbers[0] == 0 && numbers[3] == 3);
    riffle_sort_plan_free(used);
}

/* Programs' operations too, whatever the length of the array. */
static void test_an_operation_is_compiled_once(void **state) {
    (void)state;
    const unsigned before = runs();
    for (unsigned n = 3; n <= 12; n += 3) {
        int32_t *const data = calloc((size_t)1 << n, sizeof *data);
        riffle_program *program;
        riffle_program_plan *plan;
        assert_non_null(data);
        assert_int_equal(riffle_program_parse("map {a + 5}", NULL, n, &program), RIFFLE_OK);
        assert_int_equal(riffle_program_plan_create(program, RIFFLE_TYPE_I32, RIFFLE_ENGINE_CPU, NULL, &plan),
                         RIFFLE_OK);
        assert_int_equal(riffle_program_execute(plan, data, data), RIFFLE_OK);
        for (size_t i = 0; i < (size_t)1 << n; i++) assert_int_equal(data[i], 5);
        riffle_program_plan_free(plan);
        riffle_program_free(program);
        free(data);
    }
    assert_int_equal(runs(), before + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_execution_stops), cmocka_unit_test(test_check_stops),
        cmocka_unit_test(test_goes_on),         cmocka_unit_test(test_a_text_is_compiled_once),
        cmocka_unit_test(test_few_are_kept),    cmocka_unit_test(test_an_operation_is_compiled_once),
    };
    return cmocka_run_group_tests(tests, count_compilers, remove_compilers);
}
