/* SPDX-License-Identifier: Apache-2.0
 *
 * Axes permutations of packed elements, E of which are a byte. Where the last axis stays the last and its elements fill bytes, bytes move. Where
 * another, r, becomes the last, and c was, both of multiples of E: bytes move so that E rows of dst have each other's elements,
 *
 *     src   r = (R, r'), c = (C, c'): byte C, element c'      bytes moved   ... C, r': byte ... R, element c'
 *     dst   ... C, c': byte ... R, element r'
 *
 * and those change places.
 */
#ifndef RIFFLE_BITS_AXES_H
#define RIFFLE_BITS_AXES_H

#include "base/threads/team.h"
#include "bits/packed.h"
#include "perm/perm.h"

/** Rows of dst that exchange their elements: E of them, `bytes` long, side by side; and so on. No groups: bytes move, and that is all. */
typedef struct bits_rows {
    uint64_t groups;
    size_t bytes;
} bits_rows;

/** The permutation of bytes, NULL where there is no such way, and the rows. */
riffle_status bits_axes_plan(const perm_axes *axes, const bits_packed *packed, bits_rows *rows,
                             riffle_perm **bytes);

/** A member's part of the exchange. */
void bits_rows_run(const bits_packed *packed, const bits_rows *rows, uint8_t *dst, team_member me);

#endif
