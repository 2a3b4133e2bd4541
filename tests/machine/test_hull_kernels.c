/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of hulls on the memory machine, compared with the definition (hull/definition.h): hard sets of every type, one
 * and many; points that are not finite; and what is claimed of the accesses is counted.
 */
#include "device_support.h"
#include "hull/definition.h"
#include "hull/gpu/launches.h"
#include "hull_support.h"

static uint64_t seed;

enum { THREADS = 64, SHARED_BYTES = 200000 };

static const plan_target target = {.kind = TARGET_MACHINE,
                                   .name = "machine",
                                   .width = 32,
                                   .shared_bytes = SHARED_BYTES,
                                   .block_threads = THREADS,
                                   .multiprocessors = 2,
                                   .l2_bytes = 50 << 20,
                                   .memory_bytes = UINT64_MAX};

static const riffle_type types[] = {
    RIFFLE_TYPE_F64, RIFFLE_TYPE_F32, RIFFLE_TYPE_I64, RIFFLE_TYPE_U64, RIFFLE_TYPE_I32,
    RIFFLE_TYPE_U32, RIFFLE_TYPE_I16, RIFFLE_TYPE_U16, RIFFLE_TYPE_I8,  RIFFLE_TYPE_U8,
};
enum { TYPES = sizeof types / sizeof *types };

typedef struct hull_case {
    hull_request r;
    hull_kind kind;
    bool is_uneven;
    uint64_t bad; /* a point that is not finite, or UINT64_MAX */
} hull_case;

typedef struct run {
    machine *m;
    char *points, *hulls, *workspace;
    uint64_t *first, *lengths;
    size_t point_bytes, result_bytes;
    hull_layout at;
} run;

static void *buffer(machine *m, const char *name, size_t bytes) {
    void *out;
    assert_int_equal(machine_buffer(m, name, bytes > 0 ? bytes : 1, &out), RIFFLE_OK);
    return out;
}

static void fill_beginnings(const hull_case *c, rng *r, uint64_t *first) {
    const uint64_t step = c->r.n / c->r.sets;
    first[0] = 0;
    for (uint64_t k = 1; k <= c->r.sets; k++) {
        const uint64_t left = c->r.n - first[k - 1];
        first[k] =
            c->is_uneven ? first[k - 1] + rng_below(r, (left < 2 * step ? left : 2 * step) + 1) : k * step;
    }
}

static run start(const hull_case *c, rng *r) {
    run x = {.m = machine_or_fail((riffle_machine_options){
                 .width = 32, .block_threads = THREADS, .shared_bytes = SHARED_BYTES})};
    const float bad[] = {1, NAN};
    x.point_bytes = 2 * riffle_type_bytes(c->r.type);
    x.result_bytes = c->r.index_bytes > 0 ? c->r.index_bytes : x.point_bytes;
    x.points = buffer(x.m, "points", c->r.n * x.point_bytes);
    x.hulls = buffer(x.m, "hulls", c->r.n * x.result_bytes);
    x.lengths = buffer(x.m, "lengths", c->r.sets * sizeof *x.lengths);
    x.first = buffer(x.m, "first", (c->r.sets + 1) * sizeof *x.first);
    fill_beginnings(c, r, x.first);
    for (uint64_t k = 0; k < c->r.sets; k++)
        hull_fill(r, c->kind, c->r.type, x.points + x.first[k] * x.point_bytes, x.first[k + 1] - x.first[k]);
    if (c->bad != UINT64_MAX) memcpy(x.points + c->bad * x.point_bytes, bad, sizeof bad);
    machine_written(x.m, x.points, c->r.n * x.point_bytes);
    machine_written(x.m, x.first, (c->r.sets + 1) * sizeof *x.first);
    memset(x.hulls, POISON_VALUE, c->r.n * x.result_bytes);
    hull_lay_out(&c->r, &x.at);
    x.workspace = buffer(x.m, "workspace", x.at.bytes);
    memset(x.workspace, 0xff, x.at.ones);
    machine_written(x.m, x.workspace, x.at.ones);
    return x;
}

