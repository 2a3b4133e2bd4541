/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans by trial: they move as the definition says whatever won, take what was measured before untried, keep to their time, and use the
 * caller's arrays where there are any. Wisdom's files: there and back, cut at every byte, changed in every byte, foreign, absent.
 */
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "move/engine.h"
#include "plan/request/measured.h"
#include "plan/wisdom/wisdom.h"
#include "support.h"

enum { ROOM = 1 << 14 };

static riffle_plan_options measuring(double seconds) {
    return (riffle_plan_options){.effort = RIFFLE_EFFORT_MEASURE, .effort_seconds = seconds};
}

static riffle_plan *plan_or_fail(const char *by, uint64_t n, size_t elem_bytes, riffle_plan_options options) {
    riffle_perm *perm = parse_or_fail(by, n);
    riffle_plan *plan = NULL;
    if (riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
        fail_msg("%s: %s", by, riffle_error_detail());
    riffle_perm_free(perm);
    return plan;
}

static void explain(const riffle_plan *plan, char text[ROOM]) {
    FILE *const stream = fmemopen(text, ROOM, "w");
    assert_non_null(stream);
    assert_int_equal(riffle_plan_explain(plan, stream), RIFFLE_OK);
    fclose(stream);
}

static void expect_moves(const char *by, uint64_t n, size_t elem_bytes, const riffle_plan *plan,
                         bool in_place) {
    riffle_perm *perm = parse_or_fail(by, n);
    const size_t bytes = n * elem_bytes;
    unsigned char *src = malloc(bytes + 1), *dst = malloc(bytes + 1), *was = malloc(bytes + 1);
    assert_true(src != NULL && dst != NULL && was != NULL);
    rng g = {test_seed()};
    for (size_t k = 0; k < bytes; k++) was[k] = src[k] = (unsigned char)rng_next(&g);
    memset(dst, POISON_VALUE, bytes + 1);
    unsigned char *const to = in_place ? src : dst;
    assert_int_equal(riffle_execute(plan, to, src), RIFFLE_OK);
    for (uint64_t i = 0; i < n; i++)
        if (memcmp(to + riffle_perm_at(perm, i) * elem_bytes, was + i * elem_bytes, elem_bytes) != 0)
            fail_msg("%s: element %llu is wrong", by, (unsigned long long)i);
    free(src);
    free(dst);
    free(was);
    riffle_perm_free(perm);
}

static const struct {
    const char *by;
    uint64_t n;
    size_t elem_bytes;
    bool in_place;
} CASES[] = {
    {"identity", 1000, 4, false},
    {"reverse", 1 << 18, 4, false},
    {"rotate:3", 300001, 3, false},
    {"bit-reversal", 1 << 16, 4, false},
    {"bit-reversal", 1 << 16, 4, true},
    {"axes:61x63x65:2,0,1", 61 * 63 * 65, 4, false},
    {"random-affine:1", 1 << 18, 8, false},
    {"random:1", 50021, 4, false},
    {"transpose:97x101", 97 * 101, 12, true},
    {"random:2", 1, 1, false},
    {"identity", 0, 4, false},
};
enum { CASE_COUNT = sizeof CASES / sizeof CASES[0] };

static void measured_plans_move_right(void **state) {
    (void)state;
    char text[ROOM];
    riffle_wisdom_forget();
    for (size_t k = 0; k < CASE_COUNT; k++) {
        for (unsigned again = 0; again < 2; again++) {
            riffle_plan_options options = measuring(0.2);
            options.in_place = CASES[k].in_place;
            riffle_plan *plan = plan_or_fail(CASES[k].by, CASES[k].n, CASES[k].elem_bytes, options);
            expect_moves(CASES[k].by, CASES[k].n, CASES[k].elem_bytes, plan, CASES[k].in_place);
            explain(plan, text);
            if (CASES[k].n > 0 && strstr(text, again ? "measured     before: " : "measured     ") == NULL)
                fail_msg("%s: not explained:\n%s", CASES[k].by, text);
            assert_int_equal(strstr(text, "before: ") != NULL, again == 1 && CASES[k].n > 0);
            riffle_plan_free(plan);
        }
    }
    assert_int_equal(riffle_wisdom_count(), CASE_COUNT - 1); /* nothing is measured for no elements */
    riffle_wisdom_forget();
    assert_int_equal(riffle_wisdom_count(), 0);
}

/* Another length, element, batch, place or order is another move. */
static void moves_are_told_apart(void **state) {
    (void)state;
    riffle_wisdom_forget();
    const riffle_plan_options options[] = {
        measuring(0.01),
        {.effort = RIFFLE_EFFORT_MEASURE, .effort_seconds = 0.01, .batch = 2},
        {.effort = RIFFLE_EFFORT_MEASURE, .effort_seconds = 0.01, .threads = 1}};
    size_t count = 0;
    for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
        riffle_plan_free(plan_or_fail("random:1", 999, 4, options[k]));
        assert_int_equal(riffle_wisdom_count(), ++count);
    }
    static const struct {
        const char *by;
        uint64_t n;
        size_t elem_bytes;
    } others[] = {{"random:2", 999, 4},
                  {"random:1", 998, 4},
                  {"random:1", 999, 8},
                  {"rotate:7", 999, 4},
                  {"rotate:8", 999, 4}};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        riffle_plan_free(plan_or_fail(others[k].by, others[k].n, others[k].elem_bytes, options[0]));
        assert_int_equal(riffle_wisdom_count(), ++count);
    }
    riffle_plan_free(plan_or_fail("random:1", 999, 4, options[0]));
    assert_int_equal(riffle_wisdom_count(), count);
    riffle_wisdom_forget();
}

