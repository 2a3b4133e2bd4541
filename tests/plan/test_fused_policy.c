/* SPDX-License-Identifier: Apache-2.0
 *
 * The sizes of tiles that were the fastest of all that were timed on an H200, and those that a block must not exceed.
 */
#include "plan/fused/policy.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_the_fastest),
        cmocka_unit_test(keeps_to_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
