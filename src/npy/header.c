/* SPDX-License-Identifier: Apache-2.0 */
#include "npy/header.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "npy/descr.h"
#include "npy/encoding.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC_BYTES = 6, ALIGNMENT = 64, LONGEST_VERSION_1 = 65535 };
static const size_t LONGEST_TEXT = (size_t)64 << 20;

/* Spaces that NumPy leaves so that the dimension that grows can be rewritten in place. */
enum { GROWTH_DIGITS = 21 };

/* The size of all before the text: magic, version, and the text's length in 2 or 4 bytes. */
static size_t prefix_bytes(unsigned char major) { return MAGIC_BYTES + 2 + (major == 1 ? 2 : 4); }

/* ----------------------------------------------------------------- sizes */

riffle_status npy_header_size(riffle_status failure, const char *name, const riffle_npy_header *header,
                              uint64_t *length, size_t *bytes) {
    uint64_t nonzero = 1;
    bool is_empty = false;
    for (unsigned k = 0; k < header->rank; k++) {
        if (header->shape[k] == 0) is_empty = true;
        if (header->shape[k] != 0 && __builtin_mul_overflow(nonzero, header->shape[k], &nonzero))
            return fail(failure, "%s: the product of its dimensions does not fit 64 bits", name);
    }
    size_t total;
    if (__builtin_mul_overflow(nonzero, header->elem_bytes, &total) || total > INT64_MAX / 2)
        return fail(failure, "%s: %llu elements of %zu bytes are more than a file can hold", name,
                    (unsigned long long)nonzero, header->elem_bytes);
    *length = is_empty ? 0 : nonzero;
    *bytes = is_empty ? 0 : total;
    return RIFFLE_OK;
}

/* --------------------------------------------------------------- reading */

/* Finds the text: its version, place and length. */
static riffle_status read_prefix(const char *name, const unsigned char *bytes, size_t available,
                                 unsigned char *major, size_t *text_length) {
    if (available == 0) return fail(RIFFLE_ERROR_FORMAT, "%s is no .npy file: it is empty", name);
    size_t seen = available < MAGIC_BYTES ? available : MAGIC_BYTES;
    if (memcmp(bytes, magic, seen) != 0)
        return fail(RIFFLE_ERROR_FORMAT, "%s is no .npy file: it does not start with \\x93NUMPY", name);
    if (available < MAGIC_BYTES + 2 || available < prefix_bytes(bytes[MAGIC_BYTES]))
        return fail(RIFFLE_ERROR_FORMAT, "%s: truncated: it ends after %zu bytes, within its header", name,
                    available);
    *major = bytes[MAGIC_BYTES];
    if (*major < 1 || *major > 3 || bytes[MAGIC_BYTES + 1] != 0)
        return fail(RIFFLE_ERROR_FORMAT, "%s: .npy version %d.%d is not known; 1.0, 2.0 and 3.0 are", name,
                    *major, bytes[MAGIC_BYTES + 1]);
    const unsigned char *p = bytes + MAGIC_BYTES + 2;
    *text_length = p[0] | (size_t)p[1] << 8;
    if (*major > 1) *text_length |= (size_t)p[2] << 16 | (size_t)p[3] << 24;
    if (*text_length > LONGEST_TEXT)
        return fail(RIFFLE_ERROR_FORMAT, "%s: a header of %zu bytes is longer than the %zu that are sane", name,
                    *text_length, LONGEST_TEXT);
    if (*text_length > available - prefix_bytes(*major))
        return fail(RIFFLE_ERROR_FORMAT,
                    "%s: truncated: its header should end at byte %zu but the file has %zu", name,
                    prefix_bytes(*major) + *text_length, available);
    return RIFFLE_OK;
}

/* The values of the three keys as far as they have been seen. */
typedef struct fields {
    riffle_npy_header header; /* without descr */
    literal_span descr;
    bool has_descr, has_order, has_shape;
} fields;

static riffle_status read_descr(literal *in, fields *out) {
    literal_next_is(in, '[');
    const char *start = in->at;
    riffle_status status = descr_read(in, &out->header.elem_bytes);
    out->descr = (literal_span){start, (size_t)(in->at - start)};
    return status;
}

