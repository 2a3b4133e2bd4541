/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/llvm/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { DEEPEST = 2000, MOST_PHIS = 256 };

riffle_status walk_begin(walk *w, const ir_module *m, const ir_function *f) {
    *w = (walk){.m = m, .f = f};
    w->argument = calloc(f->values + 1, sizeof *w->argument);
    w->is_made = calloc(f->values + 1, sizeof *w->is_made);
    w->made = calloc(f->values + 1, sizeof *w->made);
    w->first = calloc(f->blocks + 2, sizeof *w->first);
    w->inside = calloc(f->values + 1, sizeof *w->inside);
    if (w->argument == NULL || w->is_made == NULL || w->made == NULL || w->first == NULL || w->inside == NULL)
        return fail_memory("a kernel's values", f->values);
    for (size_t k = 0; k < f->values; k++)
        if (f->value[k].block != IR_NONE) w->first[f->value[k].block + 1]++;
    for (size_t k = 0; k < f->blocks; k++) w->first[k + 1] += w->first[k];
    for (size_t k = f->values; k-- > 0;) /* filled from each block's end, and brought back below */
        if (f->value[k].block != IR_NONE) w->inside[--w->first[f->value[k].block + 1]] = (unsigned)k;
    for (size_t k = 0; k < f->blocks; k++) w->first[k] = w->first[k + 1];
    w->first[f->blocks] = 0;
    for (size_t k = 0; k < f->values; k++) w->first[f->blocks] += f->value[k].block != IR_NONE;
    return RIFFLE_OK;
}

void walk_free(walk *w) {
    free(w->argument);
    free(w->is_made);
    free(w->made);
    free(w->first);
    free(w->inside);
}

/* ---- integers of so many bits, with their sign; a condition is 0 or 1 */

static const walk_value unknown = {.kind = WALK_UNKNOWN};

static uint64_t without_sign(int64_t a, unsigned bits) {
    return bits >= 64 ? (uint64_t)a : (uint64_t)a & ((UINT64_C(1) << bits) - 1);
}

static walk_value number_of(uint64_t a, unsigned bits) {
    if (bits == 0 || bits > 64) return unknown;
    const uint64_t low = without_sign((int64_t)a, bits), sign = UINT64_C(1) << (bits - 1);
    return (walk_value){.kind = WALK_NUMBER, .at = (int64_t)(bits == 1 ? low : (low ^ sign) - sign)};
}

static walk_value divided(ir_op op, int64_t a, int64_t b, unsigned bits) {
    const uint64_t high = without_sign(a, bits), low = without_sign(b, bits);
    if (b == 0 || ((op == IR_SDIV || op == IR_SREM) && b == -1)) return unknown;
    switch (op) {
    case IR_SDIV: return number_of((uint64_t)(a / b), bits);
    case IR_SREM: return number_of((uint64_t)(a % b), bits);
    case IR_UDIV: return number_of(high / low, bits);
    default: return number_of(high % low, bits);
    }
}

static walk_value shifted(ir_op op, int64_t a, int64_t by, unsigned bits) {
    if (by < 0 || by >= (int64_t)bits) return unknown;
    if (op == IR_SHL) return number_of((uint64_t)a << by, bits);
    if (op == IR_LSHR) return number_of(without_sign(a, bits) >> by, bits);
    return number_of((uint64_t)(a >> by), bits);
}

static walk_value combined(ir_op op, int64_t a, int64_t b, unsigned bits) {
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    if (bits == 0 || bits > 64) return unknown;
    switch (op) {
    case IR_ADD: return number_of(x + y, bits);
    case IR_SUB: return number_of(x - y, bits);
    case IR_MUL: return number_of(x * y, bits);
    case IR_AND: return number_of(x & y, bits);
    case IR_OR: return number_of(x | y, bits);
    case IR_XOR: return number_of(x ^ y, bits);
    case IR_SHL:
    case IR_LSHR:
    case IR_ASHR: return shifted(op, a, b, bits);
    default: return divided(op, a, b, bits);
    }
}

static bool compares(ir_predicate predicate, bool is_unsigned, int64_t a, int64_t b) {
    const bool is_less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
    switch (predicate) {
    case IR_EQ: return a == b;
    case IR_NE: return a != b;
    case IR_LT: return is_less;
    case IR_LE: return is_less || a == b;
    case IR_GT: return !is_less && a != b;
    default: return !is_less;
    }
}

/* ---- values */

static unsigned operand(const walk *w, const ir_value *v, unsigned k) {
    return ir_operand_of(w->f, v, k)->value;
}

static walk_value address(walk *w, const ir_value *v) {
    walk_value sum = walk_value_of(w, operand(w, v, 0));
    uint64_t at = (uint64_t)sum.at + (uint64_t)v->number;
    for (unsigned k = 1; k < v->operands; k++) {
        const ir_operand *index = ir_operand_of(w->f, v, k);
        const walk_value one = walk_value_of(w, index->value);
        if (one.kind != WALK_NUMBER) return unknown;
        at += (uint64_t)one.at * (uint64_t)index->scale;
    }
    sum.at = (int64_t)at;
    return sum;
}

/* Nothing but CUDA's own indices is known of memory. */
static walk_value loaded(walk *w, const ir_value *v) {
    static const char *const names[WALK_INDICES] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const walk_value from = walk_value_of(w, operand(w, v, 0));
    if (from.kind != WALK_GLOBAL || v->number != 4 || from.at < 0 || from.at >= 12) return unknown;
    const ir_name name = w->m->global[from.base].name;
    for (unsigned k = 0; k < WALK_INDICES; k++)
        if (strlen(names[k]) == name.length && memcmp(names[k], name.text, name.length) == 0)
            return number_of((uint64_t)w->index[k][from.at / 4], 32);
    return unknown;
}

