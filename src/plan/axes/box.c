/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/box.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "move/kernels/axes/axes_box.h"
#include "plan/axes/box_parts.h"

enum {
    MOST_AXES = 16,     /* axes of a box (move/kernels/axes/axes_box.h) */
    MOST_PLACES = 1024, /* places of dst's rows: each has an entry in a table that every block makes */
    MOST_CELLS = 1 << 16,
    ROW_BYTES = 16, /* bytes of the tables' entries */
    PLACE_BYTES = 2,
    REMEMBERED_BYTES = 8 << 20, /* bytes of boxes, until a cache has lost what one of them read */
    BANKS = 32,
};

static const double ROW_COSTS_WORDS = 1; /* that a thread begins a row */

static uint64_t magnitude(int64_t a) { return a < 0 ? (uint64_t)0 - (uint64_t)a : (uint64_t)a; }

/* The least number from `least` on that is as far from a multiple of `units` as `stride` is. */
static uint32_t congruent(uint32_t least, int64_t stride, uint32_t units) {
    return least + (((uint32_t)stride - least) & (units - 1));
}

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

/* ----------------------------------------------------------- the rows */

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

/* The axes that rows run along, and the others of the box, both in `order`. */
static void chain_axes(const box_schedule *s, const unsigned char *order, bool of_src, box_side *side) {
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

/* Fills inner and outer; a chain longer than `most` goes on in the next row. */
static void measure_chain(const box_schedule *s, box_side *side, uint32_t most, uint32_t unit) {
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

/* Steps of a row's number along an axis, and indices that each is of. */
static uint32_t digit_weight(const box_side *side, unsigned digit) {
    return continues(side, digit) ? side->outer : 1;
}

static uint32_t digit_length(const box_schedule *s, const box_side *side, unsigned digit) {
    return (uint32_t)ceil_div(s->axis[side->digit_axis[digit]].extent, digit_weight(side, digit));
}

static int64_t step_of(const box_schedule *s, const box_side *side, bool of_src) {
    return side->chain > 0 ? stride_of(&s->axis[side->chain_axis[0]], of_src) : 1;
}

/* Counts rows, and looks where they begin. */
static void count_rows(const box_schedule *s, bool of_src, uint32_t align, box_side *side) {
    const int64_t step = step_of(s, side, of_src);
    const uint32_t word = (uint32_t)s->elem_bytes * units_of(s, side);
    side->align = step == 1 && align > word ? align : word;
    side->rows = 1;
    side->even = true;
    for (unsigned i = 0; i < side->digits; i++) {
        const uint64_t stride =
            magnitude(stride_of(&s->axis[side->digit_axis[i]], of_src)) * digit_weight(side, i);
        side->rows *= digit_length(s, side, i);
        if (stride * s->elem_bytes % side->align != 0) side->even = false;
    }
}

/* ---------------------------------------------------------- the cells */

/* True if elements are shorter than words, and rows without gaps on both sides. */
static bool has_words(const box_schedule *s) {
    return s->elem_bytes < BANK_BYTES && step_of(s, &s->src, true) == 1 && step_of(s, &s->dst, false) == 1;
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

static bool is_digit(const box_side *side, unsigned axis) {
    for (unsigned i = 0; i < side->digits; i++)
        if (side->digit_axis[i] == axis) return true;
    return false;
}

/* The axes that number src's rows, from the one along which rows are closest in shared memory on: src's fastest; of words, that
 * fill the banks by themselves, dst's. */
static void order_digits(const box_schedule *s, unsigned char *order) {
    unsigned count = 0;
    memcpy(order, s->src.digit_axis, s->src.digits);
    for (unsigned k = 0; s->way == BOX_WORDS && k < s->rank; k++)
        if (is_digit(&s->src, k)) order[count++] = (unsigned char)k;
}

/* Rows of src `pitch` apart, and `pad` more after as many indices of dst's first axis as a word has elements. By words, rows
 * are as far apart in shared memory as they are in memory, modulo a word. */
static void set_cells(box_schedule *s, uint32_t pitch, uint32_t pad) {
    const unsigned group_log2 = (unsigned)__builtin_ctz(dst_units(s));
    unsigned char order[BOX_MAX_AXES + 1];
    order_digits(s, order);
    uint32_t cell = 1;
    for (unsigned i = 0; i < s->src.chain; i++) {
        box_axis *const axis = &s->axis[s->src.chain_axis[i]];
        axis->cell = cell;
        cell *= axis->extent;
    }
    cell = pitch;
    for (unsigned i = 0; i < s->src.digits; i++) {
        box_axis *const axis = &s->axis[order[i]];
        axis->cell = congruent(cell, axis->src_stride, src_units(s));
        axis->pad = order[i] == 0 ? pad : 0;
        axis->group_log2 = group_log2;
        cell = axis->cell * axis->extent + (axis->extent >> group_log2) * axis->pad;
    }
    s->cells = cell;
    s->place_step = s->dst.chain == 1 && s->way == BOX_ELEMENTS ? s->axis[s->dst.chain_axis[0]].cell : 0;
}

static uint32_t cell_of_place(const box_schedule *s, uint32_t place) {
    uint32_t cell = 0;
    for (unsigned i = 0; i < s->dst.chain; i++) {
        const box_axis *const axis = &s->axis[s->dst.chain_axis[i]];
        cell += place % axis->extent * axis->cell + (place % axis->extent >> axis->group_log2) * axis->pad;
        place /= axis->extent;
    }
    return cell;
}

static uint32_t cell_of_row(const box_schedule *s, uint32_t row) {
    uint32_t cell = 0;
    for (unsigned i = 0; i < s->dst.digits; i++) {
        const uint32_t length = digit_length(s, &s->dst, i);
        cell += row % length * digit_weight(&s->dst, i) * s->axis[s->dst.digit_axis[i]].cell;
        row /= length;
    }
    return cell;
}

/* The most different words of one bank that a warp's read of dst's rows wants, about: of the first places of the first
 * rows, where no lane rests. */
unsigned box_conflicts(const box_schedule *s) {
    const unsigned width = s->elem_bytes > BANK_BYTES ? (unsigned)(s->elem_bytes / BANK_BYTES) : 1;
    const unsigned lanes = WARP / width, units = dst_units(s);
    const unsigned along = 1u << s->dst.lanes_log2 < lanes ? 1u << s->dst.lanes_log2 : lanes;
    uint32_t word[WARP];
    unsigned count[BANKS] = {0}, most = 0, kept = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const uint32_t turn = s->way == BOX_WORDS ? lane / (WARP / units) % units : 0;
        const uint32_t place = lane % along * units + turn, row = lane / along;
        if (place >= places(&s->dst) || row >= s->dst.rows) continue;
        const uint32_t cell = cell_of_place(s, place) + cell_of_row(s, row);
        const uint32_t at = (uint32_t)(cell * s->elem_bytes / (width * BANK_BYTES));
        bool is_new = true;
        for (unsigned i = 0; i < kept && is_new; i++) is_new = word[i] != at;
        if (!is_new) continue;
        word[kept++] = at;
        const unsigned here = ++count[at % (BANKS / width)];
        if (here > most) most = here;
    }
    return most;
}

/* Rows of src, and between two of them so much that no word has something of both. */
static uint32_t least_pitch(const box_schedule *s) {
    return places(&s->src) + (s->way == BOX_VECTORS ? 0 : src_units(s) - 1);
}

/* The pitch with the fewest conflicts, the smallest such. */
static void choose_pitch(box_schedule *s) {
    const uint32_t units = src_units(s), least = least_pitch(s),
                   most = least + BANKS * BANK_BYTES / (uint32_t)s->elem_bytes;
    const uint32_t pads = s->way == BOX_VECTORS ? units : 0;
    unsigned fewest = WARP + 1;
    uint32_t best = least, best_pad = 0;
    for (uint32_t pitch = least; pitch < most && fewest > 1; pitch += units) {
        for (uint32_t pad = 0; pad <= pads; pad += units) {
            set_cells(s, pitch, pad);
            const unsigned here = box_conflicts(s);
            if (here < fewest) fewest = here, best = pitch, best_pad = pad;
            if (pads == 0) break;
        }
    }
    set_cells(s, best, best_pad);
}

/* ---------------------------------------------------------- the block */

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

static void choose_lanes(const box_schedule *s, bool of_src, box_side *side) {
    if (s->way == BOX_VECTORS) {
        choose_vector_lanes(s, of_src, side);
        return;
    }
    const uint32_t before = side->even ? 0 : side->align / (uint32_t)s->elem_bytes - 1;
    const uint32_t count = share(places(side) + before, units_of(s, side));
    const unsigned word_bytes = (unsigned)s->elem_bytes * units_of(s, side);
    const bool is_dense = step_of(s, side, of_src) == 1;
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
    chain_axes(out, out->by_src, true, &out->src);
    chain_axes(out, out->by_dst, false, &out->dst);
    measure_chain(out, &out->src, MOST_CELLS - 1, 1);
    measure_chain(out, &out->dst, MOST_PLACES, (uint32_t)(128 / out->elem_bytes));
    out->way = way_of(out, shape);
    out->fetch_bytes = out->way == BOX_ELEMENTS ? 0 : shape->fetch_bytes;
    if (out->way != BOX_VECTORS) out->alignment = out->elem_bytes;
    out->shape = *shape;
    count_rows(out, true, out->way == BOX_WORDS ? shape->fetch_bytes : shape->align, &out->src);
    count_rows(out, false, out->way == BOX_WORDS && shape->align > SECTOR ? SECTOR : shape->align, &out->dst);
    if (out->way == BOX_VECTORS && !out->src.even) count_rows(out, true, VECTOR_BYTES, &out->src);
    if (out->way == BOX_VECTORS && !out->dst.even) count_rows(out, false, VECTOR_BYTES, &out->dst);
    out->threads = shape->threads;
    choose_lanes(out, true, &out->src);
    choose_lanes(out, false, &out->dst);
    set_cells(out, least_pitch(out), 0);
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
    choose_pitch(out);
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
