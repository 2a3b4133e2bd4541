/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `axes`: tensors of any shape, their axes in another order, on any engine, in groups:
 *
 *     table       orders that people ask for: images with their channels last and first, transposes of odd lengths, the
 *                 cube and the five axes that the papers on tensor transposition have, and shapes in which one side or the
 *                 other is short
 *     ttc-4, ttc-8   the TTC benchmark's 57, of elements of 4 and 8 bytes
 *     random-E    40 random shapes of elements of E bytes, by seed
 */
#include "axes/axes.h"
#include "bench/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct {
    const char *by;
    size_t elem_bytes;
} table[] = {
    {"axes:5x7x11x13x17x19x3:6,5,4,3,2,1,0", 4},
    {"axes:32x1024x1024x3:0,3,1,2", 1}, /* channels last to first */
    {"axes:10007x10009:1,0", 1},
    {"axes:48x28x28x28x48:4,1,2,0,3", 4},
    {"axes:10007x10009:1,0", 2},
    {"axes:31x33x35x37x51:4,2,0,3,1", 4},
    {"axes:8192x8192:1,0", 4},
    {"axes:401x409x409:2,1,0", 4},
    {"axes:2x33554467:1,0", 4},
    {"axes:33554467x2:1,0", 4},
    {"axes:100x100x100x10x4:3,2,4,1,0", 8},
    {"axes:10007x10009:1,0", 4},
    {"axes:32x3x1024x1024:0,2,3,1", 4}, /* channels first to last */
    {"axes:128x64x224x224:0,2,3,1", 2}, /* the same of halves, */
    {"axes:128x224x224x64:0,3,1,2", 2}, /* and back */
};

static bench_row row_of(const bench_axes *axes, size_t elem_bytes) {
    static char by[BENCH_AXES_SPEC];
    bench_axes_write(axes, by);
    return (bench_row){.by = by, .n = bench_axes_length(axes), .elem_bytes = elem_bytes};
}

static bench_row table_row(size_t k) {
    bench_axes axes;
    bench_axes_read(table[k].by, &axes);
    return row_of(&axes, table[k].elem_bytes);
}

static bench_row ttc_row(size_t k, size_t elem_bytes) {
    const bench_axes axes = bench_axes_ttc(k, elem_bytes);
    return row_of(&axes, elem_bytes);
}

static bench_row ttc_4_row(size_t k) { return ttc_row(k, 4); }
static bench_row ttc_8_row(size_t k) { return ttc_row(k, 8); }

static bench_row random_row(size_t k, uint64_t seed, size_t elem_bytes) {
    const bench_axes axes = bench_axes_random(seed, k, elem_bytes);
    return row_of(&axes, elem_bytes);
}

static bench_row random_1_row(size_t k, uint64_t seed) { return random_row(k, seed, 1); }
static bench_row random_2_row(size_t k, uint64_t seed) { return random_row(k, seed, 2); }
static bench_row random_4_row(size_t k, uint64_t seed) { return random_row(k, seed, 4); }
static bench_row random_8_row(size_t k, uint64_t seed) { return random_row(k, seed, 8); }
static bench_row random_16_row(size_t k, uint64_t seed) { return random_row(k, seed, 16); }

static bench_row shrink(bench_row row, uint64_t most_bytes) {
    bench_axes axes;
    bench_axes_read(row.by, &axes);
    bench_axes_shrink(&axes, most_bytes / row.elem_bytes);
    return row_of(&axes, row.elem_bytes);
}

enum { RANDOM = 40 };

static const bench_group groups[] = {
    {"table", COUNT(table), .row = table_row},
    {"ttc-4", BENCH_TTC_ROWS, .row = ttc_4_row},
    {"ttc-8", BENCH_TTC_ROWS, .row = ttc_8_row},
    {"random-4", RANDOM, .drawn = random_4_row},
    {"random-8", RANDOM, .drawn = random_8_row},
    {"random-16", RANDOM, .drawn = random_16_row},
    {"random-2", RANDOM, .drawn = random_2_row},
    {"random-1", RANDOM, .drawn = random_1_row},
    {0},
};

const bench_suite bench_suite_axes = {
    .name = "axes",
    .about =
        "tensors of any shape, their axes in another order; on a CPU minutes, or seconds with --bytes 2^20",
    .has_means = true,
    .groups = groups,
    .shrink = shrink,
};
