/* SPDX-License-Identifier: Apache-2.0 */
#include "program/text/tree.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/status.h"
#include "program/op.h"
#include "program/text/numbers.h"

/* ------------------------------------------------------------- operations */

#define OP_KIND(name, kind, bits, types, properties) {name, RIFFLE_OP_##kind},
static const struct {
    const char *name;
    riffle_op_kind kind;
} op_names[] = {EACH_OP(OP_KIND)};
enum { OP_NAMES = sizeof op_names / sizeof *op_names };

/* { expressions }: up to its closing brace. */
static riffle_status read_source(text_reader *in, text_node *node) {
    const char *begin = in->at;
    unsigned open = 1;
    for (; open > 0; in->at++) {
        if (*in->at == '\0' || strchr("\n;#\"'\\", *in->at) != NULL) break;
        open += *in->at == '{';
        open -= *in->at == '}';
    }
    if (open > 0)
        return text_fail(in->unit, begin - 1, RIFFLE_ERROR_SYNTAX,
                         "an operation is C expressions in braces, on one line, without ; # \" ' and \\");
    node->op = RIFFLE_OP_OWN;
    node->word = (text_word){begin, (size_t)(in->at - 1 - begin)};
    return RIFFLE_OK;
}

static riffle_status fail_op(text_reader *in, const char *at, text_word word) {
    char names[160] = "";
    nearest meant = nearest_to(word.at, word.length);
    for (unsigned k = 0; k < OP_NAMES; k++) nearest_try(&meant, op_names[k].name, strlen(op_names[k].name));
    const int shown = word.length < 40 ? (int)word.length : 40;
    if (meant.name != NULL)
        return text_fail(in->unit, at, RIFFLE_ERROR_SYNTAX, "there is no operation '%.*s'; did you mean '%s'?",
                         shown, word.at, meant.name);
    for (unsigned k = 0; k < OP_NAMES; k++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "", op_names[k].name);
    }
    return text_fail(in->unit, at, RIFFLE_ERROR_SYNTAX,
                     "there is no operation '%.*s'; there are %s, and {C expressions}", shown, word.at, names);
}

static riffle_status read_op(text_reader *in, text_node *node) {
    if (reader_accept(in, '(')) {
        riffle_status status = reader_enter(in);
        if (status == RIFFLE_OK) status = read_op(in, node);
        return status == RIFFLE_OK ? reader_leave(in, "')'") : status;
    }
    node->at = in->at;
    if (reader_accept(in, '{')) return read_source(in, node);
    if (!reader_begins_word(*in->at)) return reader_expected(in, "an operation, as minmax or {a + b, a - b}");
    const text_word word = reader_name(in);
    for (unsigned k = 0; k < OP_NAMES; k++) {
        if (!text_word_is(word, op_names[k].name)) continue;
        node->op = op_names[k].kind;
        if ((op_record_of(node->op)->properties & OP_PARAMETER) == 0) return RIFFLE_OK;
        return text_read_argument(in, &node->child);
    }
    return fail_op(in, word.at, word);
}

/* --------------------------------------------------------------- programs */

static riffle_status read_program(text_reader *in, text_node **out);
static riffle_status read_stage(text_reader *in, bool with_arguments, text_node **out);

static bool begins_part(text_reader *in) {
    reader_skip(in);
    return *in->at == '(' || *in->at == '~' || reader_begins_word(*in->at);
}

static riffle_status read_part(text_reader *in, text_node **out) {
    if (!begins_part(in)) return reader_expected(in, "a program: a name or '('");
    return read_stage(in, false, out);
}

static riffle_status read_parm(text_reader *in, text_node *node) {
    text_node *first, *second;
    riffle_status status = text_read_argument(in, &node->child);
    if (status == RIFFLE_OK) status = read_part(in, &first);
    if (status != RIFFLE_OK) return status;
    node->child->next = first;
    if (!begins_part(in)) return RIFFLE_OK;
    status = read_part(in, &second);
    if (status == RIFFLE_OK) first->next = second;
    return status;
}

static riffle_status read_group(text_reader *in, text_node *node) {
    text_node *bits;
    riffle_status status = text_read_argument(in, &bits);
    if (status == RIFFLE_OK) status = read_op(in, node);
    if (status != RIFFLE_OK) return status;
    node->group = -1;
    if (node->child != NULL) {
        node->child->next = bits;
    } else {
        node->child = bits;
    }
    return RIFFLE_OK;
}

/* The arguments of a call. */
static riffle_status read_arguments(text_reader *in, text_node *node) {
    text_node **end = &node->child;
    for (unsigned count = 0;; count++) {
        reader_skip(in);
        if (!isdigit((unsigned char)*in->at) && *in->at != '(' && !reader_begins_word(*in->at))
            return RIFFLE_OK;
        if (count == TEXT_MAX_ARGUMENTS)
            return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "more than %d arguments",
                             TEXT_MAX_ARGUMENTS);
        riffle_status status = text_read_argument(in, end);
        if (status != RIFFLE_OK) return status;
        end = &(*end)->next;
    }
}

/* A word of the permutation language: up to a space, '|' or ')'. */
static riffle_status read_spec(text_reader *in, const char *begin, text_node *node) {
    in->at += strcspn(in->at, " \t\r\n|)");
    node->kind = TEXT_SPEC;
    node->word = (text_word){begin, (size_t)(in->at - begin)};
    return RIFFLE_OK;
}

static const char *const spec_words[] = {"id", "identity", "reverse", "bit-reversal", "shuffle", "unshuffle"};
static const char *const keywords[] = {"parm", "pair", "map", "group"};
enum { SPEC_WORDS = sizeof spec_words / sizeof *spec_words, KEYWORDS = sizeof keywords / sizeof *keywords };

