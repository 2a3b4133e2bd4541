/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/forms/rules.h"

/* Factors from here on are no index's: 2^27. */
static const int64_t HASH = INT64_C(1) << 27;

static const poly unknown = {.broken = true};

poly rules_lane(symbols *s) {
    const poly x = poly_symbol(symbols_plain(s, SYMBOL_THREAD, 0)),
               y = poly_symbol(symbols_plain(s, SYMBOL_THREAD, 1)),
               z = poly_symbol(symbols_plain(s, SYMBOL_THREAD, 2)),
               wide = poly_symbol(symbols_plain(s, SYMBOL_BLOCK_DIM, 0)),
               high = poly_symbol(symbols_plain(s, SYMBOL_BLOCK_DIM, 1));
    poly number = poly_multiply(&z, &high);
    number = poly_add(&number, &y, 1);
    number = poly_multiply(&number, &wide);
    number = poly_add(&number, &x, 1);
    return symbols_modulo(s, &number, 32);
}

/* k of 2^k; -1 of other numbers. */
static int power_of(int64_t number) {
    if (number <= 0 || (number & (number - 1)) != 0) return -1;
    return __builtin_ctzll((unsigned long long)number);
}

static bool is_hash(const poly *a) {
    for (unsigned k = 0; k < a->terms; k++)
        if (a->term[k].symbol[POLY_DEGREE - 1] != 0 &&
            (a->term[k].factor >= HASH || a->term[k].factor <= -HASH))
            return true;
    return false;
}

/* a & mask: of ones in one run, 0001111000, or from a place on, 1111000 */
static poly mask(symbols *s, const poly *a, int64_t bits) {
    if (bits == 0) return poly_constant(0);
    const int zeros = __builtin_ctzll((unsigned long long)bits);
    const int64_t unit = INT64_C(1) << zeros, ones = bits / unit;
    if (bits < 0 && power_of(-bits) >= 0) {
        const poly rest = symbols_modulo(s, a, -bits);
        return poly_add(a, &rest, -1);
    }
    if (bits < 0 || power_of(ones + 1) < 0) return unknown;
    poly high = zeros > 0 ? symbols_divide(s, a, unit) : *a;
    high = symbols_modulo(s, &high, ones + 1);
    const poly zero = poly_constant(0);
    return poly_add(&zero, &high, unit);
}

/* True if no bit is in both: all factors of a are multiples of a power of two that b does not reach. */
static bool is_apart(const symbols *s, const poly *a, const poly *b) {
    int64_t least, most;
    uint64_t low = poly_divisor(a) | (uint64_t)poly_rest(a);
    low &= ~low + 1;
    return low != 0 && symbols_range(s, b, &least, &most) && least >= 0 && (uint64_t)most < low;
}

static poly bits(symbols *s, ir_op op, const poly *a, const poly *b, bool is_condition) {
    int64_t number;
    if (is_condition) return unknown;
    if (op == IR_AND && poly_is_constant(b, &number)) return mask(s, a, number);
    if (op == IR_OR && (is_apart(s, a, b) || is_apart(s, b, a))) return poly_add(a, b, 1);
    if (op == IR_XOR && poly_is_constant(b, &number) && number == -1) { /* -1 - a */
        const poly minus = poly_constant(-1);
        return poly_add(&minus, a, -1);
    }
    return symbols_bits(s, op, a, b);
}

static poly divide(symbols *s, ir_op op, const poly *a, int64_t by) {
    const bool is_signed = op == IR_SDIV || op == IR_SREM;
    if (by <= 0 || (is_signed && !symbols_is_positive(s, a))) return unknown;
    return op == IR_SDIV || op == IR_UDIV ? symbols_divide(s, a, by) : symbols_modulo(s, a, by);
}

/* True if the value, or one that it is a sum or choice of, is a number shifted left by so much that 16 bits of it are left, or by no more than
 * it is shifted back, and fewer than 32 are. */
static bool is_cut(const ir_function *f, unsigned value, int64_t back, unsigned depth) {
    const ir_value *v = &f->value[value];
    const bool is_sum = v->op == IR_ADD || v->op == IR_SUB || v->op == IR_OR || v->op == IR_PHI || v->op == IR_SELECT;
    if (v->op == IR_SHL && v->operands == 2 && !v->is_exact) {
        const ir_value *by = &f->value[ir_operand_of(f, v, 1)->value];
        return by->op != IR_CONSTANT || v->bits - by->number <= 16 || (v->bits - by->number < 32 && back >= by->number);
    }
    for (unsigned k = 0; k < v->operands && is_sum && depth > 0; k++)
        if (is_cut(f, ir_operand_of(f, v, k)->value, back, depth - 1)) return true;
    return false;
}

