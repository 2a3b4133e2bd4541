/* SPDX-License-Identifier: Apache-2.0
 *
 * Scatter and gather of elements of any length on the memory machine: by units and by words, along maps of 4-
 * and of 8-byte entries, from any address that the interface allows. Bytes around the arrays are neither read nor written.
 */
#include "device_support.h"
#include "machine/count/report.h"
#include "move/gpu/rows.h"

static uint64_t seed;

static const size_t LONGER[] = {48, 72, 96, 100, 127, 128, 136, 264, 1000, 1001, 1002, 1004, 4096};
enum { SHORT = 40, SIZES = SHORT + sizeof LONGER / sizeof LONGER[0] };

static size_t size_of(unsigned k) { return k < SHORT ? k + 1 : LONGER[k - SHORT]; }

static uint64_t length_for(size_t elem_bytes) { return elem_bytes <= SHORT ? 129 : 21; }

/* ------------------------------------------------------------------------------------------- whole plans */

/* riffle_simulate compares with the definition by itself. */
static void simulate_or_fail(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *options,
                             const riffle_machine_options *shape) {
    riffle_report *report;
    if (riffle_simulate(perm, elem_bytes, options, shape, &report) != RIFFLE_OK)
        fail_msg("seed %llu: %zu bytes by %s: %s", (unsigned long long)seed, elem_bytes,
                 riffle_algorithm_string(options->algorithm), riffle_error_detail());
    if (report->hazards > 0)
        fail_msg("seed %llu: %zu bytes by %s: %s", (unsigned long long)seed, elem_bytes,
                 riffle_algorithm_string(options->algorithm), report->hazard[0].text);
    riffle_report_free(report);
}

static const riffle_algorithm ALGORITHMS[] = {RIFFLE_ALGORITHM_SCATTER, RIFFLE_ALGORITHM_GATHER};

static void every_size_is_moved(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < SIZES; k++) {
        const riffle_machine_options shape = {.width = k % 2 == 0 ? 32 : 4,
                                              .block_threads = k % 3 == 0 ? 64 : 1024};
        riffle_perm *perm = random_table(&r, length_for(size_of(k)));
        for (unsigned a = 0; a < 2; a++) {
            const riffle_plan_options options = {.algorithm = ALGORITHMS[a]};
            simulate_or_fail(perm, size_of(k), &options, &shape);
        }
        riffle_perm_free(perm);
    }
}

/* A stride that is no multiple of anything has each array begin at another place in a word. */
static void batches_begin_anywhere(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < SIZES; k++) {
        const uint64_t n = length_for(size_of(k)) / 4 | 1;
        riffle_perm *perm = random_table(&r, n);
        for (unsigned a = 0; a < 4; a++) {
            const riffle_plan_options options = {
                .algorithm = ALGORITHMS[a % 2], .batch = 3, .stride = a < 2 ? 0 : n + 2};
            simulate_or_fail(perm, size_of(k), &options, NULL);
        }
        riffle_perm_free(perm);
    }
}

/* Rows of all sizes, of which the papers' own kernels move some. */
static void rows_are_predicted(void **state) {
    (void)state;
    rng r = {seed};
    riffle_perm *perm = random_table(&r, 64);
    for (size_t elem_bytes = 1; elem_bytes <= 160; elem_bytes += elem_bytes < 20 ? 1 : 28) {
        const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_GATHER};
        riffle_report *report;
        assert_int_equal(riffle_simulate(perm, elem_bytes, &options, NULL, &report), RIFFLE_OK);
        assert_int_equal(riffle_report_predicted_time_units(report), riffle_report_time_units(report));
        riffle_report_free(report);
    }
    riffle_perm_free(perm);
}

/* ------------------------------------------------------------------------------------------ single launches */

/* A pass along a map with entries of either size. Its arrays lie MARGIN and some units into the machine's:
 * whole groups of addresses, and then anywhere. */
enum { MARGIN = 512 };

