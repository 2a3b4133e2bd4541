/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of passes on the CPU: right moves pass, of any size and on any number of threads, and faults that are put between passes on purpose are
 * found, all of them. Moves that have nothing to compare are refused.
 */
#include "check/check.h"
#include "faults.h"
#include "move/cpu/check.h"
#include "move/cpu/passes/loops.h"
#include "plan/bucket/bucket.h"
#include "plan/plan.h"
#include "riffle/group.h"
#include "support.h"

static uint64_t seed;

enum { MOST_ARRAYS = BUCKET_MAX_PASSES + 1 };

/* A move by hand: what each pass has written stays. */
typedef struct by_hand {
    uint64_t n;
    size_t elem_bytes;
    bucket_shape shape;
    unsigned threads;
    riffle_perm *perm;
    bucket_schedule schedules[BUCKET_MAX_PASSES];
    guarded array[MOST_ARRAYS]; /* src, those between passes, dst */
    char *staging;
    check_sums compared[BUCKET_MAX_PASSES]; /* a pass has added */
} by_hand;

static void run(by_hand *m, unsigned k) {
    const unsigned passes = m->shape.passes;
    const pass p = {.kind = &PASS_BUCKET_CHECKED,
                    .bucket = m->schedules[k],
                    .reads_between = (uint8_t)k,
                    .writes_between = (uint8_t)(k + 1 < passes ? k + 1 : 0)};
    m->compared[k] = (check_sums){0, 0};
    cpu_run_pass(&p, m->threads, m->staging, m->array[k + 1].data, m->array[k].data, &m->compared[k]);
}

/* True if the passes have read what was written. */
static bool agree(const by_hand *m) {
    check_sums all = {0, 0};
    for (unsigned k = 0; k < m->shape.passes; k++) check_add_sums(&all, m->compared[k]);
    return cpu_check_compared(all) == RIFFLE_OK;
}

static void begin(rng *r, by_hand *m) {
    m->perm = rng_below(r, 5) == 0 ? parse_or_fail("reverse", m->n) : random_table(r, m->n);
    assert_int_equal(bucket_plan(m->perm, m->elem_bytes, m->shape, m->threads, m->schedules), RIFFLE_OK);
    m->staging = malloc(m->threads * bucket_staging_bytes(&m->schedules[0]));
    assert_non_null(m->staging);
    for (unsigned k = 0; k <= m->shape.passes; k++)
        m->array[k] = guarded_create(m->n * m->elem_bytes, rng_below(r, 2) * rng_below(r, 64));
    fill_random(r, m->array[0].data, m->array[0].bytes);
    for (unsigned k = 0; k < m->shape.passes; k++) run(m, k);
}

static void end(by_hand *m) {
    for (unsigned k = 0; k < m->shape.passes; k++) bucket_free(&m->schedules[k]);
    for (unsigned k = 0; k <= m->shape.passes; k++) guarded_free(&m->array[k]);
    free(m->staging);
    riffle_perm_free(m->perm);
}

static by_hand drawn(rng *r) {
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 64};
    const unsigned piece_bits = (unsigned)rng_below(r, 9);
    return (by_hand){.n = ((uint64_t)1 << piece_bits) + 1 + rng_below(r, ((uint64_t)20 << piece_bits) + 3000),
                     .elem_bytes = sizes[rng_below(r, sizeof sizes / sizeof *sizes)],
                     .shape = {piece_bits, 2 + (unsigned)rng_below(r, 2), BUCKET_ANY},
                     .threads = 1 + (unsigned)rng_below(r, 3)};
}

static void fail_of(const by_hand *m, const char *what) {
    fail_msg("seed %llu: n %llu, %zu bytes, 2^%u a piece, %u passes, %u threads: %s", (unsigned long long)seed,
             (unsigned long long)m->n, m->elem_bytes, m->shape.piece_bits, m->shape.passes, m->threads, what);
}

static void right_moves_pass(void **state) {
    rng r = {seed};
    (void)state;
    for (unsigned round = 0; round < test_rounds(200); round++) {
        by_hand m = drawn(&r);
        begin(&r, &m);
        for (unsigned k = 0; k <= m.shape.passes; k++)
            if (!guarded_intact(&m.array[k])) fail_of(&m, "something beside an array was written");
        if (!is_moved(m.perm, m.array[m.shape.passes].data, m.array[0].data, m.elem_bytes))
            fail_of(&m, "elements are not where they belong");
        if (!agree(&m)) fail_of(&m, riffle_error_detail());
        end(&m);
    }
}

