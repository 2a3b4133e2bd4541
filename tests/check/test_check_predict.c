/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of checks are predicted to the last unit: rows where they belong, along affine maps and along tables of places, of any bytes, arrays of
 * any number that begin anywhere, on any machine.
 */
#include "check/check.h"
#include "check/predict.h"
#include "device/arrays.h"
#include "device/kernels/lanes.h"
#include "device/predict/forecast.h"
#include "device/simulate/simulate.h"
#include "device_support.h"
#include "predicted_support.h"

enum { MOST_PLACES = 3, INDEX_BYTES = 8, LEADS = 3 };

static uint64_t seed;

/* One side, with room in memory of the machine for what it reads. */
typedef struct side_case {
    check_there side;
    check_map affine;
    uint64_t column[RIFFLE_MAX_BITS], count;
    size_t lead; /* bytes from where memory begins to the first row */
} side_case;

typedef enum side_kind { RUN, AFFINE, ROWS, SIDE_KINDS } side_kind;

static riffle_machine_options random_machine(rng *r) {
    static const unsigned dmms[] = {1, 2, 7};
    return (riffle_machine_options){.latency = 1 + (unsigned)rng_below(r, 500),
                                    .shared_latency = 1 + (unsigned)rng_below(r, 30),
                                    .dmms = dmms[rng_below(r, 3)]};
}

static void make_affine(rng *r, uint64_t n, side_case *c) {
    c->affine.bits = (unsigned)__builtin_ctzll(n);
    c->affine.offset = rng_below(r, n);
    c->affine.column = c->column;
    for (unsigned k = 0; k < c->affine.bits; k++) c->column[k] = (uint64_t)1 << (c->affine.bits - 1 - k);
}

/* Up to `most` rows. */
static void random_case(rng *r, side_kind kind, uint64_t most, side_case *c) {
    static const size_t bytes[] = {1, 2, 4, 8, 16, 3, 12, 48, 20, 7, 100};
    const size_t row_bytes = bytes[rng_below(r, kind == AFFINE ? 5 : 11)];
    const uint64_t n = kind == AFFINE ? (uint64_t)1 << rng_below(r, 14) : 1 + rng_below(r, most);
    *c = (side_case){.lead = rng_below(r, LEADS) * array_alignment(row_bytes)};
    c->side = (check_there){.row_bytes = row_bytes,
                            .n = n,
                            .arrays = 1 + rng_below(r, rng_below(r, 2) == 0 ? 1
                                                       : n < 300            ? 70
                                                                            : 4),
                            .stride = n + rng_below(r, 3) * rng_below(r, 9),
                            .index_bytes = 4 + 4 * (rng_next(r) & 1),
                            .keys_per_row = 1 + (uint32_t)rng_below(r, MOST_PLACES),
                            .may_be_nowhere = rng_below(r, 2) == 0};
    if (kind == AFFINE) make_affine(r, n, c);
}

