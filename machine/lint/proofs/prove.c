/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/proofs/prove.h"

enum { DEEPEST = 8, MOST_STEPS = 1000, MOST_SIGNED = 64 };

typedef struct search {
    const symbols *s;
    const facts *known;
    unsigned steps, depth, positives;
    uint16_t positive[MOST_SIGNED]; /* symbols that facts have at 0 or above */
} search;

static bool is_number(const poly_term *term) { return term->symbol[POLY_DEGREE - 1] == 0; }

/* a / b, rounded down. */
static int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* The weakest polynomial that is at least 0 with it, for integers. */
static poly tighten(const poly *a) {
    const uint64_t divisor = poly_divisor(a);
    poly out = *a;
    if (divisor <= 1 || divisor > INT64_MAX) return out;
    for (unsigned k = 0; k < out.terms; k++) out.term[k].factor = floor_of(a->term[k].factor, (int64_t)divisor);
    if (out.terms > 0 && is_number(&out.term[0]) && out.term[0].factor == 0) {
        const poly zero = poly_constant(0);
        out = poly_add(&zero, &out, 1);
    }
    return out;
}

void facts_put(facts *known, const poly *a) {
    int64_t number;
    if (a->broken || known->count == MOST_FACTS || (poly_is_constant(a, &number) && number >= 0)) return;
    const poly one = tighten(a);
    for (unsigned k = 0; k < known->count; k++)
        if (poly_equal(&known->fact[k], &one)) return;
    known->fact[known->count++] = one;
}

bool facts_are_vain(const facts *known) {
    int64_t number;
    for (unsigned k = 0; k < known->count; k++) {
        if (poly_is_constant(&known->fact[k], &number) && number < 0) return true;
        for (unsigned l = 0; l < k; l++) {
            poly sum = poly_add(&known->fact[k], &known->fact[l], 1);
            if (!sum.broken && poly_is_constant(&sum, &number) && number < 0) return true;
        }
    }
    return false;
}

static bool is_positive(const search *p, uint16_t number) {
    if (p->s->entry[number].is_positive) return true;
    for (unsigned k = 0; k < p->positives; k++)
        if (p->positive[k] == number) return true;
    return false;
}

/* A product of symbols, whatever its factor. */
static bool is_product_positive(const search *p, const poly_term *term) {
    for (unsigned d = 0; d < POLY_DEGREE; d++)
        if (term->symbol[d] != 0 && !is_positive(p, term->symbol[d])) return false;
    return true;
}

static unsigned degree_of(const poly_term *term) {
    unsigned degree = 0;
    for (unsigned d = 0; d < POLY_DEGREE; d++) degree += term->symbol[d] != 0;
    return degree;
}

/* x - number, the number at least 0: the symbol. */
static void note_positives(search *p) {
    for (unsigned k = 0; k < p->known->count && p->positives < MOST_SIGNED; k++) {
        const poly *one = &p->known->fact[k];
        const poly_term *last = &one->term[one->terms > 0 ? one->terms - 1 : 0];
        const bool alone = one->terms == 1 || (one->terms == 2 && is_number(&one->term[0]));
        if (alone && degree_of(last) == 1 && last->factor > 0 && poly_rest(one) <= 0)
            p->positive[p->positives++] = last->symbol[POLY_DEGREE - 1];
    }
}

/* The term that may be below 0, of most symbols; NULL if there is none. */
static const poly_term *find_bad(const search *p, const poly *a) {
    const poly_term *worst = NULL;
    for (unsigned k = 0; k < a->terms; k++) {
        const poly_term *term = &a->term[k];
        if (term->factor > 0 && is_product_positive(p, term)) continue;
        if (worst == NULL || degree_of(term) > degree_of(worst)) worst = term;
    }
    return worst;
}

/* What is left of the symbols of a without those of b; false if they are not in it. */
static bool divide_terms(const poly_term *a, const poly_term *b, poly_term *out) {
    unsigned at = POLY_DEGREE;
    *out = (poly_term){.factor = 1};
    for (unsigned i = POLY_DEGREE, j = POLY_DEGREE; i > 0; i--) {
        const uint16_t own = a->symbol[i - 1], other = j > 0 ? b->symbol[j - 1] : 0;
        if (other > own) return false;
        if (own == 0) break;
        if (own == other)
            j--;
        else
            out->symbol[--at] = own;
    }
    return degree_of(a) == degree_of(b) + degree_of(out);
}

