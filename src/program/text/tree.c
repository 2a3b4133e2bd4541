/* SPDX-License-Identifier: Apache-2.0 */
#include "program/text/tree.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "program/op.h"

enum { MOST_NESTED = 64, BLOCK_BYTES = 16384 };

struct text_block {
    text_block *next;
    size_t used;
    _Alignas(16) char bytes[BLOCK_BYTES];
};

/* Where the reader stands. In definitions a newline ends one, unless the next line begins with a space. */
typedef struct reader {
    text_unit *unit;
    const char *at;
    bool by_line;
    unsigned nested;
} reader;

/* ----------------------------------------------------------------- errors */

void text_place(const text_unit *unit, const char *at, unsigned *line, unsigned *column) {
    *line = *column = 1;
    for (const char *c = unit->text; c < at; c++) {
        if (*c == '\n') {
            ++*line;
            *column = 1;
        } else {
            *column += ((unsigned char)*c & 0xC0) != 0x80; /* characters, not bytes */
        }
    }
}

riffle_status text_fail(const text_unit *unit, const char *at, riffle_status status, const char *format, ...) {
    char message[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    unsigned line, column;
    text_place(unit, at, &line, &column);
    return fail(status, "%s, line %u, character %u: %s", unit->name, line, column, message);
}

static void skip_blanks(reader *in) {
    for (;; in->at++) {
        if (*in->at == '#') in->at += strcspn(in->at, "\n");
        if (*in->at == '\n' && in->by_line && in->at[1] != ' ' && in->at[1] != '\t') return;
        if (*in->at == '\0' || strchr(" \t\r\n", *in->at) == NULL) return;
    }
}

static riffle_status fail_expected(reader *in, const char *expected) {
    skip_blanks(in);
    const unsigned char found = (unsigned char)*in->at;
    if (found == '\0')
        return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "expected %s, found the end", expected);
    if (found == '\n')
        return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "expected %s, found the end of the line",
                         expected);
    if (isprint(found))
        return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "expected %s, found '%c'", expected, found);
    return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "expected %s, found the byte 0x%02x", expected,
                     found);
}

/* ----------------------------------------------------------------- memory */

static void *allocate(reader *in, size_t bytes) {
    text_unit *unit = in->unit;
    bytes = (bytes + 15) / 16 * 16;
    if (unit->blocks == NULL || unit->blocks->used + bytes > BLOCK_BYTES) {
        text_block *block = malloc(sizeof *block);
        if (block == NULL) return NULL;
        block->next = unit->blocks;
        block->used = 0;
        unit->blocks = block;
    }
    void *room = unit->blocks->bytes + unit->blocks->used;
    unit->blocks->used += bytes;
    return memset(room, 0, bytes);
}

static riffle_status new_node(reader *in, text_kind kind, const char *at, text_node **out) {
    *out = allocate(in, sizeof **out);
    if (*out == NULL) return fail_memory("a program's text", sizeof **out);
    (*out)->kind = kind;
    (*out)->at = at;
    return RIFFLE_OK;
}

void text_free(text_unit *unit) {
    while (unit->blocks != NULL) {
        text_block *next = unit->blocks->next;
        free(unit->blocks);
        unit->blocks = next;
    }
}

/* ----------------------------------------------------------------- tokens */

static bool accept(reader *in, char token) {
    skip_blanks(in);
    if (*in->at != token) return false;
    in->at++;
    return true;
}

static bool begins_word(char c) { return isalpha((unsigned char)c) || c == '_'; }
static bool within_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* A name of a number: n. */
static text_word read_variable(reader *in) {
    text_word word = {in->at, 0};
    while (within_word(*in->at)) in->at++;
    word.length = (size_t)(in->at - word.at);
    return word;
}

/* A name of a program: bit-reversal. A dash before a letter belongs to it. */
static text_word read_name(reader *in) {
    text_word word = {in->at, 0};
    while (within_word(*in->at) || (*in->at == '-' && begins_word(in->at[1]))) in->at++;
    word.length = (size_t)(in->at - word.at);
    return word;
}

bool text_word_is(text_word word, const char *name) {
    return strlen(name) == word.length && memcmp(name, word.at, word.length) == 0;
}

static riffle_status enter(reader *in) {
    if (in->nested == MOST_NESTED)
        return text_fail(in->unit, in->at - 1, RIFFLE_ERROR_SYNTAX, "parentheses are nested more than %d deep",
                         MOST_NESTED);
    in->nested++;
    return RIFFLE_OK;
}

