/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of moves, sorts and groups on the CPU: right results pass, and faults that are put into results on purpose are found, all of
 * them. Numbers that are no check's are refused.
 */
#include "check/check.h"
#include "check/kernels/hash.h"
#include "check/loops.h"
#include "faults.h"
#include "group/cpu/work.h"
#include "group_support.h"
#include "move/cpu/check.h"
#include "perm/kind.h"
#include "riffle/sort.h"
#include "sort/cpu/checked/checked.h"

static uint64_t seed;

static uint64_t fault_rounds(void) { return test_rounds(3000); }

/* True if the check has found a fault; fails for any other answer. */
static void found_or_fail(riffle_status status, const char *where, fault what) {
    if (status != RIFFLE_ERROR_DAMAGED)
        fail_msg("seed %llu: %s: %s was not found", (unsigned long long)seed, where, fault_name(what));
}

/* ------------------------------------------------------------------------- numbers */

/* An element's number, in a segment. */
static uint64_t number_of(uint64_t segment, const uint64_t *words, unsigned count) {
    check_pair number = check_element_begin(segment);
    check_sums sums = {0, 0};
    for (unsigned k = 0; k < count; k++) check_element_take(&number, words[k]);
    check_element_end(&sums, number);
    return sums.first;
}

/* The sums of words of 64 bits at places one after the other. */
static check_sums sums_of(uint64_t place, const uint64_t *words, unsigned count) {
    check_sums sums = {0, 0};
    for (unsigned k = 0; k < 2 * count; k++)
        check_add_word(&sums, check_keys_of(2 * place + k), (uint32_t)(words[k / 2] >> 32 * (k % 2)));
    return sums;
}

static int compare_sums(const void *a, const void *b) {
    const check_sums *const x = a, *const y = b;
    if (x->first != y->first) return x->first > y->first ? 1 : -1;
    return (x->second > y->second) - (x->second < y->second);
}

/* Upper bits and signs of four floats turn, in any part of one row. */
static void signs_of_one_row_are_found(void **state) {
    rng r = {seed + 4};
    (void)state;
    for (unsigned round = 0; round < 1000; round++) {
        const uint64_t row[2] = {rng_next(&r), rng_next(&r)};
        for (unsigned bit = 24; bit < 32; bit++)
            for (uint64_t floats = 1; floats < 16; floats++) {
                uint64_t wrong[2];
                for (unsigned k = 0; k < 2; k++)
                    wrong[k] =
                        row[k] ^ ((floats >> 2 * k & 1) << bit | (floats >> (2 * k + 1) & 1) << (bit + 32));
                const check_sums right_sums = sums_of(round, row, 2), sums = sums_of(round, wrong, 2);
                if (number_of(round, row, 2) == number_of(round, wrong, 2) ||
                    compare_sums(&sums, &right_sums) == 0)
                    fail_msg("seed %llu: floats %llu of a row whose bit %u turned are not found",
                             (unsigned long long)seed, (unsigned long long)floats, bit);
            }
    }
}

/* The same bits turn in each row; no two rows may make up for each other, in either's sums. */
static void turn_rows(rng *r, uint64_t bits, bool are_at_places) {
    enum { ROWS = 1 << 14 };
    static check_sums differences[2 * ROWS];
    for (uint64_t i = 0; i < ROWS; i++) {
        const uint64_t row = rng_next(r), wrong = row ^ bits;
        check_sums before = sums_of(i, &row, 1), after = sums_of(i, &wrong, 1);
        if (!are_at_places) {
            before = (check_sums){number_of(7, &row, 1), 0};
            after = (check_sums){number_of(7, &wrong, 1), 0};
        }
        differences[i] = (check_sums){after.first - before.first, after.second - before.second};
        differences[ROWS + i] = (check_sums){0 - differences[i].first, 0 - differences[i].second};
    }
    qsort(differences, (size_t)2 * ROWS, sizeof *differences, compare_sums);
    for (unsigned i = 1; i < 2 * ROWS; i++)
        if (compare_sums(&differences[i], &differences[i - 1]) == 0)
            fail_msg("seed %llu: bits %llx that turn in two rows are not found", (unsigned long long)seed,
                     (unsigned long long)bits);
}

static void bits_of_two_rows_are_found(void **state) {
    rng r = {seed + 5};
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) turn_rows(&r, (uint64_t)1 << bit, bit % 2);
    for (unsigned bit = 24; bit < 32; bit++) turn_rows(&r, UINT64_C(0x100000001) << bit, bit % 2);
}

