/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of sieve_pieces.inc with NEON.
 */
#if defined(__aarch64__)
#include <arm_neon.h>
#include <string.h>

#include "hull/cpu/sieve.h"

#define VECTOR_BYTES 16
#define VECTOR_TARGET
#define VECTOR_INLINE __attribute__((always_inline)) static inline
#define VECTOR_NAME(name) name##_neon

typedef float floats __attribute__((vector_size(VECTOR_BYTES)));
typedef double doubles __attribute__((vector_size(VECTOR_BYTES)));

VECTOR_INLINE void coordinates_of_floats(const float *points, floats *x, floats *y) {
    const float32x4x2_t apart = vld2q_f32(points);
    *x = (floats)apart.val[0];
    *y = (floats)apart.val[1];
}

VECTOR_INLINE void coordinates_of_doubles(const double *points, doubles *x, doubles *y) {
    const float64x2x2_t apart = vld2q_f64(points);
    *x = (doubles)apart.val[0];
    *y = (doubles)apart.val[1];
}

/* Two cells' stretches. */
VECTOR_INLINE float32x4_t two(const float *ranges, int32_t low, int32_t high) {
    return vcombine_f32(vld1_f32(ranges + 2 * low), vld1_f32(ranges + 2 * high));
}

VECTOR_INLINE void stretches(const float *ranges, const int32_t *cells, floats *least, floats *most) {
    const float32x4_t low = two(ranges, cells[0], cells[1]), high = two(ranges, cells[2], cells[3]);
    *least = (floats)vuzp1q_f32(low, high);
    *most = (floats)vuzp2q_f32(low, high);
}

/* A maximum of numbers leaves out what is none. */
VECTOR_INLINE floats clamped_floats(floats v, float most) {
    return (floats)vminq_f32(vmaxnmq_f32((float32x4_t)v, vdupq_n_f32(0)), vdupq_n_f32(most));
}

VECTOR_INLINE doubles clamped_doubles(doubles v, double most) {
    return (doubles)vminq_f64(vmaxnmq_f64((float64x2_t)v, vdupq_n_f64(0)), vdupq_n_f64(most));
}

VECTOR_INLINE floats narrowed(doubles low, doubles high) {
    return (floats)vcvt_high_f32_f64(vcvt_f32_f64((float64x2_t)low), (float64x2_t)high);
}

VECTOR_INLINE unsigned lanes_with(uint32x4_t ones) {
    static const uint32_t bits[] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(ones, vld1q_u32(bits)));
}
#define lanes_of(mask) lanes_with((uint32x4_t)(mask))

#include "hull/cpu/sieve_pieces.inc"
#endif
