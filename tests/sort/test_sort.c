/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_sort_execute on the host, compared with the definition (sort/definition.h): keys of every kind, distributions, tasks,
 * segments, values and indices. Refusals, and in which words.
 */
#include "base/processor/vectors.h"
#include "riffle/sort.h"

#include "sort_support.h"
#include "support.h"

typedef struct sort_case {
    riffle_sort_key key;
    riffle_sort_options options;
    sort_shape shape;
    uint64_t n;
    bool is_uneven, in_place, with_keys;
} sort_case;

static riffle_sort_plan *plan_or_fail(const sort_case *c) {
    riffle_sort_plan *plan = NULL;
    if (riffle_sort_plan_create(c->n, &c->key, RIFFLE_ENGINE_CPU, &c->options, &plan) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    return plan;
}

static void *allocate(size_t bytes) {
    void *out = aligned_alloc(64, (bytes / 64 + 1) * 64);
    assert_non_null(out);
    memset(out, POISON_VALUE, bytes);
    return out;
}

/* Beginnings of segments at random places. */
static void fill_first(rng *r, uint64_t *first, uint64_t segments, uint64_t n) {
    for (uint64_t s = 0; s <= segments; s++) first[s] = rng_below(r, n + 1);
    for (uint64_t s = 1; s <= segments; s++)
        for (uint64_t t = s; t > 0 && first[t] < first[t - 1]; t--) {
            const uint64_t swapped = first[t];
            first[t] = first[t - 1];
            first[t - 1] = swapped;
        }
}

/* An execution's inputs, and its results. */
typedef struct sort_run {
    const sort_case *c;
    unsigned char *from, *keys, *from_values, *values, *indices;
    uint64_t *first, *lengths, *order, *room;
    bool is_number;
} sort_run;

static uint64_t segments_of(const sort_case *c) { return c->options.segments == 0 ? 1 : c->options.segments; }

static uint64_t begin_of(const sort_run *run, uint64_t s) {
    return run->first != NULL ? run->first[s] : s * (run->c->n / segments_of(run->c));
}

/* True if result `at` is element `element`. */
static bool is_element(const sort_run *run, uint64_t at, uint64_t element) {
    const sort_case *c = run->c;
    const size_t bytes = c->key.elem_bytes, value = c->options.value_bytes, index = c->options.index_bytes;
    uint64_t found = 0;
    if (index != 0) memcpy(&found, run->indices + at * index, index);
    return (!c->with_keys || memcmp(run->keys + at * bytes, run->from + element * bytes, bytes) == 0) &&
           (value == 0 || memcmp(run->values + at * value, run->from_values + element * value, value) == 0) &&
           (index == 0 || found == element);
}

static bool is_sorted(const sort_run *run, uint64_t s) {
    const sort_case *c = run->c;
    const uint64_t begin = begin_of(run, s), length = begin_of(run, s + 1) - begin;
    sort_layout layout;
    assert_int_equal(sort_layout_make(&c->key, &layout), RIFFLE_OK);
    sort_expected(&c->key, run->is_number, run->from, begin, begin + length, run->order, run->room);
    const uint64_t to = c->options.task == RIFFLE_SORT_TASK_TOP ? s * c->options.count : begin;
    const bool is_top = c->options.task == RIFFLE_SORT_TASK_TOP && c->options.count < length;
    uint64_t count = 0;
    if (c->options.task == RIFFLE_SORT_TASK_PARTITION) sort_part_order(run->order, length, c->options.count);
    for (uint64_t i = 0; i < (is_top ? c->options.count : length); i++) {
        const unsigned char *const before = run->from + run->order[i > 0 ? i - 1 : 0] * c->key.elem_bytes;
        const unsigned char *const this = run->from + run->order[i] * c->key.elem_bytes;
        const bool is_new = i == 0 || sort_before_by_fields(&layout, before, this);
        if (c->options.task == RIFFLE_SORT_TASK_UNIQUE && !is_new) continue;
        if (!is_element(run, to + count++, run->order[i])) return false;
    }
    return c->options.task != RIFFLE_SORT_TASK_UNIQUE || run->lengths[s] == count;
}

static bool is_merged(const sort_run *run) {
    const uint64_t begin = begin_of(run, 0), end = begin_of(run, segments_of(run->c));
    sort_expected(&run->c->key, false, run->from, begin, end, run->order, run->room);
    for (uint64_t i = begin; i < end; i++)
        if (!is_element(run, i, run->order[i - begin])) return false;
    return true;
}

static bool is_right(const sort_run *run) {
    if (run->c->options.task == RIFFLE_SORT_TASK_MERGE) return is_merged(run);
    for (uint64_t s = 0; s < segments_of(run->c); s++)
        if (!is_sorted(run, s)) return false;
    return true;
}

/* The elements of each segment in order, as MERGE wants them. */
static void sort_segments(sort_run *run) {
    const size_t bytes = run->c->key.elem_bytes;
    unsigned char *const copy = allocate(run->c->n * bytes);
    memcpy(copy, run->from, run->c->n * bytes);
    for (uint64_t s = 0; s < segments_of(run->c); s++) {
        const uint64_t begin = begin_of(run, s), end = begin_of(run, s + 1);
        sort_expected(&run->c->key, false, copy, begin, end, run->order, run->room);
        for (uint64_t i = begin; i < end; i++)
            memcpy(run->from + i * bytes, copy + run->order[i - begin] * bytes, bytes);
    }
    free(copy);
}

static void describe(const sort_case *c, uint64_t seed) {
    print_error(
        "seed %llu: %llu elements of %zu bytes, shape %d, task %d, %llu segments, count %llu, values %zu, "
        "indices %zu, %u threads, uneven %d, in place %d, keys %d;",
        (unsigned long long)seed, (unsigned long long)c->n, c->key.elem_bytes, (int)c->shape,
        (int)c->options.task, (unsigned long long)segments_of(c), (unsigned long long)c->options.count,
        c->options.value_bytes, c->options.index_bytes, c->options.threads, c->is_uneven, c->in_place,
        c->with_keys);
    for (unsigned k = 0; k < c->key.fields; k++)
        print_error(" %d of %zu at %zu%s", (int)c->key.field[k].kind, c->key.field[k].bytes,
                    c->key.field[k].offset, c->key.field[k].descending ? " descending" : "");
    print_error("\n");
}

static void expect_sorted(rng *r, const sort_case *c) {
    const uint64_t seed = r->state;
    const size_t bytes = c->key.elem_bytes, value = c->options.value_bytes, index = c->options.index_bytes;
    riffle_sort_plan *const plan = plan_or_fail(c);
    sort_run run = {.c = c, .from = allocate(c->n * bytes), .keys = allocate(c->n * bytes)};
    run.from_values = allocate(c->n * value);
    run.values = allocate(c->n * value);
    run.indices = allocate(c->n * index);
    run.lengths = allocate(segments_of(c) * sizeof(uint64_t));
    run.first = c->is_uneven ? allocate((segments_of(c) + 1) * sizeof(uint64_t)) : NULL;
    run.order = allocate(c->n * sizeof(uint64_t));
    run.room = allocate(c->n * sizeof(uint64_t));
    run.is_number = c->key.fields == 1 && c->key.field[0].bytes == bytes && value + index == 0 &&
                    c->options.task != RIFFLE_SORT_TASK_PARTITION;
    sort_fill(r, &c->key, c->shape, run.from, c->n);
    fill_random(r, run.from_values, c->n * value);
    if (c->is_uneven) fill_first(r, run.first, segments_of(c), c->n);
    if (c->options.task == RIFFLE_SORT_TASK_MERGE) sort_segments(&run);
    riffle_sort_arrays arrays = {.from_keys = run.from, .first = run.first};
    if (c->with_keys) arrays.keys = run.keys;
    if (value > 0) arrays.from_values = run.from_values, arrays.values = run.values;
    if (index > 0) arrays.indices = run.indices;
    if (c->options.task == RIFFLE_SORT_TASK_UNIQUE) arrays.lengths = run.lengths;
    if (c->in_place && c->with_keys) {
        memcpy(run.keys, run.from, c->n * bytes);
        memcpy(run.values, run.from_values, c->n * value);
        arrays.from_keys = run.keys;
        if (value > 0) arrays.from_values = run.values;
    }
    const riffle_status status = riffle_sort_execute(plan, &arrays);
    if (status != RIFFLE_OK || !is_right(&run)) {
        describe(c, seed);
        fail_msg("%s", status != RIFFLE_OK ? riffle_error_detail() : "not as by definition");
    }
    riffle_sort_plan_free(plan);
    free(run.from), free(run.keys), free(run.from_values), free(run.values), free(run.indices);
    free(run.lengths), free(run.first), free(run.order), free(run.room);
}

static sort_case random_case(rng *r, uint64_t n) {
    sort_case c = {.n = n, .shape = (sort_shape)rng_below(r, SORT_SHAPES)};
    c.key = rng_below(r, 2) ? sort_random_number(r) : sort_random_row(r);
    c.options.task = (riffle_sort_task)rng_below(r, 5);
    c.options.threads = (unsigned)rng_below(r, 4);
    if (rng_below(r, 2)) c.options.segments = 1 + rng_below(r, n / 2 + 1);
    const uint64_t extra = rng_below(r, 6);
    if (extra < 2) c.options.value_bytes = 4 + 4 * extra;
    if (extra == 2 || extra == 3) c.options.index_bytes = 4 * (extra - 1);
    if (c.options.task == RIFFLE_SORT_TASK_TOP) c.options.count = rng_below(r, n / segments_of(&c) + 1);
    if (c.options.task == RIFFLE_SORT_TASK_PARTITION) c.options.count = rng_below(r, n + 1);
    c.is_uneven = n % segments_of(&c) != 0 || rng_below(r, 3) == 0;
    c.in_place = rng_below(r, 3) == 0;
    c.with_keys = c.options.value_bytes + c.options.index_bytes == 0 || rng_below(r, 2);
    return c;
}

static void test_random(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned round = 0; round < test_rounds(600); round++) {
        const sort_case c = random_case(&r, rng_below(&r, rng_below(&r, 2) ? 40 : 600));
        expect_sorted(&r, &c);
    }
}

