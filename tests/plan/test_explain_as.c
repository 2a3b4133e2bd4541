/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations for GPUs that are not here and for other machines: what they say by the library's calls, and what is refused.
 */
#include "support.h"

#include <limits.h>

#include "machine/count/report.h"
#include "riffle/cuda.h"
#include "riffle/machine.h"

enum { ROOM = 1 << 14 };

static riffle_status explain_into(char text[static ROOM], const char *spec, uint64_t n, riffle_engine engine,
                                  const riffle_explanation *how) {
    riffle_perm *perm = parse_or_fail(spec, n);
    FILE *stream = fmemopen(text, ROOM, "w");
    assert_non_null(stream);
    const riffle_status status = riffle_explain_as(perm, 4, engine, NULL, how, stream);
    fclose(stream);
    riffle_perm_free(perm);
    return status;
}

static void named_gpus_have_every_number(void **state) {
    (void)state;
    static const char *const names[] = {"a100", "h100", "h200", "A100", "H200"};
    char text[ROOM] = {0};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        riffle_cuda_device gpu;
        riffle_explanation how = {.gpu = &gpu};
        assert_int_equal(riffle_cuda_device_named(names[k], &gpu, &how.bytes_per_second), RIFFLE_OK);
        assert_int_equal(riffle_cuda_device_named(names[k], &gpu, NULL), RIFFLE_OK);
        assert_true(how.bytes_per_second > UINT64_C(2000000000000));
        assert_int_equal(explain_into(text, "bit-reversal", 1 << 24, RIFFLE_ENGINE_CUDA, &how), RIFFLE_OK);
        assert_non_null(strstr(text, "\nat best "));
    }
}

static void other_names_are_refused(void **state) {
    (void)state;
    riffle_cuda_device gpu;
    assert_int_equal(riffle_cuda_device_named("H300", &gpu, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "there is no GPU named 'H300'; there are a100, h100 and h200");
}

/* riffle_explain prints the same as no explanation, and as one of zeros. */
static void zeros_are_the_defaults(void **state) {
    (void)state;
    char plain[ROOM] = {0}, none[ROOM] = {0}, zeros[ROOM] = {0};
    riffle_perm *perm = parse_or_fail("shuffle", 1 << 12);
    FILE *stream = fmemopen(plain, ROOM, "w");
    assert_non_null(stream);
    assert_int_equal(riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, NULL, stream), RIFFLE_OK);
    fclose(stream);
    riffle_perm_free(perm);
    const riffle_explanation how = {.json = false};
    assert_int_equal(explain_into(none, "shuffle", 1 << 12, RIFFLE_ENGINE_CPU, NULL), RIFFLE_OK);
    assert_int_equal(explain_into(zeros, "shuffle", 1 << 12, RIFFLE_ENGINE_CPU, &how), RIFFLE_OK);
    assert_string_equal(plain, none);
    assert_string_equal(plain, zeros);
}

static void refuses(riffle_status status, const char *reason, riffle_engine engine,
                    const riffle_explanation *how) {
    char text[ROOM] = {0};
    assert_int_equal(explain_into(text, "reverse", 64, engine, how), status);
    assert_string_equal(text, "");
    assert_non_null(strstr(riffle_error_detail(), reason));
}

static void what_cannot_be_explained_is_refused(void **state) {
    (void)state;
    riffle_cuda_device gpu;
    assert_int_equal(riffle_cuda_device_named("h100", &gpu, NULL), RIFFLE_OK);
    refuses(RIFFLE_ERROR_INVALID_ARGUMENT, "ask for cuda", RIFFLE_ENGINE_CPU,
            &(riffle_explanation){.gpu = &gpu});
    riffle_cuda_device changed = gpu;
    changed.l2_bytes = 0;
    refuses(RIFFLE_ERROR_INVALID_ARGUMENT, "lacks a number", RIFFLE_ENGINE_CUDA,
            &(riffle_explanation){.gpu = &changed});
    changed = gpu;
    changed.multiprocessors = UINT_MAX;
    refuses(RIFFLE_ERROR_INVALID_ARGUMENT, "that no GPU has", RIFFLE_ENGINE_CUDA,
            &(riffle_explanation){.gpu = &changed});
    static const unsigned widths[] = {3, 33, 64, UINT_MAX};
    for (unsigned k = 0; k < 4; k++)
        refuses(RIFFLE_ERROR_UNSUPPORTED, "a power of two, 32 at most", RIFFLE_ENGINE_CPU,
                &(riffle_explanation){.model = {.width = widths[k]}});
}

