/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations that array programs apply to elements, and the types of elements. An operation takes 2^k elements
 * (one for `map`, two for `pair`) and gives as many back. Built-in ones are a line of EACH_OP; a user's own is C
 * expressions.
 */
#ifndef RIFFLE_PROGRAM_OP_H
#define RIFFLE_PROGRAM_OP_H

#include <stdbool.h>

#include "riffle/program.h"

/** Which elements an operation can do: sets of riffle_type, by class. */
enum {
    TYPES_INTEGER = 1,
    TYPES_FLOAT = 2, /* f16, f32, f64 */
    TYPES_COMPLEX = 4,
    TYPES_REAL = TYPES_INTEGER | TYPES_FLOAT,
    TYPES_ALL = TYPES_REAL | TYPES_COMPLEX,
};

/** Properties of an operation as a stage. */
enum {
    OP_LINEAR =
        1, /* over the ring of the elements: with exact arithmetic, commutes where the indices allow it */
    OP_XOR_LINEAR = 2, /* over GF(2) */
    OP_INVOLUTION = 4, /* done twice it is nothing */
    OP_IDEMPOTENT = 8, /* done twice it is done once */
    OP_INDEXED = 16,   /* uses the sub-index */
    OP_PARAMETER = 32, /* takes a number in the text */
};

/** name, enumerator, log2 of its elements, types, properties. op_apply.c computes each. */
#define EACH_OP(DO)                                                                                            \
    DO("minmax", MINMAX, 1, TYPES_REAL, OP_IDEMPOTENT)                                                         \
    DO("butterfly", BUTTERFLY, 1, TYPES_ALL, OP_LINEAR)                                                        \
    DO("add", ADD, 1, TYPES_ALL, OP_LINEAR)                                                                    \
    DO("subtract", SUBTRACT, 1, TYPES_ALL, OP_LINEAR)                                                          \
    DO("xor", XOR, 1, TYPES_INTEGER, OP_XOR_LINEAR | OP_INVOLUTION)                                            \
    DO("rotate", ROTATE, 1, TYPES_COMPLEX, OP_INDEXED | OP_PARAMETER)                                          \
    DO("twiddle", TWIDDLE, 1, TYPES_COMPLEX, OP_INDEXED | OP_PARAMETER)                                        \
    DO("swap", SWAP, 1, TYPES_ALL, OP_INVOLUTION)                                                              \
    DO("scale", SCALE, 0, TYPES_FLOAT | TYPES_COMPLEX, OP_LINEAR | OP_PARAMETER)                               \
    DO("negate", NEGATE, 0, TYPES_ALL, OP_LINEAR | OP_INVOLUTION)

typedef struct op_record {
    const char *name;
    unsigned bits;
    unsigned types, properties;
} op_record;

/** The record of a built-in operation. */
const op_record *op_record_of(riffle_op_kind kind);

/** True if the op uses the sub-index i. */
bool op_is_indexed(const riffle_op *op);

/** How many bits of a sub-index of `bits` bits matter to it. */
unsigned op_index_bits(const riffle_op *op, unsigned bits);

/** True if the operation is defined for elements of this type. */
bool op_takes(const riffle_op *op, riffle_type type);

/** True if elements of this type are computed with exactly, so that linear operations may change places. */
bool op_is_exact(riffle_type type);

/** True if both do the same. */
bool op_equal(const riffle_op *a, const riffle_op *b);

/** The operation's definition: elements[0..2^bits) of `type`, side by side, become the result; i is the sub-index.
 *  Not for users' ops. */
void op_apply(const riffle_op *op, riffle_type type, uint64_t i, void *elements);

#endif
