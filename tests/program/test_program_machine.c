/* SPDX-License-Identifier: Apache-2.0
 *
 * Array programs on the memory machine: the result is that of the passes' definition, every access of global memory is of
 * whole sectors, none of shared memory has a bank conflict, nothing is a hazard.
 */
#include "device/device.h"
#include "machine/runtime/machine.h"
#include "own_support.h"
#include "papers/program/paper.h"
#include "predicted_support.h"
#include "program/fused/fused.h"
#include "program/gpu/launches.h"
#include "program/gpu/own.h"
#include "program/plan.h"
#include "program_support.h"
#include "riffle/cuda.h"
#include "riffle/machine.h"

static uint64_t seed;

typedef struct program_case {
    const char *text;
    unsigned n;
    riffle_type type;
    program_policy policy;
    uint64_t count;
} program_case;

static void fail_case(const program_case *c, const char *what) {
    fail_msg("seed %llu: %s for %llu arrays of 2^%u %s, tiles of 2^%u, lanes 2^%u: %s",
             (unsigned long long)seed, c->text, (unsigned long long)c->count, c->n, riffle_type_string(c->type),
             c->policy.tile_bits, c->policy.lane_bits, what);
}

/* Whole sectors: as many as the bytes fill, one by one. */
static void check_report(const program_case *c, const riffle_report *report) {
    if (report->hazards > 0) fail_case(c, report->hazard[0].text);
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (line->requests == line->ideal_requests) continue;
        fail_case(c, line->space == SPACE_SHARED ? "bank conflict" : "parts of sectors");
    }
}

/* Stages that commute may have changed places: floats differ by roundings. */
static double element_at(riffle_type type, const void *data, uint64_t k) {
    switch (type) {
    case RIFFLE_TYPE_F16: return (double)half_to_float(((const uint16_t *)data)[k]);
    case RIFFLE_TYPE_F32:
    case RIFFLE_TYPE_C64: return (double)((const float *)data)[k];
    default: return ((const double *)data)[k];
    }
}

static void check_elements(const program_case *c, const void *got, const void *wanted, uint64_t total) {
    const uint64_t parts = c->type >= RIFFLE_TYPE_C64 ? 2 : 1;
    if (c->type < RIFFLE_TYPE_F16) {
        if (memcmp(got, wanted, total * riffle_type_bytes(c->type)) != 0) fail_case(c, "differs");
        return;
    }
    double most = 1;
    const double precision = c->type == RIFFLE_TYPE_F16 ? 0.01 : 1e-5;
    for (uint64_t k = 0; k < parts * total; k++) most = fmax(most, fabs(element_at(c->type, wanted, k)));
    for (uint64_t k = 0; k < parts * total; k++) {
        const double difference = fabs(element_at(c->type, got, k) - element_at(c->type, wanted, k));
        if (!(difference <= precision * most)) fail_case(c, "differs");
    }
}

static riffle_status run_pass(machine *m, const program_pass *pass, riffle_type type, uint64_t count,
                              const users_kernel *users, void *const *array) {
    const device on = device_of_machine(m);
    fused_launches all = {0};
    launch_list list;
    riffle_status status = fused_lower(pass, type, count, pass->from != pass->to, &all);
    launch_list_begin(&list);
    if (status == RIFFLE_OK) {
        launch_program_pass(&all, users, array[pass->to], array[pass->from], &list);
        status = device_run(&on, "a pass", &list, NULL);
    }
    fused_launches_free(&all);
    return status;
}

static riffle_status make_arrays(machine *m, const program_passes *passes, size_t bytes, void **array) {
    const bool moves = program_moves(passes);
    riffle_status status = machine_buffer(m, moves ? "dst" : "array", bytes, &array[PROGRAM_DST]);
    array[PROGRAM_SRC] = array[PROGRAM_DST];
    if (status == RIFFLE_OK && moves) status = machine_buffer(m, "src", bytes, &array[PROGRAM_SRC]);
    if (status != RIFFLE_OK || !program_wants_workspace(passes)) return status;
    return machine_buffer(m, "workspace", bytes, &array[PROGRAM_WORKSPACE]);
}

/* Does the passes to `count` arrays of 2^n elements at `data`, by way of the machine's memory: in place, or from one array to another
 * where a pass moves. */
