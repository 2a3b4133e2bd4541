/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/box_rows.h"

#include <math.h>
#include <string.h>

#include "move/kernels/axes/axes_box.h"
#include "plan/axes/box_parts.h"

static const double ROW_COSTS_WORDS = 1; /* that a thread begins a row */

static int64_t stride_of(const box_axis *axis, bool of_src) {
    return of_src ? axis->src_stride : axis->dst_stride;
}

/* True if lanes side by side have different indices of an axis, if they read along dst's rows. */
static bool has_lanes(const box_schedule *s, unsigned axis) {
    uint64_t inner = 1;
    for (unsigned k = 0; k < axis; k++) inner *= s->axis[k].extent;
    return axis == 0 || (s->elem_bytes < BANK_BYTES && inner * s->elem_bytes < WARP * BANK_BYTES);
}

/* True if lanes that read along an axis would meet in a bank, if a row of src went on along it behind `inner` elements, while
 * rows that end before it are long enough. */
static bool ends_row(const box_schedule *s, unsigned axis, uint64_t inner) {
    const uint64_t bytes = inner * s->elem_bytes;
    const uint64_t step = s->elem_bytes > BANK_BYTES ? s->elem_bytes : BANK_BYTES;
    return has_lanes(s, axis) && bytes >= 2 * SECTOR && (bytes & (~bytes + 1)) > 2 * step;
}

void box_chain_axes(const box_schedule *s, const unsigned char *order, bool of_src, box_side *side) {
    bool goes_on = true;
    uint64_t inner = 1;
    for (unsigned i = 0; i < s->rank; i++) {
        const box_axis *const axis = &s->axis[order[i]];
        if (axis->extent == 1) continue;
        if (side->chain > 0 && goes_on) {
            const box_axis *const last = &s->axis[side->chain_axis[side->chain - 1]];
            goes_on = last->extent == last->length &&
                      stride_of(axis, of_src) == stride_of(last, of_src) * (int64_t)last->length;
        }
        if (of_src && side->chain > 0 && ends_row(s, order[i], inner)) goes_on = false;
        if (goes_on) {
            inner *= axis->extent;
            side->chain_axis[side->chain++] = order[i];
        } else {
            side->digit_axis[side->digits++] = order[i];
        }
    }
}

void box_measure_chain(const box_schedule *s, box_side *side, uint32_t most, uint32_t unit) {
    side->inner = side->outer = 1;
    for (unsigned i = 0; i < side->chain; i++) {
        const uint32_t extent = s->axis[side->chain_axis[i]].extent;
        side->inner *= side->outer;
        side->outer = extent;
        if ((uint64_t)side->inner * extent <= most) continue;
        const uint32_t piece = most / side->inner;
        side->outer = piece > unit ? piece / unit * unit : piece;
        memmove(side->digit_axis + side->chain - i, side->digit_axis, side->digits);
        memcpy(side->digit_axis, side->chain_axis + i, side->chain - i);
        side->digits += side->chain - i;
        side->chain = i + 1;
        break;
    }
}

/* True if the axis is the one that a chain goes on along from row to row. */
static bool continues(const box_side *side, unsigned digit) {
    return digit == 0 && side->chain > 0 && side->digit_axis[0] == side->chain_axis[side->chain - 1];
}

uint32_t box_digit_weight(const box_side *side, unsigned digit) {
    return continues(side, digit) ? side->outer : 1;
}

uint32_t box_digit_length(const box_schedule *s, const box_side *side, unsigned digit) {
    return (uint32_t)ceil_div(s->axis[side->digit_axis[digit]].extent, box_digit_weight(side, digit));
}

int64_t box_step(const box_schedule *s, const box_side *side, bool of_src) {
    return side->chain > 0 ? stride_of(&s->axis[side->chain_axis[0]], of_src) : 1;
}

void box_count_rows(const box_schedule *s, bool of_src, uint32_t align, box_side *side) {
    const int64_t step = box_step(s, side, of_src);
    const uint32_t word = (uint32_t)s->elem_bytes * units_of(s, side);
    side->align = step == 1 && align > word ? align : word;
    side->rows = 1;
    side->even = true;
    for (unsigned i = 0; i < side->digits; i++) {
        const uint64_t stride =
            magnitude(stride_of(&s->axis[side->digit_axis[i]], of_src)) * box_digit_weight(side, i);
        side->rows *= box_digit_length(s, side, i);
        if (stride * s->elem_bytes % side->align != 0) side->even = false;
    }
}

