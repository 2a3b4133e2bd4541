/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "machine/lint/claims/bounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "machine/lint/claims/launches.h"
#include "machine/lint/proofs/facts.h"
#include "machine/lint/llvm/walk.h"

const char *const bounds_verdict_names[BOUNDS_VERDICTS] = {[BOUNDS_PROVED] = "proved",
                                                           [BOUNDS_NO_LENGTH] = "no-length",
                                                           [BOUNDS_OPEN] = "open",
                                                           [BOUNDS_REFUTED] = "refuted"};

/* ---- lengths */

/* Bytes of an array: a number, or the value that the job's words have become. */
typedef struct length {
    bool known;
    unsigned value; /* IR_NONE: `bytes` */
    int64_t bytes;
} length;

static length length_of(forms *s, const access_site *site) {
    const form *at = &site->address;
    if (at->base == BASE_GLOBAL) {
        const uint64_t bytes = s->m->global[at->number].bytes;
        return (length){bytes > 0 && bytes <= INT64_MAX, IR_NONE, (int64_t)bytes};
    }
    for (unsigned k = 0; at->base == BASE_ARGUMENT && k < s->f->values; k++) {
        const ir_value *v = &s->f->value[k];
        if (v->op != IR_CALL || v->operands != 2 || !ir_is_named(v, "riffle_lint_length")) continue;
        const form of = forms_of(s, ir_operand_of(s->f, v, 0)->value);
        if (of.base == BASE_ARGUMENT && of.number == at->number)
            return (length){true, ir_operand_of(s->f, v, 1)->value, 0};
    }
    return (length){false, IR_NONE, 0};
}

/* ---- proofs */

static bool is_read_from_memory(const forms *s, const poly *a) {
    for (unsigned k = 0; k < a->terms; k++) {
        for (unsigned d = 0; d < POLY_DEGREE; d++) {
            const symbol *one = &s->symbols.entry[a->term[k].symbol[d]];
            if (one->kind == SYMBOL_OTHER && s->f->value[one->value].op == IR_LOAD) return true;
            if (one->a != NULL && is_read_from_memory(s, one->a)) return true;
            if (one->b != NULL && is_read_from_memory(s, one->b)) return true;
        }
    }
    return false;
}

static bounds prove_site(forms *s, const access_site *site, const length *of, const unsigned side[3]) {
    const form bytes = of->value == IR_NONE ? (form){.at = poly_constant(of->bytes)} : forms_of(s, of->value);
    if (site->address.at.broken || bytes.base != BASE_NONE)
        return (bounds){BOUNDS_OPEN, "its index is no sum of products", NULL};
    const poly extent = poly_constant(site->extent);
    poly left = poly_add(&bytes.at, &extent, -1);
    left = poly_add(&left, &site->address.at, -1);
    facts known;
    facts_find(s, s->f->value[site->value].block, side, &known);
    if (of->value != IR_NONE && !facts_never_wrap(s, &known, of->value))
        return (bounds){BOUNDS_OPEN, "a number in its length may wrap around", NULL};
    if (!facts_never_wrap(s, &known, site->pointer))
        return (bounds){BOUNDS_OPEN, "a number in its index may wrap around", NULL};
    if (facts_prove(s, &known, &site->address.at) && facts_prove(s, &known, &left))
        return (bounds){BOUNDS_PROVED, "", NULL};
    if (is_read_from_memory(s, &site->address.at))
        return (bounds){BOUNDS_OPEN, "its index has what is read from memory", NULL};
    return (bounds){BOUNDS_OPEN, "neither a proof nor an example was found", NULL};
}

/* ---- examples */

typedef struct trial {
    forms *s;
    const sites *found;
    const length *of;
    bounds *out;
    walk w;
    int64_t *at; /* of each site, where it is out of bounds */
    bool *is_out;
    unsigned visits;
    bool is_refused; /* something that the source assumes does not hold */
} trial;

static void look(trial *t, size_t k) {
    const access_site *site = &t->found->site[k];
    const walk_value at = walk_value_of(&t->w, site->pointer);
    int64_t bytes = t->of[k].bytes;
    const walk_kind kind = site->address.base == BASE_GLOBAL ? WALK_GLOBAL : WALK_ARGUMENT;
    if (at.kind != kind || at.base != site->address.number || t->is_out[k]) return;
    if (t->of[k].value != IR_NONE) {
        const walk_value said = walk_value_of(&t->w, t->of[k].value);
        const form exact = forms_of(t->s, t->of[k].value);
        if (said.kind != WALK_NUMBER || launches_overflow(&t->s->symbols, &t->w, &exact.at, said.at)) return;
        bytes = said.at;
    }
    t->is_out[k] = at.at < 0 || site->extent > bytes || at.at > bytes - site->extent;
    t->at[k] = at.at;
}

