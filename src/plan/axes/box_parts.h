/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a cut, for those that choose among cuts.
 */
#ifndef RIFFLE_PLAN_AXES_BOX_PARTS_H
#define RIFFLE_PLAN_AXES_BOX_PARTS_H

#include "base/arithmetic.h"
#include "plan/axes/box.h"

enum {
    SECTOR = 32,
    LINE = 128,
    WARP = 32,
    BANK_BYTES = 4,
    VECTOR_BYTES = 16, /* bytes of the longest words that src is read in */
};

static inline uint64_t magnitude(int64_t a) { return a < 0 ? (uint64_t)0 - (uint64_t)a : (uint64_t)a; }

/* Elements of a word of src, of dst. */
static inline uint32_t src_units(const box_schedule *s) {
    return s->way == BOX_ELEMENTS ? 1 : (uint32_t)(s->fetch_bytes / s->elem_bytes);
}

static inline uint32_t dst_units(const box_schedule *s) {
    return s->way == BOX_WORDS ? (uint32_t)(BANK_BYTES / s->elem_bytes) : src_units(s);
}

static inline uint32_t units_of(const box_schedule *s, const box_side *side) {
    return side == &s->src ? src_units(s) : dst_units(s);
}

static inline uint32_t places(const box_side *side) { return side->inner * side->outer; }

static inline uint64_t count_of(const box_axis *axis) { return ceil_div(axis->length, axis->extent); }

/** Chooses a box's part of each axis: false if that is too much. */
bool box_choose_extents(const strided_move *m, size_t src_bytes, size_t dst_bytes, size_t shared_bytes,
                        box_schedule *out);

/** All else of a cut whose extents are chosen but its cells. */
void box_lay_rows(const box_shape *shape, box_schedule *out);

/** Where cells are, kernels count with 16 bits: in elements, of words in bytes. */
bool box_has_cells(const box_schedule *s);

/** The most different words of one bank that a warp's read of dst's rows wants, about. */
unsigned box_conflicts(const box_schedule *s);

/** The elements of a box, or more than a box may have. */
uint64_t box_volume(const box_schedule *s);

/** Bytes that rows begin at multiples of, at most a line. */
uint64_t box_row_alignment(const box_schedule *s, bool of_src);

#endif