/* ------------------------------------------------- threads of a block */

/* a over b, rounded up: by constants, for a search divides often. */
static uint32_t share(uint32_t a, uint32_t b) {
    switch (b) {
    case 1: return a;
    case 2: return (a + 1) / 2;
    case 3: return (a + 2) / 3;
    case 4: return (a + 3) / 4;
    case 6: return (a + 5) / 6;
    default: return (a + b - 1) / b;
    }
}

/* Work of threads if 2^log2 of them move a row, `words` words at a time: moves, and per row something more. */
static double work_of(const box_schedule *s, const box_side *side, uint32_t count, unsigned log2,
                      unsigned words, uint32_t *padded) {
    const uint32_t at_once = (uint32_t)AXES_ROWS_AT_ONCE(s->elem_bytes * units_of(s, side), words);
    const uint32_t groups = s->threads >> log2, lanes = 1u << log2;
    const unsigned groups_log2 = (unsigned)__builtin_ctz(groups);
    *padded = share((side->rows + groups - 1) >> groups_log2, at_once) * at_once << groups_log2;
    const uint32_t turns = share((count + lanes - 1) >> log2, words);
    return (double)((uint64_t)*padded << log2) * turns * (words + ROW_COSTS_WORDS);
}

/* The least work; where several do as little, the longest pieces of a row. */
static void choose_vector_lanes(const box_schedule *s, bool of_src, box_side *side) {
    const uint32_t count = share(places(side), units_of(s, side));
    const unsigned most = of_src ? 5 : 3;
    double least = INFINITY;
    for (unsigned log2 = 1; log2 <= most; log2++) {
        if (log2 < 3 && 1u << log2 < count) continue;
        for (unsigned words = 1; words <= 4; words++) {
            uint32_t padded;
            const double work = work_of(s, side, count, log2, words, &padded);
            if (work > least) continue;
            least = work;
            side->lanes_log2 = log2, side->words = words, side->padded = padded;
        }
    }
}

/* A sector's. A row of long words is read at one go, as lines that it takes several turns for are fetched several times. */
static unsigned fewest_lanes(const box_schedule *s, bool of_src) {
    if (s->way == BOX_WORDS) return of_src ? WARP : WARP / 2;
    return s->elem_bytes < SECTOR ? (unsigned)(SECTOR / s->elem_bytes) : 1;
}

void box_choose_lanes(const box_schedule *s, bool of_src, box_side *side) {
    if (s->way == BOX_VECTORS) {
        choose_vector_lanes(s, of_src, side);
        return;
    }
    const uint32_t before = side->even ? 0 : side->align / (uint32_t)s->elem_bytes - 1;
    const uint32_t count = share(places(side) + before, units_of(s, side));
    const unsigned word_bytes = (unsigned)s->elem_bytes * units_of(s, side);
    const bool is_dense = box_step(s, side, of_src) == 1;
    const unsigned fewest = fewest_lanes(s, of_src);
    double least = INFINITY;
    for (unsigned log2 = 0; 1u << log2 <= s->threads; log2++) {
        const unsigned lanes = 1u << log2,
                       most = is_dense && lanes >= WARP && word_bytes < 16 ? AXES_MOST_WORDS : 1;
        if (lanes < fewest && lanes < s->threads && lanes < count) continue;
        for (unsigned words = 1; words <= most; words++) {
            uint32_t padded;
            const double work = work_of(s, side, count, log2, words, &padded);
            if (work > least) continue;
            least = work;
            side->lanes_log2 = log2, side->words = words, side->padded = padded;
        }
    }
}

uint64_t box_row_alignment(const box_schedule *s, bool of_src) {
    uint64_t unit = LINE;
    for (unsigned k = 0; k < s->rank; k++) {
        const box_axis *const axis = &s->axis[k];
        uint64_t stride = magnitude(stride_of(axis, of_src));
        if (stride == 1 && axis->extent == axis->length) continue;
        if (stride == 1) stride = axis->extent;
        while (stride * s->elem_bytes % unit != 0) unit /= 2;
    }
    return unit;
}
