/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of passes of sorts on the CPU: right sorts pass, and codes that change between being made and being sorted, or once they are, are found, all of
 * them.
 */
#include "faults.h"
#include "riffle/sort.h"
#include "sort/cpu/checked/between.h"
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
                        .putting = PTHREAD_MUTEX_INITIALIZER,
                        .compared = {.word_bytes = bytes}};
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
        two_phase_sort(&sort);
        const riffle_status wanted = w.is_put && !is_right ? RIFFLE_ERROR_DAMAGED : RIFFLE_OK;
        if (between_result(&w.compared) != wanted)
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
    const uint64_t rounds = test_is_long() ? 6000 : 1500;
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

/* Segments that an execution names are not those of one array. */
static void segments_are_refused(void **state) {
    const uint64_t first[] = {0, 5};
    uint32_t numbers[10] = {3, 1, 2};
    riffle_sort_key key;
    riffle_sort_plan *plan;
    (void)state;
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
    assert_int_equal(riffle_sort_plan_create(10, &key, RIFFLE_ENGINE_CPU,
                                             &(riffle_sort_options){.check = RIFFLE_CHECK_PASSES}, &plan),
                     RIFFLE_OK);
    assert_int_equal(
        riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = numbers, .from_keys = numbers, .first = first}),
        RIFFLE_ERROR_UNSUPPORTED);
    riffle_sort_plan_free(plan);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_found), cmocka_unit_test(right_sorts_pass),
                                       cmocka_unit_test(segments_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
