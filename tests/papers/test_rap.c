/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle/rap.h: each layout is one-to-one, keeps what it guarantees for any random numbers, and draws these
 * without bias; the packed forms for the GPU agree with the host's; what is out of range is refused.
 */
#include "support.h"

#include "riffle/rap.h"

static uint64_t seed;

enum { MOST_NUMBERS = 64 * 64 * 64 };
static uint16_t numbers[MOST_NUMBERS];

static riffle_layout drawn(riffle_layout_kind kind, uint32_t width, uint32_t dims, uint32_t elem_bytes,
                           uint64_t draw_seed) {
    const riffle_layout layout = {kind, width, dims, elem_bytes, numbers};
    const char *wrong = riffle_layout_check(&layout);
    if (wrong != NULL) fail_msg("%s, width %u: %s", riffle_layout_string(kind), width, wrong);
    assert_true(riffle_layout_numbers(&layout) <= MOST_NUMBERS);
    riffle_layout_draw(&layout, draw_seed);
    return layout;
}

static bool exists(riffle_layout_kind kind, uint32_t width, uint32_t dims, uint32_t elem_bytes) {
    const riffle_layout layout = {kind, width, dims, elem_bytes, numbers};
    return riffle_layout_check(&layout) == NULL;
}

/* ---------------------------------------------------------------------------------- addresses */

static void check_one_to_one(const riffle_layout *layout) {
    const uint64_t cells = riffle_layout_cells(layout), rows = riffle_layout_rows(layout);
    unsigned char *taken = calloc(cells, 1);
    assert_non_null(taken);
    for (uint64_t row = 0; row < rows; row++) {
        for (uint32_t col = 0; col < layout->width; col++) {
            const uint64_t address = riffle_layout_address(layout, row, col);
            if (address >= cells || taken[address])
                fail_msg("%s, width %u, dims %u, row %llu, col %u, seed %llu: address %llu",
                         riffle_layout_string(layout->kind), layout->width, layout->dims,
                         (unsigned long long)row, col, (unsigned long long)seed, (unsigned long long)address);
            taken[address] = 1;
        }
    }
    free(taken);
}

static void every_layout_is_one_to_one(void **state) {
    (void)state;
    static const uint32_t widths[] = {1, 2, 3, 4, 5, 8, 12, 16, 31, 32, 33, 64, 100};
    rng r = {seed};
    for (int kind = 0; kind < RIFFLE_LAYOUT_COUNT; kind++) {
        for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
            for (uint32_t dims = 2; dims <= (widths[k] <= 12 ? 4 : 2); dims += 2) {
                if (!exists((riffle_layout_kind)kind, widths[k], dims, 4)) continue;
                const riffle_layout layout = drawn((riffle_layout_kind)kind, widths[k], dims, 4, rng_next(&r));
                check_one_to_one(&layout);
            }
        }
    }
}

/* Turns of the requests (row + t row_step, col + t col_step) on a GPU: the phases' congestions added up. */
static uint32_t turns(const riffle_layout *layout, uint64_t row, uint64_t row_step, uint32_t col,
                      uint32_t col_step) {
    const uint32_t w = layout->width, phases = layout->elem_bytes / 4, banks = w / phases;
    uint32_t sum = 0;
    for (uint32_t phase = 0; phase < phases; phase++) {
        uint32_t load[64] = {0}, most = 0;
        for (uint32_t t = phase * banks; t < (phase + 1) * banks; t++) {
            const uint64_t address =
                riffle_layout_address(layout, row + t * row_step, (col + t * col_step) % w);
            const uint32_t bank = (uint32_t)(address % banks);
            if (++load[bank] > most) most = load[bank];
        }
        sum += most;
    }
    return sum;
}

/* Promises of the docstrings without a chance of more: each of contiguous and the strides free of conflicts. */
typedef struct promise {
    riffle_layout_kind kind;
    uint32_t dims;
    bool stride1, higher_strides;
} promise;