/* With next to no time the estimate's choice is the only candidate. */
static void time_is_kept_to(void **state) {
    (void)state;
    riffle_wisdom_forget();
    riffle_plan *estimated = plan_or_fail("random:1", 3000, 4, (riffle_plan_options){0});
    riffle_plan *plan = plan_or_fail("random:1", 3000, 4, measuring(1e-12));
    assert_int_equal(riffle_plan_algorithm(plan), riffle_plan_algorithm(estimated));
    assert_int_equal(plan->trials->count, 1);
    riffle_plan_free(plan);
    riffle_wisdom_forget();
    plan = plan_or_fail("random:1", 3000, 4, measuring(0));
    assert_true(plan->trials->count > 1);
    riffle_plan_free(plan);
    riffle_plan_free(estimated);
    riffle_wisdom_forget();
}

static bool tries_alone(const plan_trials *t, riffle_algorithm one, riffle_algorithm other) {
    bool alone = true;
    for (unsigned k = 0; k < t->count; k++)
        alone &= t->trial[k].algorithm == one || t->trial[k].algorithm == other;
    return alone;
}

/* Candidates that the estimate has far behind are not tried: tables of structured moves, one thread for long arrays. */
static void what_cannot_win_is_not_tried(void **state) {
    (void)state;
    enum { SHORT = 61 * 63 * 65, LONG = 128 * 127 * 129 };
    riffle_wisdom_forget();
    riffle_plan *plan = plan_or_fail("axes:61x63x65:2,0,1", SHORT, 4, measuring(60));
    assert_true(tries_alone(plan->trials, RIFFLE_ALGORITHM_AXES, RIFFLE_ALGORITHM_AXES));
    riffle_plan_free(plan);
    plan = plan_or_fail("bit-reversal", 1 << 16, 4, measuring(60));
    assert_true(tries_alone(plan->trials, RIFFLE_ALGORITHM_AFFINE, RIFFLE_ALGORITHM_AFFINE));
    riffle_plan_free(plan);
    plan = plan_or_fail("axes:128x127x129:2,0,1", LONG, 8, measuring(60));
    const plan_trials *const t = plan->trials;
    assert_true(tries_alone(t, RIFFLE_ALGORITHM_AXES, RIFFLE_ALGORITHM_AXES));
    assert_int_equal(t->count, 2);
    assert_true(t->trial[0].streams != t->trial[1].streams);
    assert_int_equal(t->trial[0].threads, t->trial[1].threads);
    riffle_plan_free(plan);
    riffle_wisdom_forget();
}

static void an_algorithm_that_is_asked_for_stays(void **state) {
    (void)state;
    riffle_wisdom_forget();
    riffle_plan_options options = measuring(0.05);
    options.algorithm = RIFFLE_ALGORITHM_SCATTER;
    for (unsigned again = 0; again < 2; again++) {
        riffle_plan *plan = plan_or_fail("bit-reversal", 1 << 16, 4, options);
        assert_int_equal(riffle_plan_algorithm(plan), RIFFLE_ALGORITHM_SCATTER);
        riffle_plan_free(plan);
    }
    riffle_wisdom_forget();
}

