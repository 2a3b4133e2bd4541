/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/forms/guards.h"

static ir_predicate opposite(ir_predicate p) {
    static const ir_predicate other[IR_PREDICATES] = {
        [IR_EQ] = IR_NE, [IR_NE] = IR_EQ, [IR_LT] = IR_GE, [IR_LE] = IR_GT, [IR_GT] = IR_LE, [IR_GE] = IR_LT};
    return other[p];
}

bool guard_holds(ir_predicate predicate, int64_t value) {
    switch (predicate) {
    case IR_EQ: return value == 0;
    case IR_NE: return value != 0;
    case IR_LT: return value < 0;
    case IR_LE: return value <= 0;
    case IR_GT: return value > 0;
    default: return value >= 0;
    }
}

static void add(guards *out, const guard *one) {
    if (out->count < MOST_GUARDS && !one->a.broken) out->guard[out->count++] = *one;
}

/* True if every way to the block leads through the edge from `branch` to its next block k. */
static bool is_behind(const forms *s, unsigned branch, unsigned k, unsigned block) {
    const ir_block *b = &s->f->block[branch];
    const unsigned to = s->f->next[b->first_next + k];
    return s->f->next[b->first_next] != s->f->next[b->first_next + 1] && graph_dominates(&s->g, to, block) &&
           s->g.first_before[to + 1] - s->g.first_before[to] == 1;
}

/* What holds on the way from the block `top`, which dominates it, to the block. */
static void add_way(forms *s, unsigned top, unsigned block, guards *out) {
    for (unsigned at = block; at != top && at != s->g.dominator[at];) {
        at = s->g.dominator[at];
        const ir_block *b = &s->f->block[at];
        if (b->nexts != 2 || b->condition == IR_NONE) continue;
        if (is_behind(s, at, 0, block))
            guards_add(s, b->condition, true, out);
        else if (is_behind(s, at, 1, block))
            guards_add(s, b->condition, false, out);
    }
}

/* a && b where b is asked in a block of its own: false where it has not come from there. */
static void add_joined(forms *s, const ir_value *v, bool holds, guards *out) {
    const ir_operand *only = NULL;
    for (unsigned k = 0; k < v->operands; k++) {
        const ir_operand *one = ir_operand_of(s->f, v, k);
        const ir_value *value = &s->f->value[one->value];
        if (value->op == IR_CONSTANT && (value->number != 0) != holds) continue;
        if (only != NULL) return;
        only = one;
    }
    if (only == NULL || graph_is_header(&s->g, v->block)) return;
    guards_add(s, only->value, holds, out);
    add_way(s, s->g.dominator[v->block], (unsigned)only->scale, out);
}

/* The condition, or where `holds` is false its opposite. Of a conjunction both sides hold, of a disjunction that does not hold neither. */
void guards_add(forms *s, unsigned value, bool holds, guards *out) {
    const ir_value *v = &s->f->value[value];
    if (v->operands < 2) return;
    const unsigned a = ir_operand_of(s->f, v, 0)->value, b = ir_operand_of(s->f, v, 1)->value;
    if (v->op == (holds ? IR_AND : IR_OR) && v->bits == 1) {
        guards_add(s, a, holds, out);
        guards_add(s, b, holds, out);
    }
    if (v->op == IR_SELECT && v->operands == 3 && v->bits <= 1) { /* c ? d : false, and c ? true : d */
        const unsigned c = ir_operand_of(s->f, v, 2)->value;
        const ir_value *constant = &s->f->value[holds ? c : b];
        if (constant->op == IR_CONSTANT && (constant->number != 0) == !holds) {
            guards_add(s, a, holds, out);
            guards_add(s, holds ? b : c, holds, out);
        }
    }
    if (v->op == IR_PHI && v->bits == 1) add_joined(s, v, holds, out);
    if (v->op == IR_XOR && v->bits == 1 && s->f->value[b].op == IR_CONSTANT && s->f->value[b].number != 0)
        guards_add(s, a, !holds, out);
    if (v->op != IR_COMPARE) return;
    const form left = forms_of(s, a), right = forms_of(s, b);
    if (left.base != BASE_NONE || right.base != BASE_NONE) return;
    const poly distance = poly_add(&left.at, &right.at, -1);
    const ir_predicate p = holds ? (ir_predicate)v->predicate : opposite((ir_predicate)v->predicate);
    const bool is_less = p == IR_LT || p == IR_LE;
    const guard one = {distance, p, value, v->is_unsigned, is_less ? right.at : left.at};
    add(out, &one);
    /* As an unsigned number it is less than one that is not negative: so it is not negative either. */
    guard smaller = {is_less ? left.at : right.at, IR_GE, value, true, one.larger};
    if (v->is_unsigned && p != IR_EQ && p != IR_NE && symbols_is_positive(&s->symbols, &one.larger))
        add(out, &smaller);
}

void guards_add_edge(forms *s, unsigned from, unsigned to, guards *out) {
    const ir_block *b = &s->f->block[from];
    if (b->nexts != 2 || b->condition == IR_NONE) return;
    const unsigned *next = &s->f->next[b->first_next];
    if (next[0] != next[1]) guards_add(s, b->condition, next[0] == to, out);
}

static void add_assumed(forms *s, unsigned block, guards *out) {
    for (unsigned k = 0; k < s->f->values; k++) {
        const ir_value *v = &s->f->value[k];
        if (v->op == IR_CALL && v->operands == 1 && v->block != IR_NONE && ir_is_named(v, "llvm.assume") &&
            graph_dominates(&s->g, v->block, block))
            guards_add(s, ir_operand_of(s->f, v, 0)->value, true, out);
    }
}

void guards_find(forms *s, unsigned block, guards *out) {
    out->count = 0;
    if (s->g.order[block] == IR_NONE) return;
    add_assumed(s, block, out);
    add_way(s, IR_NONE, block, out);
}
