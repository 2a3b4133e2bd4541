/* SPDX-License-Identifier: Apache-2.0
 *
 * A report's rows and sums, and both ways to print it.
 */
#include "machine_support.h"

static const riffle_machine_options OPTIONS = {.width = 4, .latency = 5, .shared_latency = 2, .dmms = 3};

static riffle_report *report_or_fail(void) {
    riffle_report *report = NULL;
    assert_int_equal(report_create(&OPTIONS, &report), RIFFLE_OK);
    return report;
}

static report_line some_line(const char *kernel, unsigned line, report_space space, report_op op) {
    return (report_line){.kernel = kernel,
                         .file = "a\"b.cu",
                         .line = line,
                         .space = space,
                         .op = op,
                         .cell_bytes = 4,
                         .rounds = 3,
                         .casual_rounds = 1,
                         .warps = 6,
                         .stages = 9,
                         .ideal_stages = 6,
                         .worst_stages = 4,
                         .time_units = 21,
                         .requests = 12,
                         .ideal_requests = 7};
}

static char *printed(const riffle_report *report, riffle_status (*print)(const riffle_report *, FILE *)) {
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(print(report, stream), RIFFLE_OK);
    fclose(stream);
    return text;
}

static void equal_rows_are_added_up(void **state) {
    (void)state;
    riffle_report *report = report_or_fail();
    char kernel[] = "k";
    report_line line = some_line(kernel, 7, SPACE_SHARED, OP_READ);
    for (unsigned k = 0; k < 3; k++) assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    line.cell_bytes = 8;
    line.worst_stages = 9;
    assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    kernel[0] = 'j'; /* the report has copies of its own */
    assert_int_equal(report->lines, 1);
    assert_string_equal(report->line[0].kernel, "k");
    assert_int_equal(report->line[0].rounds, 12);
    assert_int_equal(report->line[0].requests, 48);
    assert_int_equal(report->line[0].cell_bytes, 8);
    assert_int_equal(report->line[0].worst_stages, 9);
    line = some_line("k", 7, SPACE_SHARED, OP_WRITE);
    assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    line.launch = 1;
    for (unsigned k = 8; k < 60; k++) {
        line.line = k;
        assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    }
    assert_int_equal(report->lines, 2 + 52);
    assert_int_equal(riffle_report_time_units(report), (4 + 53) * 21);
    assert_int_equal(riffle_report_casual_rounds(report), 4 + 53);
    riffle_report_free(report);
    riffle_report_free(NULL);
}

static void equal_hazards_are_counted(void **state) {
    (void)state;
    riffle_report *report = report_or_fail();
    report_hazard h = {HAZARD_RACE, "k", "a.cu", 3, "first", 2};
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    h.text = "second";
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    h.line = 4;
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    assert_int_equal(report->hazards, 2);
    assert_string_equal(report->hazard[0].text, "first");
    assert_int_equal(report->hazard[0].count, 4);
    assert_int_equal(riffle_report_hazards(report), 6);
    riffle_report_free(report);
}

static void json_has_every_field_in_order(void **state) {
    (void)state;
    riffle_report *report = report_or_fail();
    report_line line = some_line("k", 7, SPACE_GLOBAL, OP_ATOMIC);
    assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    line = some_line("k", 8, SPACE_SHARED, OP_READ);
    assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    const report_hazard h = {HAZARD_OUT_OF_BOUNDS, "k", "a.cu", 3, "tab\there", 2};
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    char *text = printed(report, riffle_report_print_json);
    const char *row =
        "\"cell_bytes\":4,\"rounds\":3,\"casual_rounds\":1,\"warps\":6,\"stages\":9,\"ideal_stages\":6,"
        "\"worst_stages\":4,\"time_units\":21,\"requests\":12,\"ideal_requests\":7}";
    char expected[2048];
    snprintf(
        expected, sizeof expected,
        "{\"width\":4,\"latency\":5,\"shared_latency\":2,\"dmms\":3,\"n\":null,\"algorithm\":null,\"rounds\":["
        "{\"launch\":0,\"kernel\":\"k\",\"file\":\"a\\\"b.cu\",\"line\":7,\"space\":\"global\",\"op\":"
        "\"atomic\",%s,"
        "{\"launch\":0,\"kernel\":\"k\",\"file\":\"a\\\"b.cu\",\"line\":8,\"space\":\"shared\",\"op\":\"read\","
        "%s],"
        "\"launches\":[{\"launch\":0,\"kernel\":\"k\",\"rounds\":6,\"stages\":18,\"time_units\":42}],"
        "\"summary\":{\"global\":{\"coalesced_read\":0,\"coalesced_write\":2,\"casual_read\":0,\"casual_"
        "write\":1},"
        "\"shared\":{\"conflict_free_read\":2,\"conflict_free_write\":0,\"casual_read\":1,\"casual_write\":0}},"
        "\"time_units\":42,\"predicted_time_units\":null,\"hazards\":[{\"kind\":\"out-of-bounds\",\"kernel\":"
        "\"k\","
        "\"file\":\"a.cu\",\"line\":3,\"count\":2,\"text\":\"tab\\u0009here\"}]}\n",
        row, row);
    assert_string_equal(text, expected);
    free(text);
    report->n = 64;
    report->algorithm = "copy";
    report->is_predicted = true;
    report->predicted_time_units = 43;
    text = printed(report, riffle_report_print_json);
    assert_non_null(strstr(text, "\"n\":64,\"algorithm\":\"copy\","));
    assert_non_null(strstr(text, "\"predicted_time_units\":43,"));
    assert_int_equal(riffle_report_predicted_time_units(report), 43);
    free(text);
    riffle_report_free(report);
}

static void the_table_tells_verdicts_and_sums(void **state) {
    (void)state;
    riffle_report *report = report_or_fail();
    report_line line = some_line("a_long_kernel_name", 7, SPACE_GLOBAL, OP_READ);
    assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    line = some_line("k", 8, SPACE_SHARED, OP_READ);
    line.casual_rounds = 0;
    assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    const report_hazard h = {HAZARD_RACE, "k", "a.cu", 3, "two threads", 2};
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    report->is_predicted = true;
    report->predicted_time_units = 43;
    char *text = printed(report, riffle_report_print);
    const char *says[] = {"a_long_kernel_name  a\"b.cu:7  global  read",
                          "casual",
                          "conflict-free",
                          "1.50",
                          "global rounds: coalesced 2 read, 0 write; casual 1 read, 0 write",
                          "shared rounds: conflict-free 3 read, 0 write; casual 0 read, 0 write",
                          "time units: 42 (predicted 43)",
                          "hazards: 2",
                          "a.cu:3: race in k: two threads (2 times)"};
    for (size_t k = 0; k < sizeof says / sizeof *says; k++) {
        if (strstr(text, says[k]) == NULL) fail_msg("\"%s\" is not in\n%s", says[k], text);
    }
    free(text);
    riffle_report_free(report);
}

static void a_full_disk_is_an_error(void **state) {
    (void)state;
    riffle_report *report = report_or_fail();
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) skip();
    assert_int_equal(riffle_report_print(report, full), RIFFLE_ERROR_IO);
    assert_string_equal(riffle_error_detail(), "the report could not be written");
    assert_int_equal(riffle_report_print_json(report, full), RIFFLE_ERROR_IO);
    fclose(full);
    riffle_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_rows_are_added_up),       cmocka_unit_test(equal_hazards_are_counted),
        cmocka_unit_test(json_has_every_field_in_order), cmocka_unit_test(the_table_tells_verdicts_and_sums),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
