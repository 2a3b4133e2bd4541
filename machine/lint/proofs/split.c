/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/proofs/split.h"

#include <string.h>

#include "machine/lint/proofs/known.h"

enum { MOST_WAYS = 8 };

/* ---- numbers of a loop */

static bool has_powers(forms *s, uint16_t number, split *out) {
    const symbol one = s->symbols.entry[number];
    poly first;
    int64_t value, by;
    if (one.factor >= 2 && one.growth == GROWTH_EXACT && one.first > 0 && s->f->value[one.value].bits <= 32) {
        for (value = one.first; value < INT64_C(1) << 31 && out->powers < MOST_POWERS; value *= one.factor)
            out->number[out->powers++] = value;
        return value >= INT64_C(1) << 31;
    }
    if (!known_shrinks(s, number, &first, &by) || by < 2) return false;
    if (!poly_is_constant(&first, &value) || value < 0 || value >= INT64_C(1) << 31) return false;
    for (; value > 0 && out->powers < MOST_POWERS; value /= by) out->number[out->powers++] = value;
    out->number[out->powers++] = 0;
    return true;
}

/* ---- choices and branches that meet */

bool split_is_extreme(const ir_value *v, bool *least, bool *is_unsigned) {
    static const char *const names[] = {"llvm.smin.", "llvm.umin.", "llvm.smax.", "llvm.umax."};
    if (v->op != IR_CALL || v->operands != 2) return false;
    for (unsigned k = 0; k < 4; k++) {
        if (v->name.length <= 10 || memcmp(v->name.text, names[k], 10) != 0) continue;
        *least = k < 2;
        *is_unsigned = k % 2 == 1;
        return true;
    }
    return false;
}

static unsigned cases_of(const forms *s, const ir_value *v) {
    bool least, is_unsigned;
    if (split_is_extreme(v, &least, &is_unsigned)) return 2;
    if (v->op == IR_SELECT && v->operands == 3 && v->bits > 1) return 2;
    if (v->op != IR_PHI || v->operands > MOST_WAYS || graph_is_header(&s->g, v->block)) return 0;
    return v->operands;
}

static bool take(forms *s, uint16_t number, split *out) {
    *out = (split){.symbol = number};
    if (number == 0 || s->symbols.entry[number].kind != SYMBOL_OTHER) return false;
    out->value = s->symbols.entry[number].value;
    out->count = cases_of(s, &s->f->value[out->value]);
    if (out->count > 0) return true;
    if (!has_powers(s, number, out)) return false;
    out->count = out->powers;
    return true;
}

static bool take_any(forms *s, const poly *a, split *out) {
    for (unsigned k = 0; k < a->terms; k++)
        for (unsigned d = 0; d < POLY_DEGREE; d++)
            if (take(s, a->term[k].symbol[d], out)) return true;
    return false;
}

bool split_find(forms *s, const poly *a, const facts *known, split *out) {
    if (take_any(s, a, out)) return true;
    for (unsigned k = 0; k < known->count; k++)
        if (take_any(s, &known->fact[k], out)) return true;
    return false;
}

static bool take_number(forms *s, unsigned value, const split *of, poly *out) {
    const form one = forms_of(s, value);
    *out = one.at;
    return one.base == BASE_NONE && !one.at.broken && !poly_has(&one.at, of->symbol);
}

/* The smaller or greater of two, the k-th. */
static bool take_extreme(forms *s, const split *of, unsigned k, poly *value, guards *out) {
    const ir_value *v = &s->f->value[of->value];
    bool least, is_unsigned;
    poly other;
    if (!split_is_extreme(v, &least, &is_unsigned)) return false;
    if (!take_number(s, ir_operand_of(s->f, v, k)->value, of, value) ||
        !take_number(s, ir_operand_of(s->f, v, 1 - k)->value, of, &other))
        return false;
    if (is_unsigned && !(symbols_is_positive(&s->symbols, value) && symbols_is_positive(&s->symbols, &other)))
        return false;
    out->guard[out->count++] =
        (guard){.a = poly_add(value, &other, -1), .predicate = least ? IR_LE : IR_GE, .value = of->value};
    return true;
}

bool split_case(forms *s, const split *of, unsigned k, poly *value, guards *out) {
    const ir_value *v = &s->f->value[of->value];
    out->count = 0;
    if (of->powers > 0) {
        *value = poly_constant(of->number[k]);
        return true;
    }
    if (v->op == IR_CALL) return take_extreme(s, of, k, value, out);
    if (v->op == IR_SELECT) {
        guards_add(s, ir_operand_of(s->f, v, 0)->value, k == 0, out);
        return take_number(s, ir_operand_of(s->f, v, k + 1)->value, of, value);
    }
    const ir_operand *way = ir_operand_of(s->f, v, k);
    guards_find(s, (unsigned)way->scale, out);
    guards_add_edge(s, (unsigned)way->scale, v->block, out);
    return take_number(s, way->value, of, value);
}
