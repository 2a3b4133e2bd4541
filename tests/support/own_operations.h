/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' operations in tests: their texts, and what they do.
 */
#ifndef RIFFLE_TESTS_OWN_OPERATIONS_H
#define RIFFLE_TESTS_OWN_OPERATIONS_H

#include <string.h>

#include "program/op.h"

/* Additions only, so that floats come out the same wherever they are computed. */
static const char *const own_sources[] = {
    "a + i",
    "a + b, a - b + i",
    "a3, a2 + a0, a1, a0 + i",
    "a1, a2, a3, a4, a5, a6, a7, a0 + a7",
    "a15, a14, a13, a12, a11, a10, a9, a8, a7, a6, a5, a4, a3, a2 + i, a1 - a0, a0",
};
enum { OWN_SOURCES = sizeof own_sources / sizeof *own_sources };

/* Integers by the unsigned type, which wraps around. */
#define OWN_PLAIN(type, sums)                                                                                  \
    static inline void own_plain_##type(unsigned bits, uint64_t i, void *elements) {                           \
        type *const e = elements, a = e[0], b = e[bits > 0], last = e[(1U << bits) - 1];                       \
        for (unsigned k = 0, most = (1U << bits) - 1; bits == 4 && k < 8; k++) {                               \
            const type kept = e[k];                                                                            \
            e[k] = e[most - k];                                                                                \
            e[most - k] = kept;                                                                                \
        }                                                                                                      \
        switch (bits) {                                                                                        \
        case 0: e[0] = (type)((sums)a + (sums)i); break;                                                       \
        case 1:                                                                                                \
            e[0] = (type)((sums)a + (sums)b);                                                                  \
            e[1] = (type)((sums)((sums)a - (sums)b) + (sums)i);                                                \
            break;                                                                                             \
        case 2:                                                                                                \
            e[0] = last;                                                                                       \
            e[1] = (type)((sums)e[2] + (sums)a);                                                               \
            e[2] = b;                                                                                          \
            e[3] = (type)((sums)a + (sums)i);                                                                  \
            break;                                                                                             \
        case 3:                                                                                                \
            memmove(e, e + 1, 7 * sizeof *e);                                                                  \
            e[7] = (type)((sums)a + (sums)last);                                                               \
            break;                                                                                             \
        default: e[13] = (type)((sums)e[13] + (sums)i); e[14] = (type)((sums)e[14] - (sums)e[15]);             \
        }                                                                                                      \
    }
OWN_PLAIN(int8_t, uint64_t)
OWN_PLAIN(int16_t, uint64_t)
OWN_PLAIN(int32_t, uint64_t)
OWN_PLAIN(int64_t, uint64_t)
OWN_PLAIN(uint8_t, uint64_t)
OWN_PLAIN(uint16_t, uint64_t)
OWN_PLAIN(uint32_t, uint64_t)
OWN_PLAIN(uint64_t, uint64_t)
OWN_PLAIN(float, float)
OWN_PLAIN(double, double)

/** Applies the operation of 2^bits elements. */
static inline void own_apply(unsigned bits, riffle_type type, uint64_t i, void *elements) {
    static void (*const plain[])(unsigned, uint64_t, void *) = {
        [RIFFLE_TYPE_I8] = own_plain_int8_t,    [RIFFLE_TYPE_I16] = own_plain_int16_t,
        [RIFFLE_TYPE_I32] = own_plain_int32_t,  [RIFFLE_TYPE_I64] = own_plain_int64_t,
        [RIFFLE_TYPE_U8] = own_plain_uint8_t,   [RIFFLE_TYPE_U16] = own_plain_uint16_t,
        [RIFFLE_TYPE_U32] = own_plain_uint32_t, [RIFFLE_TYPE_U64] = own_plain_uint64_t,
        [RIFFLE_TYPE_F32] = own_plain_float,    [RIFFLE_TYPE_F64] = own_plain_double,
    };
    plain[type](bits, i, elements);
}

static inline bool own_takes(riffle_type type) { return type < RIFFLE_TYPE_C64 && type != RIFFLE_TYPE_F16; }

/** Applies any operation to 2^bits elements: op_apply, and these. */
static inline void any_apply(const riffle_op *op, unsigned bits, riffle_type type, uint64_t i, void *elements) {
    if (op->kind == RIFFLE_OP_OWN) {
        own_apply(bits, type, i, elements);
    } else {
        op_apply(op, type, i, elements);
    }
}

#endif
