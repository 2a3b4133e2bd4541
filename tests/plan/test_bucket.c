/* SPDX-License-Identifier: Apache-2.0
 *
 * The bucket pass: schedules of one to three passes over pieces of every size, and their execution.
 */
#include "support.h"

#include "move/cpu/passes/loops.h"
#include "plan/bucket/bucket.h"

/* A core with 1536 translations. */
static const translation_cache CORE = {.entries = 1536, .page = 4096, .fanout = 512};

static uint64_t seed;

/* Each piece's runs must add up to its length, and its order be a permutation of its elements. */
static bool is_sound(const bucket_schedule *s) {
    if (s->first_run[0] != 0 || s->first_run[s->pieces] != s->run_count) return false;
    for (uint64_t p = 0; p < s->pieces; p++) {
        const uint64_t begin = p << s->piece_bits, end = (p + 1) << s->piece_bits;
        const uint64_t length = (end < s->n ? end : s->n) - begin;
        uint64_t sum = 0;
        for (uint64_t r = s->first_run[p]; r < s->first_run[p + 1]; r++) {
            sum += bucket_run_length(s->runs[r]);
            if (bucket_run_start(s->runs[r]) + bucket_run_length(s->runs[r]) > s->n) return false;
        }
        if (sum != length) return false;
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

static void check_case(rng *r, uint64_t n, size_t elem_bytes, bucket_shape shape, unsigned threads) {
    riffle_perm *perm = rng_below(r, 4) == 0 ? parse_or_fail("reverse", n) : random_table(r, n);
    bucket_schedule schedules[BUCKET_MAX_PASSES];
    assert_int_equal(bucket_plan(perm, elem_bytes, shape, threads, schedules), RIFFLE_OK);
    guarded dst = guarded_create(n * elem_bytes, rng_below(r, 2) * rng_below(r, 64));
    guarded src = guarded_create(n * elem_bytes, rng_below(r, 2) * rng_below(r, 64));
    fill_random(r, src.data, src.bytes);
    bool sound = true;
    for (unsigned k = 0; k < shape.passes; k++) sound &= is_sound(&schedules[k]);
    run_passes(schedules, shape.passes, threads, dst.data, src.data, dst.bytes);
    if (!sound || !guarded_intact(&dst) || !is_moved(perm, dst.data, src.data, elem_bytes)) {
        fail_msg("seed %llu: n %llu, %zu bytes, 2^%u a piece, %u passes, %u threads%s",
                 (unsigned long long)seed, (unsigned long long)n, elem_bytes, shape.piece_bits, shape.passes,
                 threads, sound ? "" : ", schedule unsound");
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

static void sizes_at_piece_edges_follow_the_definition(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned passes = 2; passes <= 3; passes++) {
        for (uint64_t n = 4 * 64 - 1; n <= 4 * 64 + 1; n++) check_case(&r, n, 4, (bucket_shape){6, passes}, 2);
        for (uint64_t n = 65535; n <= 65537; n++) check_case(&r, n, 2, (bucket_shape){8, passes}, 2);
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
        cmocka_unit_test(sizes_at_piece_edges_follow_the_definition),
        cmocka_unit_test(shapes_fit_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
