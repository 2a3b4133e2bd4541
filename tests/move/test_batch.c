/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches on the CPU: every algorithm on several arrays, one behind the other or with gaps that must stay as
 * they were, against the definition; what in place means there; and every refusal.
 */
#include "support.h"

static uint64_t seed;

/* ------------------------------------------------------------------ moves */

typedef struct batch_case {
    const char *spec;
    uint64_t n;
    size_t elem_bytes;
    riffle_plan_options options;
} batch_case;

static void fail_case(const batch_case *c, const char *what) {
    fail_msg("seed %llu: %s: %s, n %llu, %zu bytes, algorithm %s, %llu arrays %llu apart, %u threads: %s",
             (unsigned long long)seed, what, c->spec, (unsigned long long)c->n, c->elem_bytes,
             riffle_algorithm_string(c->options.algorithm), (unsigned long long)c->options.batch,
             (unsigned long long)c->options.stride, c->options.threads, riffle_error_detail());
}

static uint64_t arrays_of(const batch_case *c) { return c->options.batch > 0 ? c->options.batch : 1; }

static size_t step_of(const batch_case *c) {
    return (c->options.stride > 0 ? c->options.stride : c->n) * c->elem_bytes;
}

static size_t span_of(const batch_case *c) { return (arrays_of(c) - 1) * step_of(c) + c->n * c->elem_bytes; }

/* Nothing between two arrays of dst has been written. */
static bool gaps_are_poisoned(const batch_case *c, const unsigned char *dst) {
    for (uint64_t k = 0; k + 1 < arrays_of(c); k++)
        for (size_t at = k * step_of(c) + c->n * c->elem_bytes; at < (k + 1) * step_of(c); at++)
            if (dst[at] != POISON_VALUE) return false;
    return true;
}

static void check_execution(rng *r, const batch_case *c, const riffle_perm *perm, const riffle_plan *plan) {
    guarded dst = guarded_create(span_of(c), rng_below(r, 2) * rng_below(r, 64));
    guarded src = guarded_create(span_of(c), rng_below(r, 2) * rng_below(r, 64));
    fill_random(r, src.data, src.bytes);
    if (riffle_execute(plan, dst.data, src.data) != RIFFLE_OK) fail_case(c, "not executed");
    if (!guarded_intact(&dst)) fail_case(c, "wrote outside dst");
    if (!gaps_are_poisoned(c, dst.data)) fail_case(c, "wrote between two arrays");
    for (uint64_t k = 0; k < arrays_of(c); k++)
        if (!is_moved(perm, dst.data + k * step_of(c), src.data + k * step_of(c), c->elem_bytes))
            fail_case(c, "an element is in the wrong place");
    guarded_free(&dst);
    guarded_free(&src);
}

/* Twice, because the second execution finds a used workspace. False if the algorithm does not do this
 * permutation. */
static bool check_batch(rng *r, const batch_case *c) {
    riffle_perm *perm = parse_or_fail(c->spec, c->n);
    riffle_plan *plan;
    const riffle_status status = riffle_plan_create(perm, c->elem_bytes, RIFFLE_ENGINE_CPU, &c->options, &plan);
    const bool is_done = status == RIFFLE_OK;
    if (!is_done && status != RIFFLE_ERROR_UNSUPPORTED) fail_case(c, "not planned");
    if (is_done) {
        check_execution(r, c, perm, plan);
        check_execution(r, c, perm, plan);
        riffle_plan_free(plan);
    }
    riffle_perm_free(perm);
    return is_done;
}

/* The algorithms that the CPU has, and a permutation of 2^10 and of 2^14 elements that each does. */
typedef struct owed {
    riffle_algorithm algorithm;
    const char *small, *large;
} owed;

