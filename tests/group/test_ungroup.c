/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows brought back, against plain sums: as they are, and as sums of every kind of number with weights and without, places that are none, rows of
 * any length at any address, by any number of threads; the launch of a GPU on the memory machine, with the same bytes, counted as predicted; a grouping and its
 * inverse; what is refused.
 */
#include <math.h>

#include "base/half.h"
#include "device/predict/forecast.h"
#include "device/simulate/simulate.h"
#include "device_support.h"
#include "group/predict/ungroup.h"
#include "group/ungroup.h"
#include "predicted_support.h"

static uint64_t seed;

typedef struct ungroup_case {
    riffle_ungroup_task task;
    bool is_weighted;
    guarded rows, places, weights, to;
} ungroup_case;

static size_t weight_bytes(const ungroup_case *c) { return c->task.sum == RIFFLE_UNGROUP_SUM_F64 ? 8 : 4; }

static uint64_t entries_of(const ungroup_case *c) { return c->task.n * c->task.keys_per_row; }

static double random_number(rng *r) { return (double)(int64_t)rng_next(r) * 0x1p-62; }

static void set_number(riffle_ungroup_sum sum, double value, unsigned char *to) {
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    const uint16_t half = half_from_float(single), upper = (uint16_t)(bits >> 16);
    switch (sum) {
    case RIFFLE_UNGROUP_SUM_F64: memcpy(to, &value, sizeof value); break;
    case RIFFLE_UNGROUP_SUM_F32: memcpy(to, &single, sizeof single); break;
    case RIFFLE_UNGROUP_SUM_F16: memcpy(to, &half, sizeof half); break;
    default: memcpy(to, &upper, sizeof upper); break;
    }
}

static double number_at(riffle_ungroup_sum sum, const unsigned char *from) {
    uint16_t half;
    float single;
    double value;
    uint32_t bits;
    switch (sum) {
    case RIFFLE_UNGROUP_SUM_F64: memcpy(&value, from, sizeof value); return value;
    case RIFFLE_UNGROUP_SUM_F32: memcpy(&single, from, sizeof single); return (double)single;
    default: memcpy(&half, from, sizeof half); break;
    }
    if (sum == RIFFLE_UNGROUP_SUM_F16) return (double)half_to_float(half);
    bits = (uint32_t)half << 16;
    memcpy(&single, &bits, sizeof single);
    return (double)single;
}

static guarded create(rng *r, size_t bytes, size_t item_bytes) {
    const size_t alignment = item_bytes % 16 == 0 ? 16 : item_bytes & (~item_bytes + 1);
    return guarded_create(bytes, rng_below(r, 4) * alignment);
}

static void fill(rng *r, ungroup_case *c) {
    const size_t number = ungroup_number_bytes(c->task.sum), index = c->task.index_bytes;
    c->rows = create(r, (size_t)c->task.rows * c->task.row_bytes, c->task.row_bytes);
    c->places = create(r, (size_t)entries_of(c) * index, index);
    c->weights = create(r, (size_t)entries_of(c) * weight_bytes(c), weight_bytes(c));
    c->to = create(r, (size_t)c->task.n * c->task.row_bytes, c->task.row_bytes);
    if (number == 0) fill_random(r, c->rows.data, c->rows.bytes);
    for (size_t k = 0; number > 0 && k < c->rows.bytes; k += number)
        set_number(c->task.sum, random_number(r), c->rows.data + k);
    for (uint64_t e = 0; e < entries_of(c); e++) {
        const bool is_none = c->task.rows == 0 || rng_below(r, 4) == 0;
        const uint64_t place = is_none ? RIFFLE_GROUP_NOWHERE : rng_below(r, c->task.rows);
        memcpy(c->places.data + e * index, &place, index);
        set_number(weight_bytes(c) == 8 ? RIFFLE_UNGROUP_SUM_F64 : RIFFLE_UNGROUP_SUM_F32, random_number(r),
                   c->weights.data + e * weight_bytes(c));
    }
}

static void destroy(ungroup_case *c) {
    guarded_free(&c->rows);
    guarded_free(&c->places);
    guarded_free(&c->weights);
    guarded_free(&c->to);
}

static riffle_ungroup_arrays arrays_of(const ungroup_case *c) {
    return (riffle_ungroup_arrays){c->to.data, c->rows.data, c->places.data,
                                   c->is_weighted ? c->weights.data : NULL};
}

