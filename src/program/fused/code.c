/* SPDX-License-Identifier: Apache-2.0 */
#include "program/fused/code.h"

#include <math.h>
#include <string.h>

#include "plan/affine/cells.h"
#include "plan/affine/tile.h"
#include "program/twiddle.h"

/* Who reads shared memory last: the next writers wait for those. */
typedef enum readers { READERS_NONE, READERS_OWN_ROWS, READERS_OWN_CELLS, READERS_ALL } readers;

typedef struct writer {
    const phase_tile *t;
    fused_table *table;
    size_t length;
    bool is_too_long;
    size_t last; /* where the last instruction begins */
    readers readers;
    size_t shared_bytes;
    bool *has_groups;
    uint32_t nowhere[FUSED_CODE_WORDS]; /* for what does not fit */
} writer;

static uint32_t *begin(writer *w, size_t words) {
    if (w->is_too_long || w->length + words + 1 > FUSED_CODE_WORDS) { /* one for the end */
        w->is_too_long = true;
        return w->nowhere;
    }
    w->last = w->length;
    w->length += words;
    return w->table->code + w->last;
}

static uint32_t last_head(const writer *w) {
    return w->length > 0 ? w->table->code[w->last] : (uint32_t)FUSED_END;
}

/* How many a thread has. */
static uint32_t registers_of(const writer *w) {
    return w->t->unit_bits <= 2 ? 1u << FUSED_HELD_LOG2 : (uint32_t)FUSED_HELD_BYTES >> w->t->unit_bits;
}

/* --- exchanges --- */

static void need_shared(writer *w, size_t bytes) {
    if (bytes > w->shared_bytes) w->shared_bytes = bytes;
}

static uint32_t whole_block(const writer *w, readers own) {
    return w->readers != READERS_NONE && w->readers != own ? 1u : 0u;
}

/* Rows of registers with padding: a bank's 4 bytes, or an element of more. */
static void need_rows(writer *w, const layout *l) {
    const size_t padding = w->t->unit_bits < 2 ? 4 : (size_t)1 << w->t->unit_bits;
    need_shared(w, (((size_t)1 << l->held_bits << w->t->unit_bits) + padding) << l->thread_bits);
}

static void write_lanes(writer *w, const phase *p) {
    *begin(w, 1) = FUSED_LANES | whole_block(w, READERS_OWN_ROWS) << 8;
    w->readers = READERS_OWN_ROWS;
    need_rows(w, &p->layout);
}

static void write_warps(writer *w, const phase *p) {
    *begin(w, 1) =
        FUSED_WARPS | whole_block(w, READERS_OWN_ROWS) << 8 | p->warp_count << 16 | p->warp_first << 24;
    w->readers = READERS_ALL;
    need_rows(w, &p->layout);
}

static void write_cycle(writer *w, const phase *p) {
    const uint32_t bits = p->layout.thread_bits - LAYOUT_LANE_BITS;
    *begin(w, 1) = FUSED_CYCLE | whole_block(w, READERS_OWN_ROWS) << 8 | bits << 16;
    w->readers = READERS_ALL;
    need_rows(w, &p->layout);
}

/* True if each warp gets what it had; to[] are coordinates in the old layout. */
static bool stays_in_warps(const layout *l, const uint32_t *to) {
    const unsigned warp = l->held_bits + LAYOUT_LANE_BITS, bits = l->held_bits + l->thread_bits;
    if (l->thread_bits < LAYOUT_LANE_BITS) return false;
    for (unsigned k = 0; k < bits; k++)
        if (to[k] >> warp << warp != (k < warp ? 0 : (uint32_t)1 << k)) return false;
    return true;
}

/* And whether its bits of the thread add nothing else. */
static bool keeps_warps(const layout *l, const uint32_t *to) {
    for (unsigned k = l->held_bits + LAYOUT_LANE_BITS; k < l->held_bits + l->thread_bits; k++)
        if (to[k] != (uint32_t)1 << k) return false;
    return true;
}

