/* SPDX-License-Identifier: Apache-2.0
 *
 * The affine_lines pass: its schedule's claims (whole lines on both sides, every tile once), and each of the
 * CPU's ways to move a tile against the definition.
 */
#include "support.h"

#include "move/cpu/passes/affine_lines/affine_lines.h"
#include "move/cpu/passes/affine_lines/affine_lines_group.h"
#include "move/cpu/passes/affine_lines/affine_lines_walk.h"
#include "plan/request/streaming.h"

static uint64_t seed;

static perm_affine random_affine(rng *r, unsigned m) {
    perm_affine affine = {.a = {.m = m}};
    gf2_matrix inverse;
    const uint64_t mask = ((uint64_t)1 << m) - 1;
    do {
        for (unsigned j = 0; j < m; j++) affine.a.column[j] = rng_next(r) & mask;
    } while (!gf2_invert(&affine.a, &inverse, NULL));
    affine.c = rng_next(r) & mask;
    return affine;
}

/* Bit k goes to a random place: tiles of every width turn up. */
static perm_affine random_bits(rng *r, unsigned m) {
    perm_affine affine = {.a = gf2_identity(m)};
    for (unsigned swaps = (unsigned)rng_below(r, m + 1); swaps > 0; swaps--) {
        const uint64_t j = rng_below(r, m), k = rng_below(r, m), held = affine.a.column[j];
        affine.a.column[j] = affine.a.column[k];
        affine.a.column[k] = held;
    }
    return affine;
}

static perm_affine random_case(rng *r, unsigned m) {
    return rng_below(r, 2) == 0 ? random_affine(r, m) : random_bits(r, m);
}

static uint64_t map_byte(const perm_affine *affine, unsigned element_bits, uint64_t x) {
    const uint64_t within = x & (((uint64_t)1 << element_bits) - 1);
    return (gf2_apply(&affine->a, x >> element_bits) ^ affine->c) << element_bits | within;
}

/* Every byte of a line of dst must come from one of the tile's lines of src, and every line be in one tile. */
static void tiles_read_and_write_whole_lines_once(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(300); round++) {
        const unsigned element_bits = (unsigned)rng_below(&r, 8);
        const unsigned low = element_bits < AFFINE_LINE_BITS ? AFFINE_LINE_BITS - element_bits : 0;
        const unsigned m = low + (unsigned)rng_below(&r, 8);
        const perm_affine affine = random_case(&r, m);
        affine_lines_schedule s;
        affine_lines_plan(&affine, element_bits, rng_below(&r, 2) == 0, &s);
        const uint64_t lines = (uint64_t)1 << (m + element_bits - AFFINE_LINE_BITS);
        assert_int_equal((uint64_t)1 << (s.tile_bits + s.width), lines);
        unsigned char *written = calloc(lines, 1), *read = calloc(lines, 1);
        affine_lines_walk walk = affine_lines_walk_from(&s, 0);
        for (uint64_t tile = 0; tile >> s.tile_bits == 0; tile++, affine_lines_walk_next(&walk)) {
            for (uint64_t line = 0; line >> s.width == 0; line++) {
                const uint64_t x = walk.x ^ affine_combine(s.read_line, s.width, line);
                const uint64_t y = walk.y ^ affine_combine(s.write_line, s.width, line);
                read[x / AFFINE_LINE_BYTES]++;
                written[y / AFFINE_LINE_BYTES]++;
            }
            for (uint64_t byte = 0; byte < AFFINE_LINE_BYTES; byte++) {
                const uint64_t to = map_byte(&affine, element_bits, walk.x ^ byte);
                bool inside = false;
                for (uint64_t line = 0; line >> s.width == 0; line++) {
                    const uint64_t y = walk.y ^ affine_combine(s.write_line, s.width, line);
                    inside |= to / AFFINE_LINE_BYTES == y / AFFINE_LINE_BYTES;
                }
                if (!inside)
                    fail_msg("seed %llu, round %u: a byte leaves its tile", (unsigned long long)seed, round);
            }
        }
        for (uint64_t line = 0; line < lines; line++) {
            if (read[line] != 1 || written[line] != 1) {
                fail_msg("seed %llu, round %u: line %llu is read %d and written %d times",
                         (unsigned long long)seed, round, (unsigned long long)line, read[line], written[line]);
            }
        }
        free(written);
        free(read);
    }
}

