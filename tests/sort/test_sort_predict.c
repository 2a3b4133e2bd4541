/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions of sorts and merges beside a memory machine's counts: equal where nothing depends on keys, near for random ones, and the same from
 * explain as from simulate. tests/support/predicted/bounds.h has the bounds.
 */
#include <math.h>

#include "machine/count/report.h"
#include "models/random_access.h"
#include "predicted/bounds.h"
#include "riffle/machine.h"
#include "support.h"

/* Under a sanitizer, which makes the machine slow, one case in three is enough. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CASES_APART = 3 };
#else
enum { CASES_APART = 1 };
#endif

typedef struct sort_case {
    uint64_t n;
    uint32_t bytes, index_bytes, streams, segments; /* bytes: a key's; streams: merged, or 0 */
    riffle_sort_algorithm algorithm;
    bool is_float;
    unsigned latency, shared_latency, dmms;
    riffle_check check;
} sort_case;

static riffle_sort_key key_of(const sort_case *c) {
    const riffle_sort_key_kind kind = c->is_float ? RIFFLE_SORT_KEY_FLOAT : RIFFLE_SORT_KEY_UNSIGNED;
    return (riffle_sort_key){.elem_bytes = c->bytes, .fields = 1, .field = {{.kind = kind, .bytes = c->bytes}}};
}

static riffle_sort_options options_of(const sort_case *c) {
    return (riffle_sort_options){.task = c->streams > 0 ? RIFFLE_SORT_TASK_MERGE : RIFFLE_SORT_TASK_SORT,
                                 .segments = c->streams > 0 ? c->streams : c->segments,
                                 .index_bytes = c->index_bytes,
                                 .algorithm = c->algorithm,
                                 .check = c->check};
}

static riffle_machine_options machine_of(const sort_case *c) {
    return (riffle_machine_options){
        .latency = c->latency, .shared_latency = c->shared_latency, .dmms = c->dmms};
}

static riffle_report *simulate(const sort_case *c) {
    const riffle_sort_key key = key_of(c);
    const riffle_sort_options options = options_of(c);
    const riffle_machine_options machine = machine_of(c);
    riffle_report *report;
    if (riffle_simulate_sort(c->n, &key, &options, RIFFLE_SIMULATED_KEYS_RANDOM, &machine, &report) !=
        RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    assert_int_equal(riffle_report_hazards(report), 0);
    return report;
}

static void expect_near(const sort_case *c, prediction_bound bound) {
    riffle_report *const report = simulate(c);
    const uint64_t counted = riffle_report_time_units(report),
                   told = riffle_report_predicted_time_units(report);
    assert_string_equal(report->predicted_meaning, "expected");
    if (!is_within(bound, (double)told, (double)counted))
        fail_msg("%llu keys of %u bytes: %llu time units predicted, %llu counted", (unsigned long long)c->n,
                 c->bytes, (unsigned long long)told, (unsigned long long)counted);
    riffle_report_free(report);
}

/* Counts of one launch and kind of access, atomic ones as writes. */
static report_predicted counted_of(const riffle_report *report, size_t launch, report_space space,
                                   bool is_read) {
    report_predicted sum = {0};
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *const line = &report->line[k];
        if (line->launch != launch || line->space != space || (line->op == OP_READ) != is_read) continue;
        sum.rounds += line->rounds, sum.casual_rounds += line->casual_rounds;
        sum.stages += line->stages, sum.time_units += line->time_units;
    }
    return sum;
}

static void expect_equal(const sort_case *c) {
    riffle_report *const report = simulate(c);
    assert_string_equal(report->predicted_meaning, "exact");
    assert_true(bound_of(BOUND_SORT_EXACT).any == 0);
    for (size_t k = 0; k < report->predictions; k++)
        for (unsigned place = 0; place < 4; place++) {
            const report_space space = place / 2 == 0 ? SPACE_GLOBAL : SPACE_SHARED;
            const report_predicted *const told =
                &report->prediction[k].of[space][place % 2 == 0 ? OP_READ : OP_WRITE];
            const report_predicted counted = counted_of(report, k, space, place % 2 == 0);
            assert_int_equal(told->rounds, counted.rounds);
            assert_int_equal(told->casual_rounds, counted.casual_rounds);
            assert_int_equal(told->stages, counted.stages);
            assert_int_equal(told->time_units, counted.time_units);
        }
    assert_int_equal(riffle_report_predicted_time_units(report), riffle_report_time_units(report));
    riffle_report_free(report);
}