/* Long enough for several threads and for every step of an engine. */
static void test_long(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned round = 0; round < test_rounds(14); round++) {
        sort_case c = random_case(&r, (round % 4 == 0 ? 140000 : 20000) + rng_below(&r, 30000));
        if (rng_below(&r, 2)) c.options.segments = 0;
        c.is_uneven = c.n % segments_of(&c) != 0;
        if (c.options.task == RIFFLE_SORT_TASK_TOP) c.options.count = rng_below(&r, c.n / segments_of(&c) + 1);
        expect_sorted(&r, &c);
    }
}

/* The first few of numbers, which are not sorted: in one array, by all threads where it is long, and in segments; by the vectors at hand, and
 * by plain C. */
static void test_first_of_many(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned round = 0; round < test_rounds(40); round++) {
        sort_case c = random_case(&r, (round % 20 == 0 ? 300000 : 5000) + rng_below(&r, 40000));
        c.key = sort_random_number(&r);
        c.options.task = RIFFLE_SORT_TASK_TOP;
        c.options.segments = rng_below(&r, 2) ? 0 : 1 + rng_below(&r, c.n / 4096);
        c.options.count = 1 + rng_below(&r, rng_below(&r, 2) ? 4 : c.n / segments_of(&c) / 32);
        c.is_uneven = c.n % segments_of(&c) != 0 || rng_below(&r, 3) == 0;
        vectors_limit(round % 2 == 0 ? VECTOR_SETS : VECTORS_PORTABLE);
        expect_sorted(&r, &c);
    }
    vectors_limit(VECTOR_SETS);
}

