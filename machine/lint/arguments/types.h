/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA C types that a kernel's argument may have: numbers, and CUDA's vectors of them.
 */
#ifndef RIFFLE_MACHINE_LINT_ARGUMENTS_TYPES_H
#define RIFFLE_MACHINE_LINT_ARGUMENTS_TYPES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum lint_number { NUMBER_BOOL, NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_FLOAT } lint_number;

enum { LINT_MAX_COMPONENTS = 4, LINT_MAX_ELEMENT_BYTES = 32, LINT_TYPE_NAME = 24 };

typedef struct lint_type {
    char name[LINT_TYPE_NAME]; /**< as C++ writes it, "unsigned long long" or "float4" */
    lint_number number;        /**< type of each component */
    unsigned number_bytes;
    unsigned components; /**< 1, but 1 to 4 for a vector */
} lint_type;

/** Reads the `length` characters of a type; false if they name none. */
bool lint_type_parse(const char *text, size_t length, lint_type *out);

/** Bytes of one element of an array. */
static inline unsigned lint_type_bytes(const lint_type *type) { return type->number_bytes * type->components; }

/** Some of the names, for messages. */
extern const char lint_type_examples[];

#endif
