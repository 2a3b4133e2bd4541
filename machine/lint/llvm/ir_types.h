/* SPDX-License-Identifier: Apache-2.0
 *
 * The types in LLVM's text, and the words between which they stand.
 */
#ifndef RIFFLE_MACHINE_LINT_LLVM_IR_TYPES_H
#define RIFFLE_MACHINE_LINT_LLVM_IR_TYPES_H

#include "machine/lint/llvm/ir.h"

typedef enum type_kind { TYPE_OTHER, TYPE_INTEGER, TYPE_POINTER, TYPE_ARRAY, TYPE_STRUCTURE } type_kind;

typedef struct ir_type {
    type_kind kind;
    unsigned bits, align;
    uint64_t bytes;
    unsigned element; /**< of an array or vector */
    uint64_t count;   /**< its elements, or a structure's fields */
    unsigned first;   /**< a structure's fields */
} ir_type;

typedef struct ir_field {
    unsigned type;
    uint64_t offset;
} ir_field;

typedef struct ir_named {
    ir_name name;
    const char *text; /* behind "type"; NULL once it has been read */
    unsigned type;
} ir_named;

typedef struct ir_types {
    size_t types, type_capacity, fields, field_capacity, named, named_capacity;
    ir_type *type; /* 0 is one of no size */
    ir_field *field;
    ir_named *name;
} ir_types;

/** Makes room for one more entry. False without memory. */
bool ir_grow(void **list, size_t count, size_t *capacity, size_t bytes);

void ir_skip_space(const char **at);
/** Skips the word if it is the next. */
bool ir_take(const char **at, const char *word);
/** A name behind its sigil, in quotes or not. */
ir_name ir_take_name(const char **at);
/** Skips what the bracket here encloses. */
void ir_skip_bracket(const char **at);
bool ir_same_name(ir_name a, ir_name b);

/** Reads a type; its number, 0 for one that is not known or has no size. */
unsigned ir_take_type(ir_types *t, const char **at);

/** Skips attributes of a parameter or operand: what stands between its type and its value. */
void ir_skip_attributes(const char **at);

/** The type's element k, and its offset: of an array, vector or structure. False for another type. */
bool ir_element(const ir_types *t, unsigned type, uint64_t k, unsigned *element, uint64_t *offset);

#endif
