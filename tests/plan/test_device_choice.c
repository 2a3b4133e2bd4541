/* SPDX-License-Identifier: Apache-2.0
 *
 * The choices of `auto` on a GPU, an H200: for every case of bench/results/h200-arbitrary.json, what was measured to be the
 * faster of a gather and bucket passes; for axes, boxes.
 */
#include "support.h"

#include <math.h>

#include "perm/kind.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"
#include "plan/choose/device_cost.h"

enum { SIDE = 406 }; /* side of the grid of Cuthill and McKee's order */

/* The size of the second-level cache, which the fit has once, must not decide. */
static plan_target h200(uint64_t l2_bytes) {
    return (plan_target){.kind = TARGET_CUDA,
                         .name = "cuda",
                         .width = 32,
                         .shared_bytes = 227 << 10,
                         .block_threads = 1024,
                         .multiprocessors = 132,
                         .capability = 90,
                         .l2_bytes = l2_bytes,
                         .memory_bytes = (uint64_t)141 << 30};
}

static uint64_t hash(uint64_t i) {
    uint64_t word = i * UINT64_C(0x9e3779b97f4a7c15);
    word ^= word >> 29;
    word *= UINT64_C(0xbf58476d1ce4e5b9);
    return word ^ word >> 32;
}

/* Tables too long to be made for a test: where an element goes, or one like it. */
typedef uint64_t place_of(uint64_t n, uint64_t i);

static uint64_t bit_reversal(uint64_t n, uint64_t i) {
    uint64_t out = 0;
    for (uint64_t bit = 1; bit < n; bit *= 2) out = 2 * out + (i / bit) % 2;
    return out;
}

static uint64_t shuffled_12(uint64_t n, uint64_t i) {
    (void)n;
    return i >> 12 << 12 | (hash(i) & 0xfff);
}

static uint64_t shuffled_20(uint64_t n, uint64_t i) {
    (void)n;
    return i >> 20 << 20 | (hash(i) & 0xfffff);
}

static uint64_t noisy_reverse(uint64_t n, uint64_t i) {
    return hash(i) % 100 == 0 ? hash(i + n) % n : n - 1 - i;
}

/* Cells of a square whose two coordinates add up to `sum`. */
static uint64_t cells_of_sum(int64_t sum) {
    if (sum < 0 || sum > 2 * SIDE - 2) return 0;
    return (uint64_t)(sum < SIDE ? sum + 1 : 2 * SIDE - 1 - sum);
}

/* Cells of a cube in the layers below z whose three coordinates add up to `sum`. */
static uint64_t cells_below(int64_t sum, int64_t z) {
    uint64_t cells = 0;
    for (int64_t k = 0; k < z; k++) cells += cells_of_sum(sum - k);
    return cells;
}

/* By levels from a corner, and in a level by z and y. */
static uint64_t reverse_cuthill_mckee(uint64_t n, uint64_t i) {
    static uint64_t level_start[3 * SIDE];
    const int64_t x = (int64_t)(i % SIDE), y = (int64_t)(i / SIDE % SIDE), z = (int64_t)(i / SIDE / SIDE);
    const int64_t level = x + y + z, first_y = level - z < SIDE ? 0 : level - z - SIDE + 1;
    for (int64_t l = 1; l < 3 * SIDE && level_start[l] == 0; l++)
        level_start[l] = level_start[l - 1] + cells_below(l - 1, SIDE);
    return n - 1 - (level_start[level] + cells_below(level, z) + (uint64_t)(y - first_y));
}

typedef struct table {
    uint64_t n;
    place_of *place;
} table;

static riffle_status read_table(const void *from, const line_sample *sample, uint64_t *places) {
    const table *t = from;
    for (unsigned k = 0; k < sample->lines; k++)
        for (unsigned j = 0; j < sample->elements; j++)
            *places++ = t->place(t->n, line_sample_first(sample, k) + j);
    return RIFFLE_OK;
}

