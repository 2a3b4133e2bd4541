/* SPDX-License-Identifier: Apache-2.0
 *
 * The HMM paper's Table I (Kasagi, Nakano, Ito 2013), counted on the memory machine: for every algorithm, on
 * machines of several widths and latencies, the rounds of each kind and the time to the last unit.
 */
#include "support.h"

#include "machine/check/arrays.h"
#include "machine/count/report.h"
#include "riffle/machine.h"

static uint64_t seed;

/* The table as the paper prints it; casual shared rounds are not in it because there are none. */
typedef struct table_row {
    riffle_algorithm algorithm;
    uint64_t casual_read, casual_write, coalesced_read, coalesced_write, conflict_free_read,
        conflict_free_write;
} table_row;

static const table_row TABLE_I[] = {
    {RIFFLE_ALGORITHM_COPY, 0, 0, 1, 1, 0, 0},       {RIFFLE_ALGORITHM_SCATTER, 0, 1, 2, 0, 0, 0},
    {RIFFLE_ALGORITHM_GATHER, 1, 0, 1, 1, 0, 0},     {RIFFLE_ALGORITHM_TRANSPOSE, 0, 0, 1, 1, 1, 1},
    {RIFFLE_ALGORITHM_ROW_WISE, 0, 0, 3, 1, 2, 2},   {RIFFLE_ALGORITHM_COLUMN_WISE, 0, 0, 5, 3, 4, 4},
    {RIFFLE_ALGORITHM_SCHEDULED, 0, 0, 11, 5, 8, 8}, {RIFFLE_ALGORITHM_CONFLICT_FREE, 0, 0, 3, 1, 2, 2},
};
enum { TABLE_ROWS = sizeof TABLE_I / sizeof TABLE_I[0] };

static uint64_t rounds(const riffle_report *report, report_space space, report_op op, bool casual) {
    uint64_t sum = 0;
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (line->space != space || line->op != op) continue;
        sum += casual ? line->casual_rounds : line->rounds - line->casual_rounds;
    }
    return sum;
}

/* A casual access that happens to be coalesced (as of the identity) is counted as coalesced. */
static void check_rounds(const riffle_report *report, const table_row *row, const char *what) {
    const uint64_t casual_read = rounds(report, SPACE_GLOBAL, OP_READ, true);
    const uint64_t casual_write = rounds(report, SPACE_GLOBAL, OP_WRITE, true);
    if (casual_read > row->casual_read || casual_write > row->casual_write) fail_msg("%s: casual", what);
    assert_int_equal(casual_read + rounds(report, SPACE_GLOBAL, OP_READ, false),
                     row->casual_read + row->coalesced_read);
    assert_int_equal(casual_write + rounds(report, SPACE_GLOBAL, OP_WRITE, false),
                     row->casual_write + row->coalesced_write);
    assert_int_equal(rounds(report, SPACE_SHARED, OP_READ, false), row->conflict_free_read);
    assert_int_equal(rounds(report, SPACE_SHARED, OP_WRITE, false), row->conflict_free_write);
    assert_int_equal(rounds(report, SPACE_SHARED, OP_READ, true), 0);
    assert_int_equal(rounds(report, SPACE_SHARED, OP_WRITE, true), 0);
    if (report->hazards > 0) fail_msg("%s: %s", what, report->hazard[0].text);
}

/* Table I's last column, written out from the paper: nothing here comes from the code under test. */
static uint64_t running_time(riffle_algorithm algorithm, uint64_t n, uint64_t w, uint64_t l,
                             uint64_t distribution) {
    const uint64_t warps = n / w;
    switch (algorithm) {
    case RIFFLE_ALGORITHM_COPY: return 2 * warps + 2 * l - 2;
    case RIFFLE_ALGORITHM_SCATTER:
    case RIFFLE_ALGORITHM_GATHER: return distribution + 2 * warps + 3 * l - 3;
    case RIFFLE_ALGORITHM_TRANSPOSE: return 4 * warps + 2 * l - 2;
    case RIFFLE_ALGORITHM_COLUMN_WISE: return 16 * warps + 8 * l - 8;
    case RIFFLE_ALGORITHM_SCHEDULED: return 32 * warps + 16 * l - 16;
    default: return 8 * warps + 4 * l - 4;
    }
}

