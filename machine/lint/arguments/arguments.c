/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/arguments/arguments.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix.h"
#include "base/status.h"

static const char *const fill_names[] = {[FILL_NONE] = "none",
                                         [FILL_ZERO] = "zero",
                                         [FILL_INDEX] = "index",
                                         [FILL_RANDOM] = "random",
                                         [FILL_PERMUTATION] = "permutation"};

static riffle_status wrong(unsigned number, const char *text, const char *what) {
    return fail(RIFFLE_ERROR_SYNTAX, "argument %u, '%s': %s", number, text, what);
}

/* ---- numbers */

/* Writes an integer if it is in the range of the type. */
static bool store_integer(const lint_type *type, bool negative, uint64_t magnitude, unsigned char *to) {
    const unsigned bits = 8 * type->number_bytes;
    uint64_t limit = UINT64_MAX >> (64 - bits);
    if (type->number == NUMBER_BOOL) limit = 1;
    if (type->number == NUMBER_SIGNED)
        limit = (limit >> 1) + negative;
    else if (negative && magnitude != 0)
        return false;
    if (magnitude > limit) return false;
    const uint64_t value = negative ? 0 - magnitude : magnitude;
    memcpy(to, &value, type->number_bytes); /* little-endian */
    return true;
}

static bool parse_integer(const lint_type *type, const char *text, const char **end, unsigned char *to) {
    const bool negative = *text == '-';
    text += negative;
    if (*text < '0' || *text > '9') return false;
    char *stop;
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    errno = 0;
    uint64_t magnitude = strtoull(text, &stop, hexadecimal ? 16 : 10);
    if (errno != 0) return false;
    if (magnitude == 2 && *stop == '^') {
        if (stop[1] < '0' || stop[1] > '9') return false;
        const uint64_t exponent = strtoull(stop + 1, &stop, 10);
        if (exponent > 63) return false;
        magnitude = UINT64_C(1) << exponent;
    }
    *end = stop;
    return store_integer(type, negative, magnitude, to);
}

static bool parse_float(const lint_type *type, const char *text, const char **end, unsigned char *to) {
    char *stop;
    const double wide = strtod(text, &stop);
    const float narrow = (float)wide;
    if (stop == text || *text == ' ') return false;
    if (isinf(type->number_bytes == sizeof narrow ? narrow : wide) && strpbrk(text, "0123456789") != NULL)
        return false; /* too large; "inf" says that it is infinite */
    if (*stop == 'f') stop++;
    *end = stop;
    if (type->number_bytes == sizeof narrow)
        memcpy(to, &narrow, sizeof narrow);
    else
        memcpy(to, &wide, sizeof wide);
    return true;
}

static bool parse_component(const lint_type *type, const char *text, const char **end, unsigned char *to) {
    if (type->number == NUMBER_FLOAT) return parse_float(type, text, end, to);
    const bool is_true = type->number == NUMBER_BOOL && strcmp(text, "true") == 0;
    const bool is_false = type->number == NUMBER_BOOL && strcmp(text, "false") == 0;
    if (!is_true && !is_false) return parse_integer(type, text, end, to);
    *to = is_true;
    *end = text + strlen(text);
    return true;
}

static bool parse_value(const char *text, lint_argument *out) {
    for (unsigned k = 0; k < out->type.components; k++) {
        if (k > 0 && *text++ != ',') return false;
        if (!parse_component(&out->type, text, &text, out->value + k * out->type.number_bytes)) return false;
    }
    return *text == '\0';
}

static riffle_status wrong_value(unsigned number, const char *text, const lint_type *type) {
    if (type->components > 1)
        return wrong(number, text,
                     "no values of that type; a vector takes VALUE,VALUE,..., one for each component");
    if (type->number == NUMBER_FLOAT)
        return wrong(number, text, "no number that the type holds; write one as 0.5, 1e-3 or inf");
    if (type->number == NUMBER_BOOL) return wrong(number, text, "neither true nor false; write one of them");
    return wrong(number, text,
                 "no whole number that the type holds; write one in decimal, as 2^K or 0x in hexadecimal");
}

/* ---- arrays */

/* Decimal or 2^K. */
static bool parse_length(const char *text, const char **end, uint64_t *out) {
    static const lint_type type = {.number = NUMBER_UNSIGNED, .number_bytes = 8, .components = 1};
    unsigned char value[8];
    if (*text == '-' || !parse_integer(&type, text, end, value)) return false;
    memcpy(out, value, sizeof *out);
    return **end == '\0' || **end == ':';
}

static bool parse_fill(const char *text, lint_fill *out) {
    for (size_t k = 0; k < sizeof fill_names / sizeof fill_names[0]; k++) {
        if (strcmp(text, fill_names[k]) == 0) {
            *out = (lint_fill)k;
            return true;
        }
    }
    return false;
}

