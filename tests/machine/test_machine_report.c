/* SPDX-License-Identifier: Apache-2.0
 *
 * A report's rows and sums, and both ways to print it.
 */
#include "machine_support.h"

#include "machine/count/verdict.h"
#include "machine/report/escape.h"
#include "machine/report/read.h"

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
    report_hazard h = {
        .kind = HAZARD_RACE, .kernel = "k", .file = "a.cu", .line = 3, .text = "first", .count = 2};
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    h.text = "second";
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    h.line = 4;
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    assert_int_equal(report->hazards, 2);
    assert_string_equal(report->hazard[0].text, "first");
    assert_int_equal(report->hazard[0].count, 4);
    assert_int_equal(riffle_report_hazards(report), 6);
    /* A pair of lines is one, whichever came first; writes of the same value are counted apart. */
    const report_hazard there = {HAZARD_RACE, "k", "a.cu", 3, OP_WRITE, "b.cu", 5, OP_READ, "pair", 1};
    const report_hazard back = {HAZARD_RACE, "k", "b.cu", 5, OP_READ, "a.cu", 3, OP_WRITE, "again", 1};
    const report_hazard same = {HAZARD_SAME_VALUE, "k", "a.cu", 3, OP_WRITE, "a.cu", 3, OP_WRITE, "same", 5};
    assert_int_equal(report_add_hazard(report, &there), RIFFLE_OK);
    assert_int_equal(report_add_hazard(report, &back), RIFFLE_OK);
    assert_int_equal(report_add_hazard(report, &same), RIFFLE_OK);
    assert_int_equal(report->hazards, 4);
    assert_int_equal(riffle_report_hazards(report), 8);
    assert_int_equal(riffle_report_hazards_of(report, "same-value"), 5);
    riffle_report_free(report);
}

