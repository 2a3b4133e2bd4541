/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/box.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "kernels/axes/axes_box.h"

enum {
    MOST_AXES = 16,     /* of a box (kernels/axes/axes_box.h) */
    MOST_PLACES = 1024, /* of dst's rows: each has an entry in a table that every block makes */
    MOST_CELLS = 1 << 16,
    ROW_BYTES = 16, /* of the tables' entries */
    PLACE_BYTES = 2,
    SECTOR = 32,
    LINE = 128,
    REMEMBERED_BYTES = 8 << 20, /* of boxes, until a cache has lost what one of them read */
    WARP = 32,
    BANKS = 32,
    BANK_BYTES = 4,
    VECTOR_BYTES = 16, /* of the longest words that src is read in */
};

static const double ROW_COSTS_WORDS = 1; /* that a thread begins a row */

static uint64_t divide_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

static uint64_t magnitude(int64_t a) { return a < 0 ? (uint64_t)0 - (uint64_t)a : (uint64_t)a; }

/* Elements of a word of src, of dst. */
static uint32_t src_units(const box_schedule *s) {
    return s->way == BOX_ELEMENTS ? 1 : (uint32_t)(s->fetch_bytes / s->elem_bytes);
}

static uint32_t dst_units(const box_schedule *s) {
    return s->way == BOX_WORDS ? (uint32_t)(BANK_BYTES / s->elem_bytes) : src_units(s);
}

static uint32_t units_of(const box_schedule *s, const box_side *side) {
    return side == &s->src ? src_units(s) : dst_units(s);
}

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
    const uint64_t pieces = (length + want / 2) / want, least = divide_up(length, pieces > 0 ? pieces : 1);
    while (divide_up(least, unit) * unit > 2 * least) unit /= 2;
    const uint64_t piece = divide_up(least, unit) * unit;
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
    uint64_t want = divide_up(bytes, s->elem_bytes), inner = 1;
    for (unsigned i = 0; i < s->rank && want > 1; i++) {
        box_axis *const axis = &s->axis[order[i]];
        const uint32_t piece = piece_of(axis->length, want, sector_unit(s, axis->length, inner));
        if (piece > axis->extent) axis->extent = piece;
        inner *= axis->extent;
        want = axis->extent < axis->length ? 1 : divide_up(want, axis->extent);
    }
}

/* ----------------------------------------------------------- the rows */

static int64_t stride_of(const box_axis *axis, bool of_src) {
    return of_src ? axis->src_stride : axis->dst_stride;
}

/* Whether lanes side by side have different indices of an axis, if they read along dst's rows. */
static bool has_lanes(const box_schedule *s, unsigned axis) {
    uint64_t inner = 1;
    for (unsigned k = 0; k < axis; k++) inner *= s->axis[k].extent;
    return axis == 0 || (s->elem_bytes < BANK_BYTES && inner * s->elem_bytes < WARP * BANK_BYTES);
}

/* Whether lanes that read along an axis would meet in a bank, if a row of src went on along it behind `inner` elements, while
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
    return (uint32_t)divide_up(s->axis[side->digit_axis[digit]].extent, digit_weight(side, digit));
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

static uint32_t places(const box_side *side) { return side->inner * side->outer; }

/* ---------------------------------------------------------- the cells */

/* Whether elements are shorter than words, and rows without gaps on both sides. */
static bool has_words(const box_schedule *s) {
    return s->elem_bytes < BANK_BYTES && step_of(s, &s->src, true) == 1 && step_of(s, &s->dst, false) == 1;
}

/* Whether all rows begin and end at multiples of 16 bytes, on either side, and run along different axes. */
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

/* Rows of src `pitch` apart, and `pad` more after as many indices of dst's first axis as a word has elements. Of words, rows
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
static unsigned conflicts(const box_schedule *s) {
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
            const unsigned here = conflicts(s);
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

/* What threads do if 2^log2 of them move a row, `words` words at a time: moves, and per row something more. */
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

