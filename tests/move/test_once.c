/* SPDX-License-Identifier: Apache-2.0
 *
 * Takes and puts along indices used once, on the memory machine: every launch of the way that sorts, and of the plain
 * one, for many lengths, elements and orders of indices; what is wrong with indices is recorded and nothing outside
 * the arrays is touched; and what is claimed of the accesses is counted.
 */
#include "device_support.h"
#include "move/gpu/once.h"

static uint64_t seed;

enum { THREADS = 64, SHARED_BYTES = 20000 };

static const plan_target target = {.kind = TARGET_MACHINE,
                                   .name = "machine",
                                   .width = 32,
                                   .shared_bytes = SHARED_BYTES,
                                   .block_threads = THREADS,
                                   .multiprocessors = 3,
                                   .l2_bytes = 50 << 20,
                                   .memory_bytes = UINT64_MAX};

typedef enum order { RANDOM, EQUAL, SORTED, FEW, REVERSED, STRIDED, ORDERS } order;

/* Not sorted; by tiles of shared memory; by tiles of the second-level cache. */
typedef enum way { PLAIN, SHARED, CACHED } way;

typedef struct once_case {
    once_request r;
    size_t index_bytes; /* 0: of a random permutation */
    way sorts;
    order kind;   /* a put's are made distinct */
    size_t shift; /* shift of dst and src, in elements */
} once_case;

typedef struct run {
    machine *m;
    once_shape s;
    uint64_t *index; /* on the host */
    unsigned char *src, *dst;
    void *given; /* indices as the machine has them */
    once_record record;
    bool is_wrong; /* the indices are */
} run;

static void *buffer(machine *m, const char *name, size_t bytes) {
    void *out;
    assert_int_equal(machine_buffer(m, name, bytes > 0 ? bytes : 1, &out), RIFFLE_OK);
    return out;
}

static uint64_t index_of(const once_case *c, rng *r, uint64_t i) {
    const uint64_t n = c->r.n, m = c->r.m;
    switch (c->kind) {
    case EQUAL: return n / 3;
    case SORTED: return i * n / m;
    case REVERSED: return n - 1 - i * n / m;
    case FEW: return rng_below(r, 5) * (n / 5);
    case STRIDED: return i * 37 % n;
    case RANDOM:
    case ORDERS: break;
    }
    return rng_below(r, n);
}

/* Distinct indices in no order, or in order. */
static void fill_distinct(const once_case *c, rng *r, uint64_t *index) {
    uint64_t *all = malloc(c->r.n * sizeof *all);
    assert_non_null(all);
    for (uint64_t k = 0; k < c->r.n; k++) all[k] = c->kind == REVERSED ? c->r.n - 1 - k : k;
    for (uint64_t k = 0; c->kind != SORTED && c->kind != REVERSED && k < c->r.m; k++) {
        const uint64_t j = k + rng_below(r, c->r.n - k), held = all[k];
        all[k] = all[j];
        all[j] = held;
    }
    memcpy(index, all, c->r.m * sizeof *index);
    free(all);
}

static void fill_indices(const once_case *c, rng *r, const riffle_perm *random, uint64_t *index) {
    if (random != NULL) {
        assert_int_equal(riffle_perm_map(random, 0, c->r.m, index), RIFFLE_OK);
    } else if (c->r.puts) {
        fill_distinct(c, r, index);
    } else {
        for (uint64_t i = 0; i < c->r.m; i++) index[i] = index_of(c, r, i);
    }
}

static void give(const once_case *c, run *x) {
    const size_t bytes = c->r.m * (c->index_bytes > 0 ? c->index_bytes : 1);
    x->given = buffer(x->m, "indices", bytes);
    for (uint64_t i = 0; i < c->r.m && c->index_bytes > 0; i++) {
        if (c->index_bytes == 4) {
            ((uint32_t *)x->given)[i] = (uint32_t)x->index[i];
        } else {
            ((uint64_t *)x->given)[i] = x->index[i];
        }
    }
    machine_written(x->m, x->given, bytes);
}