static riffle_status read_value(literal *in, const literal *key_at, literal_span key, fields *out) {
    bool *seen = literal_span_is(key, "descr")           ? &out->has_descr
                 : literal_span_is(key, "fortran_order") ? &out->has_order
                 : literal_span_is(key, "shape")         ? &out->has_shape
                                                         : NULL;
    int shown = key.length < 40 ? (int)key.length : 40;
    if (seen == NULL) return literal_fail(key_at, "'%.*s' is no key of a .npy header", shown, key.text);
    if (*seen) return literal_fail(key_at, "'%.*s' is there twice", shown, key.text);
    *seen = true;
    if (seen == &out->has_descr) return read_descr(in, out);
    if (seen == &out->has_order) return literal_bool(in, &out->header.fortran_order);
    return literal_shape(in, &out->header.rank, out->header.shape);
}

static riffle_status read_dictionary(literal *in, fields *out) {
    riffle_status status = literal_expect(in, '{');
    bool closed = status == RIFFLE_OK && literal_take(in, '}');
    while (status == RIFFLE_OK && !closed) {
        literal_next_is(in, '\'');
        literal key_at = *in;
        literal_span key;
        status = literal_string(in, &key);
        if (status == RIFFLE_OK) status = literal_expect(in, ':');
        if (status == RIFFLE_OK) status = read_value(in, &key_at, key, out);
        if (status == RIFFLE_OK && !literal_take(in, ',') && !literal_next_is(in, '}'))
            status = literal_expect(in, '}');
        closed = status == RIFFLE_OK && literal_take(in, '}');
    }
    return status == RIFFLE_OK ? literal_expect_end(in) : status;
}

/* descr as the caller gets it: in UTF-8 and with a NUL. */
static riffle_status copy_descr(const char *name, literal_span span, bool is_utf8, char **out) {
    size_t room = is_utf8 ? span.length : 2 * span.length;
    char *copy = malloc(room + 1);
    if (copy == NULL) return fail_memory(name, room + 1);
    size_t length = span.length;
    if (is_utf8) {
        memcpy(copy, span.text, length);
    } else {
        length = encoding_utf8_of_latin1(span.text, length, copy);
    }
    copy[length] = '\0';
    *out = copy;
    return RIFFLE_OK;
}

riffle_status npy_header_read(const char *name, const void *bytes, size_t available, riffle_npy_header *out,
                              size_t *data_at) {
    unsigned char major = 0;
    size_t text_length = 0;
    riffle_status status = read_prefix(name, bytes, available, &major, &text_length);
    if (status != RIFFLE_OK) return status;
    const char *text = (const char *)bytes + prefix_bytes(major);
    if (major == 3 && !encoding_is_utf8(text, text_length))
        return fail(RIFFLE_ERROR_FORMAT, "%s: its header is not valid UTF-8", name);

    literal in = {RIFFLE_ERROR_FORMAT, name, "header", text, text, text + text_length};
    fields found = {0};
    status = read_dictionary(&in, &found);
    if (status != RIFFLE_OK) return status;
    if (!found.has_descr || !found.has_order || !found.has_shape)
        return fail(RIFFLE_ERROR_FORMAT, "%s: its header lacks '%s'", name,
                    !found.has_descr   ? "descr"
                    : !found.has_order ? "fortran_order"
                                       : "shape");
    char *descr = NULL;
    status = copy_descr(name, found.descr, major == 3, &descr);
    if (status != RIFFLE_OK) return status;
    *out = found.header;
    out->descr = descr;
    *data_at = prefix_bytes(major) + text_length;
    return RIFFLE_OK;
}

void npy_header_free(riffle_npy_header *header) {
    free((char *)header->descr);
    header->descr = NULL;
}

/* --------------------------------------------------------------- writing */

