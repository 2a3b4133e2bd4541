/* SPDX-License-Identifier: Apache-2.0
 *
 * Schedules of row-wise permutations: complete, free of bank conflicts for a warp and for every aligned part of
 * one; and the two passes of a matrix on the CPU.
 */
#include "support.h"

#include "move/cpu/passes/loops.h"
#include "papers/schedules/row_wise.h"

static uint64_t seed;

/* A row's lists and what they should do. */
typedef struct row_lists {
    const uint16_t *s, *d, *to;
    uint64_t cols;
} row_lists;

/* s and d are permutations, and d[k] = to[s[k]]. */
static bool moves_follow(const row_lists *row) {
    unsigned char *seen = calloc(row->cols + 1, 1);
    assert_non_null(seen);
    bool good = true;
    for (uint64_t k = 0; good && k < row->cols; k++) {
        good = row->s[k] < row->cols && seen[row->s[k]]++ == 0 && row->d[k] == row->to[row->s[k]];
    }
    free(seen);
    return good;
}

/* Every aligned group of h entries is distinct modulo h. */
static bool is_conflict_free(const uint16_t *list, uint64_t cols, unsigned h) {
    for (uint64_t first = 0; first < cols; first += h) {
        uint64_t banks = 0;
        for (unsigned k = 0; k < h; k++) banks |= UINT64_C(1) << (list[first + k] % h);
        if (banks != (UINT64_C(1) << h) - 1) return false;
    }
    return true;
}

static bool row_is_sound(const row_lists *row, unsigned width) {
    if (!moves_follow(row)) return false;
    for (unsigned h = width; h > 1; h /= 2) {
        if (!is_conflict_free(row->s, row->cols, h) || !is_conflict_free(row->d, row->cols, h)) return false;
    }
    return true;
}

static void fill_row(rng *r, uint16_t *to, uint64_t cols, unsigned width) {
    const uint64_t degree = cols / width;
    for (uint64_t j = 0; j < cols; j++) to[j] = (uint16_t)j;
    switch (rng_below(r, 4)) {
    case 0: return;
    case 1: /* a warp's columns all go to one bank */
        for (uint64_t j = 0; j < cols; j++) to[j] = (uint16_t)(j % degree * width + j / degree);
        return;
    default:
        for (uint64_t j = cols; j > 1; j--) {
            const uint64_t other = rng_below(r, j);
            const uint16_t held = to[j - 1];
            to[j - 1] = to[other];
            to[other] = held;
        }
    }
}

static uint16_t *make_rows(rng *r, uint64_t rows, uint64_t cols, unsigned width) {
    uint16_t *to = malloc(rows * cols * sizeof *to + 1);
    assert_non_null(to);
    for (uint64_t i = 0; i < rows; i++) fill_row(r, to + i * cols, cols, width);
    return to;
}

static void check_plan(const row_wise_schedule *schedule, const uint16_t *to, unsigned width) {
    for (uint64_t i = 0; i < schedule->rows; i++) {
        const uint64_t at = i * schedule->cols;
        const row_lists row = {schedule->s + at, schedule->d + at, to + at, schedule->cols};
        if (!row_is_sound(&row, width)) {
            fail_msg("seed %llu: row %llu of %llu x %llu, width %u", (unsigned long long)seed,
                     (unsigned long long)i, (unsigned long long)schedule->rows,
                     (unsigned long long)schedule->cols, width);
        }
    }
}

static void check_case(rng *r, uint64_t rows, uint64_t cols, unsigned width, unsigned threads) {
    uint16_t *to = make_rows(r, rows, cols, width);
    row_wise_schedule schedule;
    assert_int_equal(row_wise_plan(rows, cols, to, width, threads, &schedule), RIFFLE_OK);
    assert_int_equal(row_wise_bytes(&schedule), 4 * rows * cols);
    check_plan(&schedule, to, width);
    row_wise_free(&schedule);
    free(to);
}

static void every_group_is_conflict_free(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(400); round++) {
        const unsigned width = 1U << rng_below(&r, 6);
        check_case(&r, 1 + rng_below(&r, 5), width * (1 + rng_below(&r, 40)), width,
                   1 + (unsigned)rng_below(&r, 3));
    }
}

static void long_rows_are_conflict_free(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned width = 4; width <= 32; width *= 2) {
        check_case(&r, 3, 4096, width, 2);
        check_case(&r, 2, 4096 + width, width, 2);
        check_case(&r, 1, ROW_WISE_MAX_COLS, width, 1);
    }
    check_case(&r, 0, 64, 32, 2);
}

/* Kasagi, Nakano, Ito 2012, section III: w = 4, n = 16. */
static void the_papers_example_is_conflict_free(void **state) {
    (void)state;
    static const uint16_t p[] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    static const uint16_t paper_s[] = {0, 5, 10, 15, 1, 6, 11, 12, 2, 7, 8, 13, 3, 4, 9, 14};
    static const uint16_t paper_d[] = {0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11};
    const row_lists paper = {paper_s, paper_d, p, 16};
    assert_true(moves_follow(&paper));
    assert_true(is_conflict_free(paper_s, 16, 4) && is_conflict_free(paper_d, 16, 4));
    row_wise_schedule schedule;
    assert_int_equal(row_wise_plan(1, 16, p, 4, 1, &schedule), RIFFLE_OK);
    const row_lists ours = {schedule.s, schedule.d, p, 16};
    assert_true(row_is_sound(&ours, 4));
    row_wise_free(&schedule);
}

