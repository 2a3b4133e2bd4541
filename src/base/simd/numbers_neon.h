/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of numbers.h for NEON.
 */
#ifndef RIFFLE_BASE_SIMD_NUMBERS_NEON_H
#define RIFFLE_BASE_SIMD_NUMBERS_NEON_H

#include <arm_neon.h>

#define VECTOR_TARGET
#define VECTOR_NAME(name) name##_neon

enum { VECTOR_BYTES = 16, VECTORS_CROSS = 4, VECTORS_WITHIN = 8 };

#include "base/simd/numbers.h"

VECTOR_INLINE vector vector_choose(vector mask, vector yes, vector no) { return (yes & mask) | (no & ~mask); }

/* NEON has no minima of 64-bit integers, and those of floats are no numbers where one operand is none. */
VECTOR_INLINE vector_pair vector_ordered(numbers type, vector a, vector b) {
    switch (type) {
    case RIFFLE_TYPE_I8:
        return (vector_pair){(vector)vminq_s8((int8x16_t)a, (int8x16_t)b),
                             (vector)vmaxq_s8((int8x16_t)a, (int8x16_t)b)};
    case RIFFLE_TYPE_U8:
        return (vector_pair){(vector)vminq_u8((uint8x16_t)a, (uint8x16_t)b),
                             (vector)vmaxq_u8((uint8x16_t)a, (uint8x16_t)b)};
    case RIFFLE_TYPE_I16:
        return (vector_pair){(vector)vminq_s16((int16x8_t)a, (int16x8_t)b),
                             (vector)vmaxq_s16((int16x8_t)a, (int16x8_t)b)};
    case RIFFLE_TYPE_U16:
        return (vector_pair){(vector)vminq_u16((uint16x8_t)a, (uint16x8_t)b),
                             (vector)vmaxq_u16((uint16x8_t)a, (uint16x8_t)b)};
    case RIFFLE_TYPE_I32:
        return (vector_pair){(vector)vminq_s32((int32x4_t)a, (int32x4_t)b),
                             (vector)vmaxq_s32((int32x4_t)a, (int32x4_t)b)};
    case RIFFLE_TYPE_U32:
        return (vector_pair){(vector)vminq_u32((uint32x4_t)a, (uint32x4_t)b),
                             (vector)vmaxq_u32((uint32x4_t)a, (uint32x4_t)b)};
    default: return vector_exchanged(vector_less(type, b, a), a, b);
    }
}

VECTOR_INLINE bool vector_is_zero(vector v) { return (v[0] | v[1]) == 0; }

VECTOR_INLINE vector vector_order_of(unsigned bytes) {
    static const uint8_t here[VECTOR_BYTES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return (vector)veorq_u8(vld1q_u8(here), vdupq_n_u8((uint8_t)bytes));
}

VECTOR_INLINE vector vector_shuffled(vector v, vector order, unsigned bytes) {
    (void)bytes;
    return (vector)vqtbl1q_u8((uint8x16_t)v, (uint8x16_t)order);
}

VECTOR_INLINE vector vector_widened(const void *halves) {
    return (vector)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(halves)));
}

VECTOR_INLINE void vector_narrowed(void *halves, vector floats) {
    vst1_u16(halves, vreinterpret_u16_f16(vcvt_f16_f32((float32x4_t)floats)));
}

VECTOR_INLINE vector vector_singles(vector_f64 low, vector_f64 high) {
    return (vector)vcvt_high_f32_f64(vcvt_f32_f64((float64x2_t)low), (float64x2_t)high);
}

VECTOR_INLINE vector_f32 vector_less_product(vector_f32 c, vector_f32 a, float b) {
    return (vector_f32)vfmsq_n_f32((float32x4_t)c, (float32x4_t)a, b);
}

#endif