/* Cells of a linear map without bank conflicts, for positions of the old layout. */
static void plan_cells(const writer *w, const layout *l, const uint32_t *to, bool in_warps, uint32_t *cell) {
    const unsigned bits = l->held_bits + l->thread_bits, warp = l->held_bits + LAYOUT_LANE_BITS;
    affine_cells_plan(in_warps ? warp : bits, w->t->unit_bits, l->held_bits, LAYOUT_LANE_BITS, to, cell);
    for (unsigned k = warp; in_warps && k < bits; k++) cell[k] = (uint32_t)1 << k;
}

static void write_exchange(writer *w, const layout *from, const layout *to) {
    const unsigned bits = from->held_bits + from->thread_bits, unit_bits = w->t->unit_bits;
    uint32_t position[LAYOUT_TILE_BITS], cell[AFFINE_TILE_MAX_BITS];
    for (unsigned k = 0; k < to->held_bits; k++) position[k] = layout_coordinates(from, to->held[k]);
    for (unsigned k = 0; k < to->thread_bits; k++)
        position[to->held_bits + k] = layout_coordinates(from, to->thread[k]);
    const bool in_warps = stays_in_warps(from, position);
    plan_cells(w, from, position, in_warps, cell);
    uint32_t *const code = begin(w, FUSED_EXCHANGE_WORDS), *const put = code + 1;
    uint32_t *const get = put + FUSED_THREADS_LOG2 + FUSED_HELD_LOG2;
    memset(code, 0, FUSED_EXCHANGE_WORDS * sizeof *code);
    const uint32_t before =
        from->thread_bits < LAYOUT_LANE_BITS ? 1u : whole_block(w, in_warps ? READERS_OWN_CELLS : READERS_NONE);
    *code = FUSED_EXCHANGE | before << 8 | (in_warps ? 0u : 1u) << 9 |
            (in_warps && keeps_warps(from, position) ? 1u : 0u) << 10;
    for (unsigned k = 0; k < bits; k++) {
        const unsigned at = k < from->held_bits ? FUSED_THREADS_LOG2 + k : k - from->held_bits;
        put[at] = cell[k] << unit_bits;
        get[at] = affine_cell_of(cell, position[k]) << unit_bits;
    }
    /* All registers of a small tile are written: those that hold nothing beyond the others. */
    const unsigned registers = (unsigned)__builtin_ctz(registers_of(w));
    for (unsigned k = from->held_bits; k < registers; k++)
        put[FUSED_THREADS_LOG2 + k] = get[FUSED_THREADS_LOG2 + k] = 1u << (bits + k - from->held_bits)
                                                                       << unit_bits;
    w->readers = in_warps ? READERS_OWN_CELLS : READERS_ALL;
    need_shared(w, (size_t)1 << (bits + registers - from->held_bits) << unit_bits);
}

/* --- stages --- */

static void write_functional(const writer *w, const layout *l, uint64_t f, uint32_t *out) {
    out[0] = out[1] = out[2] = 0;
    for (uint32_t r = 0; r < 1u << l->held_bits; r++) {
        unsigned value = (f & PROGRAM_ONE) != 0;
        for (unsigned k = 0; k < l->held_bits; k++)
            if (r >> k & 1) value ^= functional_along(f, l->held[k]);
        out[0] |= (uint32_t)value << r;
    }
    for (unsigned k = 0; k < l->thread_bits; k++) out[1] |= (uint32_t)functional_along(f, l->thread[k]) << k;
    for (unsigned k = 0; k < w->t->number_bits; k++)
        out[2] |= (uint32_t)functional_along(f, w->t->number[k]) << k;
}

static uint32_t index_along(const program_stage *stage, uint64_t u) {
    uint32_t index = 0;
    for (unsigned k = 0; k < stage->index_bits && k < 32; k++)
        index |= (uint32_t)functional_along(stage->index[k], u) << k;
    return index;
}

static unsigned index_tile_bits(const writer *w, const program_stage *stage) {
    unsigned bits = w->t->number_bits;
    while (bits > 0 && index_along(stage, w->t->number[bits - 1]) == 0) bits--;
    return (bits + FUSED_INDEX_STEP - 1) / FUSED_INDEX_STEP * FUSED_INDEX_STEP;
}

