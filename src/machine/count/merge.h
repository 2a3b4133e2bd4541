/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that a compiler makes one: neighbouring components of one vector (float4's x and y, say), which a warp's lanes
 * access one behind the other in one block of code. nvcc knows that such a vector is aligned, and loads or stores 8 or 16
 * bytes at once. Reads may have other reads between them, writes nothing.
 */
#ifndef RIFFLE_MACHINE_COUNT_MERGE_H
#define RIFFLE_MACHINE_COUNT_MERGE_H

#include <stdbool.h>

#include "machine/count/account.h"

struct site;

enum { MERGE_COMPONENTS = 4, MERGE_BYTES = 16 };

/** An access of a warp, and what it is of: component 1 to 4 of a vector, or 0. */
typedef struct merge_access {
    struct site *site;
    uint32_t call, block;
    unsigned component;
    warp_access access;
} merge_access;

/** Those of one vector that are held back. */
typedef struct merge {
    unsigned held; /**< bit k: component k + 1 */
    merge_access of[MERGE_COMPONENTS];
} merge;

/** Whether this one can be made one with those held. */
bool merge_takes(const merge *m, const merge_access *next);

/** Holds it; merge_takes has said that it can be, or none is held. */
void merge_hold(merge *m, const merge_access *next);

/** Whether those held must be let go before this one. */
bool merge_must_end(const merge *m, const merge_access *next);

/** Takes the next access off those held, and out of how many it was made; 0 if none is left. */
unsigned merge_next(merge *m, merge_access *out);

#endif
