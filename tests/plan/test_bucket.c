/* SPDX-License-Identifier: Apache-2.0
 *
 * The bucket pass: schedules of one to three passes over pieces of every size, those of one pass either way, and their execution; and the tables
 * that one pass is found to be enough for.
 */
#include "support.h"

#include "move/cpu/passes/loops.h"
#include "plan/bucket/streams.h"

/* A core with 1536 translations. */
static const translation_cache CORE = {.entries = 1536, .page = 4096, .fanout = 512};

static uint64_t seed;

/* Lengths of runs; 0 where one ends outside. */
static uint64_t sum_of(const bucket_schedule *s, const bucket_run *runs, uint64_t first, uint64_t end) {
    uint64_t sum = 0;
    for (uint64_t r = first; r < end; r++) {
        if (bucket_run_start(runs[r]) + bucket_run_length(runs[r]) > s->n) return 0;
        sum += bucket_run_length(runs[r]);
    }
    return sum;
}

/* Each piece's runs must add up to its length, and its order be a permutation of its elements. */
static bool is_sound(const bucket_schedule *s) {
    if (s->first_run[0] != 0 || s->first_run[s->pieces] != s->run_count) return false;
    for (uint64_t p = 0; p < s->pieces; p++) {
        const uint64_t begin = p << s->piece_bits, end = (p + 1) << s->piece_bits;
        const uint64_t length = (end < s->n ? end : s->n) - begin;
        if (sum_of(s, s->runs, s->first_run[p], s->first_run[p + 1]) != length) return false;
        if (s->outs != NULL && sum_of(s, s->outs, s->first_out[p], s->first_out[p + 1]) != length) return false;
        unsigned char seen[1 << BUCKET_MAX_PIECE_BITS] = {0};
        for (uint64_t j = 0; j < length; j++) {
            const uint16_t from = s->order[begin + j];
            if (from >= length || seen[from]++ != 0) return false;
        }
    }
    return true;
}

static void run_passes(const bucket_schedule *schedules, unsigned passes, unsigned threads, void *dst,
                       const void *src, size_t bytes) {
    void *staging, *workspace;
    const size_t staging_bytes = threads * bucket_staging_bytes(&schedules[0]);
    assert_int_equal(riffle_buffer_create(staging_bytes, &staging), RIFFLE_OK);
    assert_int_equal(riffle_buffer_create(bytes, &workspace), RIFFLE_OK);
    const void *from = src;
    for (unsigned k = 0; k < passes; k++) {
        void *to = (passes - 1 - k) % 2 == 0 ? dst : workspace;
        const pass p = {.kind = &PASS_BUCKET, .bucket = schedules[k]};
        cpu_run_pass(&p, threads, staging, to, from, NULL);
        from = to;
    }
    riffle_buffer_free(staging, staging_bytes);
    riffle_buffer_free(workspace, bytes);
}

static riffle_status make_schedules(const riffle_perm *perm, size_t elem_bytes, bucket_shape shape,
                                    unsigned threads, bucket_schedule *out) {
    return (shape.form == BUCKET_ANY ? bucket_plan : bucket_plan_streams)(perm, elem_bytes, shape, threads,
                                                                          out);
}

static void check_case(rng *r, uint64_t n, size_t elem_bytes, bucket_shape shape, unsigned threads) {
    riffle_perm *perm = rng_below(r, 4) == 0 ? parse_or_fail("reverse", n) : random_table(r, n);
    bucket_schedule schedules[BUCKET_MAX_PASSES];
    assert_int_equal(make_schedules(perm, elem_bytes, shape, threads, schedules), RIFFLE_OK);
    guarded dst = guarded_create(n * elem_bytes, rng_below(r, 2) * rng_below(r, 64));
    guarded src = guarded_create(n * elem_bytes, rng_below(r, 2) * rng_below(r, 64));
    fill_random(r, src.data, src.bytes);
    bool sound = true;
    for (unsigned k = 0; k < shape.passes; k++) sound &= is_sound(&schedules[k]);
    run_passes(schedules, shape.passes, threads, dst.data, src.data, dst.bytes);
    if (!sound || !guarded_intact(&dst) || !is_moved(perm, dst.data, src.data, elem_bytes)) {
        fail_msg("seed %llu: n %llu, %zu bytes, 2^%u a piece, %u passes, form %d, %u threads%s",
                 (unsigned long long)seed, (unsigned long long)n, elem_bytes, shape.piece_bits, shape.passes,
                 (int)shape.form, threads, sound ? "" : ", schedule unsound");
    }
    for (unsigned k = 0; k < shape.passes; k++) bucket_free(&schedules[k]);
    guarded_free(&dst);
    guarded_free(&src);
    riffle_perm_free(perm);
}

