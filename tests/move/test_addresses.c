/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays at any address that suits their elements: every algorithm of the memory machine, which is a GPU's, at every one
 * within a vector of 16 bytes, apart and in place; every algorithm of the CPU at every byte of a line. Both compare with
 * the definition and look for what was written beside the arrays.
 */
#include "machine/count/report.h"
#include "move/gpu/launch.h"
#include "move/gpu/rows.h"
#include "move/simulate/simulate.h"
#include "support.h"

static uint64_t seed;

enum { VECTOR = LAUNCH_VECTOR_BYTES };

/* -------------------------------------------------------------- the machine */

typedef struct simulated {
    const char *spec;
    uint64_t n;
    riffle_plan_options options;
    riffle_machine_options machine;
} simulated;

static void fail_simulated(const simulated *c, size_t elem_bytes, simulate_offsets at, const char *what) {
    fail_msg("%s by %s, n %llu, %zu bytes, dst at %zu, src at %zu: %s", c->spec,
             riffle_algorithm_string(c->options.algorithm), (unsigned long long)c->n, elem_bytes, at.dst,
             at.src, what);
}

/* How the report's lines access global memory: by vectors on one side, on both, on none. */
static bool has_vectors(const riffle_report *report, report_op op) {
    for (size_t k = 0; k < report->lines; k++)
        if (report->line[k].space == SPACE_GLOBAL && report->line[k].op == op &&
            report->line[k].cell_bytes == VECTOR)
            return true;
    return false;
}

/* Sanitizers keep books on each thread's stack. Under them what takes blocks of any size gets small ones, which begin at
   the same addresses; the papers' kernels have one size. */
static riffle_machine_options machine_of(const simulated *c) {
    const riffle_algorithm a = c->options.algorithm;
    const bool of_any_size = a == RIFFLE_ALGORITHM_COPY || a == RIFFLE_ALGORITHM_SCATTER ||
                             a == RIFFLE_ALGORITHM_GATHER || a == RIFFLE_ALGORITHM_AFFINE ||
                             a == RIFFLE_ALGORITHM_BUCKET || a == RIFFLE_ALGORITHM_REVERSE_ENDS;
    riffle_machine_options machine = c->machine;
    if (is_sanitized() && of_any_size && machine.block_threads == 0) machine.block_threads = 256;
    return machine;
}

static riffle_report *simulate(const simulated *c, size_t elem_bytes, simulate_offsets at) {
    riffle_report *report;
    riffle_perm *perm = parse_or_fail(c->spec, c->n);
    const riffle_machine_options machine = machine_of(c);
    if (simulate_at(perm, elem_bytes, &c->options, &machine, at, &report) != RIFFLE_OK)
        fail_simulated(c, elem_bytes, at, riffle_error_detail());
    if (report->hazards > 0) fail_simulated(c, elem_bytes, at, report->hazard[0].text);
    riffle_perm_free(perm);
    return report;
}

/* True if an address is tried: how wide accesses are is decided by its lowest bit, so those of one bit, and the last, do where
 * the long tier does not try all. */
static bool is_tried(size_t at, size_t unit) {
    if (is_sanitized() && unit < VECTOR) return at == 0 || at == VECTOR - unit;
    return test_is_long() || (at & (at - 1)) == 0 || at == VECTOR - unit;
}

static void simulate_everywhere(const simulated *c, size_t elem_bytes) {
    const size_t unit = launch_unit_bytes(elem_bytes);
    for (size_t at = 0; at < VECTOR; at += unit) {
        if (!is_tried(at, unit)) continue;
        riffle_report_free(simulate(c, elem_bytes, (simulate_offsets){at, at}));
        if (c->options.in_place) continue;
        riffle_report_free(simulate(c, elem_bytes, (simulate_offsets){at, 0}));
        riffle_report_free(simulate(c, elem_bytes, (simulate_offsets){0, at}));
        riffle_report_free(simulate(c, elem_bytes, (simulate_offsets){VECTOR - unit, at}));
    }
}

