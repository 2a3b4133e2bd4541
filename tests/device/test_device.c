/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of launches, the memory machine as a device, the arrays of a call, and what plans have in common.
 */
#include "device/plan.h"
#include "device_support.h"
#include "histogram/kernels/kernel.h"
#include "move/kernels/kernel.h"

static void expect_message(riffle_status status, riffle_status wanted, const char *words) {
    assert_int_equal(status, wanted);
    if (strstr(riffle_error_detail(), words) == NULL) fail_msg("'%s' lacks '%s'", riffle_error_detail(), words);
}

/* ---------------------------------------------------------------- lists */

/* Arguments lie where C's struct has them, whatever their sizes. */
static void addresses_are_those_of_the_struct(void **state) {
    (void)state;
    launch_list list;
    void *at[KERNEL_MAX_ARGUMENTS];
    launch_list_begin(&list);
    const struct chunks_arguments wanted = {(const uint16_t *)at, (const uint32_t *)(at + 1),
                                            (const uint32_t *)(at + 2), 1234567890123, 77};
    launch *const work = append_chunks(&list, &KERNEL_bucket_next, 4, &wanted);
    launch_between(work, at, at + 1);
    assert_int_equal(launch_addresses(work, at), 7);
    const struct chunks_arguments *const copy = work->arguments;
    assert_ptr_not_equal(copy, &wanted);
    assert_memory_equal(copy, &wanted, sizeof wanted);
    assert_ptr_equal(at[0], &work->to);
    assert_ptr_equal(at[1], &work->from);
    assert_ptr_equal(at[2], &copy->order);
    assert_ptr_equal(at[4], &copy->first_chunk);
    assert_ptr_equal(at[5], &copy->n);
    assert_ptr_equal(at[6], &copy->piece);
    launch_list_free(&list);
}

/* More than the list itself has room for; launches stay where they are. */
static void long_lists_keep_all(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    static launch_list list, again;
    launch_list_begin(&list);
    launch_list_begin(&again);
    for (unsigned k = 0; k < COUNT; k++) {
        append_histogram(&list, &KERNEL_histogram_bytes, 1, &(struct histogram_arguments){.n = k})->grid =
            k + 1;
        launch_append_copy(&list, &list, &again, k); /* none of 0 bytes */
    }
    unsigned count = 0;
    for (const launch *l = list.first; l != NULL; l = l->next) {
        if (l->kind == LAUNCH_COPY) {
            assert_int_equal(l->bytes, count - 1);
            continue;
        }
        assert_int_equal(((const struct histogram_arguments *)l->arguments)->n, count);
        assert_int_equal(l->grid, ++count);
    }
    assert_int_equal(count, COUNT);
    assert_int_equal(list.status, RIFFLE_OK);
    const launch *const ready = list.first;
    launch *const repeated = launch_append_again(&again, ready);
    assert_ptr_equal(repeated->arguments, ready->arguments);
    assert_null(repeated->next);
    assert_ptr_equal(again.first, again.last);
    launch_list_free(&again);
    launch_list_free(&list);
    assert_null(list.first);
}

/* ------------------------------------------------------------- the machine */

static void a_machine_is_a_device(void **state) {
    (void)state;
    machine *const m = machine_or_fail((riffle_machine_options){.width = 32});
    const device on = device_of_machine(m);
    const uint32_t numbers[4] = {1, 2, 3, 4};
    uint32_t back[4];
    void *from, *to, *nothing = &from;
    device_limits limits;
    launch_list list;
    assert_int_equal(on.ops->describe(&on, &limits), RIFFLE_OK);
    assert_int_equal(limits.width, 32);
    assert_int_equal(device_bring(&on, "nothing", NULL, 4, &nothing), RIFFLE_OK);
    assert_null(nothing);
    assert_int_equal(device_bring(&on, "from", numbers, sizeof numbers, &from), RIFFLE_OK);
    assert_int_equal(on.ops->allocate(&on, "to", sizeof numbers, &to), RIFFLE_OK);
    launch_list_begin(&list);
    launch_append_fill(&list, to, 0xff, sizeof numbers);
    launch_append_copy(&list, to, from, sizeof *numbers);
    launch *const work =
        append_reverse_ends(&list, &KERNEL_reverse_ends, 4, &(struct reverse_ends_arguments){4, 4});
    work->block_x = 32;
    launch_between(work, to, to);
    run_list_or_fail(m, &list);
    assert_int_equal(on.ops->download(&on, "numbers", back, to, sizeof back, NULL), RIFFLE_OK);
    assert_int_equal(back[0], UINT32_MAX);
    assert_int_equal(back[3], 1);
    assert_int_equal(machine_report(m)->hazards, 0); /* filled and copied words count as written */
    machine_free(m);
}

/* A kernel that the machine stops is riffle's fault. */
static void a_stopped_kernel_is_an_error(void **state) {
    (void)state;
    machine *const m = machine_or_fail((riffle_machine_options){.width = 32});
    const device on = device_of_machine(m);
    launch_list list;
    launch_list_begin(&list);
    launch *const work = append_copy(&list, &KERNEL_copy, 4, &(struct copy_arguments){.n = 1});
    launch_between(work, NULL, NULL);
    expect_message(device_run(&on, "a test", &list, NULL), RIFFLE_ERROR_INTERNAL,
                   "the machine stopped a kernel of riffle's own");
    machine_free(m);
}

