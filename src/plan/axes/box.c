/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/box.h"

#include <limits.h>
#include <string.h>

#include "plan/axes/box_cells.h"
#include "plan/axes/box_parts.h"
#include "plan/axes/box_rows.h"

enum {
    MOST_AXES = 16,     /* axes of a box (move/kernels/axes/axes_box.h) */
    MOST_PLACES = 1024, /* places of dst's rows: each has an entry in a table that every block makes */
    MOST_CELLS = 1 << 16,
    ROW_BYTES = 16, /* bytes of the tables' entries */
    PLACE_BYTES = 2,
    REMEMBERED_BYTES = 8 << 20, /* bytes of boxes, until a cache has lost what one of them read */
};

/* ------------------------------------------------------------ the box */

/* The axes in src's order, fastest first; those along which src does not move are last. */
static void order_by_src(const box_schedule *s, unsigned char *order) {
    for (unsigned k = 0; k < s->rank; k++) {
        const uint64_t stride = magnitude(s->axis[k].src_stride) - 1;
        unsigned at = k;
        for (; at > 0 && magnitude(s->axis[order[at - 1]].src_stride) - 1 > stride; at--)
            order[at] = order[at - 1];
        order[at] = (unsigned char)k;
    }
}

/* Cuts an axis evenly into pieces of about `want`; where rows begin at sectors, so do pieces, if that does not make them
 * much longer. */
static uint32_t piece_of(uint64_t length, uint64_t want, uint64_t unit) {
    if (want >= length) return (uint32_t)length;
    const uint64_t pieces = (length + want / 2) / want, least = ceil_div(length, pieces > 0 ? pieces : 1);
    while (ceil_div(least, unit) * unit > 2 * least) unit /= 2;
    const uint64_t piece = ceil_div(least, unit) * unit;
    return (uint32_t)(piece < length ? piece : length);
}

/* Indices of an axis that make whole sectors, where `inner` elements of a row precede it and its length has them too. */
static uint64_t sector_unit(const box_schedule *s, uint64_t length, uint64_t inner) {
    uint64_t unit = SECTOR / s->elem_bytes;
    while (unit > 1 && (inner % 2 == 0)) unit /= 2, inner /= 2;
    while (length % unit != 0) unit /= 2;
    return unit;
}

/* Takes axes in `order` until they have `bytes`. */
static void cover(box_schedule *s, const unsigned char *order, size_t bytes) {
    uint64_t want = ceil_div(bytes, s->elem_bytes), inner = 1;
    for (unsigned i = 0; i < s->rank && want > 1; i++) {
        box_axis *const axis = &s->axis[order[i]];
        const uint32_t piece = piece_of(axis->length, want, sector_unit(s, axis->length, inner));
        if (piece > axis->extent) axis->extent = piece;
        inner *= axis->extent;
        want = axis->extent < axis->length ? 1 : ceil_div(want, axis->extent);
    }
}

/* ------------------------------------------------------------ the way */

/* True if elements are shorter than words, and rows without gaps on both sides. */
static bool has_words(const box_schedule *s) {
    return s->elem_bytes < BANK_BYTES && box_step(s, &s->src, true) == 1 && box_step(s, &s->dst, false) == 1;
}

/* True if all rows begin and end at multiples of 16 bytes, on either side, and run along different axes. */
static bool may_go_by_vectors(const box_schedule *s) {
    if (s->elem_bytes < BANK_BYTES || s->elem_bytes >= VECTOR_BYTES || s->alignment < VECTOR_BYTES)
        return false;
    if (s->src.chain == 0 || s->dst.chain == 0) return false;
    const uint64_t units = VECTOR_BYTES / s->elem_bytes;
    const unsigned by_src = s->src.chain_axis[0], by_dst = s->dst.chain_axis[0];
    if (by_src == by_dst || s->axis[by_src].src_stride != 1 || s->axis[by_dst].dst_stride != 1) return false;
    if (magnitude(s->src_offset) % units != 0 || magnitude(s->dst_offset) % units != 0) return false;
    for (unsigned k = 0; k < s->rank; k++) {
        const box_axis *const axis = &s->axis[k];
        const uint64_t src = magnitude(axis->src_stride), dst = (uint64_t)axis->dst_stride;
        if ((k == by_src ? axis->length : src) % units != 0 || (k == by_dst ? axis->length : dst) % units != 0)
            return false;
    }
    return s->axis[by_src].extent % units == 0 && s->axis[by_dst].extent % units == 0;
}

