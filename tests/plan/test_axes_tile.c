/* SPDX-License-Identifier: Apache-2.0
 *
 * The axes_tile pass against the plain definition: thousands of random shapes, orders, element sizes and
 * alignments, with every set of kernels that this processor has.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "support.h"

#include "fenced.h"
#include "move/cpu/passes/loops.h"
#include "tile_support.h"
#include "view_support.h"

enum { GUARD = 256, POISON = 0xa5, MAX_TOTAL = 1 << 21 };

static uint64_t length_of(const perm_axes *axes) {
    uint64_t n = 1;
    for (unsigned k = 0; k < axes->rank; k++) n *= axes->shape[k];
    return n;
}

static void plan_axes(const perm_axes *axes, size_t elem_bytes, dst_place place, axes_tile_schedule *out) {
    strided_move move;
    strided_of_axes(axes, elem_bytes, &move);
    axes_tile_plan(&move, place, out);
}

/** dst[P(i)] = src[i], digit by digit. */
static void move_plainly(const perm_axes *axes, size_t elem_bytes, uint8_t *dst, const uint8_t *src) {
    const uint64_t n = length_of(axes);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t digits[RIFFLE_MAX_RANK];
        uint64_t rest = i;
        for (unsigned k = axes->rank; k-- > 0; rest /= axes->shape[k]) digits[k] = rest % axes->shape[k];
        uint64_t to = 0;
        for (unsigned k = 0; k < axes->rank; k++)
            to = to * axes->shape[axes->order[k]] + digits[axes->order[k]];
        memcpy(dst + to * elem_bytes, src + i * elem_bytes, elem_bytes);
    }
}

static void print_case(const perm_axes *axes, size_t elem_bytes, uint64_t seed, const char *kernels) {
    print_error("seed %llu, kernels %s, %zu bytes, shape", (unsigned long long)seed, kernels, elem_bytes);
    for (unsigned k = 0; k < axes->rank; k++) print_error(" %llu", (unsigned long long)axes->shape[k]);
    print_error(", order");
    for (unsigned k = 0; k < axes->rank; k++) print_error(" %u", axes->order[k]);
    print_error("\n");
}

/** Moves random bytes with one set of kernels and compares; dst starts at a line, at a piece as NumPy's arrays, or anywhere; src ends at a fence or a
 *  little before. */
static void check_with(rng *r, vector_set set, const perm_axes *axes, size_t elem_bytes, uint64_t seed) {
    const size_t bytes = (size_t)length_of(axes) * elem_bytes;
    const size_t line = 64, first_line = (GUARD + line - 1) / line * line;
    const size_t places[] = {first_line, first_line + 16, GUARD + (size_t)rng_below(r, line + 1)};
    const size_t dst_at = places[rng_below(r, 3)];
    const size_t room = (dst_at + bytes + GUARD + line - 1) / line * line;
    const fenced memory = fenced_create(bytes + (rng_below(r, 2) == 0 ? (size_t)rng_below(r, 65) : 0), true);
    uint8_t *src = memory.data;
    uint8_t *dst = aligned_alloc(line, room);
    uint8_t *expected = malloc(room);
    assert_true(dst != NULL && expected != NULL);
    fill_random(r, src, bytes);
    memset(dst, POISON, room);
    memset(expected, POISON, room);
    move_plainly(axes, elem_bytes, expected + dst_at, src);

    pass p = {.kind = &PASS_AXES_TILE};
    plan_axes(axes, elem_bytes, (dst_place)rng_below(r, 3), &p.axes_tile);
    move_with(kernel_set(set), &p, 1 + (unsigned)rng_below(r, 4), dst + dst_at, src);
    if (memcmp(dst, expected, room) != 0) {
        print_case(axes, elem_bytes, seed, vectors_name(set));
        fail();
    }
    fenced_free(&memory);
    free(dst);
    free(expected);
}

static void check(rng *r, const perm_axes *axes, size_t elem_bytes, uint64_t seed) {
    for (unsigned k = 0; k < KERNEL_SETS; k++)
        if (kernel_set(k) != NULL) check_with(r, (vector_set)k, axes, elem_bytes, seed);
}

