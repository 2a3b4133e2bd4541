/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of passes of sorts on the CPU: right sorts pass, and codes that change between being made and being sorted, or once they are, are found, all of
 * them.
 */
#include "faults.h"
#include "riffle/sort.h"
#include "sort/cpu/checked/between.h"
#include "sort/cpu/ordered.h"
#include "sort/cpu/two_phase.h"
#include "sort_support.h"
#include "support.h"

#include <pthread.h>

enum { N = 3000, LONG = 1 << 18 };

static uint64_t seed;

/* A sort that puts one fault into codes: once they have been added up, or before they are taken. */
typedef struct wrong_sort {
    rng *r;
    const void *from;
    size_t bytes;
    fault what;
    bool is_sorted; /* it is put into sorted codes */
    bool is_put;
    pthread_mutex_t putting; /* threads show codes at once, and one puts the fault */
    between compared;
} wrong_sort;

static void put_once(wrong_sort *w, void *codes, uint64_t n) {
    pthread_mutex_lock(&w->putting);
    if (!w->is_put) w->is_put = fault_put(w->r, w->what, codes, n, w->bytes);
    pthread_mutex_unlock(&w->putting);
}

static void make(const void *context, void *codes, uint64_t first, uint64_t n) {
    const wrong_sort *const w = context;
    memcpy(codes, (const char *)w->from + first * w->bytes, n * w->bytes);
}

static void show_made(const void *context, void *codes, uint64_t first, uint64_t n) {
    wrong_sort *const w = (wrong_sort *)(uintptr_t)context;
    (void)first;
    between_made(&w->compared, codes, n);
    if (!w->is_sorted && w->what != FAULT_SWAP) put_once(w, codes, n);
}

static void show_sorted(const void *context, void *codes, uint64_t first, uint64_t n) {
    wrong_sort *const w = (wrong_sort *)(uintptr_t)context;
    if (w->is_sorted) put_once(w, codes, n);
    between_sorted(&w->compared, codes, first, n);
}

static void look_for(rng *r, size_t bytes, uint64_t n, unsigned threads, uint64_t rounds, uint64_t *faults) {
    void *const from = malloc(n * bytes), *const to = malloc(n * bytes), *const room = malloc(n * bytes),
                *const merging = malloc(two_phase_room(bytes, threads, threads) + 1);
    assert_true(from != NULL && to != NULL && room != NULL && merging != NULL);
    for (uint64_t round = 0; round < rounds; round++) {
        wrong_sort w = {.r = r,
                        .from = from,
                        .bytes = bytes,
                        .what = (fault)(round % FAULTS),
                        .is_sorted = round / FAULTS % 2 == 1,
                        .is_put = round % 50 == 0, /* no fault */
                        .putting = PTHREAD_MUTEX_INITIALIZER};
        between_found found = {0};
        const two_phase sort = {.word_bytes = bytes,
                                .n = n,
                                .threads = threads,
                                .make = make,
                                .made = show_made,
                                .finish = show_sorted,
                                .is_made_anew = round % 4 < 2,
                                .context = &w,
                                .numbers = room,
                                .sorted = to,
                                .room = merging};
        const bool is_right = round % 50 == 0;
        fill_random(r, from, n * bytes);
        between_begin(&w.compared, bytes);
        two_phase_sort(&sort);
        between_end(&w.compared, &found);
        const riffle_status wanted = w.is_put && !is_right ? RIFFLE_ERROR_DAMAGED : RIFFLE_OK;
        if (between_result(&found) != wanted)
            fail_msg("seed %llu: %llu x %zu bytes, %u threads: %s, %s", (unsigned long long)seed,
                     (unsigned long long)n, bytes, threads, fault_name(w.what),
                     is_right ? "the right sort is refused" : "it was not found");
        *faults += wanted == RIFFLE_ERROR_DAMAGED;
    }
    free(from), free(to), free(room), free(merging);
}

static void faults_are_found(void **state) {
    rng r = {seed};
    uint64_t faults = 0;
    const uint64_t rounds = test_rounds(3000);
    (void)state;
    for (size_t bytes = 4; bytes <= 8; bytes += 4) look_for(&r, bytes, N, 1, rounds, &faults);
    for (size_t bytes = 4; bytes <= 8; bytes += 4) look_for(&r, bytes, LONG, 2, rounds / 60, &faults);
    assert_true(faults > rounds);
}