static box_way way_of(const box_schedule *s, const box_shape *shape) {
    if (shape->fetch_bytes > 0 && has_words(s)) return BOX_WORDS;
    return shape->fetch_bytes == VECTOR_BYTES && shape->threads >= WARP && may_go_by_vectors(s) ? BOX_VECTORS
                                                                                                : BOX_ELEMENTS;
}

/* ---------------------------------------------------------- the loops */

/* The axis along which the next box goes on where this one's rows of src end; rank if none does. */
static unsigned next_in_src(const box_schedule *s) {
    unsigned next = s->rank;
    uint64_t least = UINT64_MAX;
    for (unsigned k = 0; k < s->rank; k++) {
        const uint64_t step = magnitude(s->axis[k].src_stride) * s->axis[k].extent;
        if (count_of(&s->axis[k]) == 1 || step == 0 || step >= least) continue;
        least = step, next = k;
    }
    return next;
}

/* Boxes follow each other along dst, so that lines of dst that they share are whole soon. Where they share lines of src too,
 * and the next along src would come when a cache has forgotten them, that is the second loop. */
static void order_loops(box_schedule *s) {
    const unsigned next = next_in_src(s);
    double between = (double)s->cells * (double)s->elem_bytes;
    unsigned place = UINT_MAX;
    s->boxes = 1;
    for (unsigned k = 0; k < s->rank; k++) {
        const uint64_t count = count_of(&s->axis[k]);
        if (count == 1) continue;
        if (k == next) place = s->loops;
        if (place == UINT_MAX) between *= (double)count;
        s->boxes *= count;
        s->loop[s->loops++] = (box_loop){(unsigned char)k, 1, count};
    }
    if (place == UINT_MAX || place < 2 || between <= (double)REMEMBERED_BYTES ||
        box_row_alignment(s, true) == LINE)
        return;
    const box_loop moved = s->loop[place];
    memmove(s->loop + 2, s->loop + 1, (place - 1) * sizeof *s->loop);
    s->loop[1] = moved;
}

/* The layout for words (move/kernels/axes/axes_words.cu): room before the tile and behind it, for words reach beyond rows; a table
 * of places for each place in a word that a row of dst may begin at, of a whole number of turns. */
static box_layout layout_of_words(const box_schedule *s) {
    const size_t around = 2 * SECTOR + ROW_BYTES, turns = 128;
    box_layout out;
    out.rows = ceil_div(s->cells * s->elem_bytes + around, ROW_BYTES) * ROW_BYTES;
    out.places = out.rows + (size_t)(s->src.padded + s->dst.padded) * ROW_BYTES;
    out.place_stride = (uint32_t)(ceil_div(places(&s->dst) + SECTOR + dst_units(s), turns) * turns);
    out.end = out.places + (size_t)out.place_stride * dst_units(s) * PLACE_BYTES;
    return out;
}

box_layout box_layout_of(const box_schedule *s) {
    box_layout out = {0};
    if (s->way == BOX_WORDS) return layout_of_words(s);
    out.rows = ceil_div(s->cells * s->elem_bytes, ROW_BYTES) * ROW_BYTES;
    out.places = out.rows + (size_t)(s->src.padded + s->dst.padded) * ROW_BYTES;
    out.end =
        out.places + (s->place_step != 0 ? 0 : places(&s->dst) * (s->way == BOX_VECTORS ? 2 : 1) * PLACE_BYTES);
    return out;
}

/* ------------------------------------------------------------ the cut */