static const promise PROMISES[] = {
    {RIFFLE_LAYOUT_RAW, 2, false, false},        {RIFFLE_LAYOUT_RAS, 2, false, false},
    {RIFFLE_LAYOUT_RAP, 2, true, false},         {RIFFLE_LAYOUT_1P, 4, true, false},
    {RIFFLE_LAYOUT_R1P, 4, true, true},          {RIFFLE_LAYOUT_3P, 4, true, true},
    {RIFFLE_LAYOUT_W2P, 4, true, false},         {RIFFLE_LAYOUT_1PW2R, 4, true, false},
    {RIFFLE_LAYOUT_PADDED, 2, true, false},      {RIFFLE_LAYOUT_XOR, 2, true, false},
    {RIFFLE_LAYOUT_PADDED, 4, true, false},      {RIFFLE_LAYOUT_XOR, 4, true, false},
    {RIFFLE_LAYOUT_SWIZZLE128, 2, false, false}, {RIFFLE_LAYOUT_SWIZZLE128, 4, false, false},
};

static void check_promise(const promise *p, uint32_t width, uint32_t elem_bytes, rng *r) {
    const riffle_layout layout = drawn(p->kind, width, p->dims, elem_bytes, rng_next(r));
    const uint32_t free_of_conflicts = elem_bytes / 4;
    const uint64_t w = width, plane = rng_below(r, riffle_layout_rows(&layout) / w) * w;
    const uint32_t k = (uint32_t)rng_below(r, w), col = (uint32_t)rng_below(r, w);
    assert_int_equal(turns(&layout, plane + k, 0, col, 1), free_of_conflicts);
    if (p->stride1) assert_int_equal(turns(&layout, plane, 1, col, 0), free_of_conflicts);
    if (!p->higher_strides) return;
    assert_int_equal(turns(&layout, rng_below(r, w) * w * w + k, w, col, 0), free_of_conflicts);
    assert_int_equal(turns(&layout, rng_below(r, w) * w + k, w * w, col, 0), free_of_conflicts);
}

static void promises_hold_for_any_random_numbers(void **state) {
    (void)state;
    static const uint32_t widths[] = {4, 8, 12, 16, 32};
    rng r = {seed};
    for (size_t p = 0; p < sizeof PROMISES / sizeof PROMISES[0]; p++) {
        for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
            for (uint32_t elem_bytes = 4; elem_bytes <= 16; elem_bytes *= 2) {
                if (!exists(PROMISES[p].kind, widths[k], PROMISES[p].dims, elem_bytes)) continue;
                for (unsigned round = 0; round < test_rounds(5); round++)
                    check_promise(&PROMISES[p], widths[k], elem_bytes, &r);
            }
        }
    }
}

/* Mean turns of a 32 x 32 array of `elem_bytes`-byte elements whose permutation was drawn for others. */
static double mean_turns(uint32_t drawn_for, uint32_t elem_bytes, uint32_t col_step) {
    enum { DRAWS = 20000 };
    double sum = 0;
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        riffle_layout layout = drawn(RIFFLE_LAYOUT_RAP, 32, 2, drawn_for, seed + draw);
        layout.elem_bytes = elem_bytes;
        sum += turns(&layout, 0, 1, 0, col_step);
    }
    return sum / (double)DRAWS;
}

static void check_mean(double mean, double expected) {
    if (mean < expected - 0.06 || mean > expected + 0.06)
        fail_msg("%g turns instead of %g, seed %llu", mean, expected, (unsigned long long)seed);
}

/* docs/rap.md, "Draw for the size of your elements". */
static void permutations_for_wide_elements_spare_columns(void **state) {
    (void)state;
    check_mean(mean_turns(4, 4, 1), 3.61);
    check_mean(mean_turns(4, 8, 0), 4);
    check_mean(mean_turns(8, 8, 0), 2);
    check_mean(mean_turns(4, 8, 1), 6.27);
    check_mean(mean_turns(8, 8, 1), 6.39);
    check_mean(mean_turns(4, 16, 0), 9.24);
    check_mean(mean_turns(16, 16, 0), 4);
    check_mean(mean_turns(4, 16, 1), 10.55);
    check_mean(mean_turns(16, 16, 1), 11.07);
}

