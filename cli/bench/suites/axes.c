/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `axes`: tensors of any shape, along the orders of axes that people ask for, on any engine. Images with their
 * channels last and first, transposes of odd lengths, the cube and the five axes that the papers on tensor transposition
 * have, and shapes in which one side or the other is short. From short to long, should the time be over.
 */
#include "bench/suites.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct {
    const char *by;
    uint64_t n;
    size_t elem_bytes;
} rows[] = {
    {"axes:5x7x11x13x17x19x3:6,5,4,3,2,1,0", 5 * 7 * 11 * 13 * 17 * 19 * 3, 4},
    {"axes:32x1024x1024x3:0,3,1,2", 32 * 1024 * 1024 * 3, 1}, /* channels last to first */
    {"axes:10007x10009:1,0", 10007 * 10009, 1},
    {"axes:48x28x28x28x48:4,1,2,0,3", 48 * 28 * 28 * 28 * 48, 4},
    {"axes:10007x10009:1,0", 10007 * 10009, 2},
    {"axes:31x33x35x37x51:4,2,0,3,1", 31 * 33 * 35 * 37 * 51, 4},
    {"axes:8192x8192:1,0", 8192 * 8192, 4},
    {"axes:401x409x409:2,1,0", 401 * 409 * 409, 4},
    {"axes:2x33554467:1,0", 2 * 33554467, 4},
    {"axes:33554467x2:1,0", 2 * 33554467, 4},
    {"axes:100x100x100x10x4:3,2,4,1,0", 100 * 100 * 100 * 10 * 4, 8},
    {"axes:10007x10009:1,0", 10007 * 10009, 4},
    {"axes:32x3x1024x1024:0,2,3,1", 32 * 3 * 1024 * 1024, 4}, /* channels first to last */
    {"axes:128x64x224x224:0,2,3,1", 128 * 64 * 224 * 224, 2}, /* the same of halves, */
    {"axes:128x224x224x64:0,3,1,2", 128 * 224 * 224 * 64, 2}, /* and back */
};

static bench_row axes_row(size_t k) {
    return (bench_row){.by = rows[k].by, .n = rows[k].n, .elem_bytes = rows[k].elem_bytes};
}

static const bench_group groups[] = {{NULL, COUNT(rows), axes_row}, {0}};

const bench_suite bench_suite_axes = {
    .name = "axes",
    .about = "tensors of any shape, their axes in another order; seconds and 2 GiB",
    .groups = groups,
};