static riffle_status run_passes(machine *m, const program_passes *passes, riffle_type type, uint64_t count,
                                void *data) {
    const size_t bytes = (size_t)count * riffle_type_bytes(type) << passes->n;
    void *array[PROGRAM_ARRAYS] = {NULL};
    riffle_status status = make_arrays(m, passes, bytes, array);
    if (status != RIFFLE_OK) return status;
    memcpy(array[PROGRAM_SRC], data, bytes);
    machine_written(m, array[PROGRAM_SRC], bytes);
    const device on = device_of_machine(m);
    users_kernel users = {0};
    status = own_load_program(&on, passes, type, &users);
    for (size_t k = 0; status == RIFFLE_OK && k < passes->count; k++)
        status = run_pass(m, &passes->passes[k], type, count, users_kernel_of(&users), array);
    users_kernel_unload(&users);
    if (status == RIFFLE_OK && passes->count > 0) memcpy(data, array[PROGRAM_DST], bytes);
    return status;
}

static void check_passes(rng *r, const program_case *c, program_compiler *compiler) {
    riffle_program *program = program_or_fail(c->text, NULL, c->n);
    program_passes passes;
    assert_int_equal(compiler(program, c->type, &c->policy, &passes), RIFFLE_OK);
    const size_t bytes = riffle_type_bytes(c->type) << c->n;
    char *const data = malloc(bytes * c->count), *const wanted = malloc(bytes * c->count);
    assert_non_null(data);
    assert_non_null(wanted);
    fill_elements(r, c->type, c->count << c->n, data);
    memcpy(wanted, data, bytes * c->count);
    for (uint64_t k = 0; k < c->count; k++) plain_passes(&passes, c->type, wanted + k * bytes);
    machine *m = NULL;
    assert_int_equal(machine_create(&(riffle_machine_options){.width = 32}, &m), RIFFLE_OK);
    const riffle_status status = run_passes(m, &passes, c->type, c->count, data);
    check_report(c, machine_report(m));
    if (status != RIFFLE_OK) fail_case(c, riffle_error_detail());
    check_elements(c, data, wanted, c->count << c->n);
    machine_free(m);
    free(wanted);
    free(data);
    program_passes_free(&passes);
    riffle_program_free(program);
}

static void check_case(rng *r, const program_case *c) { check_passes(r, c, program_compile); }

/* Lanes for a sector on both sides, at least; and tiles with room for them, for all sizes that a kernel has. */
static program_policy random_policy(rng *r, riffle_type type) {
    const unsigned unit_bits = (unsigned)__builtin_ctzll(riffle_type_bytes(type));
    const unsigned sector = 5 - unit_bits, most = fused_most_tile_bits(unit_bits);
    const unsigned lanes = sector + (unsigned)rng_below(r, 3), least = 2 * lanes > 9 ? 2 * lanes : 9;
    return (program_policy){least + (unsigned)rng_below(r, most - least + 1), lanes};
}

static void random_programs(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < test_rounds(500); k++) {
        char text[8192];
        program_case c = {.text = text, .n = (unsigned)rng_below(&r, 13)};
        c.type = (riffle_type)rng_below(&r, TYPES);
        c.policy = random_policy(&r, c.type);
        c.count = rng_below(&r, 4) == 0 ? 1 + rng_below(&r, c.n < 8 ? 40 : 3) : 1;
        random_text(&r, c.n, c.type, 4, sizeof text, text);
        check_case(&r, &c);
    }
}

/* Users' operations, each program's compiled: groups of all sizes, and arrays of fewer elements than a thread has room for. */
static void programs_of_users_operations(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < test_rounds(is_sanitized() ? 2 : 6); k++) {
        char text[8192];
        program_case c = {.text = text, .n = 4 + (unsigned)rng_below(&r, 9)};
        do {
            c.type = (riffle_type)rng_below(&r, TYPES);
        } while (!own_takes(c.type));
        c.policy = random_policy(&r, c.type);
        c.count = 1 + rng_below(&r, 3);
        own_text(&r, c.n, 3, sizeof text, text);
        check_case(&r, &c);
    }
}

