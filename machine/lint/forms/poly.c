/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/forms/poly.h"

#include <string.h>

#include "base/arithmetic.h"

const poly poly_broken = {.broken = true};

poly poly_constant(int64_t value) {
    poly a = {.terms = value != 0};
    a.term[0].factor = value;
    return a;
}

poly poly_symbol(uint16_t symbol) {
    poly a = {.terms = 1};
    a.term[0].factor = 1;
    a.term[0].symbol[POLY_DEGREE - 1] = symbol;
    return a;
}

static int compare(const poly_term *a, const poly_term *b) {
    for (unsigned k = 0; k < POLY_DEGREE; k++)
        if (a->symbol[k] != b->symbol[k]) return a->symbol[k] < b->symbol[k] ? -1 : 1;
    return 0;
}

static void add_term(poly *a, const poly_term *term) {
    unsigned at = 0;
    while (at < a->terms && compare(&a->term[at], term) < 0) at++;
    if (at < a->terms && compare(&a->term[at], term) == 0) {
        a->broken |= __builtin_add_overflow(a->term[at].factor, term->factor, &a->term[at].factor);
        if (a->term[at].factor != 0) return;
        a->terms--;
        memmove(&a->term[at], &a->term[at + 1], (a->terms - at) * sizeof *term);
        return;
    }
    if (term->factor == 0) return;
    if (a->terms == POLY_TERMS) {
        a->broken = true;
        return;
    }
    memmove(&a->term[at + 1], &a->term[at], (a->terms - at) * sizeof *term);
    a->term[at] = *term;
    a->terms++;
}

poly poly_add(const poly *a, const poly *b, int64_t factor) {
    poly sum = *a;
    sum.broken |= b->broken;
    for (unsigned k = 0; k < b->terms && !sum.broken; k++) {
        poly_term term = b->term[k];
        sum.broken |= __builtin_mul_overflow(term.factor, factor, &term.factor);
        add_term(&sum, &term);
    }
    return sum;
}

/* False if there are too many symbols. */
static bool multiply_terms(const poly_term *a, const poly_term *b, poly_term *out) {
    unsigned i = POLY_DEGREE, j = POLY_DEGREE;
    *out = (poly_term){0};
    if (__builtin_mul_overflow(a->factor, b->factor, &out->factor)) return false;
    for (unsigned k = POLY_DEGREE; k-- > 0;) {
        const uint16_t one = i > 0 ? a->symbol[i - 1] : 0, other = j > 0 ? b->symbol[j - 1] : 0;
        if (one >= other) {
            out->symbol[k] = one;
            i -= i > 0;
        } else {
            out->symbol[k] = other;
            j--;
        }
    }
    return (i == 0 || a->symbol[i - 1] == 0) && (j == 0 || b->symbol[j - 1] == 0);
}

poly poly_multiply(const poly *a, const poly *b) {
    poly product = {.broken = a->broken || b->broken};
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned l = 0; l < b->terms && !product.broken; l++) {
            poly_term term;
            if (multiply_terms(&a->term[k], &b->term[l], &term))
                add_term(&product, &term);
            else
                product.broken = true;
        }
    }
    return product;
}

static bool term_has(const poly_term *term, uint16_t symbol) {
    for (unsigned k = 0; k < POLY_DEGREE; k++)
        if (term->symbol[k] == symbol) return true;
    return false;
}

poly poly_replace(const poly *a, uint16_t symbol, const poly *by) {
    if (!poly_has(a, symbol)) return *a;
    poly sum = {.broken = a->broken};
    for (unsigned k = 0; k < a->terms && !sum.broken; k++) {
        poly product = poly_constant(a->term[k].factor);
        for (unsigned s = 0; s < POLY_DEGREE; s++) {
            if (a->term[k].symbol[s] == 0) continue;
            const poly one = poly_symbol(a->term[k].symbol[s]);
            product = poly_multiply(&product, a->term[k].symbol[s] == symbol ? by : &one);
        }
        sum = poly_add(&sum, &product, 1);
    }
    return sum;
}

bool poly_equal(const poly *a, const poly *b) {
    if (a->broken || b->broken || a->terms != b->terms) return false;
    for (unsigned k = 0; k < a->terms; k++)
        if (a->term[k].factor != b->term[k].factor || compare(&a->term[k], &b->term[k]) != 0) return false;
    return true;
}

static bool is_rest(const poly_term *term) { return term->symbol[POLY_DEGREE - 1] == 0; }

bool poly_is_constant(const poly *a, int64_t *value) {
    *value = poly_rest(a);
    return !a->broken && (a->terms == 0 || (a->terms == 1 && is_rest(&a->term[0])));
}

int64_t poly_rest(const poly *a) { return a->terms > 0 && is_rest(&a->term[0]) ? a->term[0].factor : 0; }

bool poly_has(const poly *a, uint16_t symbol) {
    for (unsigned k = 0; k < a->terms; k++)
        if (term_has(&a->term[k], symbol)) return true;
    return false;
}

uint64_t poly_divisor(const poly *a) {
    uint64_t divisor = 0;
    for (unsigned k = 0; k < a->terms; k++) {
        const int64_t factor = a->term[k].factor;
        if (!is_rest(&a->term[k])) divisor = common_divisor(divisor, (uint64_t)(factor < 0 ? -factor : factor));
    }
    return divisor;
}

bool poly_coefficient(const poly *a, uint16_t symbol, poly *out) {
    *out = poly_constant(0);
    out->broken = a->broken;
    for (unsigned k = 0; k < a->terms; k++) {
        poly_term term = a->term[k];
        if (!term_has(&term, symbol)) continue;
        unsigned at = 0;
        while (term.symbol[at] != symbol) at++;
        for (; at > 0; at--) term.symbol[at] = term.symbol[at - 1];
        term.symbol[0] = 0;
        if (term_has(&term, symbol)) return false;
        add_term(out, &term);
    }
    return !out->broken;
}
