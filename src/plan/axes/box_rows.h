/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a box on either side: the axes that they run along, where they begin, and the threads that move each.
 */
#ifndef RIFFLE_PLAN_AXES_BOX_ROWS_H
#define RIFFLE_PLAN_AXES_BOX_ROWS_H

#include "plan/axes/box.h"

/** The axes that rows run along, and the others of the box, both in `order`. */
void box_chain_axes(const box_schedule *s, const unsigned char *order, bool of_src, box_side *side);

/** Fills inner and outer; a chain longer than `most` goes on in the next row. */
void box_measure_chain(const box_schedule *s, box_side *side, uint32_t most, uint32_t unit);

/** Steps of a row's number along an axis, and indices that each is of. */
uint32_t box_digit_weight(const box_side *side, unsigned digit);
uint32_t box_digit_length(const box_schedule *s, const box_side *side, unsigned digit);

/** Elements from one of a row to the next. */
int64_t box_step(const box_schedule *s, const box_side *side, bool of_src);

/** Counts rows, and looks where they begin. */
void box_count_rows(const box_schedule *s, bool of_src, uint32_t align, box_side *side);

/** Chooses how many threads move a row. */
void box_choose_lanes(const box_schedule *s, bool of_src, box_side *side);

#endif