static void callers_arrays_are_used(void **state) {
    (void)state;
    enum { N = 5000 };
    static uint32_t dst[N], src[N];
    memset(dst, POISON_VALUE, sizeof dst);
    for (uint32_t k = 0; k < N; k++) src[k] = k;
    riffle_plan_options options = measuring(0.05);
    options.effort_dst = dst;
    options.effort_src = src;
    riffle_wisdom_forget();
    riffle_plan *plan = plan_or_fail("reverse", N, sizeof *src, options);
    for (uint32_t k = 0; k < N; k++) assert_int_equal(dst[k], N - 1 - k);
    assert_null(plan->request.effort_dst);
    riffle_plan_free(plan);
    riffle_wisdom_forget();
}

static void expect_refusal(riffle_plan_options options, riffle_status expected, const char *part) {
    riffle_perm *perm = parse_or_fail("reverse", 100);
    riffle_plan *plan = NULL;
    const riffle_status status = riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status != expected || strstr(riffle_error_detail(), part) == NULL)
        fail_msg("status %d, '%s' instead of '%s'", (int)status, riffle_error_detail(), part);
    assert_null(plan);
    riffle_perm_free(perm);
}

static void efforts_have_names(void **state) {
    (void)state;
    riffle_effort all[3], effort;
    assert_int_equal(riffle_effort_list(all, 3), 2);
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(riffle_effort_parse(riffle_effort_string(all[k]), &effort), RIFFLE_OK);
        assert_int_equal(effort, all[k]);
    }
    assert_string_equal(riffle_effort_string(RIFFLE_EFFORT_MEASURE), "measure");
    assert_string_equal(riffle_effort_string((riffle_effort)2), "unknown");
    assert_int_equal(riffle_effort_parse("patient", &effort), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "estimate"));
    assert_int_equal(riffle_effort_parse("measure", NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
}

static void wrong_wishes_are_refused(void **state) {
    (void)state;
    static unsigned char arrays[1000];
    const riffle_status wrong = RIFFLE_ERROR_INVALID_ARGUMENT;
    expect_refusal((riffle_plan_options){.effort = (riffle_effort)7}, wrong, "no effort with number 7");
    expect_refusal(measuring(-1), wrong, "effort_seconds is -1");
    expect_refusal(measuring(NAN), wrong, "effort_seconds is");
    expect_refusal(measuring(INFINITY), wrong, "effort_seconds is inf");
    riffle_plan_options options = measuring(0.1);
    options.effort_dst = arrays;
    expect_refusal(options, wrong, "give both or neither");
    options.effort_src = arrays + 399;
    expect_refusal(options, wrong, "overlap");
    options.effort_src = arrays + 400;
    options.in_place = 1;
    expect_refusal(options, wrong, "effort_dst is not effort_src");
    options = measuring(0.1);
    options.algorithm = RIFFLE_ALGORITHM_AXES;
    expect_refusal(options, RIFFLE_ERROR_UNSUPPORTED, "it moves only axes permutations");
}

static riffle_status explain_only(const char *by, uint64_t n, char text[ROOM]) {
    riffle_perm *perm = parse_or_fail(by, n);
    const riffle_plan_options options = measuring(0.05);
    FILE *const stream = fmemopen(text, ROOM, "w");
    const riffle_status status = riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, &options, stream);
    fclose(stream);
    riffle_perm_free(perm);
    return status;
}

/* An explanation without a plan tells what was measured, and measures nothing. */
static void explanations_recall(void **state) {
    (void)state;
    char text[ROOM];
    riffle_wisdom_forget();
    assert_int_equal(explain_only("random:1", 2000, text), RIFFLE_OK);
    assert_null(strstr(text, "measured "));
    assert_int_equal(riffle_wisdom_count(), 0);
    riffle_plan_free(plan_or_fail("random:1", 2000, 4, measuring(0.05)));
    assert_int_equal(explain_only("random:1", 2000, text), RIFFLE_OK);
    assert_non_null(strstr(text, "measured     before: "));
    riffle_wisdom_forget();
}

