/* SPDX-License-Identifier: Apache-2.0
 *
 * Every algorithm has a prediction, without exception: for each name that the library lists, of moves, programs, sorts and hulls, and for histograms, bit
 * transpositions and groups, random cases on random machines are predicted, and counted as the prediction's own meaning says.
 *
 * Names come from the library's tables, so that a new one is here by itself, and fails until its launches have patterns.
 */
#include "../move/predicted_moves.h"
#include "riffle/bits.h"
#include "riffle/group.h"
#include "riffle/histogram.h"
#include "riffle/program.h"
#include "riffle/sort.h"

enum { MOST_NAMES = 64, SHORT = 2, LONG = 200, TRIES = 400 /* for each case that is done */ };

/* Things whose algorithms a GPU has. */
typedef enum thing { MOVES, PROGRAMS, SORTS, HULLS, HISTOGRAMS, BITS, GROUPS, THINGS } thing;
static const char *const thing_names[THINGS] = {"moves",      "programs", "sorts", "hulls",
                                                "histograms", "bits",     "groups"};

typedef struct name {
    thing of;
    unsigned algorithm;
    const char *text;
} name;

static uint64_t seed;

/* ------------------------------------------------------------------ random cases */

static riffle_machine_options warps_of_32(rng *r) {
    riffle_machine_options on = choose_machine(r, false);
    on.width = 32;
    on.block_threads = 0;
    return on;
}

/* Any kind of permutation, until the algorithm does it. */
static bool simulate_move(rng *r, unsigned algorithm, riffle_report **out) {
    static const size_t sizes[] = {4, 8, 4, 8, 1, 2, 16, 12};
    predicted_case c = {
        .seed = seed, .algorithm = (riffle_algorithm)algorithm, .elem_bytes = sizes[below(r, 8)]};
    choose_spec(r, (spec_kind)below(r, SPEC_ROWS + 1), &c);
    c.machine = below(r, 2) == 0 ? warps_of_32(r) : choose_machine(r, false);
    const bool has_rows = c.algorithm == RIFFLE_ALGORITHM_ROW_WISE || c.algorithm == RIFFLE_ALGORITHM_COLUMN_WISE ||
                          c.algorithm == RIFFLE_ALGORITHM_SCHEDULED;
    c.options = (riffle_plan_options){
        .algorithm = c.algorithm, .in_place = below(r, 3) == 0, .row_length = has_rows ? c.row_length : 0};
    return simulate_case(&c, out);
}

/* A user's operation takes a compiler some seconds, so few cases have one. */
static bool simulate_program(rng *r, unsigned algorithm, riffle_report **out) {
    static const char *const texts[] = {"sort n",           "hadamard n", "zeta n",    "bit-reversal",
                                        "sort n | reverse", "gray n",     "bitonic n", "shuffle | walsh n"};
    const riffle_program_options options = {.algorithm = (riffle_program_algorithm)algorithm,
                                            .batch = 1 + below(r, 3)};
    const riffle_machine_options on = warps_of_32(r);
    riffle_program *program;
    const char *const text =
        below(r, 50) == 0 ? "map {a + 1} | reverse" : texts[below(r, sizeof texts / sizeof *texts)];
    if (riffle_program_parse(text, NULL, 2 + (unsigned)below(r, 9), &program) != RIFFLE_OK)
        fail_msg("%s: %s", text, riffle_error_detail());
    const riffle_status status =
        riffle_simulate_program(program, (riffle_type)below(r, RIFFLE_TYPE_F32 + 1), &options, &on, out);
    riffle_program_free(program);
    if (status != RIFFLE_OK && status != RIFFLE_ERROR_UNSUPPORTED)
        fail_msg("seed %llu: %s: %s", (unsigned long long)seed, text, riffle_error_detail());
    return status == RIFFLE_OK;
}

