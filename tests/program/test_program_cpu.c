/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs on the host against plain evaluation: random ones of every type and length, batches, threads, in place
 * and not; the library's networks, butterflies and Fourier transforms at lengths that take several passes; and what is
 * refused.
 */
#include "own_support.h"
#include "program/cpu/lines/lines.h"
#include "program_support.h"

static uint64_t seed;

/* Every other plan has the instructions of any processor. */
const line_operations *__real_line_operations_best(riffle_type type);
const line_operations *__wrap_line_operations_best(riffle_type type);

const line_operations *__wrap_line_operations_best(riffle_type type) {
    static unsigned calls;
    return calls++ % 2 == 0 ? __real_line_operations_best(type) : &line_operations_portable;
}

typedef struct arrays {
    riffle_type type;
    uint64_t count; /* elements of all */
    size_t bytes;
    char *src, *expected;
    guarded dst;
} arrays;

static arrays arrays_create(rng *r, riffle_type type, uint64_t count) {
    arrays a = {.type = type, .count = count, .bytes = count * riffle_type_bytes(type)};
    a.src = malloc(a.bytes);
    a.expected = malloc(a.bytes);
    assert_true(a.src != NULL && a.expected != NULL);
    a.dst = guarded_create(a.bytes, rng_below(r, 4) * 16);
    fill_elements(r, type, count, a.src);
    memcpy(a.expected, a.src, a.bytes);
    return a;
}

static void arrays_free(arrays *a) {
    free(a->src);
    free(a->expected);
    guarded_free(&a->dst);
}

/* Roots of unity are computed in two ways: complex results may differ in their last bits. */
static bool same_numbers(const arrays *a) {
    if (a->type < RIFFLE_TYPE_C64) return memcmp(a->dst.data, a->expected, a->bytes) == 0;
    double largest = 1, worst = 0;
    for (uint64_t k = 0; k < 2 * a->count; k++) {
        const bool single = a->type == RIFFLE_TYPE_C64;
        const double is =
            single ? (double)((float *)(void *)a->dst.data)[k] : ((double *)(void *)a->dst.data)[k];
        const double should =
            single ? (double)((float *)(void *)a->expected)[k] : ((double *)(void *)a->expected)[k];
        if (!isfinite(is)) return false;
        if (fabs(should) > largest) largest = fabs(should);
        if (fabs(is - should) > worst) worst = fabs(is - should);
    }
    return worst <= largest * (a->type == RIFFLE_TYPE_C64 ? 1e-5 : 1e-13);
}

static void expect(const riffle_program *program, uint64_t batch, arrays *a) {
    const size_t bytes = a->bytes / batch;
    char *const spare = malloc(bytes);
    assert_non_null(spare);
    const bool has_own = program_check_built_in(program) != RIFFLE_OK;
    for (uint64_t k = 0; k < batch; k++) {
        if (has_own) own_evaluate(program, a->type, a->expected + k * bytes, spare);
        if (!has_own && riffle_program_evaluate(program, a->type, a->expected + k * bytes) != RIFFLE_OK)
            fail_msg("%s", riffle_error_detail());
    }
    free(spare);
}

/* Elements, by all passes: half of a program with two sorts of parms may take hundreds in the paper's way. */
enum { MOST_MOVED = 1 << 26 };

