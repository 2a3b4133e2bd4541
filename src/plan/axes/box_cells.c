/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/box_cells.h"

#include <string.h>

#include "plan/axes/box_parts.h"
#include "plan/axes/box_rows.h"

enum { BANKS = 32 };

/* The least number from `least` on that is as far from a multiple of `units` as `stride` is. */
static uint32_t congruent(uint32_t least, int64_t stride, uint32_t units) {
    return least + (((uint32_t)stride - least) & (units - 1));
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

void box_set_cells(box_schedule *s, uint32_t pitch, uint32_t pad) {
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
        const uint32_t length = box_digit_length(s, &s->dst, i);
        cell += row % length * box_digit_weight(&s->dst, i) * s->axis[s->dst.digit_axis[i]].cell;
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

uint32_t box_least_pitch(const box_schedule *s) {
    return places(&s->src) + (s->way == BOX_VECTORS ? 0 : src_units(s) - 1);
}

void box_choose_pitch(box_schedule *s) {
    const uint32_t units = src_units(s), least = box_least_pitch(s),
                   most = least + BANKS * BANK_BYTES / (uint32_t)s->elem_bytes;
    const uint32_t pads = s->way == BOX_VECTORS ? units : 0;
    unsigned fewest = WARP + 1;
    uint32_t best = least, best_pad = 0;
    for (uint32_t pitch = least; pitch < most && fewest > 1; pitch += units) {
        for (uint32_t pad = 0; pad <= pads; pad += units) {
            box_set_cells(s, pitch, pad);
            const unsigned here = box_conflicts(s);
            if (here < fewest) fewest = here, best = pitch, best_pad = pad;
            if (pads == 0) break;
        }
    }
    box_set_cells(s, best, best_pad);
}