typedef struct rows_case {
    const pass_kind *kind;
    size_t elem_bytes, entry_bytes;
    uint64_t n;
    unsigned from_units, to_units; /**< beyond a multiple of 16 bytes */
    bool identity;
} rows_case;

typedef struct rows_run {
    machine *m;
    pass work;
    uint64_t *order;
    unsigned char *whole_to, *from, *to;
    size_t bytes;
} rows_run;

static void make_map(rows_run *run, const rows_case *c, rng *r) {
    riffle_perm *map = calloc(1, sizeof *map);
    run->order = malloc(c->n * sizeof *run->order);
    void *entries;
    assert_non_null(map);
    assert_non_null(run->order);
    assert_int_equal(machine_buffer(run->m, "map", c->n * c->entry_bytes, &entries), RIFFLE_OK);
    for (uint64_t i = 0; i < c->n; i++) run->order[i] = i;
    for (uint64_t i = c->n; !c->identity && i > 1; i--) {
        const uint64_t j = rng_below(r, i), held = run->order[i - 1];
        run->order[i - 1] = run->order[j];
        run->order[j] = held;
    }
    for (uint64_t i = 0; i < c->n; i++) {
        const uint32_t narrow = (uint32_t)run->order[i];
        memcpy((char *)entries + i * c->entry_bytes, c->entry_bytes == 4 ? (void *)&narrow : &run->order[i],
               c->entry_bytes);
    }
    machine_written(run->m, entries, c->n * c->entry_bytes);
    *map = (riffle_perm){
        .kind = PERM_TABLE, .n = c->n, .table = {.entries = entries, .entry_bytes = c->entry_bytes}};
    run->work = (pass){.kind = c->kind, .indexed = {.map = map, .elem_bytes = c->elem_bytes}};
}

/* Bytes around the source count as never written, so that reading them is a hazard. */
static rows_run create_run(const rows_case *c, rng *r, unsigned width) {
    const size_t unit = launch_unit_bytes(c->elem_bytes), room = 2 * MARGIN + 16 * unit;
    rows_run run = {.m = machine_or_fail((riffle_machine_options){.width = width}),
                    .bytes = c->n * c->elem_bytes};
    void *from, *to;
    make_map(&run, c, r);
    assert_int_equal(machine_buffer(run.m, "from", run.bytes + room, &from), RIFFLE_OK);
    assert_int_equal(machine_buffer(run.m, "to", run.bytes + room, &to), RIFFLE_OK);
    run.from = (unsigned char *)from + MARGIN + c->from_units * unit;
    run.to = (unsigned char *)to + MARGIN + c->to_units * unit;
    run.whole_to = to;
    fill_random(r, run.from, run.bytes);
    machine_written(run.m, run.from, run.bytes);
    memset(to, POISON_VALUE, run.bytes + room);
    return run;
}

static void free_run(rows_run *run) {
    free(run->order);
    free(run->work.indexed.map);
    machine_free(run->m);
}

static void launch_run(rows_run *run, const rows_case *c) {
    const launch_limits limits = {.width = machine_options(run->m)->width, .block_threads = 1024, .moves = 1};
    launch_array arrays[LAUNCH_MAX_ARRAYS];
    const void *map[LAUNCH_MAX_ARRAYS] = {run->work.indexed.map->table.entries};
    launch_list list;
    launch_arrays(&run->work, arrays);
    assert_int_equal(arrays[0].bytes, c->n * c->entry_bytes);
    launch_list_begin(&list);
    launch_between(launch_of_pass(&run->work, &limits, map, &list), run->to, run->from);
    run_list_or_fail(run->m, &list);
}