/* The known attacks on what has no random numbers, and section VII's on R1P. */
static void attacks_hit_one_bank(void **state) {
    (void)state;
    static const uint8_t orders[6][3] = {{3, 1, 2}, {3, 2, 1}, {1, 3, 2}, {1, 2, 3}, {2, 3, 1}, {2, 1, 3}};
    riffle_layout layout = drawn(RIFFLE_LAYOUT_RAW, 32, 2, 4, 0);
    assert_int_equal(turns(&layout, 0, 1, 5, 0), 32);
    layout = drawn(RIFFLE_LAYOUT_PADDED, 32, 2, 4, 0);
    assert_int_equal(turns(&layout, 0, 1, 0, 31), 32);
    assert_int_equal(turns(&layout, 0, 1, 7, 1), 2);
    layout = drawn(RIFFLE_LAYOUT_XOR, 32, 2, 4, 0);
    assert_int_equal(turns(&layout, 0, 1, 0, 1), 32);
    layout = drawn(RIFFLE_LAYOUT_1P, 32, 4, 4, seed);
    assert_int_equal(turns(&layout, 9, 32, 3, 0), 32);
    layout = drawn(RIFFLE_LAYOUT_R1P, 32, 4, 4, seed);
    uint64_t address = 0, first = 0;
    for (int k = 0; k < 6; k++) {
        const uint32_t index[4] = {orders[k][0], orders[k][1], orders[k][2], 11};
        assert_null(riffle_layout_at(&layout, index, &address));
        if (k == 0) first = address;
        assert_int_equal(address % 32, first % 32);
    }
}

/* Whatever column, diagonal or other diagonal; and eight rows' pieces of 16 bytes. */
static void the_swizzle_of_tensor_copies_spares_all_but_columns(void **state) {
    (void)state;
    const riffle_layout layout = drawn(RIFFLE_LAYOUT_SWIZZLE128, 32, 2, 4, 0);
    for (uint32_t c = 0; c < 32; c++) {
        assert_int_equal(turns(&layout, c, 0, 0, 1), 1);
        assert_int_equal(turns(&layout, 0, 1, c, 0), 4);
        assert_int_equal(turns(&layout, 0, 1, c, 1), 1);
        assert_int_equal(turns(&layout, 0, 1, c, 31), 1);
    }
    assert_int_equal(turns(&layout, 0, 1, 0, 4), 32);
    for (uint32_t piece = 0; piece < 8; piece++) {
        for (uint32_t first = 0; first < 64; first += 8) {
            unsigned places = 0;
            for (uint32_t row = first; row < first + 8; row++)
                places |= 1u << riffle_swizzled128(128 * row + 16 * piece) % 128 / 16;
            assert_int_equal(places, 255);
        }
    }
    for (uint32_t at = 0; at < 4096; at += 4)
        assert_int_equal(riffle_swizzled128(at) / 4, riffle_layout_address(&layout, at / 128, at % 128 / 4));
}

/* ------------------------------------------------------------------------- the RAP's worst case */

/* Largest number of the w cells (bit row * w + col of a set) in one bank, for these rotations. */
static unsigned load_of(const uint32_t *cells, uint32_t w, const uint16_t *rotation) {
    unsigned load[8] = {0}, most = 0;
    for (uint32_t t = 0; t < w; t++) {
        const unsigned bank = (cells[t] % w + rotation[cells[t] / w]) % w;
        if (++load[bank] > most) most = load[bank];
    }
    return most;
}

static bool next_permutation(uint16_t *p, uint32_t n) {
    uint32_t i = n - 1, j = n - 1;
    while (i > 0 && p[i - 1] >= p[i]) i--;
    if (i == 0) return false;
    while (p[j] <= p[i - 1]) j--;
    const uint16_t held = p[i - 1];
    p[i - 1] = p[j];
    p[j] = held;
    for (j = n - 1; i < j; i++, j--) {
        const uint16_t other = p[i];
        p[i] = p[j];
        p[j] = other;
    }
    return true;
}

