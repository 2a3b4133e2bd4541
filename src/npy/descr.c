/* SPDX-License-Identifier: Apache-2.0 */
#include "npy/descr.h"

#include <string.h>

#include "base/status.h"

enum { DEEPEST = 32 };

/* The scalar kinds of NumPy's array interface and the sizes that their number may name; kinds without a
 * list take any. The number counts units of `unit` bytes: a U is a 4-byte character. */
static const struct kind {
    char letter;
    unsigned char unit;
    unsigned char sizes[5];
} kinds[] = {
    {'b', 1, {1}},
    {'i', 1, {1, 2, 4, 8}},
    {'u', 1, {1, 2, 4, 8}},
    {'f', 1, {2, 4, 8, 12, 16}},
    {'c', 1, {8, 16, 24, 32}},
    {'m', 1, {8}},
    {'M', 1, {8}},
    {'S', 1, {0}},
    {'a', 1, {0}},
    {'U', 4, {0}},
    {'V', 1, {0}},
};

static const struct kind *kind_of(char letter) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (kinds[k].letter == letter) return &kinds[k];
    return NULL;
}

static bool has_size(const struct kind *kind, uint64_t size) {
    if (kind->sizes[0] == 0) return true;
    return size > 0 && size < 256 && memchr(kind->sizes, (int)size, sizeof kind->sizes) != NULL;
}

/* The time unit of an m8 or M8: [ns], [25s], [D/3]. */
static bool is_time_unit(const char *text, size_t length) {
    if (length < 3 || text[0] != '[' || text[length - 1] != ']') return false;
    for (size_t k = 1; k < length - 1; k++)
        if (strchr("0123456789/YMWDhmsunpfatgeric", text[k]) == NULL) return false;
    return true;
}

static bool is_end_of_scalar(const struct kind *kind, const char *text, size_t length) {
    if (length == 0) return true;
    return (kind->letter == 'm' || kind->letter == 'M') && is_time_unit(text, length);
}

/* '<f4': byte order, kind, number, for times a unit. False if it is none, or beyond 2^63 bytes. */
static bool read_span(literal_span span, descr_type *out) {
    const char *p = span.text, *end = span.text + span.length;
    out->order = p < end && memchr("<>|=", *p, 4) != NULL ? *p++ : '=';
    const struct kind *kind = p < end ? kind_of(*p) : NULL;
    if (kind == NULL) return false;
    out->kind = kind->letter;
    uint64_t number = 0;
    for (p++; p < end && *p >= '0' && *p <= '9'; p++) {
        number = number * 10 + (uint64_t)(*p - '0');
        if (number > INT64_MAX / 16) return false;
    }
    out->bytes = number * kind->unit;
    return has_size(kind, number) && is_end_of_scalar(kind, p, (size_t)(end - p));
}

static bool is_object(literal_span span) {
    const char *end = span.text + span.length;
    const char *letter = span.text + (span.length > 0 && strchr("<>|=", span.text[0]) != NULL);
    return letter < end && *letter == 'O';
}

static riffle_status read_scalar(literal *in, bool is_field, descr_type *out) {
    literal before = *in;
    literal_span span;
    riffle_status status = literal_string(in, &span);
    if (status != RIFFLE_OK) return status;
    int shown = span.length < 60 ? (int)span.length : 60;
    if (is_object(span))
        return fail(in->status,
                    "%s: the dtype %s '%.*s' (Python objects), whose elements have no fixed size; convert it "
                    "with astype first",
                    in->name, is_field ? "has a field of" : "is", shown, span.text);
    if (!read_span(span, out))
        return literal_fail(&before, "'%.*s' is no dtype of a known size", shown, span.text);
    return RIFFLE_OK;
}