static int compare_indices(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void run_all(run *x, launch_list *list) {
    for (const launch *l = list->first; l != NULL; l = l->next) assert_true(l->shared_bytes <= SHARED_BYTES);
    run_list_or_fail(x->m, list);
    if (machine_report(x->m)->hazards > 0)
        fail_msg("seed %llu: %s", (unsigned long long)seed, machine_report(x->m)->hazard[0].text);
}

/* Does the work of other kernels where candidates are many (test_hull_sorted.c), by the definition. */
static void solve_many(const hull_case *c, run *x) {
    hull_state *const state = (hull_state *)(void *)(x->workspace + x->at.state);
    uint32_t *const list = (uint32_t *)(void *)(x->workspace + x->at.lists[0]);
    uint32_t *const hull = malloc(c->r.n * sizeof *hull);
    char *const points = malloc(c->r.n * x->point_bytes);
    const hull_points some = {c->r.type, points, state->record.many};
    assert_non_null(hull);
    assert_non_null(points);
    for (uint32_t k = 0; state->record.first != UINT32_MAX && k < state->record.many; k++)
        list[k] = state->record.first + k;
    qsort(list, state->record.many, sizeof *list, compare_indices); /* the first of equal places */
    for (uint32_t k = 0; k < state->record.many; k++)
        memcpy(points + k * x->point_bytes, x->points + list[k] * x->point_bytes, x->point_bytes);
    assert_int_equal(hull_definition(&some, 0, some.n, c->r.all, hull, &state->record.many_length), RIFFLE_OK);
    for (uint64_t k = 0; k < state->record.many_length; k++) hull[k] = list[hull[k]];
    memcpy(list, hull, state->record.many_length * sizeof *list);
    machine_written(x->m, list, state->record.many * sizeof *list);
    machine_written(x->m, &state->record, sizeof state->record);
    free(hull);
    free(points);
}

static void launch_all(const hull_case *c, run *x) {
    const hull_arrays arrays = {x->points, c->is_uneven ? x->first : NULL, x->hulls, x->lengths, x->workspace};
    launch_list list;
    launch_list_begin(&list);
    launch_hull(&c->r, &x->at, &arrays, &target, &list);
    run_all(x, &list);
    if (!x->at.is_one) return;
    solve_many(c, x);
    launch_hull_results(&c->r, &x->at, &arrays, &target, &list);
    run_all(x, &list);
}

static bool is_result(const hull_case *c, const run *x, uint64_t at, uint32_t index) {
    const uint64_t wide = index;
    const char *const result = x->hulls + at * x->result_bytes;
    if (c->r.index_bytes == 0) return memcmp(result, x->points + index * x->point_bytes, x->point_bytes) == 0;
    return memcmp(result, c->r.index_bytes == 8 ? (const void *)&wide : &index, c->r.index_bytes) == 0;
}

static void check_hulls(const hull_case *c, const run *x) {
    uint32_t *const expected = malloc(c->r.n * sizeof *expected + 1);
    assert_non_null(expected);
    const hull_points all = {c->r.type, x->points, c->r.n};
    for (uint64_t k = 0; k < c->r.sets; k++) {
        uint64_t length = 0;
        assert_int_equal(hull_definition(&all, x->first[k], x->first[k + 1], c->r.all, expected, &length),
                         RIFFLE_OK);
        bool is_right = x->lengths[k] == length;
        for (uint64_t j = 0; is_right && j < length; j++)
            is_right = is_result(c, x, x->first[k] + j, expected[j]);
        if (!is_right)
            fail_msg("seed %llu: %s, kind %d, set %llu of %llu (%llu points), all %d, results of %zu: %llu "
                     "corners, not %llu",
                     (unsigned long long)seed, riffle_type_string(c->r.type), (int)c->kind,
                     (unsigned long long)k, (unsigned long long)c->r.sets,
                     (unsigned long long)(x->first[k + 1] - x->first[k]), c->r.all, c->r.index_bytes,
                     (unsigned long long)x->lengths[k], (unsigned long long)length);
    }
    free(expected);
}

static void run_case(const hull_case *c) {
    rng r = {++seed};
    run x = start(c, &r);
    launch_all(c, &x);
    hull_record record;
    memcpy(&record, x.workspace, sizeof record);
    assert_true(record.bad_point == c->bad);
    assert_true(record.bad_set == UINT64_MAX);
    if (c->bad == UINT64_MAX) check_hulls(c, &x);
    for (uint64_t k = 0; c->bad != UINT64_MAX && k < c->r.sets; k++) assert_true(x.lengths[k] == 0);
    machine_free(x.m);
}

/* ----------------------------------------------------------------- many sets */

static void run_sets(uint64_t n, uint64_t sets, bool is_uneven) {
    for (unsigned kind = 0; kind < HULL_KINDS; kind++) {
        if (!test_takes(kind + n)) continue;
        const unsigned k = kind + (unsigned)(n % 7);
        static const size_t results[] = {4, 8, 0};
        const hull_case c = {{types[k % TYPES], n, sets, k % 2 != 0, results[k % 3], false},
                             (hull_kind)kind,
                             is_uneven,
                             UINT64_MAX};
        run_case(&c);
    }
}

static void test_small_sets(void **state) {
    (void)state;
    for (uint64_t each = 1; each <= 32; each += each < 4 ? 1 : 7) run_sets(5 * each, 5, false);
    run_sets(200, 20, true);
    run_sets(0, 3, false);
}

static void test_sets(void **state) {
    (void)state;
    run_sets(3 * 33, 3, false);
    run_sets(3 * 200, 3, false);
    run_sets(900, 1, false);
    run_sets(2000, 5, true);
    run_sets(3000, 2, true);
}

static void test_large_sets(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < HULL_KINDS; kind++) {
        if (!test_takes(kind)) continue;
        const hull_case c = {{types[kind % TYPES], 10000, 2, kind % 2 == 0, 4, false},
                             (hull_kind)kind,
                             kind % 3 == 0,
                             UINT64_MAX};
        run_case(&c);
    }
}