static int compare_groups(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* D_w by its definition. */
static uint64_t count_distribution(const riffle_perm *perm, unsigned w) {
    uint64_t sum = 0;
    for (uint64_t first = 0; first < riffle_perm_length(perm); first += w) {
        uint64_t groups[32];
        for (unsigned k = 0; k < w; k++) groups[k] = riffle_perm_at(perm, first + k) / w;
        qsort(groups, w, sizeof groups[0], compare_groups);
        for (unsigned k = 0; k < w; k++) sum += k == 0 || groups[k] != groups[k - 1];
    }
    return sum;
}

static uint64_t distribution_of(const riffle_perm *perm, riffle_algorithm algorithm, unsigned w) {
    if (algorithm == RIFFLE_ALGORITHM_SCATTER) return count_distribution(perm, w);
    if (algorithm != RIFFLE_ALGORITHM_GATHER) return 0;
    riffle_perm *inverse;
    assert_int_equal(riffle_perm_invert(perm, &inverse), RIFFLE_OK);
    const uint64_t sum = count_distribution(inverse, w);
    riffle_perm_free(inverse);
    return sum;
}

/* False if the algorithm does not move this permutation. */
static bool check_row(const riffle_perm *perm, const char *spec, size_t elem_bytes, const table_row *row,
                      const riffle_machine_options *machine) {
    const riffle_plan_options options = {.algorithm = row->algorithm};
    riffle_report *report;
    const riffle_status status = riffle_simulate(perm, elem_bytes, &options, machine, &report);
    if (status == RIFFLE_ERROR_UNSUPPORTED) return false;
    char what[256];
    snprintf(what, sizeof what, "seed %llu: %s, n %llu, %zu bytes, %s, width %u, latency %u: %s",
             (unsigned long long)seed, spec, (unsigned long long)riffle_perm_length(perm), elem_bytes,
             riffle_algorithm_string(row->algorithm), machine->width, machine->latency, riffle_error_detail());
    if (status != RIFFLE_OK) fail_msg("%s", what);
    check_rounds(report, row, what);
    const uint64_t expected =
        running_time(row->algorithm, riffle_perm_length(perm), machine->width, machine->latency,
                     distribution_of(perm, row->algorithm, machine->width));
    if (riffle_report_time_units(report) != expected ||
        riffle_report_predicted_time_units(report) != expected) {
        fail_msg("%s: %llu time units, predicted %llu, expected %llu", what,
                 (unsigned long long)riffle_report_time_units(report),
                 (unsigned long long)riffle_report_predicted_time_units(report), (unsigned long long)expected);
    }
    riffle_report_free(report);
    return true;
}

/* `line` on every row or column of a matrix with rows of cols elements. */
static riffle_perm *repeat_line(const riffle_perm *line, uint64_t cols, bool columns) {
    const uint64_t n = cols * cols;
    uint64_t *table = malloc(n * sizeof *table);
    assert_non_null(table);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t row = i / cols, col = i % cols;
        table[i] = columns ? riffle_perm_at(line, row) * cols + col : row * cols + riffle_perm_at(line, col);
    }
    riffle_perm *perm;
    assert_int_equal(riffle_perm_table_u64(n, table, &perm), RIFFLE_OK);
    free(table);
    return perm;
}

