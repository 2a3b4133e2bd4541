/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `views`: copies between arrays with strides of their own, of elements of 1 to 16 bytes, in groups:
 *
 *     crop        8000 x 8000 of 16384 x 16384, to a matrix of its own, from one to another, and of odd lengths
 *     narrow      boxes of a few elements in each row
 *     stride      every second element, or every second row, on either side
 *     reversed    rows from their ends, and rows from the last one on
 *     repeated    a row for all rows, an element for a row
 *     transposed  a crop with its axes exchanged, channels of a crop put first
 */
#include "axes/view.h"
#include "bench/suite.h"
#include "kinds/kinds.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const crop[] = {"view:8000x8000:16384,1:8000,1", "view:7999x7999:16384,1:7999,1",
                                   "view:7999x7999:7999,1:16384,1", "view:8000x8000:16384,1:16384,1"};
static const char *const narrow[] = {"view:1048576x50:64,1:50,1", "view:4194304x7:9,1:7,1"};
static const char *const stride[] = {"view:67108864:2:1", "view:67108864:1:2", "view:67108864:2:2",
                                     "view:8192x8192:16384,1:8192,1"};
static const char *const reversed[] = {"view:67108864:-1:1", "view:8192x8192:-8192,1:8192,1"};
static const char *const repeated[] = {"view:8192x8192:0,1:8192,1", "view:8192x8192:1,0:8192,1"};
static const char *const transposed[] = {"view:7000x7000:1,8192:7000,1",
                                         "view:32x3x1000x1000:3145728,1,3072,3:3000000,1000000,1000,1"};

enum { SIZES = 5 };

static bench_row row_of(const char *const *by, size_t k) {
    bench_view view;
    bench_view_read(by[k / SIZES], &view);
    return (bench_row){.by = by[k / SIZES],
                       .n = bench_view_length(&view),
                       .elem_bytes = (size_t)1 << k % SIZES,
                       .kind = &bench_views};
}

static bench_row crop_row(size_t k) { return row_of(crop, k); }
static bench_row narrow_row(size_t k) { return row_of(narrow, k); }
static bench_row stride_row(size_t k) { return row_of(stride, k); }
static bench_row reversed_row(size_t k) { return row_of(reversed, k); }
static bench_row repeated_row(size_t k) { return row_of(repeated, k); }
static bench_row transposed_row(size_t k) { return row_of(transposed, k); }

static const bench_group groups[] = {
    {"crop", SIZES *COUNT(crop), .row = crop_row},
    {"narrow", SIZES *COUNT(narrow), .row = narrow_row},
    {"stride", SIZES *COUNT(stride), .row = stride_row},
    {"reversed", SIZES *COUNT(reversed), .row = reversed_row},
    {"repeated", SIZES *COUNT(repeated), .row = repeated_row},
    {"transposed", SIZES *COUNT(transposed), .row = transposed_row},
    {0},
};

const bench_suite bench_suite_views = {
    .name = "views",
    .about = "copies between arrays with strides of their own; on a GPU",
    .needs_gpu = true,
    .groups = groups,
};