static unsigned char *array(const once_case *c, machine *m, const char *name, uint64_t elements) {
    return (unsigned char *)buffer(m, name, (elements + c->shift) * c->r.elem_bytes) +
           c->shift * c->r.elem_bytes;
}

static void launch_all(const once_case *c, run *x, const riffle_perm *random) {
    launch_list list;
    char *workspace = buffer(x->m, "workspace", x->s.at.bytes);
    memset(workspace + x->s.at.record, 0xff, sizeof(once_record));
    machine_written(x->m, workspace + x->s.at.record, sizeof(once_record));
    if (!x->s.sorts && c->r.puts) {
        memset(workspace + x->s.at.marks, 0, x->s.at.marks_bytes);
        machine_written(x->m, workspace + x->s.at.marks, x->s.at.marks_bytes);
    }
    const once_arrays arrays = {x->dst,         x->src, random != NULL ? NULL : x->given,
                                c->index_bytes, random, workspace};
    launch_list_begin(&list);
    launch_once(&c->r, &x->s, &arrays, &target, &list);
    for (const launch *l = list.first; l != NULL; l = l->next) assert_true(l->shared_bytes <= SHARED_BYTES);
    run_list_or_fail(x->m, &list);
    /* Rows that two indices name are written twice where nothing is sorted. */
    if (machine_report(x->m)->hazards > 0 && (x->s.sorts || !c->r.puts || !x->is_wrong))
        fail_msg("seed %llu: %s", (unsigned long long)seed, machine_report(x->m)->hazard[0].text);
    memcpy(&x->record, workspace + x->s.at.record, sizeof x->record);
}

static once_shape cut(const once_case *c) {
    const once_shape s = c->sorts == PLAIN    ? once_cut(&c->r, &target, false)
                         : c->sorts == SHARED ? once_cut_shared(&c->r, &target)
                                              : once_cut_cached(&c->r, &target);
    assert_int_equal(s.sorts, c->sorts != PLAIN);
    assert_int_equal(s.in_cache, c->sorts == CACHED);
    return s;
}

static run start(const once_case *c, rng *r, riffle_perm **random) {
    run x = {.m = machine_or_fail((riffle_machine_options){
                 .width = 32, .block_threads = THREADS, .shared_bytes = SHARED_BYTES})};
    *random = NULL;
    if (c->index_bytes == 0) {
        assert_int_equal(riffle_perm_random(c->r.n, seed, random), RIFFLE_OK);
        if (c->kind != RANDOM) {
            riffle_perm *forward = *random;
            assert_int_equal(riffle_perm_invert(forward, random), RIFFLE_OK);
            riffle_perm_free(forward);
        }
    }
    x.s = cut(c);
    x.index = malloc(c->r.m * sizeof *x.index);
    assert_non_null(x.index);
    fill_indices(c, r, *random, x.index);
    give(c, &x);
    x.src = array(c, x.m, "src", c->r.puts ? c->r.m : c->r.n);
    x.dst = array(c, x.m, "dst", c->r.puts ? c->r.n : c->r.m);
    const size_t bytes = (c->r.puts ? c->r.m : c->r.n) * c->r.elem_bytes;
    fill_random(r, x.src, bytes);
    machine_written(x.m, x.src, bytes);
    memset(x.dst, POISON_VALUE, (c->r.puts ? c->r.n : c->r.m) * c->r.elem_bytes);
    return x;
}

static void finish(run *x, riffle_perm *random) {
    free(x->index);
    riffle_perm_free(random);
    machine_free(x->m);
}