static uint64_t count_of(const box_axis *axis) { return divide_up(axis->length, axis->extent); }

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

/* What rows begin at multiples of, at most a line. */
static uint64_t row_alignment(const box_schedule *s, bool of_src) {
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
    if (place == UINT_MAX || place < 2 || between <= REMEMBERED_BYTES || row_alignment(s, true) == LINE) return;
    const box_loop moved = s->loop[place];
    memmove(s->loop + 2, s->loop + 1, (place - 1) * sizeof *s->loop);
    s->loop[1] = moved;
}

/* Of words (kernels/axes/axes_words.cu): room before the tile and behind it, for words reach beyond rows; a table of places
 * for each place in a word that a row of dst may begin at, of a whole number of turns. */
static box_layout layout_of_words(const box_schedule *s) {
    const size_t around = 2 * SECTOR + ROW_BYTES, turns = 128;
    box_layout out;
    out.rows = divide_up(s->cells * s->elem_bytes + around, ROW_BYTES) * ROW_BYTES;
    out.places = out.rows + (size_t)(s->src.padded + s->dst.padded) * ROW_BYTES;
    out.place_stride = (uint32_t)(divide_up(places(&s->dst) + SECTOR + dst_units(s), turns) * turns);
    out.end = out.places + (size_t)out.place_stride * dst_units(s) * PLACE_BYTES;
    return out;
}