static void check_run(const rows_run *run, const rows_case *c) {
    char what[160];
    snprintf(what, sizeof what, "seed %llu: %s, %llu x %zu bytes, %zu-byte entries, %u and %u units off",
             (unsigned long long)seed, c->kind == &PASS_SCATTER ? "scatter" : "gather",
             (unsigned long long)c->n, c->elem_bytes, c->entry_bytes, c->from_units, c->to_units);
    const riffle_report *report = machine_report(run->m);
    if (report->hazards > 0) fail_msg("%s: %s", what, report->hazard[0].text);
    for (uint64_t i = 0; i < c->n; i++) {
        const uint64_t to = c->kind == &PASS_SCATTER ? run->order[i] : i;
        const uint64_t from = c->kind == &PASS_SCATTER ? i : run->order[i];
        if (memcmp(run->to + to * c->elem_bytes, run->from + from * c->elem_bytes, c->elem_bytes) != 0)
            fail_msg("%s: element %llu did not arrive at %llu", what, (unsigned long long)from,
                     (unsigned long long)to);
    }
    for (const unsigned char *p = run->whole_to; p < run->to; p++)
        if (*p != POISON_VALUE) fail_msg("%s: wrote before the array", what);
    for (size_t k = 0; k < MARGIN; k++)
        if (run->to[run->bytes + k] != POISON_VALUE) fail_msg("%s: wrote behind the array", what);
}

static void move_or_fail(const rows_case *c, rng *r, unsigned width) {
    rows_run run = create_run(c, r, width);
    launch_run(&run, c);
    check_run(&run, c);
    free_run(&run);
}

static void both_maps_at_any_place(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < SIZES; k++) {
        const unsigned places = (unsigned)(16 / launch_unit_bytes(size_of(k)));
        for (unsigned variant = 0; variant < 8; variant++) {
            const rows_case c = {.kind = variant % 2 == 0 ? &PASS_SCATTER : &PASS_GATHER,
                                 .elem_bytes = size_of(k),
                                 .entry_bytes = variant / 2 % 2 == 0 ? 4 : 8,
                                 .n = variant < 4 ? 1 + rng_below(&r, 3) : length_for(size_of(k)),
                                 .from_units = (unsigned)rng_below(&r, places),
                                 .to_units = (unsigned)rng_below(&r, places)};
            move_or_fail(&c, &r, variant % 2 == 0 ? 32 : 8);
        }
    }
}

/* Every distance between a row's place in its word and the place where it goes. */
static void words_shift_by_every_distance(void **state) {
    (void)state;
    rng r = {seed};
    static const size_t lengths[] = {17, 31, 33, 63, 18, 20, 36, 136};
    for (unsigned k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        const unsigned places = (unsigned)(16 / launch_unit_bytes(lengths[k]));
        for (unsigned place = 0; place < places * places; place++) {
            const rows_case c = {.kind = place % 3 == 0 ? &PASS_SCATTER : &PASS_GATHER,
                                 .elem_bytes = lengths[k],
                                 .entry_bytes = 4,
                                 .n = 3,
                                 .from_units = place / places,
                                 .to_units = place % places};
            move_or_fail(&c, &r, 32);
        }
    }
}

/* ------------------------------------------------------------------------------------------------- costs */

/* Sums accesses to the array, not to the map, which are in another file. */
static report_line sum_in(const riffle_report *report, report_op op, const char *file) {
    report_line sum = {0};
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (line->space != SPACE_GLOBAL || line->op != op || strcmp(line->file, file) != 0) continue;
        sum.casual_rounds += line->casual_rounds;
        sum.requests += line->requests;
        sum.ideal_requests += line->ideal_requests;
    }
    return sum;
}

/* Rows of whole groups of addresses: no round is casual, whatever the map. */
static void long_rows_are_coalesced(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned variant = 0; variant < 4; variant++) {
        const rows_case c = {.kind = variant % 2 == 0 ? &PASS_SCATTER : &PASS_GATHER,
                             .elem_bytes = 4096,
                             .entry_bytes = variant / 2 == 0 ? 4 : 8,
                             .n = 33};
        rows_run run = create_run(&c, &r, 32);
        launch_run(&run, &c);
        check_run(&run, &c);
        for (report_op op = OP_READ; op <= OP_WRITE; op++) {
            const report_line sum = sum_in(machine_report(run.m), op, "rows.cu");
            assert_int_equal(sum.casual_rounds, 0);
            assert_true(sum.requests > 0);
            assert_int_equal(sum.requests, sum.ideal_requests);
        }
        assert_int_equal(sum_in(machine_report(run.m), OP_READ, "rows_map.h").casual_rounds, 0);
        free_run(&run);
    }
}