static void shuffle_order(rng *r, perm_axes *axes) {
    for (unsigned k = 0; k < axes->rank; k++) axes->order[k] = k;
    for (unsigned k = axes->rank; k-- > 1;) {
        const unsigned other = (unsigned)rng_below(r, k + 1);
        const unsigned swapped = axes->order[k];
        axes->order[k] = axes->order[other];
        axes->order[other] = swapped;
    }
}

/** A random case of at most `most` bytes. */
static size_t random_case(rng *r, perm_axes *axes, uint64_t most) {
    size_t elem_bytes = random_bytes(r);
    uint64_t bytes = elem_bytes;
    axes->rank = 1 + (unsigned)rng_below(r, rng_below(r, 4) == 0 ? RIFFLE_MAX_RANK : 5);
    for (unsigned k = 0; k < axes->rank; k++) {
        uint64_t extent = random_length(r);
        while (bytes * extent > most) extent = extent / 2 + (extent == 1 ? 0 : extent % 2 * (extent > 3));
        if (extent == 0) extent = 1;
        axes->shape[k] = extent;
        bytes *= extent;
    }
    for (unsigned k = 0; k < axes->rank; k++) {
        const unsigned other = (unsigned)rng_below(r, axes->rank);
        const uint64_t swapped = axes->shape[k];
        axes->shape[k] = axes->shape[other];
        axes->shape[other] = swapped;
    }
    shuffle_order(r, axes);
    return elem_bytes;
}

static void test_random_small(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(600); seed++) {
        rng r = {seed * 0x2545f4914f6cdd1du};
        perm_axes axes;
        const size_t elem_bytes = random_case(&r, &axes, 1 << 13);
        check(&r, &axes, elem_bytes, seed);
    }
}

static void test_random_large(void **state) {
    (void)state;
    for (uint64_t seed = 100001; seed <= 100000 + test_rounds(30); seed++) {
        rng r = {seed * 0x2545f4914f6cdd1du};
        perm_axes axes;
        const size_t elem_bytes = random_case(&r, &axes, MAX_TOTAL);
        check(&r, &axes, elem_bytes, seed);
    }
}

/** Two axes of every pair of lengths about the block and tile edges, for each word. */
static void test_matrix_edges(void **state) {
    (void)state;
    static const uint64_t edges[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 129, 257};
    static const size_t sizes[] = {1, 2, 4, 8, 16, 12, 3};
    const size_t count = sizeof edges / sizeof edges[0];
    for (size_t i = 0; i < count * count * sizeof sizes / sizeof sizes[0]; i++) {
        rng r = {i + 1};
        const perm_axes axes = {
            .rank = 2, .shape = {edges[i % count], edges[i / count % count]}, .order = {1, 0}};
        check(&r, &axes, sizes[i / count / count], i + 1);
    }
}

/** Planes woven and separated, 2 to 9 of them, with and without an axis in front, their rows at lines or anywhere. */
static void test_planes(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(120); seed++) {
        rng r = {seed};
        const uint64_t planes = 2 + rng_below(&r, 8);
        const uint64_t some = 1 + rng_below(&r, rng_below(&r, 2) == 0 ? 200 : 20000);
        const uint64_t pixels =
            rng_below(&r, 2) == 0 ? some : (some + 63) / 64 * 64; /* rows that begin at lines */
        const uint64_t images = 1 + rng_below(&r, 3);
        const perm_axes weave = {.rank = 3, .shape = {images, planes, pixels}, .order = {0, 2, 1}};
        const perm_axes separate = {.rank = 3, .shape = {images, pixels, planes}, .order = {0, 2, 1}};
        const size_t word = (size_t)1 << rng_below(&r, 5);
        check(&r, rng_below(&r, 2) == 0 ? &weave : &separate, word, seed);
    }
}

