/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `sort`: numbers and argument sorts, in groups:
 *
 *     shapes     2^26 numbers of 8 bytes in eleven orders; `alternating` makes every merge of halves take one here, one there; `halves` are two skewed
 *                ones, `clusters` 37 far from each other
 *     types      2^26 uniform numbers of each type
 *     order      stable argument sorts of 2^24 and 2^26
 *     sizes      2^10 to 2^26 numbers
 *     segments   many short arrays
 *     top        the first of 2^26 numbers, and of each of many rows
 *     partition  2^26 numbers and 2^19 rows of 128 parted around the one in the middle
 *
 * and, for GPUs, the suite `sort-gpu`:
 *
 *     shapes     2^28 numbers of 4 bytes and 2^26 of 8 in the eleven orders, and 2^28 of 8 in three of them
 *     sizes      2^10 to 2^28 numbers of 4 bytes, 2^12 to 2^28 of 8
 *     checked    2^28, 2^26 and 2^24 numbers of 4 and 8 bytes without a check, with one of the result, and with one of what is between passes
 *     types      2^26 uniform numbers of each size of key, of 16 bytes too, and 2^27 of those
 *     order      argument sorts with indices of 4 bytes
 *     segments   2^14 to 2^22 arrays
 *     top        the first of 2^28 and 2^26 numbers, and of each of 4,096 and 1,024 rows, different ones and equal ones
 *     partition  2^13 to 2^28 numbers, and rows of 16 to 2^18, parted around the one in the middle
 *     merge      2 to 32 sorted streams of 2^24 to 2^28 numbers together, of 4, 8 and 16 bytes, merged
 *     rows       2^24 and 2^26 rows of three fields, 24 bytes: their argument sort, and the rows moved by it
 */
#include "sorts/sorts.h"

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

#define ALL_SHAPES(n, type)                                                                                    \
    {"uniform", n, 0, type, 0}, {"sorted", n, 0, type, 0}, {"reversed", n, 0, type, 0},                        \
        {"few", n, 0, type, 0}, {"equal", n, 0, type, 0}, {"zipf", n, 0, type, 0}, {"nearly", n, 0, type, 0},  \
        {"staggered", n, 0, type, 0}, {"alternating", n, 0, type, 0}, {"halves", n, 0, type, 0}, {             \
        "clusters", n, 0, type, 0                                                                              \
    }
static const sort_row shapes[] = {ALL_SHAPES(MANY, U64)};
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
#define GREAT ((uint64_t)1 << 28)
#define WIDE ((riffle_type)-1) /* elements of 16 bytes */
#define STREAMS(all, count, type)                                                                              \
    { "streams", (all) / (count), count, type, 0 }
static const sort_row gpu_merge[] = {
    STREAMS(GREAT, 2, U32),    STREAMS(GREAT, 4, U32),     STREAMS(GREAT, 8, U32),
    STREAMS(GREAT, 16, U32),   STREAMS(GREAT, 32, U32),    STREAMS(SOME, 32, U32),
    STREAMS(2 * MANY, 8, U64), STREAMS(2 * MANY, 32, U64), STREAMS(MANY, 32, WIDE),
};
#define ROWS ((riffle_type)-2) /* rows of three integers of 8 bytes */
static const sort_row gpu_rows[] = {{"uniform", SOME, 0, ROWS, 4}, {"uniform", MANY, 0, ROWS, 4}};
static const sort_row gpu_shapes[] = {ALL_SHAPES(GREAT, U32),
                                      ALL_SHAPES(MANY, U64),
                                      {"uniform", GREAT, 0, U64, 0},
                                      {"halves", GREAT, 0, U64, 0},
                                      {"clusters", GREAT, 0, U64, 0}};
static const sort_row gpu_types[] = {
    {"uniform", MANY, 0, RIFFLE_TYPE_U8, 0},
    {"uniform", MANY, 0, RIFFLE_TYPE_I16, 0},
    {"uniform", MANY, 0, U32, 0},
    {"uniform", MANY, 0, F32, 0},
    {"uniform", MANY, 0, RIFFLE_TYPE_I64, 0},
    {"uniform", MANY, 0, F64, 0},
    {"uniform", MANY, 0, WIDE, 0},
    {"uniform", 2 * MANY, 0, WIDE, 0},
};
static const sort_row gpu_order[] = {
    {"uniform", 2 * MANY, 0, U64, 4},
    {"zipf", 2 * MANY, 0, U64, 4},
    {"uniform", 2 * MANY, 0, U32, 4},
    {"uniform", MANY, 0, F64, 4},
};
static const sort_row gpu_segments[] = {
    {"uniform", 32, 1 << 22, F32, 0},   {"uniform", 32, 1 << 22, U32, 0},
    {"uniform", 1000, 1 << 17, U32, 0}, {"uniform", 4000, 1 << 15, U32, 0},
    {"uniform", 1000, 1 << 16, U64, 0}, {"uniform", 100000, 1 << 10, U32, 0}};
