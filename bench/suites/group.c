/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `group`: rows brought together by keys, in groups:
 *
 *     cpu         2^26 rows of 8 bytes
 *     partition   2^28 rows of 8 bytes and other sizes, with places and without, and 2^24; for a GPU
 *     experts     tokens to 8 of 256 experts each
 */
#include "bench/suite.h"
#include "kinds/kinds.h"

#define POWER(k) ((uint64_t)1 << (k))
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct group_row {
    uint64_t n;
    size_t row_bytes;
    bench_group_row of;
} group_row;

#define PAIRS(groups, index_bytes)                                                                             \
    { groups, 1, index_bytes, RIFFLE_TYPE_U16 }

static const group_row cpu[] = {
    {POWER(26), 8, PAIRS(1024, 0)}, {POWER(26), 8, PAIRS(256, 0)},   {POWER(26), 8, PAIRS(16, 0)},
    {POWER(26), 8, PAIRS(1024, 4)}, {POWER(25), 16, PAIRS(1024, 0)}, {POWER(23), 64, PAIRS(1024, 0)},
};
static const group_row partition[] = {
    {POWER(28), 8, PAIRS(1024, 0)},  {POWER(28), 8, PAIRS(256, 0)},  {POWER(28), 8, PAIRS(16, 0)},
    {POWER(28), 8, PAIRS(1024, 4)},  {POWER(28), 4, PAIRS(1024, 0)}, {POWER(27), 16, PAIRS(1024, 0)},
    {POWER(26), 32, PAIRS(1024, 0)}, {POWER(25), 64, PAIRS(256, 0)}, {POWER(26), 8, PAIRS(65536, 0)},
    {POWER(24), 8, PAIRS(256, 0)},
};
enum { TOKEN_BYTES = 14 << 10 };
static const group_row experts[] = {
    {128, TOKEN_BYTES, {256, 8, 4, RIFFLE_TYPE_U32}},  {1024, TOKEN_BYTES, {256, 8, 4, RIFFLE_TYPE_U32}},
    {8192, TOKEN_BYTES, {256, 8, 4, RIFFLE_TYPE_U32}}, {8192, 4 << 10, {256, 8, 4, RIFFLE_TYPE_U32}},
    {65536, 4 << 10, {8, 2, 4, RIFFLE_TYPE_U32}},
};

static bench_row row_of(const group_row *row) {
    return (bench_row){
        .kind = &bench_groups, .by = "group", .n = row->n, .elem_bytes = row->row_bytes, .of = &row->of};
}

static bench_row cpu_row(size_t k) { return row_of(&cpu[k]); }
static bench_row partition_row(size_t k) { return row_of(&partition[k]); }
static bench_row experts_row(size_t k) { return row_of(&experts[k]); }

static const bench_group groups[] = {
    {"cpu", COUNT(cpu), .row = cpu_row},
    {"partition", COUNT(partition), .row = partition_row},
    {"experts", COUNT(experts), .row = experts_row},
    {0},
};

const bench_suite bench_suite_group = {
    .name = "group",
    .about = "rows brought together by keys, stable; 2 GiB, or less with --bytes 2^20",
    .groups = groups,
    .shrink = bench_shrink_batch,
};