/** Words that are turned, dst's rows whole lines or a little more or less. */
static void test_rows_of_lines(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(200); seed++) {
        rng r = {seed * 0x2545f4914f6cdd1du};
        const size_t word = (size_t)1 << rng_below(&r, 5);
        const uint64_t line = 64 / word, lines = (1 + rng_below(&r, 20)) * line;
        const uint64_t row = rng_below(&r, 4) == 0 ? lines + rng_below(&r, line) : lines;
        const perm_axes axes = {
            .rank = 4,
            .shape = {row, 1 + rng_below(&r, 3), 1 + rng_below(&r, 3), 1 + rng_below(&r, 150)},
            .order = {3, 1, 2, 0}};
        const perm_axes matrix = {.rank = 2, .shape = {row, 1 + rng_below(&r, 500)}, .order = {1, 0}};
        check(&r, rng_below(&r, 2) == 0 ? &axes : &matrix, word, seed);
    }
}

/** Runs of 1 to 80 whole lines, or a few elements more. */
static void test_runs_of_lines(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(60); seed++) {
        rng r = {seed * 0x2545f4914f6cdd1du};
        const size_t word = (size_t)1 << rng_below(&r, 5);
        const uint64_t line = 64 / word, lines = (1 + rng_below(&r, rng_below(&r, 4) == 0 ? 80 : 8)) * line;
        const uint64_t run = rng_below(&r, 4) == 0 ? lines + rng_below(&r, line) : lines;
        const perm_axes axes = {
            .rank = 4,
            .shape = {1 + rng_below(&r, 3), 1 + rng_below(&r, 40), 1 + rng_below(&r, 20), run},
            .order = {2, 1, 0, 3}};
        check(&r, &axes, word, seed);
    }
}

/** Words that are turned, dst's columns whole pages apart, their rows 1 to 20 lines. */
static void test_columns_of_pages(void **state) {
    (void)state;
    enum { LINE = 64, PAGE = 4096 };
    for (uint64_t seed = 1; seed <= test_rounds(20); seed++) {
        rng r = {seed * 0x2545f4914f6cdd1du};
        const size_t word = (size_t)1 << rng_below(&r, 5);
        const uint64_t lines = 1 + rng_below(&r, 20), row = lines * LINE / word;
        const uint64_t rows = PAGE / LINE / (lines & -lines);
        const perm_axes axes = {.rank = 3, .shape = {row, rows, 1 + rng_below(&r, 40)}, .order = {2, 1, 0}};
        check(&r, &axes, word, seed);
    }
}

/** In a cache that is far words of 4 and 8 bytes are streamed where AVX-512 turns them into whole lines of such columns, not where the next
 *  column is a line further, nor into other caches. */
static void test_columns_of_pages_are_streamed(void **state) {
    (void)state;
    const vector_set set = vectors_for(LOOPS_AXES);
    const bool has_lines = set == VECTORS_AVX512 || set == VECTORS_AVX512_VBMI;
    for (size_t word = 1; word <= 16; word *= 2) {
        const uint64_t line = 64 / word;
        const perm_axes pages = {.rank = 3, .shape = {2 * line, 32, 40}, .order = {2, 1, 0}};
        const perm_axes others = {.rank = 3, .shape = {2 * line, 33, 40}, .order = {2, 1, 0}};
        axes_tile_schedule s;
        plan_axes(&pages, word, DST_FAR, &s);
        assert_int_equal(s.stream, has_lines && (word == 4 || word == 8));
        assert_true(s.mode != AXES_TILE_WORDS || s.fetches_dst != s.stream);
        plan_axes(&others, word, DST_FAR, &s);
        assert_false(s.stream);
        plan_axes(&pages, word, DST_NEAR, &s);
        assert_false(s.stream);
    }
}

static void test_empty_and_single(void **state) {
    (void)state;
    const perm_axes empty = {.rank = 3, .shape = {5, 0, 7}, .order = {2, 0, 1}};
    const perm_axes single = {.rank = 3, .shape = {1, 1, 1}, .order = {2, 0, 1}};
    rng r = {1};
    check(&r, &empty, 4, 1);
    check(&r, &single, 4, 1);
    check(&r, &single, 100003, 1);
    pass p = {.kind = &PASS_AXES_TILE};
    plan_axes(&empty, 4, false, &p.axes_tile);
    assert_int_equal(p.axes_tile.tiles, 0);
    cpu_run_pass(&p, 2, NULL, NULL, NULL, NULL);
}

