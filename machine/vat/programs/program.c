/* SPDX-License-Identifier: Apache-2.0
 *
 * The programs' sizes and inputs.
 */
#include "machine/vat/programs/program.h"

#include <string.h>

#include "base/status.h"
#include "machine/library.h"
#include "machine/vat/programs/random.h"
#include "machine/vat/programs/van_emde_boas.h"

riffle_status program_check(riffle_vat_program program, uint64_t n) {
    if ((unsigned)program >= RIFFLE_VAT_PROGRAM_COUNT) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no program %u; they are numbered 0 to %u",
                    (unsigned)program, RIFFLE_VAT_PROGRAM_COUNT - 1);
    }
    if (n > RIFFLE_MAX_LENGTH) {
        return fail(RIFFLE_ERROR_LENGTH, "%s: size %llu is above 2^%d", riffle_vat_program_string(program),
                    (unsigned long long)n, RIFFLE_MAX_BITS);
    }
    return RIFFLE_OK;
}

uint64_t program_side(uint64_t n) {
    uint64_t side = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit > 0; bit >>= 1) {
        if ((side + bit) * (side + bit) <= n) side += bit;
    }
    return side;
}

/* floor(log2 v) for v > 0. */
static unsigned floor_log2(uint64_t v) { return 63 - (unsigned)__builtin_clzll(v); }

/* The levels of the largest complete tree with at most n <= RIFFLE_MAX_LENGTH nodes. */
static unsigned tree_height(uint64_t n) { return floor_log2(n + 1); }

uint64_t program_size(riffle_vat_program program, uint64_t n) {
    switch (program) {
    case RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS: return ((uint64_t)1 << tree_height(n)) - 1;
    case RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS:
    case RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS: return program_side(n) * program_side(n);
    case RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE:
    case RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE: return n == 0 ? 0 : (uint64_t)1 << floor_log2(n) / 2 * 2;
    default: return n;
    }
}

unsigned program_arrays(riffle_vat_program program) {
    switch (program) {
    case RIFFLE_VAT_PROGRAM_TRANSPOSE_ROWS:
    case RIFFLE_VAT_PROGRAM_TRANSPOSE_RECURSIVE: return 2;
    case RIFFLE_VAT_PROGRAM_MULTIPLY_ROWS:
    case RIFFLE_VAT_PROGRAM_MULTIPLY_RECURSIVE: return 3;
    default: return 1;
    }
}

uint64_t vat_program_elements(riffle_vat_program program, uint64_t n) {
    if ((unsigned)program >= RIFFLE_VAT_PROGRAM_COUNT || n > RIFFLE_MAX_LENGTH) return 0;
    return program_arrays(program) * program_size(program, n);
}

static void fill_random(uint64_t n, uint64_t seed, uint64_t *array) {
    uint64_t state = ~seed; /* another stream than the one that the program draws from `seed` */
    for (uint64_t i = 0; i < n; i++) array[i] = splitmix_next(&state);
}

static void fill_ranks(uint64_t n, uint64_t *array) {
    for (uint64_t i = 0; i < n; i++) array[i] = i;
}

static void fill_keys(uint64_t n, uint64_t *array) {
    for (uint64_t i = 0; i < n; i++) array[i] = key_of_rank(i);
}

riffle_status vat_program_prepare(riffle_vat_program program, uint64_t n, uint64_t seed, uint64_t *array) {
    if (vat_program_elements(program, n) > 0) RETURN_IF_NULL(array);
    const riffle_status status = program_check(program, n);
    if (status != RIFFLE_OK) return status;
    const uint64_t size = program_size(program, n);
    const unsigned arrays = program_arrays(program), inputs = arrays > 1 ? arrays - 1 : 1;
    switch (program) {
    case RIFFLE_VAT_PROGRAM_PERMUTE: fill_ranks(size, array); break;
    case RIFFLE_VAT_PROGRAM_BINARY_SEARCH: fill_keys(size, array); break;
    case RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS: van_emde_boas_fill(tree_height(n), array); break;
    default: fill_random(inputs * size, seed, array); break;
    }
    /* The array to be written is touched as well, so that a timed run meets pages that exist. */
    if (arrays > inputs && size > 0) memset(array + inputs * size, 0, size * sizeof *array);
    return RIFFLE_OK;
}