static const sort_row sizes[] = {
    {"uniform", 1 << 10, 0, U32, 0}, {"uniform", 1 << 14, 0, U32, 0}, {"uniform", 1 << 18, 0, U32, 0},
    {"uniform", 1 << 22, 0, U32, 0}, {"uniform", 1 << 26, 0, U32, 0},
};
static const sort_row segments[] = {
    {"uniform", 32, 1 << 19, F32, 0}, {"uniform", 1000, 1 << 14, F32, 0}, {"uniform", 1000, 1 << 14, F32, 8}};

static const bench_sort_row numbers = {0}, by_4 = {.index_bytes = 4}, by_8 = {.index_bytes = 8};

static bench_row row_of(const sort_row *of) {
    return (bench_row){.kind = &bench_sort,
                       .by = of->by,
                       .n = of->n,
                       .batch = of->segments,
                       .elem_bytes = of->type == WIDE   ? 16
                                     : of->type == ROWS ? BENCH_SORT_ROW_BYTES
                                                        : riffle_type_bytes(of->type),
                       .of = of->index_bytes == 0   ? &numbers
                             : of->index_bytes == 4 ? &by_4
                                                    : &by_8,
                       .type = of->type == WIDE   ? U64
                               : of->type == ROWS ? RIFFLE_TYPE_I64
                                                  : of->type};
}

/* The first of each segment, or each parted. */
typedef struct top_row {
    sort_row among;
    bench_sort_row of;
} top_row;

#define TOP(count, by, n, segments)                                                                            \
    {{by, n, segments, F32, 0}, {0, count, false}}, {                                                          \
        {by, n, segments, F32, 4}, { 4, count, false }                                                         \
    }
static const top_row top[] = {TOP(100, "uniform", MANY, 0), TOP(100, "equal", MANY, 0),
                              TOP(1000, "uniform", MANY, 0), TOP(1000, "equal", MANY, 0),
                              TOP(8, "uniform", 50000, 256)};
static const top_row gpu_top[] = {
    TOP(100, "uniform", GREAT, 0),    TOP(100, "equal", GREAT, 0),    TOP(10000, "uniform", MANY, 0),
    TOP(10000, "equal", MANY, 0),     TOP(8, "uniform", 50000, 4096), TOP(8, "equal", 50000, 4096),
    TOP(64, "uniform", 131072, 1024), TOP(64, "equal", 131072, 1024),
};

#define PART(by, n, segments, type, index_bytes)                                                               \
    {                                                                                                          \
        {by, n, segments, type, index_bytes}, { index_bytes, 0, true }                                         \
    }
static const top_row parted[] = {PART("uniform", MANY, 0, F32, 0), PART("uniform", MANY, 0, U64, 0),
                                 PART("uniform", 128, 1 << 19, F32, 0)};
static const top_row gpu_parted[] = {
    PART("uniform", 1 << 13, 0, U64, 0),    PART("uniform", 1 << 14, 0, U64, 0),
    PART("uniform", 1 << 16, 0, U64, 0),    PART("uniform", 1 << 18, 0, U64, 0),
    PART("uniform", 1 << 20, 0, U32, 0),    PART("uniform", 1 << 22, 0, U32, 0),
    PART("uniform", SOME, 0, U32, 0),       PART("uniform", MANY, 0, U32, 0),
    PART("uniform", MANY, 0, U64, 0),       PART("uniform", GREAT, 0, U32, 0),
    PART("equal", GREAT, 0, U32, 0),        PART("uniform", GREAT, 0, U32, 4),
    PART("uniform", GREAT, 0, F32, 0),      PART("uniform", 16, 1 << 23, F32, 0),
    PART("uniform", 128, 1 << 20, F32, 0),  PART("uniform", 128, 1 << 20, F32, 4),
    PART("few", 128, 1 << 20, F32, 0),      PART("uniform", 1024, 1 << 17, F32, 0),
    PART("uniform", 1 << 14, 8192, F32, 0), PART("uniform", 1 << 18, 4, F32, 0),
};

static bench_row row_of_top(const top_row *of) {
    bench_row row = row_of(&of->among);
    row.of = &of->of;
    return row;
}

static bench_row shapes_row(size_t k) { return row_of(&shapes[k]); }
static bench_row types_row(size_t k) { return row_of(&types[k]); }
static bench_row order_row(size_t k) { return row_of(&order[k]); }
static bench_row sizes_row(size_t k) { return row_of(&sizes[k]); }
static bench_row segments_row(size_t k) { return row_of(&segments[k]); }
static bench_row first_row(size_t k) { return row_of_top(&top[k]); }
static bench_row parted_row(size_t k) { return row_of_top(&parted[k]); }

