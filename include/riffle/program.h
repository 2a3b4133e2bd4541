/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Array programs: operations on the elements of an array of 2^n, described by parm and its kin, compiled by linear
 *  algebra into few passes (docs/programs.md; Bouverot-Dupuis, Sheeran 2023, section 7).
 */
#ifndef RIFFLE_PROGRAM_H
#define RIFFLE_PROGRAM_H

#include "riffle.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most bits of `group`: operations on 2^k neighbours. */
#define RIFFLE_PROGRAM_GROUP_BITS 4

/** What the elements of an array are. */
typedef enum riffle_type {
    RIFFLE_TYPE_I8 = 0,
    RIFFLE_TYPE_I16,
    RIFFLE_TYPE_I32,
    RIFFLE_TYPE_I64,
    RIFFLE_TYPE_U8,
    RIFFLE_TYPE_U16,
    RIFFLE_TYPE_U32,
    RIFFLE_TYPE_U64,
    RIFFLE_TYPE_F16, /**< IEEE half; each operation rounds to it */
    RIFFLE_TYPE_F32,
    RIFFLE_TYPE_F64,
    RIFFLE_TYPE_C64,  /**< complex of two floats */
    RIFFLE_TYPE_C128, /**< complex of two doubles */
} riffle_type;

/** An operation on elements. Of two elements a is the first, b the second; i is the sub-index, the number of the
 *  pair in its (sub-)array. Integers wrap around. */
typedef enum riffle_op_kind {
    RIFFLE_OP_MINMAX = 0, /**< if b < a they change places; no complex */
    RIFFLE_OP_BUTTERFLY,  /**< a+b, a-b */
    RIFFLE_OP_ADD,        /**< a, a+b */
    RIFFLE_OP_SUBTRACT,   /**< a, b-a */
    RIFFLE_OP_XOR,        /**< a, a^b; integers */
    RIFFLE_OP_ROTATE,     /**< a, b w^i, w = exp(-2 pi sqrt(-1) / 2^k), of -k the inverse; complex */
    RIFFLE_OP_TWIDDLE,    /**< a + b w^i, a - b w^i; complex */
    RIFFLE_OP_SWAP,       /**< b, a */
    RIFFLE_OP_SCALE, /**< of one element: a times the parameter, rounded to its (part's) type; floats, complex */
    RIFFLE_OP_NEGATE, /**< of one element: -a */
    RIFFLE_OP_OWN,    /**< a user's C expressions */
} riffle_op_kind;

typedef struct riffle_op {
    riffle_op_kind kind;
    double parameter; /**< k, an integer, of ROTATE and TWIDDLE; the factor of SCALE */
    const char
        *source; /**< of OWN: 2^bits expressions with commas between, over a (map), a and b (pair), or a0, a1,
                             ... (group), and i; NULL for others */
} riffle_op;

/** A program for an array of 2^n elements: an immutable value. */
typedef struct riffle_program riffle_program;

#ifdef __cplusplus
}
#endif
#endif