static void library_programs(void **state) {
    (void)state;
    static const struct {
        const char *text;
        riffle_type type;
    } all[] = {
        {"sort n", RIFFLE_TYPE_U32},     {"bitonic n", RIFFLE_TYPE_I16},
        {"hadamard n", RIFFLE_TYPE_F32}, {"sequency n", RIFFLE_TYPE_F64},
        {"walsh n", RIFFLE_TYPE_F16},    {"zeta n", RIFFLE_TYPE_I64},
        {"moebius n", RIFFLE_TYPE_U8},   {"reed-muller n", RIFFLE_TYPE_U16},
        {"fft n", RIFFLE_TYPE_C64},      {"inverse-fft n", RIFFLE_TYPE_C128},
        {"reverse", RIFFLE_TYPE_I32},    {"gray n", RIFFLE_TYPE_U64},
    };
    rng r = {seed};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (unsigned n = 0; n <= 13; n++) {
            program_case c = {all[k].text, n, all[k].type, random_policy(&r, all[k].type),
                              1 + rng_below(&r, 3)};
            check_case(&r, &c);
        }
    }
}

/* The paper's way between operations, and operations on neighbours. */
static void the_papers_way(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < test_rounds(60); k++) {
        char text[8192];
        program_case c = {.text = text, .n = (unsigned)rng_below(&r, 12)};
        c.type = (riffle_type)rng_below(&r, TYPES);
        c.policy = random_policy(&r, c.type);
        c.count = 1 + rng_below(&r, 2);
        random_text(&r, c.n, c.type, 3, sizeof text, text);
        check_passes(&r, &c, paper_compile);
    }
}

/* --------------------------------------------------------------------- the door */

static riffle_report *report_or_fail(const char *text, unsigned n, riffle_type type,
                                     const riffle_program_options *options) {
    riffle_program *program = program_or_fail(text, NULL, n);
    riffle_report *report = NULL;
    if (riffle_simulate_program(program, type, options, NULL, &report) != RIFFLE_OK)
        fail_msg("%s: %s", text, riffle_error_detail());
    riffle_program_free(program);
    return report;
}

static riffle_machine_options random_machine(rng *r) {
    static const unsigned latencies[] = {1, 5, 400}, dmms[] = {1, 1, 3, 16};
    return (riffle_machine_options){.latency = latencies[rng_below(r, 3)],
                                    .shared_latency = 1 + (unsigned)rng_below(r, 3),
                                    .dmms = dmms[rng_below(r, 4)]};
}

/* The same time units, exactly, of a machine that runs nothing; for a GPU without numbers, which has an H200's. */
static void check_explained(const riffle_program *program, riffle_type type,
                            const riffle_program_options *options, const riffle_machine_options *on,
                            const riffle_report *report) {
    const riffle_cuda_device unnamed = {.name = ""};
    const riffle_explanation how = {.model = *on, .gpu = &unnamed, .json = true};
    char *text, wanted[80];
    size_t bytes;
    FILE *const stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(riffle_explain_program(program, type, RIFFLE_ENGINE_CUDA, options, &how, stream),
                     RIFFLE_OK);
    fclose(stream);
    snprintf(wanted, sizeof wanted, "\"time_units\":%llu,\"meaning\":\"exact\"",
             (unsigned long long)riffle_report_predicted_time_units(report));
    if (strstr(text, wanted) == NULL)
        fail_msg("seed %llu: %s is not in %s", (unsigned long long)seed, wanted, text);
    free(text);
}

