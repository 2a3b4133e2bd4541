/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/suites.h"

#include "bench/suite_affine.h"
#include "bench/suite_arbitrary.h"

#define POWER(k) ((uint64_t)1 << (k))
#define AUTO RIFFLE_ALGORITHM_AUTO
#define BUCKET RIFFLE_ALGORITHM_BUCKET
#define SCATTER RIFFLE_ALGORITHM_SCATTER
#define GATHER RIFFLE_ALGORITHM_GATHER
#define BITS_26 "bits:11,3,24,7,19,0,14,22,5,16,9,25,1,13,20,6,18,2,23,10,15,4,21,8,17,12"

typedef struct table_row {
    const char *by;
    uint64_t n;
    size_t elem_bytes;
    riffle_algorithm algorithm;
} table_row;

/* Permutations that the index bits describe, at 4 and at 8 bytes. */
#define STRUCTURED(elem_bytes)                                                                                 \
    {"identity", POWER(26), elem_bytes, AUTO}, {"reverse", POWER(26), elem_bytes, AUTO},                       \
        {"bit-reversal", POWER(26), elem_bytes, AUTO}, {"shuffle", POWER(26), elem_bytes, AUTO},               \
        {"transpose:8192x8192", POWER(26), elem_bytes, AUTO},                                                  \
        {"random-affine:1", POWER(26), elem_bytes, AUTO}, {"random-affine:2", POWER(26), elem_bytes, AUTO},    \
        {"random-affine:3", POWER(26), elem_bytes, AUTO}, {                                                    \
        BITS_26, POWER(26), elem_bytes, AUTO                                                                   \
    }

/* An arbitrary permutation by every algorithm that can move it. */
#define ARBITRARY(n)                                                                                           \
    {"random:1", n, 4, AUTO}, {"random:1", n, 4, BUCKET}, {"random:1", n, 4, SCATTER}, {                       \
        "random:1", n, 4, GATHER                                                                               \
    }

static const uint64_t CUBE = 401 * 409 * 409;

static const table_row cpu_rows[] = {
    STRUCTURED(4),
    STRUCTURED(8),
    {"bit-reversal", POWER(26), 1, AUTO},
    {"random-affine:1", POWER(26), 1, AUTO},
    {"transpose:8192x8192", POWER(26), 1, AUTO},
    {"bit-reversal", POWER(26), 2, AUTO},
    {"random-affine:1", POWER(26), 2, AUTO},
    {"transpose:8192x8192", POWER(26), 2, AUTO},
    {"bit-reversal", POWER(25), 16, AUTO},
    {"random-affine:1", POWER(25), 16, AUTO},
    {"transpose:4096x8192", POWER(25), 16, AUTO},

    {"axes:401x409x409:2,1,0", CUBE, 4, AUTO},
    {"axes:401x409x409:1,0,2", CUBE, 4, AUTO},
    {"axes:401x409x409:0,2,1", CUBE, 4, AUTO},
    {"axes:401x409x409:2,0,1", CUBE, 4, AUTO},
    {"axes:401x409x409:1,2,0", CUBE, 4, AUTO},
    {"axes:31x33x35x37x51:4,2,0,3,1", 31 * 33 * 35 * 37 * 51, 4, AUTO},
    {"axes:4096x5461x3:1,0,2", 4096 * 5461 * 3, 4, AUTO},

    ARBITRARY(POWER(20)),
    ARBITRARY(POWER(24)),
    ARBITRARY(POWER(26)),
    ARBITRARY(POWER(28)),
    {"random:1", POWER(24), 4, RIFFLE_ALGORITHM_SCHEDULED},
    {"random:1", POWER(27), 8, AUTO},
    {"random:1", POWER(26), 16, AUTO},
    {"random:1", POWER(28), 1, AUTO},

    {"random:1", POWER(22), 64, AUTO},
    {"random:1", POWER(20), 256, AUTO},
    {"random:1", POWER(18), 4096, AUTO},
    {"random:1", POWER(22), 12, AUTO},
};

/* Small enough to show in a second that everything works; too small to say how fast. */
static const table_row quick_rows[] = {
    {"identity", POWER(18), 4, AUTO},        {"bit-reversal", POWER(18), 4, AUTO},
    {"random-affine:1", POWER(18), 8, AUTO}, {"axes:61x63x65:2,0,1", 61 * 63 * 65, 4, AUTO},
    {"random:1", 250007, 12, AUTO},          ARBITRARY(POWER(18)),
};

static bench_row row_of(const table_row *row) {
    return (bench_row){.by = row->by, .n = row->n, .elem_bytes = row->elem_bytes, .algorithm = row->algorithm};
}

static bench_row cpu_row(size_t k) { return row_of(&cpu_rows[k]); }

static bench_row quick_row(size_t k) { return row_of(&quick_rows[k]); }

enum { CPU_ROWS = sizeof cpu_rows / sizeof cpu_rows[0], QUICK_ROWS = sizeof quick_rows / sizeof quick_rows[0] };

