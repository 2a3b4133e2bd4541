/* SPDX-License-Identifier: Apache-2.0 */
#include "program/text/expand.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/status.h"
#include "program/op.h"
#include "program/term.h"

enum { MOST_CALLS = 512 }; /* within each other */

static const double LARGEST = 9007199254740992.0; /* 2^53: up to here doubles have every integer */

/* The call that is being expanded: whose text, with which numbers. */
typedef struct call {
    const text_unit *unit, *const *units; /* units: where its names are looked for, ended by NULL */
    const text_definition *definition;    /* NULL in the program itself */
    double value[TEXT_MAX_ARGUMENTS];
    unsigned n;            /* log2 of the array's length */
    unsigned depth;        /* depth of calls */
    double bits;           /* the program's: what `n` is there */
    const text_unit *user; /* for a call within the library: the text that called it, and where; else NULL */
    const char *user_at;
} call;

/* Where messages point: users know their own texts, not the library's. */
static const text_unit *shown(const call *c, const char **at) {
    if (c->user == NULL) return c->unit;
    *at = c->user_at;
    return c->user;
}

/* "merge 3" */
static void print_call(const call *c, size_t room, char *out) {
    const text_word name = c->definition->name;
    snprintf(out, room, "%.*s", name.length < 40 ? (int)name.length : 40, name.at);
    for (unsigned k = 0; k < c->definition->count; k++) {
        const size_t used = strlen(out);
        snprintf(out + used, room - used, " %.17g", c->value[k]);
    }
}

