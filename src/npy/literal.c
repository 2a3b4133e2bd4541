/* SPDX-License-Identifier: Apache-2.0 */
#include "npy/literal.h"

#include <stdarg.h>
#include <string.h>

#include "base/status.h"

bool literal_span_is(literal_span span, const char *word) {
    return span.length == strlen(word) && memcmp(span.text, word, span.length) == 0;
}

riffle_status literal_fail(const literal *in, const char *format, ...) {
    char problem[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, sizeof problem, format, arguments);
    va_end(arguments);
    return fail(in->status, "%s: %s, character %zu: %s", in->name, in->what, (size_t)(in->at - in->text) + 1,
                problem);
}

/* `wanted` was to come next and something else did, which the message shows. */
static riffle_status fail_wanted(const literal *in, const char *wanted) {
    if (in->at == in->end) return literal_fail(in, "expected %s, but the text ends", wanted);
    unsigned char c = (unsigned char)*in->at;
    if (c > ' ' && c < 0x7f) return literal_fail(in, "expected %s, not '%c'", wanted, c);
    return literal_fail(in, "expected %s, not the byte 0x%02x", wanted, c);
}

static void skip_space(literal *in) {
    while (in->at < in->end && (*in->at == ' ' || (*in->at >= '\t' && *in->at <= '\r'))) in->at++;
}

bool literal_next_is(literal *in, char c) {
    skip_space(in);
    return in->at < in->end && *in->at == c;
}

bool literal_take(literal *in, char c) {
    bool is_next = literal_next_is(in, c);
    in->at += is_next;
    return is_next;
}

riffle_status literal_expect(literal *in, char c) {
    const char wanted[] = {'\'', c, '\'', '\0'};
    return literal_take(in, c) ? RIFFLE_OK : fail_wanted(in, wanted);
}

riffle_status literal_expect_end(literal *in) {
    skip_space(in);
    return in->at == in->end ? RIFFLE_OK : fail_wanted(in, "its end");
}

riffle_status literal_string(literal *in, literal_span *out) {
    if (!literal_next_is(in, '\'') && !literal_next_is(in, '"')) return fail_wanted(in, "a string");
    const char quote = *in->at;
    bool is_escaped = false;
    for (const char *p = in->at + 1; p < in->end && (unsigned char)*p >= ' '; p++) {
        if (*p == quote && !is_escaped) {
            *out = (literal_span){in->at + 1, (size_t)(p - in->at - 1)};
            in->at = p + 1;
            return RIFFLE_OK;
        }
        is_escaped = *p == '\\' && !is_escaped;
    }
    return literal_fail(in, "this string has no end");
}

static bool take_word(literal *in, const char *word) {
    skip_space(in);
    size_t length = strlen(word);
    if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0) return false;
    in->at += length;
    return true;
}

riffle_status literal_bool(literal *in, bool *out) {
    bool is_true = take_word(in, "True");
    if (!is_true && !take_word(in, "False")) return fail_wanted(in, "True or False");
    *out = is_true;
    return RIFFLE_OK;
}

static bool is_digit(const literal *in) { return in->at < in->end && *in->at >= '0' && *in->at <= '9'; }

static riffle_status read_dimension(literal *in, uint64_t *out) {
    if (literal_next_is(in, '-')) return literal_fail(in, "a dimension cannot be negative");
    if (!is_digit(in)) return fail_wanted(in, "a dimension");
    uint64_t value = 0;
    for (; is_digit(in); in->at++) {
        uint64_t digit = (uint64_t)(*in->at - '0');
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value))
            return literal_fail(in, "a dimension does not fit 64 bits");
    }
    if (in->at < in->end && *in->at == 'L') in->at++;
    *out = value;
    return RIFFLE_OK;
}

riffle_status literal_shape(literal *in, unsigned *rank, uint64_t shape[RIFFLE_MAX_RANK]) {
    riffle_status status = literal_expect(in, '(');
    unsigned count = 0;
    bool closed = status == RIFFLE_OK && literal_take(in, ')');
    while (status == RIFFLE_OK && !closed) {
        if (count == RIFFLE_MAX_RANK) return literal_fail(in, "more than %d dimensions", RIFFLE_MAX_RANK);
        status = read_dimension(in, &shape[count++]);
        if (status == RIFFLE_OK && count == 1 && literal_next_is(in, ')'))
            return literal_fail(in, "a shape of one dimension needs a comma, as in (3,)");
        if (status == RIFFLE_OK && !literal_next_is(in, ')')) status = literal_expect(in, ',');
        closed = status == RIFFLE_OK && literal_take(in, ')');
    }
    if (status == RIFFLE_OK) *rank = count;
    return status;
}
