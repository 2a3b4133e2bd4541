/* SPDX-License-Identifier: Apache-2.0
 *
 * Sieving point by point, for every type.
 */
#include "hull/cpu/sieve.h"

/* True if the point at u = place - 1 is sure to be within. A place that is no number is in no cell. */
static inline bool is_within(const hull_sieve *s, double place, double v) {
    const uint32_t cell = place > 0 && place < s->cells + 1 ? (uint32_t)place : 0;
    return v >= (double)s->range[cell][0] && v <= (double)s->range[cell][1];
}

/* A difference beyond the type wraps around: it is then far beyond the polygon. */
#define PASS(name, coordinate, X_OFFSET, Y_OFFSET)                                                             \
    static unsigned name(const hull_sieve *s, const void *points, unsigned count, uint16_t *kept) {            \
        const coordinate *at = points;                                                                         \
        unsigned stay = 0;                                                                                     \
        for (unsigned k = 0; k < count; k++, at += 2) {                                                        \
            kept[stay] = (uint16_t)k;                                                                          \
            stay += !is_within(s, X_OFFSET(at[0]) * s->u_scale + 1, Y_OFFSET(at[1]) * s->v_scale);             \
        }                                                                                                      \
        return stay;                                                                                           \
    }

#define X_REAL(value) ((double)(value)-s->from.f64.x)
#define Y_REAL(value) ((double)(value)-s->from.f64.y)
#define X_I64(value) ((double)((uint64_t)(value) - (uint64_t)s->from.i64.x))
#define Y_I64(value) ((double)((uint64_t)(value) - (uint64_t)s->from.i64.y))
#define X_U64(value) X_I64(hull_centred(value))
#define Y_U64(value) Y_I64(hull_centred(value))

PASS(pass_i8, int8_t, X_REAL, Y_REAL)
PASS(pass_i16, int16_t, X_REAL, Y_REAL)
PASS(pass_i32, int32_t, X_REAL, Y_REAL)
PASS(pass_i64, int64_t, X_I64, Y_I64)
PASS(pass_u8, uint8_t, X_REAL, Y_REAL)
PASS(pass_u16, uint16_t, X_REAL, Y_REAL)
PASS(pass_u32, uint32_t, X_REAL, Y_REAL)
PASS(pass_u64, uint64_t, X_U64, Y_U64)
PASS(pass_f32, float, X_REAL, Y_REAL)
PASS(pass_f64, double, X_REAL, Y_REAL)

hull_sieve_pass *hull_sieve_pass_portable(riffle_type type) {
    static hull_sieve_pass *const passes[] = {
        [RIFFLE_TYPE_I8] = pass_i8,   [RIFFLE_TYPE_I16] = pass_i16, [RIFFLE_TYPE_I32] = pass_i32,
        [RIFFLE_TYPE_I64] = pass_i64, [RIFFLE_TYPE_U8] = pass_u8,   [RIFFLE_TYPE_U16] = pass_u16,
        [RIFFLE_TYPE_U32] = pass_u32, [RIFFLE_TYPE_U64] = pass_u64, [RIFFLE_TYPE_F32] = pass_f32,
        [RIFFLE_TYPE_F64] = pass_f64,
    };
    return passes[type];
}
