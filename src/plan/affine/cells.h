/* SPDX-License-Identifier: Apache-2.0
 *
 * Where an affine tile's elements lie in shared memory: a linear map from positions to cells that gives no warp
 * a bank conflict on either side (plan/affine/tile.h has the argument).
 */
#ifndef RIFFLE_PLAN_AFFINE_CELLS_H
#define RIFFLE_PLAN_AFFINE_CELLS_H

#include <stdint.h>

/** Chooses the map for a tile of 2^bits units of 2^unit_bits bytes. Positions are those of the read side;
 *  write[i] is the position of what bit i adds on the write side. Lanes are the bits first_lane .. first_lane +
 *  lane_bits - 1 of both sides' numbers (fewer if there are fewer bits). cell[i] is what bit i of a position
 *  adds to the cell. */
void affine_cells_plan(unsigned bits, unsigned unit_bits, unsigned first_lane, unsigned lane_bits,
                       const uint32_t *write, uint32_t *cell);

/** The linear map with those columns, applied to a position. */
static inline uint32_t affine_cell_of(const uint32_t *cell, uint32_t position) {
    uint32_t sum = 0;
    for (; position != 0; position &= position - 1) sum ^= cell[__builtin_ctz(position)];
    return sum;
}

#endif
