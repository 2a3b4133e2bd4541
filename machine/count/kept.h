/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that a compiler keeps in registers, where its code has been read (widths.h). An access that repeats an earlier one, by the same
 * lanes to the same places since the last barrier, does not happen
 *
 *     sum += w[j] * in[i + j]     where nvcc has unrolled all loops: w[j] and in[i + j] are read once
 *     part[t] += in[i]            where no read of part stands at the line: its sum is in a register, and is written after the loop
 */
#ifndef RIFFLE_MACHINE_COUNT_KEPT_H
#define RIFFLE_MACHINE_COUNT_KEPT_H

#include <stdbool.h>

#include "machine/count/account.h"

/** Accesses of one kind that nvcc's code has at a line. */
typedef struct kept_code {
    bool asked;
    bool none;      /**< nothing */
    bool none_near; /**< nor at the lines near by, so that it is not a matter of what stands at which line */
    unsigned sum;   /**< bytes that a thread moves there at most; 0: no bound */
} kept_code;

enum { KEPT_SLOTS = 1 << 14, KEPT_WAYS = 8 };

typedef struct kept_access {
    uint64_t key; /**< 0: none */
    uint32_t age;
    uint64_t writes; /**< to its space, until then */
} kept_access;

/** An access lies in one of the KEPT_WAYS slots from its own on; one that found no room is forgotten and only counts again. */
typedef struct kept_accesses {
    uint32_t age; /**< barriers and blocks */
    uint64_t writes[SPACES];
    kept_access slot[KEPT_SLOTS + KEPT_WAYS];
} kept_accesses;

/** True if a warp's next access is in registers, at a site where the warp has moved `moved` bytes a lane in this block.
 *  If not, the access is remembered. */
bool kept_has(kept_accesses *k, const kept_code *code, unsigned warp, uint32_t site, uint64_t moved,
              const warp_access *access);

/** At a barrier, and before a block: others may have written. */
static inline void kept_forget(kept_accesses *k) { k->age++; }

#endif