/* The whole table for one permutation: as it is, and on the rows and columns of a square matrix. */
static void check_table(const char *spec, const char *line_spec, uint64_t side, size_t elem_bytes,
                        const riffle_machine_options *machine) {
    riffle_perm *whole = parse_or_fail(spec, side * side), *line = parse_or_fail(line_spec, side);
    riffle_perm *rows = repeat_line(line, side, false), *columns = repeat_line(line, side, true);
    for (unsigned k = 0; k < TABLE_ROWS; k++) {
        const table_row *row = &TABLE_I[k];
        const riffle_perm *perm = row->algorithm == RIFFLE_ALGORITHM_ROW_WISE      ? rows
                                  : row->algorithm == RIFFLE_ALGORITHM_COLUMN_WISE ? columns
                                                                                   : whole;
        const bool is_transpose = strncmp(spec, "transpose", strlen("transpose")) == 0;
        if (row->algorithm == RIFFLE_ALGORITHM_TRANSPOSE && !is_transpose) continue;
        const bool moved = check_row(perm, spec, elem_bytes, row, machine);
        if (!moved && row->algorithm != RIFFLE_ALGORITHM_COPY)
            fail_msg("%s refused %s", riffle_algorithm_string(row->algorithm), spec);
    }
    riffle_perm_free(columns);
    riffle_perm_free(rows);
    riffle_perm_free(line);
    riffle_perm_free(whole);
}

/* Conflict-free in one block needs a row of all elements with one thread each: a large block. */
static void check_machine(uint64_t side, unsigned width, unsigned latency, size_t elem_bytes) {
    const riffle_machine_options machine = {.width = width, .latency = latency, .block_threads = 1 << 12};
    char transpose[64], half[64];
    snprintf(transpose, sizeof transpose, "transpose:%llux%llu", (unsigned long long)side,
             (unsigned long long)side);
    snprintf(half, sizeof half, "transpose:2x%llu", (unsigned long long)side / 2);
    check_table("identity", "identity", side, elem_bytes, &machine);
    check_table("shuffle", "shuffle", side, elem_bytes, &machine);
    check_table("random:5", "random:6", side, elem_bytes, &machine);
    check_table("bit-reversal", "bit-reversal", side, elem_bytes, &machine);
    check_table(transpose, half, side, elem_bytes, &machine);
}

static void table_one_to_the_last_unit(void **state) {
    (void)state;
    static const unsigned widths[] = {4, 8, 16, 32}, latencies[] = {1, 5, 400};
    if (is_sanitized()) {
        check_machine(32, 32, 400, 4);
        return;
    }
    const bool is_long = test_is_long();
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned b = 0; b < 3; b++) check_machine(32, widths[a], latencies[b], 4);
        if (a % 2 == 0 || is_long) check_machine(64, widths[a], 5, 4);
        if (a % 2 != 0 || is_long) check_machine(64, widths[a], 400, 8);
    }
}

/* Rows of 2048: each thread of a block of 1024 moves two elements, so each round is made in two. */
static void rows_longer_than_a_block_pay_the_latency_again(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("random:3", 1 << 16);
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_SCHEDULED, .row_length = 2048};
    riffle_report *report;
    assert_int_equal(riffle_simulate(perm, 4, &options, NULL, &report), RIFFLE_OK);
    const uint64_t expected = 32 * ((1 << 16) / 32) + (4 * 2 + 4 * 1 + 4 * 2 + 4) * 399;
    assert_int_equal(riffle_report_time_units(report), expected);
    assert_int_equal(riffle_report_predicted_time_units(report), expected);
    assert_int_equal(riffle_report_casual_rounds(report), 0);
    assert_int_equal(riffle_report_hazards(report), 0);
    riffle_report_free(report);
    riffle_perm_free(perm);
}

/* A hundred random permutations, in one row and in rows and columns: no conflict in the models' banks, nor in
 * the hardware's. (That an order without a schedule conflicts is in test_machine_kernels.c.) */
static void every_shared_round_is_conflict_free(void **state) {
    (void)state;
    static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_CONFLICT_FREE, RIFFLE_ALGORITHM_SCHEDULED};
    const unsigned count = is_sanitized() ? 4 : test_rounds(100);
    for (unsigned k = 0; k < count; k++) {
        char spec[32];
        snprintf(spec, sizeof spec, "random:%llu", (unsigned long long)(seed + k));
        riffle_perm *perm = parse_or_fail(spec, 1024);
        const riffle_plan_options options = {.algorithm = algorithms[k / 2 % 2]};
        riffle_report *report;
        assert_int_equal(riffle_simulate(perm, k % 2 == 0 ? 4 : 8, &options, NULL, &report), RIFFLE_OK);
        if (riffle_report_casual_rounds(report) != 0) fail_msg("%s: casual rounds", spec);
        for (size_t line = 0; line < report->lines; line++)
            assert_int_equal(report->line[line].requests, report->line[line].ideal_requests);
        riffle_report_free(report);
        riffle_perm_free(perm);
    }
}

