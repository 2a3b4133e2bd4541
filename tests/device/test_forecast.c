/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of lists of launches: which launches are foretold, how their numbers are to be taken, and the device that only
 * foretells.
 */
#include "device/predict/forecast.h"
#include "histogram/kernels/kernel.h"
#include "support.h"

enum { WIDTH = 8, LATENCY = 100, BLOCKS = 3, STAGES = 5 };

/* Each block reads with as many stages as the subject says; a launch of two bytes each is the mean over something. */
static void some_stages(const launch *work, const void *subject, pattern *out) {
    pattern_declare(out, 0, PATTERN_GLOBAL, PATTERN_READ, 4);
    if (work->elem_bytes == 2) pattern_mean(out, PATTERN_EXPECTED);
    out->is_unknown = work->users != NULL;
    pattern_alike(out, 0, out->grid);
    pattern_stages(out, 0, 0, *(const unsigned *)subject, 2);
}

static const kernel_pattern patterns[] = {{&KERNEL_histogram_bytes.record, some_stages}, {NULL, NULL}};
static const unsigned stages = STAGES;

static forecast begin(void) {
    const prediction_model model = {
        {.width = WIDTH, .latency = LATENCY, .shared_latency = 1, .dmms = 1, .block_threads = 64}, UINT64_MAX};
    return forecast_begin(&model, patterns, &stages);
}

static void append(launch_list *list, const histogram_kernel *kernel, size_t elem_bytes) {
    append_histogram(list, kernel, elem_bytes, &(struct histogram_arguments){0})->grid = BLOCKS;
}

/* Copies and fills are the host's. */
static void each_kernel_of_a_list_is_foretold(void **state) {
    forecast f = begin();
    launch_list list;
    char bytes[8];
    (void)state;
    launch_list_begin(&list);
    launch_append_fill(&list, bytes, 0, sizeof bytes);
    append(&list, &KERNEL_histogram_bytes, 1);
    launch_append_copy(&list, bytes, bytes + 4, 4);
    append(&list, &KERNEL_histogram_bytes, 1);
    assert_int_equal(forecast_list(&f, &list), RIFFLE_OK);
    assert_true(f.told.is_known);
    assert_int_equal(f.told.meaning, PATTERN_EXACT);
    assert_int_equal(f.told.launches, 2);
    assert_string_equal(f.told.launch[0].kernel, "histogram_bytes");
    assert_int_equal(pattern_time_units(&f.told.launch[1].counts), BLOCKS * STAGES + LATENCY - 1);
    assert_int_equal(pattern_time_units(&f.told.counts), 2 * (BLOCKS * STAGES + LATENCY - 1));
    append(&list, &KERNEL_histogram_bytes, 2);
    assert_int_equal(forecast_list(&f, &list), RIFFLE_OK);
    assert_int_equal(f.told.meaning, PATTERN_EXPECTED);
    assert_string_equal(pattern_meaning_string(f.told.meaning), "expected");
    launch_list_free(&list);
    prediction_free(&f.told);
}

static void a_kernel_without_a_pattern_makes_all_unknown(void **state) {
    const users_kernel users = {0};
    (void)state;
    for (unsigned of_users = 0; of_users < 2; of_users++) {
        forecast f = begin();
        launch_list list;
        launch_list_begin(&list);
        append(&list, of_users ? &KERNEL_histogram_bytes : &KERNEL_histogram_pairs, 1);
        list.last->users = of_users ? &users : NULL;
        assert_int_equal(forecast_list(&f, &list), RIFFLE_OK);
        assert_false(f.told.is_known);
        launch_list_free(&list);
        prediction_free(&f.told);
    }
}

/* It has memory in which nothing is, and is told of a list where a device would run it. */
static void a_device_that_only_foretells(void **state) {
    forecast f = begin();
    const device d = device_of_forecast(&f, 7);
    device_limits limits;
    launch_list list;
    void *one, *other;
    uint32_t word = 1;
    (void)state;
    assert_int_equal(d.ops->describe(&d, &limits), RIFFLE_OK);
    assert_int_equal(limits.multiprocessors, 7);
    assert_int_equal(limits.width, WIDTH);
    assert_int_equal(d.ops->allocate(&d, "one", 3, &one), RIFFLE_OK);
    assert_int_equal(device_bring(&d, "the other", &word, sizeof word, &other), RIFFLE_OK);
    assert_ptr_not_equal(one, other);
    assert_int_equal((uintptr_t)other % (WIDTH * 16), 0);
    assert_int_equal(d.ops->download(&d, "a word", &word, other, sizeof word, NULL), RIFFLE_OK);
    assert_int_equal(word, 0);
    launch_list_begin(&list);
    append(&list, &KERNEL_histogram_bytes, 1);
    assert_int_equal(device_run(&d, "counting", &list, NULL), RIFFLE_OK);
    launch_list_begin(&list);
    append(&list, &KERNEL_histogram_bytes, 1);
    assert_int_equal(device_load_and_run(&d, "a count", "counting", &list, NULL), RIFFLE_OK);
    assert_int_equal(f.told.launches, 2);
    prediction_free(&f.told);
}

static void it_compiles_nothing(void **state) {
    forecast f = begin();
    const device d = device_of_forecast(&f, 1);
    users_kernel kernel;
    char *messages;
    (void)state;
    assert_int_equal(d.ops->compile(&d, "no C", "", &kernel, &messages), RIFFLE_OK);
    assert_null(messages);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kernel_of_a_list_is_foretold),
        cmocka_unit_test(a_kernel_without_a_pattern_makes_all_unknown),
        cmocka_unit_test(a_device_that_only_foretells),
        cmocka_unit_test(it_compiles_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