static riffle_status leave(reader *in, const char *expected) {
    in->nested--;
    return accept(in, ')') ? RIFFLE_OK : fail_expected(in, expected);
}

/* ---------------------------------------------------------------- numbers */

static riffle_status read_sum(reader *in, text_node **out);

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
    return 16;
}

static double read_digits(reader *in, unsigned base, unsigned *count) {
    double value = 0;
    for (; digit_value(*in->at) < base; in->at++, ++*count) value = value * base + digit_value(*in->at);
    return value;
}

/* Decimal with or without a fraction, 0x... or 0b... */
static riffle_status read_literal(reader *in, text_node **out) {
    const char *begin = in->at;
    const bool hex = in->at[0] == '0' && in->at[1] == 'x', binary = in->at[0] == '0' && in->at[1] == 'b';
    unsigned digits = 0;
    if (hex || binary) in->at += 2;
    double value = read_digits(in, hex ? 16 : binary ? 2 : 10, &digits);
    if (!hex && !binary && *in->at == '.') {
        in->at++;
        unsigned places = 0;
        const double fraction = read_digits(in, 10, &places);
        value += fraction / pow(10, places);
    }
    if (digits == 0 || within_word(*in->at))
        return text_fail(in->unit, begin, RIFFLE_ERROR_SYNTAX,
                         "this is no number: write it as 12, 0x1f, 0b101 or 0.5");
    riffle_status status = new_node(in, TEXT_NUMBER, begin, out);
    if (status == RIFFLE_OK) (*out)->number = value;
    return status;
}

static riffle_status read_atom(reader *in, text_node **out) {
    skip_blanks(in);
    if (isdigit((unsigned char)*in->at)) return read_literal(in, out);
    if (begins_word(*in->at)) {
        riffle_status status = new_node(in, TEXT_VARIABLE, in->at, out);
        if (status == RIFFLE_OK) (*out)->word = read_variable(in);
        return status;
    }
    if (!accept(in, '(')) return fail_expected(in, "a number, a name or '('");
    riffle_status status = enter(in);
    if (status == RIFFLE_OK) status = read_sum(in, out);
    return status == RIFFLE_OK ? leave(in, "an operator or ')'") : status;
}

static riffle_status join(reader *in, text_kind kind, const char *at, text_node *left, text_node *right,
                          text_node **out) {
    riffle_status status = new_node(in, kind, at, out);
    if (status != RIFFLE_OK) return status;
    (*out)->child = left;
    left->next = right;
    return RIFFLE_OK;
}

static riffle_status read_argument(reader *in, text_node **out) {
    riffle_status status = read_atom(in, out);
    if (status != RIFFLE_OK || !accept(in, '^')) return status;
    const char *at = in->at - 1;
    text_node *power;
    status = enter(in); /* a ^ b ^ c ^ ... recurs too */
    if (status == RIFFLE_OK) status = read_argument(in, &power);
    in->nested--;
    return status == RIFFLE_OK ? join(in, TEXT_POWER, at, *out, power, out) : status;
}

static riffle_status read_factor(reader *in, text_node **out) {
    if (!accept(in, '-')) return read_argument(in, out);
    const char *at = in->at - 1;
    text_node *inner;
    riffle_status status = read_argument(in, &inner);
    if (status == RIFFLE_OK) status = new_node(in, TEXT_NEGATIVE, at, out);
    if (status == RIFFLE_OK) (*out)->child = inner;
    return status;
}

/* Reads operands with either of two operators between them, from the left; at most 64 of them. */
static riffle_status read_chain(reader *in, const char *operators, const text_kind *kinds,
                                riffle_status (*operand)(reader *, text_node **), text_node **out) {
    riffle_status status = operand(in, out);
    for (unsigned count = 0; status == RIFFLE_OK; count++) {
        skip_blanks(in);
        const char *which = *in->at != '\0' ? strchr(operators, *in->at) : NULL;
        if (which == NULL) return RIFFLE_OK;
        if (count == MOST_NESTED)
            return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "more than %d operators in a row",
                             MOST_NESTED);
        const char *at = in->at++;
        text_node *right;
        status = operand(in, &right);
        if (status == RIFFLE_OK) status = join(in, kinds[which - operators], at, *out, right, out);
    }
    return status;
}

static riffle_status read_product(reader *in, text_node **out) {
    static const text_kind kinds[] = {TEXT_PRODUCT, TEXT_QUOTIENT};
    return read_chain(in, "*/", kinds, read_factor, out);
}

static riffle_status read_sum(reader *in, text_node **out) {
    static const text_kind kinds[] = {TEXT_SUM, TEXT_DIFFERENCE};
    return read_chain(in, "+-", kinds, read_product, out);
}

