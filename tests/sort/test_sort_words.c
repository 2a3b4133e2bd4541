/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers in two phases (sort/cpu/words/words.h, two_phase.h), with vectors where they are installed and by merging; orders by
 * keys that go on behind what an item holds (order.h), on many threads: all compared with qsort or the definition.
 */
#include "sort/cpu/buckets.h"
#include "sort/cpu/order.h"
#include "sort/cpu/two_phase.h"
#include "sort/cpu/words/vector.h"
#include "sort_support.h"
#include "support.h"

static bool without_vectors;

const sort_vector *__real_sort_vector_best(void);
const sort_vector *__wrap_sort_vector_best(void);
const sort_vector *__wrap_sort_vector_best(void) { return without_vectors ? NULL : __real_sort_vector_best(); }

static int compare_u32(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_u64(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void *allocate(size_t bytes) {
    void *out = malloc(bytes + 1);
    assert_non_null(out);
    return out;
}

/* Numbers that the steps copy. */
typedef struct numbers {
    const char *from;
    size_t word_bytes;
} numbers;

static void copy_numbers(const void *context, void *to, uint64_t first, uint64_t n) {
    const numbers *const all = context;
    memcpy(to, all->from + first * all->word_bytes, n * all->word_bytes);
}

static void check_numbers(rng *r, size_t word_bytes, uint64_t n, unsigned threads, sort_shape shape) {
    char *const from = allocate(n * word_bytes), *const expected = allocate(n * word_bytes);
    guarded rooms[2] = {guarded_create(n * word_bytes, 0), guarded_create(n * word_bytes, 0)};
    guarded merging = guarded_create(two_phase_room(word_bytes, threads, threads), 0);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t number = sort_shape_number(r, shape, i, n) >> (64 - 8 * word_bytes);
        memcpy(from + i * word_bytes, &number, word_bytes);
    }
    memcpy(expected, from, n * word_bytes);
    if (n > 0) qsort(expected, n, word_bytes, word_bytes == 4 ? compare_u32 : compare_u64);
    const numbers all = {from, word_bytes};
    const two_phase sort = {.word_bytes = word_bytes,
                            .n = n,
                            .threads = threads,
                            .make = copy_numbers,
                            .is_made_anew = rng_below(r, 2) != 0,
                            .context = &all,
                            .numbers = rooms[0].data,
                            .sorted = rooms[1].data,
                            .room = merging.data};
    two_phase_sort(&sort);
    if (n > 0 && memcmp(rooms[1].data, expected, n * word_bytes) != 0)
        fail_msg("%zu bytes, %llu numbers, %u threads, shape %d", word_bytes, (unsigned long long)n, threads,
                 (int)shape);
    assert_true(guarded_intact(&rooms[0]) && guarded_intact(&rooms[1]) && guarded_intact(&merging));
    guarded_free(&rooms[0]), guarded_free(&rooms[1]), guarded_free(&merging);
    free(from), free(expected);
}

static void check_all_numbers(void) {
    static const unsigned teams[] = {1, 2, 5, 64};
    rng r = {test_seed()};
    for (unsigned k = 0; k < sizeof teams / sizeof *teams; k++)
        for (int shape = 0; shape < SORT_SHAPES; shape++)
            for (size_t bytes = 4; bytes <= 8; bytes += 4) {
                check_numbers(&r, bytes, rng_below(&r, 90), teams[k], (sort_shape)shape);
                check_numbers(&r, bytes, rng_below(&r, 3 * WORDS_BLOCK), teams[k], (sort_shape)shape);
            }
}

static void test_numbers(void **state) {
    (void)state;
    if (sort_vector_best() == NULL) print_message("no vector sorts are installed: merging is tested alone\n");
    check_all_numbers();
}

static void test_numbers_by_merging(void **state) {
    (void)state;
    without_vectors = true;
    check_all_numbers();
    without_vectors = false;
}

/* Keys whose first differences come late and in few bits, so that there are many ties of ties. */
static void fill_late(rng *r, unsigned char *elements, uint64_t n, size_t bytes) {
    const uint64_t spread = 1 + rng_below(r, 5);
    for (uint64_t i = 0; i < n; i++)
        for (size_t k = 0; k < bytes; k++) elements[i * bytes + k] = (unsigned char)rng_below(r, spread);
}

static void check_order(rng *r, uint64_t n, unsigned threads, size_t entry_bytes) {
    riffle_sort_key key = sort_random_row(r);
    if (rng_below(r, 2))
        key = (riffle_sort_key){
            .elem_bytes = 40, .fields = 1, .field = {{RIFFLE_SORT_KEY_BYTES, 40, 0, 0, NULL}}};
    unsigned char *const elements = allocate(n * key.elem_bytes);
    uint64_t *const items = allocate(n * 8), *const room = allocate(n * 8), *const expected = allocate(n * 8);
    void *const merging = allocate(two_phase_room(8, threads, 64)), *const found = allocate(n * entry_bytes);
    sort_layout layout;
    assert_int_equal(sort_layout_make(&key, &layout), RIFFLE_OK);
    const key_pieces pieces = key_pieces_of(&layout);
    if (rng_below(r, 2))
        sort_fill(r, &key, (sort_shape)rng_below(r, SORT_SHAPES), elements, n);
    else
        fill_late(r, elements, n, key.elem_bytes);
    const ordering all = {&pieces, elements, key.elem_bytes, {found, entry_bytes}, items, room, merging, NULL};
    order_find(&all, 0, n, threads);
    sort_expected(&key, false, elements, 0, n, expected, room);
    for (uint64_t i = 0; i < n; i++)
        if (sort_order_at(&all.order, i) != expected[i])
            fail_msg("%llu elements, %u threads, place %llu", (unsigned long long)n, threads,
                     (unsigned long long)i);
    free(elements), free(items), free(room), free(expected), free(merging), free(found);
}

/* Runs, of which one may not be sorted. */
static void check_merge(rng *r, uint64_t n, unsigned k, unsigned threads, bool is_wrong) {
    const riffle_sort_key key = sort_random_row(r);
    unsigned char *const elements = allocate(n * key.elem_bytes), *const sorted = allocate(n * key.elem_bytes);
    uint64_t *const items = allocate(n * 8), *const room = allocate(n * 8), *const expected = allocate(n * 8);
    void *const merging = allocate(two_phase_room(8, threads, k)), *const found = allocate(n * 4);
    uint64_t first[65];
    sort_layout layout;
    assert_int_equal(sort_layout_make(&key, &layout), RIFFLE_OK);
    const key_pieces pieces = key_pieces_of(&layout);
    sort_fill(r, &key, (sort_shape)rng_below(r, SORT_SHAPES), elements, n);
    for (unsigned s = 0; s <= k; s++) first[s] = n * s * s / ((uint64_t)k * k);
    for (unsigned s = 0; s < k; s++) {
        sort_expected(&key, false, elements, first[s], first[s + 1], expected, room);
        for (uint64_t i = first[s]; i < first[s + 1]; i++)
            memcpy(sorted + i * key.elem_bytes, elements + expected[i - first[s]] * key.elem_bytes,
                   key.elem_bytes);
    }
    const unsigned char *const used = is_wrong ? elements : sorted;
    const ordering all = {&pieces, used, key.elem_bytes, {found, 4}, items, room, merging, NULL};
    order_merge(&all, first, k, threads);
    sort_expected(&key, false, used, 0, n, expected, room);
    for (uint64_t i = 0; i < n; i++)
        if (sort_order_at(&all.order, i) != expected[i])
            fail_msg("%llu elements in %u runs, %u threads, place %llu", (unsigned long long)n, k, threads,
                     (unsigned long long)i);
    free(elements), free(sorted), free(items), free(room), free(expected), free(merging), free(found);
}

static void test_merges(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned round = 0; round < test_rounds(100); round++)
        check_merge(&r, rng_below(&r, 2000), 1 + (unsigned)rng_below(&r, 64), 1, round % 4 == 0);
    for (unsigned round = 0; round < test_rounds(4); round++)
        check_merge(&r, 3 * WORDS_A_THREAD_PAYS, 2 + 20 * round, 3, round == 3);
}