static void check_moved(const once_case *c, const run *x) {
    const size_t e = c->r.elem_bytes;
    const uint64_t length = c->r.puts ? c->r.n : c->r.m;
    unsigned char *want = malloc(length * e);
    assert_non_null(want);
    memset(want, POISON_VALUE, length * e);
    for (uint64_t i = 0; i < c->r.m; i++) {
        if (c->r.puts) {
            memcpy(want + x->index[i] * e, x->src + i * e, e);
        } else {
            memcpy(want + i * e, x->src + x->index[i] * e, e);
        }
    }
    for (uint64_t k = 0; k < length; k++)
        if (memcmp(want + k * e, x->dst + k * e, e) != 0)
            fail_msg("seed %llu: %s of %llu from %llu x %zu bytes, indices of %zu, order %d: element %llu",
                     (unsigned long long)seed, c->r.puts ? "put" : "take", (unsigned long long)c->r.m,
                     (unsigned long long)c->r.n, e, c->index_bytes, c->kind, (unsigned long long)k);
    free(want);
}

static void run_case(const once_case *c, rng *r) {
    riffle_perm *random;
    run x = start(c, r, &random);
    launch_all(c, &x, random);
    check_moved(c, &x);
    assert_true(x.record.out_of_range == UINT64_MAX);
    assert_true(x.record.clash == UINT64_MAX);
    finish(&x, random);
}

static const size_t sizes[] = {1, 2, 4, 8, 16};
static const uint64_t lengths[] = {1, 2, 63, 1000, 4097, 20011};
enum { SIZES = sizeof sizes / sizeof *sizes, LENGTHS = sizeof lengths / sizeof *lengths };

static void takes_are_right(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < LENGTHS * LENGTHS; k++)
        for (unsigned s = 0; s < SIZES; s++) {
            if (!test_takes(k + s)) continue;
            const bool is_cached = (k + s) % 4 == 2 && sizes[s] < 16;
            const once_case c = {{false, false, lengths[k / LENGTHS], lengths[k % LENGTHS], sizes[s]},
                                 k % 2 ? 8 : 4,
                                 (k + s) % 4 == 0 ? PLAIN
                                 : is_cached      ? CACHED
                                                  : SHARED,
                                 (order)((k + s) % ORDERS),
                                 (k + s) % 3};
            if (c.r.n * c.r.m <= 4097 * 4097ull) run_case(&c, &r);
        }
    for (unsigned kind = 0; kind < ORDERS; kind++)
        for (way sorts = SHARED; sorts <= CACHED; sorts++)
            if (test_takes(2 + kind + sorts))
                run_case(&(once_case){{false, false, 30000, 40000, 4}, 4, sorts, (order)kind, 0}, &r);
}

static void puts_are_right(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < LENGTHS * LENGTHS; k++)
        for (unsigned s = 0; s < SIZES; s++) {
            if (!test_takes(k + s)) continue;
            const uint64_t n = lengths[k / LENGTHS], m = lengths[k % LENGTHS];
            const once_case c = {{true, false, n, m < n ? m : n, sizes[s]},
                                 k % 2 ? 8 : 4,
                                 (k + s) % 4 != 0,
                                 k % 3 == 0   ? SORTED
                                 : k % 3 == 1 ? REVERSED
                                              : RANDOM,
                                 (k + s) % 3};
            if (m <= n) run_case(&c, &r);
        }
}

static void shuffles_are_right(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 1; k < LENGTHS; k++)
        for (unsigned s = 0; s < SIZES; s++)
            for (unsigned inverted = 0; inverted < 2; inverted++)
                if (test_takes(k + s))
                    run_case(&(once_case){{true, true, lengths[k], lengths[k], sizes[s]},
                                          0,
                                          (k + s) % 3 != 0,
                                          inverted ? SORTED : RANDOM,
                                          0},
                             &r);
}