static riffle_status ask(const riffle_perm *perm, const line_reader *reader, size_t elem_bytes,
                         const plan_target *target, const riffle_plan_options *options, plan_choice *out) {
    plan_request request;
    assert_int_equal(plan_request_take_recognized(perm, elem_bytes, target, options, &request), RIFFLE_OK);
    request.reader = reader;
    const riffle_status status = plan_choose(&request, out);
    plan_request_drop(&request);
    return status;
}

static riffle_algorithm choose(const riffle_perm *perm, const line_reader *reader, size_t elem_bytes,
                               uint64_t l2_bytes) {
    const plan_target target = h200(l2_bytes);
    plan_choice choice;
    if (ask(perm, reader, elem_bytes, &target, NULL, &choice) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    return choice.algorithm->id;
}

/* Two runs of one case differ by as much. */
static const double EVEN = 1.15;

/* Microseconds by a gather and by bucket passes. */
static void check_choice(const riffle_perm *perm, const line_reader *reader, const char *what,
                         size_t elem_bytes, double gather, double bucket) {
    for (uint64_t mib = 48; mib <= 64; mib += 4) {
        const riffle_algorithm taken = choose(perm, reader, elem_bytes, mib << 20);
        const double time = taken == RIFFLE_ALGORITHM_GATHER ? gather : bucket;
        if (time > EVEN * fmin(gather, bucket))
            fail_msg("%s, n %llu, %zu bytes, a cache of %llu MiB: %s", what,
                     (unsigned long long)riffle_perm_length(perm), elem_bytes, (unsigned long long)mib,
                     riffle_algorithm_string(taken));
    }
}

static double apart(double a, double b) { return fmax(a, b) / fmin(a, b); }

/* The model's times, too, are near what was measured. */
static void check_times(const riffle_perm *perm, const line_reader *reader, const char *what, size_t elem_bytes,
                        double gather, double bucket) {
    const plan_target target = h200(60 << 20);
    const uint64_t n = riffle_perm_length(perm);
    const line_reader of_perm = line_reader_of_perm(perm);
    const double microseconds = 1e-6 * (double)n, most_apart = 1.4;
    line_reads reads;
    assert_int_equal(
        line_reads_estimate(reader != NULL ? reader : &of_perm, n, elem_bytes, 4, target.l2_bytes, &reads),
        RIFFLE_OK);
    const double gathered = microseconds * device_cost_gather(n, elem_bytes, 4, &reads);
    const unsigned passes = bucket_tile_choose(n, elem_bytes, &target).passes;
    const double bucketed = microseconds * device_cost_bucket(n, elem_bytes, passes);
    if (apart(gathered, gather) > most_apart || apart(bucketed, bucket) > most_apart)
        fail_msg("%s, n %llu, %zu bytes: %g and %g us expected, %g and %g measured", what,
                 (unsigned long long)n, elem_bytes, gathered, bucketed, gather, bucket);
}

static void measured_tables(void **state) {
    (void)state;
    static const struct {
        const char *name;
        place_of *place;
        uint64_t n;
        double gather, bucket;
    } cases[] = {
        {"bit reversal, not quite", bit_reversal, 1 << 26, 1864.58, 386.91},
        {"blocks of 2^12 shuffled", shuffled_12, 1 << 26, 271.15, 371.02},
        {"blocks of 2^20 shuffled", shuffled_20, 1 << 26, 517.42, 377.57},
        {"reverse with 1% noise", noisy_reverse, 1 << 26, 205.57, 373.12},
        {"reverse Cuthill-McKee", reverse_cuthill_mckee, SIDE * SIDE * SIDE, 522.58, 382.00},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const table t = {cases[k].n, cases[k].place};
        const line_reader reader = {read_table, &t};
        riffle_perm *stand_in;
        assert_int_equal(table_elsewhere(t.n, &stand_in), RIFFLE_OK);
        check_choice(stand_in, &reader, cases[k].name, 4, cases[k].gather, cases[k].bucket);
        check_times(stand_in, &reader, cases[k].name, 4, cases[k].gather, cases[k].bucket);
        riffle_perm_free(stand_in);
    }
}

/* All that are not affine go by boxes, whatever their elements. */
static void axes_go_by_boxes(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
    } cases[] = {{"axes:48x28x28x28x48:4,1,2,0,3", 50577408}, {"axes:128x224x224x64:0,3,1,2", 411041792},
                 {"axes:32x1024x1024x3:0,3,1,2", 100663296},  {"transpose:10007x10009", 100160063},
                 {"axes:2x33554467:1,0", 67108934},           {"axes:3x5x7:2,1,0", 105}};
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm *perm = parse_or_fail(cases[k].spec, cases[k].n);
        for (size_t elem_bytes = 1; elem_bytes < 40; elem_bytes = 3 * elem_bytes / 2 + 1)
            assert_int_equal(choose(perm, NULL, elem_bytes, 50 << 20), RIFFLE_ALGORITHM_AXES);
        riffle_perm_free(perm);
    }
}