/* A power of two, or the sum or difference of two. */
static uint64_t side_of(rng *r) {
    const uint64_t one = (uint64_t)1 << rng_below(r, 40), other = (uint64_t)1 << rng_below(r, 40);
    return rng_below(r, 3) == 0 ? one : rng_below(r, 2) == 0 ? one + other : one - other;
}

/* Four words that change by the same, at the corners of a parallelogram of places, up and down in turn. */
static void four_places_are_told_apart(void **state) {
    rng r = {seed + 6};
    (void)state;
    for (unsigned round = 0; round < 2000000; round++) {
        const uint64_t a = round % 2 == 0 ? side_of(&r) : rng_below(&r, UINT64_C(1) << 40),
                       b = round % 3 == 0 ? side_of(&r) : rng_below(&r, 64),
                       p = rng_below(&r, UINT64_C(1) << 40), by_bits = round % 5 < 2;
        const uint64_t at[4] = {p, by_bits ? p ^ a : p + a, by_bits ? p ^ b : p + b,
                                by_bits ? p ^ a ^ b : p + a + b};
        int64_t first = 0, second = 0;
        if (a == 0 || b == 0 || a == b) continue;
        for (unsigned k = 0; k < 4; k++) {
            const check_pair keys = check_keys_of(at[k]);
            first += k % 3 == 0 ? (int64_t)keys.first : -(int64_t)keys.first;
            second += k % 3 == 0 ? (int64_t)keys.second : -(int64_t)keys.second;
        }
        if (first == 0 && second == 0)
            fail_msg("seed %llu: words at %llu and three more are not found", (unsigned long long)seed,
                     (unsigned long long)p);
    }
}

/* Every set's loop adds up the same as the definition, of words at any address. */
static void loops_add_the_same(void **state) {
    enum { WORDS = 83 };
    rng r = {seed + 7};
    uint32_t places[WORDS];
    char bytes[WORDS * CHECK_WORD_BYTES + 3];
    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        const check_words of = {.words = bytes + round % 3,
                                .places = round % 2 == 0 ? places : NULL,
                                .place = (uint32_t)rng_next(&r) / 2,
                                .upper = round % 5 < 2 ? 0 : (uint32_t)rng_next(&r),
                                .count = rng_below(&r, WORDS + 1)};
        check_sums right = {0, 0};
        fill_random(&r, bytes, sizeof bytes);
        fill_random(&r, places, sizeof places);
        for (size_t k = 0; k < of.count; k++) {
            uint32_t word;
            memcpy(&word, of.words + k * sizeof word, sizeof word);
            const uint64_t place = of.places != NULL ? places[k] : of.place + k;
            check_add_word(&right, check_keys_of((uint64_t)of.upper << 32 | place), word);
        }
        for (unsigned set = 0; set < VECTOR_SETS; set++) {
            check_sums sums = {0, 0};
            assert_int_equal(check_loop_of[set] != NULL,
                             set == VECTORS_PORTABLE || vectors_are_written(LOOPS_CHECKS, (vector_set)set));
            if (check_loop_of[set] == NULL || !vectors_has((vector_set)set)) continue;
            check_loop_of[set](&sums, &of);
            if (compare_sums(&sums, &right) != 0)
                fail_msg("seed %llu: %s adds up other sums", (unsigned long long)seed,
                         vectors_name((vector_set)set));
        }
    }
}

/* -------------------------------------------------------------------------- moves */

typedef struct move_case {
    const char *spec;
    uint64_t n;
    size_t elem_bytes;
    riffle_plan_options options;
} move_case;

static const move_case moves[] = {
    {"bit-reversal", 1024, 8, {.check = RIFFLE_CHECK_FULL}},
    {"random:3", 1000, 4, {.check = RIFFLE_CHECK_FULL, .threads = 3}},
    {"random:4", 777, 1, {.check = RIFFLE_CHECK_FULL}},
    {"rotate:5", 300, 12, {.check = RIFFLE_CHECK_FULL}},
    {"transpose:30x20", 600, 16, {.check = RIFFLE_CHECK_FULL, .batch = 3, .stride = 601}},
    {"reverse", 900, 2, {.check = RIFFLE_CHECK_FULL, .in_place = true}},
    {"transpose:24x50", 1200, 8, {.check = RIFFLE_CHECK_FULL, .in_place = true}},
    {"random:5", 300000, 8, {.check = RIFFLE_CHECK_FULL}},
    {"identity", 1, 3, {.check = RIFFLE_CHECK_FULL}},
    {"identity", 0, 3, {.check = RIFFLE_CHECK_FULL}},
};

