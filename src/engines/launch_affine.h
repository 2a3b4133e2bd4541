/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_ENGINES_LAUNCH_AFFINE_H
#define RIFFLE_ENGINES_LAUNCH_AFFINE_H

#include "engines/launch.h"

/** The launch of an affine_tile pass, but for its grid: the schedule's vectors by thread and by move. */
void launch_affine_tile(const affine_tile_schedule *s, launch *out);

#endif
