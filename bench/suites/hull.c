/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `hull`: convex hulls of points of many shapes, as indices, in groups:
 *
 *     shapes     10^7 doubles; 10^6 where all points are corners
 *     floats     the dissertation's, and more: of float32
 *     sizes      10^5 to 10^8 floats
 *     sets       many small sets, each with a hull of its own
 *     figure     the dissertation's Figure 3.4
 */
#include "bench/suite.h"
#include "kinds/kinds.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct hull_row {
    const char *by;
    uint64_t n, sets; /* points of a set; 0 sets: one */
    riffle_type type;
} hull_row;

#define F32 RIFFLE_TYPE_F32
#define F64 RIFFLE_TYPE_F64

static const hull_row shapes[] = {
    {"square", 10000000, 0, F64}, {"disc", 10000000, 0, F64},      {"normal", 10000000, 0, F64},
    {"grid", 10000000, 0, F64},   {"collinear", 10000000, 0, F64}, {"duplicates", 10000000, 0, F64},
    {"ring", 1000000, 0, F64},    {"parabola", 1000000, 0, F64},
};
static const hull_row floats[] = {
    {"square", 10000000, 0, F32}, {"disc", 10000000, 0, F32},     {"normal", 10000000, 0, F32},
    {"ring", 10000000, 0, F32},   {"parabola", 10000000, 0, F32},
};
static const hull_row sizes[] = {{"disc", 100000, 0, F32},       {"disc", 1000000, 0, F32},
                                 {"disc", 10000000, 0, F32},     {"disc", 100000000, 0, F32},
                                 {"square", 100000000, 0, F32},  {"normal", 100000000, 0, F32},
                                 {"parabola", 100000000, 0, F32}};
static const hull_row figure[] = {
    {"square", 100000, 0, F32}, {"square", 1000000, 0, F32}, {"square", 10000000, 0, F32},
    {"disc", 100000, 0, F32},   {"disc", 1000000, 0, F32},   {"disc", 10000000, 0, F32},
    {"ring", 100000, 0, F32},   {"ring", 1000000, 0, F32},   {"ring", 10000000, 0, F32},
};
static const hull_row sets[] = {{"disc", 32, 1000000, F32},
                                {"disc", 32, 1000000, F64},
                                {"disc", 1000, 10000, F64},
                                {"ring", 1000, 10000, F64}};

static bench_row row_of(const hull_row *of) {
    return (bench_row){.kind = &bench_hull,
                       .by = of->by,
                       .n = of->n,
                       .batch = of->sets,
                       .elem_bytes = 2 * riffle_type_bytes(of->type),
                       .type = of->type};
}

static bench_row shapes_row(size_t k) { return row_of(&shapes[k]); }
static bench_row floats_row(size_t k) { return row_of(&floats[k]); }
static bench_row sizes_row(size_t k) { return row_of(&sizes[k]); }
static bench_row sets_row(size_t k) { return row_of(&sets[k]); }
static bench_row figure_row(size_t k) { return row_of(&figure[k]); }

static const bench_group groups[] = {
    {"shapes", COUNT(shapes), .row = shapes_row}, {"floats", COUNT(floats), .row = floats_row},
    {"sizes", COUNT(sizes), .row = sizes_row},    {"sets", COUNT(sets), .row = sets_row},
    {"figure", COUNT(figure), .row = figure_row}, {0},
};

const bench_suite bench_suite_hull = {
    .name = "hull",
    .about = "convex hulls, beside one read of the points; 1 GiB, or less with --bytes 2^20",
    .groups = groups,
    .shrink = bench_shrink_batch,
};
