/* SPDX-License-Identifier: Apache-2.0 */
#include "move/gpu/box.h"

#include "move/gpu/divisor.h"

/* The axes of which a box may have a part, by number; returns 1 + the place of an axis among them, 0 if it is none. */
typedef struct cuts {
    unsigned count;
    unsigned axis[AXES_CUTS];
} cuts;

static uint32_t cut_of(const cuts *c, unsigned axis) {
    for (unsigned i = 0; i < c->count; i++)
        if (c->axis[i] == axis) return i + 1;
    return 0;
}

static void fill_side(const box_schedule *s, const box_side *side, bool of_src, const cuts *c, axes_side *out) {
    *out = (axes_side){.step = 1, .digits = side->digits, .rows = side->rows};
    out->inner = side->inner, out->outer = side->outer;
    out->align = side->align, out->even = side->even, out->lanes_log2 = side->lanes_log2;
    out->words = side->words, out->padded = side->padded;
    for (unsigned i = 0; i < side->digits; i++) {
        const unsigned k = side->digit_axis[i];
        const box_axis *const axis = &s->axis[k];
        const bool continues = i == 0 && side->chain > 0 && k == side->chain_axis[side->chain - 1];
        const uint32_t weight = continues ? side->outer : 1;
        out->digit[i] = (axes_digit){.stride = (of_src ? axis->src_stride : axis->dst_stride) * weight,
                                     .by = divisor_of((axis->extent + weight - 1) / weight),
                                     .cell = axis->cell * weight,
                                     .pad = axis->pad,
                                     .group_log2 = axis->group_log2,
                                     .weight = weight,
                                     .cut = cut_of(c, k),
                                     .extent = continues ? axis->extent : 0};
    }
    if (side->chain == 0) return;
    const box_axis *const first = &s->axis[side->chain_axis[0]];
    out->step = of_src ? first->src_stride : first->dst_stride;
    out->cut = cut_of(c, side->chain_axis[side->chain - 1]);
}

/* The elements of src from the first to the last that is read. */
static void fill_span(const box_schedule *s, axes_table *t) {
    t->src_first = t->src_end = s->src_offset;
    for (unsigned k = 0; k < s->rank; k++) {
        const int64_t reach = (int64_t)(s->axis[k].length - 1) * s->axis[k].src_stride;
        *(reach < 0 ? &t->src_first : &t->src_end) += reach;
    }
    t->src_end++;
}

static void fill_loops(const box_schedule *s, cuts *c, axes_table *t) {
    t->loops = s->loops;
    for (unsigned i = 0; i < s->loops; i++) {
        const box_loop *const loop = &s->loop[i];
        const box_axis *const axis = &s->axis[loop->axis];
        const uint32_t weight = loop->weight * axis->extent;
        if (axis->extent > 1 && cut_of(c, loop->axis) == 0) {
            t->cut_length[c->count] = axis->length;
            c->axis[c->count++] = loop->axis;
        }
        t->loop[i] = (axes_loop){.src_step = axis->src_stride * weight,
                                 .dst_step = axis->dst_stride * weight,
                                 .by = divisor_of(loop->count),
                                 .cut = cut_of(c, loop->axis),
                                 .weight = weight};
    }
}

static void fill_places(const box_schedule *s, axes_table *t) {
    t->place_step = s->place_step;
    if (s->place_step != 0) return;
    t->places = s->dst.inner * s->dst.outer;
    t->place_digits = s->dst.chain;
    for (unsigned i = 0; i < s->dst.chain; i++) {
        const box_axis *const axis = &s->axis[s->dst.chain_axis[i]];
        t->place[i] = (axes_digit){.by = divisor_of(axis->extent),
                                   .cell = axis->cell,
                                   .pad = axis->pad,
                                   .group_log2 = axis->group_log2};
    }
}

static void fill(const box_schedule *s, axes_table *t) {
    const box_layout layout = box_layout_of(s);
    cuts c = {0};
    *t = (axes_table){.src_origin = s->src_offset, .dst_origin = s->dst_offset};
    t->rows_at = (uint32_t)layout.rows;
    t->places_at = (uint32_t)layout.places;
    t->place_stride = layout.place_stride;
    t->fetch_bytes = s->fetch_bytes;
    fill_span(s, t);
    fill_loops(s, &c, t);
    fill_side(s, &s->src, true, &c, &t->side[0]);
    fill_side(s, &s->dst, false, &c, &t->side[1]);
    fill_places(s, t);
}

static const axes_kernel *kernel_of(const box_schedule *s) {
    switch (s->way) {
    case BOX_WORDS: return &KERNEL_axes_words;
    case BOX_VECTORS: return &KERNEL_axes_vectors;
    default: return &KERNEL_axes_box;
    }
}

launch *launch_boxes(const box_schedule *s, launch_list *out) {
    struct axes_arguments arguments;
    fill(s, &arguments.table);
    launch *const work = append_axes(out, kernel_of(s), s->elem_bytes, &arguments);
    work->grid = (unsigned)s->boxes;
    work->block_x = s->threads;
    work->shared_bytes = s->shared_bytes;
    return work;
}
