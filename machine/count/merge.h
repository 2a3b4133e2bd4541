/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that a compiler makes one. A thread's accesses to neighbouring cells become a load or store of 8 or 16 bytes, where
 * they lie at a multiple of that for all lanes of the warp:
 *
 *     cells     0 1 2 3 | 0 1 2 3          a group is what one access of 16 bytes could do; those of a warp that fall into it
 *     held      x x x x   x x . .          are held back, and then made 16 or 8 bytes as far as neighbours are there
 *
 * There are two ways to know. nvcc knows the alignment of components of CUDA's vectors (float4's x and y): they are made one
 * within a block of code, reads with other reads between, writes with nothing. Where nvcc's own code has been read (widths), it
 * tells how wide a line's accesses are, and those of a loop's turns are made one, too, as its unrolling does.
 */
#ifndef RIFFLE_MACHINE_COUNT_MERGE_H
#define RIFFLE_MACHINE_COUNT_MERGE_H

#include <stdbool.h>

#include "machine/count/account.h"

struct site;

enum { MERGE_BYTES = 16, MERGE_GROUPS = 24 };

/** An access of a warp, and what it may be made part of. */
typedef struct merge_access {
    struct site *site;
    uint32_t call, block;
    unsigned component; /**< 1 to 4 of a vector, or 0 */
    unsigned widest;    /**< bytes of nvcc's widest access there; 0 where nvcc has not been asked */
    warp_access access;
} merge_access;

/** Accesses that may become one; the first lies at cell 0. */
typedef struct merge_group {
    merge_access first;
    uint32_t held; /**< bit k: cell k */
    struct site *site[MERGE_BYTES];
} merge_group;

/** Groups of the running warp, the oldest first. */
typedef struct merge {
    unsigned count;
    merge_group group[MERGE_GROUPS];
} merge;

/** True if the oldest group must be released before this access, or because all groups are in use. */
bool merge_must_end(const merge *m, const merge_access *next);

/** Holds the access; false if nobody can be made one with it, so that it counts as it is. */
bool merge_hold(merge *m, const merge_access *next);

/** Takes the next access off the oldest group, and out of how many it was made; 0 if no group is left. */
unsigned merge_next(merge *m, merge_access *out);

#endif