/* Keys of 4 bytes in registers, checked or not, of any number that leaves have, runs of a block each, and numbers of 1 and 2 bytes, whose codes are such
 * keys. */
static void leaves_and_runs_are_exact(void **state) {
    (void)state;
    rng r = {7};
    for (unsigned k = 0; k < 6; k++)
        expect_equal(&(sort_case){.n = 300 + rng_below(&r, 3000),
                                  .bytes = 4,
                                  .latency = 1 + (unsigned)rng_below(&r, 400),
                                  .shared_latency = 1 + (unsigned)rng_below(&r, 9),
                                  .dmms = 1 + k % 3,
                                  .check = (riffle_check)(k % 2)});
    for (uint32_t bytes = 4; bytes <= 16; bytes *= 2)
        expect_equal(&(sort_case){
            .n = 37 * (3 * bytes + 1), .bytes = bytes, .segments = 37, .latency = 20, .dmms = bytes / 4});
    for (uint32_t bytes = 1; bytes <= 2; bytes++)
        expect_equal(&(sort_case){.n = 700 + 33 * bytes, .bytes = bytes, .latency = 20});
    expect_equal(
        &(sort_case){.n = 1024, .bytes = 8, .algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE, .latency = 5});
}

static void splits_of_random_keys_are_near(void **state) {
    (void)state;
    static const sort_case cases[] = {
        {.n = 12000, .bytes = 4, .latency = 400},
        {.n = 15001, .bytes = 4, .latency = 1, .shared_latency = 10},
        {.n = 9000, .bytes = 8, .latency = 20},
        {.n = 10000, .bytes = 16, .latency = 400},
        {.n = 11000, .bytes = 4, .index_bytes = 4, .latency = 20},
        {.n = 3000, .bytes = 8, .latency = 1},
        {.n = 3500, .bytes = 16, .index_bytes = 4, .latency = 400},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k += CASES_APART)
        expect_near(&cases[k], BOUND_SORT_INTEGERS);
    expect_near(&(sort_case){.n = 12000, .bytes = 4, .latency = 20, .dmms = 4}, BOUND_SORT_DMMS);
}

/* Half of them have one exponent. */
static void floats_are_near(void **state) {
    (void)state;
    static const sort_case cases[] = {
        {.n = 12000, .bytes = 4, .latency = 400},
        {.n = 9000, .bytes = 8, .latency = 20},
        {.n = 6000, .bytes = 8, .latency = 1},
        {.n = 9000, .bytes = 2, .latency = 20},
        {.n = 9000, .bytes = 4, .index_bytes = 4, .latency = 20},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k += CASES_APART) {
        sort_case c = cases[k];
        c.is_float = true;
        expect_near(&c, BOUND_SORT_FLOATS);
    }
}

static void merges_of_random_keys_are_near(void **state) {
    (void)state;
    static const sort_case cases[] = {
        {.n = 16384, .bytes = 4, .algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE, .latency = 400},
        {.n = 12000,
         .bytes = 8,
         .index_bytes = 4,
         .algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE,
         .latency = 20,
         .dmms = 3},
        {.n = 10000, .bytes = 16, .algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE, .latency = 100},
        {.n = 12000,
         .bytes = 4,
         .algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE,
         .latency = 20,
         .shared_latency = 5},
        {.n = 16384, .bytes = 4, .streams = 4, .algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE, .latency = 400},
        {.n = 12000,
         .bytes = 8,
         .index_bytes = 4,
         .streams = 8,
         .algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE,
         .latency = 5},
        {.n = 19200, .bytes = 4, .streams = 2, .algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE, .latency = 400},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k += CASES_APART) expect_near(&cases[k], BOUND_MERGES);
}

/* Streams of one key have no block between their first and their last. */
static void streams_of_one_key_are_near(void **state) {
    (void)state;
    for (unsigned streams = 2; streams <= 8; streams += 3) {
        riffle_report *const report =
            simulate(&(sort_case){.n = streams, .bytes = 4, .streams = streams, .latency = 400});
        assert_true(is_within(BOUND_MERGES_SHORT, (double)riffle_report_predicted_time_units(report),
                              (double)riffle_report_time_units(report)));
        riffle_report_free(report);
    }
}