static void test_orders(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned round = 0; round < test_rounds(100); round++)
        check_order(&r, rng_below(&r, 3000), 1, 4 + 4 * (round % 2));
    for (unsigned round = 0; round < test_rounds(4); round++)
        check_order(&r, 5 * WORDS_A_THREAD_PAYS + rng_below(&r, 1000), 2 + round, 4);
}

/* ------------------------------------------------------------------- buckets */

/* Split numbers are sorted; equal ones would be one bucket, and are left for merging, with nothing written. */
static void check_buckets(rng *r, size_t word_bytes, unsigned threads, bool is_equal) {
    enum { N = 20011 };
    char *const from = allocate(N * word_bytes), *const room = allocate(N * word_bytes),
                *const sorted = allocate(N * word_bytes);
    char *const expected = allocate(N * word_bytes);
    for (uint64_t i = 0; i < N; i++) {
        const uint64_t number = is_equal ? 7 : rng_next(r);
        memcpy(from + i * word_bytes, &number, word_bytes);
    }
    memcpy(expected, from, N * word_bytes);
    qsort(expected, N, word_bytes, word_bytes == 4 ? compare_u32 : compare_u64);
    memset(sorted, POISON_VALUE, N * word_bytes);
    if (is_equal) memset(expected, POISON_VALUE, N * word_bytes);
    const numbers all = {from, word_bytes};
    const two_phase sort = {.word_bytes = word_bytes,
                            .n = N,
                            .threads = threads,
                            .make = copy_numbers,
                            .is_made_anew = true,
                            .context = &all,
                            .numbers = room,
                            .sorted = sorted};
    assert_int_equal(buckets_sort(&sort), !is_equal);
    assert_memory_equal(sorted, expected, N * word_bytes);
    free(from), free(room), free(sorted), free(expected);
}