static void measured_shuffles(void **state) {
    (void)state;
    static const struct {
        uint64_t n;
        size_t elem_bytes;
        double gather, bucket;
    } cases[] = {
        {1 << 18, 1, 3.37, 4.05},       {1 << 19, 1, 5.16, 4.51},       {1 << 20, 1, 8.39, 5.44},
        {1 << 21, 1, 15.49, 7.67},      {1 << 22, 1, 29.97, 10.62},     {1 << 23, 1, 60.53, 23.46},
        {1 << 24, 1, 119.37, 45.11},    {1 << 30, 1, 28926.53, 3874.8}, {1 << 18, 2, 3.43, 4.46},
        {1 << 19, 2, 5.08, 5.23},       {1 << 20, 2, 8.67, 6.62},       {1 << 21, 2, 15.89, 8.35},
        {1 << 22, 2, 30.73, 14.98},     {1 << 23, 2, 61.66, 31.11},     {1 << 24, 2, 158.32, 66.63},
        {1 << 28, 2, 7197.62, 1023.94}, {1 << 18, 4, 3.27, 4.54},       {1 << 19, 4, 5.20, 5.63},
        {1 << 20, 4, 8.95, 7.27},       {1 << 21, 4, 16.59, 11.19},     {1 << 22, 4, 33.40, 24.61},
        {1 << 23, 4, 86.54, 51.65},     {1 << 24, 4, 292.22, 104.43},   {1 << 25, 4, 760.50, 201.84},
        {1 << 26, 4, 1718.96, 380.64},  {100000007, 4, 2665.54, 562.7}, {1 << 27, 4, 3647.47, 750.50},
        {1 << 28, 4, 7500.46, 1554.83}, {1 << 18, 8, 3.54, 5.61},       {1 << 19, 8, 5.68, 7.18},
        {1 << 20, 8, 9.82, 10.71},      {1 << 21, 8, 19.72, 22.48},     {1 << 22, 8, 51.97, 48.10},
        {1 << 23, 8, 166.93, 97.60},    {1 << 24, 8, 406.06, 186.34},   {1 << 26, 8, 1874.34, 688.03},
        {1 << 27, 8, 3836.99, 1422.29}, {1 << 18, 16, 3.97, 7.23},      {1 << 19, 16, 6.29, 10.54},
        {1 << 20, 16, 12.27, 21.91},    {1 << 21, 16, 35.46, 46.70},    {1 << 22, 16, 102.77, 92.85},
        {1 << 23, 16, 227.63, 176.82},  {1 << 24, 16, 484.53, 338.02},  {1 << 26, 16, 2026.78, 1310.94},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm *perm = parse_or_fail("random:1", cases[k].n);
        check_choice(perm, NULL, "random:1", cases[k].elem_bytes, cases[k].gather, cases[k].bucket);
        check_times(perm, NULL, "random:1", cases[k].elem_bytes, cases[k].gather, cases[k].bucket);
        riffle_perm_free(perm);
    }
}