/* Short ones, and one that takes three bucket passes, whose first goes to dst. */
static const simulated APART[] = {
    {"reverse", 301, {.algorithm = RIFFLE_ALGORITHM_COPY}, {0}},
    {"random:1", 301, {.algorithm = RIFFLE_ALGORITHM_SCATTER}, {0}},
    {"random:1", 301, {.algorithm = RIFFLE_ALGORITHM_GATHER}, {0}},
    {"random-affine:1", 1024, {.algorithm = RIFFLE_ALGORITHM_AFFINE}, {0}},
    {"bit-reversal", 4096, {.algorithm = RIFFLE_ALGORITHM_AFFINE, .batch = 2}, {.width = 8}},
    {"random:1", 301, {.algorithm = RIFFLE_ALGORITHM_BUCKET}, {0}},
    {"random:1", 1203, {.algorithm = RIFFLE_ALGORITHM_BUCKET}, {.block_threads = 64, .shared_bytes = 4 << 10}},
    {"random:1", 3001, {.algorithm = RIFFLE_ALGORITHM_BUCKET}, {.block_threads = 64, .shared_bytes = 256}},
    {"random:1", 301, {.algorithm = RIFFLE_ALGORITHM_BUCKET, .batch = 3, .stride = 302}, {0}},
    {"random:1",
     3001,
     {.algorithm = RIFFLE_ALGORITHM_ONCE, .batch = 2},
     {.block_threads = 64, .shared_bytes = 20000}},
    {"transpose:32x32", 1024, {.algorithm = RIFFLE_ALGORITHM_TRANSPOSE}, {0}},
    {"identity", 1024, {.algorithm = RIFFLE_ALGORITHM_ROW_WISE}, {0}},
    {"identity", 1024, {.algorithm = RIFFLE_ALGORITHM_COLUMN_WISE}, {0}},
    {"random:1", 1024, {.algorithm = RIFFLE_ALGORITHM_SCHEDULED}, {0}},
    {"random-affine:1", 2048, {.algorithm = RIFFLE_ALGORITHM_BMMC_TILE}, {0}},
    {"bits:1,0,2,3,4,5,6,7,8,9,10", 2048, {.algorithm = RIFFLE_ALGORITHM_BMMC_NAIVE}, {0}},
    {"bit-reversal", 2048, {.algorithm = RIFFLE_ALGORITHM_AFFINE, .in_place = true}, {0}},
    {"bits:1,2,0,3,4,5,6,7,8,9,10", 2048, {.algorithm = RIFFLE_ALGORITHM_AFFINE, .in_place = true}, {0}},
    {"reverse", 301, {.algorithm = RIFFLE_ALGORITHM_REVERSE_ENDS, .in_place = true}, {0}},
};
enum { APART_COUNT = sizeof APART / sizeof APART[0] };

/* The papers' kernels have elements of 4 and of 8 bytes. */
static bool takes(const simulated *c, size_t elem_bytes) {
    riffle_report *report = NULL;
    riffle_perm *perm = parse_or_fail(c->spec, c->n);
    const riffle_machine_options machine = machine_of(c);
    const riffle_status status = riffle_simulate(perm, elem_bytes, &c->options, &machine, &report);
    if (status == RIFFLE_OK) riffle_report_free(report);
    riffle_perm_free(perm);
    return status == RIFFLE_OK;
}

static void every_algorithm_of_a_gpu_begins_anywhere(void **state) {
    (void)state;
    for (unsigned k = 0; k < APART_COUNT; k++) {
        unsigned sizes = 0;
        for (size_t elem_bytes = 1; elem_bytes <= VECTOR; elem_bytes *= 2) {
            if (!takes(&APART[k], elem_bytes)) continue;
            simulate_everywhere(&APART[k], elem_bytes);
            sizes++;
        }
        assert_true(sizes >= 2);
    }
}

static void long_elements_begin_on_their_units(void **state) {
    (void)state;
    const simulated affine = {"bit-reversal", 256, {.algorithm = RIFFLE_ALGORITHM_AFFINE}, {0}};
    const simulated gather = {"random:1", 101, {.algorithm = RIFFLE_ALGORITHM_GATHER}, {0}};
    simulate_everywhere(&affine, 32);
    simulate_everywhere(&gather, 12);
    simulate_everywhere(&gather, 6);
}

/* Affine passes at any address, bucket passes on the side that is the plan's. */
static void what_can_go_by_vectors_does(void **state) {
    (void)state;
    static const simulated affine = {"bit-reversal", 4096, {.algorithm = RIFFLE_ALGORITHM_AFFINE}, {0}};
    static const simulated bucket = {"random:1",
                                     1203,
                                     {.algorithm = RIFFLE_ALGORITHM_BUCKET},
                                     {.block_threads = 64, .shared_bytes = 4 << 10}};
    for (size_t at = 0; at < VECTOR; at += 4) {
        riffle_report *report = simulate(&affine, 4, (simulate_offsets){at, at});
        assert_true(has_vectors(report, OP_READ));
        assert_true(has_vectors(report, OP_WRITE));
        riffle_report_free(report);
    }
    riffle_report *report = simulate(&bucket, 4, (simulate_offsets){4, 4});
    assert_true(has_vectors(report, OP_READ)); /* between the passes */
    assert_true(has_vectors(report, OP_WRITE));
    riffle_report_free(report);
}