/* ------------------------------------------------------------- operations */

#define OP_KIND(name, kind, bits, types, properties) {name, RIFFLE_OP_##kind},
static const struct {
    const char *name;
    riffle_op_kind kind;
} op_names[] = {EACH_OP(OP_KIND)};
enum { OP_NAMES = sizeof op_names / sizeof *op_names };

/* { expressions }: up to its closing brace. */
static riffle_status read_source(reader *in, text_node *node) {
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

static riffle_status fail_op(reader *in, const char *at, text_word word) {
    char names[160] = "";
    for (unsigned k = 0; k < OP_NAMES; k++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "", op_names[k].name);
    }
    return text_fail(in->unit, at, RIFFLE_ERROR_SYNTAX,
                     "there is no operation '%.*s'; there are %s, and {C expressions}",
                     word.length < 40 ? (int)word.length : 40, word.at, names);
}

static riffle_status read_op(reader *in, text_node *node) {
    if (accept(in, '(')) {
        riffle_status status = enter(in);
        if (status == RIFFLE_OK) status = read_op(in, node);
        return status == RIFFLE_OK ? leave(in, "')'") : status;
    }
    node->at = in->at;
    if (accept(in, '{')) return read_source(in, node);
    if (!begins_word(*in->at)) return fail_expected(in, "an operation, as minmax or {a + b, a - b}");
    const text_word word = read_name(in);
    for (unsigned k = 0; k < OP_NAMES; k++) {
        if (!text_word_is(word, op_names[k].name)) continue;
        node->op = op_names[k].kind;
        if ((op_record_of(node->op)->properties & OP_PARAMETER) == 0) return RIFFLE_OK;
        return read_argument(in, &node->child);
    }
    return fail_op(in, word.at, word);
}

/* --------------------------------------------------------------- programs */

static riffle_status read_program(reader *in, text_node **out);
static riffle_status read_stage(reader *in, bool with_arguments, text_node **out);

static bool begins_part(reader *in) {
    skip_blanks(in);
    return *in->at == '(' || *in->at == '~' || begins_word(*in->at);
}

static riffle_status read_part(reader *in, text_node **out) {
    if (!begins_part(in)) return fail_expected(in, "a program: a name or '('");
    return read_stage(in, false, out);
}

static riffle_status read_parm(reader *in, text_node *node) {
    text_node *first, *second;
    riffle_status status = read_argument(in, &node->child);
    if (status == RIFFLE_OK) status = read_part(in, &first);
    if (status != RIFFLE_OK) return status;
    node->child->next = first;
    if (!begins_part(in)) return RIFFLE_OK;
    status = read_part(in, &second);
    if (status == RIFFLE_OK) first->next = second;
    return status;
}

static riffle_status read_group(reader *in, text_node *node) {
    text_node *bits;
    riffle_status status = read_argument(in, &bits);
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
static riffle_status read_arguments(reader *in, text_node *node) {
    text_node **end = &node->child;
    for (unsigned count = 0;; count++) {
        skip_blanks(in);
        if (!isdigit((unsigned char)*in->at) && *in->at != '(' && !begins_word(*in->at)) return RIFFLE_OK;
        if (count == TEXT_MAX_ARGUMENTS)
            return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "more than %d arguments",
                             TEXT_MAX_ARGUMENTS);
        riffle_status status = read_argument(in, end);
        if (status != RIFFLE_OK) return status;
        end = &(*end)->next;
    }
}

/* A word of the permutation language: up to a space, '|' or ')'. */
static riffle_status read_spec(reader *in, const char *begin, text_node *node) {
    in->at += strcspn(in->at, " \t\r\n|)");
    node->kind = TEXT_SPEC;
    node->word = (text_word){begin, (size_t)(in->at - begin)};
    return RIFFLE_OK;
}