static uint32_t *write_index(const writer *w, const layout *l, const program_stage *stage, uint32_t *out) {
    const unsigned tile_bits = index_tile_bits(w, stage);
    memset(out, 0, FUSED_INDEX_WORDS * sizeof *out);
    for (unsigned k = 0; k < stage->index_bits && k < 32; k++)
        out[0] |= (uint32_t)((stage->index[k] & PROGRAM_ONE) != 0) << k;
    for (unsigned k = 0; k < l->thread_bits; k++) out[1 + k] = index_along(stage, l->thread[k]);
    for (unsigned k = 0; k < l->held_bits; k++)
        out[1 + FUSED_THREADS_LOG2 + k] = index_along(stage, l->held[k]);
    out[FUSED_INDEX_WORDS - 1] = tile_bits;
    for (unsigned k = 0; k < tile_bits; k++)
        out[FUSED_INDEX_WORDS + k] = k < w->t->number_bits ? index_along(stage, w->t->number[k]) : 0;
    return out + FUSED_INDEX_WORDS + tile_bits;
}

static const uint32_t ops[] = {
    [RIFFLE_OP_MINMAX] = FUSED_MINMAX, [RIFFLE_OP_BUTTERFLY] = FUSED_BUTTERFLY,
    [RIFFLE_OP_ADD] = FUSED_ADD,       [RIFFLE_OP_SUBTRACT] = FUSED_SUBTRACT,
    [RIFFLE_OP_XOR] = FUSED_XOR,       [RIFFLE_OP_SWAP] = FUSED_SWAP,
    [RIFFLE_OP_ROTATE] = FUSED_ROTATE, [RIFFLE_OP_TWIDDLE] = FUSED_ROTATE_BUTTERFLY,
    [RIFFLE_OP_SCALE] = FUSED_SCALE,   [RIFFLE_OP_NEGATE] = FUSED_NEGATE,
    [RIFFLE_OP_OWN] = FUSED_OWN,
};

uint32_t fused_op_of(riffle_op_kind kind) { return ops[kind]; }

static void write_turn(writer *w, layout *l, unsigned bit) {
    const uint64_t first = l->held[0];
    l->held[0] = l->held[bit];
    l->held[bit] = first;
    if (last_head(w) == (FUSED_TURN | bit << 8)) { /* twice is nothing */
        w->length = w->last;
        w->table->code[w->last] = FUSED_END;
        return;
    }
    *begin(w, 1) = FUSED_TURN | bit << 8;
}

/* Registers' bits a and b change places, by turns with bit 0. */
static void write_swap(writer *w, layout *l, unsigned a, unsigned b) {
    if (a == b) return;
    if (a != 0) write_turn(w, l, a);
    if (b != 0) write_turn(w, l, b);
    if (a != 0 && b != 0) write_turn(w, l, a);
}

static void write_parameter(const program_stage *stage, uint32_t *out) {
    uint64_t bits;
    memcpy(&bits, &stage->op.parameter, sizeof bits);
    out[0] = (uint32_t)bits;
    out[1] = (uint32_t)(bits >> 32);
}

/* Registers beyond a small tile hold nothing that a user's operation should see. */
static void write_held_condition(const layout *l, uint32_t *out) {
    out[0] = ~(((uint32_t)1 << (1u << l->held_bits)) - 1);
    out[1] = out[2] = 0;
}