/* No whole warps, no whole rows: everything arrives, nothing is touched that does not exist. */
static void any_length_is_moved_without_a_hazard(void **state) {
    (void)state;
    static const uint64_t lengths[] = {0, 1, 2, 31, 33, 1000, 1023, 4099};
    static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_SCATTER,
                                                  RIFFLE_ALGORITHM_GATHER, RIFFLE_ALGORITHM_SCHEDULED,
                                                  RIFFLE_ALGORITHM_CONFLICT_FREE};
    for (unsigned k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        riffle_perm *perm = parse_or_fail("random:11", lengths[k]);
        for (unsigned a = 0; a < sizeof algorithms / sizeof algorithms[0]; a++) {
            const riffle_plan_options options = {.algorithm = algorithms[a]};
            riffle_report *report;
            if (riffle_simulate(perm, 4, &options, NULL, &report) != RIFFLE_OK)
                fail_msg("n %llu: %s", (unsigned long long)lengths[k], riffle_error_detail());
            assert_int_equal(riffle_report_hazards(report), 0);
            riffle_report_free(report);
        }
        riffle_perm_free(perm);
    }
}

/* A row-wise pass has two arrays of its own: uploaded for each array of the batch they would be more than the
 * machine holds. */
static void a_batch_of_any_number_of_arrays_is_simulated(void **state) {
    (void)state;
    const uint64_t arrays = MACHINE_MAX_ARRAYS / 2 + 1;
    const riffle_machine_options machine = {.width = 4, .block_threads = 4};
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_ROW_WISE, .batch = arrays};
    riffle_perm *perm = parse_or_fail("identity", 16);
    riffle_report *report;
    if (riffle_simulate(perm, 4, &options, &machine, &report) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    assert_int_equal(report->line[report->lines - 1].launch, arrays - 1);
    assert_int_equal(riffle_report_hazards(report), 0);
    riffle_report_free(report);
    riffle_perm_free(perm);
}

/* Rotations, cut-off tiles, padded matrices, blocks of all sizes: all of it is predicted to the last unit. */
typedef struct shape_case {
    const char *spec;
    uint64_t n;
} shape_case;

static const shape_case SHAPES[] = {
    {"identity", 1024},
    {"identity", 1000},
    {"rotate:3", 1000},
    {"rotate:64", 4096},
    {"rotate:-1", 33},
    {"reverse", 1024},
    {"reverse", 777},
    {"reverse", 5},
    {"bit-reversal", 4096},
    {"bit-reversal", 8},
    {"shuffle", 2048},
    {"transpose:32x64", 2048},
    {"transpose:100x30", 3000},
    {"transpose:3x500", 1500},
    {"transpose:33x65", 2145},
    {"transpose:5x7", 35},
    {"random:1", 0},
    {"random:1", 1},
    {"identity", 1},
    {"random:2", 31},
    {"random:3", 1025},
    {"random:4", 4096},
    {"random:5", 3001},
    {"random-affine:6", 2048},
    {"axes:5x9x7:2,0,1", 315},
};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof SHAPES[0] };

