/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls as launches, the same on a GPU and on the memory machine (hull/kernels/hull.h says what they do).
 */
#ifndef RIFFLE_HULL_GPU_LAUNCHES_H
#define RIFFLE_HULL_GPU_LAUNCHES_H

#include "device/launch.h"
#include "hull/kernels/kernel.h"
#include "plan/request/target.h"
#include "riffle/hull.h"

/** The part of a hull that is known before points are. */
typedef struct hull_request {
    riffle_type type;
    uint64_t n, sets; /**< at least one of each */
    bool all;
    size_t index_bytes; /**< 0: results are points */
    bool is_paper;      /**< all points of one set are candidates, whose hull other kernels find */
} hull_request;

/** Where things are in the workspace. */
typedef struct hull_layout {
    size_t state, lists[2], scratch, bytes;
    size_t ones; /**< bytes at its beginning, to be set to ones before each execution; maybe 0 */
    bool
        is_one; /**< a set that is not for one block: the results of many candidates are a launch of their own */
} hull_layout;

/** Device memory. */
typedef struct hull_arrays {
    const void *points;
    const uint64_t *first; /**< or NULL: sets of n / sets points each */
    void *hulls;
    uint64_t *lengths;
    void *workspace;
} hull_arrays;

void hull_lay_out(const hull_request *r, hull_layout *out);

/** Appends the launches, but for what of one large set has many candidates. */
void launch_hull(const hull_request *r, const hull_layout *at, const hull_arrays *arrays,
                 const plan_target *target, launch_list *out);

/** The last launch of one large set. Before it, record.many candidates in list 0 have been replaced by their hull, of
 *  record.many_length. */
void launch_hull_results(const hull_request *r, const hull_layout *at, const hull_arrays *arrays,
                         const plan_target *target, launch_list *out);

#endif