static const owed OWED[] = {
    {RIFFLE_ALGORITHM_AUTO, "bit-reversal", "random:5"},
    {RIFFLE_ALGORITHM_COPY, "rotate:77", "reverse"},
    {RIFFLE_ALGORITHM_SCATTER, "random:1", "transpose:128x128"},
    {RIFFLE_ALGORITHM_GATHER, "random:1", "bit-reversal"},
    {RIFFLE_ALGORITHM_AFFINE, "random-affine:4", "bit-reversal"},
    {RIFFLE_ALGORITHM_AXES, "axes:8x16x8:2,0,1", "axes:32x16x32:2,0,1"},
    {RIFFLE_ALGORITHM_BUCKET, "random:2", "random:3"},
    {RIFFLE_ALGORITHM_TRANSPOSE, "transpose:32x32", "transpose:64x256"},
    {RIFFLE_ALGORITHM_ROW_WISE, "identity", "identity"},
    {RIFFLE_ALGORITHM_COLUMN_WISE, "identity", "identity"},
    {RIFFLE_ALGORITHM_SCHEDULED, "random:6", "random:7"},
    {RIFFLE_ALGORITHM_CONFLICT_FREE, "random:8", "random:9"},
};
enum { OWED_COUNT = sizeof OWED / sizeof OWED[0] };

/* Arrays close together, and with gaps that take the next one off the cache lines. */
static void randomize(rng *r, batch_case *c) {
    c->options.threads = (unsigned)rng_below(r, 4);
    c->options.batch = rng_below(r, 6);
    c->options.stride = rng_below(r, 3) == 0 ? 0 : c->n + rng_below(r, 2) * rng_below(r, 70);
    if (c->options.stride == 0 || c->n == 0) c->options.stride = 0;
}

static void every_algorithm_moves_batches(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 4, 8, 16, 32, 3, 12};
    rng r = {seed};
    for (unsigned k = 0; k < OWED_COUNT; k++) {
        for (unsigned s = 0; s < 8; s++) {
            if (OWED[k].algorithm == RIFFLE_ALGORITHM_AFFINE && (sizes[s] & (sizes[s] - 1)) != 0) continue;
            for (unsigned large = 0; large < 2; large++) {
                batch_case c = {.elem_bytes = sizes[s], .options.algorithm = OWED[k].algorithm};
                c.spec = large ? OWED[k].large : OWED[k].small;
                c.n = large ? 1 << 14 : 1 << 10;
                randomize(&r, &c);
                if (!check_batch(&r, &c)) fail_case(&c, "refused");
            }
        }
    }
}

/* Several passes, a workspace between them, and threads. */
static void large_arrays_are_moved_by_buckets(void **state) {
    (void)state;
    rng r = {seed + 1};
    batch_case c = {.spec = "random:11", .n = 1 << 19, .elem_bytes = 4};
    c.options = (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_BUCKET, .batch = 3, .stride = c.n + 13};
    if (!check_batch(&r, &c)) fail_case(&c, "refused");
}

static void lengths_of_any_kind_are_moved(void **state) {
    (void)state;
    static const uint64_t lengths[] = {0, 1, 2, 3, 31, 64, 97, 1000, 1021};
    static const char *const specs[] = {"identity", "reverse", "rotate:5", "random:3"};
    rng r = {seed + 2};
    for (unsigned round = 0; round < test_rounds(3); round++) {
        for (unsigned k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            for (unsigned a = 0; a < OWED_COUNT; a++) {
                batch_case c = {
                    .spec = specs[rng_below(&r, 4)], .n = lengths[k], .elem_bytes = 1 + rng_below(&r, 9)};
                c.options.algorithm = OWED[a].algorithm;
                randomize(&r, &c);
                if (!check_batch(&r, &c) && c.options.algorithm == RIFFLE_ALGORITHM_AUTO)
                    fail_case(&c, "refused");
            }
        }
    }
}

/* ---------------------------------------------------------- what plans say */

