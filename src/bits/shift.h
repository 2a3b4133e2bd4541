/* SPDX-License-Identifier: Apache-2.0
 *
 * Rotations and reversals of packed elements, which begin at any place of a byte. An array of dst is two runs of src, each forwards or backwards:
 *
 *     dst  [ 0 .. cut-1 ][ cut .. n-1 ]     forwards   of src from n - cut on, from 0 on
 *                                           backwards  of src from cut - 1 down, from n - 1 down
 */
#ifndef RIFFLE_BITS_SHIFT_H
#define RIFFLE_BITS_SHIFT_H

#include "base/threads/team.h"
#include "bits/packed.h"
#include "perm/perm.h"

typedef struct bits_shift {
    bool is_reversed;
    uint64_t cut;
} bits_shift;

/** The runs of a rotation, or of a reversal, of that many elements; n is at least 1. */
bits_shift bits_shift_of(const perm_rotation *rotation);

/** A member's part of the move: each byte of dst is written once, with 0 behind the last element. */
void bits_shift_run(const bits_packed *packed, const bits_shift *shift, uint8_t *dst, const uint8_t *src,
                    team_member me);

#endif
