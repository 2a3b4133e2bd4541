/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/box_cost.h"

#include <math.h>

#include "move/kernels/axes/axes_box.h"
#include "plan/axes/box_parts.h"

static double side_traffic(const box_schedule *s, const box_side *side) {
    const double bytes = (double)s->elem_bytes, row = (double)places(side);
    return side->even ? bytes : bytes + ((double)SECTOR - bytes) / row;
}

/* Parts of the policy's cost. The constants were fitted to 5000 cuts of 90 shapes, timed on an H200 (docs/axes.md): the chosen
 * cut takes 2% more than the best of a shape's cuts, on average. */
enum {
    REGISTERS = 65536, /* registers of a multiprocessor */
    REGISTERS_A_THREAD = 48,
    REGISTERS_A_PACKED_THREAD = 64,
    RESIDENT_BYTES = 228 << 10, /* shared memory, for all blocks */
    BLOCK_RESERVED_BYTES = 1 << 10,
};

/* Moves of words by threads, and begins of rows by threads, for each element. */
typedef struct side_work {
    double words, rows;
} side_work;

static side_work work_of_side(const box_schedule *s, const box_side *side) {
    const uint32_t before = side->even ? 0 : side->align / (uint32_t)s->elem_bytes - 1;
    const uint64_t count = ceil_div(places(side) + before, units_of(s, side)),
                   lanes = (uint64_t)1 << side->lanes_log2;
    const double rows =
        (double)(side->padded * lanes * ceil_div(count, lanes * side->words)) / (double)box_volume(s);
    return (side_work){rows * side->words, rows};
}

static unsigned resident_blocks(const box_schedule *s) {
    const size_t by_bytes = RESIDENT_BYTES / (s->shared_bytes + BLOCK_RESERVED_BYTES);
    const size_t by_registers =
        REGISTERS /
        ((s->way == BOX_ELEMENTS ? REGISTERS_A_THREAD : REGISTERS_A_PACKED_THREAD) * (size_t)s->threads);
    const size_t blocks = by_bytes < by_registers ? by_bytes : by_registers;
    return blocks > 0 ? (unsigned)blocks : 1;
}

/* The share of the last turn in which multiprocessors have nothing to do, where there are few turns. */
static double idle_share(double boxes, unsigned blocks) {
    const double turns = boxes / blocks, many = 30;
    return turns < many ? ceil(turns) / turns - 1 : 0;
}

/* How many boxes there are, and by how much they reach beyond the array: those at the ends of axes have less in them. */
static double count_boxes(const box_schedule *s, double *waste) {
    double boxes = 1, filled = 1;
    for (unsigned k = 0; k < s->rank; k++) {
        const double count = (double)count_of(&s->axis[k]);
        boxes *= count;
        filled *= count * s->axis[k].extent / (double)s->axis[k].length;
    }
    *waste = filled - 1;
    return boxes;
}

/* Instructions for a byte of elements of 1 and 2 bytes, as a part of those that a copy's time suffices for: of words, of begins
 * of rows, and of the tables. */
static double short_issue(const box_schedule *s) {
    const side_work src = work_of_side(s, &s->src), dst = work_of_side(s, &s->dst);
    const double tables = 150.0 * s->threads + 110.0 * (s->src.padded + s->dst.padded) + 120.0 * s->dst.rows +
                          70.0 * places(&s->dst);
    return (8.5 * src.words + 7.2 * src.rows + (5 + 3.4 * dst_units(s)) * dst.words + 15 * dst.rows +
            tables / (double)box_volume(s)) /
           (14 * (double)s->elem_bytes);
}

/* The same of shared memory: of reads, with some conflicts. */
static double short_reads(const box_schedule *s) {
    const double conflicts = 1.8;
    const side_work src = work_of_side(s, &s->src), dst = work_of_side(s, &s->dst);
    return 0.193 * (src.words + (2 + dst_units(s) * conflicts) * dst.words) / (double)s->elem_bytes;
}

/* A cut's time, in copies, about, for elements of 1 and 2 bytes: memory, instructions and shared memory are at work at the same
 * time; more of it where boxes at the ends of axes have less in them, and where too few warps are resident. The constants were
 * fitted to 4300 cuts of 75 shapes, timed on an H200 (docs/axes.md). */