static void a_full_disk_is_noticed(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) skip();
    riffle_perm *perm = parse_or_fail("reverse", 64);
    assert_int_equal(
        riffle_explain_as(perm, 4, RIFFLE_ENGINE_CPU, NULL, &(riffle_explanation){.json = true}, full),
        RIFFLE_ERROR_IO);
    fclose(full);
    riffle_perm_free(perm);
}

/* A GPU's choice is the machine's, whatever an element's bytes are. */
static void explain_chooses_as_simulate(void **state) {
    (void)state;
    static const char *const specs[] = {"rotate:5", "reverse", "identity",         "bit-reversal",
                                        "random:1", "shuffle", "transpose:32x128", "axes:16x8x32:2,1,0"};
    static const size_t bytes[] = {1, 2, 3, 4, 8, 12, 16};
    riffle_cuda_device gpu;
    assert_int_equal(riffle_cuda_device_named("h200", &gpu, NULL), RIFFLE_OK);
    for (size_t k = 0; k < sizeof specs / sizeof *specs * 7; k++) {
        riffle_perm *perm = parse_or_fail(specs[k / 7], 1 << 12);
        const riffle_explanation how = {.gpu = &gpu, .json = true};
        char text[ROOM] = {0}, wanted[64];
        riffle_report *report;
        FILE *const stream = fmemopen(text, ROOM, "w");
        assert_non_null(stream);
        assert_int_equal(riffle_explain_as(perm, bytes[k % 7], RIFFLE_ENGINE_CUDA, NULL, &how, stream),
                         RIFFLE_OK);
        fclose(stream);
        assert_int_equal(riffle_simulate(perm, bytes[k % 7], NULL, NULL, &report), RIFFLE_OK);
        snprintf(wanted, sizeof wanted, "\"algorithm\":\"%s\",\"because\"", report->algorithm);
        if (strstr(text, wanted) == NULL)
            fail_msg("%s of %zu bytes: simulated by %s, but explained: %s", specs[k / 7], bytes[k % 7],
                     report->algorithm, text);
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

/* ------------------------------------------------------------------ one algorithm alone */

/* Predictions of one algorithm are what is counted, and what all explanations list. */
static void one_prediction_is_the_table_s(void **state) {
    (void)state;
    static const riffle_algorithm all[] = {RIFFLE_ALGORITHM_SCATTER, RIFFLE_ALGORITHM_GATHER,
                                           RIFFLE_ALGORITHM_SCHEDULED, RIFFLE_ALGORITHM_AFFINE};
    const riffle_machine_options machine = {.width = 8, .latency = 30, .shared_latency = 4, .dmms = 2};
    const riffle_explanation how = {.model = machine, .json = true};
    riffle_perm *perm = parse_or_fail("bit-reversal", 1 << 10);
    char text[ROOM] = {0}, row[128];
    assert_int_equal(explain_into(text, "bit-reversal", 1 << 10, RIFFLE_ENGINE_CPU, &how), RIFFLE_OK);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const riffle_plan_options options = {.algorithm = all[k]};
        riffle_prediction told;
        riffle_report *report;
        memset(&told, 0xa5, sizeof told);
        assert_int_equal(riffle_predict(perm, 4, &options, &machine, &told), RIFFLE_OK);
        assert_int_equal(riffle_simulate(perm, 4, &options, &machine, &report), RIFFLE_OK);
        assert_true(told.is_known && told.is_exact);
        assert_int_equal(told.time_units, riffle_report_time_units(report));
        assert_int_equal(told.bound, (1 << 10) / 8 + 30 - 1);
        snprintf(row, sizeof row, "{\"algorithm\":\"%s\",\"time_units\":%llu,", riffle_algorithm_string(all[k]),
                 (unsigned long long)told.time_units);
        assert_non_null(strstr(text, row));
        riffle_report_free(report);
    }
    riffle_perm_free(perm);
}

/* A check's launches are in each algorithm's time, as simulate counts them, and are told by themselves. */
static void checks_are_predicted(void **state) {
    (void)state;
    static const riffle_algorithm all[] = {RIFFLE_ALGORITHM_GATHER, RIFFLE_ALGORITHM_SCHEDULED};
    riffle_perm *perm = parse_or_fail("random:1", 1 << 10);
    const riffle_explanation how = {.json = true};
    char text[ROOM] = {0}, row[128];
    FILE *const stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    assert_int_equal(riffle_explain_as(perm, 4, RIFFLE_ENGINE_CPU,
                                       &(riffle_plan_options){.check = RIFFLE_CHECK_FULL}, &how, stream),
                     RIFFLE_OK);
    fclose(stream);
    assert_non_null(strstr(text, "\"check\":\"full\""));
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        riffle_plan_options options = {.algorithm = all[k]};
        riffle_prediction plain, checked;
        riffle_report *report;
        assert_int_equal(riffle_predict(perm, 4, &options, NULL, &plain), RIFFLE_OK);
        options.check = RIFFLE_CHECK_FULL;
        assert_int_equal(riffle_predict(perm, 4, &options, NULL, &checked), RIFFLE_OK);
        assert_int_equal(riffle_simulate(perm, 4, &options, NULL, &report), RIFFLE_OK);
        assert_true(checked.is_exact);
        assert_int_equal(checked.time_units, riffle_report_time_units(report));
        riffle_report_free(report);
        snprintf(row, sizeof row, "{\"algorithm\":\"%s\",\"time_units\":%llu,", riffle_algorithm_string(all[k]),
                 (unsigned long long)checked.time_units);
        assert_non_null(strstr(text, row));
        snprintf(row, sizeof row, "\"check_time_units\":%llu,",
                 (unsigned long long)(checked.time_units - plain.time_units));
        assert_non_null(strstr(text, row));
    }
    riffle_perm_free(perm);
}

