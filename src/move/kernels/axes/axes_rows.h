/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a box (move/kernels/axes/axes_box.h) as the kernels that move boxes see them: where a tile begins, where a row does, and
 * which words of it a thread moves.
 *
 * A group of lanes begins at a multiple of `align` bytes, before the row does, so that what it touches is whole sectors;
 * the lanes outside of the row rest.
 *
 *     row          .......|==========================|.........
 *     lanes     |   group 0    |   group 1    |   group 2    |
 *               ^ a multiple of align
 */
#ifndef RIFFLE_KERNELS_AXES_ROWS_H
#define RIFFLE_KERNELS_AXES_ROWS_H

#include "device/kernels/device.h"
#include "move/kernels/axes/axes_box.h"
#include "move/kernels/axes/axes_divide.h"

/* A row: where its first group of lanes begins in memory, in bytes; its first cell, in bytes, of src's rows that of the
 * group; how many elements lie before the row in that group, and how many in the row. */
union axes_row {
    vector16 whole;
    struct {
        int64_t at;
        uint32_t cell;
        uint16_t before, length;
    } of;
};

/* Where a block's tile begins, and what is left of the cut axes from there on, where that is less than a tile may have. */
typedef struct axes_start {
    int64_t src, dst;
    uint32_t left[AXES_CUTS];
} axes_start;

static __device__ inline uint32_t axes_short(uint64_t length) {
    return length < AXES_MOST_PLACES ? (uint32_t)length : (uint32_t)AXES_MOST_PLACES;
}

static __device__ inline uint32_t axes_left(const axes_start *start, uint32_t cut) {
    return cut == 0 ? (uint32_t)AXES_MOST_PLACES : cut == 1 ? start->left[0] : start->left[1];
}

static __device__ inline axes_start axes_start_of(const axes_table *t, uint32_t number) {
    axes_start out = {t->src_origin, t->dst_origin, {0, 0}};
    uint64_t left_0 = t->cut_length[0], left_1 = t->cut_length[1];
    for (uint32_t k = 0; k < t->loops; ++k) {
        const axes_loop *const loop = &t->loop[k];
        const uint32_t rest = axes_divide(number, &loop->by), c = number - rest * loop->by.length;
        out.src += c * loop->src_step;
        out.dst += c * loop->dst_step;
        if (loop->cut == 1) left_0 -= (uint64_t)c * loop->weight;
        if (loop->cut == 2) left_1 -= (uint64_t)c * loop->weight;
        number = rest;
    }
    out.left[0] = axes_short(left_0), out.left[1] = axes_short(left_1);
    return out;
}

/* Row `number` of a side whose tile begins at element `origin` of the array. */
template <class element>
static __device__ inline axes_row axes_row_of(const axes_side *side, const axes_start *start,
                                              const element *array, int64_t origin, uint32_t number) {
    axes_row out = {};
    uint32_t rest = number, left = axes_left(start, side->cut), is_there = number < side->rows;
    for (uint32_t k = 0; k < side->digits; ++k) {
        const axes_digit *const digit = &side->digit[k];
        const uint32_t next = axes_divide(rest, &digit->by), c = rest - next * digit->by.length;
        const uint32_t from = c * digit->weight, of_axis = axes_left(start, digit->cut);
        origin += c * digit->stride;
        out.of.cell += c * digit->cell + (from >> digit->group_log2) * digit->pad;
        if (from >= of_axis) is_there = 0;
        if (digit->extent != 0) left = (of_axis < digit->extent ? of_axis : digit->extent) - from;
        rest = next;
    }
    if (!is_there) return axes_row{};
    const uint32_t before = (uint32_t)(((uintptr_t)(array + origin) & (side->align - 1)) / sizeof(element));
    out.of.at = (origin - before) * (int64_t)sizeof(element);
    out.of.cell *= (uint32_t)sizeof(element);
    out.of.before = (uint16_t)before;
    out.of.length = (uint16_t)(side->inner * (left < side->outer ? left : side->outer));
    return out;
}

/* Where the place of a number lies in a row of dst, beside the row's cell. */
static __device__ inline uint32_t axes_cell_of_place(const axes_table *t, uint32_t number) {
    uint32_t cell = 0;
    for (uint32_t i = 0; i < t->place_digits; ++i) {
        const axes_digit *const digit = &t->place[i];
        const uint32_t next = axes_divide(number, &digit->by), c = number - next * digit->by.length;
        cell += c * digit->cell + (c >> digit->group_log2) * digit->pad;
        number = next;
    }
    return cell;
}

/* A thread's way through a side: it takes `words` words of a row, a warp's width apart, of AXES_AT_ONCE / words rows at
 * a time. `lanes` threads share a row, groups of them are at rows side by side. */
typedef struct axes_walk {
    uint32_t first, jump, count; /* words of a row: this thread's first, to its next, and all */
    uint32_t before;             /* elements before the first row */
    uint32_t group, groups;
} axes_walk;

template <uint32_t words, class word, class element>
static __device__ inline axes_walk axes_walk_of(const axes_side *side, const axes_row *rows) {
    constexpr uint32_t units = sizeof(word) / sizeof(element);
    const uint32_t lane = threadIdx.x & ((1u << side->lanes_log2) - 1);
    axes_walk w;
    w.first = lane / AXES_WARP * (AXES_WARP * words) + lane % AXES_WARP;
    w.jump = words << side->lanes_log2;
    w.group = threadIdx.x >> side->lanes_log2, w.groups = blockDim.x >> side->lanes_log2;
    axes_row first;
    first.whole = rows[0].whole;
    const uint32_t before = side->even ? first.of.before : side->align / (uint32_t)sizeof(element) - 1;
    w.before = first.of.before, w.count = (first.of.length + before + units - 1) / units;
    return w;
}

/* True if a word from place k on, k perhaps negative, has something of a row. */
template <uint32_t units> static __device__ inline bool axes_touches(uint32_t k, uint32_t length) {
    return k + (units - 1) < length + (units - 1);
}

#endif
