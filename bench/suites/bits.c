/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `bits`: 128 MiB to 1 GiB of bits, each beside the copy of as many bytes, in groups:
 *
 *     planes     elements to planes and back: of 1 to 8 bytes, of 4 bits, and in blocks as HDF5's filter has them
 *     maps       packed elements along affine maps and axes
 *     large      1 GiB of both, and a table, as GPUs have them
 */
#include "kinds/kinds.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define POWER(k) ((uint64_t)1 << (k))

typedef struct bits_row {
    const char *by;
    uint64_t bytes, block; /* the array's; elements in a block, 0: all */
    unsigned bits;         /* an element's */
} bits_row;

static const bits_row planes[] = {
    {"bitshuffle", POWER(28), 0, 32},    {"bitunshuffle", POWER(28), 0, 32}, {"bitshuffle", POWER(26), 0, 8},
    {"bitunshuffle", POWER(26), 0, 8},   {"bitshuffle", POWER(28), 0, 16},   {"bitshuffle", POWER(28), 0, 64},
    {"bitunshuffle", POWER(28), 0, 64},  {"bitshuffle", POWER(26), 0, 4},    {"bitunshuffle", POWER(26), 0, 4},
    {"bitshuffle", POWER(28), 2048, 32},
};
static const bits_row maps[] = {
    {"random-affine:1", POWER(27), 0, 1}, {"random-affine:1", POWER(27), 0, 4},
    {"bit-reversal", POWER(27), 0, 1},    {"shuffle", POWER(27), 0, 1},
    {"reverse", POWER(27), 0, 1},         {"rotate:3", POWER(27), 0, 1},
    {"random:1", POWER(24), 0, 1},
};

static const bits_row large[] = {
    {"bitshuffle", POWER(30), 0, 32},     {"bitunshuffle", POWER(30), 0, 32},
    {"bitshuffle", POWER(30), 0, 8},      {"bitunshuffle", POWER(30), 0, 8},
    {"random-affine:1", POWER(30), 0, 1}, {"random-affine:2", POWER(30), 0, 1},
    {"random-affine:1", POWER(30), 0, 4}, {"bit-reversal", POWER(30), 0, 1},
    {"shuffle", POWER(30), 0, 1},         {"reverse", POWER(30), 0, 1},
    {"rotate:3", POWER(30), 0, 1},        {"random:1", POWER(24), 0, 1},
};

static bench_row row_of(const bits_row *of) {
    return (bench_row){
        .kind = &bench_bits, .by = of->by, .n = of->bytes, .elem_bytes = 1, .way = of->bits, .of = &of->block};
}

static bench_row planes_row(size_t k) { return row_of(&planes[k]); }
static bench_row maps_row(size_t k) { return row_of(&maps[k]); }
static bench_row large_row(size_t k) { return row_of(&large[k]); }

static const bench_group groups[] = {{"planes", COUNT(planes), .row = planes_row},
                                     {"maps", COUNT(maps), .row = maps_row},
                                     {"large", COUNT(large), .row = large_row},
                                     {0}};

static bench_row shrink(bench_row row, uint64_t most_bytes) {
    while (row.n > most_bytes && row.n > POWER(14)) row.n /= 2;
    return row;
}

const bench_suite bench_suite_bits = {
    .name = "bits",
    .about = "elements as planes of bits, and packed elements along maps; some minutes, 3 GiB, or less with "
             "--bytes 2^20",
    .groups = groups,
    .shrink = shrink,
};