/* a less so much of the fact that the term is gone; false if that cannot be. */
static bool put_away(const search *p, const poly *a, const poly_term *bad, const poly *fact,
                     const poly_term *by, poly *out) {
    poly times = {.terms = 1};
    if (by->factor == INT64_MIN || bad->factor == INT64_MIN) return false;
    if ((by->factor > 0) != (bad->factor > 0) || !divide_terms(bad, by, &times.term[0]) ||
        !is_product_positive(p, &times.term[0]))
        return false;
    const int64_t of_a = by->factor < 0 ? -by->factor : by->factor,
                  of_fact = bad->factor < 0 ? -bad->factor : bad->factor;
    const poly zero = poly_constant(0), product = poly_multiply(fact, &times);
    *out = poly_add(&zero, a, of_a);
    *out = poly_add(out, &product, -of_fact);
    return !out->broken;
}

static bool find(search *p, const poly *a, unsigned depth) {
    const poly now = tighten(a);
    const poly_term *bad = find_bad(p, &now);
    if (bad == NULL) return !now.broken;
    if (depth == p->depth || (now.terms == 1 && is_number(bad))) return false;
    for (unsigned less = 0; less <= degree_of(bad); less++) { /* first what has most of its symbols */
        for (unsigned k = 0; k < p->known->count; k++) {
            const poly *fact = &p->known->fact[k];
            for (unsigned l = 0; l < fact->terms; l++) {
                poly next;
                if (degree_of(&fact->term[l]) + less != degree_of(bad)) continue;
                if (!put_away(p, &now, bad, fact, &fact->term[l], &next)) continue;
                if (p->steps++ >= MOST_STEPS) return false;
                if (find(p, &next, depth + 1)) return true;
            }
        }
    }
    return false;
}

/* ---- equations */

static bool has_opposite(const facts *known, unsigned k) {
    const poly zero = poly_constant(0), minus = poly_add(&zero, &known->fact[k], -1);
    for (unsigned l = 0; l < known->count; l++)
        if (l != k && poly_equal(&known->fact[l], &minus)) return true;
    return false;
}

/* The symbol that stands in one term of the equation, alone and once; 0 if there is none. *value is what it equals. */
static uint16_t solve(const poly *a, poly *value) {
    for (unsigned k = 0; k < a->terms; k++) {
        const poly_term *term = &a->term[k];
        const poly alone = {.terms = 1, .term = {*term}}, rest = poly_add(a, &alone, -1), zero = poly_constant(0);
        const uint16_t number = term->symbol[POLY_DEGREE - 1];
        if (degree_of(term) != 1 || (term->factor != 1 && term->factor != -1) || poly_has(&rest, number)) continue;
        *value = poly_add(&zero, &rest, -term->factor);
        return value->broken ? 0 : number;
    }
    return 0;
}

/* Puts what symbols are equal to in their place, as x = 32 of x - 32 >= 0 and 32 - x >= 0. */
static void solve_equations(const symbols *s, facts *known, poly *a) {
    for (unsigned k = 0; k < known->count; k++) {
        facts next = {.count = 0};
        poly value;
        const uint16_t number = has_opposite(known, k) ? solve(&known->fact[k], &value) : 0;
        if (number == 0) continue;
        if (s->entry[number].is_positive) facts_put(&next, &value);
        for (unsigned l = 0; l < known->count; l++) {
            const poly one = poly_replace(&known->fact[l], number, &value);
            facts_put(&next, &one);
        }
        *a = poly_replace(a, number, &value);
        *known = next;
        k = UINT32_MAX; /* from the first on again */
    }
}

bool prove(const symbols *s, const facts *given, const poly *a) {
    facts own = *given;
    poly goal = *a;
    search p = {.s = s, .known = &own};
    solve_equations(s, &own, &goal);
    if (goal.broken) return false;
    note_positives(&p);
    for (p.depth = 0; p.depth <= DEEPEST; p.depth++) { /* the shortest sum first */
        p.steps = 0;
        if (find(&p, &goal, 0)) return true;
    }
    return false;
}
