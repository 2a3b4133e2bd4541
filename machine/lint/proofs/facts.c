/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/proofs/facts.h"

#include <stdlib.h>

#include "machine/lint/forms/guards.h"
#include "machine/lint/proofs/foreign.h"
#include "machine/lint/proofs/known.h"
#include "machine/lint/proofs/split.h"

enum { MOST_SPLITS = 4, MOST_CASES = 64 };

/* ---- proofs */

/* By what is known of the symbols too. */
static bool holds(forms *s, const facts *known, const poly *a) {
    facts own = *known;
    known_add(s, a, &own);
    return prove(&s->symbols, &own, a);
}

static void put_difference(const poly *a, int64_t sign, int64_t rest, facts *out) {
    const poly number = poly_constant(rest), one = poly_add(&number, a, sign);
    facts_put(out, &one);
}

/* Numbers of 8 and 16 bits are taken without their sign, and this comparison is of signed ones, or with a number that has lost it. */
static bool is_of_bytes(const forms *s, const guard *one) {
    const unsigned bits = s->f->value[ir_operand_of(s->f, &s->f->value[one->value], 0)->value].bits;
    return !one->is_unsigned && s->f->value[one->value].op == IR_COMPARE && bits > 1 && bits < 32;
}

/* What a guard says of integers. */
static void put_guard(forms *s, const guard *one, facts *out) {
    const poly zero = poly_constant(0), minus = poly_add(&zero, &one->a, -1);
    if (is_of_bytes(s, one)) return;
    if (!facts_never_wrap(s, out, one->value)) return;
    if (one->is_unsigned && !holds(s, out, &one->larger)) return;
    switch (one->predicate) {
    case IR_LT: put_difference(&one->a, -1, -1, out); return;
    case IR_LE: put_difference(&one->a, -1, 0, out); return;
    case IR_GT: put_difference(&one->a, 1, -1, out); return;
    case IR_GE: put_difference(&one->a, 1, 0, out); return;
    case IR_EQ:
        put_difference(&one->a, 1, 0, out);
        put_difference(&one->a, -1, 0, out);
        return;
    default:
        if (holds(s, out, &one->a))
            put_difference(&one->a, 1, -1, out);
        else if (holds(s, out, &minus))
            put_difference(&one->a, -1, -1, out);
    }
}

static void put_guards(forms *s, const guards *all, facts *out) {
    for (unsigned round = 0; round < 2; round++) /* some hold by others */
        for (unsigned k = 0; k < all->count; k++) put_guard(s, &all->guard[k], out);
}

static bool prove_cases(forms *s, const facts *known, const poly *a, unsigned depth, unsigned *left) {
    split cases;
    facts own = *known;
    known_add(s, a, &own);
    if (prove(&s->symbols, &own, a)) return true;
    if (depth == 0 || *left == 0 || !split_find(s, a, &own, &cases)) return facts_are_vain(&own);
    for (unsigned k = 0; k < cases.count; k++) {
        guards all = {0};
        facts of_case = {.side = {own.side[0], own.side[1], own.side[2]}};
        poly value;
        if (*left == 0 || !split_case(s, &cases, k, &value, &all)) return false;
        (*left)--;
        for (unsigned l = 0; l < all.count; l++) {
            all.guard[l].a = poly_replace(&all.guard[l].a, cases.symbol, &value);
            all.guard[l].larger = poly_replace(&all.guard[l].larger, cases.symbol, &value);
        }
        for (unsigned l = 0; l < own.count; l++) {
            const poly one = poly_replace(&own.fact[l], cases.symbol, &value);
            facts_put(&of_case, &one);
        }
        put_guards(s, &all, &of_case);
        const poly now = poly_replace(a, cases.symbol, &value);
        if (!prove_cases(s, &of_case, &now, depth - 1, left)) return false;
    }
    return true;
}

bool facts_prove(forms *s, const facts *known, const poly *a) {
    unsigned left = MOST_CASES;
    return !a->broken && prove_cases(s, known, a, MOST_SPLITS, &left);
}

/* ---- numbers that wrap around */

static bool is_at_least_0(forms *s, const facts *known, unsigned value) {
    const form one = forms_of(s, value);
    return one.base == BASE_NONE && holds(s, known, &one.at);
}

/* True if a signed number of so many bits is known to hold it. */
static bool is_within(forms *s, const facts *known, unsigned bits, const poly *a) {
    const int64_t end = INT64_C(1) << (bits > 62 ? 62 : bits - 1);
    const poly most = poly_constant(end - 1), least = poly_constant(end);
    const poly above = poly_add(&least, a, 1), below = poly_add(&most, a, -1);
    return holds(s, known, &above) && holds(s, known, &below);
}

