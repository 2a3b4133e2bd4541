/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedule of the row_wise pass: every row of a matrix permuted by itself, through shared memory and
 * without bank conflicts (Kasagi, Nakano, Ito 2013, section VI; with one row, Kasagi, Nakano, Ito 2012, section
 * IV).
 *
 *     for each row:  stage <- row of in;  out[d[k]] <- stage[s[k]] for k = 0, 1, ...;  row of out <- out
 *
 * s and d list the row's moves in such an order that every `width` that stand together read from different
 * banks and write to different banks: the colours of a bipartite graph whose nodes are the banks. Beyond the
 * papers, the moves inside a group of `width` are ordered so that each half, quarter, ... of it is
 * conflict-free for banks modulo width/2, width/4, ...: hardware serves 8- and 16-byte elements by half and
 * quarter warps.
 */
#ifndef RIFFLE_PAPERS_SCHEDULES_ROW_WISE_H
#define RIFFLE_PAPERS_SCHEDULES_ROW_WISE_H

#include "perm/perm.h"

enum { ROW_WISE_MAX_COLS = 1 << 16 };

/** in and out are rows x cols matrices. Only the first `readable` elements of in exist, and the first `writable` of out; what
 *  lies beyond is padding that no one looks at. */
typedef struct row_wise_schedule {
    uint64_t rows, cols;
    size_t elem_bytes;
    uint64_t readable, writable;
    uint16_t *s, *d; /**< rows * cols entries each: row i's are s[i * cols] ... */
} row_wise_schedule;

/** Makes s and d from to[i * cols + j] = P_i(j), the column that element (i, j) goes to. cols is a multiple of
 *  width, at most ROW_WISE_MAX_COLS; width a power of two up to 32. elem_bytes, readable and writable are the
 *  caller's to set. O(rows * cols * log cols) on `threads` threads. On failure *out is empty. */
riffle_status row_wise_plan(uint64_t rows, uint64_t cols, const uint16_t *to, unsigned width, unsigned threads,
                            row_wise_schedule *out);

/** Bytes of the schedule's arrays together. */
size_t row_wise_bytes(const row_wise_schedule *schedule);

void row_wise_free(row_wise_schedule *schedule);

#endif