/* Plans of numbers of every kind and shape, in place and not. */
static void right_sorts_pass(void **state) {
    rng r = {seed + 1};
    static const riffle_type types[] = {RIFFLE_TYPE_U32, RIFFLE_TYPE_I64, RIFFLE_TYPE_F32, RIFFLE_TYPE_F64};
    char *const from = malloc(LONG * sizeof(double)), *const to = malloc(LONG * sizeof(double)),
                *const right = malloc(LONG * sizeof(double));
    (void)state;
    assert_true(from != NULL && to != NULL && right != NULL);
    for (unsigned round = 0; round < 8 * SORT_SHAPES; round++) {
        if (!test_takes(round + round / 4)) continue;
        riffle_sort_key key;
        riffle_sort_plan *plan, *plain;
        const uint64_t n = round % 3 == 0 ? LONG : 1 + rng_below(&r, N);
        assert_int_equal(riffle_sort_key_of_type(types[round % 4], round / 4 % 2, &key), RIFFLE_OK);
        const size_t bytes = (size_t)n * key.elem_bytes;
        assert_int_equal(riffle_sort_plan_create(n, &key, RIFFLE_ENGINE_CPU,
                                                 &(riffle_sort_options){.check = RIFFLE_CHECK_PASSES}, &plan),
                         RIFFLE_OK);
        assert_int_equal(riffle_sort_plan_create(n, &key, RIFFLE_ENGINE_CPU, NULL, &plain), RIFFLE_OK);
        sort_fill(&r, &key, (sort_shape)(round / 8), (unsigned char *)from, n);
        assert_int_equal(riffle_sort_execute(plain, &(riffle_sort_arrays){.keys = right, .from_keys = from}),
                         RIFFLE_OK);
        void *const result = round % 5 == 0 ? from : to;
        if (riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = result, .from_keys = from}) != RIFFLE_OK)
            fail_msg("seed %llu, round %u: %s", (unsigned long long)seed, round, riffle_error_detail());
        assert_memory_equal(result, right, bytes);
        riffle_sort_plan_free(plan);
        riffle_sort_plan_free(plain);
    }
    free(from), free(to), free(right);
}

