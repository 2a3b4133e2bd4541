/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that may come before a bound, found as the numbers that they are: a loop without a branch for each block.
 */
#ifndef RIFFLE_SORT_CPU_SCAN_TOP_SCAN_H
#define RIFFLE_SORT_CPU_SCAN_TOP_SCAN_H

#include "sort/key.h"

enum { TOP_BLOCK = 64, TOP_PART = 8 };

/** A bound. An element passes it whose code is less than `code`, or the same unless is_strict. */
typedef struct top_bound {
    uint64_t code;
    bool is_strict;
} top_bound;

/** The first of so many blocks, of TOP_BLOCK numbers each, that may have a number which passes; their number if none has. `is_merged`: codes
 *  are. *parts receives a bit for each TOP_PART numbers of that block, 1 where one of them may be. */
uint64_t top_next_block(const sort_field *field, bool is_merged, const void *from, uint64_t blocks,
                        top_bound bound, uint32_t *parts);

#endif