static void write_group_here(writer *w, const layout *l, const program_stage *stage) {
    const bool is_indexed = stage->index_bits > 0, is_own = stage->op.kind == RIFFLE_OP_OWN;
    const unsigned of_held = is_own && !w->t->is_full ? 1 : 0;
    const unsigned op = ops[stage->op.kind] + (is_own ? stage->own : 0);
    const size_t functionals = stage->bits + stage->conditions + of_held;
    const size_t index_words = is_indexed ? FUSED_INDEX_WORDS + index_tile_bits(w, stage) : 0;
    uint32_t *code = begin(w, 3 + FUSED_FUNCTIONAL_WORDS * functionals + index_words);
    code[0] = FUSED_GROUP | op << 8 | stage->bits << 16 | (stage->conditions + of_held) << 20 |
              (is_indexed ? 1u : 0u) << 28;
    write_parameter(stage, code + 1);
    code += 3;
    for (unsigned k = 0; k < stage->bits; k++, code += FUSED_FUNCTIONAL_WORDS)
        write_functional(w, l, stage->position[k], code);
    for (unsigned k = 0; k < stage->conditions; k++, code += FUSED_FUNCTIONAL_WORDS)
        write_functional(w, l, stage->condition[k], code);
    if (of_held > 0) write_held_condition(l, code);
    code += FUSED_FUNCTIONAL_WORDS * of_held;
    if (is_indexed) write_index(w, l, stage, code);
}

/* The directions become the first registers' bits, and then take their old places again. */
static void write_group(writer *w, const layout *here, const program_stage *stage) {
    unsigned from[PROGRAM_GROUP_BITS];
    layout l = *here;
    for (unsigned k = 0; k < stage->bits; k++) {
        for (from[k] = k; l.held[from[k]] != stage->direction[k]; from[k]++) {
        }
        write_swap(w, &l, k, from[k]);
    }
    write_group_here(w, &l, stage);
    for (unsigned k = stage->bits; k-- > 0;) write_swap(w, &l, k, from[k]);
}

static bool continues(const writer *w, uint32_t head, uint32_t mask) {
    const uint32_t last = last_head(w);
    return w->length > 0 && (last & 0xffff) == head && last >> 16 < mask;
}

static void write_along(writer *w, const program_stage *stage, uint32_t mask) {
    const uint32_t head = FUSED_ALONG | ops[stage->op.kind] << 8;
    if (continues(w, head, mask)) {
        w->table->code[w->last] |= mask << 16;
    } else {
        *begin(w, 1) = head | mask << 16;
    }
}

static void write_factor(const writer *w, int bits, uint32_t turns, uint32_t *out) {
    const twiddle root = twiddle_at(bits, turns);
    if (w->t->unit_bits == 3) {
        const float parts[2] = {(float)root.re, (float)root.im};
        memcpy(out, parts, sizeof parts);
    } else {
        memcpy(out, &root, 2 * sizeof(double));
    }
}

static void write_twiddle(writer *w, const layout *l, const program_stage *stage, uint32_t mask) {
    const uint32_t registers = registers_of(w), factor_words = 1u << (w->t->unit_bits - 2);
    const unsigned bit = (unsigned)__builtin_ctz(mask);
    uint32_t *code =
        begin(w, 2 + FUSED_INDEX_WORDS + index_tile_bits(w, stage) + (size_t)registers / 2 * factor_words);
    code[0] = FUSED_TWIDDLE | bit << 16;
    code[1] = (uint32_t)(int)stage->op.parameter;
    code = write_index(w, l, stage, code + 2);
    for (uint32_t r = 0; r < registers; r++) { /* a small array has fewer */
        uint32_t turns = 0;
        if (r & mask) continue;
        for (unsigned k = 0; k < l->held_bits; k++)
            if (r >> k & 1) turns ^= index_along(stage, l->held[k]);
        write_factor(w, (int)stage->op.parameter, turns, code);
        code += factor_words;
    }
}

static void write_each(writer *w, const program_stage *stage) {
    uint32_t *const code = begin(w, 3);
    code[0] = FUSED_EACH | ops[stage->op.kind] << 8;
    write_parameter(stage, code + 1);
}

/* --- orderings --- */

enum { RUN_MOST = 16, MOST_ORDERS = 64 };

typedef struct order_run {
    uint8_t length, masks[RUN_MOST];
} order_run;

#define RUN(number, ...) [number] = {sizeof((const uint8_t[]){__VA_ARGS__}), {__VA_ARGS__}},
static const order_run runs[] = {FUSED_RUNS(RUN)};
#undef RUN