/* Integers of 4 and 8 bytes, sorted or merged. */
static bool simulate_sort(rng *r, unsigned algorithm, riffle_report **out) {
    const uint64_t streams = below(r, 2) == 0 ? 0 : 2 + below(r, 6);
    const riffle_sort_options options = {.algorithm = (riffle_sort_algorithm)algorithm,
                                         .task = streams > 0 ? RIFFLE_SORT_TASK_MERGE : RIFFLE_SORT_TASK_SORT,
                                         .segments = streams,
                                         .index_bytes = 4 * below(r, 2)};
    riffle_machine_options on = warps_of_32(r);
    on.dmms = 1;
    riffle_sort_key key;
    const uint64_t n = 9000 + below(r, 3000);
    assert_int_equal(riffle_sort_key_of_type(below(r, 2) == 0 ? RIFFLE_TYPE_U32 : RIFFLE_TYPE_U64, 0, &key),
                     RIFFLE_OK);
    const riffle_status status = riffle_simulate_sort(streams > 0 ? n - n % streams : n, &key, &options,
                                                      RIFFLE_SIMULATED_KEYS_RANDOM, &on, out);
    if (status != RIFFLE_OK && status != RIFFLE_ERROR_UNSUPPORTED)
        fail_msg("seed %llu: %llu keys by %s: %s", (unsigned long long)seed, (unsigned long long)n,
                 riffle_sort_algorithm_string(options.algorithm), riffle_error_detail());
    return status == RIFFLE_OK;
}

static bool simulate_hull(rng *r, unsigned algorithm, riffle_report **out) {
    const riffle_hull_options options = {.algorithm = (riffle_hull_algorithm)algorithm};
    const riffle_machine_options on = warps_of_32(r);
    const uint64_t n = 1 + below(r, 3000);
    float *const points = malloc(2 * (size_t)n * sizeof *points);
    assert_non_null(points);
    for (uint64_t k = 0; k < 2 * n; k++) points[k] = (float)below(r, 1 << 20);
    const riffle_status status = riffle_simulate_hull(n, RIFFLE_TYPE_F32, points, &options, &on, NULL, out);
    free(points);
    if (status != RIFFLE_OK) fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
    return true;
}

static bool simulate_histogram(rng *r, unsigned algorithm, riffle_report **out) {
    static uint16_t keys[6000];
    const riffle_machine_options on = warps_of_32(r);
    (void)algorithm;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) keys[k] = (uint16_t)rng_next(r);
    const riffle_status status =
        riffle_simulate_histogram(below(r, 6000), 1 + (size_t)below(r, 2), keys, &on, out);
    if (status != RIFFLE_OK) fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
    return true;
}

static bool simulate_bits(rng *r, unsigned algorithm, riffle_report **out) {
    static unsigned char data[1 << 16];
    const riffle_machine_options on = warps_of_32(r);
    const uint64_t width = 8 * (1 + below(r, 12)), n = below(r, 4000);
    (void)algorithm;
    const riffle_status status = (below(r, 2) == 0 ? riffle_simulate_bitshuffle : riffle_simulate_bitunshuffle)(
        n, width, data, NULL, &on, out);
    if (status != RIFFLE_OK) fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
    return true;
}

/* A way from keys to groups. */
static bool simulate_group(rng *r, unsigned algorithm, riffle_report **out) {
    static uint32_t keys[6000];
    static const size_t row_bytes[] = {1, 2, 4, 8, 16, 12, 24};
    const riffle_group_options options = {
        .by = (riffle_group_by)algorithm, .index_bytes = 4 * below(r, 3), .check = (riffle_check)below(r, 2)};
    const riffle_machine_options on = warps_of_32(r);
    const uint64_t groups = 1 + below(r, below(r, 2) == 0 ? 100 : 3000);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        keys[k] = (uint32_t)(algorithm == RIFFLE_GROUP_BY_VALUE ? below(r, groups + 1) : rng_next(r));
    const riffle_status status = riffle_simulate_group(below(r, 6000), row_bytes[below(r, 7)], RIFFLE_TYPE_U32,
                                                       groups, keys, &options, &on, out);
    if (status != RIFFLE_OK) fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
    return true;
}