/* A fault before a pass, which then runs again, and puts right what it had written. */
static uint64_t faults_before(rng *r, by_hand *m, unsigned k, unsigned faults) {
    char *const good = malloc(m->array[k].bytes);
    uint64_t found = 0;
    assert_non_null(good);
    memcpy(good, m->array[k].data, m->array[k].bytes);
    for (unsigned round = 0; round < faults; round++) {
        const fault what = (fault)(round % FAULTS);
        if (!fault_put(r, what, m->array[k].data, m->n, m->elem_bytes)) continue;
        run(m, k);
        if (agree(m)) fail_of(m, fault_name(what));
        found++;
        memcpy(m->array[k].data, good, m->array[k].bytes);
    }
    run(m, k);
    if (!agree(m)) fail_of(m, "what was put right is found wrong");
    free(good);
    return found;
}

static void faults_between_passes_are_found(void **state) {
    rng r = {seed + 1};
    const uint64_t wanted = test_rounds(3000);
    uint64_t found = 0;
    (void)state;
    while (found < wanted) {
        by_hand m = drawn(&r);
        begin(&r, &m);
        for (unsigned k = 1; k < m.shape.passes; k++) found += faults_before(&r, &m, k, 4 * FAULTS);
        end(&m);
    }
}

static riffle_status plan_of(const char *spec, uint64_t n, const riffle_plan_options *options,
                             riffle_plan **out) {
    riffle_perm *const perm = parse_or_fail(spec, n);
    const riffle_status status = riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, options, out);
    riffle_perm_free(perm);
    return status;
}

static void plans_move_and_pass(void **state) {
    enum { N = 200003, BATCH = 2, STRIDE = N + 5 };
    static uint32_t src[BATCH * STRIDE], dst[BATCH * STRIDE];
    rng r = {seed + 2};
    (void)state;
    for (unsigned executions = 0; executions < 2; executions++) {
        const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_BUCKET,
                                             .check = RIFFLE_CHECK_PASSES,
                                             .batch = BATCH,
                                             .stride = STRIDE,
                                             .threads = 1 + executions,
                                             .executions = executions};
        riffle_plan *plan = NULL;
        riffle_perm *const perm = parse_or_fail("random:7", N);
        if (plan_of("random:7", N, &options, &plan) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
        assert_true(riffle_plan_passes(plan) > 1);
        fill_random(&r, src, sizeof src);
        memset(dst, 0x5a, sizeof dst);
        if (riffle_execute(plan, dst, src) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
        for (unsigned k = 0; k < BATCH; k++)
            assert_true(is_moved(perm, dst + k * STRIDE, src + k * STRIDE, sizeof *dst));
        riffle_perm_free(perm);
        riffle_plan_free(plan);
    }
}

static void refused(const char *spec, uint64_t n, const riffle_plan_options *options, const char *why) {
    riffle_plan *plan = NULL;
    assert_int_equal(plan_of(spec, n, options, &plan), RIFFLE_ERROR_UNSUPPORTED);
    assert_null(plan);
    if (strstr(riffle_error_detail(), why) == NULL) fail_msg("%s: %s", spec, riffle_error_detail());
}

static void what_has_nothing_to_compare_is_refused(void **state) {
    const riffle_plan_options passes = {.check = RIFFLE_CHECK_PASSES},
                              in_place = {.check = RIFFLE_CHECK_PASSES, .in_place = true};
    riffle_plan *plan = NULL;
    riffle_group_plan *groups = NULL;
    (void)state;
    refused("bit-reversal", 1024, &passes,
            "a check of passes has nothing to compare: algorithm 'affine' moves this in one pass; take the "
            "check 'full'");
    refused("transpose:24x50", 1200, &in_place, "compares nothing between its passes");
    assert_int_equal(plan_of("reverse", 0, &passes, &plan), RIFFLE_OK);
    assert_int_equal(riffle_execute(plan, NULL, NULL), RIFFLE_OK);
    riffle_plan_free(plan);
    assert_int_equal(riffle_group_plan_create(4, 4, RIFFLE_TYPE_U8, 2, RIFFLE_ENGINE_CPU,
                                              &(riffle_group_options){.check = RIFFLE_CHECK_PASSES}, &groups),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(
        riffle_error_detail(),
        "a check of passes has nothing to compare: the CPU moves rows of groups in one pass; take "
        "the check 'full'");
    assert_int_equal(riffle_group_plan_create(0, 4, RIFFLE_TYPE_U8, 2, RIFFLE_ENGINE_CPU,
                                              &(riffle_group_options){.check = RIFFLE_CHECK_PASSES}, &groups),
                     RIFFLE_OK);
    assert_int_equal(riffle_group_execute(groups, &(riffle_group_arrays){0}), RIFFLE_OK);
    riffle_group_plan_free(groups);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_moves_pass),
        cmocka_unit_test(faults_between_passes_are_found),
        cmocka_unit_test(plans_move_and_pass),
        cmocka_unit_test(what_has_nothing_to_compare_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