/* Machines of another width. */
static void explain_says_what_it_cannot(void **state) {
    (void)state;
    const riffle_explanation narrow = {.model = {.width = 16}};
    riffle_program *const sort = program_or_fail("sort n", NULL, 6);
    char *text;
    size_t bytes;
    FILE *const stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(riffle_explain_program(sort, RIFFLE_TYPE_I32, RIFFLE_ENGINE_CUDA, NULL, &narrow, stream),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "width of 16"));
    assert_int_equal(riffle_explain_program(sort, RIFFLE_TYPE_C64, RIFFLE_ENGINE_CUDA, NULL, NULL, stream),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_int_equal(riffle_explain_program(sort, RIFFLE_TYPE_I32, RIFFLE_ENGINE_CUDA, NULL, NULL, NULL),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    fclose(stream);
    free(text);
    riffle_program_free(sort);
}

/* Users' operations, whose launches are predicted to the last unit where they compute in registers alone. */
static void users_operations_are_predicted(void **state) {
    (void)state;
    static const char *const all[] = {"pair {a + b, a - b} | parm 1 (group 2 {a3, a2, a1, a0 + i})",
                                      "map {a + 1} | sort n", "parm 21 (pair {b, a}) | bit-reversal"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        riffle_program *const program = program_or_fail(all[k], NULL, 10);
        riffle_report *report;
        char what[400];
        assert_int_equal(riffle_simulate_program(program, RIFFLE_TYPE_I32, NULL, NULL, &report), RIFFLE_OK);
        assert_string_equal(report->predicted_meaning, "estimated");
        if (predicted_differs(report, predicted_equal, sizeof what, what)) fail_msg("%s: %s", all[k], what);
        riffle_report_free(report);
        riffle_program_free(program);
    }
}

static void predict_one(rng *r, riffle_program_algorithm algorithm) {
    char text[8192];
    const unsigned n = (unsigned)rng_below(r, algorithm == RIFFLE_PROGRAM_ALGORITHM_PAPER ? 10 : 14);
    const riffle_type type = (riffle_type)rng_below(r, TYPES);
    const riffle_machine_options on = random_machine(r);
    const riffle_program_options options = {.algorithm = algorithm, .batch = 1 + rng_below(r, n < 8 ? 40 : 3)};
    random_text(r, n, type, 3, sizeof text, text);
    riffle_program *program = program_or_fail(text, NULL, n);
    riffle_report *report;
    if (riffle_simulate_program(program, type, &options, &on, &report) != RIFFLE_OK)
        fail_msg("seed %llu: %s: %s", (unsigned long long)seed, text, riffle_error_detail());
    assert_predicted(BOUND_PROGRAMS, report, text, seed);
    check_explained(program, type, &options, &on, report);
    riffle_report_free(report);
    riffle_program_free(program);
}

/* Random programs for batches, on any machine of width 32, by both algorithms. */
static void each_launch_is_counted_as_predicted(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned k = 0; k < test_rounds(20); k++) {
        predict_one(&r, RIFFLE_PROGRAM_ALGORITHM_FUSED);
        predict_one(&r, RIFFLE_PROGRAM_ALGORITHM_PAPER);
    }
}

/* The door checks each result itself: against plain recursion. */
static void the_door_reports(void **state) {
    (void)state;
    const riffle_program_options paper = {.algorithm = RIFFLE_PROGRAM_ALGORITHM_PAPER}, batch = {.batch = 6};
    for (unsigned n = 0; n <= 12; n += 4) {
        riffle_report *one = report_or_fail("sort n", n, RIFFLE_TYPE_U32, NULL);
        riffle_report *other = report_or_fail("sort n", n, RIFFLE_TYPE_U32, &paper);
        assert_true(one->n == (uint64_t)1 << n && strcmp(one->algorithm, "fused") == 0);
        assert_string_equal(other->algorithm, "paper");
        assert_predicted(BOUND_PROGRAMS, one, "sort n", seed);
        assert_predicted(BOUND_PROGRAMS, other, "sort n, the paper's way", seed);
        assert_int_equal(riffle_report_hazards(one) + riffle_report_hazards(other), 0);
        if (n == 12) /* 1 pass, and 156 */
            assert_true(riffle_report_time_units(other) > 20 * riffle_report_time_units(one));
        riffle_report_free(one);
        riffle_report_free(other);
    }
    /* A third array is brought for arrays of the host. */
    const riffle_program_options brings = {.algorithm = paper.algorithm, .callers_workspace = true};
    riffle_report_free(report_or_fail("sort n", 8, RIFFLE_TYPE_U32, &brings));
    static const riffle_type types[] = {RIFFLE_TYPE_F16, RIFFLE_TYPE_F32, RIFFLE_TYPE_F64, RIFFLE_TYPE_C64,
                                        RIFFLE_TYPE_C128};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        riffle_report_free(report_or_fail("sequency n", 11, types[k], &batch));
        riffle_report_free(report_or_fail("sequency n", 11, types[k], &paper));
    }
    riffle_report_free(report_or_fail("fft n | inverse-fft n", 10, RIFFLE_TYPE_C64, &batch));
    riffle_report_free(report_or_fail("id", 3, RIFFLE_TYPE_U8, NULL));
}

