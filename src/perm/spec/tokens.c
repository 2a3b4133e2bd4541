/* SPDX-License-Identifier: Apache-2.0 */
#include "perm/spec/tokens.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

/* ----------------------------------------------------------------- errors */

/* Characters, not bytes, before `at`: UTF-8 continuation bytes do not count. */
static size_t characters_before(const spec_parser *in, const char *at) {
    size_t count = 0;
    for (const char *c = in->spec; c < at; c++) count += ((unsigned char)*c & 0xC0) != 0x80;
    return count;
}

riffle_status spec_fail_at(const spec_parser *in, const char *at, const char *format, ...) {
    char message[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail(RIFFLE_ERROR_SYNTAX, "spec, character %zu: %s", characters_before(in, at) + 1, message);
}

void spec_skip_spaces(spec_parser *in) { in->at += strspn(in->at, " \t\r\n"); }

riffle_status spec_fail_expected(spec_parser *in, const char *expected) {
    spec_skip_spaces(in);
    unsigned char found = (unsigned char)*in->at;
    if (found == '\0') return spec_fail_at(in, in->at, "expected %s, found the end of the spec", expected);
    if (isprint(found)) return spec_fail_at(in, in->at, "expected %s, found '%c'", expected, found);
    return spec_fail_at(in, in->at, "expected %s, found the byte 0x%02x", expected, found);
}

/* ----------------------------------------------------------------- tokens */

bool spec_accept(spec_parser *in, char token) {
    spec_skip_spaces(in);
    if (*in->at != token) return false;
    in->at++;
    return true;
}

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
    return 16;
}

riffle_status spec_read_number(spec_parser *in, unsigned base, const char *what, uint64_t *out) {
    spec_skip_spaces(in);
    const char *begin = in->at;
    if (base == 16 && begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X') && digit_value(begin[2]) < 16)
        in->at += 2;
    if (digit_value(*in->at) >= base) return spec_fail_expected(in, what);
    uint64_t value = 0;
    for (; digit_value(*in->at) < base; in->at++) {
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit_value(*in->at), &value))
            return spec_fail_at(in, begin, "the number does not fit 64 bits");
    }
    *out = value;
    return RIFFLE_OK;
}

riffle_status spec_read_list(spec_parser *in, const spec_list *form, unsigned *count, uint64_t *values) {
    *count = 0;
    do {
        if (*count == form->most)
            return spec_fail_at(in, in->at, "more than %u numbers where %s are listed", form->most, form->what);
        riffle_status status = spec_read_number(in, form->base, form->what, &values[*count]);
        if (status != RIFFLE_OK) return status;
        ++*count;
    } while (spec_accept(in, form->separator));
    return RIFFLE_OK;
}

const char *spec_number_of_list(const char *list, unsigned k) {
    for (; k > 0; k--) list = strchr(list, ',') + 1;
    return list + strspn(list, " \t\r\n");
}

riffle_status spec_take_below(const spec_parser *in, const char *list, const char *what, unsigned count,
                              const uint64_t *numbers, unsigned *out) {
    for (unsigned k = 0; k < count; k++) {
        if (numbers[k] >= count)
            return spec_fail_at(in, spec_number_of_list(list, k),
                                "there is no %s %" PRIu64 ": they are 0 to %u", what, numbers[k], count - 1);
        out[k] = (unsigned)numbers[k];
    }
    return RIFFLE_OK;
}