static void json_has_every_field_in_order(void **state) {
    (void)state;
    riffle_report *report = report_or_fail();
    report_line line = some_line("k", 7, SPACE_GLOBAL, OP_ATOMIC);
    assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    line = some_line("k", 8, SPACE_SHARED, OP_READ);
    assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    const report_hazard h = {.kind = HAZARD_OUT_OF_BOUNDS,
                             .kernel = "k",
                             .file = "a.cu",
                             .line = 3,
                             .text = "tab\there",
                             .count = 2};
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    const report_hazard race = {HAZARD_RACE, "k", "a.cu", 3, OP_WRITE, "b.cu", 5, OP_READ, "two", 1};
    assert_int_equal(report_add_hazard(report, &race), RIFFLE_OK);
    report->partial = true;
    char *text = printed(report, riffle_report_print_json);
    const char *row = "\"cell_bytes\":4,\"merged\":0,\"rounds\":3,\"casual_rounds\":1,\"warps\":6,\"stages\":9,"
                      "\"ideal_stages\":6,"
                      "\"worst_stages\":4,\"time_units\":21,\"requests\":12,\"ideal_requests\":7,\"verdict\":";
    char expected[2048];
    snprintf(
        expected, sizeof expected,
        "{\"width\":4,\"latency\":5,\"shared_latency\":2,\"dmms\":3,\"n\":null,\"algorithm\":null,\"rounds\":["
        "{\"launch\":0,\"kernel\":\"k\",\"file\":\"a\\\"b.cu\",\"line\":7,\"space\":\"global\",\"op\":"
        "\"atomic\",%s\"uncoalesced, 2 sectors where 1.2 would do\"},"
        "{\"launch\":0,\"kernel\":\"k\",\"file\":\"a\\\"b.cu\",\"line\":8,\"space\":\"shared\",\"op\":\"read\","
        "%s\"1.7-way bank conflict\"}],"
        "\"launches\":[{\"launch\":0,\"kernel\":\"k\",\"rounds\":6,\"stages\":18,\"time_units\":42}],"
        "\"summary\":{\"global\":{\"coalesced_read\":0,\"coalesced_write\":2,\"casual_read\":0,\"casual_"
        "write\":1},"
        "\"shared\":{\"conflict_free_read\":2,\"conflict_free_write\":0,\"casual_read\":1,\"casual_write\":0}},"
        "\"time_units\":42,\"predicted_time_units\":null,\"hazards\":[{\"kind\":\"out-of-bounds\",\"kernel\":"
        "\"k\","
        "\"file\":\"a.cu\",\"line\":3,\"count\":2,\"text\":\"tab\\u0009here\"},{\"kind\":\"race\",\"kernel\":"
        "\"k\",\"file\":\"a.cu\",\"line\":3,\"op\":\"write\","
        "\"other_file\":\"b.cu\",\"other_line\":5,\"other_op\":\"read\",\"count\":1,\"text\":\"two\"}],"
        "\"blocks\":0,\"run_blocks\":0,\"checked_blocks\":0,\"counted_blocks\":0,\"partial\":true}\n",
        row, row);
    assert_string_equal(text, expected);
    free(text);
    report->n = 64;
    report->algorithm = "copy";
    report->is_predicted = true;
    report->predicted_time_units = 43;
    report->predicted_meaning = "exact";
    text = printed(report, riffle_report_print_json);
    assert_non_null(strstr(text, "\"n\":64,\"algorithm\":\"copy\","));
    assert_non_null(strstr(text, "\"predicted_time_units\":43,\"predicted_meaning\":\"exact\","));
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
    const report_hazard h = {
        .kind = HAZARD_RACE, .kernel = "k", .file = "a.cu", .line = 3, .text = "two threads", .count = 2};
    assert_int_equal(report_add_hazard(report, &h), RIFFLE_OK);
    report->is_predicted = true;
    report->predicted_time_units = 43;
    report->predicted_meaning = "exact";
    char *text = printed(report, riffle_report_print);
    const char *says[] = {"a_long_kernel_name  a\"b.cu:7  global  read",
                          " 12            7  uncoalesced, 2 sectors where 1.2 would do\n",
                          " 12            7  1.7-way bank conflict\n",
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

static report_line wasteful_line(report_space space, uint64_t requests, uint64_t ideal) {
    report_line line = some_line("k", 7, space, OP_READ);
    line.warps = 4;
    line.requests = requests;
    line.ideal_requests = ideal;
    return line;
}

static void expect_verdict(report_space space, uint64_t requests, uint64_t ideal, const char *expected) {
    const report_line line = wasteful_line(space, requests, ideal);
    char verdict[VERDICT_TEXT];
    assert_string_equal(verdict_say(&line, 0, verdict), expected);
}

static void verdicts_are_what_the_hardware_asks_for(void **state) {
    (void)state;
    expect_verdict(SPACE_GLOBAL, 16, 16, "coalesced");
    expect_verdict(SPACE_GLOBAL, 20, 16, "coalesced"); /* rows that begin anywhere */
    expect_verdict(SPACE_GLOBAL, 64, 16, "uncoalesced, 16 sectors where 4 would do");
    expect_verdict(SPACE_GLOBAL, 10, 4, "uncoalesced, 2.5 sectors where 1 would do");
    expect_verdict(SPACE_SHARED, 4, 4, "conflict-free");
    expect_verdict(SPACE_SHARED, 32, 4, "8-way bank conflict");
    riffle_report *report = report_or_fail();
    const report_line lines[] = {wasteful_line(SPACE_GLOBAL, 64, 16), wasteful_line(SPACE_SHARED, 8, 4)};
    for (unsigned k = 0; k < 2; k++) assert_int_equal(report_add_line(report, &lines[k]), RIFFLE_OK);
    assert_int_equal(riffle_report_uncoalesced(report, 0), 1);
    assert_int_equal(riffle_report_uncoalesced(report, 3.9), 1);
    assert_int_equal(riffle_report_uncoalesced(report, 4), 0);
    assert_int_equal(riffle_report_conflicts(report, 0), 1);
    assert_int_equal(riffle_report_conflicts(report, 2), 0);
    riffle_report_free(report);
}

/* ---- reports read again */

static void expect_no_report(const char *text) {
    riffle_report *report;
    assert_int_equal(report_read("old.json", text, &report), RIFFLE_ERROR_FORMAT);
    assert_non_null(strstr(riffle_error_detail(), "old.json: "));
    assert_non_null(strstr(riffle_error_detail(), "; give what --json printed"));
}

static riffle_report *small_report(void) {
    riffle_report *report = report_or_fail();
    report_line line = some_line("k\"\\\n<int>", 7, SPACE_SHARED, OP_WRITE);
    line.array = "tile";
    assert_int_equal(report_add_line(report, &line), RIFFLE_OK);
    const report_hazard race = {
        .kind = HAZARD_RACE, .kernel = "k", .file = "f", .line = 2, .text = "\t\xff", .count = 3};
    assert_int_equal(report_add_hazard(report, &race), RIFFLE_OK);
    return report;
}

static void what_was_printed_is_read_again(void **state) {
    (void)state;
    riffle_report *report = small_report(), *again;
    char *text = printed(report, riffle_report_print_json);
    assert_int_equal(report_read("old.json", text, &again), RIFFLE_OK);
    assert_int_equal(again->lines, 1);
    assert_string_equal(again->line[0].kernel, report->line[0].kernel);
    assert_string_equal(again->line[0].array, "tile");
    assert_int_equal(again->line[0].space, SPACE_SHARED);
    assert_int_equal(again->line[0].op, OP_WRITE);
    assert_int_equal(again->line[0].requests, 12);
    assert_int_equal(again->hazards, 1);
    assert_int_equal(again->hazard[0].kind, HAZARD_RACE);
    assert_int_equal(again->hazard[0].count, 3);
    riffle_report_free(again);
    for (size_t length = 0; length < strlen(text) - 1; length++) { /* the last byte is a line's end */
        char *cut = strndup(text, length);
        assert_non_null(cut);
        expect_no_report(cut);
        free(cut);
    }
    free(text);
    riffle_report_free(report);
}

static void what_is_no_report_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "[]",
                                        "{}",
                                        "{\"rounds\":1}",
                                        "{\"rounds\":[{}]}",
                                        "{\"rounds\":[{\"kernel\":\"k\",\"file\":\"f\",\"space\":\"glob\"}]}",
                                        "{\"rounds\":[],\"hazards\":[{\"kind\":\"rice\"}]}",
                                        "{\"rounds\":[]} x",
                                        "{\"a\":\"\\u12",
                                        "{\"a\":\"\\",
                                        "{\"a\":\"\n\"}"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) expect_no_report(texts[k]);
    char *deep = malloc(100001); /* as deep as no stack is */
    assert_non_null(deep);
    for (unsigned k = 0; k < 100000; k++) deep[k] = "{\"a\":"[k % 5];
    deep[100000] = '\0';
    expect_no_report(deep);
    memset(deep, '[', 100000);
    memcpy(deep, "{\"a\":", 5);
    expect_no_report(deep);
    free(deep);
}