static uint64_t explained_of(uint64_t n, const riffle_sort_key *key, const riffle_sort_options *options,
                             const riffle_machine_options *slow, bool *is_known) {
    const riffle_explanation how = {.model = *slow, .json = true};
    char *text;
    size_t bytes;
    FILE *const stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(riffle_explain_sort(n, key, RIFFLE_ENGINE_CUDA, options, &how, stream), RIFFLE_OK);
    fclose(stream);
    const char *const at = strstr(text, "\"time_units\":");
    assert_non_null(at);
    unsigned long long out = 0;
    *is_known = sscanf(at, "\"time_units\":%llu", &out) == 1;
    free(text);
    return out;
}

static uint64_t explained(const sort_case *c, bool *is_known) {
    const riffle_sort_key key = key_of(c);
    const riffle_sort_options options = options_of(c);
    const riffle_machine_options slow = machine_of(c);
    return explained_of(c->n, &key, &options, &slow, is_known);
}

static void explain_says_what_simulate_says(void **state) {
    (void)state;
    static const sort_case cases[] = {
        {.n = 5000, .bytes = 4, .latency = 400, .dmms = 2},
        {.n = 9000, .bytes = 8, .index_bytes = 4, .latency = 7},
        {.n = 4000, .bytes = 4, .algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE, .latency = 400},
        {.n = 6000, .bytes = 4, .streams = 3, .latency = 30},
        {.n = 5000, .bytes = 16, .latency = 400},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_report *const report = simulate(&cases[k]);
        bool is_known;
        const uint64_t told = explained(&cases[k], &is_known);
        assert_int_equal(told, riffle_report_predicted_time_units(report));
        assert_true(is_known == report->is_predicted);
        riffle_report_free(report);
    }
}

/* Long keys have predictions as short ones; machines of another width have none. */
static void what_is_predicted_says_so(void **state) {
    (void)state;
    bool is_known;
    const riffle_sort_key rows = {.elem_bytes = 12,
                                  .fields = 2,
                                  .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 8},
                                            {.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 4, .offset = 8}}};
    explained_of(9000, &rows, NULL, &(riffle_machine_options){0}, &is_known);
    assert_true(is_known);
    const riffle_explanation narrow = {.model = {.width = 16}};
    const riffle_sort_key key = key_of(&(sort_case){.bytes = 4});
    assert_int_equal(riffle_explain_sort(100, &key, RIFFLE_ENGINE_CUDA, NULL, &narrow, stdout),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "width of 16"));
    const riffle_sort_options seven = {.segments = 7};
    for (riffle_engine engine = RIFFLE_ENGINE_CPU; engine <= RIFFLE_ENGINE_CUDA; engine++) {
        assert_int_equal(riffle_explain_sort(100, &key, engine, &seven, NULL, stdout),
                         RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(riffle_error_detail(), "100 elements are no 7 segments of as many"));
    }
    assert_int_equal(riffle_explain_sort(100, NULL, RIFFLE_ENGINE_CUDA, NULL, NULL, stdout),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
}

/* By definition: all ways of few lanes, one after the other. */
static double fullest_by_counting(unsigned lanes, unsigned cells, unsigned banks, bool merges) {
    double sum = 0, all = pow(cells, lanes);
    for (uint64_t way = 0; way < (uint64_t)all; way++) {
        unsigned in[8] = {0}, most = 0;
        bool taken[16] = {0};
        uint64_t left = way;
        for (unsigned k = 0; k < lanes; k++, left /= cells) {
            const unsigned cell = (unsigned)(left % cells);
            if (!merges || !taken[cell]) in[cell % banks]++;
            taken[cell] = true;
        }
        for (unsigned b = 0; b < banks; b++) most = in[b] > most ? in[b] : most;
        sum += most;
    }
    return sum / all;
}

static void the_fullest_bank_is_as_counted(void **state) {
    (void)state;
    for (unsigned cells = 1; cells <= 9; cells += 2)
        for (unsigned merges = 0; merges < 2; merges++)
            assert_true(fabs(random_fullest_bank(4, cells, 4, merges) -
                             fullest_by_counting(4, cells, 4, merges)) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_and_runs_are_exact),
                                       cmocka_unit_test(splits_of_random_keys_are_near),
                                       cmocka_unit_test(floats_are_near),
                                       cmocka_unit_test(merges_of_random_keys_are_near),
                                       cmocka_unit_test(streams_of_one_key_are_near),
                                       cmocka_unit_test(explain_says_what_simulate_says),
                                       cmocka_unit_test(what_is_predicted_says_so),
                                       cmocka_unit_test(the_fullest_bank_is_as_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
