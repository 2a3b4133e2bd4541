/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/forms/lanes.h"

#include "base/arithmetic.h"

static bool is_given(const lane_shape *shape) { return shape->side[0] > 0; }

static unsigned threads_of(const lane_shape *shape) { return shape->side[0] * shape->side[1] * shape->side[2]; }

unsigned lanes_count(const lane_shape *shape) {
    return is_given(shape) ? min((unsigned)LANES, threads_of(shape) - LANES * shape->warp) : LANES;
}

unsigned lanes_warps(const lane_shape *shape) {
    return is_given(shape) ? ceil_div(threads_of(shape), (unsigned)LANES) : 1;
}

/* threadIdx of an axis in a lane. */
static poly thread(forms *s, unsigned axis, const lane_shape *shape, unsigned lane) {
    if (is_given(shape)) {
        unsigned number = LANES * shape->warp + lane;
        for (unsigned k = 0; k < axis; k++) number /= shape->side[k];
        return poly_constant(axis < 2 ? number % shape->side[axis] : number);
    }
    if (axis > 0) return poly_symbol(symbols_plain(&s->symbols, SYMBOL_THREAD, axis));
    const poly row = poly_symbol(symbols_plain(&s->symbols, SYMBOL_ROW, 0)), own = poly_constant(lane);
    return poly_add(&own, &row, LANES);
}

static poly side(forms *s, unsigned axis, const lane_shape *shape) {
    if (is_given(shape)) return poly_constant(shape->side[axis]);
    if (axis > 0) return poly_symbol(symbols_plain(&s->symbols, SYMBOL_BLOCK_DIM, axis));
    const poly rows = poly_symbol(symbols_plain(&s->symbols, SYMBOL_ROWS, 0)), zero = poly_constant(0);
    return poly_add(&zero, &rows, LANES);
}

/* What a lane's threads differ in. */
static unsigned differing(const lane_shape *shape) {
    if (!is_given(shape) || shape->side[0] % LANES == 0) return DEPENDS_X | DEPENDS_UNKNOWN;
    return DEPENDS_THREAD | DEPENDS_UNKNOWN;
}

static lane_result worse(lane_result a, lane_result b) { return a > b ? a : b; }

static lane_result evaluate(forms *s, const poly *a, unsigned block, const lane_shape *shape, unsigned lane,
                            poly *out);

static int64_t operate(ir_op op, int64_t a, int64_t b) {
    return op == IR_XOR ? a ^ b : op == IR_AND ? a & b : a | b;
}

/* a op b, where b is a number below the power of two that divides a but for a's own number. */
static lane_result combine_bits(ir_op op, const poly *a, const poly *b, poly *out) {
    int64_t low, number;
    if (!poly_is_constant(b, &low)) return LANES_MIXED;
    if (poly_is_constant(a, &number)) {
        *out = poly_constant(operate(op, number, low));
        return LANES_KNOWN;
    }
    const uint64_t divisor = poly_divisor(a), unit = divisor & (~divisor + 1);
    if (low < 0 || (uint64_t)low >= unit) return LANES_MIXED;
    const int64_t inside = (int64_t)((uint64_t)number & (unit - 1));
    const poly made = poly_constant(operate(op, inside, low)), was = poly_constant(inside);
    *out = poly_add(a, &was, -1);
    *out = op == IR_AND ? made : poly_add(out, &made, 1);
    return LANES_KNOWN;
}

/* A quotient, remainder or bits in a lane. */
static lane_result combine(forms *s, const symbol *one, unsigned block, const lane_shape *shape, unsigned lane,
                           poly *out) {
    poly a, b;
    lane_result result = evaluate(s, one->a, block, shape, lane, &a);
    if (result != LANES_KNOWN) return result;
    if (one->kind == SYMBOL_BITS) {
        int64_t number;
        result = evaluate(s, one->b, block, shape, lane, &b);
        if (result != LANES_KNOWN) return result;
        const bool swap = !poly_is_constant(&b, &number);
        return combine_bits(one->op, swap ? &b : &a, swap ? &a : &b, out);
    }
    if (poly_divisor(&a) % (uint64_t)one->by != 0) return LANES_MIXED;
    *out = one->kind == SYMBOL_DIVIDE ? symbols_divide(&s->symbols, &a, one->by)
                                      : symbols_modulo(&s->symbols, &a, one->by);
    return out->broken ? LANES_MIXED : LANES_KNOWN;
}

static lane_result place(forms *s, uint16_t number, unsigned block, const lane_shape *shape, unsigned lane,
                         poly *out) {
    const symbol one = s->symbols.entry[number];
    *out = poly_symbol(number);
    if (one.kind == SYMBOL_THREAD) *out = thread(s, one.value, shape, lane);
    if (one.kind == SYMBOL_BLOCK_DIM) *out = side(s, one.value, shape);
    if (one.a != NULL) {
        const lane_result result = combine(s, &one, block, shape, lane, out);
        if (result != LANES_MIXED || one.depends & differing(shape)) return result;
        *out = poly_symbol(number); /* no number, but the same for all lanes */
        return LANES_KNOWN;
    }
    if (one.kind != SYMBOL_OTHER && one.kind != SYMBOL_TURN) return LANES_KNOWN;
    const form own = {.at = poly_symbol(number)};
    return forms_depends_at(s, &own, block) & differing(shape) ? LANES_OTHER : LANES_KNOWN;
}

static lane_result evaluate(forms *s, const poly *a, unsigned block, const lane_shape *shape, unsigned lane,
                            poly *out) {
    lane_result result = a->broken ? LANES_OTHER : LANES_KNOWN;
    *out = poly_constant(0);
    for (unsigned k = 0; k < a->terms && !out->broken; k++) {
        poly product = poly_constant(a->term[k].factor), one;
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            if (a->term[k].symbol[d] == 0) continue;
            result = worse(result, place(s, a->term[k].symbol[d], block, shape, lane, &one));
            product = poly_multiply(&product, &one);
        }
        *out = poly_add(out, &product, 1);
    }
    return out->broken ? worse(result, LANES_MIXED) : result;
}

lane_result lanes_place(forms *s, const poly *a, unsigned block, const lane_shape *shape, poly out[LANES]) {
    lane_result result = LANES_KNOWN;
    for (unsigned lane = 0; lane < lanes_count(shape); lane++)
        result = worse(result, evaluate(s, a, block, shape, lane, &out[lane]));
    return result;
}
