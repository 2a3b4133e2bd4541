/* SPDX-License-Identifier: Apache-2.0
 *
<<<<<<< HEAD
 * Hulls as launches, the same on a GPU and on the memory machine (kernels/hull/hull.h says what they do).
=======
 * The tables that the steps of hulls take, and their workspace, the same on a GPU and on the memory machine.
>>>>>>> 4e8dfac (The hull of candidates on a GPU by sorting: samples, passes and joined hulls, all steps in one launch, exact)
 */
#ifndef RIFFLE_ENGINES_LAUNCH_HULL_H
#define RIFFLE_ENGINES_LAUNCH_HULL_H

<<<<<<< HEAD
#include "engines/launch/launch.h"
#include "plan/target.h"
#include "riffle/hull.h"

enum { HULL_LAUNCHES = 9 };

/** What is known before points are. */
typedef struct hull_request {
    riffle_type type;
    uint64_t n, sets; /**< at least one of each */
    bool all;
    size_t index_bytes; /**< 0: results are points */
} hull_request;

/** Where things are in the workspace. */
typedef struct hull_layout {
    size_t state, lists[2], scratch, bytes;
    size_t ones; /**< bytes at its beginning, to be set to ones before each execution */
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

/** The launches, one after the other, into out; how many there are. */
unsigned launch_hull(const hull_request *r, const hull_layout *at, const hull_arrays *arrays,
                     const plan_target *target, launch out[HULL_LAUNCHES]);
=======
#include <stddef.h>

#include "kernels/hull/sorted.h"
#include "riffle/program.h"

/** What is chosen for a grid. */
typedef struct hull_sizes {
    uint32_t blocks, threads;
    uint32_t tile;   /**< records that a block sorts, a power of two */
    uint32_t sample; /**< points of the sample, at most */
    uint32_t direct; /**< as many candidates, or fewer, are not sampled; at least as many as the sample */
    uint32_t grain;  /**< cells over x */
    uint32_t rounds; /**< passes */
} hull_sizes;

/** HULL_OF_... of a type that has hulls. */
uint32_t hull_coordinate_of(riffle_type type);

/** Fills in the table for `most` candidates of a source, its arrays at `workspace`, which may be NULL; how many bytes they have. */
size_t hull_sorted_place(const hull_sizes *sizes, const hull_source *from, void *workspace,
                         hull_sorted_table *out);

/** Shared memory of a block. */
size_t hull_sorted_shared_bytes(const hull_sizes *sizes, uint32_t coordinate);
>>>>>>> 4e8dfac (The hull of candidates on a GPU by sorting: samples, passes and joined hulls, all steps in one launch, exact)

#endif
