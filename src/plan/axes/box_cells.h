/* SPDX-License-Identifier: Apache-2.0
 *
 * The cells of a box's elements in shared memory: src's rows a pitch apart, so that dst's are read with few conflicts.
 */
#ifndef RIFFLE_PLAN_AXES_BOX_CELLS_H
#define RIFFLE_PLAN_AXES_BOX_CELLS_H

#include "plan/axes/box.h"

/** Rows of src `pitch` apart, and `pad` more after as many indices of dst's first axis as a word has elements. By words, rows
 *  are as far apart in shared memory as they are in memory, modulo a word. */
void box_set_cells(box_schedule *s, uint32_t pitch, uint32_t pad);

/** Rows of src, and between two of them so much that no word has something of both. */
uint32_t box_least_pitch(const box_schedule *s);

/** The pitch with the fewest conflicts, the smallest such. */
void box_choose_pitch(box_schedule *s);

#endif
