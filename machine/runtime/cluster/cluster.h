/* SPDX-License-Identifier: Apache-2.0
 *
 * A cluster: blocks that run at the same time, have a barrier of their own and access each other's shared memory. All blocks of a launch are in one, of a
 * single block where the launch has no clusters.
 *
 *     block of the grid    bx = cluster x * x + rank's x, and so on; the ranks of a cluster are numbered as blocks of a grid are
 *     its barrier          a phase that ends when all threads that have not left the kernel have arrived
 */
#ifndef RIFFLE_MACHINE_RUNTIME_CLUSTER_CLUSTER_H
#define RIFFLE_MACHINE_RUNTIME_CLUSTER_CLUSTER_H

#include "machine/check/clocks.h"
#include "machine/device/device_api.h"
#include "machine/runtime/cluster/mbarrier.h"
#include "riffle/machine.h"

/** Blocks of a cluster: what an H200 takes where the kernel asks for more than the 8 of every GPU. */
enum { CLUSTER_MOST = 16 };

/** The last access of a block to another's shared memory. */
typedef struct cluster_use {
    uint32_t segment; /**< 0: none */
    unsigned thread;
    const void *pc;
} cluster_use;

typedef struct cluster {
    struct cluster *next;
    unsigned size, threads;       /**< blocks, and threads of each */
    uint64_t block[CLUSTER_MOST]; /**< by rank: their numbers in the grid */
    uint32_t base[CLUSTER_MOST];  /**< the first segment of each; 0: it has not begun */
    bool gone[CLUSTER_MOST];      /**< has left the kernel */
    unsigned left;                /**< how many have */
    clock_phase barrier;
    unsigned living,
        missing;        /**< threads that have not left, and that have not arrived at the barrier's phase */
    mbarrier *barriers; /**< mbarriers in its blocks' shared memory */
    cluster_use use[CLUSTER_MOST][CLUSTER_MOST]; /**< of rank's memory, by another */
} cluster;

/** One of which no block has begun; NULL without memory. */
cluster *cluster_create(unsigned size, unsigned threads);
void cluster_free(cluster *c);

/** So many threads arrive at the barrier; true if that ends its phase. */
bool cluster_arrive(cluster *c, unsigned threads);

/** A thread leaves the kernel, which had arrived at the phase under way or not; true if that ends it. */
bool cluster_leave(cluster *c, bool arrived);

/** Segments are numbered anew. */
void cluster_forget(cluster *c, uint32_t base);

/** Who they are, for clocks. */
static inline clock_peers cluster_peers(const cluster *c) {
    return (clock_peers){c->block, c->size, c->threads};
}

/** RIFFLE_ERROR_UNSUPPORTED where CUDA would refuse clusters of a shape. */
riffle_status cluster_check(const char *kernel, machine_index grid, machine_index shape);

/** The number in the grid of a block of a cluster, by the number of the cluster and its rank. */
uint64_t cluster_block(machine_index grid, machine_index shape, uint64_t number, unsigned rank);

/** The rank of a block in its cluster. */
unsigned cluster_rank(machine_index block, machine_index shape);

#endif
