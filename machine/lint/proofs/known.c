/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/proofs/known.h"

enum { MOST_REACHED = 64 };

/* number + a * factor + b * other */
static poly sum(int64_t number, const poly *a, int64_t factor, const poly *b, int64_t other) {
    poly out = poly_constant(number);
    out = poly_add(&out, a, factor);
    return b != NULL ? poly_add(&out, b, other) : out;
}

static void put(facts *out, poly a) { facts_put(out, &a); }

static poly plain(forms *s, symbol_kind kind, unsigned value) {
    return poly_symbol(symbols_plain(&s->symbols, kind, value));
}

/* ---- threads and blocks */

/* The least that blockDim is along an axis: of any block x is a multiple of 32. */
static int64_t least_side(const facts *known, unsigned axis) { return axis == 0 && known->side[0] == 0 ? 32 : 1; }

static void put_side(forms *s, const poly *own, unsigned axis, facts *out) {
    static const int64_t most[] = {SYMBOLS_MOST_THREADS, SYMBOLS_MOST_THREADS, 64};
    put(out, sum(-least_side(out, axis), own, 1, NULL, 0));
    if (out->side[axis] > 0) {
        put(out, sum(-(int64_t)out->side[axis], own, 1, NULL, 0));
        put(out, sum((int64_t)out->side[axis], own, -1, NULL, 0));
        return;
    }
    put(out, sum(most[axis], own, -1, NULL, 0));
    if (axis == 0) return;
    poly threads = plain(s, SYMBOL_BLOCK_DIM, 0);
    for (unsigned k = 1; k <= axis; k++) {
        const poly side = plain(s, SYMBOL_BLOCK_DIM, k);
        threads = poly_multiply(&threads, &side);
    }
    put(out, sum(SYMBOLS_MOST_THREADS, &threads, -1, NULL, 0));
}

static void put_index(forms *s, const poly *own, symbol_kind of, unsigned axis, facts *out) {
    const poly side = plain(s, of, axis);
    put(out, sum(-1, &side, 1, own, -1));
}

/* ---- quotients, remainders and bits */

static void put_quotient(const poly *own, const poly *a, int64_t by, facts *out) {
    put(out, *own);
    put(out, sum(0, a, 1, own, -by));
    put(out, sum(by - 1, a, -1, own, by));
}

static void put_node(forms *s, const poly *own, const symbol *one, facts *out) {
    if (one->kind == SYMBOL_BITS) {
        if (!one->is_positive) return;
        if (one->op == IR_AND) put(out, sum(0, one->a, 1, own, -1));
        if (one->op == IR_AND) put(out, sum(0, one->b, 1, own, -1));
        poly both = poly_add(one->a, one->b, 1);
        put(out, sum(0, &both, 1, own, -1));
        return;
    }
    if (one->kind == SYMBOL_MODULO) put(out, sum(one->by - 1, own, -1, NULL, 0));
    if (!prove(&s->symbols, out, one->a)) return; /* below 0 an unsigned number is another */
    if (one->kind == SYMBOL_MODULO)
        put(out, sum(0, one->a, 1, own, -1));
    else
        put_quotient(own, one->a, one->by, out);
}

/* ---- values */

/* What is left of b p + number >= 0, where b is at least 1: p >= 0, and p >= 1 of a number below 0. */
static void put_without(const poly *a, uint16_t number, facts *out) {
    const poly rest = poly_constant(poly_rest(a)), part = poly_add(a, &rest, -1);
    poly by;
    if (a->broken || poly_rest(a) > 0 || !poly_coefficient(&part, number, &by)) return;
    const poly own = poly_symbol(number), all = poly_multiply(&by, &own);
    if (poly_equal(&all, &part)) put(out, sum(poly_rest(a) < 0 ? -1 : 0, &by, 1, NULL, 0));
}