/* The HMM paper's Table II: for each sqrt n and size of element, five permutations by three algorithms. The
 * paper goes to 4096 floats and 2048 doubles; here a row of doubles that is too long for shared memory is asked
 * for too, to have it said. */
enum { HMM_SIZES = 7, HMM_SMALLEST_BITS = 8, HMM_PERMS = 5, HMM_ALGORITHMS = 3 };
enum { HMM_ROWS = HMM_SIZES * 2 * HMM_PERMS * HMM_ALGORITHMS };

static const char *const transposes[HMM_SIZES] = {
    "transpose:256x256",   "transpose:512x512",   "transpose:1024x1024",   "transpose:2048x2048",
    "transpose:4096x4096", "transpose:8192x8192", "transpose:16384x16384",
};

static bench_row hmm_row(size_t k) {
    static const riffle_algorithm algorithms[HMM_ALGORITHMS] = {SCATTER, GATHER, RIFFLE_ALGORITHM_SCHEDULED};
    const char *perms[HMM_PERMS] = {"identity", "shuffle", "random:1", "bit-reversal", NULL};
    const size_t size = k / HMM_ALGORITHMS / HMM_PERMS / 2;
    perms[HMM_PERMS - 1] = transposes[size];
    return (bench_row){.by = perms[k / HMM_ALGORITHMS % HMM_PERMS],
                       .n = POWER(2 * (HMM_SMALLEST_BITS + size)),
                       .elem_bytes = k / HMM_ALGORITHMS / HMM_PERMS % 2 == 0 ? 4 : 8,
                       .algorithm = algorithms[k % HMM_ALGORITHMS]};
}

/* Its Table III: 2^22 doubles along random permutations. */
static bench_row hmm_random_row(size_t k) {
    static const riffle_algorithm algorithms[HMM_ALGORITHMS] = {SCATTER, GATHER, RIFFLE_ALGORITHM_SCHEDULED};
    return (bench_row){
        .by = "random", .n = POWER(22), .elem_bytes = 8, .algorithm = algorithms[k], .kind = BENCH_RANDOM};
}

/* The DMM paper's Table II, and then its Figure 7: more and more blocks at a time. */
enum { DMM_ALGORITHMS = 4, DMM_TABLE_PERMS = 5, DMM_FIGURE_PERMS = 2, DMM_BLOCK_COUNTS = 22 };
enum {
    DMM_TABLE_ROWS = DMM_TABLE_PERMS * DMM_ALGORITHMS,
    DMM_FIGURE_ROWS = DMM_FIGURE_PERMS * DMM_BLOCK_COUNTS * DMM_ALGORITHMS,
};

static bench_row dmm_row(size_t k) {
    static const char *const perms[DMM_TABLE_PERMS] = {"random:1", "bit-reversal", "identity", "shuffle",
                                                       "transpose:32x32"};
    static const riffle_algorithm algorithms[DMM_ALGORITHMS] = {RIFFLE_ALGORITHM_COPY, SCATTER, GATHER,
                                                                RIFFLE_ALGORITHM_CONFLICT_FREE};
    static const unsigned counts[DMM_BLOCK_COUNTS] = {1,   2,   4,   8,   16,  32,  64,  128, 192, 256, 320,
                                                      384, 448, 512, 576, 640, 704, 768, 832, 896, 960, 1024};
    bench_row row = {.n = 1024,
                     .elem_bytes = 4,
                     .algorithm = algorithms[k % DMM_ALGORITHMS],
                     .kind = BENCH_BLOCKS,
                     .blocks = 1,
                     .repetitions = 1000000};
    if (k < DMM_TABLE_ROWS) {
        row.by = perms[k / DMM_ALGORITHMS];
        return row;
    }
    k -= DMM_TABLE_ROWS;
    row.by = perms[k / DMM_ALGORITHMS / DMM_BLOCK_COUNTS];
    row.blocks = counts[k / DMM_ALGORITHMS % DMM_BLOCK_COUNTS];
    row.repetitions = 100000;
    return row;
}

bench_row bench_group_row(const bench_group *groups, size_t k) {
    while (k >= groups->count) k -= (groups++)->count;
    bench_row row = groups->row(k);
    row.group = groups->name;
    return row;
}

const bench_suite bench_suites[] = {
    {"cpu", false, CPU_ROWS, cpu_row},
    {"quick", false, QUICK_ROWS, quick_row},
    {"affine", true, BENCH_AFFINE_ROWS, bench_affine_row},
    {"arbitrary", true, BENCH_ARBITRARY_ROWS, bench_arbitrary_row},
    {"hmm", true, HMM_ROWS, hmm_row},
    {"hmm-random", true, HMM_ALGORITHMS, hmm_random_row},
    {"dmm", true, DMM_TABLE_ROWS + DMM_FIGURE_ROWS, dmm_row},
    {0},
};