/* Moves tiles in two parts, and compares. */
static void check_move(affine_lines_range *move, rng *r, unsigned m, unsigned element_bits, unsigned round) {
    const perm_affine affine = random_case(r, m);
    const size_t elem_bytes = (size_t)1 << element_bits, bytes = elem_bytes << m;
    affine_lines_schedule s;
    affine_lines_plan(&affine, element_bits, is_streamed(bytes) || rng_below(r, 2) == 0, &s);
    guarded dst = guarded_create(bytes, rng_below(r, 2) * rng_below(r, 64));
    guarded src = guarded_create(bytes, rng_below(r, 2) * rng_below(r, 64));
    fill_random(r, src.data, bytes);
    const uint64_t tiles = (uint64_t)1 << s.tile_bits, cut = rng_below(r, tiles + 1);
    move(&s, dst.data, src.data, 0, cut);
    move(&s, dst.data, src.data, cut, tiles - cut);
    bool right = guarded_intact(&dst);
    for (uint64_t i = 0; i >> m == 0; i++) {
        const uint64_t to = gf2_apply(&affine.a, i) ^ affine.c;
        right &= memcmp(dst.data + to * elem_bytes, src.data + i * elem_bytes, elem_bytes) == 0;
    }
    if (!right) {
        fail_msg("seed %llu, round %u: m %u, 2^%u-byte elements, offsets %zu and %zu", (unsigned long long)seed,
                 round, m, element_bits, dst.offset, src.offset);
    }
    guarded_free(&dst);
    guarded_free(&src);
}

static void check_range(affine_lines_range *move, rng *r, unsigned round) {
    const unsigned element_bits = (unsigned)rng_below(r, 9);
    const unsigned low = element_bits < AFFINE_LINE_BITS ? AFFINE_LINE_BITS - element_bits : 0;
    check_move(move, r, low + (unsigned)rng_below(r, 14 - element_bits), element_bits, round);
}

enum { ROUNDS = 1500 };

/* Bits of a byte index of the least array that is streamed. */
static unsigned streamed_bits(void) {
    unsigned bits = 20;
    while (!is_streamed((uint64_t)1 << bits)) bits++;
    return bits;
}

static void tiles_of_each_set_follow_the_definition(void **state) {
    (void)state;
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        rng r = {seed};
        if (!vectors_has(set) || affine_lines_ranges[set] == NULL) continue;
        for (unsigned round = 0; round < test_rounds(ROUNDS); round++)
            check_range(affine_lines_ranges[set], &r, round);
    }
}

/* Arrays that are streamed: where a set's loops read groups of tiles, the schedule has some. */
static void groups_of_each_set_follow_the_definition(void **state) {
    (void)state;
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++) {
        rng r = {seed};
        if (!vectors_has(set) || affine_lines_ranges[set] == NULL) continue;
        vectors_limit(set);
        for (unsigned round = 0; round < test_rounds(6); round++)
            check_move(affine_lines_ranges[set], &r, streamed_bits() - round % 6, round % 6, round);
        vectors_limit(VECTOR_SETS);
    }
}

/* The vectors that make a group: those of its runs of src, then those that keep to runs of dst. */
static void check_runs(const affine_lines_schedule *s, unsigned read_bits, unsigned write_bits) {
    for (unsigned j = 0; j < s->run_bits; j++)
        assert_in_range(s->read_step[j], 1 << AFFINE_LINE_BITS, (1 << (AFFINE_LINE_BITS + read_bits)) - 1);
    for (unsigned j = s->run_bits; j < s->group_bits; j++) {
        const uint64_t step = s->write_step[j] ^ (j > 0 ? s->write_step[j - 1] : 0);
        bool is_run = false; /* but for lines that other tiles' offsets take there */
        for (unsigned line = 0; line < 1u << s->width; line++)
            is_run |= (step ^ s->write_offset[line]) >> (AFFINE_LINE_BITS + write_bits) == 0;
        assert_true(is_run);
    }
}

/* A group reads each of its runs of src whole, and its tiles write each of their runs of dst. */
static void groups_are_runs(void **state) {
    (void)state;
    rng r = {seed};
    vectors_limit(VECTORS_AVX2);
    for (unsigned round = 0; round < test_rounds(200); round++) {
        const unsigned element_bits = round % 6;
        const perm_affine affine = random_case(&r, streamed_bits() - element_bits);
        affine_lines_schedule s;
        affine_lines_plan(&affine, element_bits, true, &s);
        if (vectors_for(LOOPS_AFFINE) == VECTORS_PORTABLE) assert_int_equal(s.group_bits, 0);
        if (s.group_bits == 0) continue;
        assert_in_range(s.group_bits + s.width, AFFINE_GROUP_LEAST_LINE_BITS, AFFINE_GROUP_MOST_LINE_BITS);
        check_runs(&s, AFFINE_READ_RUN_BITS, AFFINE_WRITE_RUN_BITS);
    }
    vectors_limit(VECTOR_SETS);
}