/* With i >= b q in it, and i <= b h - 1 of a guard: q <= h - 1. */
static void put_quotients_most(const poly *a, const poly *all, const poly *b, facts *out) {
    const poly below = poly_add(a, all, -1);
    const unsigned count = out->count;
    if (b->terms != 1 || b->term[0].factor != 1 || b->term[0].symbol[POLY_DEGREE - 2] != 0) return;
    for (unsigned k = 0; k < count; k++) {
        const poly both = poly_add(&out->fact[k], &below, 1);
        if (both.terms < out->fact[k].terms + below.terms) put_without(&both, b->term[0].symbol[POLY_DEGREE - 1], out);
    }
}

/* By another value, which is at least 1 or nobody divides. */
static void put_division(forms *s, const poly *own, const ir_value *v, facts *out) {
    const form a = forms_of(s, ir_operand_of(s->f, v, 0)->value),
               b = forms_of(s, ir_operand_of(s->f, v, 1)->value);
    const poly one_less = sum(-1, &b.at, 1, NULL, 0);
    if (a.base != BASE_NONE || b.base != BASE_NONE || !prove(&s->symbols, out, &a.at) ||
        !prove(&s->symbols, out, &b.at))
        return;
    put(out, one_less);
    put(out, *own);
    put(out, sum(0, &a.at, 1, own, -1));
    if (v->op == IR_UREM || v->op == IR_SREM) {
        put(out, sum(-1, &b.at, 1, own, -1));
        return;
    }
    const poly all = poly_multiply(own, &b.at);
    put(out, sum(0, &a.at, 1, &all, -1));
    put_quotients_most(&a.at, &all, &b.at, out);
    const poly rest = poly_add(&all, &one_less, 1);
    put(out, sum(0, &rest, 1, &a.at, -1));
}

/* A number of few bits that only is made wider by zeros. */
static void put_narrow(const forms *s, const poly *own, unsigned value, facts *out) {
    const unsigned bits = s->f->value[value].bits;
    bool is_unsigned = false;
    if (bits < 2 || bits > 16) return;
    for (size_t k = 0; k < s->f->values; k++) {
        const ir_value *v = &s->f->value[k];
        for (unsigned l = 0; l < v->operands; l++) {
            if (ir_operand_of(s->f, v, l)->value != value) continue;
            if (v->op != IR_CAST && v->op != IR_STORE) return;
            if (v->op == IR_CAST && !v->is_unsigned && v->bits > bits) return;
            is_unsigned |= v->op == IR_CAST && v->is_unsigned;
        }
    }
    if (!is_unsigned) return;
    put(out, *own);
    put(out, sum((INT64_C(1) << bits) - 1, own, -1, NULL, 0));
}

/* The value of the first turn, and of the next. False if there is more than one of a kind. */
static bool turns_of(forms *s, const ir_value *v, form *first, form *next) {
    if (v->operands != 2) return false;
    const ir_operand *a = ir_operand_of(s->f, v, 0), *b = ir_operand_of(s->f, v, 1);
    const bool is_inside = graph_is_inside(&s->g, v->block, (unsigned)a->scale);
    if (is_inside == graph_is_inside(&s->g, v->block, (unsigned)b->scale)) return false;
    *first = forms_of(s, is_inside ? b->value : a->value);
    *next = forms_of(s, is_inside ? a->value : b->value);
    return first->base == BASE_NONE && next->base == BASE_NONE && !first->at.broken;
}

static bool is_loops(const forms *s, uint16_t number) {
    const symbol *one = &s->symbols.entry[number];
    const ir_value *v = &s->f->value[one->value];
    return one->kind == SYMBOL_OTHER && v->op == IR_PHI && graph_is_header(&s->g, v->block);
}

bool known_shrinks(forms *s, uint16_t number, poly *first, int64_t *by) {
    form start, next;
    if (!is_loops(s, number)) return false;
    const poly own = poly_symbol(number);
    if (!turns_of(s, &s->f->value[s->symbols.entry[number].value], &start, &next)) return false;
    if (next.at.terms != 1 || next.at.term[0].factor != 1 || next.at.term[0].symbol[POLY_DEGREE - 2] != 0)
        return false;
    const symbol *of = &s->symbols.entry[next.at.term[0].symbol[POLY_DEGREE - 1]];
    if (of->kind != SYMBOL_DIVIDE || !poly_equal(of->a, &own)) return false;
    *first = start.at;
    *by = of->by;
    return true;
}