/* Numbers of every type, at sizes around powers of two. */
static void test_sizes(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (riffle_type type = RIFFLE_TYPE_I8; type <= RIFFLE_TYPE_F64; type++)
        for (uint64_t n = 0; n < 5000; n = 2 * n + 1)
            for (int shape = 0; shape < SORT_SHAPES; shape++) {
                sort_case c = {.n = n, .shape = (sort_shape)shape, .with_keys = true};
                assert_int_equal(riffle_sort_key_of_type(type, (int)rng_below(&r, 2), &c.key), RIFFLE_OK);
                expect_sorted(&r, &c);
            }
}

/* Keys longer than a word that tie: the element of a rank is the one that a stable sort puts there. */
static void test_partition_of_ties(void **state) {
    (void)state;
    const riffle_sort_key key = {.elem_bytes = 12,
                                 .fields = 2,
                                 .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 8},
                                           {.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 1, .offset = 8}}};
    for (uint64_t n = 2; n < 60; n++)
        for (int shape = 0; shape < SORT_SHAPES; shape++) {
            rng r = {n};
            sort_case c = {.n = n, .key = key, .shape = (sort_shape)shape, .with_keys = true};
            c.options.task = RIFFLE_SORT_TASK_PARTITION;
            c.options.count = rng_below(&r, n);
            expect_sorted(&r, &c);
        }
}