/* -------------------------------------------------------------- one large set */

static void test_one_large(void **state) {
    (void)state;
    for (unsigned kind = 0; kind < HULL_KINDS; kind++)
        for (unsigned k = 0; k < 2; k++) {
            if (!test_takes(kind + 3 * k)) continue;
            const hull_case c = {{types[(2 * kind + k) % TYPES], kind % 2 ? 6000 : 9000, 1, k == 0, 4, false},
                                 (hull_kind)kind,
                                 kind == 3,
                                 UINT64_MAX};
            run_case(&c);
        }
}

/* Requests of a kernel's launches to a memory, at all lines of it. */
static uint64_t requests_of(const run *x, report_space space, const char *kernel) {
    const riffle_report *const report = machine_report(x->m);
    uint64_t sum = 0;
    for (size_t k = 0; k < report->lines; k++)
        if (report->line[k].space == space && strcmp(report->line[k].kernel, kernel) == 0)
            sum += report->line[k].requests;
    return sum;
}

/* Sectors of global memory. */
static uint64_t sectors_of(const run *x, const char *kernel) { return requests_of(x, SPACE_GLOBAL, kernel); }

/* The run's record; whoever asks frees the machine. */
static run run_one(riffle_type type, hull_kind kind, uint64_t n, bool is_uneven, uint64_t bad,
                   hull_record *record) {
    const hull_case c = {{type, n, 1, false, 4, false}, kind, is_uneven, bad};
    rng r = {++seed};
    run x = start(&c, &r);
    launch_all(&c, &x);
    if (bad == UINT64_MAX) check_hulls(&c, &x);
    memcpy(record, x.workspace, sizeof *record);
    return x;
}