static void any_shape_follows_the_definition(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 64, 100};
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(400); round++) {
        bucket_shape shape = {.piece_bits = (unsigned)rng_below(&r, 9),
                              .passes = 1 + (unsigned)rng_below(&r, 3)};
        const uint64_t piece = (uint64_t)1 << shape.piece_bits;
        const uint64_t n =
            shape.passes == 1 ? rng_below(&r, piece + 1) : piece + 1 + rng_below(&r, 20 * piece + 3000);
        check_case(&r, n, sizes[rng_below(&r, sizeof sizes / sizeof sizes[0])], shape,
                   1 + (unsigned)rng_below(&r, 3));
    }
}

/* A pass of either form is right for permutations that it is not good for, too. */
static void any_permutation_goes_in_one_pass_either_way(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 64};
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(200); round++) {
        const bucket_shape shape = {.piece_bits = (unsigned)rng_below(&r, 9),
                                    .passes = 1,
                                    .form = round % 2 == 0 ? BUCKET_SPREAD : BUCKET_JOIN};
        check_case(&r, 1 + rng_below(&r, 5000), sizes[rng_below(&r, sizeof sizes / sizeof sizes[0])], shape,
                   1 + (unsigned)rng_below(&r, 3));
    }
    for (unsigned form = BUCKET_SPREAD; form <= BUCKET_JOIN; form++)
        for (uint64_t n = (1 << 17) - 1; n <= (1 << 17) + 1; n++)
            check_case(&r, n, 4, (bucket_shape){16, 1, (bucket_form)form}, 2);
}

/* Element i goes behind those before it that have its key. */
static riffle_perm *by_key(const uint32_t *key, uint32_t keys, uint64_t n) {
    uint64_t *const next = calloc(keys + 1, sizeof *next), *const to = calloc(n, sizeof *to);
    riffle_perm *perm;
    for (uint64_t i = 0; i < n; i++) next[key[i] + 1]++;
    for (uint32_t k = 0; k < keys; k++) next[k + 1] += next[k];
    for (uint64_t i = 0; i < n; i++) to[i] = next[key[i]]++;
    assert_int_equal(riffle_perm_table_u64(n, to, &perm), RIFFLE_OK);
    free(next);
    free(to);
    return perm;
}

/* Elements by random keys: as many streams as there are keys. */
static riffle_perm *streams(rng *r, uint32_t keys, uint64_t n) {
    uint32_t *const key = calloc(n, sizeof *key);
    for (uint64_t i = 0; i < n; i++) key[i] = (uint32_t)rng_below(r, keys);
    riffle_perm *const perm = by_key(key, keys, n);
    free(key);
    return perm;
}

static void assert_found(const char *what, riffle_perm *perm, size_t elem_bytes, bucket_form there,
                         bucket_form back) {
    riffle_perm *inverse;
    assert_int_equal(riffle_perm_invert(perm, &inverse), RIFFLE_OK);
    const bucket_form got[] = {bucket_find_streams(perm, elem_bytes, 16),
                               bucket_find_streams(inverse, elem_bytes, 16)};
    if (got[0] != there || got[1] != back)
        fail_msg("%s, %zu bytes: %d and back %d, not %d and %d", what, elem_bytes, (int)got[0], (int)got[1],
                 (int)there, (int)back);
    riffle_perm_free(inverse);
    riffle_perm_free(perm);
}

/* Rows of so many elements in random order, or else elements in random order within rows. */
static riffle_perm *shuffled(rng *r, uint64_t rows, uint64_t length, bool by_rows) {
    uint64_t *const to = calloc(rows * length, sizeof *to), *const order = calloc(rows + length, sizeof *order);
    riffle_perm *perm;
    for (uint64_t row = 0; row < rows; row++) {
        const uint64_t j = rng_below(r, row + 1);
        order[row] = order[j];
        order[j] = row;
    }
    for (uint64_t i = 0; i < rows * length; i++) {
        const uint64_t first = i / length * length, j = first + rng_below(r, i - first + 1);
        to[i] = by_rows ? order[i / length] * length + i % length : i;
        if (by_rows) continue;
        const uint64_t held = to[j];
        to[j] = i;
        to[i] = j < i ? held : i;
    }
    assert_int_equal(riffle_perm_table_u64(rows * length, to, &perm), RIFFLE_OK);
    free(to);
    free(order);
    return perm;
}