/* ---------------------------------------------------------------- refusals */

static void expect_no_plan(uint64_t n, const riffle_sort_options *options, riffle_status status,
                           const char *words) {
    riffle_sort_key key;
    riffle_sort_plan *plan = (riffle_sort_plan *)&key;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
    assert_int_equal(riffle_sort_plan_create(n, &key, RIFFLE_ENGINE_CPU, options, &plan), status);
    assert_string_equal(riffle_error_detail(), words);
    assert_ptr_equal(plan, &key);
}

static void test_refused_plans(void **state) {
    (void)state;
    expect_no_plan(9, &(riffle_sort_options){.task = (riffle_sort_task)7}, RIFFLE_ERROR_INVALID_ARGUMENT,
                   "there is no task with number 7");
    expect_no_plan(9, &(riffle_sort_options){.callers_workspace = true}, RIFFLE_ERROR_UNSUPPORTED,
                   "the cpu engine takes no workspace from its caller; leave callers_workspace 0");
    expect_no_plan(9, &(riffle_sort_options){.value_bytes = 3}, RIFFLE_ERROR_INVALID_ARGUMENT,
                   "values have 4 or 8 bytes, not 3");
    expect_no_plan(9, &(riffle_sort_options){.index_bytes = 5}, RIFFLE_ERROR_INVALID_ARGUMENT,
                   "indices have 4 or 8 bytes, not 5");
    expect_no_plan(9, &(riffle_sort_options){.index_bytes = 4, .value_bytes = 4}, RIFFLE_ERROR_INVALID_ARGUMENT,
                   "values and indices at once; values can be taken by the indices (riffle_take)");
    expect_no_plan(9, &(riffle_sort_options){.task = RIFFLE_SORT_TASK_TOP, .count = 10}, RIFFLE_ERROR_LENGTH,
                   "the first 10 of 9 elements; choose no more than there are");
    expect_no_plan(9, &(riffle_sort_options){.task = RIFFLE_SORT_TASK_TOP, .count = 5, .segments = 2},
                   RIFFLE_ERROR_LENGTH, "the first 5 of each of 2 segments are more than 9 elements");
    expect_no_plan(RIFFLE_MAX_LENGTH + 1, NULL, RIFFLE_ERROR_LENGTH,
                   "1099511627777 elements; there are at most 2^40");
    expect_no_plan(9, &(riffle_sort_options){.algorithm = RIFFLE_SORT_ALGORITHM_K_PARTITION},
                   RIFFLE_ERROR_UNSUPPORTED, "the cpu engine sorts in two phases, and not by k-partition");
    riffle_sort_algorithm algorithm;
    assert_int_equal(riffle_sort_algorithm_parse("quicksort", &algorithm), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "unknown algorithm of sorts 'quicksort'; there are auto, "
                                               "two-phase, k-partition and pairwise");
    assert_int_equal(riffle_sort_algorithm_parse("two-phase", &algorithm), RIFFLE_OK);
    assert_int_equal(algorithm, RIFFLE_SORT_ALGORITHM_TWO_PHASE);
    assert_string_equal(riffle_sort_algorithm_string(algorithm), "two-phase");
}