/* Rows of 16 bytes and the identity: what a copy does. */
static void the_identity_is_a_copy(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned variant = 0; variant < 4; variant++) {
        const rows_case c = {.kind = variant % 2 == 0 ? &PASS_SCATTER : &PASS_GATHER,
                             .elem_bytes = variant / 2 == 0 ? 16 : 48,
                             .entry_bytes = 4,
                             .n = 1000,
                             .identity = true};
        rows_run run = create_run(&c, &r, 32);
        launch_run(&run, &c);
        check_run(&run, &c);
        for (report_op op = OP_READ; op <= OP_WRITE; op++)
            assert_int_equal(sum_in(machine_report(run.m), op, "rows.cu").casual_rounds, 0);
        free_run(&run);
    }
}

/* Rows that begin anywhere: a warp writes hardly more sectors than its bytes take. */
static void long_rows_of_odd_length_go_by_words(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned variant = 0; variant < 2; variant++) {
        const rows_case c = {.kind = variant == 0 ? &PASS_SCATTER : &PASS_GATHER,
                             .elem_bytes = 1001,
                             .entry_bytes = 4,
                             .n = 101,
                             .from_units = 3,
                             .to_units = 5};
        rows_run run = create_run(&c, &r, 32);
        launch_run(&run, &c);
        check_run(&run, &c);
        const uint64_t sectors = (run.bytes + 31) / 32;
        const report_line read = sum_in(machine_report(run.m), OP_READ, "row_words.h");
        const report_line written = sum_in(machine_report(run.m), OP_WRITE, "row_words.h");
        if (written.requests < sectors || written.requests * 4 > sectors * 5)
            fail_msg("%llu sectors written instead of %llu", (unsigned long long)written.requests,
                     (unsigned long long)sectors);
        /* The low and the high words are read by accesses of their own, a sector each that the cache has. */
        if (read.requests > sectors * 9 / 4)
            fail_msg("%llu sectors read instead of %llu", (unsigned long long)read.requests,
                     (unsigned long long)sectors);
        free_run(&run);
    }
}

/* ---------------------------------------------------------------------------------------------- divisions */

static uint64_t row_of(const rows_table *t, uint64_t k) {
    return (uint64_t)((unsigned __int128)(2 * k) * t->reciprocal >> 64) >> t->shift;
}

static const rows_table *table_of(const launch_list *list) {
    assert_ptr_equal(list->last->kernel->argument, KERNEL_gather_rows.record.argument);
    return &((const struct rows_arguments *)list->last->arguments)->table;
}

static void check_division(uint64_t row_parts, rng *r) {
    riffle_perm map = {.kind = PERM_TABLE, .table = {.entry_bytes = 8}};
    const launch_limits limits = {.width = 32, .block_threads = 1024, .moves = 1};
    const pass p = {.kind = &PASS_GATHER, .indexed = {.map = &map, .elem_bytes = (size_t)row_parts * 16}};
    launch_list list;
    launch_list_begin(&list);
    launch_rows(&p, &limits, NULL, &list);
    const rows_table *t = table_of(&list);
    assert_int_equal(t->row_parts, row_parts);
    const uint64_t last = ((uint64_t)1 << 63) - 1;
    for (unsigned round = 0; round < 200; round++) {
        const uint64_t near = rng_next(r) >> (1 + rng_below(r, 63)), multiple = near - near % row_parts;
        const uint64_t k[] = {near, multiple, multiple > 0 ? multiple - 1 : 0,
                              last - (round < 4 ? round : near), last - last % row_parts};
        for (unsigned j = 0; j < sizeof k / sizeof k[0]; j++)
            if (row_of(t, k[j]) != k[j] / row_parts)
                fail_msg("seed %llu: %llu / %llu is not %llu", (unsigned long long)seed,
                         (unsigned long long)k[j], (unsigned long long)row_parts,
                         (unsigned long long)row_of(t, k[j]));
    }
}

