/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `choice`: whether the planner chooses well. 60 moves, 15 of each of four lengths, and the TTC benchmark's 57 shapes, each by what
 * `auto` and MEASURE choose and by every algorithm that takes it.
 */
#include "axes/axes.h"
#include "bench/suite.h"
#include "kinds/kinds.h"

#define POWER(k) ((uint64_t)1 << (k))
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct choice_row {
    const char *by;
    uint64_t n;
    size_t elem_bytes;
} choice_row;

/* 2^log elements of 4 bytes, or about as many bytes. */
#define ROWS(log, matrix, box, box_n, image, image_n)                                                          \
    {"rotate:5", POWER(log), 4}, {"reverse", POWER(log), 4}, {"reverse", POWER(log) * 4, 1},                   \
        {"bit-reversal", POWER(log) * 4, 1}, {"bit-reversal", POWER(log), 4},                                  \
        {"bit-reversal", POWER(log) / 2, 8}, {"transpose:" matrix, POWER(log), 4},                             \
        {"random-affine:1", POWER(log), 4}, {"random-affine:1", POWER(log) / 2, 8},                            \
        {"axes:" box ":2,1,0", box_n, 4}, {"axes:" box ":1,0,2", box_n, 4},                                    \
        {"axes:" image "x3:2,0,1", image_n, 1}, {"random:1", POWER(log), 4}, {"random:1", POWER(log) / 2, 8},  \
    {                                                                                                          \
        "random:1", POWER(log) / 16, 64                                                                        \
    }

static const choice_row KIB_64[] = {ROWS(14, "128x128", "25x26x25", 16250, "147x148", 65268)};
static const choice_row MIB_1[] = {ROWS(18, "512x512", "64x63x65", 262080, "591x591", 1047843)};
static const choice_row MIB_16[] = {ROWS(22, "2048x2048", "161x162x160", 4173120, "2364x2365", 16772580)};
static const choice_row MIB_64[] = {ROWS(24, "4096x4096", "255x256x257", 16776960, "4729x4730", 67104510)};

static bench_row row_of(const choice_row *row) {
    return (bench_row){.kind = &bench_choices, .by = row->by, .n = row->n, .elem_bytes = row->elem_bytes};
}

#define GROUP(rows)                                                                                            \
    static bench_row row_of_##rows(size_t k) { return row_of(&rows[k]); }
GROUP(KIB_64)
GROUP(MIB_1)
GROUP(MIB_16)
GROUP(MIB_64)

/* As short as the suite axes has them with --bytes 2^25, which is what HPTT's measuring is run on. */
static bench_row ttc_row(size_t k) {
    enum { MOST = 1 << 23, ELEM_BYTES = 4 };
    static char by[BENCH_AXES_SPEC];
    bench_axes axes = bench_axes_ttc(k, ELEM_BYTES);
    bench_axes_shrink(&axes, MOST);
    bench_axes_write(&axes, by);
    return (bench_row){
        .kind = &bench_choices, .by = by, .n = bench_axes_length(&axes), .elem_bytes = ELEM_BYTES};
}

static const bench_group groups[] = {
    {"64-kib", COUNT(KIB_64), .row = row_of_KIB_64}, {"1-mib", COUNT(MIB_1), .row = row_of_MIB_1},
    {"16-mib", COUNT(MIB_16), .row = row_of_MIB_16}, {"64-mib", COUNT(MIB_64), .row = row_of_MIB_64},
    {"ttc-4", BENCH_TTC_ROWS, .row = ttc_row},       {0}};

const bench_suite bench_suite_choice = {
    .name = "choice",
    .about = "the planner's choice beside all others and beside what measuring finds, on a CPU; minutes",
    .groups = groups,
};