static void too_many_rows_leave_nothing(void **state) {
    (void)state;
    static const uint64_t rows[] = {UINT64_C(1) << 50, UINT64_C(1) << 60, UINT64_MAX};
    const uint16_t none = 0;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        row_wise_schedule schedule = {.rows = 1};
        assert_int_equal(row_wise_plan(rows[k], 64, &none, 32, 1, &schedule), RIFFLE_ERROR_OUT_OF_MEMORY);
        assert_non_null(strstr(riffle_error_detail(), "a row-wise schedule"));
        assert_true(schedule.rows == 0 && schedule.s == NULL && schedule.d == NULL);
    }
}

static void conflicts_are_found(void **state) {
    (void)state;
    static const uint16_t twice[] = {0, 1, 2, 6}, straight[] = {0, 1, 2, 3}, halves[] = {0, 2, 1, 3};
    static const uint16_t repeated[] = {0, 1, 1, 3};
    assert_false(is_conflict_free(twice, 4, 4));
    assert_true(is_conflict_free(halves, 4, 4));
    assert_false(is_conflict_free(halves, 4, 2));
    assert_false(moves_follow(&(row_lists){repeated, repeated, straight, 4}));
    assert_false(moves_follow(&(row_lists){straight, halves, straight, 4}));
    assert_true(moves_follow(&(row_lists){straight, halves, halves, 4}));
}

/* The element that (i, j) of the output should be: `from` in src, or none. */
static const unsigned char *source_of(const row_wise_schedule *schedule, uint64_t from,
                                      const unsigned char *src) {
    return from < schedule->readable ? src + from * schedule->elem_bytes : NULL;
}

static bool rows_moved(const row_wise_schedule *schedule, const uint16_t *to, const unsigned char *dst,
                       const unsigned char *src) {
    const size_t bytes = schedule->elem_bytes;
    const unsigned char zeros[256] = {0};
    for (uint64_t e = 0; e < schedule->rows * schedule->cols; e++) {
        const uint64_t target = e - e % schedule->cols + to[e];
        const unsigned char *from = source_of(schedule, e, src);
        if (target >= schedule->writable) continue;
        if (memcmp(dst + target * bytes, from != NULL ? from : zeros, bytes) != 0) return false;
    }
    return true;
}

static void check_move(rng *r, uint64_t rows, uint64_t cols, size_t elem_bytes) {
    uint16_t *to = make_rows(r, rows, cols, 4);
    row_wise_schedule schedule;
    assert_int_equal(row_wise_plan(rows, cols, to, 4, 2, &schedule), RIFFLE_OK);
    schedule.elem_bytes = elem_bytes;
    const uint64_t whole = rows * cols;
    schedule.readable = rng_below(r, 2) == 0 ? whole : rng_below(r, whole + 1);
    schedule.writable = rng_below(r, 2) == 0 ? whole : rng_below(r, whole + 1);
    guarded src = guarded_create(schedule.readable * elem_bytes, rng_below(r, 64));
    guarded dst = guarded_create(schedule.writable * elem_bytes, rng_below(r, 64));
    fill_random(r, src.data, src.bytes);
    const pass p = {.kind = &PASS_ROW_WISE, .row_wise = schedule};
    cpu_run_pass(&p, 1 + (unsigned)rng_below(r, 3), NULL, dst.data, src.data, NULL);
    if (!guarded_intact(&dst) || !rows_moved(&schedule, to, dst.data, src.data)) {
        fail_msg("seed %llu: %llu x %llu, %zu bytes, %llu readable, %llu writable", (unsigned long long)seed,
                 (unsigned long long)rows, (unsigned long long)cols, elem_bytes,
                 (unsigned long long)schedule.readable, (unsigned long long)schedule.writable);
    }
    guarded_free(&src);
    guarded_free(&dst);
    row_wise_free(&schedule);
    free(to);
}

static const size_t elem_sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 100};

static size_t random_size(rng *r) { return elem_sizes[rng_below(r, sizeof elem_sizes / sizeof elem_sizes[0])]; }

static void cpu_rows_follow_the_schedule(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        check_move(&r, 1 + rng_below(&r, 9), 4 * (1 + rng_below(&r, 30)), random_size(&r));
    }
}

static bool is_transposed(uint64_t rows, uint64_t cols, size_t bytes, const unsigned char *dst,
                          const unsigned char *src) {
    for (uint64_t i = 0; i < rows; i++) {
        for (uint64_t j = 0; j < cols; j++) {
            if (memcmp(dst + (j * rows + i) * bytes, src + (i * cols + j) * bytes, bytes) != 0) return false;
        }
    }
    return true;
}

static void cpu_transpose_follows_the_definition(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        const uint64_t rows = rng_below(&r, 100), cols = rng_below(&r, 100);
        const size_t bytes = random_size(&r);
        guarded src = guarded_create(rows * cols * bytes, rng_below(&r, 64));
        guarded dst = guarded_create(rows * cols * bytes, rng_below(&r, 64));
        fill_random(&r, src.data, src.bytes);
        const pass p = {.kind = &PASS_TRANSPOSE, .transpose = {rows, cols, bytes}};
        cpu_run_pass(&p, 1 + (unsigned)rng_below(&r, 3), NULL, dst.data, src.data, NULL);
        if (!guarded_intact(&dst) || !is_transposed(rows, cols, bytes, dst.data, src.data)) {
            fail_msg("seed %llu: %llu x %llu, %zu bytes", (unsigned long long)seed, (unsigned long long)rows,
                     (unsigned long long)cols, bytes);
        }
        guarded_free(&src);
        guarded_free(&dst);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_group_is_conflict_free),
        cmocka_unit_test(long_rows_are_conflict_free),
        cmocka_unit_test(the_papers_example_is_conflict_free),
        cmocka_unit_test(too_many_rows_leave_nothing),
        cmocka_unit_test(conflicts_are_found),
        cmocka_unit_test(cpu_rows_follow_the_schedule),
        cmocka_unit_test(cpu_transpose_follows_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