static void the_row_of_a_part_is_exact(void **state) {
    (void)state;
    rng r = {seed};
    for (uint64_t row_parts = 1; row_parts <= 300; row_parts++) check_division(row_parts, &r);
    for (unsigned bits = 9; bits < 59; bits++) {
        check_division(((uint64_t)1 << bits) - 1, &r);
        check_division((uint64_t)1 << bits, &r);
        check_division(((uint64_t)1 << bits) + 1, &r);
        check_division(((uint64_t)1 << bits) | (rng_next(&r) >> (64 - bits)), &r);
    }
}

/* Beyond 2^32 elements, and units beyond 2^32 of fewer elements. */
static void grids_are_counted_in_64_bits(void **state) {
    (void)state;
    const launch_limits limits = {.width = 32, .block_threads = 1024, .moves = 1};
    static const struct {
        uint64_t n;
        size_t elem_bytes, entry_bytes;
        uint64_t parts, blocks;
    } cases[] = {
        {((uint64_t)1 << 33) + 1, 1, 8, ((uint64_t)1 << 33) + 1, ((uint64_t)1 << 26) + 1},
        {(uint64_t)1 << 31, 64, 4, (uint64_t)1 << 33, (uint64_t)1 << 26},
        {(uint64_t)1 << 31, 128, 4, (uint64_t)1 << 34, (uint64_t)1 << 26},
        {((uint64_t)1 << 33) + 1, 4, 8, ((uint64_t)1 << 33) + 1, ((uint64_t)1 << 26) + 1},
    };
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        riffle_perm map = {.kind = PERM_TABLE, .n = cases[k].n, .table = {.entry_bytes = cases[k].entry_bytes}};
        const pass p = {.kind = &PASS_GATHER, .indexed = {.map = &map, .elem_bytes = cases[k].elem_bytes}};
        const void *none[LAUNCH_MAX_ARRAYS] = {NULL};
        launch_array arrays[LAUNCH_MAX_ARRAYS];
        launch_list list;
        launch_list_begin(&list);
        launch_of_pass(&p, &limits, none, &list);
        launch_arrays(&p, arrays);
        assert_int_equal(table_of(&list)->parts, cases[k].parts);
        assert_int_equal(launch_blocks(&p, &limits), cases[k].blocks);
        assert_int_equal(arrays[0].bytes, cases[k].n * cases[k].entry_bytes);
    }
}

static void units_divide_elements(void **state) {
    (void)state;
    for (size_t elem_bytes = 1; elem_bytes <= 4096; elem_bytes++) {
        const size_t unit = launch_unit_bytes(elem_bytes);
        assert_true(unit == 1 || unit == 2 || unit == 4 || unit == 8 || unit == 16);
        assert_int_equal(elem_bytes % unit, 0);
        assert_true(unit == 16 || elem_bytes % (2 * unit) != 0);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_is_moved),
        cmocka_unit_test(batches_begin_anywhere),
        cmocka_unit_test(rows_are_predicted),
        cmocka_unit_test(both_maps_at_any_place),
        cmocka_unit_test(words_shift_by_every_distance),
        cmocka_unit_test(long_rows_are_coalesced),
        cmocka_unit_test(the_identity_is_a_copy),
        cmocka_unit_test(long_rows_of_odd_length_go_by_words),
        cmocka_unit_test(the_row_of_a_part_is_exact),
        cmocka_unit_test(grids_are_counted_in_64_bits),
        cmocka_unit_test(units_divide_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