/* A sum or product: of indices and parameters it is taken to fit, unless its bits are fewer; of any other it has to be known. */
static bool result_fits(forms *s, const facts *known, unsigned value) {
    const ir_value *v = &s->f->value[value];
    if (v->op < IR_ADD || v->op > IR_SHL || v->is_exact || v->bits <= 1) return true;
    const form one = forms_of(s, value);
    if (one.base != BASE_NONE || (v->bits >= 32 && !foreign_is_in(s, &one.at))) return true;
    const symbol *only = &s->symbols.entry[one.at.terms == 1 ? one.at.term[0].symbol[POLY_DEGREE - 1] : 0];
    if (only->kind == SYMBOL_OTHER && only->value == value) return true; /* it stands for itself */
    return is_within(s, known, v->bits, &one.at);
}

/* A number that is cut off to fewer bits: of indices and parameters it is taken to fit, of any other it has to be known. */
static bool cut_fits(forms *s, const facts *known, const ir_value *v) {
    if (v->op != IR_CAST || v->bits == 0 || v->bits > 62 || v->operands == 0) return true;
    const unsigned from = ir_operand_of(s->f, v, 0)->value;
    if (s->f->value[from].bits <= v->bits) return true;
    const form one = forms_of(s, from);
    if (one.base != BASE_NONE || !foreign_is_in(s, &one.at)) return true;
    const poly most = poly_constant((INT64_C(1) << (v->bits - 1)) - 1), left = poly_add(&most, &one.at, -1);
    return holds(s, known, &one.at) && holds(s, known, &left);
}

/* What the instruction takes for an unsigned number: IR_NONE, or its operand. */
static unsigned unsigned_operand(const forms *s, const ir_value *v) {
    const bool counts = v->op == IR_LSHR || v->op == IR_UDIV || v->op == IR_UREM ||
                        (v->op == IR_CAST && v->is_unsigned && v->bits > 0);
    return counts && v->operands > 0 ? ir_operand_of(s->f, v, 0)->value : IR_NONE;
}

static bool never_wraps(forms *s, const facts *known, unsigned value, bool *seen) {
    const ir_value *v = &s->f->value[value];
    const bool is_made = (v->op >= IR_ADD && v->op <= IR_GEP) || v->op == IR_PHI || v->op == IR_SELECT ||
                         v->op == IR_COMPARE || (v->op == IR_CALL && v->bits > 0 && ir_begins_with(v, "llvm."));
    if (seen[value] || !is_made) return true;
    seen[value] = true;
    const unsigned taken = unsigned_operand(s, v);
    if (!result_fits(s, known, value) || !cut_fits(s, known, v)) return false;
    if (taken != IR_NONE && s->f->value[taken].bits > 1 && !is_at_least_0(s, known, taken)) return false;
    for (unsigned k = v->op == IR_SELECT; k < v->operands; k++)
        if (!never_wraps(s, known, ir_operand_of(s->f, v, k)->value, seen)) return false;
    return true;
}

bool facts_never_wrap(forms *s, const facts *known, unsigned value) {
    bool *seen = calloc(s->f->values, sizeof *seen);
    if (seen == NULL) s->no_memory = true;
    const bool right = seen != NULL && never_wraps(s, known, value, seen);
    free(seen);
    return right;
}

/* ---- loops */

/* The one block before a loop's header that is in the loop, or that is not; IR_NONE where there are more. */
static unsigned only_before(const forms *s, unsigned header, bool inside) {
    unsigned found = IR_NONE;
    for (unsigned l = s->g.first_before[header]; l < s->g.first_before[header + 1]; l++) {
        if (graph_is_inside(&s->g, header, s->g.before[l]) != inside) continue;
        if (found != IR_NONE) return IR_NONE;
        found = s->g.before[l];
    }
    return found;
}

static bool grows(const symbol *one, unsigned header) {
    return one->kind == SYMBOL_OTHER && one->factor >= 2 && one->home == header && one->growth == GROWTH_EXACT;
}

/* A fact of one turn as one of the next, where a value grows by a factor: with a m + b >= 0 of the last, a m' + factor b >= 0. */
static poly grown(const forms *s, unsigned header, const poly *a) {
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const uint16_t number = a->term[k].symbol[d];
            const symbol *one = &s->symbols.entry[number];
            poly times;
            if (!grows(one, header)) continue;
            if (!poly_coefficient(a, number, &times)) return *a;
            const poly own = poly_symbol(number), part = poly_multiply(&times, &own),
                       rest = poly_add(a, &part, -1);
            return poly_add(&part, &rest, one->factor);
        }
    }
    return *a;
}