static double cost_of_short(const box_schedule *s, unsigned multiprocessors) {
    const double bytes = (double)s->elem_bytes;
    double waste;
    const double boxes = count_boxes(s, &waste);
    const unsigned blocks = resident_blocks(s), warps = blocks * s->threads / WARP, wanted = 40;
    const double lack = warps < wanted ? (double)(wanted - warps) / wanted : 0;
    const double memory = 1 + 0.16 * (side_traffic(s, &s->src) / bytes - 1) +
                          0.83 * (side_traffic(s, &s->dst) / bytes - 1) + 6.2 / (places(&s->src) * bytes);
    const double at_once = cbrt(pow(memory, 3) + pow(short_issue(s), 3) + pow(short_reads(s), 3));
    return (1 + 0.69 * waste) * at_once * (1 + 0.68 * lack) +
           0.093 * idle_share(boxes, multiprocessors * blocks);
}

/* The cost of rows of both sides: sectors of which they have a part only, lines that other boxes read too, and how short they
 * are. Boxes follow each other along dst: of a matrix whose rows begin anywhere on both sides, those of src are touched
 * twice. */
static double rows_cost(const box_schedule *s) {
    const double bytes = (double)s->elem_bytes;
    const double sector = SECTOR, src = sector / (places(&s->src) * bytes),
                 dst = sector / (places(&s->dst) * bytes);
    const double lines = ((double)LINE - (double)box_row_alignment(s, true)) / (places(&s->src) * bytes);
    const double sectors =
        1.04 * (side_traffic(s, &s->src) / bytes - 1) + 2.66 * (side_traffic(s, &s->dst) / bytes - 1);
    const bool is_odd_matrix = !s->src.even && !s->dst.even && s->src.chain == 1 && s->dst.chain == 1;
    return (is_odd_matrix ? 4 : 1) * sectors + 0.96 * lines - 0.24 * src + 2.16 * src * src + 0.66 * dst +
           4.16 * dst * dst;
}

/* The cost of threads' work for a byte: moves of words, begins of rows, and of a block. */
static double threads_cost(const box_schedule *s) {
    const double bytes = (double)s->elem_bytes;
    const side_work src = work_of_side(s, &s->src), dst = work_of_side(s, &s->dst);
    const double start = 30.2 * s->threads / (double)s->shared_bytes;
    if (s->way == BOX_VECTORS)
        return start + (0.98 * (src.words + dst.words) + 8.68 * (src.rows + dst.rows)) / bytes - 0.05 +
               (s->elem_bytes == 8 ? 0.39 : 0);
    return start + (0.32 * src.words + 1.36 * dst.words + 1.45 * (src.rows + dst.rows)) / bytes;
}

/* The cost of the blocks that are resident beside each other: large ones wait for each other, many take turns better than
 * few. */
static double blocks_cost(const box_schedule *s, double boxes, unsigned multiprocessors) {
    const unsigned blocks = resident_blocks(s), warps = blocks * s->threads / WARP, wanted = 40;
    const double turns = boxes / multiprocessors / blocks, large = (double)s->shared_bytes - 20e3;
    const double lack = warps < wanted ? (double)(wanted - warps) / wanted : 0;
    return (large > 0 ? 1.16 * large / 40e3 : 0) - 0.75 * lack - (s->threads == AXES_THREADS ? 0.76 : 0) -
           1.34 / sqrt(turns > 1 ? turns : 1) + (turns < 2 ? ceil(turns) / turns - 1 : 0);
}

/* The cost for elements of 4 bytes and more: of two cuts the one that costs less is the faster, about; the unit has no
 * meaning. */
static double cost_of_long(const box_schedule *s, unsigned multiprocessors) {
    double waste;
    const double boxes = count_boxes(s, &waste);
    return 0.37 * waste + rows_cost(s) + threads_cost(s) + blocks_cost(s, boxes, multiprocessors);
}

double box_cost(const box_schedule *s, unsigned multiprocessors) {
    return s->elem_bytes < BANK_BYTES ? cost_of_short(s, multiprocessors) : cost_of_long(s, multiprocessors);
}

double box_traffic(const box_schedule *s) { return side_traffic(s, &s->src) + side_traffic(s, &s->dst); }
