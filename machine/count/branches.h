/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of two branches that a compiler makes one, where its code has been read (widths.h). Both branches of
 *
 *     if (t == 0) out[1] = 0;
 *     else        out[2 * t + 1] = in[t];
 *
 * end with a store, which nvcc makes one instruction, at one of the two lines. So accesses of some lanes are held back until they
 * go on together with others; two of different lanes and branches are one if nvcc's code has none at the line of one of them.
 */
#ifndef RIFFLE_MACHINE_COUNT_BRANCHES_H
#define RIFFLE_MACHINE_COUNT_BRANCHES_H

#include <stdbool.h>

#include "machine/count/merge.h"

enum { BRANCHES_HELD = 8 };

/** The oldest first. */
typedef struct branches {
    unsigned count;
    merge_access held[BRANCHES_HELD];
} branches;

/** Takes the first held access that is one with this, and adds its lanes to this one's. */
bool branches_join(branches *b, merge_access *one);

/** True if the oldest must be released before this access: its lanes have met others again, or all places are in use. */
bool branches_must_end(const branches *b, const merge_access *next);

/** Holds an access back, for which there must be room. */
void branches_hold(branches *b, const merge_access *one);

/** Takes the oldest. */
bool branches_next(branches *b, merge_access *out);

#endif
