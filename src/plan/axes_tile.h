/* SPDX-License-Identifier: Apache-2.0
 *
 * The schedule of the axes_tile pass: an axes permutation of any shape, normalized (unit axes dropped,
 * axes that stay neighbours merged) and cut into tiles of the two axes that are fastest in src and in dst.
 */
#ifndef RIFFLE_PLAN_AXES_TILE_H
#define RIFFLE_PLAN_AXES_TILE_H

#include "perm/perm.h"

typedef struct axes_tile_schedule axes_tile_schedule;

#endif
