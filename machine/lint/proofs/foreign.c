/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/proofs/foreign.h"

#include "machine/lint/proofs/known.h"
#include "machine/lint/proofs/split.h"

enum { DEEPEST = 6 };

static bool is_in(forms *s, const poly *a, unsigned depth);

/* Choices, quotients and bits are foreign if something in them is. */
static bool is_made_of(forms *s, const ir_value *v, unsigned depth) {
    bool least, is_unsigned;
    const bool is_choice = v->op == IR_SELECT || (v->op == IR_PHI && !graph_is_header(&s->g, v->block));
    const bool is_known = is_choice || (v->op >= IR_LSHR && v->op <= IR_CAST) || split_is_extreme(v, &least, &is_unsigned);
    if (!is_known) return true;
    for (unsigned k = v->op == IR_SELECT; k < v->operands; k++) {
        const unsigned value = ir_operand_of(s->f, v, k)->value;
        if (s->f->value[value].bits == 1) continue; /* 0 or 1 */
        const form one = forms_of(s, value);
        if (one.base != BASE_NONE || is_in(s, &one.at, depth)) return true;
    }
    return false;
}

static bool is_foreign(forms *s, uint16_t number, unsigned depth) {
    const symbol one = s->symbols.entry[number];
    poly first;
    int64_t by;
    if (depth == 0) return true;
    if ((one.a != NULL && is_in(s, one.a, depth - 1)) || (one.b != NULL && is_in(s, one.b, depth - 1))) return true;
    if (one.kind != SYMBOL_OTHER) return false;
    if (one.factor >= 2) return one.growth != GROWTH_EXACT;
    if (known_shrinks(s, number, &first, &by) && by >= 2) return is_in(s, &first, depth - 1);
    return is_made_of(s, &s->f->value[one.value], depth - 1);
}

static bool is_in(forms *s, const poly *a, unsigned depth) {
    for (unsigned k = 0; k < a->terms; k++)
        for (unsigned d = 0; d < POLY_DEGREE; d++)
            if (a->term[k].symbol[d] != 0 && is_foreign(s, a->term[k].symbol[d], depth)) return true;
    return a->broken;
}

bool foreign_is_in(forms *s, const poly *a) { return is_in(s, a, DEEPEST); }
