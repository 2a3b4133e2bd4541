/* SPDX-License-Identifier: Apache-2.0 */
#include "program/op.h"

#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
    unsigned types;
} type_records[] = {
    [RIFFLE_TYPE_I8] = {"i8", 1, TYPES_INTEGER},      [RIFFLE_TYPE_I16] = {"i16", 2, TYPES_INTEGER},
    [RIFFLE_TYPE_I32] = {"i32", 4, TYPES_INTEGER},    [RIFFLE_TYPE_I64] = {"i64", 8, TYPES_INTEGER},
    [RIFFLE_TYPE_U8] = {"u8", 1, TYPES_INTEGER},      [RIFFLE_TYPE_U16] = {"u16", 2, TYPES_INTEGER},
    [RIFFLE_TYPE_U32] = {"u32", 4, TYPES_INTEGER},    [RIFFLE_TYPE_U64] = {"u64", 8, TYPES_INTEGER},
    [RIFFLE_TYPE_F16] = {"f16", 2, TYPES_FLOAT},      [RIFFLE_TYPE_F32] = {"f32", 4, TYPES_FLOAT},
    [RIFFLE_TYPE_F64] = {"f64", 8, TYPES_FLOAT},      [RIFFLE_TYPE_C64] = {"c64", 8, TYPES_COMPLEX},
    [RIFFLE_TYPE_C128] = {"c128", 16, TYPES_COMPLEX},
};

static bool is_known(riffle_type type) { return (unsigned)type < sizeof type_records / sizeof *type_records; }

size_t riffle_type_bytes(riffle_type type) { return is_known(type) ? type_records[type].bytes : 0; }
const char *riffle_type_string(riffle_type type) {
    return is_known(type) ? type_records[type].name : "unknown";
}

#define RECORD(name, kind, bits, types, properties) [RIFFLE_OP_##kind] = {name, bits, types, properties},
static const op_record records[] = {EACH_OP(RECORD)};

const op_record *op_record_of(riffle_op_kind kind) {
    return (unsigned)kind < sizeof records / sizeof *records ? &records[kind] : NULL;
}

/* True if the source has the word i. */
static bool names_index(const char *source) {
    for (const char *word = source; *word != '\0';) {
        const size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        if (length == 1 && *word == 'i') return true;
        word += length > 0 ? length : 1;
    }
    return false;
}

bool op_is_indexed(const riffle_op *op) {
    if (op->kind == RIFFLE_OP_OWN) return names_index(op->source);
    return (records[op->kind].properties & OP_INDEXED) != 0;
}

unsigned op_index_bits(const riffle_op *op, unsigned bits) {
    if (op->kind == RIFFLE_OP_OWN) return bits;
    const double order = op->parameter < 0 ? -op->parameter : op->parameter; /* log2 of a root's order */
    return order < bits ? (unsigned)order : bits;
}

bool op_takes(const riffle_op *op, riffle_type type) {
    if (op->kind == RIFFLE_OP_OWN) return type_records[type].types != TYPES_COMPLEX && type != RIFFLE_TYPE_F16;
    return (records[op->kind].types & type_records[type].types) != 0;
}

bool op_is_exact(riffle_type type) { return type_records[type].types == TYPES_INTEGER; }

bool op_equal(const riffle_op *a, const riffle_op *b) {
    if (a->kind != b->kind || a->parameter != b->parameter) return false;
    return a->kind != RIFFLE_OP_OWN || strcmp(a->source, b->source) == 0;
}