/* Moves that no pass or no schedule is for. */
static void what_else_is_gathered(void **state) {
    (void)state;
    const plan_target target = h200(50 << 20);
    static const struct {
        size_t elem_bytes;
        riffle_plan_options options;
    } cases[] = {{32, {0}}, {3, {0}}, {32, {.executions = 1}}, {3, {.executions = 1}}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm *perm = parse_or_fail("random:1", 1 << 24);
        plan_choice choice;
        assert_int_equal(ask(perm, NULL, cases[k].elem_bytes, &target, &cases[k].options, &choice), RIFFLE_OK);
        assert_int_equal(choice.algorithm->id, RIFFLE_ALGORITHM_GATHER);
        riffle_perm_free(perm);
    }
}

/* One execution: indices are sorted as they go where that is done sooner than a gather, by the measurements of
 * docs/once.md (a shuffle 4.0 against 3.84 copies at 2^20, 6.9 against 7.2 at 2^24, 8.7 against 13.2 at 2^28), and not
 * where neighbours stay together. */
static void one_execution(void **state) {
    (void)state;
    const plan_target target = h200(50 << 20);
    const riffle_plan_options once = {.executions = 1}, batch = {.executions = 1, .batch = 3};
    static const struct {
        const char *by;
        uint64_t n;
        size_t elem_bytes;
        bool sorts;
    } cases[] = {{"random:1", 1 << 16, 4, false},
                 {"random:1", 1 << 20, 4, false},
                 {"random:1", 1 << 26, 4, true},
                 {"random:1", 1 << 28, 4, true},
                 {"random:1", 1 << 28, 1, true},
                 {"random:1", 1 << 27, 8, true},
                 {"~random:1", 1 << 28, 4, true},
                 {"random:1", 1 << 26, 16, false},
                 {"random:1", 100000007, 4, true},
                 {"axes:1024x1048576x4:1,0,2", UINT64_C(1) << 32, 4, false},
                 {"random:1", (UINT64_C(1) << 32) + 2, 4, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm *perm = parse_or_fail(cases[k].by, cases[k].n);
        plan_choice choice;
        assert_int_equal(ask(perm, NULL, cases[k].elem_bytes, &target, k % 2 ? &batch : &once, &choice),
                         RIFFLE_OK);
        if ((choice.algorithm->id == RIFFLE_ALGORITHM_ONCE) != cases[k].sorts)
            fail_msg("%s of %llu elements of %zu bytes: %s", cases[k].by, (unsigned long long)cases[k].n,
                     cases[k].elem_bytes, choice.algorithm->name);
        riffle_perm_free(perm);
    }
}

static riffle_status read_nothing(const void *from, const line_sample *sample, uint64_t *places) {
    (void)from, (void)sample, (void)places;
    return RIFFLE_ERROR_DEVICE;
}

/* A sample that cannot be read is an error, where it is asked for. */
static void a_failing_reader_is_heard(void **state) {
    (void)state;
    const plan_target target = h200(50 << 20);
    const line_reader broken = {read_nothing, NULL};
    const riffle_plan_options once = {.executions = 1};
    plan_choice choice;
    riffle_perm *stand_in;
    assert_int_equal(table_elsewhere(1 << 24, &stand_in), RIFFLE_OK);
    assert_int_equal(ask(stand_in, &broken, 4, &target, NULL, &choice), RIFFLE_ERROR_DEVICE);
    assert_int_equal(ask(stand_in, &broken, 4, &target, &once, &choice), RIFFLE_ERROR_DEVICE);
    assert_int_equal(ask(stand_in, &broken, 32, &target, &once, &choice), RIFFLE_OK);
    riffle_perm_free(stand_in);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_tables),   cmocka_unit_test(axes_go_by_boxes),
        cmocka_unit_test(measured_shuffles), cmocka_unit_test(what_else_is_gathered),
        cmocka_unit_test(one_execution),     cmocka_unit_test(a_failing_reader_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