static bool next_subset(uint32_t *cells, uint32_t count, uint32_t n) {
    uint32_t k = count;
    while (k > 0 && cells[k - 1] == n - count + k - 1) k--;
    if (k == 0) return false;
    cells[k - 1]++;
    for (; k < count; k++) cells[k] = cells[k - 1] + 1;
    return true;
}

static unsigned load_over_all_permutations(const uint32_t *cells, uint32_t w) {
    uint16_t rotation[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    unsigned sum = 0;
    do {
        sum += load_of(cells, w, rotation);
    } while (next_permutation(rotation, w));
    return sum;
}

static void no_pattern_is_worse_than_the_diagonal(void **state) {
    (void)state;
    for (uint32_t w = 3; w <= 5; w++) {
        uint32_t cells[8], diagonal[8];
        for (uint32_t t = 0; t < w; t++) {
            cells[t] = t;
            diagonal[t] = t * w + t;
        }
        const unsigned worst = load_over_all_permutations(diagonal, w);
        do {
            assert_true(load_over_all_permutations(cells, w) <= worst);
        } while (next_subset(cells, w, w * w));
    }
}

/* ----------------------------------------------------------------------------- random numbers */

/* The chi-square statistic of `cells` counts of `n` draws, well within what chance allows: the mean is cells -
 * 1, the variance twice that, and 8 standard deviations are never seen. */
static void check_uniform(const unsigned *count, unsigned cells, unsigned n, const char *what) {
    const double expected = (double)n / cells;
    double statistic = 0;
    for (unsigned k = 0; k < cells; k++) statistic += (count[k] - expected) * (count[k] - expected) / expected;
    const double distance = statistic - (cells - 1);
    if (distance * distance > 64.0 * 2 * (cells - 1))
        fail_msg("%s: chi-square %g of %u cells, seed %llu", what, statistic, cells, (unsigned long long)seed);
}

static void permutations_are_uniform(void **state) {
    (void)state;
    enum { DRAWS = 48000 };
    unsigned count[256] = {0}, all[24], found = 0;
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        uint16_t p[4];
        riffle_draw_permutation(seed + draw, 3, 4, 1, p);
        count[p[0] + 4 * p[1] + 16 * p[2] + 64 * p[3]]++;
    }
    for (unsigned k = 0; k < 256; k++) {
        if (count[k] == 0) continue;
        assert_in_range(found, 0, 23);
        all[found++] = count[k];
    }
    assert_int_equal(found, 24);
    check_uniform(all, 24, DRAWS, "permutations of 4");
}

static void numbers_are_uniform(void **state) {
    (void)state;
    enum { DRAWS = 60000 };
    unsigned count[6] = {0}, halves[3] = {0};
    uint64_t stream = riffle_draw_stream(seed, 1);
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        count[riffle_draw_below(&stream, 6)]++;
        halves[riffle_draw_below(&stream, UINT32_C(3) << 30) >> 30]++; /* a third of all draws is drawn again */
    }
    check_uniform(count, 6, DRAWS, "numbers below 6");
    check_uniform(halves, 3, DRAWS, "numbers below 3 * 2^30");
    unsigned shifts[32] = {0};
    for (unsigned draw = 0; draw < DRAWS / 32; draw++) {
        const riffle_layout layout = drawn(RIFFLE_LAYOUT_RAS, 32, 2, 4, seed + draw);
        for (uint32_t row = 0; row < 32; row++) shifts[riffle_layout_shift(&layout, row)]++;
    }
    check_uniform(shifts, 32, DRAWS / 32 * 32, "RAS");
}

static void phases_have_permutations_of_their_own(void **state) {
    (void)state;
    for (uint32_t phases = 1; phases <= 4; phases *= 2) {
        for (uint32_t w = 4; w <= 64; w += 4) {
            const uint32_t banks = w / phases;
            uint16_t p[64];
            bool seen[64] = {false};
            riffle_draw_permutation(seed, w, w, phases, p);
            for (uint32_t phase = 0; phase < phases; phase++) {
                bool met[64] = {false};
                for (uint32_t row = phase * banks; row < (phase + 1) * banks; row++) {
                    assert_in_range(p[row], 0, w - 1);
                    assert_false(seen[p[row]] || met[p[row] % banks]);
                    seen[p[row]] = met[p[row] % banks] = true;
                }
            }
        }
    }
}