static void expect_no_execution(const riffle_sort_options *options, const riffle_sort_arrays *arrays,
                                const char *words) {
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
    assert_int_equal(riffle_sort_plan_create(8, &key, RIFFLE_ENGINE_CPU, options, &plan), RIFFLE_OK);
    assert_int_equal(riffle_sort_execute(plan, arrays), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), words);
    riffle_sort_plan_free(plan);
}

static void test_refused_executions(void **state) {
    (void)state;
    static const uint32_t from[8] = {5, 1, 9, 7, 0, 3, 3, 2};
    static uint32_t to[9], others[8];
    const uint64_t descends[] = {0, 5, 3}, beyond[] = {0, 5, 9};
    const riffle_sort_options two = {.segments = 2}, three = {.segments = 3}, plain = {0};
    const riffle_sort_options with_values = {.value_bytes = 4}, unique = {.task = RIFFLE_SORT_TASK_UNIQUE};
    expect_no_execution(&plain, &(riffle_sort_arrays){.keys = to},
                        "from_keys is NULL, but there are to be 8 of them");
    expect_no_execution(&plain, &(riffle_sort_arrays){.from_keys = from},
                        "keys is NULL, but there are to be 8 of them");
    expect_no_execution(&plain, &(riffle_sort_arrays){.keys = to, .from_keys = to + 1},
                        "keys and from_keys overlap");
    expect_no_execution(&plain, &(riffle_sort_arrays){.keys = (char *)to + 1, .from_keys = from},
                        "keys are not aligned to 4 bytes");
    expect_no_execution(&plain, &(riffle_sort_arrays){.keys = to, .from_keys = from, .values = others},
                        "values are given, but the plan has none");
    expect_no_execution(&with_values, &(riffle_sort_arrays){.from_keys = from, .from_values = from},
                        "values is NULL, but there are to be 8 of them");
    expect_no_execution(&unique, &(riffle_sort_arrays){.from_keys = from, .keys = to},
                        "lengths is NULL, but there are to be 1 of them");
    expect_no_execution(
        &three, &(riffle_sort_arrays){.from_keys = from, .keys = to},
        "8 elements are no 3 segments of as many; choose a number that divides that of elements");
    expect_no_execution(&two, &(riffle_sort_arrays){.from_keys = from, .keys = to, .first = descends},
                        "segment 1 begins at element 5 and ends at element 3");
    expect_no_execution(&two, &(riffle_sort_arrays){.from_keys = from, .keys = to, .first = beyond},
                        "the last segment ends at element 9 of 8");
    for (unsigned k = 0; k < 9; k++) assert_int_equal(to[k], 0);
}

