/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of sorts on a GPU.
 */
#ifndef RIFFLE_BENCH_SUITES_KINDS_SORT_H
#define RIFFLE_BENCH_SUITES_KINDS_SORT_H

#include "gpu/arrays.h"

/** Who sorts: `queue` queues the sort of the row's numbers from src to dst; where the row asks for indices these are wanted in
 *  `indices`, device memory too, and dst may get anything. */
typedef struct cuda_sorter {
    riffle_status (*queue)(const void *by, void *dst, void *indices, const void *src, cudaStream_t stream,
                           bench_result *out);
    const void *by;
} cuda_sorter;

/** Makes the row's numbers, has them sorted once, has the GPU look at all of the result, and times it as bench_cuda_time does. */
riffle_status bench_cuda_time_sort(const bench_row *row, unsigned repeat, const cuda_sorter *sorter,
                                   bench_result *out);

#endif