static void rows_drawn_alone_have_the_same_numbers(void **state) {
    (void)state;
    static uint16_t alone[16 * 16 * 16];
    for (int kind = 0; kind < RIFFLE_LAYOUT_COUNT; kind++) {
        const uint32_t width = kind == RIFFLE_LAYOUT_SWIZZLE128 ? 32 : 16;
        const uint32_t dims = exists((riffle_layout_kind)kind, width, 4, 4) ? 4 : 2;
        const riffle_layout whole = drawn((riffle_layout_kind)kind, width, dims, 4, seed);
        riffle_layout part = whole;
        part.numbers = alone;
        for (uint64_t row = 1; row < riffle_layout_rows(&whole); row += 7) {
            memset(alone, POISON_VALUE, sizeof alone);
            riffle_layout_draw_shared(&part, seed);
            riffle_layout_draw_row(&part, seed, row);
            assert_int_equal(riffle_layout_shift(&part, row), riffle_layout_shift(&whole, row));
        }
    }
}

/* ------------------------------------------------------------------------- forms for the GPU */

static void packed_numbers_are_the_same(void **state) {
    (void)state;
    riffle_layout layout = drawn(RIFFLE_LAYOUT_RAP, 32, 2, 8, seed);
    riffle_shifts32 shifts = riffle_rap_shifts32(8, seed);
    for (uint32_t row = 0; row < 32; row++) assert_int_equal(riffle_shift32(&shifts, row), layout.numbers[row]);
    layout = drawn(RIFFLE_LAYOUT_RAS, 32, 2, 4, seed);
    shifts = riffle_ras_shifts32(seed);
    for (uint32_t row = 0; row < 32; row++) assert_int_equal(riffle_shift32(&shifts, row), layout.numbers[row]);
}

static void addresses_of_32_are_the_same(void **state) {
    (void)state;
    static const riffle_layout_kind kinds[] = {RIFFLE_LAYOUT_RAW, RIFFLE_LAYOUT_RAS,
                                               RIFFLE_LAYOUT_RAP, RIFFLE_LAYOUT_PADDED,
                                               RIFFLE_LAYOUT_XOR, RIFFLE_LAYOUT_SWIZZLE128};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const riffle_layout layout = drawn(kinds[k], 32, 2, 4, seed);
        const riffle_shifts32 shifts = riffle_pack32(numbers);
        for (uint32_t row = 0; row < 32; row++) {
            for (uint32_t col = 0; col < 32; col++)
                assert_int_equal(riffle_layout32(kinds[k], &shifts, row, col),
                                 riffle_layout_address(&layout, row, col));
        }
    }
}

static void addresses_of_more_dimensions_are_the_same(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(1000); round++) {
        uint32_t x[4];
        uint64_t address = 0;
        for (int d = 0; d < 4; d++) x[d] = (uint32_t)rng_below(&r, 32);
        riffle_layout layout = drawn(RIFFLE_LAYOUT_3P, 32, 4, 4, rng_next(&r));
        const riffle_shifts32 a = riffle_pack32(numbers), b = riffle_pack32(numbers + 32),
                              c = riffle_pack32(numbers + 64);
        assert_null(riffle_layout_at(&layout, x, &address));
        assert_int_equal(riffle_3p32(&a, &b, &c, x[0], x[1], x[2], x[3]), address);
        layout = drawn(RIFFLE_LAYOUT_R1P, 32, 4, 4, rng_next(&r));
        const riffle_shifts32 one = riffle_pack32(numbers);
        assert_null(riffle_layout_at(&layout, x, &address));
        assert_int_equal(riffle_r1p32(&one, x[0], x[1], x[2], x[3]), address);
        layout = drawn(RIFFLE_LAYOUT_1P, 32, 4, 4, rng_next(&r));
        const riffle_shifts32 first = riffle_pack32(numbers);
        assert_null(riffle_layout_at(&layout, x, &address));
        assert_int_equal(riffle_rap32(&first, (x[0] * 32 + x[1]) * 32 + x[2], x[3]), address);
    }
}