box_layout box_layout_of(const box_schedule *s) {
    box_layout out = {0};
    if (s->way == BOX_WORDS) return layout_of_words(s);
    out.rows = divide_up(s->cells * s->elem_bytes, ROW_BYTES) * ROW_BYTES;
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

/* The elements of a box, or more than a box may have. */
static uint64_t volume(const box_schedule *s) {
    uint64_t cells = 1;
    unsigned axes = 0;
    for (unsigned k = 0; k < s->rank && cells <= MOST_CELLS; k++) {
        cells *= s->axis[k].extent;
        axes += s->axis[k].extent > 1;
    }
    return axes <= MOST_AXES ? cells : (uint64_t)MOST_CELLS + 1;
}

/* What a box takes of each axis. */
static bool choose_extents(const strided_move *m, size_t src_bytes, size_t dst_bytes, size_t shared_bytes,
                           box_schedule *out) {
    take(m, out);
    order_by_src(out, out->by_src);
    for (unsigned k = 0; k < out->rank; k++) out->by_dst[k] = (unsigned char)k;
    cover(out, out->by_src, src_bytes);
    cover(out, out->by_dst, dst_bytes);
    const uint64_t elements = volume(out);
    return elements * out->elem_bytes <= shared_bytes && elements < MOST_CELLS;
}

/* All else but the cells. */
static void lay_rows(const box_shape *shape, box_schedule *out) {
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

/* Where cells are, kernels count with 16 bits: in elements, of words in bytes. */
static bool has_cells(const box_schedule *s) {
    return s->way == BOX_WORDS ? s->cells * s->elem_bytes + 3 * SECTOR < MOST_CELLS : s->cells < MOST_CELLS;
}

bool box_cut(const strided_move *m, const box_shape *shape, size_t shared_bytes, box_schedule *out) {
    if (strided_elements(m) == 0) {
        take(m, out);
        return true;
    }
    if (!choose_extents(m, shape->src_bytes, shape->dst_bytes, shared_bytes, out)) return false;
    lay_rows(shape, out);
    choose_pitch(out);
    order_loops(out);
    out->shared_bytes = box_layout_of(out).end;
    return out->shared_bytes <= shared_bytes && has_cells(out);
}

/* --------------------------------------------------------- the policy */

static double side_traffic(const box_schedule *s, const box_side *side) {
    const double bytes = (double)s->elem_bytes, row = (double)places(side);
    return side->even ? bytes : bytes + (SECTOR - bytes) / row;
}

/* What the policy's cost is made of. The constants were fitted to 5000 cuts of 90 shapes, timed on an H200 (docs/axes.md):
 * what it takes is 2% more than the best of a shape's cuts, on average. */
enum {
    REGISTERS = 65536, /* of a multiprocessor */
    REGISTERS_A_THREAD = 48,
    REGISTERS_A_PACKED_THREAD = 64,
    RESIDENT_BYTES = 228 << 10, /* of shared memory, for all blocks */
    BLOCK_RESERVED_BYTES = 1 << 10,
};

/* Moves of words by threads, and begins of rows by threads, for each element. */
typedef struct side_work {
    double words, rows;
} side_work;

static side_work work_of_side(const box_schedule *s, const box_side *side) {
    const uint32_t before = side->even ? 0 : side->align / (uint32_t)s->elem_bytes - 1;
    const uint64_t count = divide_up(places(side) + before, units_of(s, side)),
                   lanes = (uint64_t)1 << side->lanes_log2;
    const double rows =
        (double)(side->padded * lanes * divide_up(count, lanes * side->words)) / (double)volume(s);
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
            tables / (double)volume(s)) /
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

/* Of rows of both sides: sectors of which they have a part only, lines that other boxes read too, and how short they are.
 * Boxes follow each other along dst: of a matrix whose rows begin anywhere on both sides, those of src are touched twice. */
static double rows_cost(const box_schedule *s) {
    const double bytes = (double)s->elem_bytes;
    const double src = SECTOR / (places(&s->src) * bytes), dst = SECTOR / (places(&s->dst) * bytes);
    const double lines = (LINE - (double)row_alignment(s, true)) / (places(&s->src) * bytes);
    const double sectors =
        1.04 * (side_traffic(s, &s->src) / bytes - 1) + 2.66 * (side_traffic(s, &s->dst) / bytes - 1);
    const bool is_odd_matrix = !s->src.even && !s->dst.even && s->src.chain == 1 && s->dst.chain == 1;
    return (is_odd_matrix ? 4 : 1) * sectors + 0.96 * lines - 0.24 * src + 2.16 * src * src + 0.66 * dst +
           4.16 * dst * dst;
}

/* Of what threads do for a byte: moves of words, begins of rows, and of a block. */
static double threads_cost(const box_schedule *s) {
    const double bytes = (double)s->elem_bytes;
    const side_work src = work_of_side(s, &s->src), dst = work_of_side(s, &s->dst);
    const double start = 30.2 * s->threads / (double)s->shared_bytes;
    if (s->way == BOX_VECTORS)
        return start + (0.98 * (src.words + dst.words) + 8.68 * (src.rows + dst.rows)) / bytes - 0.05 +
               (s->elem_bytes == 8 ? 0.39 : 0);
    return start + (0.32 * src.words + 1.36 * dst.words + 1.45 * (src.rows + dst.rows)) / bytes;
}

/* Of the blocks that are resident beside each other: large ones wait for each other, many take turns better than few. */
static double blocks_cost(const box_schedule *s, double boxes, unsigned multiprocessors) {
    const unsigned blocks = resident_blocks(s), warps = blocks * s->threads / WARP, wanted = 40;
    const double turns = boxes / multiprocessors / blocks, large = (double)s->shared_bytes - 20e3;
    const double lack = warps < wanted ? (double)(wanted - warps) / wanted : 0;
    return (large > 0 ? 1.16 * large / 40e3 : 0) - 0.75 * lack - (s->threads == AXES_THREADS ? 0.76 : 0) -
           1.34 / sqrt(turns > 1 ? turns : 1) + (turns < 2 ? ceil(turns) / turns - 1 : 0);
}

/* Of two cuts the one that costs less is the faster, about, for elements of 4 bytes and more; what the unit is, nothing says. */
static double cost_of_long(const box_schedule *s, unsigned multiprocessors) {
    double waste;
    const double boxes = count_boxes(s, &waste);
    return 0.37 * waste + rows_cost(s) + threads_cost(s) + blocks_cost(s, boxes, multiprocessors);
}

static double cost_of(const box_schedule *s, unsigned multiprocessors) {
    return s->elem_bytes < BANK_BYTES ? cost_of_short(s, multiprocessors) : cost_of_long(s, multiprocessors);
}

enum { MOST_TRIED = 64 };

typedef struct search {
    const strided_move *move;
    const box_device *device;
    size_t shared_bytes;
    box_shape best;
    double least;
    unsigned tried;
    uint64_t seen[MOST_TRIED]; /* boxes that were tried, by a number of their extents */
} search;

/* Many wishes lead to the same box. */
static bool is_seen(search *of, const box_schedule *s, unsigned threads_and_align) {
    uint64_t number = threads_and_align;
    for (unsigned k = 0; k < s->rank; k++) number = (number ^ s->axis[k].extent) * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned i = 0; i < of->tried; i++)
        if (of->seen[i] == number) return true;
    if (of->tried < MOST_TRIED) of->seen[of->tried++] = number;
    return false;
}

static void try_way(search *of, const box_schedule *extents, const box_shape *shape) {
    box_schedule s = *extents;
    lay_rows(shape, &s);
    if (s.shared_bytes > of->shared_bytes || !has_cells(&s)) return;
    if (shape->fetch_bytes > 0 && s.elem_bytes >= BANK_BYTES && s.way != BOX_VECTORS) return;
    const double cost = cost_of(&s, of->device->multiprocessors);
    if (cost >= of->least) return;
    of->least = cost;
    of->best = *shape;
}

static void try_cut(search *of, size_t src_bytes, size_t dst_bytes, unsigned threads, uint32_t align) {
    box_schedule extents;
    while (threads > of->device->block_threads) threads /= 2;
    if (!choose_extents(of->move, src_bytes, dst_bytes, of->shared_bytes, &extents)) return;
    if (is_seen(of, &extents, threads + align)) return;
    const bool is_short = of->move->elem_bytes < BANK_BYTES;
    const box_shape by_elements = {src_bytes, dst_bytes, threads, align, 0};
    const box_shape by_words = {src_bytes, dst_bytes, threads, align, VECTOR_BYTES};
    if (!is_short) try_way(of, &extents, &by_elements);
    if (is_short || of->move->alignment >= VECTOR_BYTES) try_way(of, &extents, &by_words);
}

/* Rows that begin at multiples of long words in memory do in shared memory, where fewer pitches are without conflicts: words
 * are short if that helps enough. */
static bool cut_with_few_conflicts(const strided_move *m, box_shape *shape, size_t shared_bytes,
                                   box_schedule *out) {
    box_schedule by_short;
    if (!box_cut(m, shape, shared_bytes, out)) return false;
    const unsigned found = conflicts(out), worth = 8 / dst_units(out);
    if (out->way != BOX_WORDS || found <= worth) return true;
    box_shape shorter = *shape;
    shorter.fetch_bytes = BANK_BYTES;
    if (box_cut(m, &shorter, shared_bytes, &by_short) && conflicts(&by_short) + worth <= found) *out = by_short;
    return true;
}

/* False only where there is no room for what words need. */
static bool shrink_until_cut(const strided_move *m, box_shape *shape, size_t shared_bytes, box_schedule *out) {
    while (!cut_with_few_conflicts(m, shape, shared_bytes, out)) {
        if (shape->src_bytes + shape->dst_bytes <= 2 * m->elem_bytes) return false;
        shape->src_bytes /= 2, shape->dst_bytes /= 2;
    }
    return true;
}

/* Cuts for elements of 1 and 2 bytes: of 250, those of which all shapes that were timed have a good one. Most fill the words of
 * one, two or three warps, with what may lie before a row in its sector, or its word. */
static void search_short(search *of) {
    static const struct {
        uint16_t src_bytes, dst_bytes, align;
    } cut[] = {
        {224, 252, 4},    {96, 188, 4},    {480, 480, 4},    {96, 252, 4},    {160, 124, 4},  {320, 252, 4},
        {128, 252, 4},    {224, 160, 4},   {128, 764, 4},    {128, 736, 32},  {224, 352, 32}, {224, 480, 32},
        {12288, 224, 32}, {8192, 224, 32}, {2048, 2048, 32}, {3072, 3072, 4}, {2048, 252, 4}, {4096, 252, 4},
        {6144, 252, 4},   {24576, 252, 4}, {8192, 124, 4},   {12288, 124, 4}, {96, 4096, 4},  {96, 8192, 4},
        {96, 12288, 4},   {96, 24576, 4},
    };
    for (unsigned i = 0; i < sizeof cut / sizeof cut[0]; i++)
        try_cut(of, cut[i].src_bytes, cut[i].dst_bytes, AXES_THREADS, cut[i].align);
}

/* Cuts for longer elements: of 300, those of which all shapes that were timed have a good one. */
static void search_long(search *of) {
    static const struct {
        uint16_t src_bytes, dst_bytes, threads;
    } cut[] = {
        {192, 192, 128},   {1536, 1536, 128}, {12288, 12288, 256}, {1024, 192, 256},    {740, 192, 256},
        {4096, 4096, 256}, {356, 356, 256},   {1536, 1536, 256},   {448, 488, 256},     {740, 100, 256},
        {2048, 2048, 256}, {228, 320, 256},   {6144, 6144, 256},   {192, 512, 256},     {640, 192, 256},
        {228, 740, 256},   {128, 740, 256},   {256, 384, 256},     {16384, 16384, 256}, {228, 640, 128},
        {488, 192, 256},   {192, 448, 256},   {100, 1024, 128},    {356, 256, 256},     {228, 1024, 128},
        {640, 100, 256},   {356, 228, 256},   {1024, 228, 256},    {740, 488, 256},     {640, 384, 256},
        {8192, 8192, 256}, {768, 128, 256},   {356, 740, 256},     {228, 488, 256},     {384, 256, 256},
        {192, 356, 256},   {320, 228, 256},   {448, 192, 256},     {356, 192, 256},     {228, 228, 256},
        {384, 488, 256},
    };
    for (unsigned i = 0; i < sizeof cut / sizeof cut[0]; i++)
        try_cut(of, cut[i].src_bytes, cut[i].dst_bytes, cut[i].threads, SECTOR);
}

void box_plan(const strided_move *m, const box_device *device, box_schedule *out) {
    const size_t usual = (size_t)100 << 10, least = 64;
    search of = {.move = m, .device = device, .least = INFINITY};
    of.shared_bytes = device->shared_bytes < usual ? device->shared_bytes : usual;
    unsigned threads = AXES_THREADS;
    while (threads > device->block_threads) threads /= 2;
    const bool is_short = m->elem_bytes < BANK_BYTES;
    of.best = (box_shape){least, least, threads, SECTOR, is_short ? VECTOR_BYTES : 0};
    if (strided_elements(m) > 0) {
        try_cut(&of, least, least, threads, SECTOR);
        if (is_short) {
            search_short(&of);
        } else {
            search_long(&of);
        }
    }
    if (shrink_until_cut(m, &of.best, device->shared_bytes, out)) return;
    of.best = (box_shape){least, least, threads, SECTOR, 0};
    shrink_until_cut(m, &of.best, device->shared_bytes, out);
}

double box_traffic(const box_schedule *s) { return side_traffic(s, &s->src) + side_traffic(s, &s->dst); }

void box_print(const box_schedule *s, FILE *stream) {
    fprintf(stream, ": %llu boxes", (unsigned long long)s->boxes);
    if (s->boxes == 0) return;
    fprintf(stream,
            " of %u rows of %u and %u of %u units of %zu bytes, %u threads each, %zu bytes of shared memory",
            s->src.rows, places(&s->src), s->dst.rows, places(&s->dst), s->elem_bytes, s->threads,
            s->shared_bytes);
}
