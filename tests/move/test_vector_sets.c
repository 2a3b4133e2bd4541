/* SPDX-License-Identifier: Apache-2.0
 *
 * Results do not depend on the vector instructions that a processor has: each set that this one has gives the same bytes as
 * plain C. A table of loops has the sets that base/processor/vectors.c says.
 */
#include "move/cpu/passes/affine_lines/affine_lines.h"
#include "move/cpu/passes/reverse_run/reverse_run.h"
#include "move/cpu/passes/tile_kernels/tile_kernels.h"
#include "program/cpu/lines/lines.h"
#include "riffle/sort.h"
#include "support.h"

enum { BYTES = 1 << 16 };

static uint64_t seed;
static unsigned char source[BYTES], first_result[BYTES], result[BYTES];

/* Runs `compute`, which fills result[], by each set that is here, and compares the results. */
static void compare_sets(void (*compute)(const void *), const void *context, const char *what) {
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        if (!vectors_has(set)) continue;
        vectors_limit(set);
        memset(result, POISON_VALUE, sizeof result);
        compute(context);
        vectors_limit(VECTOR_SETS);
        if (set == VECTORS_PORTABLE) memcpy(first_result, result, sizeof result);
        if (memcmp(first_result, result, sizeof result) != 0)
            fail_msg("seed %llu, %s: %s differs from plain C", (unsigned long long)seed, what,
                     vectors_name(set));
    }
}

typedef struct move {
    const char *spec;
    size_t elem_bytes;
    bool in_place;
    uint64_t batch;
} move;

static void run_move(const void *context) {
    const move *const m = context;
    riffle_perm *perm;
    riffle_plan *plan;
    const uint64_t n = BYTES / m->elem_bytes / m->batch;
    const riffle_plan_options options = {.threads = 2, .in_place = m->in_place, .batch = m->batch};
    assert_int_equal(riffle_perm_parse(m->spec, n, &perm), RIFFLE_OK);
    assert_int_equal(riffle_plan_create(perm, m->elem_bytes, RIFFLE_ENGINE_CPU, &options, &plan), RIFFLE_OK);
    if (m->in_place) memcpy(result, source, sizeof result);
    assert_int_equal(riffle_execute(plan, result, m->in_place ? result : source), RIFFLE_OK);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

static void moves_are_the_same(void **state) {
    (void)state;
    static const char *const specs[] = {"bit-reversal", "reverse",  "random-affine:3",
                                        "shuffle",      "rotate:7", "random:5"};
    enum { ALSO_IN_PLACE = 4 };
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
        for (size_t elem_bytes = 1; elem_bytes <= 64; elem_bytes *= 2)
            for (uint64_t batch = 1; batch <= 16; batch *= 4)
                for (unsigned in_place = 0; in_place < (k < ALSO_IN_PLACE ? 2 : 1); in_place++) {
                    const move m = {specs[k], elem_bytes, in_place != 0, batch};
                    compare_sets(run_move, &m, specs[k]);
                }
}

static void reversals_are_the_same(void **state) {
    (void)state;
    for (size_t elem_bytes = 1; elem_bytes <= 17; elem_bytes++)
        for (uint64_t batch = 1; batch <= 256; batch *= 16) {
            const move m = {"reverse", elem_bytes, false, batch};
            compare_sets(run_move, &m, "reverse");
        }
}

static void run_axes(const void *context) {
    const size_t elem_bytes = *(const size_t *)context;
    const uint64_t shape[] = {7, BYTES / elem_bytes / 7 / 3, 3};
    const unsigned order[] = {2, 0, 1};
    riffle_perm *perm;
    riffle_plan *plan;
    assert_int_equal(riffle_perm_axes(3, shape, order, &perm), RIFFLE_OK);
    assert_int_equal(riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    assert_int_equal(riffle_execute(plan, result, source), RIFFLE_OK);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
}

static void axes_are_the_same(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 24};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) compare_sets(run_axes, &sizes[k], "axes");
}

static void run_sort(const void *context) {
    const riffle_type type = *(const riffle_type *)context;
    riffle_sort_key key;
    riffle_sort_plan *plan;
    assert_int_equal(riffle_sort_key_of_type(type, 0, &key), RIFFLE_OK);
    assert_int_equal(riffle_sort_plan_create(BYTES / key.elem_bytes, &key, RIFFLE_ENGINE_CPU, NULL, &plan),
                     RIFFLE_OK);
    assert_int_equal(riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = result, .from_keys = source}),
                     RIFFLE_OK);
    riffle_sort_plan_free(plan);
}

static void sorts_are_the_same(void **state) {
    (void)state;
    static const riffle_type types[] = {RIFFLE_TYPE_U32, RIFFLE_TYPE_I64};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) compare_sets(run_sort, &types[k], "sort");
}

/* Programs for which each type has stages between lines, within them and, at odd masks, of any kind. */
typedef struct computed {
    const char *text;
    riffle_type type;
    unsigned bits;
} computed;