enum { MOVES = sizeof moves / sizeof *moves };

static riffle_plan *move_plan(const move_case *c) {
    riffle_plan *plan = NULL;
    riffle_perm *const perm = parse_or_fail(c->spec, c->n);
    if (riffle_plan_create(perm, c->elem_bytes, RIFFLE_ENGINE_CPU, &c->options, &plan) != RIFFLE_OK)
        fail_msg("%s: %s", c->spec, riffle_error_detail());
    riffle_perm_free(perm);
    return plan;
}

static void faults_in_moves_are_found(void **state) {
    rng r = {seed};
    (void)state;
    for (size_t k = 0; k < MOVES; k++) {
        const move_case *const c = &moves[k];
        riffle_plan *const plan = move_plan(c);
        const size_t bytes = plan->request.span_bytes;
        char *const src = malloc(bytes + 1), *const dst = c->options.in_place ? src : malloc(bytes + 1);
        assert_true(src != NULL && dst != NULL);
        fill_random(&r, src, bytes);
        const check_sums read = cpu_check_read(plan, src);
        const uint64_t rounds = c->n > 100000 ? 30 : fault_rounds() / 6;
        if (riffle_execute(plan, dst, src) != RIFFLE_OK) fail_msg("%s: %s", c->spec, riffle_error_detail());
        for (uint64_t round = 0; c->n > 1 && round < rounds; round++) {
            const fault what = (fault)(round % FAULTS);
            char *const good = malloc(c->n * c->elem_bytes);
            assert_non_null(good);
            memcpy(good, dst, c->n * c->elem_bytes);
            if (fault_put(&r, what, dst, c->n, c->elem_bytes)) {
                found_or_fail(cpu_check_written(plan, dst, read), c->spec, what);
                assert_string_equal(riffle_error_detail(),
                                    "the move: the check found that what was written is not "
                                    "what was read; repeat it, and test the memory");
            }
            memcpy(dst, good, c->n * c->elem_bytes);
            free(good);
        }
        if (dst != src) free(dst);
        free(src);
        riffle_plan_free(plan);
    }
}

/* -------------------------------------------------------------------------- groups */

/* An execution's result as its check sees it. */
static group_work work_of(const riffle_group_plan *plan, const riffle_group_arrays *arrays, uint64_t *end) {
    for (uint32_t g = 0; g < plan->rule.groups; g++) end[g] = arrays->offsets[g] + arrays->counts[g];
    return (group_work){.plan = plan,
                        .arrays = arrays,
                        .parts = 1,
                        .first = arrays->offsets,
                        .end = end,
                        .places = arrays->places,
                        .index_bytes = plan->index_bytes};
}

static void faults_of_a_group_case(rng *r, group_case *c) {
    riffle_group_plan *plan = NULL;
    if (riffle_group_plan_create(c->n, c->row_bytes, c->key_type, c->groups, RIFFLE_ENGINE_CPU, &c->options,
                                 &plan) != RIFFLE_OK)
        group_fail(c, seed, riffle_error_detail());
    group_result got = group_result_create(r, plan);
    const riffle_group_arrays arrays = group_result_arrays(c, &got);
    uint64_t *const end = malloc(c->groups * sizeof *end);
    assert_non_null(end);
    if (riffle_group_execute(plan, &arrays) != RIFFLE_OK) group_fail(c, seed, riffle_error_detail());
    const group_work work = work_of(plan, &arrays, end);
    const uint64_t rows = arrays.offsets[c->groups];
    assert_int_equal(group_check(&work), RIFFLE_OK);
    for (unsigned what = 0; what < FAULTS && rows > 0; what++) {
        char *const good = malloc(rows * c->row_bytes);
        assert_non_null(good);
        memcpy(good, arrays.rows, rows * c->row_bytes);
        if (fault_put(r, (fault)what, arrays.rows, rows, c->row_bytes))
            found_or_fail(group_check(&work), "rows of groups", (fault)what);
        memcpy(arrays.rows, good, rows * c->row_bytes);
        free(good);
    }
    const uint64_t entries = group_case_entries(c);
    if (entries > 0 && fault_put(r, FAULT_BIT, arrays.places, entries, c->options.index_bytes))
        found_or_fail(group_check(&work), "places of groups", FAULT_BIT);
    free(end);
    group_result_free(&got);
    riffle_group_plan_free(plan);
}