static void check_way(const char *text, unsigned n, riffle_type type, const riffle_program_options options,
                      rng *r) {
    const uint64_t batch = options.batch;
    riffle_program *program = program_or_fail(text, NULL, n);
    riffle_program_plan *plan = NULL;
    if (riffle_program_plan_create(program, type, RIFFLE_ENGINE_CPU, &options, &plan) != RIFFLE_OK)
        fail_msg("%s: %s", text, riffle_error_detail());
    if ((uint64_t)riffle_program_plan_passes(plan) << n > MOST_MOVED) {
        riffle_program_plan_free(plan);
        riffle_program_free(program);
        return;
    }
    arrays a = arrays_create(r, type, batch << n);
    expect(program, batch, &a);
    char *const kept = malloc(a.bytes);
    assert_non_null(kept);
    memcpy(kept, a.src, a.bytes);
    assert_int_equal(riffle_program_execute(plan, a.dst.data, a.src), RIFFLE_OK);
    const char *const kind = riffle_type_string(type);
    if (!same_numbers(&a) || !guarded_intact(&a.dst))
        fail_msg("'%s' of %s, 2^%u, batch %llu, %s: seed %llu", text, kind, n, (unsigned long long)batch,
                 riffle_program_algorithm_string(options.algorithm), (unsigned long long)seed);
    if (memcmp(kept, a.src, a.bytes) != 0) fail_msg("'%s' of %s writes src", text, kind);
    if (riffle_program_plan_in_place(plan)) {
        memcpy(a.dst.data, a.src, a.bytes);
        assert_int_equal(riffle_program_execute(plan, a.dst.data, a.dst.data), RIFFLE_OK);
        if (!same_numbers(&a)) fail_msg("'%s' of %s in place: seed %llu", text, kind, (unsigned long long)seed);
    }
    free(kept);
    arrays_free(&a);
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

static void check(const char *text, unsigned n, riffle_type type, uint64_t batch, unsigned threads, rng *r) {
    check_way(text, n, type, (riffle_program_options){.threads = threads, .batch = batch}, r);
    check_way(text, n, type,
              (riffle_program_options){
                  .threads = threads, .batch = batch, .algorithm = RIFFLE_PROGRAM_ALGORITHM_PAPER},
              r);
}

static void random_programs(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(is_sanitized() ? 150 : 600); round++) {
        const unsigned n = (unsigned)rng_below(&r, 16);
        const riffle_type type = (riffle_type)rng_below(&r, TYPES);
        char text[8192];
        random_text(&r, n, type, 6, sizeof text, text);
        check(text, n, type, 1 + rng_below(&r, 9), 1, &r);
    }
}

/* Users' operations, of which each program's are compiled. */
static void random_programs_of_users_operations(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(is_sanitized() ? 10 : 40); round++) {
        const unsigned n = (unsigned)rng_below(&r, round % 10 == 0 ? 18 : 12);
        riffle_type type = (riffle_type)rng_below(&r, TYPES);
        while (!own_takes(type)) type = (riffle_type)rng_below(&r, TYPES);
        char text[8192];
        own_text(&r, n, 4, sizeof text, text);
        check(text, n, type, 1 + rng_below(&r, 5), 1 + (unsigned)rng_below(&r, 2), &r);
    }
}

/* An operation never sees bytes that its group does not hold: zeros here, and beside an array that is shorter than a line. */
static void operations_see_their_groups_alone(void **state) {
    (void)state;
    int32_t data[64];
    for (unsigned n = 2; n <= 6; n++) {
        riffle_program *program = program_or_fail("parm 1 (pair {b / a, a / b}) id", NULL, n);
        riffle_program_plan *plan;
        assert_int_equal(riffle_program_plan_create(program, RIFFLE_TYPE_I32, RIFFLE_ENGINE_CPU, NULL, &plan),
                         RIFFLE_OK);
        for (int k = 0; k < 1 << n; k++) data[k] = k % 2 == 0 ? k + 1 : 0;
        assert_int_equal(riffle_program_execute(plan, data, data), RIFFLE_OK);
        for (int k = 0; k < 1 << n; k++) {
            const int first = k / 4 * 4 + 1, second = first + 2;
            assert_int_equal(data[k], k % 2 != 0 ? 0 : k % 4 == 0 ? second / first : first / second);
        }
        riffle_program_plan_free(plan);
        riffle_program_free(program);
    }
}

static void large_random_programs(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(is_sanitized() ? 6 : 14); round++) {
        const unsigned n = 16 + (unsigned)rng_below(&r, 5);
        const riffle_type type = (riffle_type)rng_below(&r, TYPES);
        char text[8192];
        random_text(&r, n, type, 4, sizeof text, text);
        check(text, n, type, 1 + rng_below(&r, 2), 1 + (unsigned)rng_below(&r, 3), &r);
    }
}

