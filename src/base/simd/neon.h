/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of avx2.h for NEON: one piece a vector. There is no word that streams; stores are plain.
 */
#ifndef RIFFLE_BASE_SIMD_NEON_H
#define RIFFLE_BASE_SIMD_NEON_H

#include <arm_neon.h>
#include <stddef.h>

#define VECTOR_TARGET
#define VECTOR_INLINE __attribute__((always_inline)) static inline
#define VECTOR_NAME(name) name##_neon

enum { VECTOR_BYTES = 16 };
typedef uint8x16_t vector;

VECTOR_INLINE vector vector_load(const void *from) { return vld1q_u8(from); }
VECTOR_INLINE void vector_store(void *to, vector v) { vst1q_u8(to, v); }
VECTOR_INLINE void vector_stream(void *to, vector v) { vst1q_u8(to, v); }
VECTOR_INLINE vector vector_load_pieces(const void *low, const void *high) {
    (void)high;
    return vld1q_u8(low);
}
VECTOR_INLINE void vector_store_pieces(void *low, void *high, vector v) {
    (void)high;
    vst1q_u8(low, v);
}
VECTOR_INLINE void vector_stream_pieces(void *low, void *high, vector v) {
    (void)high;
    vst1q_u8(low, v);
}
VECTOR_INLINE vector vector_each_piece(const void *piece) { return vld1q_u8(piece); }
VECTOR_INLINE vector vector_fill(unsigned char low, unsigned char high) {
    (void)high;
    return vdupq_n_u8(low);
}
VECTOR_INLINE vector vector_xor(vector a, vector b) { return veorq_u8(a, b); }
VECTOR_INLINE vector vector_permute(vector v, vector order) { return vqtbl1q_u8(v, order); }
VECTOR_INLINE vector vector_zip_low(vector a, vector b, size_t word) {
    switch (word) {
    case 1: return vzip1q_u8(a, b);
    case 2: return vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
    case 4: return vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
    default: return vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
    }
}
VECTOR_INLINE vector vector_zip_high(vector a, vector b, size_t word) {
    switch (word) {
    case 1: return vzip2q_u8(a, b);
    case 2: return vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
    case 4: return vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b)));
    default: return vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
    }
}

#endif