static int compare_u32(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_u64(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Rows that are sorted many at a time. */
static void faults_of_short_rows_are_found(void **state) {
    enum { LENGTH = 20, ROWS = 30, ROUNDS = 2000 };
    rng r = {seed + 2};
    uint64_t faults = 0;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t codes[LENGTH * ROWS];
        const size_t bytes = round % 2 == 0 ? 4 : 8;
        const between_rows rows = {bytes, LENGTH, ROWS};
        between_found found = {0};
        check_sums each[ROWS];
        fill_random(&r, codes, sizeof codes);
        between_made_rows(&rows, codes, each);
        for (unsigned k = 0; k < ROWS; k++)
            qsort((char *)codes + k * LENGTH * bytes, LENGTH, bytes, bytes == 4 ? compare_u32 : compare_u64);
        const bool is_wrong =
            round % 50 != 0 && fault_put(&r, (fault)(round % FAULTS), codes, LENGTH * ROWS, bytes);
        between_sorted_rows(&rows, codes, each, &found);
        if (between_result(&found) != (is_wrong ? RIFFLE_ERROR_DAMAGED : RIFFLE_OK))
            fail_msg("seed %llu, round %u: %s", (unsigned long long)seed, round,
                     is_wrong ? "a fault was not found" : "right rows are refused");
        faults += is_wrong;
    }
    assert_true(faults > ROUNDS * 9 / 10);
}

/* Elements of any key, and how many segments there are. */
typedef struct ordered_case {
    riffle_sort_key key;
    uint64_t n, segments;
    riffle_sort_options options;
    uint64_t *first; /* NULL: of one length */
    char *from, *values;
} ordered_case;

static riffle_sort_arrays arrays_of(const ordered_case *c, char *keys, char *along) {
    return (riffle_sort_arrays){.keys = keys,
                                .values = c->options.value_bytes > 0 ? along : NULL,
                                .indices = c->options.index_bytes > 0 ? along : NULL,
                                .from_keys = c->from,
                                .from_values = c->options.value_bytes > 0 ? c->values : NULL,
                                .first = c->first};
}

static void random_segments(rng *r, ordered_case *c) {
    c->segments = rng_below(r, 3) == 0 ? 1 : 1 + rng_below(r, 90);
    c->first = NULL;
    if (rng_below(r, 2) == 0) {
        c->n = c->n / c->segments * c->segments + c->segments;
        return;
    }
    c->first = malloc((c->segments + 1) * sizeof *c->first);
    assert_non_null(c->first);
    c->first[0] = rng_below(r, c->n < 2 ? 1 : 3);
    for (uint64_t s = 0; s < c->segments; s++)
        c->first[s + 1] =
            c->first[s] + rng_below(r, 2 * (c->n - c->first[s]) / c->segments + 1) % (c->n - c->first[s] + 1);
}

static ordered_case random_case(rng *r, unsigned round) {
    static const unsigned char sizes[] = {0, 4, 8};
    ordered_case c = {.key = round % 2 == 0 ? sort_random_row(r) : sort_random_number(r),
                      .n = round % 40 == 0 ? 3 * LONG / 2 : 1 + rng_below(r, N)};
    random_segments(r, &c);
    c.options = (riffle_sort_options){.segments = c.segments};
    if (rng_below(r, 2) == 0)
        c.options.value_bytes = sizes[rng_below(r, 3)];
    else
        c.options.index_bytes = sizes[rng_below(r, 3)];
    if (c.key.elem_bytes <= 2 && c.options.value_bytes + c.options.index_bytes == 0)
        c.options.index_bytes = 4; /* such numbers alone are counted */
    c.from = malloc(c.n * c.key.elem_bytes), c.values = malloc(c.n * 8);
    assert_true(c.from != NULL && c.values != NULL);
    sort_fill(r, &c.key, (sort_shape)rng_below(r, SORT_SHAPES), c.from, c.n);
    fill_random(r, c.values, c.n * 8);
    return c;
}

static void free_case(ordered_case *c) { free(c->from), free(c->values), free(c->first); }

static void execute(const ordered_case *c, riffle_check check, const riffle_sort_arrays *arrays,
                    unsigned round) {
    riffle_sort_options options = c->options;
    riffle_sort_plan *plan;
    options.check = check;
    riffle_status status = riffle_sort_plan_create(c->n, &c->key, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status == RIFFLE_OK) status = riffle_sort_execute(plan, arrays);
    if (status != RIFFLE_OK)
        fail_msg("seed %llu, round %u: %s", (unsigned long long)seed, round, riffle_error_detail());
    riffle_sort_plan_free(plan);
}

/* Values, indices, rows and segments, with results of keys and without, in place and not. */
static void right_orders_pass(void **state) {
    rng r = {seed + 3};
    const unsigned rounds = test_rounds(800);
    (void)state;
    for (unsigned round = 0; round < rounds; round++) {
        ordered_case c = random_case(&r, round);
        const size_t bytes = c.n * c.key.elem_bytes, along = c.n * 8;
        char *const keys = calloc(bytes, 1), *const right = calloc(bytes, 1), *const tags = calloc(along, 1),
                    *const right_tags = calloc(along, 1);
        assert_true(keys != NULL && right != NULL && tags != NULL && right_tags != NULL);
        const bool has_keys = round % 3 != 0 || c.options.value_bytes + c.options.index_bytes == 0;
        const riffle_sort_arrays wanted = arrays_of(&c, has_keys ? right : NULL, right_tags);
        execute(&c, RIFFLE_CHECK_NONE, &wanted, round);
        riffle_sort_arrays arrays = arrays_of(&c, has_keys ? keys : NULL, tags);
        if (round % 5 == 0 && has_keys && c.first == NULL) { /* in place */
            arrays.keys = c.from;
            if (arrays.values != NULL) arrays.values = c.values;
        }
        execute(&c, RIFFLE_CHECK_PASSES, &arrays, round);
        if (has_keys) assert_memory_equal(arrays.keys, right, bytes);
        if (arrays.values != NULL) assert_memory_equal(arrays.values, right_tags, c.n * c.options.value_bytes);
        if (arrays.indices != NULL)
            assert_memory_equal(arrays.indices, right_tags, c.n * c.options.index_bytes);
        free(keys), free(right), free(tags), free(right_tags);
        free_case(&c);
    }
}

/* A right order is shown with one fault: in an entry, or in an element that changes between the two times that it is read. */
static bool show_with_fault(rng *r, const ordered_case *c, fault what, bool is_element, const uint64_t *order) {
    sort_layout layout;
    assert_int_equal(sort_layout_make(&c->key, &layout), RIFFLE_OK);
    const riffle_sort_plan plan = {.n = c->n, .segments = c->segments, .layout = layout};
    const key_pieces key = key_pieces_of(&layout);
    const riffle_sort_arrays arrays = {.keys = c->from, .from_keys = c->from, .first = c->first};
    ordered shown = {.plan = &plan, .arrays = &arrays, .key = &key};
    uint64_t *const entries = malloc(c->n * sizeof *entries);
    assert_non_null(entries);
    memcpy(entries, order, c->n * sizeof *entries);
    const uint64_t first = c->first != NULL ? c->first[0] : 0,
                   end = c->first != NULL ? c->first[c->segments] : c->n, half = (first + end) / 2;
    bool is_put = false;
    ordered_read(&shown, first, end - first);
    if (end > first && is_element)
        is_put = fault_put(r, what, c->from + first * c->key.elem_bytes, end - first, c->key.elem_bytes);
    else if (end > first)
        is_put = fault_put(r, what, entries + first, end - first, sizeof *entries);
    ordered_take(&shown, entries, sizeof *entries, half, end - half);
    ordered_take(&shown, entries, sizeof *entries, first, half - first);
    const riffle_status status = ordered_result(&shown);
    if (status != (is_put ? RIFFLE_ERROR_DAMAGED : RIFFLE_OK))
        fail_msg("seed %llu: %s in %s of %llu: %s", (unsigned long long)seed, fault_name(what),
                 is_element ? "elements" : "the order", (unsigned long long)c->n,
                 is_put ? "it was not found" : riffle_error_detail());
    free(entries);
    return is_put;
}

static void faults_of_orders_are_found(void **state) {
    rng r = {seed + 4};
    const unsigned rounds = test_rounds(3000);
    uint64_t faults = 0;
    (void)state;
    for (unsigned round = 0; round < rounds; round++) {
        ordered_case c = random_case(&r, 2 * round + 1 + round % 2);
        uint64_t *const order = calloc(c.n, sizeof *order);
        assert_non_null(order);
        c.options = (riffle_sort_options){.segments = c.segments, .index_bytes = 8};
        const riffle_sort_arrays arrays = {.indices = order, .from_keys = c.from, .first = c.first};
        execute(&c, RIFFLE_CHECK_NONE, &arrays, round);
        faults += show_with_fault(&r, &c, (fault)(round % FAULTS), round % 4 == 0, order);
        free(order);
        free_case(&c);
    }
    assert_true(faults > rounds / 2);
}

static void expect_refused(const riffle_sort_key *key, const char *words) {
    riffle_sort_plan *plan = NULL;
    assert_int_equal(riffle_sort_plan_create(10, key, RIFFLE_ENGINE_CPU,
                                             &(riffle_sort_options){.check = RIFFLE_CHECK_PASSES}, &plan),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), words));
}

static void one_pass_and_comparisons_are_refused(void **state) {
    riffle_sort_key key;
    (void)state;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U16, 0, &key), RIFFLE_OK);
    expect_refused(&key, "a check of passes has nothing to compare");
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
    key.before = "return a < b;";
    expect_refused(&key, "a comparison of yours");
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_found),
                                       cmocka_unit_test(right_sorts_pass),
                                       cmocka_unit_test(faults_of_short_rows_are_found),
                                       cmocka_unit_test(right_orders_pass),
                                       cmocka_unit_test(faults_of_orders_are_found),
                                       cmocka_unit_test(one_pass_and_comparisons_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
