/* SPDX-License-Identifier: Apache-2.0
 *
 * The hull of one set of points, or of candidates among them, as one launch: how many candidates there are is known on the
 * device only, and so are the steps that they need.
 *
 * Two ways: of sorted portions whose hulls are joined, and the dissertation's (Jurkiewicz 2013, chapter 3).
 */
#ifndef RIFFLE_HULL_GPU_STAGES_H
#define RIFFLE_HULL_GPU_STAGES_H

#include "device/device.h"
#include "hull/gpu/sorted.h"
#include "papers/hull/launches.h"

/** The request, known before points are. */
typedef struct hull_stages {
    riffle_type type;
    uint64_t most; /**< candidates, at most; the workspace grows with it */
    bool all;      /**< as the plan's option; not with `is_paper` */
    bool is_paper; /**< the dissertation's way */
    hull_sizes sizes;
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
    uint64_t *length; /**< length of the hull */
    void *workspace;  /**< hull_stages_bytes, aligned to 256 */
} hull_stages_arrays;

/** Chooses the sizes, and a grid that the device runs at a time, and loads the kernel. Fails where the device cannot do it. */
riffle_status hull_stages_choose(hull_stages *stages, const device *d);

/** Bytes of workspace. */
size_t hull_stages_bytes(const hull_stages *stages);

/** Appends the launch: it leaves indices counter-clockwise from the lexicographically smallest, of equal places the least index.
 *  The rest of `hull` behind it is undefined. If candidates are not finite, it ends with an undefined result. */
void launch_hull_stages(const hull_stages *stages, const hull_stages_arrays *arrays, launch_list *out);

#endif