/* A sub-array's shape, (2, 3): the bytes times its product, where it still fits. */
static riffle_status read_subarray(literal *in, descr_type *out) {
    literal before = *in;
    size_t *const bytes = &out->bytes;
    out->kind = DESCR_PARTS;
    unsigned rank = 0;
    uint64_t shape[RIFFLE_MAX_RANK];
    riffle_status status = literal_shape(in, &rank, shape);
    for (unsigned k = 0; status == RIFFLE_OK && k < rank; k++)
        if (__builtin_mul_overflow(*bytes, shape[k], bytes) || *bytes > INT64_MAX)
            status = literal_fail(&before, "the sub-array is larger than 2^63 bytes");
    return status;
}

/* 'name' or ('title', 'name'). */
static riffle_status read_name(literal *in, literal_span *name) {
    if (!literal_take(in, '(')) return literal_string(in, name);
    riffle_status status = literal_string(in, name);
    if (status == RIFFLE_OK) status = literal_expect(in, ',');
    if (status == RIFFLE_OK) status = literal_string(in, name);
    return status == RIFFLE_OK ? literal_expect(in, ')') : status;
}

/* Whoever wants to know the fields of the outermost structure; NULL: nobody. */
typedef struct listener {
    descr_field *field;
    void *context;
} listener;

static riffle_status read_type(literal *in, unsigned depth, const listener *to, descr_type *out);

/* (name, type) or (name, type, shape). */
static riffle_status read_field(literal *in, unsigned depth, literal_span *name, descr_type *out) {
    riffle_status status = literal_expect(in, '(');
    if (status == RIFFLE_OK) status = read_name(in, name);
    if (status == RIFFLE_OK) status = literal_expect(in, ',');
    if (status == RIFFLE_OK) status = read_type(in, depth, NULL, out);
    if (status == RIFFLE_OK && literal_take(in, ',') && !literal_next_is(in, ')')) {
        status = read_subarray(in, out);
        if (status == RIFFLE_OK) literal_take(in, ',');
    }
    return status == RIFFLE_OK ? literal_expect(in, ')') : status;
}

/* [field, field, ...]: the sum of their sizes, which padding fields make complete. */
static riffle_status read_structure(literal *in, unsigned depth, const listener *to, descr_type *out) {
    if (depth == DEEPEST) return literal_fail(in, "structures nested more than %d deep", DEEPEST);
    riffle_status status = literal_expect(in, '[');
    size_t sum = 0;
    bool closed = status == RIFFLE_OK && literal_take(in, ']');
    while (status == RIFFLE_OK && !closed) {
        descr_type field = {0};
        literal_span name = {0};
        status = read_field(in, depth, &name, &field);
        if (status != RIFFLE_OK) break;
        if (to != NULL) to->field(to->context, name, sum, &field);
        sum += field.bytes; /* both are at most 2^63 */
        if (sum > INT64_MAX) return literal_fail(in, "the structure is larger than 2^63 bytes");
        if (!literal_take(in, ',') && !literal_next_is(in, ']')) status = literal_expect(in, ']');
        closed = status == RIFFLE_OK && literal_take(in, ']');
    }
    *out = (descr_type){.bytes = sum, .kind = DESCR_PARTS, .order = '|'};
    return status;
}

static riffle_status read_type(literal *in, unsigned depth, const listener *to, descr_type *out) {
    if (literal_next_is(in, '[')) return read_structure(in, depth + 1, to, out);
    const riffle_status status = read_scalar(in, depth > 0, out);
    if (status == RIFFLE_OK && to != NULL) to->field(to->context, (literal_span){0}, 0, out);
    return status;
}

riffle_status descr_read(literal *in, size_t *elem_bytes) {
    descr_type type = {0};
    riffle_status status = read_type(in, 0, NULL, &type);
    if (status != RIFFLE_OK) return status;
    if (type.bytes == 0)
        return fail(in->status,
                    "%s: the dtype has elements of 0 bytes, of which there is nothing to read or write; "
                    "elements have 1 byte or more",
                    in->name);
    *elem_bytes = type.bytes;
    return RIFFLE_OK;
}

riffle_status descr_each_field(literal *in, descr_field *field, void *context) {
    const listener to = {field, context};
    descr_type type = {0};
    return read_type(in, 0, &to, &type);
}
