/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's operation on groups of elements that lie anywhere in a tile: the elements of as many groups as a line has lanes
 * are brought together in lines, one for each place in the group, and taken back.
 *
 *     tile    g0 . g1 . . g0 g1 .        line 0    g0 g1 ...      the first of each group
 *             . g0 . g1 g1 . . g0        line 1    g0 g1 ...      the second
 *
 * Only groups on which the stage acts come into the lines, so that an operation that divides, say, never sees others.
 */
#ifndef RIFFLE_PROGRAM_CPU_GROUPS_H
#define RIFFLE_PROGRAM_CPU_GROUPS_H

#include "program/cpu/schedule.h"

/** True if the stage is a user's that lines as they lie in the tile do not do. */
bool line_groups_take(const line_pass *out, const program_stage *stage);

/** The group of group->stages' first stage alone. */
riffle_status line_groups_make(const line_pass *out, line_group *group);

#endif