static bool begins_with(const uint8_t *masks, size_t count, const order_run *run) {
    return run->length <= count && memcmp(masks, run->masks, run->length) == 0;
}

/* The longest run that they begin with, or one mask. */
static size_t write_order(writer *w, const uint8_t *masks, size_t count) {
    size_t longest = 0;
    uint32_t head = FUSED_ORDER | (uint32_t)masks[0] << 16;
    for (uint32_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        if (runs[k].length <= longest || !begins_with(masks, count, &runs[k])) continue;
        longest = runs[k].length;
        head = FUSED_ORDERS | k << 8;
    }
    *begin(w, 1) = head;
    return longest > 0 ? longest : 1;
}

/* Orderings by masks that are not written yet: a phase's next stages. */
typedef struct order_list {
    size_t count;
    uint8_t masks[MOST_ORDERS];
} order_list;

static void write_orders(writer *w, order_list *list) {
    for (size_t k = 0; k < list->count;) k += write_order(w, list->masks + k, list->count - k);
    list->count = 0;
}

static void write_stage(writer *w, const layout *l, const program_stage *stage, order_list *orders) {
    uint32_t mask;
    const stage_fit fit = phase_fit(w->t, l, stage, &mask);
    if (fit != FIT_ORDER || orders->count == MOST_ORDERS) write_orders(w, orders);
    switch (fit) {
    case FIT_ORDER: orders->masks[orders->count++] = (uint8_t)mask; break;
    case FIT_ALONG: write_along(w, stage, mask); break;
    case FIT_TWIDDLE: write_twiddle(w, l, stage, mask); break;
    case FIT_EACH: write_each(w, stage); break;
    case FIT_WITHIN: *begin(w, 1) = FUSED_WITHIN | ops[stage->op.kind] << 8; break;
    case FIT_GROUP:
        write_group(w, l, stage);
        *w->has_groups = true;
        break;
    case FIT_NONE: break;
    }
}

/* --- sides --- */

static void write_side(const phase_tile *t, const layout *l, const uint64_t *places, uint64_t origin,
                       fused_side *out) {
    const enum fused_access access = phase_has_vectors(t, l, places) ? FUSED_VECTORS
                                     : t->is_full                    ? FUSED_SINGLES
                                                                     : FUSED_SOME;
    *out = (fused_side){.access = access, .origin = (uint32_t)origin};
    for (unsigned k = 0; k < l->thread_bits; k++) out->thread[k] = (uint32_t)layout_place(places, l->thread[k]);
    for (unsigned k = 0; k < l->held_bits; k++) out->held[k] = (uint32_t)layout_place(places, l->held[k]);
    for (unsigned k = 0; k < t->number_bits; k++) out->tile[k] = (uint32_t)layout_place(places, t->number[k]);
}

bool fused_code_write(const phase_tile *t, const phase_list *phases, fused_table *out, size_t *shared_bytes,
                      bool *has_groups) {
    writer w = {.t = t, .table = out, .has_groups = has_groups};
    *has_groups = false;
    for (size_t k = 0; k < phases->count; k++) {
        const phase *p = &phases->phases[k];
        if (p->kind == PHASE_LANES) write_lanes(&w, p);
        if (p->kind == PHASE_WARPS) write_warps(&w, p);
        if (p->kind == PHASE_CYCLE) write_cycle(&w, p);
        if (p->kind == PHASE_EXCHANGE) write_exchange(&w, &phases->phases[k - 1].layout, &p->layout);
        order_list orders = {0};
        for (size_t s = 0; s < p->count; s++)
            write_stage(&w, &p->layout, &t->stages[phases->order[p->first + s]], &orders);
        write_orders(&w, &orders);
    }
    *begin(&w, 1) = FUSED_END;
    write_side(t, &phases->phases[0].layout, t->read, t->read_origin, &out->read);
    write_side(t, &phases->phases[phases->count - 1].layout, t->write, t->write_origin, &out->write);
    out->held = 1u << t->held_bits;
    *shared_bytes = w.shared_bytes;
    return !w.is_too_long;
}
