/* SPDX-License-Identifier: Apache-2.0
 *
 * Views as a suite has them: elements of src that are copied to elements of dst, each side with strides of its own.
 */
#ifndef RIFFLE_BENCH_SUITES_AXES_VIEW_H
#define RIFFLE_BENCH_SUITES_AXES_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_VIEW_RANK = 8 };

/** One side of a copy. Its element of index 0, 0, ... is number `first` of the memory, so that none is before it. */
typedef struct bench_side {
    int64_t strides[BENCH_VIEW_RANK];
    uint64_t first, span; /**< span: from the first element of the memory to the last that is touched */
} bench_side;

typedef struct bench_view {
    unsigned rank;
    uint64_t shape[BENCH_VIEW_RANK];
    bench_side src, dst;
} bench_view;

/** Reads "view:SHAPE:STRIDES:STRIDES", of src and of dst in elements, such as view:8000x8000:16384,1:8000,1. False for
 *  anything else. */
bool bench_view_read(const char *by, bench_view *view);

/** Elements that are copied. */
uint64_t bench_view_length(const bench_view *view);

/** Where element k of the copy, in row-major order, is in the memory of a side. */
uint64_t bench_view_at(const bench_view *view, const bench_side *side, uint64_t k);

#endif
