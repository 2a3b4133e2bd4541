/* SPDX-License-Identifier: Apache-2.0
 *
 * The sizes of tiles that were the fastest of all that were timed on an H200, those that a block must not exceed, and what
 * the largest fetch early.
 */
#include "program/fused/policy.h"
#include "program_support.h"

enum { SHARED_BYTES = 227 << 10, BLOCK_THREADS = 1024 };

static program_passes compile(const char *text, unsigned n, riffle_type type, size_t shared_bytes,
                              unsigned block_threads) {
    riffle_program *program = program_or_fail(text, NULL, n);
    program_passes passes;
    assert_int_equal(fused_compile(program, type, shared_bytes, block_threads, &passes), RIFFLE_OK);
    riffle_program_free(program);
    return passes;
}

static void chooses_the_fastest(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned n;
        riffle_type type;
        unsigned tile_bits, passes;
    } cases[] = {
        {"hadamard n", 28, RIFFLE_TYPE_F32, 13, 3}, {"hadamard n", 24, RIFFLE_TYPE_F32, 14, 2},
        {"hadamard n", 20, RIFFLE_TYPE_F32, 13, 2}, {"hadamard n", 15, RIFFLE_TYPE_F32, 15, 1},
        {"hadamard n", 13, RIFFLE_TYPE_F32, 13, 1}, {"sort n", 28, RIFFLE_TYPE_U32, 14, 40},
        {"sort n", 24, RIFFLE_TYPE_U32, 14, 25},    {"sort n", 10, RIFFLE_TYPE_U32, 10, 1},
        {"fft n", 24, RIFFLE_TYPE_C64, 12, 3},      {"fft n", 28, RIFFLE_TYPE_C64, 13, 3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        program_passes passes = compile(cases[k].text, cases[k].n, cases[k].type, SHARED_BYTES, BLOCK_THREADS);
        if (passes.count != cases[k].passes || passes.passes[0].tile_bits != cases[k].tile_bits)
            fail_msg("%s for n = %u: %zu passes of tiles of 2^%u", cases[k].text, cases[k].n, passes.count,
                     passes.passes[0].tile_bits);
        program_passes_free(&passes);
    }
}

static void keeps_to_a_block(void **state) {
    (void)state;
    program_passes passes = compile("hadamard n", 15, RIFFLE_TYPE_F32, SHARED_BYTES, 256);
    assert_int_equal(passes.count, 2);
    assert_in_range(passes.passes[0].tile_bits, 10, 13);
    program_passes_free(&passes);
    passes = compile("hadamard n", 15, RIFFLE_TYPE_F32, 48 << 10, BLOCK_THREADS);
    assert_int_equal(passes.count, 2);
    assert_in_range(passes.passes[0].tile_bits, 10, 13);
    program_passes_free(&passes);
}

static uint32_t sum_of(const uint32_t *vectors, uint32_t number) {
    uint32_t sum = 0;
    for (; number != 0; number &= number - 1) sum ^= vectors[__builtin_ctz(number)];
    return sum;
}

static int compare(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* A block fetches early the lines that the tile is read from, each once. */
static void check_lines(const fused_launch *pass) {
    static uint32_t line[FUSED_ALONE_THREADS];
    const fused_table *t = &pass->table;
    const uint32_t size = 128 / (uint32_t)pass->elem_bytes, held = 128 / (uint32_t)pass->elem_bytes;
    assert_int_equal(t->ahead, 66);
    for (uint32_t k = 0; k < FUSED_ALONE_THREADS; k++) line[k] = sum_of(t->line, k);
    qsort(line, FUSED_ALONE_THREADS, sizeof *line, compare);
    for (uint32_t k = 0; k < FUSED_ALONE_THREADS; k++) {
        assert_int_equal(line[k] % size, 0);
        if (k > 0) assert_int_not_equal(line[k], line[k - 1]);
        for (uint32_t r = 0; r < held; r++) {
            const uint32_t at = (sum_of(t->read.thread, k) ^ sum_of(t->read.held, r)) / size * size;
            assert_non_null(bsearch(&at, line, FUSED_ALONE_THREADS, sizeof *line, compare));
        }
    }
}

static void fetches_lines_early(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned n;
        riffle_type type;
        program_policy policy;
    } cases[] = {
        {"hadamard n", 15, RIFFLE_TYPE_F32, {15, 5}},
        {"hadamard n", 24, RIFFLE_TYPE_F32, {15, 5}},
        {"bit-reversal | sort n", 20, RIFFLE_TYPE_U32, {15, 5}},
        {"fft n", 17, RIFFLE_TYPE_C64, {14, 4}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        riffle_program *program = program_or_fail(cases[k].text, NULL, cases[k].n);
        program_passes passes;
        fused_launches launches = {0};
        assert_int_equal(program_compile(program, cases[k].type, &cases[k].policy, &passes), RIFFLE_OK);
        for (size_t p = 0; p < passes.count; p++)
            assert_int_equal(fused_lower(&passes.passes[p], cases[k].type, 1, p == 0, &launches), RIFFLE_OK);
        fused_fetch_early(&launches, 132);
        for (size_t p = 0; p < launches.count; p++) check_lines(&launches.launches[p]);
        fused_launches_free(&launches);
        program_passes_free(&passes);
        riffle_program_free(program);
    }
}

/* A multiprocessor has several smaller blocks, and others read while one computes. */
static void leaves_small_blocks_alone(void **state) {
    (void)state;
    program_passes passes = compile("hadamard n", 14, RIFFLE_TYPE_F32, SHARED_BYTES, BLOCK_THREADS);
    fused_launches launches = {0};
    assert_int_equal(fused_lower(&passes.passes[0], RIFFLE_TYPE_F32, 1, true, &launches), RIFFLE_OK);
    fused_fetch_early(&launches, 132);
    assert_int_equal(launches.launches[0].table.ahead, 0);
    fused_launches_free(&launches);
    program_passes_free(&passes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_the_fastest),
        cmocka_unit_test(keeps_to_a_block),
        cmocka_unit_test(fetches_lines_early),
        cmocka_unit_test(leaves_small_blocks_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
