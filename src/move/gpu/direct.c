/* SPDX-License-Identifier: Apache-2.0 */
#include "move/gpu/direct.h"

#include "move/gpu/divisor.h"

static const strided_kernel *const kernels[] = {
    [DIRECT_ROW] = &KERNEL_strided_row,
    [DIRECT_PARTS] = &KERNEL_strided_parts_32,
    [DIRECT_PARTS_FAR] = &KERNEL_strided_parts_64,
    [DIRECT_PACKED] = &KERNEL_strided_packed,
    [DIRECT_WORDS] = &KERNEL_strided_words,
};

/* The bytes of src that rows are read from. */
static void fill_span(const direct_schedule *s, strided_table *t) {
    uint64_t reach = s->row_bytes;
    t->src_first = t->src_origin;
    for (unsigned k = 1; k < s->move.rank; k++) {
        const int64_t last = (int64_t)(s->move.axis[k].length - 1) * t->axis[k].src_step;
        if (last < 0) t->src_first += last;
        reach += (uint64_t)(last < 0 ? -last : last);
    }
    t->src_bytes = reach;
}

static void fill(const direct_schedule *s, strided_table *t) {
    const int64_t bytes = (int64_t)s->move.elem_bytes;
    *t = (strided_table){.src_origin = s->move.src_offset * bytes,
                         .dst_origin = s->move.dst_offset * bytes,
                         .row_bytes = s->row_bytes,
                         .axes = s->move.rank,
                         .inner = s->inner,
                         .parts = (uint32_t)s->parts,
                         .piece = (uint32_t)s->piece,
                         .pieces = divisor_of(s->pieces)};
    for (unsigned k = 0; k < s->move.rank; k++) {
        const strided_axis *const axis = &s->move.axis[k];
        t->axis[k] =
            (strided_digit){axis->src_stride * bytes, axis->dst_stride * bytes, divisor_of(axis->length)};
    }
    if (s->way == DIRECT_WORDS) fill_span(s, t);
}

launch *launch_direct(const direct_schedule *s, launch_list *out) {
    struct strided_arguments arguments;
    fill(s, &arguments.table);
    launch *const work = append_strided(out, kernels[s->way], s->move.elem_bytes, &arguments);
    work->grid = (unsigned)s->blocks;
    work->block_x = s->threads;
    return work;
}
