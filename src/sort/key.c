/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/key.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/status.h"

static bool has_size(riffle_sort_key_kind kind, size_t bytes) {
    const bool is_power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
    switch (kind) {
    case RIFFLE_SORT_KEY_SIGNED:
    case RIFFLE_SORT_KEY_UNSIGNED: return is_power;
    case RIFFLE_SORT_KEY_FLOAT: return is_power && bytes != 1 && bytes != 16;
    case RIFFLE_SORT_KEY_BYTES: return bytes >= 1 && bytes <= RIFFLE_SORT_MAX_KEY_BYTES;
    }
    return false;
}

static riffle_status check_field(const riffle_sort_key *key, unsigned k) {
    static const char *const names[] = {"signed integers", "unsigned integers", "floats", "strings"};
    const riffle_sort_field *const field = &key->field[k];
    if ((unsigned)field->kind > RIFFLE_SORT_KEY_BYTES)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "field %u: there is no kind with number %d", k,
                    (int)field->kind);
    if (!has_size(field->kind, field->bytes))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "field %u: there are no %s of %zu bytes", k,
                    names[field->kind], field->bytes);
    if (field->offset > key->elem_bytes || field->bytes > key->elem_bytes - field->offset)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "field %u: bytes %zu to %zu are not in an element of %zu bytes", k, field->offset,
                    field->offset + field->bytes - 1, key->elem_bytes);
    return RIFFLE_OK;
}

riffle_status sort_layout_make(const riffle_sort_key *key, sort_layout *out) {
    if (key->elem_bytes == 0 || key->elem_bytes > RIFFLE_SORT_MAX_ELEM_BYTES)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "elements of %zu bytes; they have 1 to 2^20",
                    key->elem_bytes);
    if (key->fields == 0 || key->fields > RIFFLE_SORT_MAX_FIELDS)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a key of %u fields; it has 1 to %d", key->fields,
                    RIFFLE_SORT_MAX_FIELDS);
    size_t bytes = 0;
    for (unsigned k = 0; k < key->fields; k++) {
        const riffle_status status = check_field(key, k);
        if (status != RIFFLE_OK) return status;
        bytes += key->field[k].bytes;
        if (bytes > RIFFLE_SORT_MAX_KEY_BYTES && key->before == NULL)
            return fail(RIFFLE_ERROR_LENGTH, "the first %u fields have %zu bytes; a key has at most %d", k + 1,
                        bytes, RIFFLE_SORT_MAX_KEY_BYTES);
    }
    *out = (sort_layout){
        .elem_bytes = (uint32_t)key->elem_bytes, .fields = key->fields, .key_bytes = (uint32_t)bytes};
    for (unsigned k = 0; k < key->fields; k++) {
        const riffle_sort_field *const field = &key->field[k];
        out->field[k] = (sort_field){(uint32_t)field->offset, (uint8_t)field->kind, (uint8_t)field->bytes,
                                     field->descending, 0};
    }
    return RIFFLE_OK;
}

bool sort_layout_is_number(const sort_layout *layout) {
    return layout->fields == 1 && layout->field[0].bytes == layout->elem_bytes;
}

riffle_status riffle_sort_key_of_type(riffle_type type, bool descending, riffle_sort_key *out) {
    RETURN_IF_NULL(out);
    if ((unsigned)type > RIFFLE_TYPE_C128)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no type with number %d", (int)type);
    if (type > RIFFLE_TYPE_F64)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "complex numbers (%s) have no order", riffle_type_string(type));
    const size_t bytes = riffle_type_bytes(type);
    const riffle_sort_key_kind kind = type <= RIFFLE_TYPE_I64   ? RIFFLE_SORT_KEY_SIGNED
                                      : type <= RIFFLE_TYPE_U64 ? RIFFLE_SORT_KEY_UNSIGNED
                                                                : RIFFLE_SORT_KEY_FLOAT;
    *out = (riffle_sort_key){.elem_bytes = bytes, .fields = 1};
    out->field[0] = (riffle_sort_field){.kind = kind, .bytes = bytes, .descending = descending};
    return RIFFLE_OK;
}