static void comparisons_judge_sums_of_kernels_and_arrays(void **state) {
    (void)state;
    riffle_report *before = report_or_fail(), *now = report_or_fail(), *worse;
    report_line line = some_line("k", 7, SPACE_GLOBAL, OP_READ); /* 5 too many */
    assert_int_equal(report_add_line(before, &line), RIFFLE_OK);
    line.line = 8;
    assert_int_equal(report_add_line(before, &line), RIFFLE_OK);
    line.requests = 18; /* 11 too many, where 2 * 5 were */
    assert_int_equal(report_add_line(now, &line), RIFFLE_OK);
    line = some_line("gone", 1, SPACE_SHARED, OP_READ);
    assert_int_equal(report_add_line(before, &line), RIFFLE_OK);
    char *json = printed(before, riffle_report_print_json), *said = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&said, &bytes);
    assert_non_null(stream);
    assert_int_equal(riffle_report_compare(now, "old.json", json, stream, &worse), RIFFLE_OK);
    fclose(stream);
    assert_string_equal(said, "worse: k, global read of memory: wasted sectors 10 -> 11\n"
                              "better: gone, shared read of memory: wasted wavefronts 5 -> 0\n");
    assert_int_equal(riffle_report_uncoalesced(worse, 0), 1);
    assert_int_equal(riffle_report_conflicts(worse, 0), 0);
    free(said);
    free(json);
    riffle_report_free(worse);
    riffle_report_free(now);
    riffle_report_free(before);
}

static void expect_json(const char *text, const char *expected) {
    char *said = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&said, &bytes);
    assert_non_null(stream);
    escape_json(text, stream);
    fclose(stream);
    assert_string_equal(said, expected);
    free(said);
}

#define UNKNOWN "\xef\xbf\xbd"

static void bytes_that_are_no_text_become_a_character_that_says_so(void **state) {
    (void)state;
    expect_json("a\"\\\n\x7f", "\"a\\\"\\\\\\u000a\\u007f\"");
    expect_json("\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80", "\"\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80\"");
    expect_json("\xff", "\"" UNKNOWN "\"");
    expect_json("\xc3", "\"" UNKNOWN "\"");
    expect_json("\xc0\xaf", "\"" UNKNOWN UNKNOWN "\"");             /* longer than need be */
    expect_json("\xed\xa0\x80", "\"" UNKNOWN UNKNOWN UNKNOWN "\""); /* half of a pair */
    expect_json("\xf4\x90\x80\x80", "\"" UNKNOWN UNKNOWN UNKNOWN UNKNOWN "\"");
}

static void a_full_disk_is_an_error(void **state) {
    (void)state;
    riffle_report *report = report_or_fail();
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) skip();
    assert_int_equal(riffle_report_print(report, full), RIFFLE_ERROR_IO);
    assert_string_equal(riffle_error_detail(), "the report could not be written");
    assert_int_equal(riffle_report_print_json(report, full), RIFFLE_ERROR_IO);
    assert_int_equal(riffle_report_print_sarif(report, "k.cu", full), RIFFLE_ERROR_IO);
    assert_int_equal(riffle_report_print_html(report, "k.cu", NULL, full), RIFFLE_ERROR_IO);
    fclose(full);
    riffle_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_rows_are_added_up),
        cmocka_unit_test(equal_hazards_are_counted),
        cmocka_unit_test(json_has_every_field_in_order),
        cmocka_unit_test(the_table_tells_verdicts_and_sums),
        cmocka_unit_test(verdicts_are_what_the_hardware_asks_for),
        cmocka_unit_test(what_was_printed_is_read_again),
        cmocka_unit_test(what_is_no_report_is_refused),
        cmocka_unit_test(comparisons_judge_sums_of_kernels_and_arrays),
        cmocka_unit_test(bytes_that_are_no_text_become_a_character_that_says_so),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