__attribute__((format(printf, 4, 5))) static riffle_status
fail_in(const call *c, const char *at, riffle_status status, const char *format, ...) {
    char message[512], where[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const text_unit *const unit = shown(c, &at);
    if (c->definition == NULL) return text_fail(unit, at, status, "%s", message);
    print_call(c, sizeof where, where);
    return text_fail(unit, at, status, "%s (in '%s')", message, where);
}

/* The failure of a constructor, with its place. */
static riffle_status fail_as_it_did(const call *c, const char *at, riffle_status status) {
    char detail[512];
    snprintf(detail, sizeof detail, "%s", riffle_error_detail());
    return fail_in(c, at, status, "%s", detail);
}

/* ---------------------------------------------------------------- numbers */

static riffle_status number_of(const call *c, const text_node *node, double *out);

static riffle_status value_of_variable(const call *c, const text_node *node, double *out) {
    if (c->definition == NULL && text_word_is(node->word, "n")) {
        *out = c->bits;
        return RIFFLE_OK;
    }
    for (unsigned k = 0; c->definition != NULL && k < c->definition->count; k++) {
        const text_node *pattern = &c->definition->pattern[k];
        if (pattern->kind != TEXT_VARIABLE || pattern->word.length != node->word.length ||
            memcmp(pattern->word.at, node->word.at, node->word.length) != 0)
            continue;
        *out = c->value[k];
        return RIFFLE_OK;
    }
    return fail_in(c, node->at, RIFFLE_ERROR_SYNTAX, "there is no number '%.*s' here; %s",
                   node->word.length < 40 ? (int)node->word.length : 40, node->word.at,
                   c->definition == NULL ? "in a program it is n, the number of index bits"
                                         : "a definition knows its own arguments only");
}

static double combine(text_kind kind, double left, double right) {
    switch (kind) {
    case TEXT_SUM: return left + right;
    case TEXT_DIFFERENCE: return left - right;
    case TEXT_PRODUCT: return left * right;
    case TEXT_QUOTIENT: return left / right;
    default: return pow(left, right);
    }
}

static riffle_status number_of(const call *c, const text_node *node, double *out) {
    double left, right = 0;
    riffle_status status;
    switch (node->kind) {
    case TEXT_NUMBER: *out = node->number; break;
    case TEXT_VARIABLE:
        status = value_of_variable(c, node, out);
        if (status != RIFFLE_OK) return status;
        break;
    default:
        status = number_of(c, node->child, &left);
        if (status == RIFFLE_OK && node->kind != TEXT_NEGATIVE)
            status = number_of(c, node->child->next, &right);
        if (status != RIFFLE_OK) return status;
        *out = node->kind == TEXT_NEGATIVE ? -left : combine(node->kind, left, right);
    }
    if (isfinite(*out) && fabs(*out) <= LARGEST) return RIFFLE_OK;
    return fail_in(c, node->at, RIFFLE_ERROR_SYNTAX, "this number is %g; numbers go to 2^53", *out);
}

/* A number that must be an integer from 0 to `most`. */
static riffle_status integer_of(const call *c, const text_node *node, const char *what, uint64_t most,
                                uint64_t *out) {
    double value;
    riffle_status status = number_of(c, node, &value);
    if (status != RIFFLE_OK) return status;
    if (value != floor(value) || value < 0 || value > (double)most)
        return fail_in(c, node->at, RIFFLE_ERROR_SYNTAX, "%s is %.17g; it is an integer from 0 to %" PRIu64,
                       what, value, most);
    *out = (uint64_t)value;
    return RIFFLE_OK;
}

/* --------------------------------------------------------------- programs */

static riffle_status expand(const call *c, const text_node *node, riffle_program **out);

static riffle_status expand_then(const call *c, const text_node *node, riffle_program **out) {
    riffle_program *all;
    riffle_status status = expand(c, node->child, &all);
    if (status != RIFFLE_OK) return status;
    for (const text_node *stage = node->child->next; stage != NULL; stage = stage->next) {
        riffle_program *next = NULL, *both;
        status = expand(c, stage, &next);
        if (status == RIFFLE_OK) {
            status = riffle_program_then(all, next, &both);
            if (status != RIFFLE_OK) status = fail_as_it_did(c, stage->at, status);
        }
        riffle_program_free(all);
        riffle_program_free(next);
        if (status != RIFFLE_OK) return status;
        all = both;
    }
    *out = all;
    return RIFFLE_OK;
}

static riffle_status check_mask(const call *c, const text_node *node, uint64_t *out) {
    uint64_t mask = 0;
    if (c->n == 0)
        return fail_in(
            c, node->at, RIFFLE_ERROR_LENGTH,
            "parm halves an array, and here it has 1 element; a definition for this case may be missing");
    riffle_status status = integer_of(c, node->child, "parm's mask", (uint64_t)1 << RIFFLE_MAX_BITS, &mask);
    if (status != RIFFLE_OK) return status;
    if (mask == 0 || mask >> c->n != 0)
        return fail_in(c, node->child->at, RIFFLE_ERROR_INVALID_ARGUMENT,
                       "parm's mask is %" PRIu64 "; of an array of 2^%u elements it is from 1 to %" PRIu64,
                       mask, c->n, ((uint64_t)1 << c->n) - 1);
    *out = mask;
    return RIFFLE_OK;
}

static riffle_status expand_parm(const call *c, const text_node *node, riffle_program **out) {
    uint64_t mask = 0;
    riffle_status status = check_mask(c, node, &mask);
    if (status != RIFFLE_OK) return status;
    const text_node *one = node->child->next, *other = one->next;
    call inner = *c;
    inner.n--;
    riffle_program *first = NULL, *second = NULL;
    status = expand(&inner, one, &first);
    if (status == RIFFLE_OK && other != NULL) status = expand(&inner, other, &second);
    if (status == RIFFLE_OK) {
        status = riffle_program_parm(mask, first, other != NULL ? second : first, out);
        if (status != RIFFLE_OK) status = fail_as_it_did(c, node->at, status);
    }
    riffle_program_free(first);
    riffle_program_free(second);
    return status;
}

static riffle_status expand_own(const text_node *node, unsigned bits, unsigned n, const program_place *place,
                                riffle_program **out) {
    char *source = strndup(node->word.at, node->word.length);
    if (source == NULL) return fail_memory("an operation's source", node->word.length);
    riffle_status status =
        program_apply_at(n, bits, &(riffle_op){.kind = RIFFLE_OP_OWN, .source = source}, place, out);
    free(source);
    return status;
}

static riffle_status expand_apply(const call *c, const text_node *node, riffle_program **out) {
    const text_node *argument = node->child;
    riffle_op op = {.kind = node->op};
    uint64_t bits = (uint64_t)node->group;
    riffle_status status = RIFFLE_OK;
    if (op.kind != RIFFLE_OP_OWN && (op_record_of(op.kind)->properties & OP_PARAMETER) != 0) {
        status = number_of(c, argument, &op.parameter);
        argument = argument->next;
    }
    if (status == RIFFLE_OK && node->group < 0)
        status = integer_of(c, argument, "the number of bits of a group", RIFFLE_PROGRAM_GROUP_BITS, &bits);
    if (status != RIFFLE_OK) return status;
    const char *at = node->at;
    const text_unit *const unit = shown(c, &at);
    program_place place = {.text = unit->name};
    text_place(unit, at, &place.line, &place.column);
    status = op.kind == RIFFLE_OP_OWN ? expand_own(node, (unsigned)bits, c->n, &place, out)
                                      : program_apply_at(c->n, (unsigned)bits, &op, &place, out);
    return status == RIFFLE_OK ? status : fail_as_it_did(c, node->at, status);
}

static riffle_status expand_spec(const call *c, const text_node *node, riffle_program **out) {
    if (text_word_is(node->word, "id")) return program_identity(c->n, out);
    char *spec = strndup(node->word.at, node->word.length);
    if (spec == NULL) return fail_memory("a permutation's text", node->word.length);
    riffle_perm *perm = NULL;
    riffle_status status = riffle_perm_parse(spec, (uint64_t)1 << c->n, &perm);
    if (status == RIFFLE_OK) status = riffle_program_move(perm, out);
    riffle_perm_free(perm);
    free(spec);
    return status == RIFFLE_OK ? status : fail_as_it_did(c, node->at, status);
}

static bool matches(const text_definition *definition, unsigned count, const double *values) {
    if (definition->count != count) return false;
    for (unsigned k = 0; k < count; k++) {
        const text_node *pattern = &definition->pattern[k];
        if (pattern->kind == TEXT_NUMBER ? pattern->number != values[k]
                                         : values[k] < 0 || values[k] != floor(values[k]))
            return false;
    }
    return true;
}

static bool same_word(text_word a, text_word b) {
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static bool is_defined(const call *c, text_word name) {
    for (unsigned unit = 0; c->units[unit] != NULL; unit++)
        for (const text_definition *d = c->units[unit]->first; d != NULL; d = d->next)
            if (same_word(d->name, name)) return true;
    return false;
}

/* The first definition of this name that takes these numbers. Where a unit has the name, those after it are not asked. */
static const text_definition *find(const call *c, text_word name, unsigned count, const double *values,
                                   unsigned *unit) {
    bool named = false;
    for (*unit = 0; c->units[*unit] != NULL && !named; ++*unit) {
        for (const text_definition *d = c->units[*unit]->first; d != NULL; d = d->next) {
            if (!same_word(d->name, name)) continue;
            named = true;
            if (matches(d, count, values)) return d;
        }
    }
    return NULL;
}

static riffle_status fail_unknown(const call *c, const text_node *node) {
    nearest meant = nearest_to(node->word.at, node->word.length);
    for (unsigned unit = 0; c->units[unit] != NULL; unit++)
        for (const text_definition *d = c->units[unit]->first; d != NULL; d = d->next)
            nearest_try(&meant, d->name.at, d->name.length);
    text_try_words(&meant);
    const int length = node->word.length < 40 ? (int)node->word.length : 40;
    if (meant.name == NULL)
        return fail_in(c, node->at, RIFFLE_ERROR_SYNTAX,
                       "there is no definition of '%.*s'; 'riffle run --help' says what the library has",
                       length, node->word.at);
    return fail_in(c, node->at, RIFFLE_ERROR_SYNTAX, "there is no definition of '%.*s'; did you mean '%.*s'?",
                   length, node->word.at, (int)meant.name_length, meant.name);
}

/* The name's last definition, if none of them takes so many numbers; else NULL. */
static const text_definition *other_count(const call *c, text_word name, unsigned count) {
    const text_definition *found = NULL;
    for (unsigned unit = 0; c->units[unit] != NULL && found == NULL; unit++) {
        for (const text_definition *d = c->units[unit]->first; d != NULL; d = d->next) {
            if (!same_word(d->name, name)) continue;
            if (d->count == count) return NULL;
            found = d;
        }
    }
    return found;
}

/* "sort n", as the definition begins. */
static void print_form(const text_definition *definition, size_t room, char *out) {
    snprintf(out, room, "%.*s", definition->name.length < 40 ? (int)definition->name.length : 40,
             definition->name.at);
    for (unsigned k = 0; k < definition->count; k++) {
        const text_node *const pattern = &definition->pattern[k];
        const size_t used = strlen(out);
        if (pattern->kind == TEXT_NUMBER)
            snprintf(out + used, room - used, " %.17g", pattern->number);
        else
            snprintf(out + used, room - used, " %.*s",
                     pattern->word.length < 40 ? (int)pattern->word.length : 40, pattern->word.at);
    }
}

static riffle_status fail_undefined(const call *c, const text_node *node, unsigned count,
                                    const double *values) {
    const int length = node->word.length < 40 ? (int)node->word.length : 40;
    const text_definition *const other = other_count(c, node->word, count);
    char form[160];
    char numbers[128] = "";
    for (unsigned k = 0; k < count; k++) {
        const size_t used = strlen(numbers);
        snprintf(numbers + used, sizeof numbers - used, " %.17g", values[k]);
    }
    if (other != NULL) print_form(other, sizeof form, form);
    if (other != NULL && count == 0)
        return fail_in(c, node->at, RIFFLE_ERROR_SYNTAX, "'%.*s' lacks its number%s; did you mean '%s'?",
                       length, node->word.at, other->count == 1 ? "" : "s", form);
    if (other != NULL) {
        return fail_in(c, node->at, RIFFLE_ERROR_SYNTAX,
                       "no definition of '%.*s' takes '%.*s%s': did you mean '%s'?", length, node->word.at,
                       length, node->word.at, numbers, form);
    }
    return fail_in(c, node->at, RIFFLE_ERROR_SYNTAX,
                   "no definition of '%.*s' takes '%.*s%s': a name takes integers from 0 on, a number itself",
                   length, node->word.at, length, node->word.at, numbers);
}

/* True if a number asks for more index bits than the array has. */
static bool is_for_more_bits(const call *inner) {
    for (unsigned k = 0; k < inner->definition->count; k++)
        if (inner->value[k] > inner->n) return true;
    return false;
}

/* Users know what they called, not the step in the library's text that has no elements left. */
static riffle_status fail_for_more_bits(const call *c, const text_node *node, const call *inner,
                                        riffle_status status) {
    char called[160], meant[32];
    const unsigned less = (unsigned)c->bits - c->n;
    print_call(inner, sizeof called, called);
    if (c->definition != NULL)
        snprintf(meant, sizeof meant, "%u", c->n);
    else if (less > 0)
        snprintf(meant, sizeof meant, "(n-%u)", less);
    else
        snprintf(meant, sizeof meant, "n");
    return fail_in(c, node->at, status, "'%s' is for more than the 2^%u elements here; did you mean '%.*s %s'?",
                   called, c->n, (int)inner->definition->name.length, inner->definition->name.at, meant);
}

static riffle_status expand_call(const call *c, const text_node *node, riffle_program **out) {
    call inner = {.n = c->n, .depth = c->depth + 1};
    unsigned count = 0, unit;
    if (!is_defined(c, node->word)) return fail_unknown(c, node);
    for (const text_node *argument = node->child; argument != NULL; argument = argument->next) {
        riffle_status status = number_of(c, argument, &inner.value[count++]);
        if (status != RIFFLE_OK) return status;
    }
    inner.definition = find(c, node->word, count, inner.value, &unit);
    if (inner.definition == NULL) return fail_undefined(c, node, count, inner.value);
    if (inner.depth > MOST_CALLS)
        return fail_in(c, node->at, RIFFLE_ERROR_UNSUPPORTED,
                       "more than %d definitions within each other: this recursion does not end", MOST_CALLS);
    inner.units = c->units + unit; /* a definition knows its own text and what comes after it */
    inner.unit = c->units[unit];
    const bool is_library = inner.units[1] == NULL;
    inner.user_at = node->at;
    inner.user = is_library ? shown(c, &inner.user_at) : NULL;
    const riffle_status status = expand(&inner, inner.definition->body, out);
    const bool is_called_by_user = is_library && c->user == NULL;
    if (status == RIFFLE_OK || status == RIFFLE_ERROR_OUT_OF_MEMORY) return status;
    return is_called_by_user && is_for_more_bits(&inner) ? fail_for_more_bits(c, node, &inner, status) : status;
}

static riffle_status expand(const call *c, const text_node *node, riffle_program **out) {
    switch (node->kind) {
    case TEXT_THEN: return expand_then(c, node, out);
    case TEXT_PARM: return expand_parm(c, node, out);
    case TEXT_APPLY: return expand_apply(c, node, out);
    case TEXT_SPEC: return expand_spec(c, node, out);
    default: return expand_call(c, node, out);
    }
}

riffle_status text_expand(const text_unit *program, const text_unit *definitions, const text_unit *library,
                          unsigned n, riffle_program **out) {
    const text_unit *both[] = {definitions, library, NULL};
    const call c = {.unit = program, .units = definitions != NULL ? both : both + 1, .n = n, .bits = n};
    return expand(&c, program->program, out);
}