static bool see(void *context, unsigned block) {
    trial *t = context;
    const forms *s = t->s;
    t->visits++;
    for (unsigned k = t->w.first[block]; k < t->w.first[block + 1]; k++) {
        const ir_value *v = &s->f->value[t->w.inside[k]];
        if (v->op != IR_CALL || v->operands != 1 || !ir_is_named(v, "llvm.assume")) continue;
        const walk_value assumed = walk_value_of(&t->w, ir_operand_of(s->f, v, 0)->value);
        t->is_refused |= assumed.kind != WALK_NUMBER || assumed.at == 0;
    }
    for (size_t k = 0; k < t->found->count && !t->is_refused; k++)
        if (t->of[k].known && s->f->value[t->found->site[k].value].block == block) look(t, k);
    return !t->is_refused;
}

static char *write_example(trial *t, size_t k) {
    const int64_t bytes = t->found->site[k].bytes, at = t->at[k], end = t->of[k].bytes;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    const walk_value said = t->of[k].value != IR_NONE ? walk_value_of(&t->w, t->of[k].value) : (walk_value){.at = end};
    fprintf(out, "element %" PRId64 " of %" PRId64 " where ", at / bytes - (at % bytes < 0), said.at / bytes);
    launches_say(&t->w, out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

/* One launch: false without memory. */
static bool try_one(trial *t, unsigned blocks) {
    const forms *s = t->s;
    for (size_t k = 0; k < t->found->count; k++) t->is_out[k] = false;
    t->is_refused = false;
    walk_run(&t->w, blocks, see, t);
    for (size_t k = 0; k < t->found->count && !t->is_refused; k++) {
        if (!t->is_out[k] || t->out[k].verdict == BOUNDS_REFUTED) continue;
        t->out[k] = (bounds){BOUNDS_REFUTED, "", write_example(t, k)};
        if (t->out[k].example == NULL) return false;
    }
    return !s->no_memory;
}

static size_t count_open(const trial *t) {
    size_t open = 0;
    for (size_t k = 0; k < t->found->count; k++) open += t->out[k].verdict == BOUNDS_OPEN;
    return open;
}

/* Launches that are drawn, small ones first. What has been proved is tried too, for a while: a proof is one of integers that fit. */
static bool try_launches(trial *t, const unsigned side[3]) {
    enum { MOST_LAUNCHES = 6000, FEW_LAUNCHES = 300, MOST_VISITS = 400000, A_RUN = 800 };
    launches drawn;
    launches_begin(&drawn, t->s, side);
    for (unsigned k = 0; k < MOST_LAUNCHES && t->visits < MOST_VISITS; k++) {
        if (k >= FEW_LAUNCHES && count_open(t) == 0) return true;
        launches_draw(&drawn, k, &t->w);
        if (!try_one(t, A_RUN)) return false;
    }
    return true;
}

static riffle_status refuse(const forms *s, const unsigned side[3]) {
    const ir_name kernel = ir_source_name(s->m, s->f);
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "kernel %.*s: its __launch_bounds__ take fewer threads a block than %u; CUDA refuses such a launch, so give a smaller block",
                (int)kernel.length, kernel.text, side[0] * side[1] * side[2]);
}

riffle_status bounds_judge(forms *s, const sites *found, const unsigned side[3], bounds *out) {
    length *of = calloc(found->count + 1, sizeof *of);
    trial t = {.s = s, .found = found, .of = of, .out = out};
    t.at = calloc(found->count + 1, sizeof *t.at);
    t.is_out = calloc(found->count + 1, sizeof *t.is_out);
    riffle_status status = RIFFLE_OK;
    bool right = of != NULL && t.at != NULL && t.is_out != NULL, any = false;
    for (size_t k = 0; k < found->count && right; k++) {
        of[k] = length_of(s, &found->site[k]);
        out[k] = (bounds){BOUNDS_NO_LENGTH, "", NULL};
        if (of[k].known) out[k] = prove_site(s, &found->site[k], &of[k], side);
        any |= of[k].known;
    }
    if (right && side[0] > 0) {
        walk first;
        const bool begun = walk_begin(&first, s->m, s->f) == RIFFLE_OK, refused = begun && launches_are_refused(s, &first, side);
        walk_free(&first);
        right = begun;
        if (refused) status = refuse(s, side);
    }
    if (right && any && status == RIFFLE_OK) {
        right = walk_begin(&t.w, s->m, s->f) == RIFFLE_OK && try_launches(&t, side);
        walk_free(&t.w);
    }
    free(of);
    free(t.at);
    free(t.is_out);
    return right ? status : fail_memory("a kernel's launches", found->count);
}
