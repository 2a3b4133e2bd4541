/* SPDX-License-Identifier: Apache-2.0
 *
 * The lines of a group of tiles (plan/affine/lines.h): in src's order they are rows, each a run of lines side by side; in the stage the
 * lines of a tile lie side by side, and tiles whose lines are neighbours in dst follow each other:
 *
 *      src    row 0   [tile 0][tile 4][tile 8] ...      stage   tile 0  [row 0][row 1] ... [row 2^k - 1]
 *             row 1   [tile 0][tile 4][tile 8] ...              tile 1  [row 2^k] ...
 *
 * Rows of src may be any power of two apart, so a row of the stage is a line longer than its lines.
 */
#ifndef RIFFLE_MOVE_CPU_PASSES_AFFINE_LINES_AFFINE_LINES_GROUP_H
#define RIFFLE_MOVE_CPU_PASSES_AFFINE_LINES_AFFINE_LINES_GROUP_H

#include <stddef.h>

#include "plan/affine/lines.h"

enum {
    AFFINE_GROUP_LINES = 1 << AFFINE_GROUP_MOST_LINE_BITS,
    AFFINE_RUN_LINES = 1 << AFFINE_READ_RUN_BITS,
    AFFINE_GROUP_STAGE_BYTES = (AFFINE_GROUP_LINES + AFFINE_RUN_LINES) * AFFINE_LINE_BYTES,
    AFFINE_LINES_AHEAD = 32, /**< how far ahead lines of src are fetched */
};

typedef struct affine_group {
    unsigned lines; /**< in src's order, line number row << run_bits | place in its run */
    unsigned width, run_bits,
        far_bits; /**< a tile's number in the group, in the stage's order, is run << far_bits | far */
    uint64_t row[AFFINE_GROUP_LINES];   /**< in src, from x0, by XOR */
    uint64_t place[AFFINE_RUN_LINES];   /**< a line in its run, the same */
    uint64_t write[AFFINE_GROUP_LINES]; /**< tile's y0 from the group's, by XOR */
} affine_group;

/** By what a loop in pieces of 16 bytes moves tiles. */
typedef enum affine_way { AFFINE_BY_TILES, AFFINE_NEAR, AFFINE_BY_GROUPS, AFFINE_BY_SQUARES } affine_way;

/** The way of whole groups where dst can be written around the caches or not. A group of one tile is no group: one takes longer alone
 *  than in a loop over tiles, up to ten times. */
static inline affine_way affine_lines_way(const affine_lines_schedule *s, bool stream) {
    if (s->near.is_near) return AFFINE_NEAR;
    if (s->group_bits == 0) return AFFINE_BY_TILES;
    return stream ? AFFINE_BY_GROUPS : affine_lines_are_squares(s) ? AFFINE_BY_SQUARES : AFFINE_BY_TILES;
}

/** Places that the bits of a tile's number in its group add, by XOR. */
typedef struct affine_group_steps {
    uint64_t read[AFFINE_GROUP_MOST_LINE_BITS], write[AFFINE_GROUP_MOST_LINE_BITS];
} affine_group_steps;

affine_group_steps affine_group_steps_of(const affine_lines_schedule *s);

/** y0 of a tile from the group's, by XOR; its number is in the stage's order. */
uint64_t affine_group_write(const affine_lines_schedule *s, const affine_group_steps *steps, unsigned tile);

/** The places of the lines of each group. */
void affine_group_make(const affine_lines_schedule *s, affine_group *g);

static inline unsigned group_place(const affine_group *g, unsigned line) {
    return line & ((1u << g->run_bits) - 1);
}

/** Where line number `line` is in src, from x0, by XOR. */
static inline uint64_t group_line(const affine_group *g, unsigned line) {
    return g->row[line >> g->run_bits] ^ g->place[group_place(g, line)];
}

/** First byte in the stage of what rows have in place `place` of their runs. */
static inline size_t group_stage_run(const affine_group *g, unsigned place) {
    const size_t bytes = (size_t)AFFINE_LINE_BYTES << (g->width + g->far_bits);
    return place * (bytes + AFFINE_LINE_BYTES);
}

/** ... of a line, */
static inline size_t group_stage_line(const affine_group *g, unsigned line) {
    return group_stage_run(g, group_place(g, line)) + (size_t)(line >> g->run_bits) * AFFINE_LINE_BYTES;
}

/** ... and of a tile. */
static inline size_t group_stage_tile(const affine_group *g, unsigned tile) {
    const size_t far = tile & ((1u << g->far_bits) - 1);
    return group_stage_run(g, tile >> g->far_bits) + (far << g->width) * AFFINE_LINE_BYTES;
}

#endif
