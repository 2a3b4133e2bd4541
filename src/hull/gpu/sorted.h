/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables that the steps of hulls take, and their workspace, the same on a GPU and on the memory machine.
 */
#ifndef RIFFLE_HULL_GPU_SORTED_H
#define RIFFLE_HULL_GPU_SORTED_H

#include <stddef.h>

#include "hull/kernels/sorted/sorted.h"
#include "riffle/program.h"

/** The sizes chosen for a grid. */
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

#endif