static bool is_among(text_word word, const char *const *words, unsigned count) {
    for (unsigned k = 0; k < count; k++)
        if (text_word_is(word, words[k])) return true;
    return false;
}

static bool is_spec_word(text_word word) { return is_among(word, spec_words, SPEC_WORDS); }
static bool is_keyword(text_word word) { return is_among(word, keywords, KEYWORDS); }

void text_try_words(nearest *meant) {
    for (unsigned k = 0; k < SPEC_WORDS; k++) nearest_try(meant, spec_words[k], strlen(spec_words[k]));
    for (unsigned k = 0; k < KEYWORDS; k++) nearest_try(meant, keywords[k], strlen(keywords[k]));
}

static riffle_status read_keyword(text_reader *in, text_node *node) {
    if (text_word_is(node->word, "parm")) {
        node->kind = TEXT_PARM;
        return read_parm(in, node);
    }
    node->kind = TEXT_APPLY;
    if (text_word_is(node->word, "group")) return read_group(in, node);
    node->group = text_word_is(node->word, "pair");
    return read_op(in, node);
}

static riffle_status read_parentheses(text_reader *in, text_node **out) {
    riffle_status status = reader_enter(in);
    if (status == RIFFLE_OK) status = read_program(in, out);
    return status == RIFFLE_OK ? reader_leave(in, "'|' or ')'") : status;
}

/* A stage; or, without arguments, what stands where a part does: there a name is all. */
static riffle_status read_stage(text_reader *in, bool with_arguments, text_node **out) {
    if (reader_accept(in, '(')) return read_parentheses(in, out);
    riffle_status status = reader_node(in, TEXT_CALL, in->at, out);
    if (status != RIFFLE_OK) return status;
    text_node *node = *out;
    if (*in->at == '~' || *in->at == '[')
        return read_spec(in, in->at, node); /* says of a list what is missing */
    if (!reader_begins_word(*in->at)) return reader_expected(in, "a program");
    node->word = reader_name(in);
    if (*in->at == ':' || is_spec_word(node->word)) return read_spec(in, node->word.at, node);
    if (is_keyword(node->word)) {
        if (with_arguments) return read_keyword(in, node);
        return text_fail(in->unit, node->at, RIFFLE_ERROR_SYNTAX,
                         "'%.*s' and what follows it go into parentheses here", (int)node->word.length,
                         node->word.at);
    }
    return with_arguments ? read_arguments(in, node) : RIFFLE_OK;
}

static riffle_status read_program(text_reader *in, text_node **out) {
    text_node *first;
    riffle_status status = read_stage(in, true, &first);
    if (status != RIFFLE_OK || !reader_accept(in, '|')) {
        *out = first;
        return status;
    }
    status = reader_node(in, TEXT_THEN, first->at, out);
    if (status != RIFFLE_OK) return status;
    (*out)->child = first;
    text_node *last = first;
    do {
        status = read_stage(in, true, &last->next);
        if (status != RIFFLE_OK) return status;
        last = last->next;
    } while (reader_accept(in, '|'));
    return RIFFLE_OK;
}

/* ------------------------------------------------------------ definitions */

static riffle_status read_pattern(text_reader *in, text_definition *definition) {
    for (;;) {
        reader_skip(in);
        if (!isdigit((unsigned char)*in->at) && !reader_begins_word(*in->at)) return RIFFLE_OK;
        if (definition->count == TEXT_MAX_ARGUMENTS)
            return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "more than %d arguments",
                             TEXT_MAX_ARGUMENTS);
        text_node *pattern;
        riffle_status status = text_read_atom(in, &pattern);
        if (status != RIFFLE_OK) return status;
        definition->pattern[definition->count++] = *pattern;
    }
}

static riffle_status read_definition(text_reader *in, text_definition *definition) {
    if (!reader_begins_word(*in->at)) return reader_expected(in, "the name of a definition");
    definition->name = reader_name(in);
    if (is_keyword(definition->name) || is_spec_word(definition->name))
        return text_fail(in->unit, definition->name.at, RIFFLE_ERROR_SYNTAX,
                         "'%.*s' has a meaning already; choose another name", (int)definition->name.length,
                         definition->name.at);
    riffle_status status = read_pattern(in, definition);
    if (status != RIFFLE_OK) return status;
    if (!reader_accept(in, '=')) return reader_expected(in, "a number, a name or '='");
    status = read_program(in, &definition->body);
    if (status != RIFFLE_OK) return status;
    reader_skip(in);
    return *in->at == '\n' || *in->at == '\0' ? RIFFLE_OK : reader_expected(in, "'|' or the end of the line");
}

riffle_status text_read_definitions(text_unit *unit) {
    text_reader in = {.unit = unit, .at = unit->text, .by_line = true};
    for (;;) {
        reader_skip(&in);
        if (*in.at == '\0') return RIFFLE_OK;
        if (*in.at == '\n') {
            in.at++;
            continue;
        }
        text_definition *definition = reader_allocate(&in, sizeof *definition);
        if (definition == NULL) return fail_memory("definitions", sizeof *definition);
        riffle_status status = read_definition(&in, definition);
        if (status != RIFFLE_OK) return status;
        if (unit->last != NULL) unit->last->next = definition;
        if (unit->first == NULL) unit->first = definition;
        unit->last = definition;
    }
}

riffle_status text_read_program(text_unit *unit) {
    text_reader in = {.unit = unit, .at = unit->text};
    riffle_status status = read_program(&in, &unit->program);
    if (status != RIFFLE_OK) return status;
    reader_skip(&in);
    return *in.at == '\0' ? RIFFLE_OK : reader_expected(&in, "'|' or the end");
}