/* Bit k of an index goes to place k + shift, and the highest ones round to the lowest. */
static perm_affine rotated_bits(unsigned m, unsigned shift) {
    perm_affine affine = {.a = {.m = m}};
    for (unsigned j = 0; j < m; j++) affine.a.column[j] = (uint64_t)1 << (j + shift) % m;
    return affine;
}

static perm_affine reversed_bits(unsigned m) {
    perm_affine affine = {.a = {.m = m}};
    for (unsigned j = 0; j < m; j++) affine.a.column[j] = (uint64_t)1 << (m - 1 - j);
    return affine;
}

static perm_affine reversed_indices(unsigned m) {
    return (perm_affine){.a = gf2_identity(m), .c = ((uint64_t)1 << m) - 1};
}

static void check_way(const perm_affine *affine, unsigned element_bits, bool stream, affine_way expected) {
    const affine_way way = vectors_for(LOOPS_AFFINE) == VECTORS_PORTABLE ? AFFINE_BY_TILES : expected;
    affine_lines_schedule s;
    affine_lines_plan(affine, element_bits, stream, &s);
    if (affine_lines_way(&s, stream) != way)
        fail_msg("m %u, 2^%u-byte elements, stream %d: way %d, not %d", affine->a.m, element_bits, stream,
                 affine_lines_way(&s, stream), way);
    if (stream) assert_int_equal(affine_lines_way(&s, false), AFFINE_BY_TILES); /* dst within lines */
}

/* Shuffles and reversals have long runs on both sides, so tiles are moved one by one; what has short ones is moved in groups. */
static void long_runs_go_by_tiles_and_short_ones_by_groups(void **state) {
    (void)state;
    vectors_limit(VECTORS_AVX2);
    for (unsigned element_bits = 0; element_bits <= 3; element_bits++) {
        const unsigned m = streamed_bits() + 2 - element_bits, cached = 18 - element_bits;
        const perm_affine shuffle = rotated_bits(m, 1), back = rotated_bits(m, m - 1),
                          turned = reversed_bits(m), transpose = rotated_bits(m, m / 2),
                          reverse = reversed_indices(m), small_shuffle = rotated_bits(cached, 1),
                          small_turned = reversed_bits(cached);
        check_way(&shuffle, element_bits, true, AFFINE_BY_TILES);
        check_way(&back, element_bits, true, AFFINE_BY_TILES);
        check_way(&reverse, element_bits, true, AFFINE_BY_TILES);
        check_way(&turned, element_bits, true, AFFINE_BY_GROUPS);
        check_way(&transpose, element_bits, true, AFFINE_BY_GROUPS);
        check_way(&small_shuffle, element_bits, false, AFFINE_BY_TILES);
        check_way(&small_turned, element_bits, false, AFFINE_BY_SQUARES);
    }
    vectors_limit(VECTOR_SETS);
}

/* In the caches the same holds for squares, and nothing else has groups. */
static void groups_of_squares_are_runs(void **state) {
    (void)state;
    rng r = {seed};
    vectors_limit(VECTORS_AVX2);
    for (unsigned round = 0; round < test_rounds(200); round++) {
        const unsigned element_bits = round % 6, bits = AFFINE_NEAR_BITS - 1 + (unsigned)rng_below(&r, 6);
        const perm_affine affine = random_case(&r, bits - element_bits);
        affine_lines_schedule s;
        affine_lines_plan(&affine, element_bits, false, &s);
        const bool is_square = s.width == AFFINE_LINE_BITS - element_bits && element_bits <= AFFINE_PIECE_BITS;
        assert_true(affine_lines_are_squares(&s) == is_square);
        if (!is_square || bits <= AFFINE_NEAR_BITS || vectors_for(LOOPS_AFFINE) == VECTORS_PORTABLE)
            assert_int_equal(s.group_bits, 0);
        assert_in_range(s.group_bits + s.width, 0, AFFINE_SQUARES_MOST_LINE_BITS);
        check_runs(&s, AFFINE_SQUARES_RUN_BITS, AFFINE_SQUARES_RUN_BITS);
    }
    vectors_limit(VECTOR_SETS);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_read_and_write_whole_lines_once),
        cmocka_unit_test(tiles_of_each_set_follow_the_definition),
        cmocka_unit_test(groups_of_each_set_follow_the_definition),
        cmocka_unit_test(groups_are_runs),
        cmocka_unit_test(long_runs_go_by_tiles_and_short_ones_by_groups),
        cmocka_unit_test(groups_of_squares_are_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