/* True if 0 .. length-1 fit the type. */
static bool holds_indices(const lint_argument *argument) {
    const lint_type *type = &argument->type;
    if (type->components != 1 || (type->number != NUMBER_SIGNED && type->number != NUMBER_UNSIGNED))
        return false;
    unsigned char ignored[8];
    return store_integer(type, false, argument->length - 1, ignored);
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static riffle_status parse_array(unsigned number, const char *text, const char *rest, lint_argument *out) {
    if (ends_with(rest, ".npy")) {
        out->fill = FILL_FILE;
        out->file = rest;
        return RIFFLE_OK;
    }
    if (strcmp(rest, "null") == 0) {
        out->fill = FILL_NULL;
        return RIFFLE_OK;
    }
    const char *end = rest;
    if (!parse_length(rest, &end, &out->length))
        return wrong(number, text,
                     "no length after the ':'; write it in decimal, as 2^K or 0x in hexadecimal, or null, or "
                     "name a .npy file");
    if (out->length == 0)
        return wrong(number, text,
                     "an array of no elements; write TYPE=0 if a number is meant, else a length from 1");
    if (out->length > RIFFLE_MAX_LENGTH)
        return wrong(number, text, "an array of more than 2^40 elements; shorten it");
    if (*end == ':' && !parse_fill(end + 1, &out->fill))
        return wrong(number, text, "unknown filling; choose none, zero, index, random or permutation");
    if (out->fill == FILL_PERMUTATION && !holds_indices(out))
        return wrong(number, text,
                     "a permutation needs an integer type that holds its indices; choose another");
    return RIFFLE_OK;
}

/* ---- structures */

/* Where the fields of "TYPE={...}" begin; NULL if it is no structure. */
static const char *fields_of(const char *text) {
    const char *open = strstr(text, "={");
    return open != NULL && text[strlen(text) - 1] == '}' ? open + 2 : NULL;
}

static riffle_status parse_structure(unsigned number, const char *text, const char *fields,
                                     lint_argument *out) {
    char what[32];
    const size_t length = (size_t)(fields - 2 - text);
    snprintf(what, sizeof what, "argument %u", number);
    if (length == 0 || length >= LINT_STRUCTURE) return wrong(number, text, "no type before the '='; name it");
    for (size_t k = 0; k < length; k++) {
        if (!isalnum((unsigned char)text[k]) && strchr("_:<>, ", text[k]) == NULL)
            return wrong(number, text, "a character before the '=' is in no type's name; write Params={n=128}");
    }
    out->is_structure = true;
    snprintf(out->structure, sizeof out->structure, "%.*s", (int)length, text);
    return lint_settings_parse(what, fields, strlen(fields) - 1, true, &out->fields);
}

riffle_status lint_argument_parse(unsigned number, const char *text, lint_argument *out) {
    if (fields_of(text) != NULL) return parse_structure(number, text, fields_of(text), out);
    if (strstr(text, "={") != NULL)
        return wrong(number, text, "no '}' at the end; write Params={n=128}, in quotes for the shell");
    const size_t type_length = strcspn(text, ":=");
    lint_argument read = {.fill = FILL_NONE};
    if (text[type_length] == '\0')
        return wrong(number, text,
                     "neither TYPE:LENGTH[:FILL], TYPE:FILE.npy nor TYPE=VALUE; write float:1024");
    if (!lint_type_parse(text, type_length, &read.type)) {
        return fail(RIFFLE_ERROR_SYNTAX, "argument %u, '%s': unknown type '%.*s'; some that there are: %s",
                    number, text, (int)type_length, text, lint_type_examples);
    }
    read.is_array = text[type_length] == ':';
    const char *rest = text + type_length + 1;
    if (read.is_array) {
        const riffle_status status = parse_array(number, text, rest, &read);
        if (status != RIFFLE_OK) return status;
    } else if (!parse_value(rest, &read)) {
        return wrong_value(number, text, &read.type);
    }
    *out = read;
    return RIFFLE_OK;
}

/* ---- contents */

static void store_number(const lint_type *type, uint64_t value, unsigned char *to) {
    if (type->number == NUMBER_BOOL) value &= 1;
    const float narrow = (float)value;
    const double wide = (double)value;
    const void *from = &value;
    if (type->number == NUMBER_FLOAT)
        from = type->number_bytes == sizeof narrow ? (const void *)&narrow : &wide;
    memcpy(to, from, type->number_bytes);
}

static void store_random(const lint_type *type, uint64_t *state, unsigned char *to) {
    const uint64_t bits = splitmix_next(state);
    const float narrow = (float)(bits >> 40) * 0x1p-24f;
    const double wide = (double)(bits >> 11) * 0x1p-53;
    const void *from = &bits;
    if (type->number == NUMBER_FLOAT)
        from = type->number_bytes == sizeof narrow ? (const void *)&narrow : &wide;
    memcpy(to, from, type->number_bytes);
    if (type->number == NUMBER_BOOL) *to &= 1;
}

/* Fisher and Yates, on integers of any size. */
static void shuffle(unsigned char *data, uint64_t length, unsigned bytes, uint64_t *state) {
    for (uint64_t i = length; i > 1; i--) {
        unsigned char held[8], *one = data + (i - 1) * bytes, *other = data + splitmix_next(state) % i * bytes;
        memcpy(held, one, bytes);
        memcpy(one, other, bytes);
        memcpy(other, held, bytes);
    }
}

void lint_fill_array(const lint_argument *argument, void *data, uint64_t *state) {
    const lint_type *type = &argument->type;
    unsigned char *to = data;
    for (uint64_t i = 0; i < argument->length * type->components; i++, to += type->number_bytes) {
        if (argument->fill == FILL_RANDOM)
            store_random(type, state, to);
        else
            store_number(type, argument->fill == FILL_ZERO ? 0 : i, to);
    }
    if (argument->fill == FILL_PERMUTATION) shuffle(data, argument->length, type->number_bytes, state);
}