/* Simulates a case of a thing's algorithm; false if it does not do that one. `bound` is of times that are expected. */
static const struct {
    bool (*simulate)(rng *r, unsigned algorithm, riffle_report **out);
    prediction_bound bound;
} KINDS[THINGS] = {[MOVES] = {simulate_move, BOUND_MOVES_ESTIMATED},
                   [PROGRAMS] = {simulate_program, BOUND_PROGRAMS},
                   [SORTS] = {simulate_sort, BOUND_MERGES_ODD},
                   [HULLS] = {simulate_hull, BOUND_HULL_PAPER},
                   [HISTOGRAMS] = {simulate_histogram, BOUND_HISTOGRAMS},
                   [BITS] = {simulate_bits, BOUND_BITS},
                   [GROUPS] = {simulate_group, BOUND_GROUPS}};

/* ------------------------------------------------------------------------- tests */

static void is_predicted_and_counted(void **state) {
    const name *const who = *state;
    const unsigned wanted = is_sanitized() ? 1 : test_is_long() ? LONG : SHORT;
    rng r = {seed + who->of * MOST_NAMES + who->algorithm};
    char what[400];
    unsigned done = 0;
    for (unsigned tried = 0; done < wanted && tried < TRIES * wanted; tried++) {
        riffle_report *report;
        if (!KINDS[who->of].simulate(&r, who->algorithm, &report)) continue;
        if (!report->is_predicted)
            fail_msg("seed %llu: %s by %s has no prediction: describe its launches", (unsigned long long)seed,
                     thing_names[who->of], who->text);
        if (predicted_fails(report, KINDS[who->of].bound, sizeof what, what))
            fail_msg("seed %llu, case %u: %s by %s: %s", (unsigned long long)seed, tried, thing_names[who->of],
                     who->text, what);
        riffle_report_free(report);
        done++;
    }
    if (done < wanted)
        fail_msg("seed %llu: %s by %s: %u of %u cases were found that it does", (unsigned long long)seed,
                 thing_names[who->of], who->text, done, wanted);
}

/* The library's lists, one after the other. */
static struct {
    unsigned count;
    name of[MOST_NAMES];
} all;

static void add(thing of, unsigned algorithm, const char *text) {
    assert_true(all.count < MOST_NAMES);
    all.of[all.count++] = (name){of, algorithm, text};
}

static void list_names(void) {
    riffle_algorithm moves[MOST_NAMES];
    riffle_program_algorithm programs[MOST_NAMES];
    riffle_sort_algorithm sorts[MOST_NAMES];
    riffle_hull_algorithm hulls[MOST_NAMES];
    for (size_t k = 0, n = riffle_algorithm_list(moves, MOST_NAMES); k < n; k++)
        add(MOVES, moves[k], riffle_algorithm_string(moves[k]));
    for (size_t k = 0, n = riffle_program_algorithm_list(programs, MOST_NAMES); k < n; k++)
        add(PROGRAMS, programs[k], riffle_program_algorithm_string(programs[k]));
    for (size_t k = 0, n = riffle_sort_algorithm_list(sorts, MOST_NAMES); k < n; k++)
        add(SORTS, sorts[k], riffle_sort_algorithm_string(sorts[k]));
    for (size_t k = 0, n = riffle_hull_algorithm_list(hulls, MOST_NAMES); k < n; k++)
        add(HULLS, hulls[k], riffle_hull_algorithm_string(hulls[k]));
    riffle_group_by groups[MOST_NAMES];
    for (size_t k = 0, n = riffle_group_by_list(groups, MOST_NAMES); k < n; k++)
        add(GROUPS, groups[k], riffle_group_by_string(groups[k]));
    add(HISTOGRAMS, 0, "counting");
    add(BITS, 0, "transposition");
}

int main(void) {
    struct CMUnitTest tests[MOST_NAMES];
    seed = test_seed();
    list_names();
    for (unsigned k = 0; k < all.count; k++)
        tests[k] = (struct CMUnitTest){all.of[k].text, is_predicted_and_counted, NULL, NULL, &all.of[k]};
    return _cmocka_run_group_tests("every_prediction", tests, all.count, NULL, NULL);
}