/* Advice that cannot be followed, as of a changed library's file, is not. */
static void bad_advice_is_not_followed(void **state) {
    (void)state;
    plan_target target;
    plan_request r;
    riffle_perm *perm = parse_or_fail("random:1", 2000);
    const riffle_plan_options options = measuring(0.05);
    assert_int_equal(engine_target(RIFFLE_ENGINE_CPU, &target), RIFFLE_OK);
    assert_int_equal(plan_request_take(perm, 4, &target, &options, &r), RIFFLE_OK);
    const wisdom_entry bad = {measured_key(&r), RIFFLE_ALGORITHM_AXES, 1, STORES_CACHED, 1};
    riffle_wisdom_forget();
    assert_int_equal(wisdom_keep(&bad, 1), RIFFLE_OK);
    riffle_plan *plan = plan_or_fail("random:1", 2000, 4, options);
    expect_moves("random:1", 2000, 4, plan, false);
    wisdom_entry now;
    assert_true(wisdom_find(bad.key, &now));
    assert_int_not_equal(now.algorithm, RIFFLE_ALGORITHM_AXES);
    riffle_plan_free(plan);
    plan_request_drop(&r);
    riffle_perm_free(perm);
    riffle_wisdom_forget();
}

static void the_oldest_entries_go(void **state) {
    (void)state;
    riffle_wisdom_forget();
    wisdom_entry e = {.algorithm = RIFFLE_ALGORITHM_COPY, .threads = 1};
    for (e.key = 1; e.key <= WISDOM_MOST + 3; e.key++) assert_int_equal(wisdom_keep(&e, 1), RIFFLE_OK);
    assert_int_equal(riffle_wisdom_count(), WISDOM_MOST);
    for (uint64_t key = 1; key <= 3; key++) assert_false(wisdom_find(key, &e));
    assert_true(wisdom_find(4, &e));
    assert_true(wisdom_find(WISDOM_MOST + 3, &e));
    for (uint64_t key = 1; key <= 3 * WISDOM_MOST; key += 2) {
        e.key = key * key; /* some are known already */
        assert_int_equal(wisdom_keep(&e, 1), RIFFLE_OK);
    }
    for (uint64_t key = WISDOM_MOST + 1; key <= 3 * WISDOM_MOST; key += 2) {
        assert_true(wisdom_find(key * key, &e));
        assert_int_equal(e.key, key * key);
    }
    assert_int_equal(riffle_wisdom_count(), WISDOM_MOST);
    riffle_wisdom_forget();
    assert_false(wisdom_find(4, &e));
}

/* --------------------------------------------------------------------- files */

static char folder[] = "/tmp/riffle-test-wisdom-XXXXXX", path[64];

static void write_file(const char *text, size_t bytes) {
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(char *text, size_t room) {
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t bytes = fread(text, 1, room, file);
    fclose(file);
    return bytes;
}

static void fill_table(void) {
    riffle_wisdom_forget();
    const wisdom_entry entries[] = {
        {0x123456789abcdef0, RIFFLE_ALGORITHM_AFFINE, 2, STORES_STREAMED, 123456789},
        {7, RIFFLE_ALGORITHM_GATHER, 1, STORES_BY_LENGTH, 0},
        {UINT64_MAX, RIFFLE_ALGORITHM_BUCKET, 64, STORES_CACHED, UINT64_MAX}};
    assert_int_equal(wisdom_keep(entries, 3), RIFFLE_OK);
}

static void files_bring_back_what_was_saved(void **state) {
    (void)state;
    fill_table();
    assert_int_equal(riffle_wisdom_save(path), RIFFLE_OK);
    riffle_wisdom_forget();
    const wisdom_entry other = {7, RIFFLE_ALGORITHM_SCATTER, 3, STORES_CACHED, 5},
                       more = {8, RIFFLE_ALGORITHM_COPY, 1, 0, 1};
    assert_int_equal(wisdom_keep(&other, 1), RIFFLE_OK);
    assert_int_equal(wisdom_keep(&more, 1), RIFFLE_OK);
    assert_int_equal(riffle_wisdom_load(path), RIFFLE_OK);
    assert_int_equal(riffle_wisdom_count(), 4);
    wisdom_entry e;
    assert_true(wisdom_find(0x123456789abcdef0, &e));
    assert_true(e.algorithm == RIFFLE_ALGORITHM_AFFINE && e.threads == 2 && e.stores == STORES_STREAMED &&
                e.picoseconds == 123456789);
    assert_true(wisdom_find(7, &e));
    assert_int_equal(e.algorithm, RIFFLE_ALGORITHM_GATHER);
    assert_true(wisdom_find(UINT64_MAX, &e));
    assert_true(e.threads == 64 && e.picoseconds == UINT64_MAX);
    riffle_wisdom_forget();
    assert_int_equal(riffle_wisdom_save(path), RIFFLE_OK); /* nothing, in the old file's place */
    assert_int_equal(riffle_wisdom_load(path), RIFFLE_OK);
    assert_int_equal(riffle_wisdom_count(), 0);
}

static void expect_bad_file(const char *text, size_t bytes, const char *part) {
    write_file(text, bytes);
    if (riffle_wisdom_load(path) != RIFFLE_ERROR_FORMAT || strstr(riffle_error_detail(), part) == NULL)
        fail_msg("%zu bytes: '%s' instead of '%s'", bytes, riffle_error_detail(), part);
    assert_int_equal(riffle_wisdom_count(), 0);
}

static void damaged_files_are_refused(void **state) {
    (void)state;
    char text[1024];
    fill_table();
    assert_int_equal(riffle_wisdom_save(path), RIFFLE_OK);
    const size_t bytes = read_file(text, sizeof text);
    riffle_wisdom_forget();
    for (size_t k = 0; k < bytes; k++) {
        expect_bad_file(text, k, path);
        text[k] = (char)(text[k] ^ (1 << k % 7));
        expect_bad_file(text, bytes, path);
        text[k] = (char)(text[k] ^ (1 << k % 7));
        const char was = text[k];
        text[k] = '\0';
        expect_bad_file(text, bytes, path);
        text[k] = was;
    }
    text[bytes] = 'x';
    expect_bad_file(text, bytes + 1, "line 5");
    expect_bad_file("riffle wisdom 2\nend 0 0\n", 24, "no file of riffle_wisdom_save");
    expect_bad_file("{\"wisdom\": 1}\n", 14, "no file of riffle_wisdom_save");
}

static uint64_t sum_of(const char *text) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (; *text != '\0'; text++) sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return sum;
}