static void the_longest_access_is_that_of_both_arrays(void **state) {
    (void)state;
    const char *const base = NULL;
    for (size_t to = 0; to <= 64; to++) {
        for (size_t from = 0; from <= 64; from++) {
            const size_t bytes = launch_access_bytes(base + to, base + from);
            assert_true(bytes <= VECTOR && to % bytes == 0 && from % bytes == 0);
            assert_true(bytes == VECTOR || to % (2 * bytes) != 0 || from % (2 * bytes) != 0);
        }
    }
}

/* ------------------------------------------------------------------ the CPU */

static const struct {
    riffle_algorithm algorithm;
    const char *spec;
} ON_CPU[] = {
    {RIFFLE_ALGORITHM_COPY, "reverse"},
    {RIFFLE_ALGORITHM_COPY, "rotate:77"},
    {RIFFLE_ALGORITHM_SCATTER, "random:1"},
    {RIFFLE_ALGORITHM_GATHER, "random:1"},
    {RIFFLE_ALGORITHM_AFFINE, "random-affine:1"},
    {RIFFLE_ALGORITHM_AFFINE, "bit-reversal"},
    {RIFFLE_ALGORITHM_AXES, "axes:8x16x8:2,0,1"},
    {RIFFLE_ALGORITHM_BUCKET, "random:2"},
    {RIFFLE_ALGORITHM_TRANSPOSE, "transpose:32x32"},
    {RIFFLE_ALGORITHM_ROW_WISE, "identity"},
    {RIFFLE_ALGORITHM_COLUMN_WISE, "identity"},
    {RIFFLE_ALGORITHM_SCHEDULED, "random:6"},
    {RIFFLE_ALGORITHM_CONFLICT_FREE, "random:8"},
    {RIFFLE_ALGORITHM_REVERSE_ENDS, "reverse"},
};
enum { ON_CPU_COUNT = sizeof ON_CPU / sizeof ON_CPU[0], CPU_N = 1024 };

static void move_from(rng *r, unsigned k, const riffle_perm *perm, const riffle_plan *plan, size_t elem_bytes,
                      size_t to, size_t from) {
    const size_t bytes = CPU_N * elem_bytes;
    const bool in_place = ON_CPU[k].algorithm == RIFFLE_ALGORITHM_REVERSE_ENDS;
    guarded dst = guarded_create(bytes, to), src = guarded_create(bytes, from);
    fill_random(r, src.data, bytes);
    if (in_place) memcpy(dst.data, src.data, bytes);
    assert_int_equal(riffle_execute(plan, dst.data, in_place ? dst.data : src.data), RIFFLE_OK);
    if (!guarded_intact(&dst) || !is_moved(perm, dst.data, src.data, elem_bytes))
        fail_msg("seed %llu: %s by %s, %zu bytes, dst at %zu, src at %zu", (unsigned long long)seed,
                 ON_CPU[k].spec, riffle_algorithm_string(ON_CPU[k].algorithm), elem_bytes, to, from);
    guarded_free(&dst);
    guarded_free(&src);
}

static void every_algorithm_of_the_cpu_begins_anywhere(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < ON_CPU_COUNT; k++) {
        riffle_perm *perm = parse_or_fail(ON_CPU[k].spec, CPU_N);
        for (size_t elem_bytes = 1; elem_bytes <= 16; elem_bytes *= 2) {
            const riffle_plan_options options = {.algorithm = ON_CPU[k].algorithm,
                                                 .in_place =
                                                     ON_CPU[k].algorithm == RIFFLE_ALGORITHM_REVERSE_ENDS};
            riffle_plan *plan;
            if (riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
                fail_msg("%s: %s", ON_CPU[k].spec, riffle_error_detail());
            for (size_t at = 0; at < TEST_LINE_BYTES; at++)
                move_from(&r, k, perm, plan, elem_bytes, at, rng_below(&r, TEST_LINE_BYTES));
            riffle_plan_free(plan);
        }
        riffle_perm_free(perm);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_of_a_gpu_begins_anywhere),
        cmocka_unit_test(long_elements_begin_on_their_units),
        cmocka_unit_test(what_can_go_by_vectors_does),
        cmocka_unit_test(the_longest_access_is_that_of_both_arrays),
        cmocka_unit_test(every_algorithm_of_the_cpu_begins_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