static void *room_of(const device *on, size_t bytes) {
    void *there = NULL;
    if (on->ops->allocate(on, "a test's array", bytes, &there) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    memset(there, 0, bytes);
    return there;
}

static void place(const device *on, side_kind kind, side_case *c) {
    check_there *const s = &c->side;
    s->rows = (char *)room_of(on, (size_t)(s->arrays * s->stride * s->row_bytes + c->lead)) + c->lead;
    if (kind == AFFINE) s->affine = &c->affine;
    if (kind == ROWS) s->places = room_of(on, (size_t)s->n * s->keys_per_row * s->index_bytes);
}

/* The one launch, of all rows, counted beside what was told of it. */
static void expect_counts(const riffle_machine_options *options, side_kind kind, side_case *c) {
    machine *const m = machine_or_fail(*options);
    device on = device_of_machine(m);
    const prediction_model model = {*on.machine_options, UINT64_MAX};
    forecast told = forecast_begin(&model, check_patterns, NULL);
    launch_list list;
    char what[200];
    on.listener = forecast_listener(&told);
    place(&on, kind, c);
    void *const record = room_of(&on, CHECK_RECORD_BYTES);
    launch_list_begin(&list);
    check_append_begin(record, &list);
    check_append_read(&c->side, record, &list);
    if (device_run(&on, "a check", &list, NULL) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    riffle_report *const report = machine_take_report(m);
    simulate_predicted(&told.told, report);
    snprintf(what, sizeof what, "kind %d, %llu arrays of %llu rows of %zu bytes, %llu apart", (int)kind,
             (unsigned long long)c->side.arrays, (unsigned long long)c->side.n, c->side.row_bytes,
             (unsigned long long)c->side.stride);
    assert_predicted(BOUND_CHECKS, report, what, seed);
    assert_int_equal(report->predictions, 1);
    riffle_report_free(report);
    prediction_free(&told.told);
    machine_free(m);
}

static void sides_are_counted_as_predicted(void **state) {
    const unsigned rounds = test_is_long() ? 600 : 60;
    rng r = {seed};
    (void)state;
    for (unsigned k = 0; k < rounds; k++) {
        const riffle_machine_options on = random_machine(&r);
        side_case c;
        random_case(&r, (side_kind)(k % SIDE_KINDS), k % 7 == 0 ? 20000 : 2000, &c);
        expect_counts(&on, (side_kind)(k % SIDE_KINDS), &c);
    }
}

/* So many that a thread has several rounds of them. */
static void long_arrays_are_counted_as_predicted(void **state) {
    rng r = {seed + 1};
    (void)state;
    for (unsigned kind = test_is_long() ? 0 : ROWS; kind < SIDE_KINDS; kind++) {
        const riffle_machine_options on = random_machine(&r);
        const uint64_t n = kind == ROWS ? (1 << 20) + 1500 : 1 << 21;
        side_case c = {.side = {.row_bytes = kind == ROWS ? 1 : 16,
                                .n = n,
                                .arrays = 1,
                                .stride = n,
                                .index_bytes = 4,
                                .keys_per_row = 1}};
        if (kind == AFFINE) make_affine(&r, n, &c);
        expect_counts(&on, (side_kind)kind, &c);
    }
}

/* Very many rows, of which some blocks stand for the others, are foretold exactly, but for rows of odd lengths. */
static void very_many_are_foretold(void **state) {
    const riffle_explanation how = {.json = true};
    prediction_model model;
    (void)state;
    assert_int_equal(forecast_model_of(&how, "checks", 1 << 17, &model), RIFFLE_OK);
    for (unsigned k = 0; k < 3; k++) {
        const uint64_t n = (uint64_t)1 << 30;
        forecast told = forecast_begin(&model, check_patterns, NULL);
        const check_there side = {.rows = (const void *)(uintptr_t)4096,
                                  .row_bytes = k == 2 ? 88 : 4,
                                  .n = n,
                                  .arrays = 1,
                                  .stride = n,
                                  .places = k == 0 ? NULL : (const void *)(uintptr_t)8192,
                                  .index_bytes = INDEX_BYTES,
                                  .keys_per_row = 1};
        launch_list list;
        launch_list_begin(&list);
        check_append_read(&side, (void *)(uintptr_t)1024, &list);
        assert_int_equal(forecast_list(&told, &list), RIFFLE_OK);
        assert_true(told.told.is_known);
        assert_int_equal(told.told.meaning, k == 2 ? PATTERN_ESTIMATED : PATTERN_EXACT);
        const uint64_t vectors = n / 4 / WARP_LANES, entries = n / WARP_LANES;
        const uint64_t stages = told.told.counts.of[PATTERN_GLOBAL][PATTERN_READ].stages;
        if (k == 0) assert_int_equal(stages, vectors);
        if (k == 1) assert_int_equal(stages, 2 * entries);
        launch_list_free(&list);
        prediction_free(&told.told);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_are_counted_as_predicted),
        cmocka_unit_test(long_arrays_are_counted_as_predicted),
        cmocka_unit_test(very_many_are_foretold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
