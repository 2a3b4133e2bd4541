/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `small`: arrays from 1 KiB to 64 MiB by one thread, warm, each beside the copy of as many bytes, which lie in the same
 * level of the caches; and images of three channels, taken apart and woven.
 */
#include "bench/suite.h"

#define POWER(k) ((uint64_t)1 << (k))

typedef struct small_row {
    const char *by;
    uint64_t n;
    size_t elem_bytes;
} small_row;

/* A group has one size, so each has the same moves: log is that of the number of 4-byte elements. */
#define ROWS(log, rows, cols, axes, axes_n)                                                                    \
    {"identity", POWER(log), 4}, {"rotate:5", POWER(log), 4}, {"reverse", POWER(log), 4},                      \
        {"reverse", POWER(log) * 4, 1}, {"bit-reversal", POWER(log), 4}, {"bit-reversal", POWER(log) / 2, 8},  \
        {"bit-reversal", POWER(log) * 4, 1}, {"transpose:" #rows "x" #cols, POWER(log), 4},                    \
        {"random-affine:1", POWER(log), 4}, {"axes:" axes ":2,1,0", axes_n, 4},                                \
        {"axes:" axes ":1,0,2", axes_n, 4}, {"random:1", POWER(log), 4}, {                                     \
        "random:1", POWER(log) / 2, 8                                                                          \
    }

static const small_row KIB_1[] = {ROWS(8, 16, 16, "5x7x7", 245)};
static const small_row KIB_4[] = {ROWS(10, 32, 32, "9x10x11", 990)};
static const small_row KIB_64[] = {ROWS(14, 128, 128, "25x26x25", 16250)};
static const small_row KIB_256[] = {ROWS(16, 256, 256, "40x41x39", 63960)};
static const small_row KIB_512[] = {ROWS(17, 512, 256, "50x51x51", 130050)};
static const small_row MIB_4[] = {ROWS(20, 1024, 1024, "101x102x101", 1040502)};
static const small_row MIB_64[] = {{"identity", POWER(24), 4},
                                   {"rotate:5", POWER(24), 4},
                                   {"reverse", POWER(24), 4},
                                   {"reverse", POWER(26), 1}};

#define IMAGE_OF(rows, cols, elem_bytes)                                                                       \
    {"axes:" #rows "x" #cols "x3:2,0,1", 3 * (rows) * (cols), elem_bytes}, {                                   \
        "axes:3x" #rows "x" #cols ":1,2,0", 3 * (rows) * (cols), elem_bytes                                    \
    }
#define IMAGE(rows, cols) IMAGE_OF(rows, cols, 1), IMAGE_OF(rows, cols, 2), IMAGE_OF(rows, cols, 4)

static const small_row IMAGES[] = {IMAGE(64, 64), IMAGE(256, 256), IMAGE(1080, 1920), IMAGE(4096, 5461)};

static bench_row row_of(const small_row *row) {
    return (bench_row){.by = row->by, .n = row->n, .elem_bytes = row->elem_bytes, .threads = 1};
}

#define GROUP(rows)                                                                                            \
    static bench_row row_of_##rows(size_t k) { return row_of(&rows[k]); }
GROUP(KIB_1)
GROUP(KIB_4)
GROUP(KIB_64)
GROUP(KIB_256)
GROUP(KIB_512)
GROUP(MIB_4)
GROUP(MIB_64)
GROUP(IMAGES)

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const bench_group groups[] = {{"1-kib", COUNT(KIB_1), .row = row_of_KIB_1},
                                     {"4-kib", COUNT(KIB_4), .row = row_of_KIB_4},
                                     {"64-kib", COUNT(KIB_64), .row = row_of_KIB_64},
                                     {"256-kib", COUNT(KIB_256), .row = row_of_KIB_256},
                                     {"512-kib", COUNT(KIB_512), .row = row_of_KIB_512},
                                     {"4-mib", COUNT(MIB_4), .row = row_of_MIB_4},
                                     {"64-mib", COUNT(MIB_64), .row = row_of_MIB_64},
                                     {"images", COUNT(IMAGES), .row = row_of_IMAGES},
                                     {0}};

const bench_suite bench_suite_small = {
    .name = "small",
    .about = "arrays of 1 KiB to 64 MiB and images by one thread, in the caches; seconds",
    .groups = groups,
};
