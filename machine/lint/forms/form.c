/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/forms/form.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/lint/forms/recurrence.h"
#include "machine/lint/forms/rules.h"

enum { DEEPEST = 4000 };

riffle_status forms_begin(forms *s, const ir_module *m, const ir_function *f, const char *folder) {
    *s = (forms){.m = m, .f = f, .folder = folder, .of = forms_of};
    const size_t values = f->values + 1;
    s->memo = calloc(values, sizeof *s->memo);
    s->solved = calloc(values, sizeof *s->solved);
    s->sticky = calloc(values, sizeof *s->sticky);
    s->log = calloc(values, sizeof *s->log);
    const riffle_status status = graph_make(f, &s->g);
    if (status != RIFFLE_OK) return status;
    if (s->memo == NULL || s->solved == NULL || s->sticky == NULL || s->log == NULL ||
        !symbols_begin(&s->symbols, f))
        return fail_memory("a kernel's values", values);
    return RIFFLE_OK;
}

void forms_free(forms *s) {
    for (size_t k = 0; s->memo != NULL && k < s->f->values; k++) free(s->memo[k]);
    for (size_t k = 0; s->solved != NULL && k < s->f->values; k++) free(s->solved[k]);
    free(s->memo);
    free(s->solved);
    free(s->sticky);
    free(s->log);
    graph_free(&s->g);
    symbols_free(&s->symbols);
}

static form address(forms *s, unsigned value) {
    const ir_value *v = &s->f->value[value];
    form sum = forms_of(s, ir_operand_of(s->f, v, 0)->value);
    const poly bytes = poly_constant(v->number);
    sum.at = poly_add(&sum.at, &bytes, 1);
    for (unsigned k = 1; k < v->operands; k++) {
        const ir_operand *index = ir_operand_of(s->f, v, k);
        const form one = forms_of(s, index->value);
        sum.at = one.base == BASE_NONE ? poly_add(&sum.at, &one.at, index->scale) : poly_broken;
    }
    return sum;
}

/* A global's address, or the index of CUDA's that the machine keeps there. */
static form loaded(forms *s, unsigned value) {
    static const struct {
        const char *name;
        symbol_kind kind;
    } indices[] = {{"threadIdx", SYMBOL_THREAD},
                   {"blockIdx", SYMBOL_BLOCK},
                   {"blockDim", SYMBOL_BLOCK_DIM},
                   {"gridDim", SYMBOL_GRID_DIM}};
    const ir_value *v = &s->f->value[value];
    const form from = forms_of(s, ir_operand_of(s->f, v, 0)->value);
    int64_t at;
    if (from.base == BASE_GLOBAL && poly_is_constant(&from.at, &at) && at >= 0 && at < 12 && v->number == 4) {
        const ir_name name = s->m->global[from.number].name;
        for (size_t k = 0; k < sizeof indices / sizeof *indices; k++)
            if (strlen(indices[k].name) == name.length && memcmp(name.text, indices[k].name, name.length) == 0)
                return (form){.at = poly_symbol(symbols_plain(&s->symbols, indices[k].kind, (unsigned)at / 4))};
    }
    const bool is_known = from.base != BASE_OWN && from.base != BASE_UNKNOWN && from.base != BASE_NONE &&
                          !ir_place_of(s->m, v->location, s->folder).in_header;
    const unsigned depends = is_known ? forms_depends_at(s, &from, v->block) : DEPENDS_UNKNOWN;
    if (v->bits == 0 && v->number == 8) /* it may be a pointer */
        return (form){.base = BASE_LOADED, .number = value, .depends = depends};
    return forms_other(s, value, depends);
}

static form called(forms *s, unsigned value) {
    const ir_value *v = &s->f->value[value];
    if (ir_is_named(v, "riffle_lint_warp_size")) return (form){.at = poly_constant(32)};
    if (ir_is_named(v, "riffle_lint_lane")) return (form){.at = rules_lane(&s->symbols)};
    const bool is_pure = v->name.length > 5 && memcmp(v->name.text, "llvm.", 5) == 0;
    return forms_other(s, value, is_pure ? forms_depends_of_operands(s, v) : DEPENDS_UNKNOWN);
}

static form plain(forms *s, unsigned value) {
    const ir_value *v = &s->f->value[value];
    switch (v->op) {
    case IR_CONSTANT: return (form){.at = poly_constant(v->number)};
    case IR_ARGUMENT:
        if (v->is_copy) return (form){.base = BASE_COPY, .number = value};
        if (v->bits > 0) return (form){.at = poly_symbol(symbols_plain(&s->symbols, SYMBOL_ARGUMENT, value))};
        return (form){.base = BASE_ARGUMENT, .number = value};
    case IR_GLOBAL: return (form){.base = BASE_GLOBAL, .number = (unsigned)v->number};
    case IR_ALLOCA: return (form){.base = BASE_OWN};
    case IR_GEP: return address(s, value);
    case IR_LOAD: return loaded(s, value);
    case IR_PHI: return recurrence_solve(s, value);
    case IR_CALL: return called(s, value);
    case IR_ATOMIC:
    case IR_STORE: return forms_other(s, value, DEPENDS_UNKNOWN);
    case IR_OTHER:
        if (v->block == IR_NONE) return forms_other(s, value, 0); /* a constant of no number */
        return forms_other(s, value, v->operands > 0 ? forms_depends_of_operands(s, v) : DEPENDS_UNKNOWN);
    default: return rules_apply(s, value);
    }
}

form forms_of(forms *s, unsigned value) {
    if (s->memo[value] != NULL) return *s->memo[value];
    if (s->solved[value] != NULL) return *s->solved[value];
    if (s->no_memory || s->depth > DEEPEST)
        return (form){.base = BASE_UNKNOWN, .depends = DEPENDS_UNKNOWN, .at = poly_broken};
    s->depth++;
    form one = plain(s, value);
    s->depth--;
    if (one.at.broken && one.base == BASE_NONE)
        one = forms_other(s, value, forms_depends_of_operands(s, &s->f->value[value]));
    forms_keep(s, value, &one);
    return one;
}

/* What decides when the loop ends. */
static unsigned depends_of_exit(forms *s, unsigned header) {
    unsigned all = 0;
    for (unsigned k = 0; k < s->g.blocks; k++) {
        const ir_block *b = &s->f->block[k];
        if (!graph_is_inside(&s->g, header, k)) continue;
        for (unsigned l = 0; l < b->nexts; l++) {
            if (graph_is_inside(&s->g, header, s->f->next[b->first_next + l])) continue;
            all |= b->condition != IR_NONE ? forms_depends(s, b->condition) : DEPENDS_UNKNOWN;
        }
    }
    return all;
}

static unsigned depends_of_poly_at(forms *s, const poly *a, unsigned block) {
    unsigned all = symbols_depends(&s->symbols, a);
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const symbol one = s->symbols.entry[a->term[k].symbol[d]];
            if (one.a != NULL) all |= depends_of_poly_at(s, one.a, block);
            if (one.b != NULL) all |= depends_of_poly_at(s, one.b, block);
            if (one.home == IR_NONE) continue;
            for (unsigned header = 0; header < s->g.blocks; header++)
                if (graph_is_inside(&s->g, header, one.home) && !graph_is_inside(&s->g, header, block))
                    all |= depends_of_exit(s, header);
        }
    }
    return all;
}

unsigned forms_depends_at(forms *s, const form *one, unsigned block) {
    return one->depends | depends_of_poly_at(s, &one->at, block);
}