/* Halves that are no number have any sign and payload. */
static void forget_payloads(void) {
    for (size_t k = 0; k < BYTES; k += sizeof(uint16_t)) {
        uint16_t half;
        memcpy(&half, result + k, sizeof half);
        if ((half & 0x7fff) > 0x7c00) half = 0x7e00;
        memcpy(result + k, &half, sizeof half);
    }
}

static void run_program(const void *context) {
    const computed *const c = context;
    riffle_program *program;
    riffle_program_plan *plan;
    assert_int_equal(riffle_program_parse(c->text, NULL, c->bits, &program), RIFFLE_OK);
    assert_int_equal(riffle_program_plan_create(program, c->type, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    assert_int_equal(riffle_program_execute(plan, result, source), RIFFLE_OK);
    if (c->type == RIFFLE_TYPE_F16) forget_payloads();
    riffle_program_plan_free(plan);
    riffle_program_free(program);
}

/* Numbers of a type in source: no floats that are none. */
static void fill_numbers(rng *r, riffle_type type) {
    for (size_t k = 0; k < BYTES; k += sizeof(uint64_t)) {
        const uint64_t bits = rng_next(r);
        const double number = (double)(int64_t)bits * 0x1p-60;
        const float numbers[2] = {(float)number, (float)(int32_t)bits};
        if (type == RIFFLE_TYPE_F64 || type == RIFFLE_TYPE_C128) {
            memcpy(source + k, &number, sizeof number);
        } else if (type == RIFFLE_TYPE_F32 || type == RIFFLE_TYPE_C64) {
            memcpy(source + k, numbers, sizeof numbers);
        } else {
            memcpy(source + k, &bits, sizeof bits);
        }
    }
}

static void compare_program(const char *text, riffle_type type) {
    const unsigned most = (unsigned)__builtin_ctzll(BYTES / riffle_type_bytes(type));
    for (unsigned bits = 3; bits <= most; bits += bits < 12 ? 1 : most - bits > 0 ? most - bits : 1) {
        const computed c = {text, type, bits};
        compare_sets(run_program, &c, text);
    }
}

static bool takes(const char *text, riffle_type type) {
    if (strstr(text, "fft") != NULL || strstr(text, "rotate") != NULL) return type >= RIFFLE_TYPE_C64;
    if (strstr(text, "sort") != NULL) return type < RIFFLE_TYPE_C64;
    if (strstr(text, "reed") != NULL) return type < RIFFLE_TYPE_F16;
    return strstr(text, "scale") == NULL || type >= RIFFLE_TYPE_F16;
}

static void programs_are_the_same(void **state) {
    (void)state;
    static const char *const texts[] = {"hadamard n",       "zeta n",
                                        "moebius n",        "sort n",
                                        "reed-muller n",    "fft n",
                                        "inverse-fft n",    "map negate | reverse",
                                        "map (scale 0.37)", "parm 5 (pair swap) id"};
    rng r = {seed};
    for (unsigned type = RIFFLE_TYPE_I8; type <= RIFFLE_TYPE_C128; type++) {
        fill_numbers(&r, (riffle_type)type);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            if (takes(texts[k], (riffle_type)type)) compare_program(texts[k], (riffle_type)type);
    }
}

/* Small halves, with and without -0 and a large one among them, take other ways through the same sums. */
static void programs_of_small_halves_are_the_same(void **state) {
    (void)state;
    static const char *const texts[] = {"hadamard n", "zeta n", "moebius n"};
    rng r = {seed};
    for (unsigned kind = 0; kind < 4; kind++) {
        for (size_t k = 0; k < BYTES; k += sizeof(uint16_t)) {
            uint16_t half = (uint16_t)(rng_next(&r) & (kind == 0 ? 0xbfff : 0xa7ff));
            if (kind < 2 && half == 0x8000) half = 0;
            if (kind == 3 && rng_below(&r, 400) == 0) half = 0x7a00;
            memcpy(source + k, &half, sizeof half);
        }
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) compare_program(texts[k], RIFFLE_TYPE_F16);
    }
}

static void tables_have_what_is_written(void **state) {
    (void)state;
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        if (!vectors_has(set)) continue; /* other architectures' sets are not built */
        assert_int_equal(affine_lines_ranges[set] != NULL, vectors_are_written(LOOPS_AFFINE, set));
        assert_int_equal(reverse_runs[set] != NULL, vectors_are_written(LOOPS_REVERSALS, set));
        assert_int_equal(tile_kernels_of[set] != NULL, vectors_are_written(LOOPS_AXES, set));
        assert_int_equal(line_operations_of[set] != NULL, vectors_are_written(LOOPS_HALVES, set));
    }
}

int main(void) {
    seed = test_seed();
    rng r = {seed};
    for (size_t k = 0; k < sizeof source; k++) source[k] = (unsigned char)rng_next(&r);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_the_same),          cmocka_unit_test(reversals_are_the_same),
        cmocka_unit_test(axes_are_the_same),           cmocka_unit_test(sorts_are_the_same),
        cmocka_unit_test(programs_are_the_same),       cmocka_unit_test(programs_of_small_halves_are_the_same),
        cmocka_unit_test(tables_have_what_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
