/* SPDX-License-Identifier: Apache-2.0
 *
 * The suites of the papers' tables: `hmm` and `hmm-random` (Kasagi, Nakano, Ito 2013) and `dmm` (2012).
 */
#include "bench/suite.h"
#include "kinds/kinds.h"

#define POWER(k) ((uint64_t)1 << (k))
#define SCATTER RIFFLE_ALGORITHM_SCATTER
#define GATHER RIFFLE_ALGORITHM_GATHER

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
        .by = "random", .n = POWER(22), .elem_bytes = 8, .algorithm = algorithms[k], .kind = &bench_random};
}

/* The DMM paper's Table II, and then its Figure 7: more and more blocks at a time. */
enum { DMM_ALGORITHMS = 4, DMM_TABLE_PERMS = 5, DMM_FIGURE_PERMS = 2, DMM_BLOCK_COUNTS = 22 };
enum {
    DMM_TABLE_ROWS = DMM_TABLE_PERMS * DMM_ALGORITHMS,
    DMM_FIGURE_ROWS = DMM_FIGURE_PERMS * DMM_BLOCK_COUNTS * DMM_ALGORITHMS,
};

#define BLOCKS(count)                                                                                          \
    { (count), 100000 }
static const bench_blocks_row figure[DMM_BLOCK_COUNTS] = {
    BLOCKS(1),   BLOCKS(2),   BLOCKS(4),   BLOCKS(8),   BLOCKS(16),  BLOCKS(32),   BLOCKS(64),  BLOCKS(128),
    BLOCKS(192), BLOCKS(256), BLOCKS(320), BLOCKS(384), BLOCKS(448), BLOCKS(512),  BLOCKS(576), BLOCKS(640),
    BLOCKS(704), BLOCKS(768), BLOCKS(832), BLOCKS(896), BLOCKS(960), BLOCKS(1024),
};

static bench_row dmm_row(size_t k) {
    static const char *const perms[DMM_TABLE_PERMS] = {"random:1", "bit-reversal", "identity", "shuffle",
                                                       "transpose:32x32"};
    static const riffle_algorithm algorithms[DMM_ALGORITHMS] = {RIFFLE_ALGORITHM_COPY, SCATTER, GATHER,
                                                                RIFFLE_ALGORITHM_CONFLICT_FREE};
    static const bench_blocks_row table = {1, 1000000};
    bench_row row = {.n = 1024,
                     .elem_bytes = 4,
                     .algorithm = algorithms[k % DMM_ALGORITHMS],
                     .kind = &bench_blocks,
                     .of = &table};
    if (k < DMM_TABLE_ROWS) {
        row.by = perms[k / DMM_ALGORITHMS];
        return row;
    }
    k -= DMM_TABLE_ROWS;
    row.by = perms[k / DMM_ALGORITHMS / DMM_BLOCK_COUNTS];
    row.of = &figure[k / DMM_ALGORITHMS % DMM_BLOCK_COUNTS];
    return row;
}

static const bench_group hmm_groups[] = {{NULL, HMM_ROWS, .row = hmm_row}, {0}};
static const bench_group hmm_random_groups[] = {{NULL, HMM_ALGORITHMS, .row = hmm_random_row}, {0}};
static const bench_group dmm_groups[] = {{NULL, DMM_TABLE_ROWS + DMM_FIGURE_ROWS, .row = dmm_row}, {0}};

const bench_suite bench_suite_hmm = {
    .name = "hmm",
    .about = "Table II of the HMM paper; on a GPU",
    .needs_gpu = true,
    .groups = hmm_groups,
};

const bench_suite bench_suite_hmm_random = {
    .name = "hmm-random",
    .about = "Table III of the HMM paper; on a GPU",
    .needs_gpu = true,
    .groups = hmm_random_groups,
};

const bench_suite bench_suite_dmm = {
    .name = "dmm",
    .about = "Table II and Figure 7 of the DMM paper; on a GPU",
    .needs_gpu = true,
    .groups = dmm_groups,
};