static void take(const strided_move *m, box_schedule *s) {
    *s = (box_schedule){.elem_bytes = m->elem_bytes, .src_offset = m->src_offset, .dst_offset = m->dst_offset};
    s->alignment = m->alignment > m->elem_bytes ? m->alignment : m->elem_bytes;
    s->rank = m->rank;
    for (unsigned k = 0; k < m->rank; k++)
        s->axis[k] = (box_axis){.length = m->axis[k].length,
                                .src_stride = m->axis[k].src_stride,
                                .dst_stride = m->axis[k].dst_stride,
                                .extent = 1};
}

uint64_t box_volume(const box_schedule *s) {
    uint64_t cells = 1;
    unsigned axes = 0;
    for (unsigned k = 0; k < s->rank && cells <= MOST_CELLS; k++) {
        cells *= s->axis[k].extent;
        axes += s->axis[k].extent > 1;
    }
    return axes <= MOST_AXES ? cells : (uint64_t)MOST_CELLS + 1;
}

bool box_choose_extents(const strided_move *m, size_t src_bytes, size_t dst_bytes, size_t shared_bytes,
                        box_schedule *out) {
    take(m, out);
    order_by_src(out, out->by_src);
    for (unsigned k = 0; k < out->rank; k++) out->by_dst[k] = (unsigned char)k;
    cover(out, out->by_src, src_bytes);
    cover(out, out->by_dst, dst_bytes);
    const uint64_t elements = box_volume(out);
    return elements * out->elem_bytes <= shared_bytes && elements < MOST_CELLS;
}

void box_lay_rows(const box_shape *shape, box_schedule *out) {
    box_chain_axes(out, out->by_src, true, &out->src);
    box_chain_axes(out, out->by_dst, false, &out->dst);
    box_measure_chain(out, &out->src, MOST_CELLS - 1, 1);
    box_measure_chain(out, &out->dst, MOST_PLACES, (uint32_t)(128 / out->elem_bytes));
    out->way = way_of(out, shape);
    out->fetch_bytes = out->way == BOX_ELEMENTS ? 0 : shape->fetch_bytes;
    if (out->way != BOX_VECTORS) out->alignment = out->elem_bytes;
    out->shape = *shape;
    box_count_rows(out, true, out->way == BOX_WORDS ? shape->fetch_bytes : shape->align, &out->src);
    box_count_rows(out, false, out->way == BOX_WORDS && shape->align > SECTOR ? SECTOR : shape->align,
                   &out->dst);
    if (out->way == BOX_VECTORS && !out->src.even) box_count_rows(out, true, VECTOR_BYTES, &out->src);
    if (out->way == BOX_VECTORS && !out->dst.even) box_count_rows(out, false, VECTOR_BYTES, &out->dst);
    out->threads = shape->threads;
    box_choose_lanes(out, true, &out->src);
    box_choose_lanes(out, false, &out->dst);
    box_set_cells(out, box_least_pitch(out), 0);
    out->shared_bytes = box_layout_of(out).end;
}

bool box_has_cells(const box_schedule *s) {
    return s->way == BOX_WORDS ? s->cells * s->elem_bytes + 3 * SECTOR < MOST_CELLS : s->cells < MOST_CELLS;
}

bool box_cut(const strided_move *m, const box_shape *shape, size_t shared_bytes, box_schedule *out) {
    if (strided_elements(m) == 0) {
        take(m, out);
        return true;
    }
    if (!box_choose_extents(m, shape->src_bytes, shape->dst_bytes, shared_bytes, out)) return false;
    box_lay_rows(shape, out);
    box_choose_pitch(out);
    order_loops(out);
    out->shared_bytes = box_layout_of(out).end;
    return out->shared_bytes <= shared_bytes && box_has_cells(out);
}

void box_print(const box_schedule *s, FILE *stream) {
    fprintf(stream, ": %llu boxes", (unsigned long long)s->boxes);
    if (s->boxes == 0) return;
    fprintf(stream,
            " of %u rows of %u and %u of %u units of %zu bytes, %u threads each, %zu bytes of shared memory",
            s->src.rows, places(&s->src), s->dst.rows, places(&s->dst), s->elem_bytes, s->threads,
            s->shared_bytes);
}
