/* SPDX-License-Identifier: Apache-2.0
 *
 * Some of a site's accesses, kept to be looked at again: evenly chosen ones, the first of one warp in a row, the first of all warps of one
 * block, and the one that wasted the most.
 *
 *     access   0 . . . 4 . . . 8 ...      every 2^k-th, so that RECORD_KEPT at most are kept
 */
#ifndef RIFFLE_MACHINE_COUNT_RECORD_H
#define RIFFLE_MACHINE_COUNT_RECORD_H

#include <stdbool.h>

#include "machine/count/account.h"

enum { RECORD_KEPT = 64, RECORD_RUN = 32, RECORD_TOGETHER = 64 };

typedef struct record {
    uint64_t seen, every; /**< accesses; each how manieth is kept */
    unsigned kept, run, run_warp;
    unsigned wasted;   /**< requests of the worst access beyond its fewest */
    unsigned together; /**< accesses of the block that came first */
    uint64_t block;    /**< the number of that block */
    warp_access access[RECORD_KEPT], in_turn[RECORD_RUN], of_block[RECORD_TOGETHER], worst;
} record;

/** Where an access comes from: a warp of a block, and its how manieth at the site. */
typedef struct record_turn {
    uint64_t block;
    unsigned warp;
    uint32_t round;
} record_turn;

/** Notes the access of a warp. */
void record_note(record *own, const warp_access *access, warp_cost cost, record_turn turn);

#endif