/* The first of the wrong indices is recorded, and nothing but the arrays is touched, which the machine sees. */
static void wrong_indices_are_recorded(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < 24; k++) {
        const once_case c = {
            {k % 2, false, 9000, 8000, 4}, k / 2 % 2 ? 8 : 4, k % 2 ? k % 3 != 0 : (way)(k / 4 % 3), RANDOM, 0};
        riffle_perm *random;
        run x = start(&c, &r, &random);
        const uint64_t first = rng_below(&r, 7000), wrong = k < 12 ? c.r.n : UINT32_MAX;
        for (unsigned i = 0; i < 3; i++) {
            const uint64_t at = first + i * 300;
            x.index[at] = i == 0 && c.index_bytes == 8 ? UINT64_MAX : wrong;
            if (c.index_bytes == 4)
                ((uint32_t *)x.given)[at] = (uint32_t)x.index[at];
            else
                ((uint64_t *)x.given)[at] = x.index[at];
        }
        x.is_wrong = true;
        launch_all(&c, &x, random);
        assert_int_equal(x.record.out_of_range, first);
        finish(&x, random);
    }
}

static void clashes_are_recorded(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < 12; k++) {
        const once_case c = {{true, false, 9000, 9000, 4}, 4, k % 3 != 0, RANDOM, 0};
        riffle_perm *random;
        run x = start(&c, &r, &random);
        const uint64_t one = rng_below(&r, 4500), other = 4500 + rng_below(&r, 4500);
        ((uint32_t *)x.given)[one] = (uint32_t)x.index[other];
        x.is_wrong = true;
        launch_all(&c, &x, random);
        assert_int_equal(x.record.out_of_range, UINT64_MAX);
        assert_int_equal(x.record.clash, x.index[other]);
        finish(&x, random);
    }
}

/* Sectors of global memory that a kernel's stores touched, over the fewest for their bytes. */
static double store_waste(const run *x, const char *kernel) {
    double touched = 0, least = 0;
    const riffle_report *report = machine_report(x->m);
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (line->space != SPACE_GLOBAL || line->op != OP_WRITE || strcmp(line->kernel, kernel) != 0) continue;
        touched += (double)line->requests;
        least += (double)line->ideal_requests;
    }
    assert_true(least > 0);
    return touched / least;
}

/* Runs are read and never stored. Only the ends of a warp's part of a tile's answers are stored in part. */
static void stores_are_whole_sectors(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* counts are the plain tier's */
    static const char *const takes[] = {"once_requests", "once_run_begins", "once_collect"};
    static const char *const puts[] = {"once_values", "once_run_lists", "once_place"};
    rng r = {seed};
    for (unsigned k = 0; k < 6; k++) {
        const once_case c = {{k % 2, false, 60000, 60000, 4}, 4, true, RANDOM, 0};
        riffle_perm *random;
        run x = start(&c, &r, &random);
        launch_all(&c, &x, random);
        for (unsigned i = 0; i < 3; i++) assert_true(store_waste(&x, (c.r.puts ? puts : takes)[i]) == 1);
        if (!c.r.puts) assert_true(store_waste(&x, "once_answer") < 1.03);
        finish(&x, random);
    }
}

/* Stores in part are at the ends of the answers of a tile in a span of pieces, which are few here: some 80. */
static void stores_by_tiles_of_the_cache_are_whole_sectors(void **state) {
    (void)state;
    static const char *const kernels[] = {"once_indices", "once_run_begins", "once_collect"};
    rng r = {seed};
    const once_case c = {{false, false, 60000, 60000, 4}, 4, CACHED, RANDOM, 0};
    riffle_perm *random;
    run x = start(&c, &r, &random);
    launch_all(&c, &x, random);
    for (unsigned i = 0; i < 3; i++) assert_true(store_waste(&x, kernels[i]) == 1);
    assert_true(store_waste(&x, "once_look_up") < 1.12);
    finish(&x, random);
}

/* ---------------------------------------------------------------------- plans */