/* False if the machine does not do it. */
static bool check_prediction(const shape_case *shape, size_t elem_bytes, const riffle_plan_options *options,
                             const riffle_machine_options *machine) {
    riffle_perm *perm = parse_or_fail(shape->spec, shape->n);
    riffle_report *report;
    const riffle_status status = riffle_simulate(perm, elem_bytes, options, machine, &report);
    riffle_perm_free(perm);
    if (status == RIFFLE_ERROR_UNSUPPORTED) return false;
    assert_int_equal(status, RIFFLE_OK);
    const uint64_t counted = riffle_report_time_units(report);
    if (!report->is_predicted || riffle_report_predicted_time_units(report) != counted)
        fail_msg("%s of %llu, %zu bytes, %s, width %u, blocks of %u: %llu time units, %s %llu", shape->spec,
                 (unsigned long long)shape->n, elem_bytes, riffle_algorithm_string(options->algorithm),
                 machine->width, machine->block_threads, (unsigned long long)counted,
                 report->is_predicted ? "predicted" : "no prediction",
                 (unsigned long long)riffle_report_predicted_time_units(report));
    riffle_report_free(report);
    return true;
}

static void every_prediction_is_what_is_counted(void **state) {
    (void)state;
    static const riffle_algorithm algorithms[] = {RIFFLE_ALGORITHM_COPY,          RIFFLE_ALGORITHM_SCATTER,
                                                  RIFFLE_ALGORITHM_GATHER,        RIFFLE_ALGORITHM_AFFINE,
                                                  RIFFLE_ALGORITHM_BUCKET,        RIFFLE_ALGORITHM_TRANSPOSE,
                                                  RIFFLE_ALGORITHM_ROW_WISE,      RIFFLE_ALGORITHM_SCHEDULED,
                                                  RIFFLE_ALGORITHM_CONFLICT_FREE, RIFFLE_ALGORITHM_COLUMN_WISE};
    enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };
    static const riffle_machine_options machines[] = {
        {.width = 32, .latency = 400, .block_threads = 1024},
        {.width = 8, .latency = 7, .block_threads = 32},
        {.width = 4, .latency = 5, .shared_latency = 3, .block_threads = 48},
        {.width = 16, .latency = 1, .block_threads = 16}};
    unsigned moved[ALGORITHMS] = {0};
    for (unsigned s = 0; s < SHAPE_COUNT; s += is_sanitized() ? 3 : 1) {
        for (unsigned a = 0; a < ALGORITHMS; a++) {
            for (unsigned m = 0; m < sizeof machines / sizeof machines[0]; m++) {
                const riffle_plan_options options = {.algorithm = algorithms[a]};
                moved[a] += check_prediction(&SHAPES[s], 4, &options, &machines[m]);
                if (m == 0) check_prediction(&SHAPES[s], 8, &options, &machines[m]);
                if (m == 1) check_prediction(&SHAPES[s], 2, &options, &machines[m]);
            }
        }
    }
    for (unsigned a = 0; a < ALGORITHMS; a++)
        if (moved[a] == 0) fail_msg("%s moved nothing", riffle_algorithm_string(algorithms[a]));
}

/* Arrays that begin with address groups and others, several DMMs and odd blocks. */
static void batches_and_other_machines(void **state) {
    (void)state;
    const riffle_machine_options plain = {.width = 32, .latency = 400, .block_threads = 1024};
    const shape_case shape = {"random:1", 1000};
    const riffle_plan_options aligned = {.algorithm = RIFFLE_ALGORITHM_SCHEDULED, .batch = 3, .stride = 1024};
    assert_true(check_prediction(&shape, 4, &aligned, &plain));
    static const struct {
        riffle_plan_options options;
        riffle_machine_options machine;
    } others[] = {{{.algorithm = RIFFLE_ALGORITHM_GATHER, .batch = 3, .stride = 1001}, {0}},
                  {{.algorithm = RIFFLE_ALGORITHM_GATHER}, {.dmms = 2}},
                  {{.algorithm = RIFFLE_ALGORITHM_SCHEDULED}, {.dmms = 2}},
                  {{.algorithm = RIFFLE_ALGORITHM_GATHER}, {.block_threads = 100}}};
    for (unsigned k = 0; k < sizeof others / sizeof others[0]; k++)
        assert_true(check_prediction(&shape, 4, &others[k].options, &others[k].machine));
}

