/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors are positions in the tile, functionals masks of them: f is 1 on v if f and v share an odd number of
 * bits.
 */
#include "plan/affine/cells.h"

#include <stdbool.h>

#include "plan/affine/tile.h"

enum { MAX_LANE_BITS = 5, SIDES = 2, WORD_BITS = 2 /* a bank is 2^2 bytes wide */ };

typedef struct cell_map {
    unsigned bits;
    unsigned chosen; /* functionals so far: bit k of a cell is functional[k] of the position */
    uint32_t functional[AFFINE_TILE_MAX_BITS];
    unsigned kernel_count; /* where all of them are 0: bits - chosen vectors */
    uint32_t kernel[AFFINE_TILE_MAX_BITS];
    unsigned lanes; /* bits of each side; once lane k's functional is chosen, it is 1 on lane[side][k] alone */
    uint32_t lane[SIDES][MAX_LANE_BITS];
} cell_map;

static bool is_one(uint32_t functional, uint32_t vector) { return __builtin_parity(functional & vector) != 0; }

/* A functional that is 1 on each of the vectors, by Gauss and Jordan; false if there is none. */
static bool one_on(const uint32_t *vectors, unsigned count, uint32_t *out) {
    uint32_t row[3], right[3];
    unsigned rows = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t v = vectors[i], value = 1;
        for (unsigned k = 0; k < rows; k++) {
            if ((v & (row[k] & -row[k])) == 0) continue;
            v ^= row[k];
            value ^= right[k];
        }
        if (v == 0 && value != 0) return false;
        if (v == 0) continue;
        for (unsigned k = 0; k < rows; k++) {
            if ((row[k] & (v & -v)) == 0) continue;
            row[k] ^= v;
            right[k] ^= value;
        }
        row[rows] = v;
        right[rows++] = value;
    }
    *out = 0;
    for (unsigned k = 0; k < rows; k++)
        if (right[k] != 0) *out |= row[k] & -row[k];
    return true;
}

/* The next bit of a cell; the kernel loses kernel[z], on which the functional is 1. */
static void choose(cell_map *m, uint32_t functional, unsigned z) {
    const uint32_t lost = m->kernel[z];
    m->kernel[z] = m->kernel[--m->kernel_count];
    for (unsigned k = 0; k < m->kernel_count; k++)
        if (is_one(functional, m->kernel[k])) m->kernel[k] ^= lost;
    m->functional[m->chosen++] = functional;
}

/* A functional that is 1 on lane k of both sides and independent of those before. */
static bool choose_for_lane(cell_map *m, unsigned k) {
    for (unsigned z = 0; z < m->kernel_count; z++) {
        const uint32_t vectors[] = {m->lane[0][k], m->lane[1][k], m->kernel[z]};
        uint32_t functional;
        if (!one_on(vectors, 3, &functional)) continue;
        choose(m, functional, z);
        return true;
    }
    return false;
}

/* Has the newest functional be 1 on lane k alone of the first `count`. */
static void clear_lanes(cell_map *m, unsigned k, unsigned count) {
    const uint32_t functional = m->functional[m->chosen - 1];
    for (unsigned side = 0; side < SIDES; side++) {
        for (unsigned j = 0; j < count; j++)
            if (j != k && is_one(functional, m->lane[side][j])) m->lane[side][j] ^= m->lane[side][k];
    }
}

/* Bit 0 .. lanes - 1: cells of the first 2^(k+1) lanes differ in their last k + 1 bits, for every k. Lane k may
 * lie in the kernel itself, and then no other vector of it is wanted. */
static void tell_lanes_apart(cell_map *m) {
    for (unsigned k = 0; k < m->lanes; k++) {
        choose_for_lane(m, k);
        clear_lanes(m, k, m->lanes);
    }
}

/* Units shorter than a bank: the bits that name the bank begin at the word's, so as many more bits must tell
 * apart the lanes that the bits within the word do. In a tile of no more cells than there are banks any bits
 * will do. */
static void tell_words_apart(cell_map *m, unsigned unit_bits) {
    const unsigned count = unit_bits < WORD_BITS ? WORD_BITS - unit_bits : 0;
    for (unsigned k = 0; k < count && m->lanes > 0; k++) {
        if (!choose_for_lane(m, k % m->lanes)) return;
        clear_lanes(m, k % m->lanes, m->lanes < count ? m->lanes : count);
    }
}

void affine_cells_plan(unsigned bits, unsigned unit_bits, unsigned first_lane, unsigned lane_bits,
                       const uint32_t *write, uint32_t *cell) {
    cell_map m = {.bits = bits, .kernel_count = bits};
    for (unsigned i = 0; i < bits; i++) m.kernel[i] = (uint32_t)1 << i;
    m.lanes = bits - first_lane < lane_bits ? bits - first_lane : lane_bits;
    for (unsigned k = 0; k < m.lanes; k++) {
        m.lane[0][k] = (uint32_t)1 << (first_lane + k);
        m.lane[1][k] = write[first_lane + k];
    }
    tell_lanes_apart(&m);
    tell_words_apart(&m, unit_bits);
    while (m.kernel_count > 0) choose(&m, m.kernel[0] & -m.kernel[0], 0);
    for (unsigned i = 0; i < bits; i++) {
        cell[i] = 0;
        for (unsigned k = 0; k < bits; k++) cell[i] |= (m.functional[k] >> i & 1) << k;
    }
}
