/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums, minima and maxima in one instruction, which programs for sequences use (DPX), and products of two shorts with two bytes.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_DPX_H
#define RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_DPX_H

namespace riffle_lint {
/* An operation on each of two shorts. */
template <class Half, class Operation, class... Word> RIFFLE_INLINE unsigned on_halves(Operation operation, Word... words) {
    return (unsigned)(unsigned short)operation((Half)(words & 0xffff)...) | (unsigned)(unsigned short)operation((Half)(words >> 16)...) << 16;
}
} // namespace riffle_lint

#define RIFFLE_DPX(word, sign)                                                                                 \
    RIFFLE_INLINE int __vi##word##3_s32(int a, int b, int c) { return word(word(a, b), c); }                   \
    RIFFLE_INLINE unsigned __vi##word##3_u32(unsigned a, unsigned b, unsigned c) { return word(word(a, b), c); } \
    RIFFLE_INLINE int __vi##word##3_s32_relu(int a, int b, int c) { return max(word(word(a, b), c), 0); }       \
    RIFFLE_INLINE int __vi##word##_s32_relu(int a, int b) { return max(word(a, b), 0); }                       \
    RIFFLE_INLINE int __viadd##word##_s32(int a, int b, int c) { return word(a + b, c); }                      \
    RIFFLE_INLINE unsigned __viadd##word##_u32(unsigned a, unsigned b, unsigned c) { return word(a + b, c); }  \
    RIFFLE_INLINE int __viadd##word##_s32_relu(int a, int b, int c) { return max(word(a + b, c), 0); }          \
    RIFFLE_INLINE int __vib##word##_s32(int a, int b, bool *first) { return *first = a sign b, word(a, b); }   \
    RIFFLE_INLINE unsigned __vib##word##_u32(unsigned a, unsigned b, bool *first) { return *first = a sign b, word(a, b); } \
    RIFFLE_INLINE unsigned __vi##word##3_s16x2(unsigned a, unsigned b, unsigned c) {                           \
        return riffle_lint::on_halves<short>([](int x, int y, int z) { return word(word(x, y), z); }, a, b, c);  \
    }                                                                                                          \
    RIFFLE_INLINE unsigned __vi##word##3_u16x2(unsigned a, unsigned b, unsigned c) {                           \
        return riffle_lint::on_halves<unsigned short>([](int x, int y, int z) { return word(word(x, y), z); }, a, b, c); \
    }                                                                                                          \
    RIFFLE_INLINE unsigned __vi##word##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {                      \
        return riffle_lint::on_halves<short>([](int x, int y, int z) { return max(word(word(x, y), z), 0); }, a, b, c); \
    }                                                                                                          \
    RIFFLE_INLINE unsigned __vi##word##_s16x2_relu(unsigned a, unsigned b) {                                   \
        return riffle_lint::on_halves<short>([](int x, int y) { return max(word(x, y), 0); }, a, b);            \
    }                                                                                                          \
    RIFFLE_INLINE unsigned __viadd##word##_s16x2(unsigned a, unsigned b, unsigned c) {                         \
        return riffle_lint::on_halves<short>([](int x, int y, int z) { return word((int)(short)(x + y), z); }, a, b, c); \
    }                                                                                                          \
    RIFFLE_INLINE unsigned __viadd##word##_u16x2(unsigned a, unsigned b, unsigned c) {                         \
        return riffle_lint::on_halves<unsigned short>([](int x, int y, int z) { return word((x + y) & 0xffff, z); }, a, b, c); \
    }                                                                                                          \
    RIFFLE_INLINE unsigned __viadd##word##_s16x2_relu(unsigned a, unsigned b, unsigned c) {                    \
        return riffle_lint::on_halves<short>([](int x, int y, int z) { return max(word((int)(short)(x + y), z), 0); }, a, b, c); \
    }                                                                                                          \
    RIFFLE_INLINE unsigned __vib##word##_s16x2(unsigned a, unsigned b, bool *high, bool *low) {                \
        *high = (short)(a >> 16) sign (short)(b >> 16), *low = (short)a sign (short)b;                         \
        return riffle_lint::on_halves<short>([](int x, int y) { return word(x, y); }, a, b);                   \
    }                                                                                                          \
    RIFFLE_INLINE unsigned __vib##word##_u16x2(unsigned a, unsigned b, bool *high, bool *low) {                \
        *high = a >> 16 sign b >> 16, *low = (a & 0xffff) sign (b & 0xffff);                                   \
        return riffle_lint::on_halves<unsigned short>([](int x, int y) { return word(x, y); }, a, b);          \
    }
RIFFLE_DPX(min, <=)
RIFFLE_DPX(max, >=)
#undef RIFFLE_DPX

RIFFLE_INLINE int __dp2a_lo(int a, int b, int c) { return c + (short)a * (signed char)b + (a >> 16) * (signed char)(b >> 8); }
RIFFLE_INLINE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
RIFFLE_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) { return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff); }
RIFFLE_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }
RIFFLE_INLINE int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
RIFFLE_INLINE int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
RIFFLE_INLINE unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) { return c + (unsigned)a.x * b.x + (unsigned)a.y * b.y; }
RIFFLE_INLINE unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) { return c + (unsigned)a.x * b.z + (unsigned)a.y * b.w; }

#endif
