/* SPDX-License-Identifier: Apache-2.0 */
#include "program/op.h"

#include <string.h>

/* The class of a type that is one. */
static unsigned class_of(riffle_type type) {
    return type <= RIFFLE_TYPE_U64 ? TYPES_INTEGER : type <= RIFFLE_TYPE_F64 ? TYPES_FLOAT : TYPES_COMPLEX;
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
    if (op->kind == RIFFLE_OP_OWN) return class_of(type) != TYPES_COMPLEX && type != RIFFLE_TYPE_F16;
    return (records[op->kind].types & class_of(type)) != 0;
}

bool op_is_exact(riffle_type type) { return class_of(type) == TYPES_INTEGER; }

bool op_equal(const riffle_op *a, const riffle_op *b) {
    if (a->kind != b->kind || a->parameter != b->parameter) return false;
    return a->kind != RIFFLE_OP_OWN || strcmp(a->source, b->source) == 0;
}