static riffle_plan *plan_or_fail(const riffle_perm *perm, size_t elem_bytes, riffle_plan_options options) {
    riffle_plan *plan = NULL;
    if (riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    return plan;
}

/* Arrays are moved one after the other, by one schedule and one workspace. */
static void a_batch_needs_no_more_than_one_array(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("random:1", 1 << 20);
    const riffle_plan_options one = {.algorithm = RIFFLE_ALGORITHM_BUCKET, .threads = 1};
    riffle_plan_options many = one;
    many.batch = 1000;
    riffle_plan *alone = plan_or_fail(perm, 4, one), *batch = plan_or_fail(perm, 4, many);
    assert_int_equal(riffle_plan_bytes(alone), riffle_plan_bytes(batch));
    assert_int_equal(riffle_plan_workspace_bytes(alone), riffle_plan_workspace_bytes(batch));
    assert_int_equal(riffle_plan_passes(alone), riffle_plan_passes(batch));
    riffle_plan_free(batch);
    riffle_plan_free(alone);
    riffle_perm_free(perm);
}

static void explanations_tell_of_batches(void **state) {
    (void)state;
    char text[4096] = {0};
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    riffle_perm *perm = parse_or_fail("bit-reversal", 1024);
    const riffle_plan_options options = {.batch = 3, .stride = 1031};
    assert_int_equal(riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, &options, stream), RIFFLE_OK);
    fclose(stream);
    if (strstr(text, "3 arrays, 1031 elements apart") == NULL) fail_msg("%s", text);
    riffle_perm_free(perm);
}

/* ---------------------------------------------------------------- in place */

/* The identity needs no pass, and nothing is touched. */
static void the_identity_stays_in_place(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
    } cases[] = {{"identity", 1000}, {"rotate:0", 7}, {"reverse|reverse", 64}, {"random:1", 1}, {"reverse", 0}};
    rng r = {seed + 3};
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm *perm = parse_or_fail(cases[k].spec, cases[k].n);
        riffle_plan *plan = plan_or_fail(perm, 6, (riffle_plan_options){.in_place = true, .batch = 3});
        assert_int_equal(riffle_plan_passes(plan), 0);
        assert_int_equal(riffle_plan_workspace_bytes(plan), 0);
        assert_int_equal(riffle_plan_algorithm(plan), RIFFLE_ALGORITHM_COPY);
        guarded array = guarded_create(cases[k].n * 6 * 3, 0);
        unsigned char *before = malloc(array.bytes + 1);
        assert_non_null(before);
        fill_random(&r, array.data, array.bytes);
        memcpy(before, array.data, array.bytes);
        assert_int_equal(riffle_execute(plan, array.data, array.data), RIFFLE_OK);
        assert_memory_equal(before, array.data, array.bytes);
        assert_true(guarded_intact(&array));
        free(before);
        guarded_free(&array);
        riffle_plan_free(plan);
        riffle_perm_free(perm);
    }
}

static void expect_status(riffle_status status, riffle_status wanted, const char *words) {
    if (status != wanted)
        fail_msg("'%s' instead of '%s'", riffle_status_string(status), riffle_status_string(wanted));
    if (strstr(riffle_error_detail(), words) == NULL) fail_msg("'%s' lacks '%s'", riffle_error_detail(), words);
}