static walk_value called(const walk *w, const ir_value *v) {
    const int64_t(*index)[3] = w->index;
    if (ir_is_named(v, "riffle_lint_warp_size")) return number_of(32, 32);
    if (!ir_is_named(v, "riffle_lint_lane")) return unknown;
    const int64_t row = index[WALK_THREAD][2] * index[WALK_BLOCK_DIM][1] + index[WALK_THREAD][1];
    return number_of((uint64_t)(row * index[WALK_BLOCK_DIM][0] + index[WALK_THREAD][0]) % 32, 32);
}

static walk_value cast(walk *w, const ir_value *v) {
    const unsigned from = operand(w, v, 0), was = w->f->value[from].bits;
    const walk_value one = walk_value_of(w, from);
    if (one.kind != WALK_NUMBER || v->bits == 0) return one;
    return number_of(v->is_unsigned ? without_sign(one.at, was) : (uint64_t)one.at, v->bits);
}

static walk_value chosen(walk *w, const ir_value *v) {
    const walk_value condition = walk_value_of(w, operand(w, v, 0));
    if (condition.kind != WALK_NUMBER || v->operands != 3) return unknown;
    return walk_value_of(w, operand(w, v, condition.at != 0 ? 1 : 2));
}

static walk_value compared(walk *w, const ir_value *v) {
    const walk_value a = walk_value_of(w, operand(w, v, 0)), b = walk_value_of(w, operand(w, v, 1));
    if (a.kind != WALK_NUMBER || b.kind != WALK_NUMBER) return unknown;
    return number_of(compares((ir_predicate)v->predicate, v->is_unsigned, a.at, b.at), 1);
}

static walk_value make(walk *w, unsigned value) {
    const ir_value *v = &w->f->value[value];
    switch (v->op) {
    case IR_CONSTANT: return number_of((uint64_t)v->number, v->bits);
    case IR_GLOBAL: return (walk_value){.kind = WALK_GLOBAL, .base = (unsigned)v->number};
    case IR_ARGUMENT:
        if (v->is_copy) return unknown;
        if (v->bits > 0) return number_of((uint64_t)w->argument[value], v->bits);
        return (walk_value){.kind = WALK_ARGUMENT, .base = value};
    case IR_GEP: return address(w, v);
    case IR_LOAD: return loaded(w, v);
    case IR_CALL: return called(w, v);
    case IR_CAST: return cast(w, v);
    case IR_SELECT: return chosen(w, v);
    case IR_COMPARE: return v->operands == 2 ? compared(w, v) : unknown;
    default: break;
    }
    if (v->op < IR_ADD || v->op > IR_SREM || v->operands != 2) return unknown;
    const walk_value a = walk_value_of(w, operand(w, v, 0)), b = walk_value_of(w, operand(w, v, 1));
    return a.kind == WALK_NUMBER && b.kind == WALK_NUMBER ? combined(v->op, a.at, b.at, v->bits) : unknown;
}

walk_value walk_value_of(walk *w, unsigned value) {
    if (w->is_made[value]) return w->made[value];
    if (w->f->value[value].op == IR_PHI || w->depth >= DEEPEST) return unknown;
    w->depth++;
    w->made[value] = make(w, value);
    w->depth--;
    w->is_made[value] = true;
    return w->made[value];
}

/* ---- blocks */

/* Values that the block makes anew, and first of all those that come with the way there. */
static bool enter(walk *w, unsigned block, unsigned from) {
    walk_value next[MOST_PHIS];
    unsigned phis = 0;
    for (unsigned k = w->first[block]; k < w->first[block + 1]; k++) {
        const ir_value *v = &w->f->value[w->inside[k]];
        if (v->op != IR_PHI) continue;
        if (phis == MOST_PHIS) return false;
        next[phis] = unknown;
        for (unsigned l = 0; l < v->operands; l++)
            if ((unsigned)ir_operand_of(w->f, v, l)->scale == from) next[phis] = walk_value_of(w, operand(w, v, l));
        phis++;
    }
    phis = 0;
    for (unsigned k = w->first[block]; k < w->first[block + 1]; k++) {
        const unsigned value = w->inside[k];
        const bool is_phi = w->f->value[value].op == IR_PHI;
        w->is_made[value] = is_phi;
        if (is_phi) w->made[value] = next[phis++];
    }
    return true;
}

/* The next block; IR_NONE at the end, or where it is not known. */
static unsigned next_of(walk *w, unsigned block) {
    const ir_block *b = &w->f->block[block];
    const unsigned *next = &w->f->next[b->first_next];
    if (b->nexts == 1) return next[0];
    if (b->nexts != 2 || b->condition == IR_NONE) return IR_NONE;
    const walk_value condition = walk_value_of(w, b->condition);
    return condition.kind == WALK_NUMBER ? next[condition.at != 0 ? 0 : 1] : IR_NONE;
}

void walk_run(walk *w, unsigned blocks, bool (*see)(void *context, unsigned block), void *context) {
    unsigned from = IR_NONE;
    memset(w->is_made, 0, w->f->values * sizeof *w->is_made);
    for (unsigned block = 0; block != IR_NONE && blocks > 0; blocks--) {
        if (!enter(w, block, from) || !see(context, block)) return;
        const unsigned next = next_of(w, block);
        from = block;
        block = next;
    }
}
