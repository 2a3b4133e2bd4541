/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `small`: arrays from 1 KiB to 64 MiB by one thread, warm, each beside the copy of as many bytes, which lie in the same
 * level of the caches; and images of two to four channels, taken apart and woven, flipped and cropped with that and without.
 */
#include <stdio.h>

#include "axes/view.h"
#include "bench/suite.h"
#include "kinds/kinds.h"

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

#define IMAGE_OF(rows, cols, channels, elem_bytes)                                                             \
    {"axes:" #rows "x" #cols "x" #channels ":2,0,1", (channels) * (rows) * (cols), elem_bytes}, {              \
        "axes:" #channels "x" #rows "x" #cols ":1,2,0", (channels) * (rows) * (cols), elem_bytes               \
    }
#define IMAGE(rows, cols, channels)                                                                            \
    IMAGE_OF(rows, cols, channels, 1), IMAGE_OF(rows, cols, channels, 2), IMAGE_OF(rows, cols, channels, 4)

static const small_row IMAGES[] = {IMAGE(64, 64, 3), IMAGE(256, 256, 3), IMAGE(1080, 1920, 3),
                                   IMAGE(4096, 5461, 3)};
static const small_row CHANNELS[] = {IMAGE(256, 256, 2), IMAGE(1080, 1920, 2), IMAGE(4096, 5461, 2),
                                     IMAGE(256, 256, 4), IMAGE(1080, 1920, 4), IMAGE(4096, 5461, 4)};

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
GROUP(CHANNELS)

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* An image within a larger one, or all of it. */
typedef struct image {
    int rows, cols, channels, in_rows, in_cols;
} image;

static const image FLIPPED[] = {{256, 256, 2, 256, 256},
                                {256, 256, 3, 256, 256},
                                {256, 256, 4, 256, 256},
                                {1080, 1920, 3, 1080, 1920},
                                {4096, 5461, 3, 4096, 5461}};
static const image CROPPED[] = {{224, 224, 2, 256, 256},
                                {224, 224, 3, 256, 256},
                                {224, 224, 4, 256, 256},
                                {1024, 1024, 3, 1080, 1920},
                                {4000, 4000, 3, 4096, 5461}};

enum { WAYS = 4, SIZES = 3, VIEW_TEXT = 128 };

/* How pixels leave `of`: as they are, in another order of rows, of columns, or taken apart or woven with columns turned or not. */
static void write_view(const image *of, bool is_apart, bool is_woven, int row, int column, char *by) {
    const int c = of->channels, n = of->rows * of->cols, line = is_woven ? of->in_cols : of->in_cols * c;
    if (is_apart)
        snprintf(by, VIEW_TEXT, "view:%dx%dx%d:1,%d,%d:%d,%d,1", c, of->rows, of->cols, row * line, column * c,
                 n, of->cols);
    else
        snprintf(by, VIEW_TEXT, "view:%dx%dx%d:%d,%d,%d:%d,%d,1", of->rows, of->cols, c, row * line,
                 is_woven ? column : column * c, is_woven ? of->in_rows * of->in_cols : 1, of->cols * c, c);
}

static bench_row view_row(const char *by, size_t k) {
    bench_view view;
    bench_view_read(by, &view);
    return (bench_row){.by = by,
                       .n = bench_view_length(&view),
                       .elem_bytes = (size_t)1 << k % SIZES,
                       .threads = 1,
                       .kind = &bench_views};
}

/* By columns, by rows, and by columns while planes are taken apart or woven. */
static bench_row flipped_row(size_t k) {
    static char by[VIEW_TEXT];
    const size_t way = k / SIZES % WAYS;
    write_view(&FLIPPED[k / SIZES / WAYS], way == 2, way == 3, way == 1 ? -1 : 1, way == 1 ? 1 : -1, by);
    return view_row(by, k);
}

/* Alone, while planes are taken apart or woven, and taken apart by columns from the last. */
static bench_row cropped_row(size_t k) {
    static char by[VIEW_TEXT];
    const size_t way = k / SIZES % WAYS;
    write_view(&CROPPED[k / SIZES / WAYS], way == 1 || way == 3, way == 2, 1, way == 3 ? -1 : 1, by);
    return view_row(by, k);
}

static const bench_group groups[] = {{"1-kib", COUNT(KIB_1), .row = row_of_KIB_1},
                                     {"4-kib", COUNT(KIB_4), .row = row_of_KIB_4},
                                     {"64-kib", COUNT(KIB_64), .row = row_of_KIB_64},
                                     {"256-kib", COUNT(KIB_256), .row = row_of_KIB_256},
                                     {"512-kib", COUNT(KIB_512), .row = row_of_KIB_512},
                                     {"4-mib", COUNT(MIB_4), .row = row_of_MIB_4},
                                     {"64-mib", COUNT(MIB_64), .row = row_of_MIB_64},
                                     {"images", COUNT(IMAGES), .row = row_of_IMAGES},
                                     {"channels", COUNT(CHANNELS), .row = row_of_CHANNELS},
                                     {"flips", SIZES *WAYS *COUNT(FLIPPED), .row = flipped_row},
                                     {"crops", SIZES *WAYS *COUNT(CROPPED), .row = cropped_row},
                                     {0}};

const bench_suite bench_suite_small = {
    .name = "small",
    .about = "arrays of 1 KiB to 64 MiB and images by one thread, in the caches; seconds",
    .groups = groups,
};
