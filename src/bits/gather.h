/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves element by element.
 */
#ifndef RIFFLE_BITS_GATHER_H
#define RIFFLE_BITS_GATHER_H

#include "base/threads/team.h"
#include "bits/packed.h"
#include "perm/perm.h"

/** A member's part of dst[j] = src[inverse(j)]. */
void bits_gather_run(const bits_packed *packed, const riffle_perm *inverse, uint8_t *dst, const uint8_t *src,
                     team_member me);

#endif
