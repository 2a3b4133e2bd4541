/* SPDX-License-Identifier: Apache-2.0
 *
 * The hull of one set of points, or of candidates among them, on a GPU. All is queued on a stream: how many candidates
 * there are is known on the device only, and so are the steps that they need.
 *
 * Two ways: of sorted portions whose hulls are joined, and the dissertation's (Jurkiewicz 2013, chapter 3).
 */
#ifndef RIFFLE_ENGINES_CUDA_HULL_STAGES_H
#define RIFFLE_ENGINES_CUDA_HULL_STAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "riffle/cuda.h"
#include "riffle/hull.h"

/** What is known on the host. */
typedef struct hull_stages {
    riffle_type type;
    uint64_t most; /**< candidates, at most; the workspace grows with it */
    bool all;      /**< as the plan's option; not with `is_paper` */
    bool is_paper; /**< the dissertation's way */
} hull_stages;

/** Device memory. */
typedef struct hull_stages_arrays {
    const void *points; /**< aligned to a point, 16 bytes at most */
    const uint32_t
        *candidates;       /**< indices of points, each once and in any order; NULL: points 0 .. most - 1 */
    const uint32_t *count; /**< how many candidates, `most` at most; NULL: `most` */
    const uint32_t *
        first; /**< where it is not UINT32_MAX, points *first, *first + 1, ... are the candidates instead; NULL: it is */
    uint32_t *hull;   /**< room for `most` indices; candidates may lie there too */
    uint64_t *length; /**< of the hull */
    void *workspace;  /**< hull_stages_bytes, aligned to 256 */
} hull_stages_arrays;

/** Bytes of workspace on the current device. Fails where its GPU cannot do it. */
riffle_status hull_stages_bytes(const hull_stages *stages, size_t *out);

/** Loads the kernels onto the current device, so that the queue may be captured. */
riffle_status hull_stages_load(const hull_stages *stages);

/** Queues the hull: indices counter-clockwise from the lexicographically smallest, of equal places the least index. What is
 *  in `hull` behind it is anything. Waits for nothing and allocates nothing. Of candidates that are not finite it finds anything,
 *  and ends. */
riffle_status hull_stages_queue(const hull_stages *stages, const hull_stages_arrays *arrays,
                                struct CUstream_st *stream);

#endif