/* A product or a sum, rounded as the task has it. */
static double rounded(const ungroup_case *c, double value) {
    return c->task.sum == RIFFLE_UNGROUP_SUM_F64 ? value : (double)(float)value;
}

/* The bytes of number `at` of a row: products of floats are exact in doubles, and sums of two are rounded once more at no harm. */
static void define_number(const ungroup_case *c, uint64_t row, size_t at, unsigned char *to) {
    const size_t number = ungroup_number_bytes(c->task.sum);
    double sum = 0;
    bool is_first = true;
    for (uint64_t e = row * c->task.keys_per_row; e < (row + 1) * c->task.keys_per_row; e++) {
        const uint64_t place = ungroup_place(&c->task, c->places.data, e);
        if (place == RIFFLE_GROUP_NOWHERE) continue;
        double term = number_at(c->task.sum, c->rows.data + place * c->task.row_bytes + at * number);
        if (c->is_weighted)
            term = rounded(
                c, term * number_at(weight_bytes(c) == 8 ? RIFFLE_UNGROUP_SUM_F64 : RIFFLE_UNGROUP_SUM_F32,
                                    c->weights.data + e * weight_bytes(c)));
        sum = is_first ? term : rounded(c, sum + term);
        is_first = false;
    }
    const float single = (float)sum;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    const uint16_t upper = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    if (c->task.sum == RIFFLE_UNGROUP_SUM_BF16)
        memcpy(to, &upper, sizeof upper);
    else
        set_number(c->task.sum, sum, to);
}

static void define_row(const ungroup_case *c, uint64_t row, unsigned char *to) {
    const size_t number = ungroup_number_bytes(c->task.sum);
    if (number == 0) {
        const uint64_t place = ungroup_place(&c->task, c->places.data, row);
        memset(to, 0, c->task.row_bytes);
        if (place != RIFFLE_GROUP_NOWHERE)
            memcpy(to, c->rows.data + place * c->task.row_bytes, c->task.row_bytes);
        return;
    }
    for (size_t k = 0; k < c->task.row_bytes / number; k++) define_number(c, row, k, to + k * number);
}

static void expect_definition(const ungroup_case *c, const char *by) {
    unsigned char *const wanted = malloc(c->task.row_bytes + 1);
    assert_non_null(wanted);
    for (uint64_t row = 0; row < c->task.n; row++) {
        define_row(c, row, wanted);
        if (memcmp(wanted, c->to.data + row * c->task.row_bytes, c->task.row_bytes) != 0)
            fail_msg("seed %llu: row %llu of %llu, %zu bytes, %llu places each of %zu bytes, sum %s, weighted "
                     "%d, %s",
                     (unsigned long long)seed, (unsigned long long)row, (unsigned long long)c->task.n,
                     c->task.row_bytes, (unsigned long long)c->task.keys_per_row, c->task.index_bytes,
                     riffle_ungroup_sum_string(c->task.sum), c->is_weighted, by);
    }
    assert_true(guarded_intact(&c->to));
    free(wanted);
}

/* The one launch is predicted to the last unit. */
static void expect_predicted(machine *m, const forecast *told) {
    riffle_report *const report = machine_take_report(m);
    simulate_predicted(&told->told, report);
    assert_predicted(BOUND_UNGROUPED, report, "rows brought back", seed);
    assert_int_equal(riffle_report_hazards(report), 0);
    riffle_report_free(report);
}