static void the_library_in_several_passes(void **state) {
    (void)state;
    rng r = {seed};
    static const struct {
        const char *text;
        riffle_type type;
    } cases[] = {
        {"hadamard n", RIFFLE_TYPE_F64}, {"walsh n", RIFFLE_TYPE_F32},  {"sequency n", RIFFLE_TYPE_I32},
        {"zeta n", RIFFLE_TYPE_U64},     {"moebius n", RIFFLE_TYPE_I8}, {"reed-muller n", RIFFLE_TYPE_U16},
        {"bitonic n", RIFFLE_TYPE_F32},  {"fft n", RIFFLE_TYPE_C64},    {"inverse-fft n", RIFFLE_TYPE_C128}};
    const unsigned n = test_is_long() ? 19 : 17;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (test_takes(k + seed)) check(cases[k].text, n, cases[k].type, 1, 2, &r);
}

static int by_value(const void *a, const void *b) {
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static void the_networks_sort(void **state) {
    (void)state;
    rng r = {seed};
    static const char *const networks[] = {"sort n", "bitonic n"};
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned n = 0; n <= (is_sanitized() ? 16U : 20U); n += n < 12 ? 3 : 4) {
            riffle_program *program = program_or_fail(networks[k], NULL, n);
            riffle_program_plan *plan;
            assert_int_equal(
                riffle_program_plan_create(program, RIFFLE_TYPE_U32, RIFFLE_ENGINE_CPU, NULL, &plan),
                RIFFLE_OK);
            arrays a = arrays_create(&r, RIFFLE_TYPE_U32, (uint64_t)1 << n);
            qsort(a.expected, a.count, sizeof(uint32_t), by_value);
            assert_int_equal(riffle_program_execute(plan, a.dst.data, a.src), RIFFLE_OK);
            if (!same_numbers(&a)) fail_msg("%s of 2^%u, seed %llu", networks[k], n, (unsigned long long)seed);
            arrays_free(&a);
            riffle_program_plan_free(plan);
            riffle_program_free(program);
        }
    }
}

/* The zero-one principle: all 2^16 inputs of 16 elements at once. */
static void the_networks_sort_all_zero_one_inputs(void **state) {
    (void)state;
    static const char *const networks[] = {"sort n", "bitonic n"};
    enum { INPUTS = 1 << 16 };
    uint8_t *data = malloc(16 * INPUTS);
    assert_non_null(data);
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned i = 0; i < 16 * INPUTS; i++) data[i] = (uint8_t)(i / 16 >> i % 16 & 1);
        riffle_program *program = program_or_fail(networks[k], NULL, 4);
        riffle_program_plan *plan;
        const riffle_program_options options = {.batch = INPUTS};
        assert_int_equal(
            riffle_program_plan_create(program, RIFFLE_TYPE_U8, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
        assert_int_equal(riffle_program_plan_passes(plan), 1);
        assert_int_equal(riffle_program_execute(plan, data, data), RIFFLE_OK);
        for (unsigned i = 0; i < 16 * INPUTS; i++) {
            const unsigned zeros = 16 - (unsigned)__builtin_popcount(i / 16);
            assert_int_equal(data[i], i % 16 >= zeros);
        }
        riffle_program_plan_free(plan);
        riffle_program_free(program);
    }
    free(data);
}

