/* SPDX-License-Identifier: Apache-2.0
 *
 * cuTENSOR 2, loaded at run time where it is installed: permutations of axes by cutensorPermute.
 */
#ifndef RIFFLE_BENCH_PEERS_CUTENSOR_H
#define RIFFLE_BENCH_PEERS_CUTENSOR_H

#include <cuda_runtime_api.h>

#include "axes/axes.h"
#include "bench/result.h"

/** A permutation that cuTENSOR has planned, with its functions. */
typedef struct cutensor_move cutensor_move;

/** Loads libcutensor.so.2 and makes a handle for the current device, once; NULL, or why there is none. */
const char *cutensor_load(void);

/** As cuTENSOR says it: major * 10000 + minor * 100 + patch. */
size_t cutensor_version(void);

/** Plans for elements of 1 to 16 bytes, with no workspace, the kernel chosen patiently, which is a little better than by
 *  default; RIFFLE_ERROR_UNSUPPORTED with out->problem for what
 *  cuTENSOR refuses. */
riffle_status cutensor_plan(const bench_axes *axes, size_t elem_bytes, cutensor_move **move, bench_result *out);
void cutensor_free(cutensor_move *move);

/** Queues the move; `by` is a cutensor_move. */
riffle_status cutensor_queue(const void *by, void *dst, const void *src, cudaStream_t stream,
                             bench_result *out);

#endif
