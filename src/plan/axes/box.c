/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/box.h"

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
    WARP = 32,
    BANKS = 32,
    BANK_BYTES = 4,
    FETCH_BYTES = 16, /* of the longest words that src is read in */
};

static const double ROW_COSTS_WORDS = 1; /* that a thread begins a row */

static uint64_t divide_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

static uint64_t magnitude(int64_t a) { return a < 0 ? (uint64_t)0 - (uint64_t)a : (uint64_t)a; }

/* Elements of a word of src, of dst. */
static uint32_t src_units(const box_schedule *s) {
    return s->way == BOX_WORDS ? (uint32_t)(s->fetch_bytes / s->elem_bytes) : 1;
}

static uint32_t dst_units(const box_schedule *s) {
    return s->way == BOX_WORDS ? (uint32_t)(BANK_BYTES / s->elem_bytes) : 1;
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
    return length % unit == 0 ? unit : 1;
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

/* Whether dst's fastest axis, in a row of src behind `inner` elements, would have lanes that read along it meet in a bank,
 * while rows that end before it are long enough. */
static bool ends_row(const box_schedule *s, uint64_t inner) {
    const uint64_t bytes = inner * s->elem_bytes;
    const uint64_t step = s->elem_bytes > BANK_BYTES ? s->elem_bytes : BANK_BYTES;
    return bytes >= 2 * SECTOR && (bytes & (~bytes + 1)) > 2 * step;
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
        if (of_src && order[i] == 0 && side->chain > 0 && ends_row(s, inner)) goes_on = false;
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

/* Of words, rows are as far apart in shared memory as they are in memory, modulo a word. */
static void set_cells(box_schedule *s, uint32_t pitch) {
    uint32_t cell = 1;
    for (unsigned i = 0; i < s->src.chain; i++) {
        box_axis *const axis = &s->axis[s->src.chain_axis[i]];
        axis->cell = cell;
        cell *= axis->extent;
    }
    cell = pitch;
    for (unsigned i = 0; i < s->src.digits; i++) {
        box_axis *const axis = &s->axis[s->src.digit_axis[i]];
        axis->cell = congruent(cell, axis->src_stride, src_units(s));
        cell = axis->cell * axis->extent;
    }
    s->pitch = pitch;
    s->cells = cell;
    s->place_step = s->dst.chain == 1 && s->way == BOX_ELEMENTS ? s->axis[s->dst.chain_axis[0]].cell : 0;
}

static uint32_t cell_of_place(const box_schedule *s, uint32_t place) {
    uint32_t cell = 0;
    for (unsigned i = 0; i < s->dst.chain; i++) {
        const box_axis *const axis = &s->axis[s->dst.chain_axis[i]];
        cell += place % axis->extent * axis->cell;
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
        const uint32_t turn = lane / (WARP / units) % units, place = lane % along * units + turn,
                       row = lane / along;
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
    const uint32_t units = src_units(s), least = places(&s->src) + units - 1;
    return s->src.digits > 0 ? congruent(least, s->axis[s->src.digit_axis[0]].src_stride, units) : least;
}

/* The pitch with the fewest conflicts, the smallest such. */
static void choose_pitch(box_schedule *s) {
    const uint32_t units = src_units(s), least = least_pitch(s), most = least + BANKS * dst_units(s);
    unsigned fewest = WARP + 1;
    uint32_t best = least;
    for (uint32_t pitch = least; pitch < most && fewest > 1; pitch += units) {
        set_cells(s, pitch);
        const unsigned here = conflicts(s);
        if (here < fewest) fewest = here, best = pitch;
    }
    set_cells(s, best);
}

/* ---------------------------------------------------------- the block */

/* What threads do if `lanes` of them move a row, `words` words at a time: moves, and per row something more. */
static double work_of(const box_schedule *s, const box_side *side, uint64_t count, unsigned lanes,
                      unsigned words, uint32_t *padded) {
    const unsigned word_bytes = (unsigned)s->elem_bytes * units_of(s, side);
    const uint64_t at_once = (uint64_t)AXES_ROWS_AT_ONCE(word_bytes, words) * (s->threads / lanes);
    *padded = (uint32_t)(divide_up(side->rows, at_once) * at_once);
    return (double)*padded * lanes * (double)divide_up(count, (uint64_t)lanes * words) *
           (words + ROW_COSTS_WORDS);
}

/* The least work; where several do as little, the longest pieces of a row. */
static void choose_lanes(const box_schedule *s, bool of_src, box_side *side) {
    const uint32_t before = side->even ? 0 : side->align / (uint32_t)s->elem_bytes - 1;
    const uint64_t count = divide_up(places(side) + before, units_of(s, side));
    const unsigned word_bytes = (unsigned)s->elem_bytes * units_of(s, side);
    const bool is_dense = step_of(s, side, of_src) == 1;
    double least = INFINITY;
    for (unsigned log2 = 0; 1u << log2 <= s->threads; log2++) {
        const unsigned lanes = 1u << log2,
                       most = is_dense && lanes >= WARP && word_bytes < 16 ? AXES_MOST_WORDS : 1;
        if (lanes * word_bytes < SECTOR && lanes < s->threads && lanes < count) continue;
        for (unsigned words = 1; words <= most; words++) {
            uint32_t padded;
            const double work = work_of(s, side, count, lanes, words, &padded);
            if (work > least) continue;
            least = work;
            side->lanes_log2 = log2, side->words = words, side->padded = padded;
        }
    }
}

static uint64_t loop_step(const box_axis *axis) {
    const uint64_t src = magnitude(axis->src_stride) * axis->extent,
                   dst = magnitude(axis->dst_stride) * axis->extent;
    return src < dst && src != 0 ? src : dst;
}

/* Boxes that share lines follow each other: the loops are sorted by the shorter of the steps in src and dst. */
static void order_loops(box_schedule *s) {
    s->boxes = 1;
    for (unsigned k = 0; k < s->rank; k++) {
        const box_axis *const axis = &s->axis[k];
        const uint64_t count = divide_up(axis->length, axis->extent);
        if (count == 1) continue;
        s->boxes *= count;
        unsigned at = s->loops++;
        for (; at > 0 && loop_step(&s->axis[s->loop[at - 1].axis]) > loop_step(axis); at--)
            s->loop[at] = s->loop[at - 1];
        s->loop[at] = (box_loop){(unsigned char)k, 1, count};
    }
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
    out.end = out.places + (s->place_step != 0 ? 0 : places(&s->dst) * PLACE_BYTES);
    return out;
}

/* ------------------------------------------------------------ the cut */

static void take(const strided_move *m, box_schedule *s) {
    *s = (box_schedule){.elem_bytes = m->elem_bytes, .src_offset = m->src_offset, .dst_offset = m->dst_offset};
    s->rank = m->rank;
    for (unsigned k = 0; k < m->rank; k++)
        s->axis[k] = (box_axis){m->axis[k].length, m->axis[k].src_stride, m->axis[k].dst_stride, 1, 0};
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

/* All but the cells. */
static bool cut_axes(const strided_move *m, const box_shape *shape, size_t shared_bytes, box_schedule *out) {
    unsigned char by_src[BOX_MAX_AXES] = {0}, by_dst[BOX_MAX_AXES] = {0};
    take(m, out);
    order_by_src(out, by_src);
    for (unsigned k = 0; k < out->rank; k++) by_dst[k] = (unsigned char)k;
    cover(out, by_src, shape->src_bytes);
    cover(out, by_dst, shape->dst_bytes);
    if (volume(out) * out->elem_bytes > shared_bytes || volume(out) >= MOST_CELLS) return false;
    chain_axes(out, by_src, true, &out->src);
    chain_axes(out, by_dst, false, &out->dst);
    measure_chain(out, &out->src, MOST_CELLS - 1, 1);
    measure_chain(out, &out->dst, MOST_PLACES, (uint32_t)(128 / out->elem_bytes));
    if (shape->fetch_bytes > 0 && has_words(out)) out->way = BOX_WORDS, out->fetch_bytes = shape->fetch_bytes;
    count_rows(out, true, out->way == BOX_WORDS ? shape->fetch_bytes : shape->align, &out->src);
    count_rows(out, false, shape->align, &out->dst);
    out->threads = shape->threads;
    choose_lanes(out, true, &out->src);
    choose_lanes(out, false, &out->dst);
    set_cells(out, least_pitch(out));
    out->shared_bytes = box_layout_of(out).end;
    return true;
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
    if (!cut_axes(m, shape, shared_bytes, out)) return false;
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
    WARPS_WANTED = 38, /* resident, that loads be under way enough */
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

/* Instructions an element, about. */
static double instructions_of_words(const box_schedule *s) {
    const side_work src = work_of_side(s, &s->src), dst = work_of_side(s, &s->dst);
    const double each = s->elem_bytes == 1 ? 19 : 13;
    const double block = 150.0 * s->threads + 110.0 * (s->src.padded + s->dst.padded) + 120.0 * s->dst.rows +
                         70.0 * places(&s->dst);
    return 8 * src.words + 7 * src.rows + each * dst.words + 18 * dst.rows + block / (double)volume(s);
}

static double instructions(const box_schedule *s) {
    const double start = 300; /* of a block */
    const side_work src = work_of_side(s, &s->src), dst = work_of_side(s, &s->dst);
    if (s->way == BOX_WORDS) return instructions_of_words(s);
    return 0.6 * src.words + 4 * src.rows + 4.7 * dst.words + 3 * dst.rows +
           start * s->threads / (double)volume(s);
}

static unsigned resident_blocks(const box_schedule *s) {
    const size_t by_bytes = RESIDENT_BYTES / (s->shared_bytes + BLOCK_RESERVED_BYTES);
    const size_t by_registers =
        REGISTERS /
        ((s->way == BOX_WORDS ? REGISTERS_A_PACKED_THREAD : REGISTERS_A_THREAD) * (size_t)s->threads);
    const size_t blocks = by_bytes < by_registers ? by_bytes : by_registers;
    return blocks > 0 ? (unsigned)blocks : 1;
}

/* The share of the last turn in which multiprocessors have nothing to do, where there are few turns. */
static double idle_share(double boxes, unsigned blocks) {
    const double turns = boxes / blocks, many = 30;
    return turns < many ? ceil(turns) / turns - 1 : 0;
}

/* A cut's time, in copies, about: sectors, lines that are shared with other rows, instructions; more of it where boxes at
 * the ends of axes have less in them, and where too few warps are resident. */
static double cost_of(const box_schedule *s, unsigned multiprocessors) {
    const double bytes = (double)s->elem_bytes;
    double boxes = 1, waste = 1;
    for (unsigned k = 0; k < s->rank; k++) {
        const uint64_t count = divide_up(s->axis[k].length, s->axis[k].extent);
        boxes *= (double)count;
        waste *= (double)count * s->axis[k].extent / (double)s->axis[k].length;
    }
    const unsigned blocks = resident_blocks(s), warps = blocks * s->threads / WARP;
    const double lack = warps < WARPS_WANTED ? (double)(WARPS_WANTED - warps) / WARPS_WANTED : 0;
    const double src = side_traffic(s, &s->src) / bytes - 1, dst = side_traffic(s, &s->dst) / bytes - 1;
    const double sectors = 1 + 0.2 * src + 1.45 * dst;
    const double lines = 27 / (places(&s->src) * bytes) + 11 / (places(&s->dst) * bytes);
    if (s->way == BOX_WORDS) {
        const double memory = sectors + lines, issue = instructions(s) / (11 * bytes);
        return waste * sqrt(memory * memory + issue * issue) * (1 + 0.28 * lack) +
               0.093 * idle_share(boxes, multiprocessors * blocks);
    }
    const double moved = waste * (sectors + lines + 0.01 * instructions(s) / bytes) * (1 + 0.28 * lack);
    return moved + 0.093 * idle_share(boxes, multiprocessors * blocks);
}

typedef struct search {
    const strided_move *move;
    unsigned multiprocessors;
    size_t shared_bytes;
    box_shape best;
    double least;
} search;

static void try_cut(search *of, size_t src_bytes, size_t dst_bytes, unsigned threads) {
    box_schedule s;
    const box_shape shape = {src_bytes, dst_bytes, threads, SECTOR, FETCH_BYTES};
    if (!cut_axes(of->move, &shape, of->shared_bytes, &s)) return;
    if (s.shared_bytes > of->shared_bytes || !has_cells(&s)) return;
    const double cost = cost_of(&s, of->multiprocessors);
    if (cost >= of->least) return;
    of->least = cost;
    of->best = shape;
}

/* Rows that begin at multiples of long words in memory do in shared memory, where fewer pitches are without conflicts: words
 * are short if that helps. */
static bool cut_with_few_conflicts(const strided_move *m, box_shape *shape, size_t shared_bytes,
                                   box_schedule *out) {
    box_schedule by_short;
    if (!box_cut(m, shape, shared_bytes, out)) return false;
    if (out->way != BOX_WORDS || conflicts(out) <= 2) return true;
    box_shape shorter = *shape;
    shorter.fetch_bytes = BANK_BYTES;
    if (box_cut(m, &shorter, shared_bytes, &by_short) && 2 * conflicts(&by_short) <= conflicts(out))
        *out = by_short;
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

void box_plan(const strided_move *m, const box_device *device, box_schedule *out) {
    /* Most fill the words of one, two or three warps, with what may lie before a row; where rows of both sides run along
     * the same axes, boxes are long. */
    static const uint16_t short_bytes[] = {100, 228, 356, 488, 740, 1024};
    static const uint16_t long_bytes[] = {1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384};
    enum {
        SHORT = sizeof short_bytes / sizeof short_bytes[0],
        LONG = sizeof long_bytes / sizeof long_bytes[0]
    };
    const size_t usual = (size_t)100 << 10;
    unsigned threads = AXES_THREADS;
    while (threads > device->block_threads) threads /= 2;
    const size_t least = 64;
    search of = {m, device->multiprocessors, device->shared_bytes, {0}, INFINITY};
    if (of.shared_bytes > usual) of.shared_bytes = usual;
    of.best = (box_shape){least, least, threads, SECTOR, FETCH_BYTES};
    if (strided_elements(m) > 0) try_cut(&of, least, least, threads);
    for (unsigned i = 0; i < SHORT && strided_elements(m) > 0; i++)
        for (unsigned j = 0; j < SHORT; j++) try_cut(&of, short_bytes[i], short_bytes[j], threads);
    for (unsigned i = 0; i < LONG && strided_elements(m) > 0; i++) {
        try_cut(&of, long_bytes[i], long_bytes[i], threads);
        if (threads > WARP) try_cut(&of, long_bytes[i], long_bytes[i], threads / 2);
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