/* ------------------------------------------------------------------- arrays */

static void arrays_are_checked(void **state) {
    (void)state;
    static _Alignas(256) char memory[256];
    call_array all[] = {{.name = "points", .at = memory, .item_bytes = 8, .count = 4, .is_wanted = true},
                        {.name = "results", .at = memory + 64, .item_bytes = 4, .count = 8, .is_wanted = true}};
    assert_int_equal(arrays_check(all, 2), RIFFLE_OK);
    assert_int_equal(arrays_check_apart(all, 2, 1), RIFFLE_OK);
    all[1].at = NULL;
    expect_message(arrays_check(all, 2), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "results is NULL, but there are to be 8 of them");
    all[1].at = memory + 2;
    expect_message(arrays_check(all, 2), RIFFLE_ERROR_INVALID_ARGUMENT, "results are not aligned to 4 bytes");
    all[1].at = memory + 28;
    expect_message(arrays_check_apart(all, 2, 1), RIFFLE_ERROR_INVALID_ARGUMENT, "results and points overlap");
    all[1].at = memory + 32;
    assert_int_equal(arrays_check_apart(all, 2, 1), RIFFLE_OK);
    all[1].at = memory;
    all[0].may_be_also = memory;
    assert_int_equal(arrays_check_apart(all, 2, 1), RIFFLE_OK);
    all[1].item_bytes = 0;
    expect_message(arrays_check(all, 2), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "results are given, but the plan has none");
    all[0].at = memory + 31;
    expect_message(arrays_check_workspace(all, 2, memory, 50, 40), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "the workspace of 40 bytes overlaps points; bring one apart");
    expect_message(arrays_check_workspace(all, 2, memory, 39, 40), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "the workspace has 39 bytes, and 40 are needed");
    expect_message(arrays_check_workspace(all, 2, NULL, 50, 40), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "the workspace has 0 bytes, and 40 are needed");
    expect_message(arrays_check_workspace(all, 2, memory + 16, 50, 40), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "the workspace is not aligned to 256 bytes");
    assert_int_equal(arrays_check_workspace(all, 1, memory, 31, 31), RIFFLE_OK);
    assert_int_equal(arrays_check_workspace(all, 2, NULL, 0, 0), RIFFLE_OK);
}

/* -------------------------------------------------------------------- plans */

static void a_plan_has_a_workspace_or_gets_one(void **state) {
    (void)state;
    static _Alignas(256) char memory[512];
    machine *const m = machine_or_fail((riffle_machine_options){.width = 32});
    plan_base base = {.workspace_bytes = 100};
    void *found;
    assert_int_equal(plan_base_begin(&base, "a plan"), RIFFLE_OK);
    assert_true(base.is_exclusive);
    expect_message(plan_base_check_device(&base), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "the plan is for the cpu engine; create it with RIFFLE_ENGINE_CUDA");
    base.on = device_of_machine(m);
    assert_int_equal(plan_base_check_device(&base), RIFFLE_OK);
    expect_message(plan_base_find_workspace(&base, NULL, 0, NULL, 0, &found), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "the plan has no workspace of its own; bring one of 100 bytes");
    expect_message(plan_base_find_workspace(&base, NULL, 0, memory + 16, 100, &found),
                   RIFFLE_ERROR_INVALID_ARGUMENT, "the workspace is not aligned to 256 bytes");
    expect_message(plan_base_find_workspace(&base, NULL, 0, memory, 99, &found), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "the workspace has 99 bytes, and 100 are needed");
    assert_int_equal(plan_base_find_workspace(&base, NULL, 0, memory, 100, &found), RIFFLE_OK);
    assert_ptr_equal(found, memory);
    base.callers_workspace = true;
    assert_int_equal(plan_base_allocate(&base, "a plan", "the workspace"), RIFFLE_OK);
    assert_null(base.workspace);
    assert_false(base.is_exclusive);
    base.callers_workspace = false;
    assert_int_equal(plan_base_allocate(&base, "a plan", "the workspace"), RIFFLE_OK);
    assert_int_equal(plan_base_find_workspace(&base, NULL, 0, NULL, 0, &found), RIFFLE_OK);
    assert_ptr_equal(found, base.workspace);
    plan_base_enter(&base);
    assert_int_not_equal(pthread_mutex_trylock(&base.lock), 0);
    plan_base_leave(&base);
    base.is_exclusive = false;
    plan_base_enter(&base);
    assert_int_equal(pthread_mutex_trylock(&base.lock), 0);
    assert_int_equal(pthread_mutex_unlock(&base.lock), 0);
    plan_base_leave(&base);
    plan_base_end(&base);
    machine_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_those_of_the_struct),
        cmocka_unit_test(long_lists_keep_all),
        cmocka_unit_test(a_machine_is_a_device),
        cmocka_unit_test(a_stopped_kernel_is_an_error),
        cmocka_unit_test(arrays_are_checked),
        cmocka_unit_test(a_plan_has_a_workspace_or_gets_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