/* Where all points are corners the rounds are left out: no list is written, and no candidate looked at. */
static void test_rounds_are_left_out(void **state) {
    (void)state;
    static const struct {
        riffle_type type;
        hull_kind kind;
        bool is_uneven, leaves_out;
    } cases[] = {
        {RIFFLE_TYPE_F32, HULL_KIND_CIRCLE, true, true},
        {RIFFLE_TYPE_F64, HULL_KIND_PARABOLA, false, true},
        {RIFFLE_TYPE_F32, HULL_KIND_SQUARE, false, false},
        {RIFFLE_TYPE_F64, HULL_KIND_LINE, false, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const uint64_t n = 9000;
        hull_record record;
        run x = run_one(cases[k].type, cases[k].kind, n, cases[k].is_uneven, UINT64_MAX, &record);
        const uint64_t refined = sectors_of(&x, "hull_refine");
        if (cases[k].leaves_out) {
            assert_int_equal(record.first, x.first[0]);
            for (unsigned list = 0; list < HULL_LISTS; list++)
                assert_int_equal(record.listed[list], UINT32_MAX);
            assert_true(refined < n / 4); /* the counts of the lists, by each of the threads */
        } else {
            assert_int_equal(record.first, UINT32_MAX);
            assert_true(record.listed[0] != UINT32_MAX);
        }
        machine_free(x.m);
    }
}

/* A point that is not finite is named then too, and there is no hull of the others. */
static void test_not_finite_among_corners(void **state) {
    (void)state;
    hull_record record;
    run x = run_one(RIFFLE_TYPE_F32, HULL_KIND_CIRCLE, 9000, false, 4321, &record);
    assert_int_equal(record.first, 0);
    assert_int_equal(record.bad_point, 4321);
    assert_int_equal(record.many, 0);
    assert_int_equal(x.lengths[0], 0);
    machine_free(x.m);
}

/* One read, and little work on what stays: the sieve's kernel takes the sectors that points lie in, and at most 700 a block for the sieve and what it is scaled
 * by; nothing of that is written but the few that stay. Their hull takes 13 wavefronts of shared memory for each of them, where it
 * took 21 by merging places and joining portions; a boundary 4800 for its 2050 places, where it took 9900. */
static void test_one_read(void **state) {
    (void)state;
    const uint64_t n = 30000, points = n * 2 * sizeof(float) / 32, blocks = 3 * target.multiprocessors;
    hull_record record;
    seed = 208; /* the counts are of one set of points, however many cases ran before */
    run x = run_one(RIFFLE_TYPE_F32, HULL_KIND_SQUARE, n, false, UINT64_MAX, &record);
    const uint64_t filter = sectors_of(&x, "hull_filter"), refine = sectors_of(&x, "hull_refine");
    assert_in_range(filter, points, points + 700 * blocks);
    assert_true(record.listed[0] + 1 < n / 50);
    assert_true(refine < points);
    assert_true(requests_of(&x, SPACE_SHARED, "hull_candidates") < 14 * (record.listed[1] + 1));
    assert_true(requests_of(&x, SPACE_SHARED, "hull_boundaries") < HULL_WAYS * 5500);
    machine_free(x.m);
}

/* All points are candidates, as the dissertation's algorithm wants them. */
static void test_taken(void **state) {
    (void)state;
    const hull_case c = {{RIFFLE_TYPE_F64, 700, 1, false, 4, true}, HULL_KIND_GRID, false, UINT64_MAX};
    run_case(&c);
}

static void test_not_finite(void **state) {
    (void)state;
    const hull_case one = {{RIFFLE_TYPE_F32, 6000, 1, false, 4, false}, HULL_KIND_SQUARE, false, 777};
    const hull_case sets = {{RIFFLE_TYPE_F32, 600, 20, false, 4, false}, HULL_KIND_SQUARE, false, 333};
    const hull_case blocks = {{RIFFLE_TYPE_F32, 600, 3, false, 8, false}, HULL_KIND_SQUARE, false, 599};
    const hull_case taken = {{RIFFLE_TYPE_F32, 600, 1, false, 4, true}, HULL_KIND_SQUARE, false, 333};
    run_case(&one);
    run_case(&taken);
    run_case(&sets);
    run_case(&blocks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_sets),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_one_large),
        cmocka_unit_test(test_large_sets),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_taken),
        cmocka_unit_test(test_rounds_are_left_out),
        cmocka_unit_test(test_not_finite_among_corners),
        cmocka_unit_test(test_one_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
