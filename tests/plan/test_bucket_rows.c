/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes with rows of lines between them: schedules of small shapes and of those that are chosen, and their execution by each set of
 * vector instructions that is here; and permutations that take too much room.
 */
#include "support.h"

#include "base/processor/vectors.h"
#include "move/cpu/passes/loops.h"
#include "plan/bucket/rows.h"

static uint64_t seed;

/* The pieces bring all of the input, and make all rows of the output, each once. */
static bool is_sound(const bucket_rows *s, uint64_t input) {
    const uint64_t rows = s->first_row[s->pieces];
    if (s->from[0] != 0 || s->from[s->pieces] != input || s->first_row[0] != 0) return false;
    if (rows != (s->n + s->row - 1) / s->row) return false;
    unsigned char *const made = calloc(rows + 1, 1);
    bool sound = true;
    for (uint64_t r = 0; r < rows; r++) {
        const uint64_t place = s->place != NULL ? s->place[r] : r;
        sound &= place < rows && made[place]++ == 0;
    }
    free(made);
    for (uint64_t p = 0; p < s->pieces; p++) {
        const uint64_t first = s->from[p - (p < s->lag ? p : s->lag)], length = s->from[p + 1] - first;
        for (uint64_t k = s->first_row[p] * s->row; k < s->first_row[p + 1] * s->row && k < s->n; k++)
            sound &= bucket_rows_order(s, k) < length;
    }
    return sound;
}

static void run_passes(const bucket_rows *schedules, unsigned threads, void *dst, const void *src) {
    void *between;
    const size_t bytes = schedules[0].n * schedules[0].elem_bytes;
    assert_int_equal(riffle_buffer_create(bytes, &between), RIFFLE_OK);
    const pass first = {.kind = &PASS_BUCKET_ROWS, .bucket_rows = schedules[0]},
               last = {.kind = &PASS_BUCKET_ROWS, .bucket_rows = schedules[1]};
    cpu_run_pass(&first, threads, NULL, between, src, NULL);
    cpu_run_pass(&last, threads, NULL, dst, between, NULL);
    riffle_buffer_free(between, bytes);
}

/* Moves by the sets that are here, to and from any address. */
static void check_moves(rng *r, const riffle_perm *perm, const bucket_rows *schedules, const char *what) {
    const uint64_t n = riffle_perm_length(perm);
    const size_t elem_bytes = schedules[0].elem_bytes;
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        if (!vectors_has(set) || !vectors_are_written(LOOPS_TABLES, set)) continue;
        guarded dst = guarded_create(n * elem_bytes, rng_below(r, 2) * rng_below(r, 64));
        guarded src = guarded_create(n * elem_bytes, rng_below(r, 2) * rng_below(r, 64));
        fill_random(r, src.data, src.bytes);
        vectors_limit(set);
        run_passes(schedules, 1 + (unsigned)rng_below(r, 3), dst.data, src.data);
        vectors_limit(VECTOR_SETS);
        if (!guarded_intact(&dst) || !is_moved(perm, dst.data, src.data, elem_bytes))
            fail_msg("seed %llu, %s by %s", (unsigned long long)seed, what, vectors_name(set));
        guarded_free(&dst);
        guarded_free(&src);
    }
}

static bool check_case(rng *r, riffle_perm *perm, size_t elem_bytes, const bucket_rows_shape *shape) {
    bucket_rows schedules[2];
    bool fits;
    char what[128];
    const uint64_t n = riffle_perm_length(perm);
    snprintf(what, sizeof what, "n %llu, %zu bytes, rows of %u, steps of %u, pieces of %u",
             (unsigned long long)n, elem_bytes, shape->row, shape->step, shape->piece);
    assert_int_equal(bucket_rows_plan(perm, elem_bytes, shape, 1 + (unsigned)rng_below(r, 3), schedules, &fits),
                     RIFFLE_OK);
    if (fits) {
        if (!is_sound(&schedules[0], n) || !is_sound(&schedules[1], schedules[0].n))
            fail_msg("seed %llu, %s: unsound", (unsigned long long)seed, what);
        check_moves(r, perm, schedules, what);
        bucket_rows_free(&schedules[0]);
        bucket_rows_free(&schedules[1]);
    }
    riffle_perm_free(perm);
    return fits;
}

static void small_shapes_follow_the_definition(void **state) {
    (void)state;
    static const size_t sizes[] = {4, 8, 16};
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        const size_t elem_bytes = sizes[rng_below(&r, 3)];
        const uint32_t row = (uint32_t)(ROWS_LINE_BYTES / elem_bytes) << rng_below(&r, 2);
        const bucket_rows_shape shape = {row, 16 + (uint32_t)rng_below(&r, 1000),
                                         (uint32_t)64 << rng_below(&r, 4), elem_bytes == 4 ? 1 << 17 : 1 << 16};
        const uint64_t n = 1 + rng_below(&r, 20000);
        riffle_perm *const perm = rng_below(&r, 4) == 0 ? parse_or_fail("reverse", n) : random_table(&r, n);
        assert_true(check_case(&r, perm, elem_bytes, &shape));
    }
}

/* Odd lengths too, whose last element has no neighbour. */
static void chosen_shapes_follow_the_definition(void **state) {
    (void)state;
    rng r = {seed};
    static const uint64_t lengths[][2] = {{4, (1 << 22) + 1}, {8, 1 << 21}, {16, (1 << 20) - 1}};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        const size_t elem_bytes = lengths[k][0];
        const uint64_t n = lengths[k][1];
        bucket_rows_shape shape;
        assert_true(bucket_rows_choose(n, elem_bytes, &shape));
        assert_true(check_case(&r, random_table(&r, n), elem_bytes, &shape));
    }
}

/* Each step has an element or none for a piece: rows stay nearly empty. */
static void rows_that_stay_empty_do_not_fit(void **state) {
    (void)state;
    rng r = {seed};
    const bucket_rows_shape shape = {16, 64, 1024, 2048};
    assert_false(check_case(&r, random_table(&r, 1 << 18), 8, &shape));
    assert_true(check_case(&r, parse_or_fail("reverse", 1 << 18), 8, &shape));
}

static void shapes_fit_their_limits(void **state) {
    (void)state;
    for (size_t elem_bytes = 1; elem_bytes <= 64; elem_bytes++) {
        for (unsigned m = 0; m <= 32; m++) {
            bucket_rows_shape s;
            if (!bucket_rows_choose((uint64_t)1 << m, elem_bytes, &s)) continue;
            assert_true(elem_bytes == 4 || elem_bytes == 8 || elem_bytes == 16);
            assert_int_equal(s.room * elem_bytes, 512 << 10);
            assert_int_equal(s.row * elem_bytes % ROWS_LINE_BYTES, 0);
            assert_int_equal(s.piece % ROWS_LINE_BYTES, 0);
            assert_true(2 * s.step <= s.room && s.piece < s.room);
        }
    }
    bucket_rows_shape s;
    assert_true(bucket_rows_choose((uint64_t)1 << 28, 4, &s));
    assert_int_equal(s.row, 32);
    assert_false(bucket_rows_choose(1 << 21, 4, &s));
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_shapes_follow_the_definition),
        cmocka_unit_test(chosen_shapes_follow_the_definition),
        cmocka_unit_test(rows_that_stay_empty_do_not_fit),
        cmocka_unit_test(shapes_fit_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