static void faults_in_groups_are_found(void **state) {
    static const size_t row_bytes[] = {1, 2, 3, 8, 12, 16, 40};
    rng r = {seed + 1};
    (void)state;
    for (uint64_t round = 0; round < fault_rounds() / 3; round++) {
        const uint64_t groups = 1 + rng_below(&r, 40);
        group_case c = {.n = rng_below(&r, 200),
                        .groups = groups,
                        .row_bytes = row_bytes[round % 7],
                        .key_type = RIFFLE_TYPE_U16,
                        .options = {.check = RIFFLE_CHECK_FULL,
                                    .keys_per_row = 1 + round % 3,
                                    .multiple = rng_below(&r, 2) * 5,
                                    .capacity = rng_below(&r, 2) * 9,
                                    .index_bytes = round % 2 == 0 ? 4 : 8}};
        group_case_fill(&r, &c, (group_spread)rng_below(&r, SPREADS));
        if (round % 5 == 0) memset(c.rows.data, 0, c.rows.bytes); /* rows that add nothing to sums of words */
        faults_of_a_group_case(&r, &c);
        group_case_free(&c);
    }
}

/* --------------------------------------------------------------------------- sorts */

typedef struct sort_case {
    riffle_type type;
    size_t value_bytes, index_bytes;
    riffle_sort_task task;
    uint64_t segments;
    bool descending, has_no_keys;
    const char *before;
} sort_case;

static const sort_case sorts[] = {
    {.type = RIFFLE_TYPE_U32},
    {.type = RIFFLE_TYPE_F64, .descending = true},
    {.type = RIFFLE_TYPE_I64, .index_bytes = 4},
    {.type = RIFFLE_TYPE_U8, .index_bytes = 8},
    {.type = RIFFLE_TYPE_U16, .index_bytes = 8, .has_no_keys = true},
    {.type = RIFFLE_TYPE_F32, .value_bytes = 8, .segments = 4},
    {.type = RIFFLE_TYPE_I16, .value_bytes = 4, .segments = 400},
    {.type = RIFFLE_TYPE_U64, .task = RIFFLE_SORT_TASK_MERGE, .segments = 1},
    {.type = RIFFLE_TYPE_I32, .index_bytes = 4, .before = "a % 100 < b % 100"},
};

enum { SORTS = sizeof sorts / sizeof *sorts, SORTED = 400 };

/* Arrays of a sort of SORTED elements. */
typedef struct sort_room {
    uint64_t from[SORTED], keys[SORTED], values[SORTED], from_values[SORTED], indices[SORTED];
} sort_room;

static riffle_sort_arrays sort_arrays_in(const sort_case *c, sort_room *room) {
    return (riffle_sort_arrays){.from_keys = room->from,
                                .keys = c->has_no_keys ? NULL : room->keys,
                                .from_values = c->value_bytes > 0 ? room->from_values : NULL,
                                .values = c->value_bytes > 0 ? room->values : NULL,
                                .indices = c->index_bytes > 0 ? room->indices : NULL};
}