/* 2 - 2^-23 is 2 in halves. */
static void small_halves_just_below_a_power_of_two_are_rounded_up(void **state) {
    (void)state;
    enum { BITS = 10, TWO = 0x4000, LESS = 0x8002 };
    riffle_program *program = program_or_fail("zeta n", NULL, BITS);
    for (unsigned set = 0; set < 2; set++) {
        uint16_t halves[1 << BITS] = {TWO, LESS};
        riffle_program_plan *plan;
        assert_int_equal(
            riffle_program_plan_create(program, RIFFLE_TYPE_F16, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
        assert_int_equal(riffle_program_execute(plan, halves, halves), RIFFLE_OK);
        for (unsigned i = 0; i < 1 << BITS; i++) assert_int_equal(halves[i], TWO);
        riffle_program_plan_free(plan);
    }
    riffle_program_free(program);
}

static void lines_are_the_same_on_every_processor(void **state) {
    (void)state;
    const line_operations *plain = &line_operations_portable;
    rng r = {seed};
    for (riffle_op_kind op = RIFFLE_OP_MINMAX; op < RIFFLE_OP_OWN; op++) {
        for (unsigned type = 0; type < TYPES; type++) {
            const line_operations *best = __real_line_operations_best((riffle_type)type);
            line_kernel *const one = line_kernel_find(best, op, (riffle_type)type);
            line_kernel *const other = line_kernel_find(plain, op, (riffle_type)type);
            assert_int_equal(one == NULL, other == NULL);
            const program_stage stage = {.op = {.kind = op, .parameter = 0.37}, .bits = 1};
            const line_stage s = {.stage = &stage, .type = (riffle_type)type};
            if (op_is_indexed(&stage.op))
                continue; /* roots of unity come with a schedule: random programs test them */
            for (unsigned round = 0; one != NULL && op_takes(&stage.op, (riffle_type)type) && round < 20;
                 round++) {
                _Alignas(LINE_BYTES) char lines[4][LINE_BYTES];
                fill_elements(&r, (riffle_type)type, 2 * LINE_BYTES / riffle_type_bytes((riffle_type)type),
                              lines);
                memcpy(lines[2], lines[0], sizeof lines[0] * 2);
                one(&s, lines[0], lines[1], 0);
                other(&s, lines[2], lines[3], 0);
                assert_memory_equal(lines[0], lines[2], 2 * LINE_BYTES);
                line_kernel_plain(&s, lines[0], lines[1], 0);
                other(&s, lines[2], lines[3], 0);
                assert_memory_equal(lines[0], lines[2], 2 * LINE_BYTES);
            }
        }
    }
}

static bool same_half(uint16_t a, uint16_t b) {
    return a == b || ((a & 0x7fffU) > 0x7c00 && (b & 0x7fffU) > 0x7c00);
}

/* Lines of halves that begin with `first` through one operation in three ways. */
static void check_halves(const line_stage *s, line_kernel *const kernels[3], unsigned first, uint16_t other) {
    enum { HALVES = LINE_BYTES / 2 };
    _Alignas(LINE_BYTES) uint16_t x[3][HALVES], y[3][HALVES];
    for (unsigned way = 0; way < 3; way++) {
        for (unsigned l = 0; l < HALVES; l++) {
            x[way][l] = (uint16_t)(first + l);
            y[way][l] = other;
        }
        kernels[way](s, x[way], y[way], 0);
    }
    for (unsigned l = 0; l < 2 * HALVES; l++) {
        const uint16_t is = l < HALVES ? x[0][l] : y[0][l - HALVES],
                       portable = l < HALVES ? x[1][l] : y[1][l - HALVES];
        const uint16_t should = l < HALVES ? x[2][l] : y[2][l - HALVES];
        if (same_half(is, should) && same_half(portable, should)) continue;
        fail_msg("operation %u of halves %x and %x: %x, portable %x, plain %x", (unsigned)s->stage->op.kind,
                 first + l % HALVES, other, is, portable, should);
    }
}

/* Each half with zeros, subnormals, ones, the largest, infinities and what is no number. */
static void every_half_is_the_definitions(void **state) {
    (void)state;
    static const uint16_t others[] = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00,
                                      0xbc01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e01};
    const line_operations *best = __real_line_operations_best(RIFFLE_TYPE_F16),
                          *plain = &line_operations_portable;
    for (riffle_op_kind op = RIFFLE_OP_MINMAX; op < RIFFLE_OP_OWN; op++) {
        const program_stage stage = {.op = {.kind = op, .parameter = 0.37}, .bits = 1};
        const line_stage s = {.stage = &stage, .type = RIFFLE_TYPE_F16};
        line_kernel *const kernels[] = {line_kernel_find(best, op, RIFFLE_TYPE_F16),
                                        line_kernel_find(plain, op, RIFFLE_TYPE_F16), line_kernel_plain};
        if (kernels[0] == NULL || !op_takes(&stage.op, RIFFLE_TYPE_F16)) continue;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            for (unsigned first = 0; first <= UINT16_MAX; first += LINE_BYTES / 2)
                check_halves(&s, kernels, first, others[k]);
    }
    assert_non_null(line_kernel_find(best, RIFFLE_OP_BUTTERFLY, RIFFLE_TYPE_F16));
    assert_non_null(line_kernel_find(best, RIFFLE_OP_MINMAX, RIFFLE_TYPE_F16));
}

/* The program done to each array of 2^n halves by the loops of a set is its definition, in every bit but those of NaNs. */
static void check_halves_of_set(const char *text, unsigned n, vector_set set, const uint16_t *halves,
                                uint64_t count) {
    riffle_program *program = program_or_fail(text, NULL, n);
    riffle_program_plan *plan;
    const riffle_program_options options = {.batch = count >> n};
    uint16_t *const is = malloc(count * sizeof *is), *const should = malloc(count * sizeof *should);
    assert_true(is != NULL && should != NULL);
    memcpy(should, halves, count * sizeof *should);
    vectors_limit(set);
    for (unsigned k = 0; k < 2; k++) { /* every other plan is the portable one */
        assert_int_equal(
            riffle_program_plan_create(program, RIFFLE_TYPE_F16, RIFFLE_ENGINE_CPU, &options, &plan),
            RIFFLE_OK);
        assert_int_equal(riffle_program_execute(plan, is, halves), RIFFLE_OK);
        riffle_program_plan_free(plan);
        for (uint64_t first = 0; k == 0 && first < count; first += (uint64_t)1 << n)
            assert_int_equal(riffle_program_evaluate(program, RIFFLE_TYPE_F16, should + first), RIFFLE_OK);
        for (uint64_t i = 0; i < count; i++)
            if (!same_half(is[i], should[i]))
                fail_msg("'%s' of 2^%u halves, %s: half %llu is %x, not %x: seed %llu", text, n,
                         vectors_name(set), (unsigned long long)i, is[i], should[i], (unsigned long long)seed);
    }
    vectors_limit(VECTOR_SETS);
    riffle_program_free(program);
    free(is);
    free(should);
}

/* Each half with a random one, and sums of many such; the loops of every set that this processor has. */
static void every_set_adds_halves_the_same(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned n;
    } cases[] = {{"pair minmax", 1}, {"pair add", 1},  {"pair subtract", 1}, {"pair butterfly", 1},
                 {"zeta n", 5},      {"moebius n", 5}, {"hadamard n", 5},    {"zeta n", 11},
                 {"moebius n", 11},  {"hadamard n", 11}};
    enum { HALVES = 2 << 16 };
    rng r = {seed};
    uint16_t *const halves = malloc(HALVES * sizeof *halves);
    assert_non_null(halves);
    for (unsigned i = 0; i < HALVES; i++)
        halves[i] = (uint16_t)(i % 2 == 0 ? i / 2 : rng_below(&r, UINT16_MAX + 1));
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        if (line_operations_of[set] == NULL || !vectors_has(set)) continue;
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            check_halves_of_set(cases[k].text, cases[k].n, set, halves, HALVES);
    }
    free(halves);
}