/* The middle fifth in random order, and all else where it was. */
static riffle_perm *shuffled_in_the_middle(rng *r, uint64_t n) {
    uint64_t *const to = calloc(n, sizeof *to);
    riffle_perm *perm;
    for (uint64_t i = 0; i < n; i++) to[i] = i;
    for (uint64_t i = n / 5 * 2; i < n / 5 * 3; i++) {
        const uint64_t j = i + rng_below(r, n / 5 * 3 - i), held = to[i];
        to[i] = to[j];
        to[j] = held;
    }
    assert_int_equal(riffle_perm_table_u64(n, to, &perm), RIFFLE_OK);
    free(to);
    return perm;
}

/* Tables that sort, merge, weave or shuffle in blocks need one pass; random ones and too many streams need several. */
static void streams_are_found(void **state) {
    (void)state;
    enum { N = (1 << 20) + 77, BLOCK = 1000, ROW = 16 };
    rng r = {seed};
    assert_found("12 streams", streams(&r, 12, N), 4, BUCKET_SPREAD, BUCKET_JOIN);
    assert_found("400 streams", streams(&r, 400, N), 4, BUCKET_SPREAD, BUCKET_JOIN);
    assert_found("400 streams", streams(&r, 400, N), 1, BUCKET_ANY, BUCKET_JOIN);
    assert_found("9000 streams", streams(&r, 9000, N), 4, BUCKET_ANY, BUCKET_ANY);
    assert_found("all", random_table(&r, N), 4, BUCKET_ANY, BUCKET_ANY);
    assert_found("the middle", shuffled_in_the_middle(&r, N), 4, BUCKET_ANY, BUCKET_ANY);
    assert_found("few elements", streams(&r, 12, 100000), 4, BUCKET_ANY, BUCKET_ANY);
    assert_found("blocks shuffled within", shuffled(&r, N / BLOCK, BLOCK, false), 4, BUCKET_SPREAD,
                 BUCKET_SPREAD);
    assert_found("rows of a line", shuffled(&r, N / ROW, ROW, true), 4, BUCKET_JOIN, BUCKET_JOIN);
}

static void sizes_at_piece_edges_follow_the_definition(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned passes = 2; passes <= 3; passes++) {
        for (uint64_t n = 4 * 64 - 1; n <= 4 * 64 + 1; n++)
            check_case(&r, n, 4, (bucket_shape){6, passes, BUCKET_ANY}, 2);
        for (uint64_t n = 65535; n <= 65537; n++)
            check_case(&r, n, 2, (bucket_shape){8, passes, BUCKET_ANY}, 2);
    }
    check_case(&r, (1 << 18) + 1, 4, bucket_choose_shape((1 << 18) + 1, 4, &CORE), 2);
}

static void shapes_fit_their_limits(void **state) {
    (void)state;
    for (size_t elem_bytes = 1; elem_bytes <= BUCKET_MAX_ELEM_BYTES; elem_bytes++) {
        for (unsigned m = 0; m <= RIFFLE_MAX_BITS; m++) {
            const bucket_shape shape = bucket_choose_shape((uint64_t)1 << m, elem_bytes, &CORE);
            assert_in_range(shape.piece_bits, 13, BUCKET_MAX_PIECE_BITS);
            assert_in_range(shape.passes, 1, BUCKET_MAX_PASSES);
            assert_int_equal(shape.passes == 1, m <= shape.piece_bits);
            /* Two passes have runs of 4 elements or more on average: 2 bytes an element or less for them. */
            if (shape.passes == 2) assert_true(2 * shape.piece_bits >= m + 2);
        }
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_shape_follows_the_definition),
        cmocka_unit_test(any_permutation_goes_in_one_pass_either_way),
        cmocka_unit_test(streams_are_found),
        cmocka_unit_test(sizes_at_piece_edges_follow_the_definition),
        cmocka_unit_test(shapes_fit_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