static riffle_sort_plan *sort_plan_of(const sort_case *c) {
    const riffle_sort_options options = {.task = c->task,
                                         .segments = c->segments,
                                         .value_bytes = c->value_bytes,
                                         .index_bytes = c->index_bytes,
                                         .check = RIFFLE_CHECK_FULL};
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    assert_int_equal(riffle_sort_key_of_type(c->type, c->descending, &key), RIFFLE_OK);
    key.before = c->before;
    if (riffle_sort_plan_create(SORTED, &key, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    return plan;
}

/* A fault in keys, or in what goes along. */
static bool put_in_sort(rng *r, const sort_case *c, fault what, sort_room *room) {
    const bool in_tags = c->has_no_keys || (c->index_bytes + c->value_bytes > 0 && rng_below(r, 2) == 0);
    if (!in_tags) return fault_put(r, what, room->keys, SORTED, riffle_type_bytes(c->type));
    return fault_put(r, what, c->index_bytes > 0 ? room->indices : room->values, SORTED,
                     c->index_bytes + c->value_bytes);
}

static void faults_of_a_sort(rng *r, const sort_case *c) {
    riffle_sort_plan *const plan = sort_plan_of(c);
    sort_room *const room = calloc(2, sizeof *room), *const good = room + 1;
    assert_non_null(room);
    fill_random(r, room->from, sizeof room->from);
    fill_random(r, room->from_values, sizeof room->from_values);
    if (c->task == RIFFLE_SORT_TASK_MERGE)
        for (uint64_t k = 0; k < SORTED; k++) room->from[k] = k * k;
    const riffle_sort_arrays arrays = sort_arrays_in(c, room);
    if (riffle_sort_execute(plan, &arrays) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    const check_sums sum = checked_sum(plan, &arrays);
    *good = *room;
    for (unsigned round = 0; c->before == NULL && round < 3 * FAULTS; round++) {
        const fault what = (fault)(round % FAULTS);
        if (put_in_sort(r, c, what, room))
            found_or_fail(checked_result(plan, &arrays, sum,
                                         plan->is_number ? sort_before_by_number : sort_before_by_fields,
                                         &plan->layout),
                          riffle_type_string(c->type), what);
        *room = *good;
    }
    free(room);
    riffle_sort_plan_free(plan);
}

static void faults_in_sorts_are_found(void **state) {
    rng r = {seed + 2};
    (void)state;
    for (uint64_t round = 0; round < fault_rounds() / 9; round++) faults_of_a_sort(&r, &sorts[round % SORTS]);
}

/* Numbers that equal each other in order, by several threads, in place, and rows between uneven segments. */
static void right_sorts_pass(void **state) {
    enum { N = 300000 };
    static const uint64_t first[] = {5, 5, 70000, 70001, N - 3};
    rng r = {seed + 3};
    uint32_t *const numbers = malloc(N * sizeof *numbers);
    (void)state;
    assert_non_null(numbers);
    for (unsigned k = 0; k < 4; k++) {
        const riffle_sort_options options = {
            .check = RIFFLE_CHECK_FULL, .segments = k < 2 ? 0 : 4, .threads = 1 + k};
        riffle_sort_key key;
        riffle_sort_plan *plan = NULL;
        assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_F32, k % 2 != 0, &key), RIFFLE_OK);
        assert_int_equal(riffle_sort_plan_create(N, &key, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
        fill_random(&r, numbers, N * sizeof *numbers); /* NaNs among them */
        for (uint32_t i = 0; i < N; i += 3) numbers[i] = i % 2 << 31;
        const riffle_sort_arrays arrays = {
            .keys = numbers, .from_keys = numbers, .first = k < 2 ? NULL : first};
        if (riffle_sort_execute(plan, &arrays) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
        riffle_sort_plan_free(plan);
    }
    free(numbers);
}

/* ------------------------------------------------------------------------ refusals */

static void bad_checks_are_refused(void **state) {
    const riffle_check none = (riffle_check)7;
    riffle_perm *const perm = parse_or_fail("identity", 4);
    riffle_plan *plan = NULL;
    riffle_group_plan *groups = NULL;
    riffle_sort_plan *sort = NULL;
    riffle_sort_key key;
    (void)state;
    assert_int_equal(
        riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, &(riffle_plan_options){.check = none}, &plan),
        RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "there is no check with number 7");
    assert_int_equal(riffle_group_plan_create(4, 4, RIFFLE_TYPE_U8, 2, RIFFLE_ENGINE_CPU,
                                              &(riffle_group_options){.check = none}, &groups),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, false, &key), RIFFLE_OK);
    assert_int_equal(
        riffle_sort_plan_create(4, &key, RIFFLE_ENGINE_CPU, &(riffle_sort_options){.check = none}, &sort),
        RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_sort_plan_create(
                         4, &key, RIFFLE_ENGINE_CPU,
                         &(riffle_sort_options){.check = RIFFLE_CHECK_FULL, .task = RIFFLE_SORT_TASK_UNIQUE},
                         &sort),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(riffle_error_detail(),
                        "a check is of whole sorts and merges; leave it out of other tasks");
    riffle_perm_free(perm);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_of_one_row_are_found), cmocka_unit_test(bits_of_two_rows_are_found),
        cmocka_unit_test(four_places_are_told_apart), cmocka_unit_test(loops_add_the_same),
        cmocka_unit_test(faults_in_moves_are_found),  cmocka_unit_test(faults_in_groups_are_found),
        cmocka_unit_test(faults_in_sorts_are_found),  cmocka_unit_test(right_sorts_pass),
        cmocka_unit_test(bad_checks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
