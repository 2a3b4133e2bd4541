/* SPDX-License-Identifier: Apache-2.0
 *
 * Codes (sort/key.h) compared with the definition's order of numbers (sort/definition.h): every half, pairs of all kinds, keys of
 * several fields. Codes are a bijection. Keys that are refused.
 */
#include "sort/key_pieces.h"
#include "sort_support.h"
#include "support.h"

static int sign_by(sort_before *before, const sort_layout *layout, const void *a, const void *b) {
    return before(layout, a, b) ? -1 : before(layout, b, a) ? 1 : 0;
}

static sort_layout layout_of(const riffle_sort_key *key) {
    sort_layout layout;
    if (sort_layout_make(key, &layout) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    return layout;
}

/* All halves in the order of their codes are in that of the definition, and come back. */
static void test_halves(void **state) {
    (void)state;
    for (int descending = 0; descending < 2; descending++) {
        riffle_sort_key key;
        assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_F16, descending, &key), RIFFLE_OK);
        const sort_layout layout = layout_of(&key);
        uint16_t before = 0;
        for (uint32_t code = 0; code < 1U << 16; code++) {
            const uint16_t half = (uint16_t)sort_bits_of(&layout.field[0], code);
            assert_int_equal(sort_code_of(&layout.field[0], half), code);
            if (code > 0) assert_true(sort_before_by_number(&layout, &before, &half));
            before = half;
        }
    }
}

static void test_numbers(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(20000); round++) {
        const riffle_sort_key key = sort_random_number(&r);
        const sort_layout layout = layout_of(&key);
        if (key.field[0].bytes > 8 || key.field[0].kind == RIFFLE_SORT_KEY_BYTES) continue;
        uint64_t bits[2] = {0}, code[2];
        for (unsigned k = 0; k < 2; k++) {
            sort_fill(&r, &key, (sort_shape)rng_below(&r, SORT_SHAPES), &bits[k], 1);
            code[k] = sort_code_of(&layout.field[0], bits[k]);
            if (sort_bits_of(&layout.field[0], code[k]) != bits[k])
                fail_msg("seed %llu", (unsigned long long)seed);
        }
        const int sign = (code[0] > code[1]) - (code[0] < code[1]);
        if (sign != sign_by(sort_before_by_number, &layout, &bits[0], &bits[1]))
            fail_msg("seed %llu, round %u", (unsigned long long)seed, round);
    }
}

static uint64_t piece_code(const key_piece *piece, const unsigned char *element) {
    uint64_t bits = 0;
    memcpy(&bits, element + piece->offset, piece->bytes);
    if (piece->kind == RIFFLE_SORT_KEY_BYTES) bits = sort_read_big(element + piece->offset, piece->bytes);
    return key_piece_code(piece, bits);
}

static int compare_pieces(const key_pieces *pieces, const unsigned char *a, const unsigned char *b) {
    for (unsigned k = 0; k < pieces->count; k++) {
        const uint64_t x = piece_code(&pieces->piece[k], a), y = piece_code(&pieces->piece[k], b);
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static void test_rows(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(20000); round++) {
        const riffle_sort_key key = sort_random_row(&r);
        const sort_layout layout = layout_of(&key);
        const key_pieces pieces = key_pieces_of(&layout);
        unsigned char pair[2][256];
        const sort_shape shape = (sort_shape)rng_below(&r, SORT_SHAPES);
        for (unsigned k = 0; k < 2; k++) sort_fill(&r, &key, shape, pair[k], 1);
        assert_int_equal(pieces.bytes, layout.key_bytes);
        if (compare_pieces(&pieces, pair[0], pair[1]) !=
            sign_by(sort_before_by_fields, &layout, pair[0], pair[1]))
            fail_msg("seed %llu, round %u", (unsigned long long)seed, round);
    }
}

static void expect_refusal(const riffle_sort_key *key, riffle_status status, const char *words) {
    sort_layout layout;
    assert_int_equal(sort_layout_make(key, &layout), status);
    assert_string_equal(riffle_error_detail(), words);
}

static void test_refusals(void **state) {
    (void)state;
    riffle_sort_key key = {
        .elem_bytes = 8, .fields = 1, .field = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 3}}};
    expect_refusal(&key, RIFFLE_ERROR_INVALID_ARGUMENT, "field 0: there are no floats of 3 bytes");
    key.field[0] = (riffle_sort_field){.kind = RIFFLE_SORT_KEY_SIGNED, .bytes = 4, .offset = 5};
    expect_refusal(&key, RIFFLE_ERROR_INVALID_ARGUMENT,
                   "field 0: bytes 5 to 8 are not in an element of 8 bytes");
    key.field[0].kind = (riffle_sort_key_kind)9;
    expect_refusal(&key, RIFFLE_ERROR_INVALID_ARGUMENT, "field 0: there is no kind with number 9");
    key.fields = 0;
    expect_refusal(&key, RIFFLE_ERROR_INVALID_ARGUMENT, "a key of 0 fields; it has 1 to 16");
    key.elem_bytes = 0;
    expect_refusal(&key, RIFFLE_ERROR_INVALID_ARGUMENT, "elements of 0 bytes; they have 1 to 2^20");
    riffle_sort_key wide = {.elem_bytes = 80, .fields = 2};
    wide.field[0] = (riffle_sort_field){.kind = RIFFLE_SORT_KEY_BYTES, .bytes = 40};
    wide.field[1] = (riffle_sort_field){.kind = RIFFLE_SORT_KEY_BYTES, .bytes = 40, .offset = 40};
    expect_refusal(&wide, RIFFLE_ERROR_LENGTH, "the first 2 fields have 80 bytes; a key has at most 64");
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_C64, 0, &key), RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(riffle_error_detail(), "complex numbers (c64) have no order");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