static void test_buckets(void **state) {
    (void)state;
    rng r = {3};
    for (unsigned threads = 2; threads <= 5; threads++)
        for (size_t word_bytes = 4; word_bytes <= 8; word_bytes += 4) {
            check_buckets(&r, word_bytes, threads, false);
            check_buckets(&r, word_bytes, threads, true);
        }
}

/* ----------------------------------------------------------------- selection */

static uint64_t word_at(const char *words, size_t word_bytes, uint64_t i) {
    uint64_t word = 0;
    memcpy(&word, words + i * word_bytes, word_bytes);
    return word;
}

static void check_selection(rng *r, size_t word_bytes, uint64_t n, uint64_t k, sort_shape shape) {
    char *const expected = allocate(n * word_bytes);
    guarded held = guarded_create(n * word_bytes, 0), room = guarded_create(n * word_bytes, 0);
    char *const words = (char *)held.data;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t number = sort_shape_number(r, shape, i, n) >> (64 - 8 * word_bytes);
        memcpy(words + i * word_bytes, &number, word_bytes);
    }
    memcpy(expected, words, n * word_bytes);
    qsort(expected, n, word_bytes, word_bytes == 4 ? compare_u32 : compare_u64);
    sort_words_for(word_bytes)->select(words, words_want_room() ? room.data : NULL, n, k);
    const uint64_t pivot = word_at(words, word_bytes, k);
    assert_int_equal(pivot, word_at(expected, word_bytes, k));
    for (uint64_t i = 0; i < n; i++)
        assert_true(i < k ? word_at(words, word_bytes, i) <= pivot : word_at(words, word_bytes, i) >= pivot);
    qsort(words, n, word_bytes, word_bytes == 4 ? compare_u32 : compare_u64);
    assert_memory_equal(words, expected, n * word_bytes);
    assert_true(guarded_intact(&held) && guarded_intact(&room));
    guarded_free(&held), guarded_free(&room);
    free(expected);
}

/* First, last and any ranks of all shapes; equal numbers are what a sample brackets badly. */
static void test_selection(void **state) {
    (void)state;
    rng r = {test_seed()};
    for (unsigned k = 0; k < 2; k++) {
        without_vectors = k == 1;
        for (int shape = 0; shape < SORT_SHAPES; shape++)
            for (uint64_t n = 1; n < 40000; n = 6 * n + 1) {
                const uint64_t ranks[] = {0, n - 1, n / 2, rng_below(&r, n)};
                for (unsigned which = 0; which < 4; which++)
                    check_selection(&r, which % 2 ? 4 : 8, n, ranks[which], (sort_shape)shape);
            }
    }
    without_vectors = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_numbers_by_merging),
        cmocka_unit_test(test_orders),  cmocka_unit_test(test_merges),
        cmocka_unit_test(test_buckets), cmocka_unit_test(test_selection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
