/* SPDX-License-Identifier: Apache-2.0
 *
 * The results of each built-in operation, for each type: the definition that engines are compared with.
 */
#include "base/half.h"
#include "program/op.h"
#include "program/twiddle.h"

/* Integers: arithmetic is that of the unsigned type of the same size, which wraps around. */
#define APPLY_INTEGER(name, type, unsigned_type)                                                               \
    static void apply_##name(const riffle_op *op, uint64_t i, void *elements) {                                \
        type *const e = elements;                                                                              \
        const unsigned_type a = (unsigned_type)e[0];                                                           \
        (void)i;                                                                                               \
        if (op->kind == RIFFLE_OP_NEGATE) {                                                                    \
            e[0] = (type)(unsigned_type)(0 - (uint64_t)a);                                                     \
            return;                                                                                            \
        }                                                                                                      \
        const unsigned_type b = (unsigned_type)e[1];                                                           \
        const bool less = e[1] < e[0];                                                                         \
        switch (op->kind) {                                                                                    \
        case RIFFLE_OP_MINMAX:                                                                                 \
            e[0] = (type)(less ? b : a);                                                                       \
            e[1] = (type)(less ? a : b);                                                                       \
            break;                                                                                             \
        case RIFFLE_OP_BUTTERFLY:                                                                              \
            e[0] = (type)(unsigned_type)(a + b);                                                               \
            e[1] = (type)(unsigned_type)(a - b);                                                               \
            break;                                                                                             \
        case RIFFLE_OP_ADD: e[1] = (type)(unsigned_type)(a + b); break;                                        \
        case RIFFLE_OP_SUBTRACT: e[1] = (type)(unsigned_type)(b - a); break;                                   \
        case RIFFLE_OP_XOR: e[1] = (type)(unsigned_type)(a ^ b); break;                                        \
        default: /* swap */ e[0] = (type)b; e[1] = (type)a;                                                    \
        }                                                                                                      \
    }

APPLY_INTEGER(i8, int8_t, uint8_t)
APPLY_INTEGER(i16, int16_t, uint16_t)
APPLY_INTEGER(i32, int32_t, uint32_t)
APPLY_INTEGER(i64, int64_t, uint64_t)
APPLY_INTEGER(u8, uint8_t, uint8_t)
APPLY_INTEGER(u16, uint16_t, uint16_t)
APPLY_INTEGER(u32, uint32_t, uint32_t)
APPLY_INTEGER(u64, uint64_t, uint64_t)

/* Floats: stored as `type`, computed with as `wide`. */
#define APPLY_FLOAT(name, type, wide, get, set)                                                                \
    static void apply_##name(const riffle_op *op, uint64_t i, void *elements) {                                \
        type *const e = elements;                                                                              \
        const wide a = get(e[0]);                                                                              \
        (void)i;                                                                                               \
        if (op->kind == RIFFLE_OP_NEGATE || op->kind == RIFFLE_OP_SCALE) {                                     \
            e[0] = set(op->kind == RIFFLE_OP_NEGATE ? -a : a * (wide)op->parameter);                           \
            return;                                                                                            \
        }                                                                                                      \
        const type held = e[0];                                                                                \
        const wide b = get(e[1]);                                                                              \
        switch (op->kind) {                                                                                    \
        case RIFFLE_OP_MINMAX:                                                                                 \
            if (!(b < a)) return;                                                                              \
            e[0] = e[1];                                                                                       \
            e[1] = held;                                                                                       \
            break;                                                                                             \
        case RIFFLE_OP_BUTTERFLY:                                                                              \
            e[0] = set(a + b);                                                                                 \
            e[1] = set(a - b);                                                                                 \
            break;                                                                                             \
        case RIFFLE_OP_ADD: e[1] = set(a + b); break;                                                          \
        case RIFFLE_OP_SUBTRACT: e[1] = set(b - a); break;                                                     \
        default: /* swap */ e[0] = e[1]; e[1] = held;                                                          \
        }                                                                                                      \
    }

#define AS_IT_IS(value) (value)
APPLY_FLOAT(f16, uint16_t, float, half_to_float, half_from_float)
APPLY_FLOAT(f32, float, float, AS_IT_IS, AS_IT_IS)
APPLY_FLOAT(f64, double, double, AS_IT_IS, AS_IT_IS)

#define APPLY_COMPLEX(name, real)                                                                              \
    typedef struct name {                                                                                      \
        real re, im;                                                                                           \
    } name;                                                                                                    \
                                                                                                               \
    static name name##_sum(name a, name b) { return (name){a.re + b.re, a.im + b.im}; }                        \
    static name name##_difference(name a, name b) { return (name){a.re - b.re, a.im - b.im}; }                 \
    static name name##_rotated(const riffle_op *op, uint64_t i, name b) {                                      \
        const twiddle w = twiddle_at((int)op->parameter, i);                                                   \
        const real re = (real)w.re, im = (real)w.im;                                                           \
        return (name){b.re * re - b.im * im, b.re * im + b.im * re};                                           \
    }                                                                                                          \
                                                                                                               \
    static void apply_##name(const riffle_op *op, uint64_t i, void *elements) {                                \
        name *const e = elements;                                                                              \
        const name a = e[0];                                                                                   \
        const real factor = op->kind == RIFFLE_OP_NEGATE ? -1 : (real)op->parameter;                           \
        if (op->kind == RIFFLE_OP_NEGATE || op->kind == RIFFLE_OP_SCALE) {                                     \
            e[0] = (name){a.re * factor, a.im * factor};                                                       \
            return;                                                                                            \
        }                                                                                                      \
        const bool turns = op->kind == RIFFLE_OP_ROTATE || op->kind == RIFFLE_OP_TWIDDLE;                      \
        const name b = turns ? name##_rotated(op, i, e[1]) : e[1];                                             \
        switch (op->kind) {                                                                                    \
        case RIFFLE_OP_BUTTERFLY:                                                                              \
        case RIFFLE_OP_TWIDDLE:                                                                                \
            e[0] = name##_sum(a, b);                                                                           \
            e[1] = name##_difference(a, b);                                                                    \
            break;                                                                                             \
        case RIFFLE_OP_ADD: e[1] = name##_sum(a, b); break;                                                    \
        case RIFFLE_OP_SUBTRACT: e[1] = name##_difference(b, a); break;                                        \
        case RIFFLE_OP_ROTATE: e[1] = b; break;                                                                \
        default: /* swap */ e[0] = b; e[1] = a;                                                                \
        }                                                                                                      \
    }

APPLY_COMPLEX(c64, float)
APPLY_COMPLEX(c128, double)

void op_apply(const riffle_op *op, riffle_type type, uint64_t i, void *elements) {
    static void (*const by_type[])(const riffle_op *, uint64_t, void *) = {
        [RIFFLE_TYPE_I8] = apply_i8,     [RIFFLE_TYPE_I16] = apply_i16, [RIFFLE_TYPE_I32] = apply_i32,
        [RIFFLE_TYPE_I64] = apply_i64,   [RIFFLE_TYPE_U8] = apply_u8,   [RIFFLE_TYPE_U16] = apply_u16,
        [RIFFLE_TYPE_U32] = apply_u32,   [RIFFLE_TYPE_U64] = apply_u64, [RIFFLE_TYPE_F16] = apply_f16,
        [RIFFLE_TYPE_F32] = apply_f32,   [RIFFLE_TYPE_F64] = apply_f64, [RIFFLE_TYPE_C64] = apply_c64,
        [RIFFLE_TYPE_C128] = apply_c128,
    };
    by_type[type](op, i, elements);
}