/* The one launch, between arrays that the machine has. */
static void bring_on_machine(rng *r, ungroup_case *c) {
    machine *const m = machine_or_fail((riffle_machine_options){.latency = 1 + (unsigned)rng_below(r, 500)});
    device on = device_of_machine(m);
    const prediction_model model = {*on.machine_options, UINT64_MAX};
    const ungroup_subject subject = {&c->task, c->places.data};
    forecast told = forecast_begin(&model, ungroup_patterns, &subject);
    const guarded *const arrays[] = {&c->to, &c->rows, &c->places, &c->weights};
    void *there[4];
    launch_list list;
    for (unsigned k = 0; k < 4; k++)
        if (device_bring(&on, "a test", arrays[k]->data, arrays[k]->bytes, &there[k]) != RIFFLE_OK)
            fail_msg("%s", riffle_error_detail());
    launch_list_begin(&list);
    ungroup_append(&c->task,
                   &(riffle_ungroup_arrays){there[0], there[1], there[2], c->is_weighted ? there[3] : NULL},
                   &list);
    on.listener = forecast_listener(&told);
    if (device_run(&on, "a test", &list, NULL) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    memset(c->to.data, POISON_VALUE, c->to.bytes);
    assert_int_equal(on.ops->download(&on, "a test", c->to.data, there[0], c->to.bytes, NULL), RIFFLE_OK);
    for (unsigned k = 0; k < 4; k++) on.ops->release(&on, there[k]);
    expect_predicted(m, &told);
    prediction_free(&told.told);
    machine_free(m);
}

static ungroup_case random_case(rng *r, uint64_t n) {
    static const size_t lengths[] = {1, 2, 3, 8, 9, 32, 100, 1500};
    const riffle_ungroup_sum sum = (riffle_ungroup_sum)rng_below(r, RIFFLE_UNGROUP_SUM_BF16 + 1);
    const size_t number = sum == RIFFLE_UNGROUP_SUM_NONE ? 1 : ungroup_number_bytes(sum);
    ungroup_case c = {.task = {.n = n,
                               .keys_per_row = sum == RIFFLE_UNGROUP_SUM_NONE ? 1 : 1 + rng_below(r, 9),
                               .rows = rng_below(r, 2 * n + 1),
                               .row_bytes = number * lengths[rng_below(r, sizeof lengths / sizeof *lengths)],
                               .index_bytes = 4 + 4 * rng_below(r, 2),
                               .sum = sum},
                      .is_weighted = sum != RIFFLE_UNGROUP_SUM_NONE && rng_below(r, 3) > 0};
    fill(r, &c);
    return c;
}

/* Places that are drawn foretell times near what other ones are counted at. */
static void drawn_places_are_near(void **state) {
    enum { N = 3000, ROW = 24 };
    const riffle_ungroup_task task = {.n = N,
                                      .keys_per_row = 2,
                                      .rows = 2 * N,
                                      .row_bytes = ROW,
                                      .index_bytes = 4,
                                      .sum = RIFFLE_UNGROUP_SUM_F32};
    static uint32_t places[2 * N];
    const prediction_model model = {.machine = {.width = 32, .latency = 1, .shared_latency = 1, .dmms = 1},
                                    .most_elements = UINT64_MAX};
    rng r = {seed + 2};
    uint64_t times[2];
    (void)state;
    for (unsigned k = 0; k < 2 * N; k++) places[k] = (uint32_t)rng_below(&r, 2 * N);
    for (unsigned k = 0; k < 2; k++) {
        const ungroup_subject subject = {&task, k == 0 ? places : NULL};
        void *const anywhere = (void *)(uintptr_t)4096;
        prediction told = prediction_of_nothing();
        launch_list list;
        launch_list_begin(&list);
        ungroup_append(&task, &(riffle_ungroup_arrays){anywhere, anywhere, anywhere, NULL}, &list);
        assert_int_equal(predict_list(&list, ungroup_patterns, &subject, &model, &told), RIFFLE_OK);
        assert_int_equal(told.meaning, k == 0 ? PATTERN_EXACT : PATTERN_EXPECTED);
        times[k] = pattern_time_units(&told.counts);
        launch_list_free(&list);
        prediction_free(&told);
    }
    assert_true(times[0] * 50 < times[1] * 51 && times[1] * 50 < times[0] * 51);
}

static void rows_come_back_as_defined(void **state) {
    static const uint64_t lengths[] = {0, 1, 7, 130};
    rng r = {seed};
    (void)state;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (unsigned round = 0; round < 40; round++) {
            ungroup_case c = random_case(&r, lengths[l]);
            const riffle_ungroup_arrays arrays = arrays_of(&c);
            const riffle_call_options options = {.threads = (unsigned)rng_below(&r, 4)};
            if (riffle_ungroup(&c.task, &arrays, &options) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
            expect_definition(&c, "on the host");
            if (round % 4 == 0 && lengths[l] < 100) {
                bring_on_machine(&r, &c);
                expect_definition(&c, "on the machine");
            }
            destroy(&c);
        }
}

/* A grouping, and back: with capacities the rows that were left out are zeros. */
static void the_inverse_of_a_grouping(void **state) {
    enum { N = 50000, ROW = 24 };
    rng r = {seed + 1};
    (void)state;
    const riffle_group_options options = {.index_bytes = 4, .capacity = 900, .multiple = 16};
    riffle_group_plan *plan = NULL;
    assert_int_equal(riffle_group_plan_create(N, ROW, RIFFLE_TYPE_U8, 60, RIFFLE_ENGINE_CPU, &options, &plan),
                     RIFFLE_OK);
    const uint64_t room = riffle_group_plan_room(plan);
    unsigned char *const from = malloc((size_t)N * ROW), *const rows = malloc((size_t)room * ROW),
                         *const back = malloc((size_t)N * ROW), *const keys = malloc(N);
    uint32_t *const places = malloc(N * sizeof *places);
    fill_random(&r, from, (size_t)N * ROW);
    for (unsigned k = 0; k < N; k++) keys[k] = (unsigned char)rng_below(&r, 70);
    assert_int_equal(
        riffle_group_execute(
            plan, &(riffle_group_arrays){.rows = rows, .from_rows = from, .keys = keys, .places = places}),
        RIFFLE_OK);
    riffle_group_plan_free(plan);
    const riffle_ungroup_task task = {.n = N, .rows = room, .row_bytes = ROW, .index_bytes = 4};
    assert_int_equal(riffle_ungroup(&task, &(riffle_ungroup_arrays){back, rows, places, NULL}, NULL),
                     RIFFLE_OK);
    unsigned zeros = 0;
    for (unsigned k = 0; k < N; k++) {
        if (places[k] == UINT32_MAX) memset(from + (size_t)k * ROW, 0, ROW), zeros++;
        assert_memory_equal(back + (size_t)k * ROW, from + (size_t)k * ROW, ROW);
    }
    assert_true(zeros > N / 10);
    free(from), free(rows), free(back), free(keys), free(places);
}

static void expect_refused(riffle_ungroup_task task, const riffle_ungroup_arrays *arrays, riffle_status status,
                           const char *sentence) {
    assert_int_equal(riffle_ungroup(&task, arrays, NULL), status);
    assert_string_equal(riffle_error_detail(), sentence);
}

static void bad_calls_are_refused(void **state) {
    static float to[4], rows[4], weights[4];
    static uint64_t places[4] = {0, 1, 2, 3};
    const riffle_ungroup_arrays arrays = {to, rows, places, NULL}, weighted = {to, rows, places, weights};
    const riffle_status wrong = RIFFLE_ERROR_INVALID_ARGUMENT;
    (void)state;
    to[0] = 7;
    expect_refused((riffle_ungroup_task){.n = 4, .rows = 3, .row_bytes = 4, .index_bytes = 8}, &arrays, wrong,
                   "place 3 is 3; it names none of 3 rows");
    places[1] = (uint64_t)-2;
    expect_refused((riffle_ungroup_task){.n = 4, .rows = 4, .row_bytes = 4, .index_bytes = 8}, &arrays, wrong,
                   "place 1 is -2; it names none of 4 rows");
    places[1] = 1;
    expect_refused((riffle_ungroup_task){.n = 4, .rows = 4, .row_bytes = 4, .index_bytes = 2}, &arrays, wrong,
                   "places have 4 or 8 bytes, not 2");
    expect_refused(
        (riffle_ungroup_task){.n = 2, .keys_per_row = 2, .rows = 4, .row_bytes = 4, .index_bytes = 8}, &arrays,
        wrong, "rows have 2 places each; say of which numbers the sums are");
    expect_refused((riffle_ungroup_task){.n = 4, .rows = 4, .row_bytes = 4, .index_bytes = 8}, &weighted, wrong,
                   "weights are given, but the plan has none");
    expect_refused(
        (riffle_ungroup_task){
            .n = 4, .rows = 4, .row_bytes = 6, .index_bytes = 8, .sum = RIFFLE_UNGROUP_SUM_F32},
        &arrays, wrong, "rows of 6 bytes have no whole number of f32");
    expect_refused(
        (riffle_ungroup_task){
            .n = 4, .rows = 4, .row_bytes = 4, .index_bytes = 8, .sum = (riffle_ungroup_sum)9},
        &arrays, wrong, "there is no sum of rows with number 9");
    expect_refused((riffle_ungroup_task){.n = 4, .rows = 4, .row_bytes = 4, .index_bytes = 8},
                   &(riffle_ungroup_arrays){rows, rows, places, NULL}, wrong, "to and rows overlap");
    expect_refused((riffle_ungroup_task){.n = 1, .rows = (uint64_t)1 << 41, .row_bytes = 4, .index_bytes = 8},
                   &arrays, RIFFLE_ERROR_LENGTH, "1 rows of 2199023255552 are more than an array has");
    assert_true(to[0] == 7);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back_as_defined),
        cmocka_unit_test(drawn_places_are_near),
        cmocka_unit_test(the_inverse_of_a_grouping),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