/* The count of an algorithm is what riffle_explain's table says, if it says something. */
static void check_explained_row(const riffle_perm *perm, const char *row, unsigned *known) {
    char name[32], time[32];
    if (sscanf(row, "%31s %31s", name, time) != 2 || strcmp(name, "bound") == 0) return;
    riffle_plan_options options = {0};
    assert_int_equal(riffle_algorithm_parse(name, &options.algorithm), RIFFLE_OK);
    riffle_report *report;
    assert_int_equal(riffle_simulate(perm, 4, &options, NULL, &report), RIFFLE_OK);
    const bool is_known = strcmp(time, "-") != 0;
    if (!is_known || strtoull(time, NULL, 10) != riffle_report_time_units(report))
        fail_msg("%s: %s, and %llu are counted", name, time,
                 (unsigned long long)riffle_report_time_units(report));
    *known += is_known;
    riffle_report_free(report);
}

static void explain_tells_what_is_counted(void **state) {
    (void)state;
    unsigned known = 0;
    for (unsigned s = 0; s < SHAPE_COUNT; s += is_sanitized() ? 3 : 1) {
        riffle_perm *perm = parse_or_fail(SHAPES[s].spec, SHAPES[s].n);
        char *text = NULL;
        size_t length = 0;
        FILE *stream = open_memstream(&text, &length);
        assert_non_null(stream);
        assert_int_equal(riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, NULL, stream), RIFFLE_OK);
        fclose(stream);
        char *row = strstr(text, "block exchanges\n");
        while (row != NULL && (row = strchr(row, '\n')) != NULL) check_explained_row(perm, ++row, &known);
        free(text);
        riffle_perm_free(perm);
    }
    assert_true(known > 3 * (SHAPE_COUNT - 1) / (is_sanitized() ? 3 : 1));
}

static void expect_refusal(const char *spec, uint64_t n, size_t elem_bytes, riffle_plan_options options,
                           riffle_machine_options machine, const char *detail) {
    riffle_perm *perm = parse_or_fail(spec, n);
    riffle_report *report = NULL;
    assert_int_equal(riffle_simulate(perm, elem_bytes, &options, &machine, &report), RIFFLE_ERROR_UNSUPPORTED);
    if (strstr(riffle_error_detail(), detail) == NULL)
        fail_msg("'%s' lacks '%s'", riffle_error_detail(), detail);
    assert_null(report);
    riffle_perm_free(perm);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    const riffle_machine_options plain = {0};
    expect_refusal("random:1", 1 << 16, 4, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_CONFLICT_FREE},
                   plain, "shared memory holds two of at most");
    expect_refusal("random:1", 1 << 10, 2, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_SCHEDULED},
                   plain, "elements of 4 and of 8 bytes");
    expect_refusal("random:1", 1 << 10, 12, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_BUCKET}, plain,
                   "1, 2, 4, 8 or 16 bytes");
    expect_refusal("random:1", 1 << 10, 4, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_AXES}, plain,
                   "moves only axes permutations");
    expect_refusal("axes:3x5x7:2,0,1", 105, 4, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_AXES},
                   (riffle_machine_options){.shared_bytes = 255},
                   "less shared memory than a box of one element");
    expect_refusal("random:1", 1 << 10, 4, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_TRANSPOSE},
                   plain, "moves only transposes");
    expect_refusal("reverse", 1 << 10, 4, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_ROW_WISE}, plain,
                   "in another row");
    expect_refusal("identity", 1 << 10, 4, (riffle_plan_options){0}, (riffle_machine_options){.width = 3},
                   "power of two");
    expect_refusal("random:1", 1 << 16, 4, (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_SCHEDULED},
                   (riffle_machine_options){.shared_bytes = 1024}, "");
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_one_to_the_last_unit),
        cmocka_unit_test(rows_longer_than_a_block_pay_the_latency_again),
        cmocka_unit_test(every_shared_round_is_conflict_free),
        cmocka_unit_test(any_length_is_moved_without_a_hazard),
        cmocka_unit_test(a_batch_of_any_number_of_arrays_is_simulated),
        cmocka_unit_test(every_prediction_is_what_is_counted),
        cmocka_unit_test(batches_and_other_machines),
        cmocka_unit_test(explain_tells_what_is_counted),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