static riffle_status check_header(const char *name, const riffle_npy_header *header) {
    const char *descr = header->descr;
    if (descr == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: the header has no descr", name);
    if (header->rank > RIFFLE_MAX_RANK)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: %u dimensions are more than %d", name, header->rank,
                    RIFFLE_MAX_RANK);
    size_t descr_length = strlen(descr), elem_bytes = 0;
    if (descr_length > LONGEST_TEXT / 2 || !encoding_is_utf8(descr, descr_length))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: descr is not valid UTF-8 of at most %zu bytes", name,
                    LONGEST_TEXT / 2);
    literal in = {RIFFLE_ERROR_INVALID_ARGUMENT, name, "descr", descr, descr, descr + descr_length};
    riffle_status status = descr_read(&in, &elem_bytes);
    if (status == RIFFLE_OK) status = literal_expect_end(&in);
    if (status != RIFFLE_OK) return status;
    if (elem_bytes != header->elem_bytes)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: elem_bytes is %zu, but elements of this descr have %zu",
                    name, header->elem_bytes, elem_bytes);
    return RIFFLE_OK;
}

/* "(3, 4), }" and the spaces for growth: at most 22 characters a dimension and 21 more. */
enum { LONGEST_SHAPE = 22 * RIFFLE_MAX_RANK + GROWTH_DIGITS + 16 };

static size_t print_shape(const riffle_npy_header *header, char *out) {
    size_t length = 0;
    out[length++] = '(';
    for (unsigned k = 0; k < header->rank; k++)
        length +=
            (size_t)sprintf(out + length, k == 0 ? "%llu" : ", %llu", (unsigned long long)header->shape[k]);
    length += (size_t)sprintf(out + length, header->rank == 1 ? ",), }" : "), }");
    if (header->rank == 0) return length;
    uint64_t grows = header->shape[header->fortran_order ? header->rank - 1 : 0];
    int digits = snprintf(NULL, 0, "%llu", (unsigned long long)grows);
    return length + (size_t)sprintf(out + length, "%*s", GROWTH_DIGITS - digits, "");
}

/* The dictionary into `out`, in the oldest encoding that can; its major version, if its length allows that. */
static unsigned char print_text(const riffle_npy_header *header, char *out, size_t *length) {
    size_t descr_length = strlen(header->descr), written = (size_t)sprintf(out, "{'descr': ");
    bool is_latin1 = encoding_latin1_of_utf8(header->descr, descr_length, out + written, &descr_length);
    if (!is_latin1) memcpy(out + written, header->descr, descr_length);
    written += descr_length;
    written += (size_t)sprintf(out + written,
                               ", 'fortran_order': %s, 'shape': ", header->fortran_order ? "True" : "False");
    *length = written + print_shape(header, out + written);
    return is_latin1 ? 1 : 3;
}

/* The length of a text that is filled with 1 to 64 spaces and a newline so that elements begin aligned. */
static size_t padded(unsigned char major, size_t text_length) {
    size_t before = prefix_bytes(major) + text_length + 1;
    return text_length + 1 + (ALIGNMENT - before % ALIGNMENT);
}

riffle_status npy_header_write(const char *name, const riffle_npy_header *header, char **bytes,
                               size_t *length) {
    riffle_status status = check_header(name, header);
    if (status != RIFFLE_OK) return status;
    enum { AROUND_DESCR = 64 };
    size_t room = prefix_bytes(3) + AROUND_DESCR + strlen(header->descr) + LONGEST_SHAPE + ALIGNMENT;
    char *out = malloc(room);
    if (out == NULL) return fail_memory(name, room);

    /* The text's place depends on the version, and that on the text: print it behind the longer prefix. */
    char *text = out + prefix_bytes(3);
    size_t text_length;
    unsigned char major = print_text(header, text, &text_length);
    if (major == 1 && padded(1, text_length) > LONGEST_VERSION_1) major = 2;
    size_t prefix = prefix_bytes(major), total = padded(major, text_length);
    memmove(out + prefix, text, text_length);
    memset(out + prefix + text_length, ' ', total - text_length - 1);
    out[prefix + total - 1] = '\n';

    memcpy(out, magic, MAGIC_BYTES);
    out[MAGIC_BYTES] = (char)major;
    out[MAGIC_BYTES + 1] = 0;
    for (size_t k = MAGIC_BYTES + 2; k < prefix; k++) out[k] = (char)(total >> 8 * (k - MAGIC_BYTES - 2));
    *bytes = out;
    *length = prefix + total;
    return RIFFLE_OK;
}