/* Lines that no library writes, in files that are whole. */
static void strange_entries_are_refused(void **state) {
    (void)state;
    static const char *const lines[] = {"0000000000000001 magic 1 0 5\n",
                                        "0000000000000001 copy 0 0 5\n",
                                        "0000000000000001 copy 1 3 5\n",
                                        "0000000000000001 copy 1 0 -5\n",
                                        "1 copy 1 0 5\n",
                                        "0000000000000001  copy 1 0 5\n",
                                        "0000000000000001 copy 1 0 5 6\n",
                                        "\n"};
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        char text[512];
        const int bytes = snprintf(text, sizeof text, "riffle wisdom 1\n%s", lines[k]);
        snprintf(text + bytes, sizeof text - (size_t)bytes, "end 1 %016llx\n",
                 (unsigned long long)sum_of(text));
        expect_bad_file(text, strlen(text), "line 2");
    }
}

static void expect_no_file(riffle_status status, const char *part) {
    assert_int_equal(status, RIFFLE_ERROR_IO);
    if (strstr(riffle_error_detail(), part) == NULL)
        fail_msg("'%s' instead of '%s'", riffle_error_detail(), part);
}

static void what_the_system_refuses_is_told(void **state) {
    (void)state;
    assert_int_equal(riffle_wisdom_load(NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "path is NULL");
    assert_int_equal(riffle_wisdom_save(NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    char absent[80];
    snprintf(absent, sizeof absent, "%s/no/such", folder);
    expect_no_file(riffle_wisdom_load(absent), "cannot be opened: No such file");
    expect_no_file(riffle_wisdom_save(absent), "cannot be created: No such file");
    expect_no_file(riffle_wisdom_load(folder), "cannot be read: Is a directory");
    expect_no_file(riffle_wisdom_save(folder), "cannot be replaced: ");
    char *const long_file = calloc(1, 3 << 20);
    assert_non_null(long_file);
    expect_bad_file(long_file, 3 << 20, "no file of riffle_wisdom_save");
    free(long_file);
}

static int make_folder(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL) return -1;
    snprintf(path, sizeof path, "%s/wisdom", folder);
    return 0;
}

/* Nothing was left beside the file. */
static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_plans_move_right),
        cmocka_unit_test(moves_are_told_apart),
        cmocka_unit_test(time_is_kept_to),
        cmocka_unit_test(what_cannot_win_is_not_tried),
        cmocka_unit_test(an_algorithm_that_is_asked_for_stays),
        cmocka_unit_test(callers_arrays_are_used),
        cmocka_unit_test(efforts_have_names),
        cmocka_unit_test(wrong_wishes_are_refused),
        cmocka_unit_test(explanations_recall),
        cmocka_unit_test(bad_advice_is_not_followed),
        cmocka_unit_test(the_oldest_entries_go),
        cmocka_unit_test(files_bring_back_what_was_saved),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(strange_entries_are_refused),
        cmocka_unit_test(what_the_system_refuses_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