/* ------------------------------------------------------------------------------- what is refused */

static void refuses(riffle_layout_kind kind, uint32_t width, uint32_t dims, uint32_t elem_bytes,
                    const char *part) {
    const riffle_layout layout = {kind, width, dims, elem_bytes, numbers};
    const char *wrong = riffle_layout_check(&layout);
    assert_non_null(wrong);
    if (strstr(wrong, part) == NULL) fail_msg("\"%s\" does not say \"%s\"", wrong, part);
}

static void what_is_no_layout_is_refused(void **state) {
    (void)state;
    refuses(RIFFLE_LAYOUT_XOR, 12, 2, 4, "power of two");
    refuses(RIFFLE_LAYOUT_SWIZZLE128, 64, 2, 4, "rows of 128 bytes; choose a width of 32");
    refuses(RIFFLE_LAYOUT_SWIZZLE128, 32, 2, 8, "of elements of 4 bytes");
    refuses(RIFFLE_LAYOUT_RAP, 0, 2, 4, "choose 1 to 4096");
    refuses(RIFFLE_LAYOUT_RAP, 4097, 2, 4, "choose 1 to 4096");
    refuses(RIFFLE_LAYOUT_RAP, 32, 3, 4, "2 or 4 dimensions");
    refuses(RIFFLE_LAYOUT_RAP, 32, 4, 4, "choose 3p");
    refuses(RIFFLE_LAYOUT_R1P, 32, 2, 4, "for 4 dimensions");
    refuses(RIFFLE_LAYOUT_RAP, 32, 2, 12, "4, 8 or 16 bytes");
    refuses(RIFFLE_LAYOUT_RAP, 30, 2, 16, "a multiple of 4");
    refuses(RIFFLE_LAYOUT_W2P, 512, 4, 4, "2^24 random numbers");
    refuses((riffle_layout_kind)RIFFLE_LAYOUT_COUNT, 32, 2, 4, "no layout");
    assert_string_equal(riffle_layout_string((riffle_layout_kind)RIFFLE_LAYOUT_COUNT), "unknown");
}

static void an_index_outside_is_refused(void **state) {
    (void)state;
    const riffle_layout layout = drawn(RIFFLE_LAYOUT_3P, 8, 4, 4, seed);
    for (int d = 0; d < 4; d++) {
        uint32_t index[4] = {7, 7, 7, 7};
        uint64_t address = 12345;
        index[d] = 8;
        assert_non_null(strstr(riffle_layout_at(&layout, index, &address), "outside the array"));
        assert_int_equal(address, 12345);
        index[d] = 7;
        assert_null(riffle_layout_at(&layout, index, &address));
        assert_int_equal(address / 8, 7 * 64 + 7 * 8 + 7);
    }
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_is_one_to_one),
        cmocka_unit_test(promises_hold_for_any_random_numbers),
        cmocka_unit_test(permutations_for_wide_elements_spare_columns),
        cmocka_unit_test(attacks_hit_one_bank),
        cmocka_unit_test(the_swizzle_of_tensor_copies_spares_all_but_columns),
        cmocka_unit_test(no_pattern_is_worse_than_the_diagonal),
        cmocka_unit_test(permutations_are_uniform),
        cmocka_unit_test(numbers_are_uniform),
        cmocka_unit_test(phases_have_permutations_of_their_own),
        cmocka_unit_test(rows_drawn_alone_have_the_same_numbers),
        cmocka_unit_test(packed_numbers_are_the_same),
        cmocka_unit_test(addresses_of_32_are_the_same),
        cmocka_unit_test(addresses_of_more_dimensions_are_the_same),
        cmocka_unit_test(what_is_no_layout_is_refused),
        cmocka_unit_test(an_index_outside_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
