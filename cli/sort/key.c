/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 120, NAME_SHOWN = 64 };

/* The fields of a dtype, and where to say what is wrong with them. */
typedef struct dtype {
    const riffle_npy_header *header;
    riffle_npy_field *fields;
    size_t count;
    char *why;
} dtype;

static bool is_kind(const riffle_npy_field *field, riffle_sort_key_kind *out) {
    switch (field->kind) {
    case 'i': *out = RIFFLE_SORT_KEY_SIGNED; return true;
    case 'u':
    case 'b': *out = RIFFLE_SORT_KEY_UNSIGNED; return true;
    case 'f': *out = RIFFLE_SORT_KEY_FLOAT; return field->bytes <= 8;
    case 'S':
    case 'a': *out = RIFFLE_SORT_KEY_BYTES; return field->bytes <= RIFFLE_SORT_MAX_KEY_BYTES;
    default: return false;
    }
}

/* The advice for a field that has no order here. */
static const char *advice(const riffle_npy_field *field) {
    switch (field->kind) {
    case 'c': return "complex numbers have no order; sort by their parts, as fields";
    case 'm':
    case 'M':
        return "take a view of them as int64; NaT, its least number, comes first then, where NumPy has it last";
    case 'U': return "convert it to strings of bytes with astype('S')";
    case 'P': return "it has parts of its own; take a view in which they are fields";
    case 'f': return "convert it to float64 with astype";
    case 'S':
    case 'a': return "a key has at most 64 bytes";
    default: return "take a view of it as bytes ('S') or integers";
    }
}

/* Adds a field to the key. */
static bool add(const dtype *type, const riffle_npy_field *field, bool descending, riffle_sort_key *key,
                sort_key_names *names) {
    const int name_bytes = field->name_bytes < NAME_SHOWN ? (int)field->name_bytes : NAME_SHOWN;
    const char *const what = field->name == NULL ? "elements" : "field ";
    riffle_sort_field *const to = &key->field[key->fields];
    if (key->fields == RIFFLE_SORT_MAX_FIELDS) {
        snprintf(type->why, SORT_KEY_WHY, "a key has at most %d fields; name those to sort by with --fields",
                 RIFFLE_SORT_MAX_FIELDS);
        return false;
    }
    if (field->bytes == 0) {
        snprintf(type->why, SORT_KEY_WHY,
                 "%s%.*s has 0 bytes, and decides nothing; name the others with --fields", what, name_bytes,
                 field->name == NULL ? "" : field->name);
        return false;
    }
    if (!is_kind(field, &to->kind)) {
        snprintf(type->why, SORT_KEY_WHY, "%s%.*s of kind '%c' and %zu bytes cannot be sorted: %s", what,
                 name_bytes, field->name == NULL ? "" : field->name, field->kind, field->bytes, advice(field));
        return false;
    }
    if (field->order == '>' && field->bytes > 1) {
        snprintf(type->why, SORT_KEY_WHY, "%s%.*s %s big-endian; convert with astype first", what, name_bytes,
                 field->name == NULL ? "" : field->name, field->name == NULL ? "are" : "is");
        return false;
    }
    to->bytes = field->bytes;
    to->offset = field->offset;
    to->descending = descending;
    if (field->name != NULL) {
        to->name = names->name[key->fields] = strndup(field->name, field->name_bytes);
        if (to->name == NULL) {
            snprintf(type->why, SORT_KEY_WHY, "there is no memory for a field's name");
            return false;
        }
    }
    key->fields++;
    return true;
}

/* Says that there is no such field, and which there are. */
static bool refuse_name(const dtype *type, const char *name, size_t name_bytes) {
    char shown[MOST_SHOWN] = "";
    size_t used = 0;
    for (size_t k = 0; k < type->count; k++) {
        const riffle_npy_field *const field = &type->fields[k];
        if (used + field->name_bytes + 8 > sizeof shown) {
            snprintf(shown + used, sizeof shown - used, ", ...");
            break;
        }
        used += (size_t)snprintf(shown + used, sizeof shown - used, "%s%.*s", k > 0 ? ", " : "",
                                 (int)field->name_bytes, field->name);
    }
    snprintf(type->why, SORT_KEY_WHY, "has no field '%.*s'; it has %s",
             name_bytes < NAME_SHOWN ? (int)name_bytes : NAME_SHOWN, name, shown);
    return false;
}

static bool add_named(const dtype *type, const char *name, size_t name_bytes, bool descending,
                      riffle_sort_key *key, sort_key_names *names) {
    for (unsigned k = 0; k < key->fields; k++)
        if (strlen(names->name[k]) == name_bytes && memcmp(names->name[k], name, name_bytes) == 0) {
            snprintf(type->why, SORT_KEY_WHY, "field '%.*s' is named twice; the second time it decides nothing",
                     name_bytes < NAME_SHOWN ? (int)name_bytes : NAME_SHOWN, name);
            return false;
        }
    for (size_t k = 0; k < type->count; k++)
        if (type->fields[k].name_bytes == name_bytes && memcmp(type->fields[k].name, name, name_bytes) == 0)
            return add(type, &type->fields[k], descending, key, names);
    return refuse_name(type, name, name_bytes);
}

static bool add_list(const dtype *type, const char *fields, bool descending, riffle_sort_key *key,
                     sort_key_names *names) {
    if (type->fields[0].name == NULL) {
        snprintf(type->why, SORT_KEY_WHY, "dtype %.80s has no fields; leave out --fields", type->header->descr);
        return false;
    }
    for (const char *at = fields;; at++) {
        const bool is_turned = *at == '-';
        const char *const name = at + is_turned;
        const size_t bytes = strcspn(name, ",");
        if (!add_named(type, name, bytes, descending != is_turned, key, names)) return false;
        at = name + bytes;
        if (*at == '\0') return true;
    }
}

static bool add_all(const dtype *type, bool descending, riffle_sort_key *key, sort_key_names *names) {
    for (size_t k = 0; k < type->count; k++)
        if (!add(type, &type->fields[k], descending, key, names)) return false;
    return true;
}

bool sort_key_of(const riffle_npy_header *header, const char *fields, bool descending, riffle_sort_key *key,
                 sort_key_names *names, char why[static SORT_KEY_WHY]) {
    dtype type = {.header = header, .why = why};
    *key = (riffle_sort_key){.elem_bytes = header->elem_bytes};
    riffle_status status = riffle_npy_header_fields(header, NULL, 0, &type.count);
    if (status == RIFFLE_OK && type.count == 0) {
        snprintf(why, SORT_KEY_WHY, "dtype %.80s has no fields to sort by", header->descr);
        return false;
    }
    type.fields = calloc(type.count + 1, sizeof *type.fields);
    if (type.fields == NULL) status = RIFFLE_ERROR_OUT_OF_MEMORY;
    if (status == RIFFLE_OK) status = riffle_npy_header_fields(header, type.fields, type.count, &type.count);
    bool works = status == RIFFLE_OK;
    if (!works) snprintf(why, SORT_KEY_WHY, "its fields could not be read: %s", riffle_status_string(status));
    if (works)
        works = fields != NULL ? add_list(&type, fields, descending, key, names)
                               : add_all(&type, descending, key, names);
    free(type.fields);
    return works;
}

void sort_key_names_free(sort_key_names *names) {
    for (unsigned k = 0; k < RIFFLE_SORT_MAX_FIELDS; k++) free(names->name[k]);
}
