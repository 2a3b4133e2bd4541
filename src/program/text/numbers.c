/* SPDX-License-Identifier: Apache-2.0 */
#include "program/text/numbers.h"

#include <math.h>
#include <string.h>

static riffle_status read_sum(text_reader *in, text_node **out);

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
    return 16;
}

static double read_digits(text_reader *in, unsigned base, unsigned *count) {
    double value = 0;
    for (; digit_value(*in->at) < base; in->at++, ++*count) value = value * base + digit_value(*in->at);
    return value;
}

/* Decimal with or without a fraction, 0x... or 0b... */
static riffle_status read_literal(text_reader *in, text_node **out) {
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
    if (digits == 0 || reader_within_word(*in->at))
        return text_fail(in->unit, begin, RIFFLE_ERROR_SYNTAX,
                         "this is no number: write it as 12, 0x1f, 0b101 or 0.5");
    riffle_status status = reader_node(in, TEXT_NUMBER, begin, out);
    if (status == RIFFLE_OK) (*out)->number = value;
    return status;
}

riffle_status text_read_atom(text_reader *in, text_node **out) {
    reader_skip(in);
    if (isdigit((unsigned char)*in->at)) return read_literal(in, out);
    if (reader_begins_word(*in->at)) {
        riffle_status status = reader_node(in, TEXT_VARIABLE, in->at, out);
        if (status == RIFFLE_OK) (*out)->word = reader_variable(in);
        return status;
    }
    if (!reader_accept(in, '(')) return reader_expected(in, "a number, a name or '('");
    riffle_status status = reader_enter(in);
    if (status == RIFFLE_OK) status = read_sum(in, out);
    return status == RIFFLE_OK ? reader_leave(in, "an operator or ')'") : status;
}

static riffle_status join(text_reader *in, text_kind kind, const char *at, text_node *left, text_node *right,
                          text_node **out) {
    riffle_status status = reader_node(in, kind, at, out);
    if (status != RIFFLE_OK) return status;
    (*out)->child = left;
    left->next = right;
    return RIFFLE_OK;
}

riffle_status text_read_argument(text_reader *in, text_node **out) {
    riffle_status status = text_read_atom(in, out);
    if (status != RIFFLE_OK || !reader_accept(in, '^')) return status;
    const char *at = in->at - 1;
    text_node *power;
    status = reader_enter(in); /* a ^ b ^ c ^ ... recurs too */
    if (status == RIFFLE_OK) status = text_read_argument(in, &power);
    in->nested--;
    return status == RIFFLE_OK ? join(in, TEXT_POWER, at, *out, power, out) : status;
}

static riffle_status read_factor(text_reader *in, text_node **out) {
    if (!reader_accept(in, '-')) return text_read_argument(in, out);
    const char *at = in->at - 1;
    text_node *inner;
    riffle_status status = text_read_argument(in, &inner);
    if (status == RIFFLE_OK) status = reader_node(in, TEXT_NEGATIVE, at, out);
    if (status == RIFFLE_OK) (*out)->child = inner;
    return status;
}

/* Reads operands with either of two operators between them, from the left; at most 64 of them. */
static riffle_status read_chain(text_reader *in, const char *operators, const text_kind *kinds,
                                riffle_status (*operand)(text_reader *, text_node **), text_node **out) {
    riffle_status status = operand(in, out);
    for (unsigned count = 0; status == RIFFLE_OK; count++) {
        reader_skip(in);
        const char *which = *in->at != '\0' ? strchr(operators, *in->at) : NULL;
        if (which == NULL) return RIFFLE_OK;
        if (count == TEXT_MOST_NESTED)
            return text_fail(in->unit, in->at, RIFFLE_ERROR_SYNTAX, "more than %d operators in a row",
                             TEXT_MOST_NESTED);
        const char *at = in->at++;
        text_node *right;
        status = operand(in, &right);
        if (status == RIFFLE_OK) status = join(in, kinds[which - operators], at, *out, right, out);
    }
    return status;
}

static riffle_status read_product(text_reader *in, text_node **out) {
    static const text_kind kinds[] = {TEXT_PRODUCT, TEXT_QUOTIENT};
    return read_chain(in, "*/", kinds, read_factor, out);
}

static riffle_status read_sum(text_reader *in, text_node **out) {
    static const text_kind kinds[] = {TEXT_SUM, TEXT_DIFFERENCE};
    return read_chain(in, "+-", kinds, read_product, out);
}
