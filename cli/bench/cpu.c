/* SPDX-License-Identifier: Apache-2.0
 *
 * The suites `cpu`, structured and arbitrary permutations of some hundred megabytes, and `quick`, a few of little ones.
 */
#include "bench/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
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

static const bench_group cpu_groups[] = {{NULL, COUNT(cpu_rows), .row = cpu_row}, {0}};
static const bench_group quick_groups[] = {{NULL, COUNT(quick_rows), .row = quick_row}, {0}};

const bench_suite bench_suite_cpu = {
    .name = "cpu",
    .about = "permutations of all kinds; minutes, 5 GiB",
    .groups = cpu_groups,
};

const bench_suite bench_suite_quick = {
    .name = "quick",
    .about = "a second; shows that it works, not how fast",
    .groups = quick_groups,
};