static void the_door_refuses(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
        riffle_type type;
        unsigned width;
        riffle_status status;
    } all[] = {
        {"sort n", "kernels of programs have warps of 32; this machine has width 16", RIFFLE_TYPE_U32, 16,
         RIFFLE_ERROR_UNSUPPORTED},
        {"pair xor",
         "program, line 1, character 6: xor is not defined for elements of type f32; it takes integers",
         RIFFLE_TYPE_F32, 32, RIFFLE_ERROR_UNSUPPORTED},
        {"sort n", "there is no type with number 13", (riffle_type)13, 32, RIFFLE_ERROR_INVALID_ARGUMENT},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        riffle_program *program = program_or_fail(all[k].text, NULL, 6);
        riffle_report *report = NULL;
        const riffle_machine_options of_width = {.width = all[k].width};
        assert_int_equal(riffle_simulate_program(program, all[k].type, NULL, &of_width, &report),
                         all[k].status);
        assert_string_equal(riffle_error_detail(), all[k].message);
        assert_null(report);
        riffle_program_free(program);
    }
}

/* All instructions of such a transform are one word long. */
static bool has_cycle(const fused_table *table, uint32_t bits) {
    for (const uint32_t *code = table->code; *code != FUSED_END; code++)
        if ((*code & 0xff) == FUSED_CYCLE && *code >> 16 == bits) return true;
    return false;
}

/* Up to the largest tile: registers, lanes and warps go round with each number of warps. */
static void largest_tiles(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned n = 11; n <= 15; n++) {
        const program_case c = {"hadamard n", n, RIFFLE_TYPE_F32, {n, 5}, 1};
        riffle_program *program = program_or_fail(c.text, NULL, n);
        program_passes passes;
        fused_launches launches = {0};
        assert_int_equal(program_compile(program, c.type, &c.policy, &passes), RIFFLE_OK);
        assert_int_equal(fused_lower(&passes.passes[0], c.type, 1, true, &launches), RIFFLE_OK);
        assert_int_equal(launches.count, 1);
        if (!has_cycle(&launches.launches[0].table, n - 10))
            fail_case(&c, "registers, lanes and warps do not go round");
        fused_launches_free(&launches);
        program_passes_free(&passes);
        riffle_program_free(program);
        check_case(&r, &c);
    }
    check_case(&r, &(program_case){"sort n", 14, RIFFLE_TYPE_U32, {14, 5}, 1});
    check_case(&r, &(program_case){"walsh n", 15, RIFFLE_TYPE_F16, {15, 6}, 1});
    check_case(&r, &(program_case){"fft n", 13, RIFFLE_TYPE_C64, {13, 4}, 1});
}

/* So many that blocks of several warps have several each, and some are left. */
static void many_arrays(void **state) {
    (void)state;
    rng r = {seed};
    check_case(&r, &(program_case){"hadamard n", 9, RIFFLE_TYPE_F64, {10, 3}, (1 << 10) + 37});
    check_case(&r, &(program_case){"fft n", 5, RIFFLE_TYPE_C128, {8, 1}, (1 << 13) + 1});
}

static void launches_are_bounded(void **state) {
    (void)state;
    program_pass pass = {.n = 33, .tile_bits = 10};
    fused_launches none = {0};
    assert_int_equal(fused_lower(&pass, RIFFLE_TYPE_U8, 1, true, &none), RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(riffle_error_detail(), "arrays of 2^33 elements are too long: 2^32 at most");
    pass.n = 20;
    assert_int_equal(fused_lower(&pass, RIFFLE_TYPE_U8, (uint64_t)1 << 40, true, &none),
                     RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "are more than a launch's 2147483647 blocks"));
    assert_int_equal(none.count, 0);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(library_programs),
        cmocka_unit_test(the_papers_way),
        cmocka_unit_test(each_launch_is_counted_as_predicted),
        cmocka_unit_test(the_door_reports),
        cmocka_unit_test(the_door_refuses),
        cmocka_unit_test(largest_tiles),
        cmocka_unit_test(many_arrays),
        cmocka_unit_test(launches_are_bounded),
        cmocka_unit_test(programs_of_users_operations),
        cmocka_unit_test(explain_says_what_it_cannot),
        cmocka_unit_test(users_operations_are_predicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