static void cannot_predict(riffle_status status, const char *reason, riffle_algorithm algorithm,
                           const riffle_machine_options *machine) {
    const riffle_plan_options options = {.algorithm = algorithm,
                                         .check = strstr(reason, "check") != NULL ? RIFFLE_CHECK_FULL
                                                                                   : RIFFLE_CHECK_NONE};
    riffle_perm *perm = parse_or_fail("random:1", 1 << 16);
    riffle_prediction told = {.time_units = 7};
    assert_int_equal(riffle_predict(perm, 4, &options, machine, &told), status);
    assert_non_null(strstr(riffle_error_detail(), reason));
    assert_int_equal(told.time_units, 7);
    riffle_perm_free(perm);
}

static void what_cannot_run_is_not_predicted(void **state) {
    (void)state;
    cannot_predict(RIFFLE_ERROR_UNSUPPORTED, "does not fit", RIFFLE_ALGORITHM_CONFLICT_FREE, NULL);
    cannot_predict(RIFFLE_ERROR_UNSUPPORTED, "a power of two, 32 at most, and not 12", RIFFLE_ALGORITHM_SCATTER,
                   &(riffle_machine_options){.width = 12});
    cannot_predict(RIFFLE_ERROR_UNSUPPORTED, "16 threads are less than a warp of 32", RIFFLE_ALGORITHM_SCATTER,
                   &(riffle_machine_options){.block_threads = 16});
    cannot_predict(RIFFLE_ERROR_UNSUPPORTED, "a check needs warps of 32", RIFFLE_ALGORITHM_SCATTER,
                   &(riffle_machine_options){.width = 16});
    cannot_predict(RIFFLE_ERROR_UNSUPPORTED, "a check needs warps of 32 and blocks of 256",
                   RIFFLE_ALGORITHM_SCATTER, &(riffle_machine_options){.block_threads = 128});
}

/* Batches, estimates, and nothing. */
static void predictions_say_what_they_are(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("random:1", 1 << 10), *none = parse_or_fail("identity", 0);
    riffle_prediction one, three;
    riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_SCHEDULED};
    assert_int_equal(riffle_predict(perm, 4, &options, NULL, &one), RIFFLE_OK);
    options.batch = 3;
    assert_int_equal(riffle_predict(perm, 4, &options, NULL, &three), RIFFLE_OK);
    assert_int_equal(three.time_units, 3 * one.time_units);
    assert_int_equal(three.bound, 3 * (1 << 10) / 32 + 400 - 1);
    riffle_perm *const long_one = parse_or_fail("random:1", 1 << 22);
    options = (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_SCATTER};
    assert_int_equal(riffle_predict(long_one, 4, &options, NULL, &one), RIFFLE_OK);
    assert_true(one.is_known && !one.is_exact && one.time_units > one.bound);
    riffle_perm_free(long_one);
    assert_int_equal(riffle_predict(none, 4, NULL, NULL, &one), RIFFLE_OK);
    assert_true(one.time_units == 0 && one.bound == 0);
    riffle_perm_free(none);
    riffle_perm_free(perm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_gpus_have_every_number),
        cmocka_unit_test(other_names_are_refused),
        cmocka_unit_test(zeros_are_the_defaults),
        cmocka_unit_test(what_cannot_be_explained_is_refused),
        cmocka_unit_test(explain_chooses_as_simulate),
        cmocka_unit_test(a_full_disk_is_noticed),
        cmocka_unit_test(one_prediction_is_the_table_s),
        cmocka_unit_test(checks_are_predicted),
        cmocka_unit_test(what_cannot_run_is_not_predicted),
        cmocka_unit_test(predictions_say_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