/* True if a shift right does not give back what one left has taken, as where a number of 8 bits gets its sign. */
static bool loses_bits(const symbols *s, const ir_value *v, const poly *a, int64_t back) {
    const unsigned from = ir_operand_of(s->f, v, 0)->value;
    int64_t least, most;
    if (v->op != IR_ASHR || !is_cut(s->f, from, back, 4)) return false;
    const int64_t end = v->bits > 62 ? INT64_C(1) << 62 : INT64_C(1) << (v->bits - 1);
    return !symbols_range(s, a, &least, &most) || least < -end || most >= end;
}

/* Of two numbers. */
static poly combine(symbols *s, const ir_value *v, const poly *a, const poly *b) {
    int64_t number = 0;
    const bool constant = poly_is_constant(b, &number), shifts = constant && number >= 0 && number < 48;
    const poly power = poly_constant(shifts ? INT64_C(1) << number : 0);
    if (loses_bits(s, v, a, number)) return unknown;
    switch (v->op) {
    case IR_ADD: return poly_add(a, b, 1);
    case IR_SUB: return poly_add(a, b, -1);
    case IR_MUL: return poly_multiply(a, b);
    case IR_SHL: return shifts ? poly_multiply(a, &power) : unknown;
    case IR_LSHR:
    case IR_ASHR: return shifts ? symbols_divide(s, a, INT64_C(1) << number) : unknown;
    case IR_AND:
    case IR_OR:
    case IR_XOR: return bits(s, v->op, a, b, v->bits == 1);
    case IR_UDIV:
    case IR_SDIV:
    case IR_UREM:
    case IR_SREM: return constant ? divide(s, v->op, a, number) : unknown;
    default: return unknown;
    }
}

static bool is_of_index(unsigned width) { return width == 32 || width == 64; }

/* A wider number is the same; a narrower one is, of those that are indices. */
static form cast(forms *s, unsigned value) {
    const ir_value *v = &s->f->value[value];
    const unsigned from = ir_operand_of(s->f, v, 0)->value;
    const unsigned was = s->f->value[from].bits;
    form one = s->of(s, from);
    int64_t least, most;
    if (one.base != BASE_NONE || v->bits == 0 || was == 0 || v->bits >= was) {
        if (was == 1 && s->f->value[from].op != IR_CONSTANT)
            return forms_other(s, value, symbols_depends(&s->symbols, &one.at));
        return one;
    }
    const bool fits = symbols_range(&s->symbols, &one.at, &least, &most) && least >= 0 &&
                      (v->bits > 62 || most < INT64_C(1) << (v->bits - 1));
    const bool packed = s->f->value[from].op == IR_ARGUMENT; /* a structure's fields may share a register */
    if ((is_of_index(v->bits) && !packed) || fits) return one;
    return forms_other(s, value, forms_depends_of_operands(s, v));
}

static form choose(forms *s, unsigned value) {
    const ir_value *v = &s->f->value[value];
    const form a = s->of(s, ir_operand_of(s->f, v, 1)->value),
               b = s->of(s, ir_operand_of(s->f, v, 2)->value);
    const bool same_base = a.base == b.base && a.number == b.number;
    if (same_base && poly_equal(&a.at, &b.at)) return a;
    form one = forms_other(s, value, forms_depends_of_operands(s, v));
    one.base = same_base ? a.base : BASE_UNKNOWN;
    one.number = a.number;
    one.depends = a.depends | b.depends;
    return one;
}

form rules_apply(forms *s, unsigned value) {
    const ir_value *v = &s->f->value[value];
    if (v->op == IR_CAST) return cast(s, value);
    if (v->op == IR_SELECT && v->operands == 3) return choose(s, value);
    if (v->operands != 2 || v->op == IR_COMPARE || v->bits == 0)
        return forms_other(s, value, forms_depends_of_operands(s, v));
    const form a = s->of(s, ir_operand_of(s->f, v, 0)->value),
               b = s->of(s, ir_operand_of(s->f, v, 1)->value);
    form one = {.at = combine(&s->symbols, v, &a.at, &b.at)};
    if (a.base != BASE_NONE && b.base != BASE_NONE) one.at = poly_broken; /* a distance of two addresses */
    if (a.base != BASE_NONE && (v->op == IR_ADD || v->op == IR_SUB))
        one.base = a.base, one.number = a.number, one.depends = a.depends;
    else if (a.base != BASE_NONE || b.base != BASE_NONE)
        one.at = poly_broken;
    if (v->bits == 32 && is_hash(&one.at)) one.at = poly_broken;
    return one;
}