/* Its values in the first turn. */
static poly in_first(const forms *s, unsigned header, uint16_t turn, const poly *a) {
    const poly zero = poly_constant(0);
    poly out = poly_replace(a, turn, &zero);
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const symbol *one = &s->symbols.entry[a->term[k].symbol[d]];
            const poly first = poly_constant(one->first);
            if (grows(one, header)) out = poly_replace(&out, a->term[k].symbol[d], &first);
        }
    }
    return out;
}

/* What a loop asks before each turn but the first holds in all of them, if it holds in the first. */
static void put_asked(forms *s, unsigned header, facts *out) {
    const unsigned latch = only_before(s, header, true);
    guards asked = {0};
    if (latch == IR_NONE) return;
    guards_add_edge(s, latch, header, &asked);
    facts last = *out;
    put_guards(s, &asked, &last);
    const uint16_t turn = symbols_plain(&s->symbols, SYMBOL_TURN, header);
    const poly minus = poly_constant(-1), turns = poly_symbol(turn), one_less = poly_add(&turns, &minus, 1);
    for (unsigned k = out->count; k < last.count; k++) {
        poly now = poly_replace(&last.fact[k], turn, &one_less);
        now = grown(s, header, &now);
        const poly first = in_first(s, header, turn, &now);
        if (!symbols_arise_inside(&s->symbols, &s->g, header, &first) && holds(s, out, &first))
            facts_put(out, &now);
    }
}

/* True if the next number fits too where the loop makes it, if all before it have. */
static bool stays_exact(forms *s, uint16_t number, const facts *known) {
    const symbol one = s->symbols.entry[number];
    const ir_value *v = &s->f->value[one.value];
    facts there = *known;
    guards all;
    for (unsigned k = 0; k < v->operands; k++) {
        const ir_operand *way = ir_operand_of(s->f, v, k);
        const ir_value *next = &s->f->value[way->value];
        if (!graph_is_inside(&s->g, one.home, (unsigned)way->scale)) continue;
        const bool is_product = next->op == IR_SHL || next->op == IR_MUL;
        if (is_product && next->is_exact && ir_operand_of(s->f, next, 0)->value == one.value) continue;
        if (next->block == IR_NONE || v->bits == 0) return false;
        guards_find(s, next->block, &all);
        put_guards(s, &all, &there);
        const poly zero = poly_constant(0), own = poly_symbol(number), product = poly_add(&zero, &own, one.factor);
        if (!is_within(s, &there, v->bits, &product)) return false;
    }
    return true;
}

/* Which numbers that the loop multiplies never wrap around: by induction over its turns, all of them taken not to until one is found to. */
static void settle_growth(forms *s, unsigned header, const facts *known) {
    bool again = false;
    for (size_t k = 1; k < s->symbols.count; k++) {
        symbol *one = &s->symbols.entry[k];
        if (one->kind != SYMBOL_OTHER || one->factor < 2 || one->home != header || one->growth != GROWTH_OPEN) continue;
        one->growth = GROWTH_EXACT;
        again = true;
    }
    while (again) {
        facts turn = *known;
        put_asked(s, header, &turn);
        again = false;
        for (size_t k = 1; k < s->symbols.count; k++) {
            if (!grows(&s->symbols.entry[k], header) || stays_exact(s, (uint16_t)k, &turn)) continue;
            s->symbols.entry[k].growth = GROWTH_WRAPS;
            again = true;
        }
    }
}

/* What holds whenever the loop's header runs. Nothing is taken from within a turn, for the turn before had other numbers. */
static void put_turns(forms *s, unsigned header, facts *out) {
    const unsigned before = only_before(s, header, false);
    guards all;
    guards_find(s, header, &all);
    if (before != IR_NONE) guards_add_edge(s, before, header, &all);
    put_guards(s, &all, out);
    settle_growth(s, header, out);
    put_asked(s, header, out);
}

void facts_find(forms *s, unsigned block, const unsigned side[3], facts *out) {
    guards all;
    *out = (facts){.side = {side[0], side[1], side[2]}};
    if (s->g.order[block] == IR_NONE) return;
    for (unsigned k = 0; k < s->g.blocks; k++) /* outer loops first */
        for (unsigned header = 0; header < s->g.blocks; header++)
            if (s->g.order[header] == k && graph_is_header(&s->g, header) &&
                graph_dominates(&s->g, header, block))
                put_turns(s, header, out);
    guards_find(s, block, &all);
    put_guards(s, &all, out);
}