static const sort_row gpu_checked[] = {
    {"uniform", GREAT, 0, U32, 0}, {"uniform", MANY, 0, U32, 0},  {"uniform", SOME, 0, U32, 0},
    {"uniform", GREAT, 0, F32, 0}, {"uniform", GREAT, 0, U64, 0}, {"uniform", MANY, 0, U64, 0},
    {"uniform", SOME, 0, U64, 0},  {"equal", GREAT, 0, U32, 0},   {"uniform", GREAT, 0, U32, 4},
    {"uniform", GREAT, 0, U64, 4},
};
static const riffle_check checks[] = {RIFFLE_CHECK_NONE, RIFFLE_CHECK_FULL, RIFFLE_CHECK_PASSES};

static bench_row gpu_checked_row(size_t k) {
    bench_row row = row_of(&gpu_checked[k / COUNT(checks)]);
    row.check = checks[k % COUNT(checks)];
    return row;
}

static bench_row gpu_shapes_row(size_t k) { return row_of(&gpu_shapes[k]); }
static bench_row gpu_types_row(size_t k) { return row_of(&gpu_types[k]); }
static bench_row gpu_order_row(size_t k) { return row_of(&gpu_order[k]); }
static bench_row gpu_segments_row(size_t k) { return row_of(&gpu_segments[k]); }
static bench_row gpu_merge_row(size_t k) { return row_of(&gpu_merge[k]); }
static bench_row gpu_rows_row(size_t k) { return row_of(&gpu_rows[k]); }
static bench_row gpu_top_row(size_t k) { return row_of_top(&gpu_top[k]); }
static bench_row gpu_parted_row(size_t k) { return row_of_top(&gpu_parted[k]); }

enum {
    GPU_U32_FROM = 10,
    GPU_U64_FROM = 12,
    GPU_U64_APART = 16, /* from there on every second one */
    GPU_TO = 28,
    GPU_U32_SIZES = GPU_TO + 1 - GPU_U32_FROM,
    GPU_U64_SIZES = GPU_U64_APART - GPU_U64_FROM + (GPU_TO - GPU_U64_APART) / 2 + 1,
};

static bench_row gpu_sizes_row(size_t k) {
    const bool is_u32 = k < GPU_U32_SIZES;
    unsigned bits = is_u32 ? GPU_U32_FROM + (unsigned)k : GPU_U64_FROM + (unsigned)(k - GPU_U32_SIZES);
    if (!is_u32 && bits > GPU_U64_APART) bits += bits - GPU_U64_APART;
    return row_of(&(sort_row){"uniform", (uint64_t)1 << bits, 0, is_u32 ? U32 : U64, 0});
}

static const bench_group gpu_groups[] = {
    {"sizes", GPU_U32_SIZES + GPU_U64_SIZES, .row = gpu_sizes_row},
    {"shapes", COUNT(gpu_shapes), .row = gpu_shapes_row},
    {"checked", COUNT(gpu_checked) * COUNT(checks), .row = gpu_checked_row},
    {"types", COUNT(gpu_types), .row = gpu_types_row},
    {"order", COUNT(gpu_order), .row = gpu_order_row},
    {"segments", COUNT(gpu_segments), .row = gpu_segments_row},
    {"rows", COUNT(gpu_rows), .row = gpu_rows_row},
    {"merge", COUNT(gpu_merge), .row = gpu_merge_row},
    {"top", COUNT(gpu_top), .row = gpu_top_row},
    {"partition", COUNT(gpu_parted), .row = gpu_parted_row},
    {0},
};

const bench_suite bench_suite_sort_gpu = {
    .name = "sort-gpu",
    .about = "numbers, argument sorts and rows of up to 2^28, in a GPU's memory, beside a copy",
    .needs_gpu = true,
    .groups = gpu_groups,
    .shrink = bench_shrink_batch,
};

static const bench_group groups[] = {
    {"shapes", COUNT(shapes), .row = shapes_row},       {"types", COUNT(types), .row = types_row},
    {"order", COUNT(order), .row = order_row},          {"sizes", COUNT(sizes), .row = sizes_row},
    {"segments", COUNT(segments), .row = segments_row}, {"top", COUNT(top), .row = first_row},
    {"partition", COUNT(parted), .row = parted_row},    {0},
};

const bench_suite bench_suite_sort = {
    .name = "sort",
    .about = "numbers and argument sorts, beside a copy; 3 GiB, or less with --bytes 2^20",
    .groups = groups,
    .shrink = bench_shrink_batch,
};
