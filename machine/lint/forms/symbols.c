/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/forms/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "machine/lint/llvm/ir_types.h"

enum { MOST_SYMBOLS = 60000 };
static const int64_t NO_MOST = INT64_MAX;

bool symbols_begin(symbols *s, const ir_function *f) {
    *s = (symbols){.f = f};
    if (!ir_grow((void **)&s->entry, 0, &s->capacity, sizeof *s->entry)) return false;
    s->entry[s->count++] = (symbol){.home = IR_NONE};
    return true;
}

void symbols_free(symbols *s) {
    for (size_t k = 0; k < s->count; k++) {
        free(s->entry[k].a);
        free(s->entry[k].b);
    }
    free(s->entry);
    s->entry = NULL;
}

static uint16_t add(symbols *s, symbol one) {
    if (s->count >= MOST_SYMBOLS || !ir_grow((void **)&s->entry, s->count, &s->capacity, sizeof *s->entry)) {
        s->no_memory = true;
        return 0;
    }
    s->entry[s->count] = one;
    return (uint16_t)s->count++;
}

uint16_t symbols_plain(symbols *s, symbol_kind kind, unsigned value) {
    static const int64_t threads[] = {1024, 1024, 64};
    for (size_t k = 1; k < s->count; k++)
        if (s->entry[k].kind == kind && s->entry[k].value == value) return (uint16_t)k;
    symbol one = {.kind = kind, .value = value, .home = IR_NONE, .most = NO_MOST, .is_positive = true};
    if (kind == SYMBOL_THREAD) one.depends = 1U << value;
    if (kind == SYMBOL_THREAD) one.most = threads[value] - 1;
    if (kind == SYMBOL_BLOCK_DIM) one.most = threads[value];
    if (kind == SYMBOL_TURN) one.home = value;
    return add(s, one);
}

uint16_t symbols_other(symbols *s, unsigned value, unsigned depends, unsigned home) {
    return add(
        s, (symbol){.kind = SYMBOL_OTHER, .value = value, .depends = depends, .home = home, .most = NO_MOST});
}

static poly *copy(symbols *s, const poly *a) {
    poly *own = malloc(sizeof *own);
    if (own == NULL)
        s->no_memory = true;
    else
        *own = *a;
    return own;
}

static poly add_node(symbols *s, symbol one, const poly *a, const poly *b) {
    for (size_t k = 1; k < s->count; k++) {
        const symbol *old = &s->entry[k];
        if (old->kind != one.kind || old->by != one.by || old->op != one.op || !poly_equal(old->a, a)) continue;
        if (b == NULL || poly_equal(old->b, b)) return poly_symbol((uint16_t)k);
    }
    one.home = IR_NONE;
    one.depends = symbols_depends(s, a) | (b != NULL ? symbols_depends(s, b) : 0);
    one.a = copy(s, a);
    one.b = b != NULL ? copy(s, b) : NULL;
    if (s->no_memory) {
        free(one.a);
        free(one.b);
        return poly_broken;
    }
    const uint16_t number = add(s, one);
    if (number != 0) return poly_symbol(number);
    free(one.a);
    free(one.b);
    return poly_broken;
}

/* a = by * *whole + *rest, with what is divisible in *whole. */
static void split(const poly *a, int64_t by, poly *whole, poly *rest) {
    *whole = *rest = (poly){.broken = a->broken};
    for (unsigned k = 0; k < a->terms; k++) {
        poly_term term = a->term[k];
        int64_t over = term.factor % by;
        if (term.symbol[POLY_DEGREE - 1] != 0 && over != 0)
            over = term.factor; /* only whole multiples of a symbol */
        if (over < 0 && term.symbol[POLY_DEGREE - 1] == 0) over += by;
        term.factor = (term.factor - over) / by;
        if (term.factor != 0) whole->term[whole->terms++] = term;
        term.factor = over;
        if (over != 0) rest->term[rest->terms++] = term;
    }
}

/* True if the rest is known to be the remainder, from 0 to below `by`, and so *whole the quotient. */
static bool splits(symbols *s, const poly *a, int64_t by, poly *whole, poly *rest) {
    int64_t least, most;
    split(a, by, whole, rest);
    return symbols_range(s, rest, &least, &most) && least >= 0 && most < by;
}

poly symbols_divide(symbols *s, const poly *a, int64_t by) {
    poly whole, rest;
    if (a->broken || by <= 0) return poly_broken;
    if (splits(s, a, by, &whole, &rest)) return whole;
    const symbol one = {
        .kind = SYMBOL_DIVIDE, .by = by, .most = NO_MOST, .is_positive = symbols_is_positive(s, &rest)};
    const poly node = add_node(s, one, &rest, NULL);
    return poly_add(&whole, &node, 1);
}

poly symbols_modulo(symbols *s, const poly *a, int64_t by) {
    poly whole, rest;
    if (a->broken || by <= 0) return poly_broken;
    if (splits(s, a, by, &whole, &rest)) return rest;
    const symbol one = {.kind = SYMBOL_MODULO, .by = by, .most = by - 1, .is_positive = true};
    return add_node(s, one, &rest, NULL);
}

poly symbols_bits(symbols *s, ir_op op, const poly *a, const poly *b) {
    const symbol one = {.kind = SYMBOL_BITS,
                        .op = op,
                        .most = NO_MOST,
                        .is_positive = symbols_is_positive(s, a) && symbols_is_positive(s, b)};
    return a->broken || b->broken ? poly_broken : add_node(s, one, a, b);
}

/* ---- what is known of them */

unsigned symbols_depends(const symbols *s, const poly *a) {
    unsigned all = a->broken ? DEPENDS_UNKNOWN : 0;
    for (unsigned k = 0; k < a->terms; k++)
        for (unsigned d = 0; d < POLY_DEGREE; d++) all |= s->entry[a->term[k].symbol[d]].depends;
    return all;
}

bool symbols_arise_inside(const symbols *s, const graph *g, unsigned header, const poly *a) {
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const symbol *one = &s->entry[a->term[k].symbol[d]];
            if (one->home != IR_NONE && graph_is_inside(g, header, one->home)) return true;
            if (one->a != NULL && symbols_arise_inside(s, g, header, one->a)) return true;
            if (one->b != NULL && symbols_arise_inside(s, g, header, one->b)) return true;
        }
    }
    return false;
}

bool symbols_range(const symbols *s, const poly *a, int64_t *least, int64_t *most) {
    *least = *most = 0;
    for (unsigned k = 0; k < a->terms; k++) {
        int64_t largest = 1, bound;
        const poly_term *term = &a->term[k];
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const symbol *one = &s->entry[term->symbol[d]];
            if (term->symbol[d] == 0) continue;
            if (!one->is_positive || one->most == NO_MOST) return false;
            if (__builtin_mul_overflow(largest, one->most, &largest)) return false;
        }
        if (__builtin_mul_overflow(largest, term->factor, &bound)) return false;
        const bool is_number = term->symbol[POLY_DEGREE - 1] == 0;
        if (bound < 0 || is_number) *least += bound;
        if (bound > 0 || is_number) *most += bound;
    }
    return !a->broken;
}

bool symbols_is_positive(const symbols *s, const poly *a) {
    int64_t least, most;
    if (symbols_range(s, a, &least, &most)) return least >= 0;
    for (unsigned k = 0; k < a->terms; k++) {
        if (a->term[k].factor < 0) return false;
        for (unsigned d = 0; d < POLY_DEGREE; d++)
            if (a->term[k].symbol[d] != 0 && !s->entry[a->term[k].symbol[d]].is_positive) return false;
    }
    return !a->broken;
}