static void plans_say_what_they_do(void **state) {
    (void)state;
    riffle_program *program = program_or_fail("sequency n", NULL, 26);
    riffle_program_plan *plan;
    assert_int_equal(riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, NULL, &plan),
                     RIFFLE_OK);
    assert_int_equal(riffle_program_plan_stages(plan), 26);
    assert_int_equal(riffle_program_plan_passes(plan), 2);
    assert_int_equal(riffle_program_plan_bound(plan), 2);
    assert_int_equal(riffle_program_plan_in_place(plan), 0);
    assert_true(riffle_program_plan_threads(plan) >= 1);
    char text[4096] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_int_equal(riffle_program_plan_explain(plan, stream), RIFFLE_OK);
    fclose(stream);
    assert_non_null(strstr(text, "passes:    2 fused; no grouping in such tiles has fewer than 2\n"
                                 "           bit by bit 26; the paper's way 52, with a BMMC where elements lie "
                                 "differently\n"));
    char loops[64];
    snprintf(loops, sizeof loops, "\nloops:     %s", vectors_name(vectors_for(LOOPS_PROGRAMS)));
    assert_non_null(strstr(text, loops));
    riffle_program_plan_free(plan);
    const riffle_program_options paper = {.algorithm = RIFFLE_PROGRAM_ALGORITHM_PAPER};
    assert_int_equal(riffle_program_plan_create(program, RIFFLE_TYPE_I8, RIFFLE_ENGINE_CPU, &paper, &plan),
                     RIFFLE_OK);
    assert_int_equal(riffle_program_plan_passes(plan), 52);
    assert_int_equal(riffle_program_plan_bound(plan), 52);
    stream = fmemopen(text, sizeof text, "w");
    assert_int_equal(riffle_program_plan_explain(plan, stream), RIFFLE_OK);
    fclose(stream);
    assert_non_null(strstr(text, "passes:    52, the paper's way: 26 operations and 26 BMMCs\n"
                                 "in place:  no: each BMMC goes from one array to another\n"));
    stream = fmemopen(text, sizeof text, "w");
    assert_int_equal(riffle_program_plan_explain_json(plan, stream), RIFFLE_OK);
    fclose(stream);
    assert_string_equal(
        text, "{\"n\":67108864,\"type\":\"i8\",\"engine\":\"cpu\",\"algorithm\":\"paper\",\"stages\":26,"
              "\"passes\":52,\"bound\":52,\"bit_by_bit\":26,\"paper\":52,\"in_place\":false}\n");
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    char data[256] = {0};
    riffle_program *program = program_or_fail("pair butterfly | reverse", NULL, 3);
    riffle_program_plan *plan = NULL;
    assert_int_equal(riffle_program_plan_create(program, (riffle_type)13, RIFFLE_ENGINE_CPU, NULL, &plan),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_program_plan_create(program, RIFFLE_TYPE_F32, (riffle_engine)7, NULL, &plan),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    const riffle_program_options no_way = {.algorithm = (riffle_program_algorithm)3};
    assert_int_equal(riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, &no_way, &plan),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "there is no way to do programs with number 3");
    const riffle_program_options brings = {.callers_workspace = true};
    assert_int_equal(riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, &brings, &plan),
                     RIFFLE_ERROR_UNSUPPORTED);
    const riffle_program_options many = {.batch = UINT64_MAX / 8};
    assert_int_equal(riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, &many, &plan),
                     RIFFLE_ERROR_LENGTH);
    assert_null(plan);
    assert_int_equal(riffle_program_plan_create(program, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, NULL, &plan),
                     RIFFLE_OK);
    assert_int_equal(riffle_program_execute(plan, data, data), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(),
                        "dst is src, and this plan moves elements: give it a second array");
    assert_int_equal(riffle_program_execute(plan, data + 16, data), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_program_execute(plan, NULL, data), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "dst is NULL but the arrays have 32 bytes");
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(random_programs_of_users_operations),
        cmocka_unit_test(operations_see_their_groups_alone),
        cmocka_unit_test(large_random_programs),
        cmocka_unit_test(the_library_in_several_passes),
        cmocka_unit_test(the_networks_sort),
        cmocka_unit_test(the_networks_sort_all_zero_one_inputs),
        cmocka_unit_test(small_halves_just_below_a_power_of_two_are_rounded_up),
        cmocka_unit_test(lines_are_the_same_on_every_processor),
        cmocka_unit_test(every_half_is_the_definitions),
        cmocka_unit_test(every_set_adds_halves_the_same),
        cmocka_unit_test(plans_say_what_they_do),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
