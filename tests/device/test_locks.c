/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans where the system grants no lock: none is made, and the message says why.
 */
#include "support.h"

#include <errno.h>
#include <pthread.h>

#include "riffle/hull.h"
#include "riffle/program.h"
#include "riffle/sort.h"

static bool grants_locks = true;

int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    return grants_locks ? __real_pthread_mutex_init(mutex, attributes) : EAGAIN;
}

static void assert_refused(riffle_status status, const char *plan) {
    char wanted[96];
    grants_locks = true;
    snprintf(wanted, sizeof wanted, "the system grants no lock for %s: ", plan);
    assert_int_equal(status, RIFFLE_ERROR_OUT_OF_MEMORY);
    assert_true(strstr(riffle_error_detail(), wanted) != NULL);
}

static void moves(void **state) {
    (void)state;
    riffle_perm *perm = NULL;
    riffle_plan *plan = NULL;
    assert_int_equal(riffle_perm_identity(64, &perm), RIFFLE_OK);
    grants_locks = false;
    assert_refused(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, NULL, &plan), "a plan");
    assert_null(plan);
    riffle_perm_free(perm);
}

static void programs(void **state) {
    (void)state;
    riffle_program *program = NULL;
    riffle_program_plan *plan = NULL;
    assert_int_equal(riffle_program_parse("sort n", NULL, 6, &program), RIFFLE_OK);
    grants_locks = false;
    assert_refused(riffle_program_plan_create(program, RIFFLE_TYPE_U32, RIFFLE_ENGINE_CPU, NULL, &plan),
                   "a program's plan");
    assert_null(plan);
    riffle_program_free(program);
}

static void sorts(void **state) {
    (void)state;
    riffle_sort_plan *plan = NULL;
    const riffle_sort_key key = {
        .fields = 1, .elem_bytes = 4, .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 4}}};
    grants_locks = false;
    assert_refused(riffle_sort_plan_create(64, &key, RIFFLE_ENGINE_CPU, NULL, &plan), "the plan of a sort");
    assert_null(plan);
}

static void hulls(void **state) {
    (void)state;
    riffle_hull_plan *plan = NULL;
    grants_locks = false;
    assert_refused(riffle_hull_plan_create(64, RIFFLE_TYPE_F64, RIFFLE_ENGINE_CPU, NULL, &plan),
                   "the plan of a hull");
    assert_null(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves),
        cmocka_unit_test(programs),
        cmocka_unit_test(sorts),
        cmocka_unit_test(hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
