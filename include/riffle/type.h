/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The types of elements, for programs, sorts and hulls. */
#ifndef RIFFLE_TYPE_H
#define RIFFLE_TYPE_H

#include "riffle.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The type of an array's elements. */
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

/** Bytes of an element, 0 for a number that is no type's. */
RIFFLE_API size_t riffle_type_bytes(riffle_type type);

/** "i8", ..., "u64", "f16", "f32", "f64", "c64", "c128". */
RIFFLE_API const char *riffle_type_string(riffle_type type);
/** The type of that name. */
RIFFLE_API riffle_status riffle_type_parse(const char *name, riffle_type *out);
/** All types. */
RIFFLE_API size_t riffle_type_list(riffle_type *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