static void test_rank_32(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rng r = {seed};
        perm_axes axes = {.rank = RIFFLE_MAX_RANK};
        for (unsigned k = 0; k < axes.rank; k++) axes.shape[k] = 1;
        for (unsigned k = 0; k < 16; k++) axes.shape[rng_below(&r, axes.rank)] = 2;
        axes.shape[rng_below(&r, axes.rank)] = 3;
        shuffle_order(&r, &axes);
        check(&r, &axes, (size_t)1 << rng_below(&r, 5), seed);
    }
}

/** Normalization merges what stays together and finds the run that does not move. */
static void test_normalization(void **state) {
    (void)state;
    const perm_axes axes = {.rank = 6, .shape = {5, 1, 7, 4, 1, 6}, .order = {2, 3, 4, 0, 1, 5}};
    axes_tile_schedule schedule;
    plan_axes(&axes, 2, false, &schedule);
    assert_int_equal(schedule.rank, 2);
    assert_int_equal(schedule.run_bytes, 12);
    assert_int_equal(schedule.mode, AXES_TILE_RUNS);
    assert_int_equal(schedule.axes[0].extent, 5);
    assert_int_equal(schedule.axes[1].extent, 28);
    const perm_axes identity = {.rank = 3, .shape = {50, 1, 70}, .order = {1, 0, 2}};
    plan_axes(&identity, 8, false, &schedule);
    assert_int_equal(schedule.mode, AXES_TILE_DIRECT);
    assert_int_equal(schedule.run_bytes, 50 * 70 * 8);
    assert_true(sizeof schedule <= 4096);
}

static void check_tiles(const perm_axes *axes, size_t elem_bytes, dst_place place, uint64_t seed) {
    axes_tile_schedule s;
    plan_axes(axes, elem_bytes, place, &s);
    uint64_t tile = s.run_bytes, whole = s.run_bytes;
    for (unsigned k = 0; k < s.rank; k++) tile *= s.axes[k].tile, whole *= s.axes[k].extent;
    if (whole < 1 << 20 || s.mode == AXES_TILE_DIRECT) return;
    const unsigned outer = s.mode == AXES_TILE_INTERLEAVE ? 1 : 0;
    const bool has_planes = s.mode == AXES_TILE_INTERLEAVE || s.mode == AXES_TILE_SEPARATE;
    if (tile < 1 << 10 || (has_planes && s.axes[outer].extent * s.run_bytes < 64))
        fail_msg("seed %d: tiles of %d bytes, mode %d, place %d", (int)seed, (int)tile, (int)s.mode,
                 (int)place);
}

/** No tile of a large array is of a few elements, nor do few planes wait for blocks of a few words, wherever dst is left. */
static void test_no_tile_is_tiny(void **state) {
    (void)state;
    const perm_axes tiny[] = {
        {.rank = 7, .shape = {6, 2, 8, 3, 4, 115, 172}, .order = {6, 3, 4, 2, 5, 1, 0}},
        {.rank = 6, .shape = {58, 6, 80, 5, 61, 2}, .order = {3, 2, 4, 0, 5, 1}},
        {.rank = 8, .shape = {4, 2, 418, 2, 3, 30, 4, 7}, .order = {3, 7, 4, 5, 2, 1, 0, 6}},
    };
    const size_t named = sizeof tiny / sizeof tiny[0];
    for (uint64_t seed = 1; seed <= test_rounds(2000); seed++) {
        rng r = {seed};
        perm_axes axes;
        const size_t elem_bytes = seed <= named ? 1 : random_case(&r, &axes, 1 << 24);
        if (seed <= named) axes = tiny[seed - 1];
        for (unsigned place = DST_NEAR; place <= DST_PAST; place++)
            check_tiles(&axes, elem_bytes, (dst_place)place, seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_and_single), cmocka_unit_test(test_normalization),
        cmocka_unit_test(test_matrix_edges),     cmocka_unit_test(test_planes),
        cmocka_unit_test(test_random_small),     cmocka_unit_test(test_random_large),
        cmocka_unit_test(test_rank_32),          cmocka_unit_test(test_no_tile_is_tiny),
        cmocka_unit_test(test_rows_of_lines),    cmocka_unit_test(test_columns_of_pages),
        cmocka_unit_test(test_runs_of_lines),    cmocka_unit_test(test_columns_of_pages_are_streamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