static bool is_spec_word(text_word word) {
    static const char *const words[] = {"id", "identity", "reverse", "bit-reversal", "shuffle", "unshuffle"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (text_word_is(word, words[k])) return true;
    return false;
}

static bool is_keyword(text_word word) {
    return text_word_is(word, "parm") || text_word_is(word, "pair") || text_word_is(word, "map") ||
           text_word_is(word, "group");
}

static riffle_status read_keyword(reader *in, text_node *node) {
    if (text_word_is(node->word, "parm")) {
        node->kind = TEXT_PARM;
        return read_parm(in, node);
    }
    node->kind = TEXT_APPLY;
    if (text_word_is(node->word, "group")) return read_group(in, node);
    node->group = text_word_is(node->word, "pair");
    return read_op(in, node);
}

static riffle_status read_parentheses(reader *in, text_node **out) {
    riffle_status status = enter(in);
    if (status == RIFFLE_OK) status = read_program(in, out);
    return status == RIFFLE_OK ? leave(in, "'|' or ')'") : status;
}

/* A stage; or, without arguments, what stands where a part does: there a name is all. */
static riffle_status read_stage(reader *in, bool with_arguments, text_node **out) {
    if (accept(in, '(')) return read_parentheses(in, out);
    riffle_status status = new_node(in, TEXT_CALL, in->at, out);
    if (status != RIFFLE_OK) return status;
    text_node *node = *out;
    if (*in->at == '~') return read_spec(in, in->at, node);
    if (!begins_word(*in->at)) return fail_expected(in, "a program");
    node->word = read_name(in);
    if (*in->at == ':' || is_spec_word(node->word)) return read_spec(in, node->word.at, node);
    if (is_keyword(node->word)) {
        if (with_arguments) return read_keyword(in, node);
        return text_fail(in->unit, node->at, RIFFLE_ERROR_SYNTAX,
                         "'%.*s' and what follows it go into parentheses here", (int)node->word.length,
                         node->word.at);
    }
    return with_arguments ? read_arguments(in, node) : RIFFLE_OK;
}

static riffle_status read_program(reader *in, text_node **out) {
    text_node *first;
    riffle_status status = read_stage(in, true, &first);
    if (status != RIFFLE_OK || !accept(in, '|')) {
        *out = first;
        return status;
    }
    status = new_node(in, TEXT_THEN, first->at, out);
    if (status != RIFFLE_OK) return status;
    (*out)->child = first;
    text_node *last = first;
    do {
        status = read_stage(in, true, &last->next);
        if (status != RIFFLE_OK) return status;
        last = last->next;
    } while (accept(in, '|'));
    return RIFFLE_OK;
}

/* ------------------------------------------------------------ definitions */

static riffle_status read_pattern(reader *in, text_definition *definition) {
    for (;;) {
        skip_blanks(in);
        if (!isdigit((unsigned char)*in->at) && !begins_word(*in->at)) return RIFFLE_OK;
        if (definition->count == TEXT_MAX_ARGUMENTS)
            return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "more than %d arguments",
                             TEXT_MAX_ARGUMENTS);
        text_node *pattern;
        riffle_status status = read_atom(in, &pattern);
        if (status != RIFFLE_OK) return status;
        definition->pattern[definition->count++] = *pattern;
    }
}

static riffle_status read_definition(reader *in, text_definition *definition) {
    if (!begins_word(*in->at)) return fail_expected(in, "the name of a definition");
    definition->name = read_name(in);
    if (is_keyword(definition->name) || is_spec_word(definition->name))
        return text_fail(in->unit, definition->name.at, RIFFLE_ERROR_SYNTAX,
                         "'%.*s' has a meaning already; choose another name", (int)definition->name.length,
                         definition->name.at);
    riffle_status status = read_pattern(in, definition);
    if (status != RIFFLE_OK) return status;
    if (!accept(in, '=')) return fail_expected(in, "a number, a name or '='");
    status = read_program(in, &definition->body);
    if (status != RIFFLE_OK) return status;
    skip_blanks(in);
    return *in->at == '\n' || *in->at == '\0' ? RIFFLE_OK : fail_expected(in, "'|' or the end of the line");
}

riffle_status text_read_definitions(text_unit *unit) {
    reader in = {.unit = unit, .at = unit->text, .by_line = true};
    for (;;) {
        skip_blanks(&in);
        if (*in.at == '\0') return RIFFLE_OK;
        if (*in.at == '\n') {
            in.at++;
            continue;
        }
        text_definition *definition = allocate(&in, sizeof *definition);
        if (definition == NULL) return fail_memory("definitions", sizeof *definition);
        riffle_status status = read_definition(&in, definition);
        if (status != RIFFLE_OK) return status;
        if (unit->last != NULL) unit->last->next = definition;
        if (unit->first == NULL) unit->first = definition;
        unit->last = definition;
    }
}

riffle_status text_read_program(text_unit *unit) {
    reader in = {.unit = unit, .at = unit->text};
    riffle_status status = read_program(&in, &unit->program);
    if (status != RIFFLE_OK) return status;
    skip_blanks(&in);
    return *in.at == '\0' ? RIFFLE_OK : fail_expected(&in, "'|' or the end");
}
