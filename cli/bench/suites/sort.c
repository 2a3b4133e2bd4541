/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `sort`: numbers and argument sorts, in groups:
 *
 *     shapes     2^26 numbers of 8 bytes in nine orders; `alternating` makes every merge of halves take one here, one there
 *     types      2^26 uniform numbers of each type
 *     order      stable argument sorts of 2^24 and 2^26
 *     sizes      2^10 to 2^26 numbers
 *     segments   many short arrays
 */
#include "bench/suites.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct sort_row {
    const char *by;
    uint64_t n, segments; /* numbers of a segment; 0 segments: one */
    riffle_type type;
    size_t index_bytes; /* 0: the numbers alone */
} sort_row;

#define U32 RIFFLE_TYPE_U32
#define U64 RIFFLE_TYPE_U64
#define F32 RIFFLE_TYPE_F32
#define F64 RIFFLE_TYPE_F64
#define MANY ((uint64_t)1 << 26)
#define SOME ((uint64_t)1 << 24)

static const sort_row shapes[] = {
    {"uniform", MANY, 0, U64, 0}, {"sorted", MANY, 0, U64, 0},    {"reversed", MANY, 0, U64, 0},
    {"few", MANY, 0, U64, 0},     {"equal", MANY, 0, U64, 0},     {"zipf", MANY, 0, U64, 0},
    {"nearly", MANY, 0, U64, 0},  {"staggered", MANY, 0, U64, 0}, {"alternating", MANY, 0, U64, 0},
};
static const sort_row types[] = {
    {"uniform", MANY, 0, RIFFLE_TYPE_U8, 0},
    {"uniform", MANY, 0, RIFFLE_TYPE_I16, 0},
    {"uniform", MANY, 0, U32, 0},
    {"uniform", MANY, 0, RIFFLE_TYPE_I64, 0},
    {"uniform", MANY, 0, RIFFLE_TYPE_F16, 0},
    {"uniform", MANY, 0, F32, 0},
    {"uniform", MANY, 0, F64, 0},
};
static const sort_row order[] = {
    {"uniform", MANY, 0, U64, 8}, {"uniform", SOME, 0, U64, 8}, {"uniform", SOME, 0, U32, 4},
    {"uniform", SOME, 0, F64, 8}, {"zipf", SOME, 0, U64, 8},    {"sorted", SOME, 0, U64, 8},
};
static const sort_row sizes[] = {
    {"uniform", 1 << 10, 0, U32, 0}, {"uniform", 1 << 14, 0, U32, 0}, {"uniform", 1 << 18, 0, U32, 0},
    {"uniform", 1 << 22, 0, U32, 0}, {"uniform", 1 << 26, 0, U32, 0},
};
static const sort_row segments[] = {
    {"uniform", 32, 1 << 19, F32, 0}, {"uniform", 1000, 1 << 14, F32, 0}, {"uniform", 1000, 1 << 14, F32, 8}};

static bench_row row_of(const sort_row *of) {
    return (bench_row){.kind = BENCH_SORT,
                       .by = of->by,
                       .n = of->n,
                       .batch = of->segments,
                       .elem_bytes = riffle_type_bytes(of->type),
                       .entry_bytes = of->index_bytes,
                       .type = of->type};
}

static bench_row shapes_row(size_t k) { return row_of(&shapes[k]); }
static bench_row types_row(size_t k) { return row_of(&types[k]); }
static bench_row order_row(size_t k) { return row_of(&order[k]); }
static bench_row sizes_row(size_t k) { return row_of(&sizes[k]); }
static bench_row segments_row(size_t k) { return row_of(&segments[k]); }

static const bench_group groups[] = {
    {"shapes", COUNT(shapes), .row = shapes_row},       {"types", COUNT(types), .row = types_row},
    {"order", COUNT(order), .row = order_row},          {"sizes", COUNT(sizes), .row = sizes_row},
    {"segments", COUNT(segments), .row = segments_row}, {0},
};

const bench_suite bench_suite_sort = {
    .name = "sort",
    .about = "numbers and argument sorts, beside a copy; 3 GiB, or less with --bytes 2^20",
    .groups = groups,
    .shrink = bench_shrink_batch,
};