static void in_place_wants_one_array(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("identity", 100);
    riffle_plan *plan = plan_or_fail(perm, 4, (riffle_plan_options){.in_place = true});
    unsigned char bytes[800] = {0};
    expect_status(riffle_execute(plan, bytes, bytes + 400), RIFFLE_ERROR_INVALID_ARGUMENT, "dst is not src");
    expect_status(riffle_execute(plan, bytes + 4, bytes), RIFFLE_ERROR_INVALID_ARGUMENT, "dst is not src");
    expect_status(riffle_execute(plan, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT, "dst is NULL");
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

/* ---------------------------------------------------------------- refusals */

static void expect_refusal(const char *spec, uint64_t n, size_t elem_bytes, riffle_plan_options options,
                           riffle_status wanted, const char *words) {
    riffle_perm *perm = parse_or_fail(spec, n);
    riffle_plan *plan = NULL;
    expect_status(riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan), wanted, words);
    assert_null(plan);
    riffle_perm_free(perm);
}

static void arrays_that_would_overlap_are_refused(void **state) {
    (void)state;
    const riffle_plan_options close = {.batch = 2, .stride = 999};
    expect_refusal("reverse", 1000, 4, close, RIFFLE_ERROR_INVALID_ARGUMENT,
                   "a stride of 999 elements makes arrays of 1000 elements overlap");
    const riffle_plan_options alone = {.batch = 1, .stride = 1};
    expect_refusal("reverse", 1000, 4, alone, RIFFLE_ERROR_INVALID_ARGUMENT, "overlap");
}

static void batches_beyond_any_address_are_refused(void **state) {
    (void)state;
    const char *const words = "more than an address can hold";
    const riffle_plan_options wide = {.batch = 3, .stride = (uint64_t)1 << 61};
    const riffle_plan_options many = {.batch = UINT64_MAX};
    const riffle_plan_options half = {.batch = ((uint64_t)1 << 53) + 1};
    expect_refusal("reverse", 1024, 8, wide, RIFFLE_ERROR_LENGTH, words);
    expect_refusal("reverse", 1024, 1, many, RIFFLE_ERROR_LENGTH, words);
    expect_refusal("reverse", 1024, 1, half, RIFFLE_ERROR_LENGTH, words);
}

/* The whole spans count, also where arrays of the one would fit between those of the other. */
static void spans_must_not_overlap(void **state) {
    (void)state;
    enum { N = 10, STRIDE = 25, BATCH = 3, SPAN = (BATCH - 1) * STRIDE + N };
    riffle_perm *perm = parse_or_fail("reverse", N);
    riffle_plan *plan = plan_or_fail(perm, 1, (riffle_plan_options){.batch = BATCH, .stride = STRIDE});
    unsigned char bytes[2 * SPAN];
    memset(bytes, POISON_VALUE, sizeof bytes);
    static const size_t overlapping[] = {0, 1, N, STRIDE, SPAN - 1};
    for (unsigned k = 0; k < sizeof overlapping / sizeof overlapping[0]; k++) {
        unsigned char *other = bytes + overlapping[k];
        expect_status(riffle_execute(plan, other, bytes), RIFFLE_ERROR_INVALID_ARGUMENT, "overlap");
        expect_status(riffle_execute(plan, bytes, other), RIFFLE_ERROR_INVALID_ARGUMENT, "overlap");
    }
    for (size_t k = 0; k < sizeof bytes; k++) assert_int_equal(bytes[k], POISON_VALUE);
    assert_int_equal(riffle_execute(plan, bytes, bytes + SPAN), RIFFLE_OK);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

/* An axes permutation that moves nothing is the identity. */
static void axes_of_one_digit_move_nothing(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint64_t n;
    } cases[] = {{"transpose:1x8", 8}, {"axes:2x3:0,1", 6}, {"axes:1x1:1,0", 1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm *perm = parse_or_fail(cases[k].spec, cases[k].n);
        riffle_plan *plan = plan_or_fail(perm, 4, (riffle_plan_options){.in_place = true});
        assert_int_equal(riffle_plan_passes(plan), 0);
        assert_int_equal(riffle_plan_algorithm(plan), RIFFLE_ALGORITHM_COPY);
        riffle_plan_free(plan);
        riffle_perm_free(perm);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_of_one_digit_move_nothing),
        cmocka_unit_test(every_algorithm_moves_batches),
        cmocka_unit_test(large_arrays_are_moved_by_buckets),
        cmocka_unit_test(lengths_of_any_kind_are_moved),
        cmocka_unit_test(a_batch_needs_no_more_than_one_array),
        cmocka_unit_test(explanations_tell_of_batches),
        cmocka_unit_test(the_identity_stays_in_place),
        cmocka_unit_test(in_place_wants_one_array),
        cmocka_unit_test(arrays_that_would_overlap_are_refused),
        cmocka_unit_test(batches_beyond_any_address_are_refused),
        cmocka_unit_test(spans_must_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
