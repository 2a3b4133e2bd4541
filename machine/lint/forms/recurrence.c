/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/forms/recurrence.h"

#include <stdlib.h>

/* ---- branches that meet */

typedef struct branches {
    forms *s;
    unsigned depends;
} branches;

static void see_branch(void *context, unsigned branch) {
    branches *own = context;
    const unsigned condition = branch != IR_NONE ? own->s->f->block[branch].condition : IR_NONE;
    own->depends |= condition != IR_NONE ? forms_depends(own->s, condition) : DEPENDS_UNKNOWN;
}

static bool is_same(const form *a, const form *b) {
    return a->base == b->base && a->number == b->number && poly_equal(&a->at, &b->at);
}

/* Of the operands that come from within the loop of the block, or from without: their one form, or one that depends on them and on
 * the branches between. False if there are none. */
static bool join(forms *s, unsigned value, bool inside, form *out) {
    const ir_value *v = &s->f->value[value];
    unsigned depends = 0, count = 0;
    bool same = true, same_base = true;
    for (unsigned k = 0; k < v->operands; k++) {
        const ir_operand *one = ir_operand_of(s->f, v, k);
        if (graph_is_inside(&s->g, v->block, (unsigned)one->scale) != inside || one->value == value) continue;
        const form next = s->of(s, one->value);
        depends |= next.depends | symbols_depends(&s->symbols, &next.at);
        if (count++ == 0) *out = next;
        same = same && is_same(out, &next);
        same_base = same_base && out->base == next.base && out->number == next.number;
    }
    if (count == 0 || same) return count > 0;
    branches all = {s, depends};
    graph_each_branch(&s->g, v->block, see_branch, &all);
    const form_base base = out->base;
    const unsigned number = out->number;
    *out = forms_other(s, value, all.depends);
    out->base = same_base ? base : BASE_UNKNOWN;
    out->number = number;
    out->depends = same_base && base == BASE_NONE ? 0 : all.depends;
    return true;
}

/* ---- loops */

/* a = factor * s, and nothing else. */
static bool is_multiple(const poly *a, uint16_t s, int64_t *factor) {
    if (a->terms != 1 || a->term[0].symbol[POLY_DEGREE - 1] != s || a->term[0].symbol[POLY_DEGREE - 2] != 0)
        return false;
    *factor = a->term[0].factor;
    return true;
}

/* Keeps a form that no longer changes, in the place of what was found on the way to it. */
static form settle(forms *s, unsigned value, size_t since, const form *one) {
    forms_forget(s, since);
    s->solved[value] = malloc(sizeof **s->solved);
    if (s->solved[value] == NULL)
        s->no_memory = true;
    else
        *s->solved[value] = *one;
    return *one;
}

/* True if the value grows by the same in each turn. */
static bool solve_sum(forms *s, unsigned header, const form *first, const form *next, uint16_t mark,
                      form *out) {
    const poly own = poly_symbol(mark);
    const poly step = poly_add(&next->at, &own, -1);
    if (next->base != first->base || next->number != first->number || step.broken || poly_has(&step, mark))
        return false;
    if (symbols_arise_inside(&s->symbols, &s->g, header, &step)) return false;
    const poly turn = poly_symbol(symbols_plain(&s->symbols, SYMBOL_TURN, header));
    const poly grown = poly_multiply(&step, &turn);
    *out = *first;
    out->at = poly_add(&first->at, &grown, 1);
    return !out->at.broken;
}

/* Forms of other values of the loop that have been solved meanwhile may have this one's symbol. */
static void unsettle_inside(forms *s, unsigned header, unsigned value) {
    for (size_t k = 0; k < s->f->values; k++) {
        if (k == value || s->solved[k] == NULL) continue;
        const unsigned block = s->f->value[k].block;
        if (block == header || !graph_is_inside(&s->g, header, block)) continue;
        free(s->solved[k]);
        s->solved[k] = NULL;
    }
}

/* Of a value that is multiplied by the same number in each turn. */
static void note_factor(forms *s, uint16_t mark, const form *first, const form *next) {
    int64_t factor, start;
    if (mark == 0 || !is_multiple(&next->at, mark, &factor) || !poly_is_constant(&first->at, &start)) return;
    s->symbols.entry[mark].first = start;
    s->symbols.entry[mark].factor = factor;
}

/* Takes the value for one that depends on nothing but its first, until it is found to depend on more. */
static form solve_loop(forms *s, unsigned value, const form *first) {
    const unsigned header = s->f->value[value].block,
                   of_first = first->depends | symbols_depends(&s->symbols, &first->at);
    const size_t since = s->logged;
    form out, next;
    for (unsigned round = 0; round < 8; round++) {
        const uint16_t mark = symbols_other(&s->symbols, value, of_first | s->sticky[value], header);
        form own = *first;
        own.at = poly_symbol(mark);
        forms_keep(s, value, &own);
        if (s->no_memory || !join(s, value, true, &next)) break;
        unsettle_inside(s, header, value);
        if (solve_sum(s, header, first, &next, mark, &out)) return settle(s, value, since, &out);
        if (next.base != first->base || next.number != first->number) break;
        const unsigned depends = next.depends | symbols_depends(&s->symbols, &next.at);
        if ((depends & ~(of_first | s->sticky[value])) == 0) {
            note_factor(s, mark, first, &next);
            return settle(s, value, since, &own);
        }
        s->sticky[value] |= depends;
        forms_forget(s, since);
    }
    out = forms_other(s, value, DEPENDS_UNKNOWN);
    out.base = first->base == BASE_NONE ? BASE_NONE : BASE_UNKNOWN;
    return settle(s, value, since, &out);
}

form recurrence_solve(forms *s, unsigned value) {
    const unsigned block = s->f->value[value].block;
    form first;
    if (!graph_is_header(&s->g, block)) {
        if (join(s, value, false, &first)) return first;
        return forms_other(s, value, DEPENDS_UNKNOWN);
    }
    if (!join(s, value, false, &first)) return forms_other(s, value, DEPENDS_UNKNOWN);
    return solve_loop(s, value, &first);
}