static riffle_report *simulated(const char *by, uint64_t n, size_t elem_bytes,
                                const riffle_plan_options *options, const riffle_machine_options *on) {
    riffle_report *report = NULL;
    riffle_perm *perm = parse_or_fail(by, n);
    if (riffle_simulate(perm, elem_bytes, options, on, &report) != RIFFLE_OK)
        fail_msg("%s of %llu x %zu bytes: %s", by, (unsigned long long)n, elem_bytes, riffle_error_detail());
    riffle_perm_free(perm);
    assert_int_equal(report->hazards, 0);
    return report;
}

/* riffle_simulate checks that all arrive. */
static void plans_are_right(void **state) {
    (void)state;
    static const char *const by[] = {"random:1", "~random:2", "rotate:5", "random:3|reverse"};
    const riffle_machine_options small = {.block_threads = THREADS, .shared_bytes = SHARED_BYTES};
    for (unsigned k = 0; k < LENGTHS; k++)
        for (unsigned s = 0; s < SIZES; s++) {
            const riffle_plan_options options = {
                .algorithm = RIFFLE_ALGORITHM_ONCE, .batch = 1 + k % 2, .stride = lengths[k] + s % 3};
            riffle_report_free(simulated(by[(k + s) % 4], lengths[k], sizes[s], &options, &small));
        }
}

/* Explain prints the traffic that a simulation counts, but for pads, lists of runs, and the sectors at the ends of runs. */
static void the_traffic_of_plans_is_as_predicted(void **state) {
    (void)state;
    if (is_sanitized() && !test_is_long()) skip(); /* counts are the plain tier's */
    enum { SECTOR = 32 };
    const uint64_t n = 1 << 18;
    static const struct {
        const char *by;
        double bytes;
    } plans[] = {{"random:1", 20}, {"random:1|random:2", 24}};
    for (unsigned k = 0; k < sizeof plans / sizeof *plans; k++) {
        const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_ONCE};
        riffle_report *const report = simulated(plans[k].by, n, 4, &options, NULL);
        double sectors = 0;
        for (size_t i = 0; i < report->lines; i++)
            if (report->line[i].space == SPACE_GLOBAL) sectors += (double)report->line[i].requests;
        const double bytes = (double)SECTOR * sectors / (double)n;
        if (bytes < plans[k].bytes || bytes > 1.1 * plans[k].bytes)
            fail_msg("%s: %f bytes an element, and not %f", plans[k].by, bytes, plans[k].bytes);
        riffle_report_free(report);
    }
}

static void what_no_plan_can_do(void **state) {
    (void)state;
    static const struct {
        uint64_t n;
        size_t elem_bytes;
        riffle_machine_options on;
        const char *words;
    } cases[] = {
        {1000, 12, {0}, "algorithm 'once' cannot do this: its elements have 1, 2, 4, 8 or 16 bytes"},
        {1000, 32, {0}, "its elements have 1, 2, 4, 8 or 16 bytes"},
        {1000, 4, {.width = 16}, "its kernels know warps of 32 lanes alone"},
        {1000, 4, {.block_threads = 64, .shared_bytes = 1024}, "do not fit into shared memory"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_ONCE};
        riffle_report *report = NULL;
        riffle_perm *perm = parse_or_fail("random:1", cases[k].n);
        assert_int_equal(riffle_simulate(perm, cases[k].elem_bytes, &options, &cases[k].on, &report),
                         RIFFLE_ERROR_UNSUPPORTED);
        if (strstr(riffle_error_detail(), cases[k].words) == NULL) fail_msg("%s", riffle_error_detail());
        assert_null(report);
        riffle_perm_free(perm);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_are_right),
        cmocka_unit_test(puts_are_right),
        cmocka_unit_test(shuffles_are_right),
        cmocka_unit_test(wrong_indices_are_recorded),
        cmocka_unit_test(clashes_are_recorded),
        cmocka_unit_test(stores_are_whole_sectors),
        cmocka_unit_test(stores_by_tiles_of_the_cache_are_whole_sectors),
        cmocka_unit_test(plans_are_right),
        cmocka_unit_test(the_traffic_of_plans_is_as_predicted),
        cmocka_unit_test(what_no_plan_can_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
