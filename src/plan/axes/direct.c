/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/direct.h"

#include "base/arithmetic.h"

enum {
    THREADS = 256,
    SECTOR = 32,
    WORD = 16,
    PACKED = 4,            /* bytes */
    WINDOW = 2048,         /* elements of dst that are under way in a block */
    LONG_ROW = 1024,       /* elements: a block's time is worth it */
    WORTH_WORDS = 128,     /* bytes of a row */
    INNER_PARTS = 1 << 14, /* parts of which the last piece is a small one */
    WORTH_PACKING = 512,   /* elements: of fewer a block would do little */
    PARTS_AT_ONCE = 8, /* parts that a thread has (move/kernels/axes/strided.cu); half as many of 16 bytes */
    WORDS_AT_ONCE = 2,
};

static uint64_t distance(const strided_axis *axis) {
    return axis->src_stride < 0 ? -(uint64_t)axis->src_stride : (uint64_t)axis->src_stride;
}

/* ----------------------------------------------------------------------------------------- whether */

/* The axes that a window of dst covers, the last perhaps in part, in src's order; those that lead nowhere there are left
 * out. */
static unsigned window_axes(const strided_move *m, strided_axis *out) {
    unsigned count = 0;
    uint64_t left = WINDOW;
    for (unsigned k = 0; k < m->rank && left > 1; k++) {
        strided_axis axis = m->axis[k];
        if (axis.length > left) axis.length = left;
        left = ceil_div(left, axis.length);
        if (axis.src_stride == 0) continue;
        unsigned at = count++;
        for (; at > 0 && distance(&out[at - 1]) > distance(&axis); at--) out[at] = out[at - 1];
        out[at] = axis;
    }
    return count;
}

/* Bytes of the sectors of src that a window of dst comes from. */
static uint64_t window_bytes(const strided_move *m) {
    strided_axis axes[RIFFLE_MAX_RANK + 2];
    const unsigned count = window_axes(m, axes);
    uint64_t span = m->elem_bytes, spans = 1;
    for (unsigned k = 0; k < count; k++) {
        const uint64_t step = distance(&axes[k]) * m->elem_bytes;
        if (step <= span + SECTOR && spans == 1) {
            span += step * (axes[k].length - 1);
        } else {
            spans *= axes[k].length;
        }
    }
    return spans * (span + SECTOR);
}

/* True if no other axis is closer together in src than dst's fastest. */
static bool have_one_fastest(const strided_move *m) {
    for (unsigned k = 1; k < m->rank; k++)
        if (m->axis[k].src_stride != 0 && distance(&m->axis[k]) < distance(&m->axis[0])) return false;
    return true;
}

static bool goes_directly(const strided_move *m) {
    if (m->rank <= 1 || m->axis[0].src_stride == 0) return true;
    const uint64_t window = strided_elements(m) < WINDOW ? strided_elements(m) : WINDOW;
    if (2 * window_bytes(m) <= 3 * window * m->elem_bytes + 2 * SECTOR) return true;
    return have_one_fastest(m) && m->axis[0].length * m->elem_bytes >= 2 * SECTOR;
}

/* --------------------------------------------------------------------------------------------- how */

/* Words take more instructions than elements of 4 bytes that lie side by side, and fewer than those of 1 and 2. */
static bool is_row_of_words(const strided_move *m) {
    return m->elem_bytes <= 2 && m->rank > 0 && m->axis[0].src_stride == 1 && m->axis[0].dst_stride == 1 &&
           m->axis[0].length * m->elem_bytes >= WORTH_WORDS;
}

/* Adds axes until they have many parts, or the next would leave a gap in dst and there shall be none. */
static void choose_inner(direct_schedule *s, uint64_t enough, bool dense) {
    const strided_move *const m = &s->move;
    s->inner = 0;
    s->parts = 1;
    while (s->inner < m->rank && (s->inner == 0 || s->parts < enough)) {
        if (dense && m->axis[s->inner].dst_stride != (int64_t)s->parts) return;
        s->parts *= m->axis[s->inner++].length;
    }
}

/* True if offsets along the inner axes fit 32 bits. */
static bool is_near(const direct_schedule *s) {
    uint64_t src = 0, dst = 0;
    for (unsigned k = 0; k < s->inner; k++) {
        const strided_axis *const axis = &s->move.axis[k];
        src += (axis->length - 1) * distance(axis) * s->move.elem_bytes;
        dst += (axis->length - 1) * (uint64_t)axis->dst_stride * s->move.elem_bytes;
    }
    return src <= INT32_MAX && dst <= INT32_MAX;
}

/* A row's words are its first axis, which has no strides of its own. */
static void make_words(direct_schedule *s) {
    strided_axis *const first = &s->move.axis[0];
    s->row_bytes = (size_t)first->length * s->move.elem_bytes;
    *first = (strided_axis){ceil_div(s->row_bytes + WORD - s->move.elem_bytes, WORD), 0, 0};
}

static bool goes_packed(direct_schedule *s) {
    if (s->move.elem_bytes > 1 || s->move.rank == 0 || s->move.axis[0].length + 1 < PACKED) return false;
    choose_inner(s, INNER_PARTS, true);
    return s->parts >= WORTH_PACKING && is_near(s);
}

/* The way, and the axes that a block's parts lie along; a long axis is enough where parts are not to be divided. */
static void choose_way(direct_schedule *s) {
    if (is_row_of_words(&s->move)) {
        s->way = DIRECT_WORDS;
        make_words(s);
        choose_inner(s, INNER_PARTS, false);
    } else if (s->move.rank > 0 && s->move.axis[0].length >= LONG_ROW) {
        s->way = DIRECT_ROW;
        choose_inner(s, 1, false);
    } else if (goes_packed(s)) {
        s->way = DIRECT_PACKED;
    } else {
        choose_inner(s, INNER_PARTS, false);
        s->way = is_near(s) ? DIRECT_PARTS : DIRECT_PARTS_FAR;
    }
}

static void choose_pieces(direct_schedule *s) {
    const unsigned parts = s->way == DIRECT_WORDS ? WORDS_AT_ONCE : PARTS_AT_ONCE;
    const uint64_t most = (uint64_t)s->threads * (s->move.elem_bytes == WORD ? parts / 2 : parts);
    s->pieces = ceil_div(s->parts, most);
    s->piece = ceil_div(s->parts, s->pieces);
    s->blocks = s->pieces;
    for (unsigned k = s->inner; k < s->move.rank; k++) s->blocks *= s->move.axis[k].length;
}

bool direct_plan(const strided_move *m, unsigned block_threads, direct_schedule *out) {
    if (!goes_directly(m)) return false;
    *out = (direct_schedule){.move = *m, .threads = block_threads < THREADS ? block_threads : THREADS};
    choose_way(out);
    choose_pieces(out);
    return true;
}