/* By a comparison too; what lies outside of segments is left alone. */
static void test_comparison_of_segments(void **state) {
    (void)state;
    static const uint32_t from[8] = {5, 1, 9, 7, 0, 3, 3, 2}, wanted[8] = {77, 2, 3, 1, 5, 6, 4, 77};
    const uint64_t first[] = {1, 4, 7};
    uint32_t indices[8] = {77, 77, 77, 77, 77, 77, 77, 77};
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
    key.before = "a > b";
    const riffle_sort_options options = {.segments = 2, .index_bytes = 4};
    assert_int_equal(riffle_sort_plan_create(8, &key, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
    const riffle_sort_arrays arrays = {.from_keys = from, .indices = indices, .first = first};
    assert_int_equal(riffle_sort_execute(plan, &arrays), RIFFLE_OK);
    assert_memory_equal(indices, wanted, sizeof wanted);
    riffle_sort_plan_free(plan);
}

/* The first elements need room for no others: what is behind it may be what they are taken from. */
static void test_room_of_first_elements(void **state) {
    (void)state;
    uint32_t room[10] = {0, 0, 5, 1, 9, 7, 0, 3, 3, 2};
    const riffle_sort_options first_two = {.task = RIFFLE_SORT_TASK_TOP, .count = 2};
    expect_no_execution(&first_two, &(riffle_sort_arrays){.keys = room + 1, .from_keys = room + 2},
                        "keys and from_keys overlap");
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
    assert_int_equal(riffle_sort_plan_create(8, &key, RIFFLE_ENGINE_CPU, &first_two, &plan), RIFFLE_OK);
    assert_int_equal(riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = room, .from_keys = room + 2}),
                     RIFFLE_OK);
    riffle_sort_plan_free(plan);
    const uint32_t expected[10] = {0, 1, 5, 1, 9, 7, 0, 3, 3, 2};
    assert_memory_equal(room, expected, sizeof room);
}

static void expect_null(riffle_status status, const char *words) {
    assert_int_equal(status, RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), words);
}

static void test_refused_nulls(void **state) {
    (void)state;
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    riffle_sort_algorithm algorithm;
    const riffle_sort_arrays none = {0};
    expect_null(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, NULL), "out is NULL");
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
    expect_null(riffle_sort_plan_create(8, NULL, RIFFLE_ENGINE_CPU, NULL, &plan), "key is NULL");
    expect_null(riffle_sort_plan_create(8, &key, RIFFLE_ENGINE_CPU, NULL, NULL), "out is NULL");
    expect_null(riffle_sort_algorithm_parse(NULL, &algorithm), "name is NULL");
    expect_null(riffle_sort_algorithm_parse("auto", NULL), "out is NULL");
    expect_null(riffle_sort_execute(NULL, &none), "plan is NULL");
    expect_null(riffle_sort_check(NULL, &key, NULL), "plan is NULL");
    assert_int_equal(riffle_sort_plan_create(8, &key, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    expect_null(riffle_sort_check(plan, NULL, NULL), "from_keys is NULL");
    riffle_sort_plan_free(plan);
    expect_null(riffle_sort_plan_explain(NULL, stderr), "plan is NULL");
    assert_int_equal(riffle_sort_plan_algorithm(NULL), RIFFLE_SORT_ALGORITHM_AUTO);
    assert_int_equal(riffle_sort_plan_workspace_bytes(NULL), 0);
    assert_int_equal(riffle_sort_plan_threads(NULL), 0);
    riffle_sort_plan_free(NULL);
    assert_int_equal(riffle_sort_plan_create(8, &key, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    expect_null(riffle_sort_execute(plan, NULL), "arrays is NULL");
    expect_null(riffle_sort_plan_explain(plan, NULL), "stream is NULL");
    riffle_sort_plan_free(plan);
}

static void test_refused_names(void **state) {
    (void)state;
    riffle_sort_key key;
    riffle_sort_plan *plan = NULL;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
    key.field[0].name = "register";
    assert_int_equal(riffle_sort_plan_create(8, &key, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    riffle_sort_plan_free(plan); /* by fields names count for nothing */
    key.before = "a.x < b.x";
    expect_null(riffle_sort_plan_create(8, &key, RIFFLE_ENGINE_CPU, NULL, &plan),
                "field 0: 'register' is a keyword in C; a comparison needs another");
    key.field[0].name = "two words";
    expect_null(riffle_sort_plan_create(8, &key, RIFFLE_ENGINE_CPU, NULL, &plan),
                "field 0: 'two words' is no name in C; a comparison needs another");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_partition_of_ties),
        cmocka_unit_test(test_first_of_many),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_refused_plans),
        cmocka_unit_test(test_refused_executions),
        cmocka_unit_test(test_comparison_of_segments),
        cmocka_unit_test(test_room_of_first_elements),
        cmocka_unit_test(test_refused_nulls),
        cmocka_unit_test(test_refused_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
