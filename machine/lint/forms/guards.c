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

static void add(guards *out, const poly *a, ir_predicate predicate) {
    if (out->count < MOST_GUARDS && !a->broken) out->guard[out->count++] = (guard){*a, predicate};
}

/* The condition, or where `holds` is false its opposite. Of a conjunction both sides hold, of a disjunction that does not hold neither. */
static void add_condition(forms *s, unsigned value, bool holds, guards *out) {
    const ir_value *v = &s->f->value[value];
    if (v->operands < 2) return;
    const unsigned a = ir_operand_of(s->f, v, 0)->value, b = ir_operand_of(s->f, v, 1)->value;
    if (v->op == (holds ? IR_AND : IR_OR) && v->bits == 1) {
        add_condition(s, a, holds, out);
        add_condition(s, b, holds, out);
    }
    if (v->op == IR_SELECT && v->operands == 3 && v->bits <= 1) { /* c ? d : false, and c ? true : d */
        const unsigned c = ir_operand_of(s->f, v, 2)->value;
        const ir_value *constant = &s->f->value[holds ? c : b];
        if (constant->op == IR_CONSTANT && (constant->number != 0) == !holds) {
            add_condition(s, a, holds, out);
            add_condition(s, holds ? b : c, holds, out);
        }
    }
    if (v->op == IR_XOR && v->bits == 1 && s->f->value[b].op == IR_CONSTANT && s->f->value[b].number != 0)
        add_condition(s, a, !holds, out);
    if (v->op != IR_COMPARE) return;
    const form left = forms_of(s, a), right = forms_of(s, b);
    if (left.base != BASE_NONE || right.base != BASE_NONE) return;
    const poly distance = poly_add(&left.at, &right.at, -1);
    const ir_predicate p = holds ? (ir_predicate)v->predicate : opposite((ir_predicate)v->predicate);
    add(out, &distance, p);
    /* As an unsigned number it is less than one that is not negative: so it is not negative either. */
    if (v->is_unsigned && (p == IR_LT || p == IR_LE) && symbols_is_positive(&s->symbols, &right.at))
        add(out, &left.at, IR_GE);
    if (v->is_unsigned && (p == IR_GT || p == IR_GE) && symbols_is_positive(&s->symbols, &left.at))
        add(out, &right.at, IR_GE);
}

/* True if every way to the block leads through the edge from `branch` to its next block k. */
static bool is_behind(const forms *s, unsigned branch, unsigned k, unsigned block) {
    const ir_block *b = &s->f->block[branch];
    const unsigned to = s->f->next[b->first_next + k];
    return s->f->next[b->first_next] != s->f->next[b->first_next + 1] && graph_dominates(&s->g, to, block) &&
           s->g.first_before[to + 1] - s->g.first_before[to] == 1;
}

void guards_find(forms *s, unsigned block, guards *out) {
    out->count = 0;
    if (s->g.order[block] == IR_NONE) return;
    for (unsigned at = block; at != s->g.dominator[at];) {
        at = s->g.dominator[at];
        const ir_block *b = &s->f->block[at];
        if (b->nexts != 2 || b->condition == IR_NONE) continue;
        if (is_behind(s, at, 0, block))
            add_condition(s, b->condition, true, out);
        else if (is_behind(s, at, 1, block))
            add_condition(s, b->condition, false, out);
    }
}