static void put_value(forms *s, uint16_t number, facts *out) {
    const poly own = poly_symbol(number);
    const unsigned value = s->symbols.entry[number].value;
    const ir_value *v = &s->f->value[value];
    poly first;
    int64_t by;
    if (v->op >= IR_UDIV && v->op <= IR_SREM && v->operands == 2) put_division(s, &own, v, out);
    if (v->op == IR_LOAD) put_narrow(s, &own, value, out);
    if (v->op == IR_CAST && v->is_unsigned && s->f->value[ir_operand_of(s->f, v, 0)->value].bits == 1) {
        put(out, own);
        put(out, sum(1, &own, -1, NULL, 0));
    }
    if (s->symbols.entry[number].growth == GROWTH_EXACT && s->symbols.entry[number].first >= 0)
        put(out, sum(-s->symbols.entry[number].first, &own, 1, NULL, 0));
    if (known_shrinks(s, number, &first, &by) && prove(&s->symbols, out, &first)) {
        put(out, own);
        put(out, sum(0, &first, 1, &own, -1));
    }
}

/* ---- all of them */

static void put_symbol(forms *s, uint16_t number, facts *out) {
    const symbol one = s->symbols.entry[number];
    const poly own = poly_symbol(number);
    switch (one.kind) {
    case SYMBOL_THREAD: put_index(s, &own, SYMBOL_BLOCK_DIM, one.value, out); return;
    case SYMBOL_BLOCK: put_index(s, &own, SYMBOL_GRID_DIM, one.value, out); return;
    case SYMBOL_BLOCK_DIM: put_side(s, &own, one.value, out); return;
    case SYMBOL_GRID_DIM: put(out, sum(-1, &own, 1, NULL, 0)); return;
    case SYMBOL_DIVIDE:
    case SYMBOL_MODULO:
    case SYMBOL_BITS: put_node(s, &own, &one, out); return;
    case SYMBOL_OTHER: put_value(s, number, out); return;
    default: return;
    }
}

typedef struct reached {
    unsigned count;
    uint16_t symbol[MOST_REACHED];
} reached;

static void reach(const forms *s, const poly *a, reached *all) {
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const uint16_t number = a->term[k].symbol[d];
            bool known = number == 0 || all->count == MOST_REACHED;
            for (unsigned l = 0; l < all->count; l++) known |= all->symbol[l] == number;
            if (known) continue;
            const symbol *one = &s->symbols.entry[number];
            if (one->a != NULL) reach(s, one->a, all); /* what it is made of comes first */
            if (one->b != NULL) reach(s, one->b, all);
            if (all->count < MOST_REACHED) all->symbol[all->count++] = number;
        }
    }
}

/* What a product of blockDim's axes is at most, with the least of one of them in its place. */
static void put_factors(const forms *s, const poly *a, facts *out) {
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const uint16_t number = a->term[k].symbol[d];
            bool only_takes = number != 0 && s->symbols.entry[number].kind == SYMBOL_BLOCK_DIM;
            for (unsigned l = 0; l < a->terms && only_takes; l++) {
                const poly term = {.terms = 1, .term = {a->term[l]}};
                only_takes = !poly_has(&term, number) ||
                             (a->term[l].factor < 0 && a->term[l].symbol[POLY_DEGREE - 2] != 0);
                for (unsigned e = 0; e < POLY_DEGREE; e++)
                    only_takes &= a->term[l].symbol[e] == 0 || !poly_has(&term, number) ||
                                  s->symbols.entry[a->term[l].symbol[e]].is_positive;
            }
            const poly least = poly_constant(least_side(out, s->symbols.entry[number].value));
            if (only_takes) put(out, poly_replace(a, number, &least));
        }
    }
}

void known_add(forms *s, const poly *a, facts *out) {
    reached all = {0};
    unsigned done = 0;
    reach(s, a, &all);
    for (unsigned k = 0; k < out->count || done < all.count;) {
        if (done < all.count) {
            put_symbol(s, all.symbol[done++], out);
            continue;
        }
        const poly one = out->fact[k++];
        put_factors(s, &one, out);
        reach(s, &one, &all);
    }
}
