/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's arithmetic beyond the C++ standard library: bits, conversions, roundings, minima. Rounding modes other
 * than to the nearest are left out, except in conversions to integers.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_INTRINSICS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_INTRINSICS_H

/* The C library declares these names for itself. */
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __powf powf
#define __sincosf sincosf

RIFFLE_INLINE float rsqrtf(float x) { return 1 / sqrtf(x); }
RIFFLE_INLINE double rsqrt(double x) { return 1 / sqrt(x); }
RIFFLE_INLINE float sinpif(float x) { return sinf(3.14159265f * x); }
RIFFLE_INLINE double sinpi(double x) { return sin(3.14159265358979323846 * x); }
RIFFLE_INLINE float cospif(float x) { return cosf(3.14159265f * x); }
RIFFLE_INLINE double cospi(double x) { return cos(3.14159265358979323846 * x); }
RIFFLE_INLINE void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
RIFFLE_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
RIFFLE_INLINE float __fdividef(float a, float b) { return a / b; }
RIFFLE_INLINE float __fadd_rn(float a, float b) { return a + b; }
RIFFLE_INLINE float __fsub_rn(float a, float b) { return a - b; }
RIFFLE_INLINE float __fmul_rn(float a, float b) { return a * b; }
RIFFLE_INLINE float __fdiv_rn(float a, float b) { return a / b; }
RIFFLE_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
RIFFLE_INLINE float __frcp_rn(float x) { return 1 / x; }
RIFFLE_INLINE float __fsqrt_rn(float x) { return sqrtf(x); }
RIFFLE_INLINE float __frsqrt_rn(float x) { return 1 / sqrtf(x); }
RIFFLE_INLINE double __dadd_rn(double a, double b) { return a + b; }
RIFFLE_INLINE double __dsub_rn(double a, double b) { return a - b; }
RIFFLE_INLINE double __dmul_rn(double a, double b) { return a * b; }
RIFFLE_INLINE double __ddiv_rn(double a, double b) { return a / b; }
RIFFLE_INLINE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
RIFFLE_INLINE double __dsqrt_rn(double x) { return sqrt(x); }

namespace riffle_lint {
template <class To, class From> RIFFLE_INLINE To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
} // namespace riffle_lint

RIFFLE_INLINE int __float_as_int(float x) { return riffle_lint::same_bits<int>(x); }
RIFFLE_INLINE unsigned __float_as_uint(float x) { return riffle_lint::same_bits<unsigned>(x); }
RIFFLE_INLINE float __int_as_float(int x) { return riffle_lint::same_bits<float>(x); }
RIFFLE_INLINE float __uint_as_float(unsigned x) { return riffle_lint::same_bits<float>(x); }
RIFFLE_INLINE long long __double_as_longlong(double x) { return riffle_lint::same_bits<long long>(x); }
RIFFLE_INLINE double __longlong_as_double(long long x) { return riffle_lint::same_bits<double>(x); }
RIFFLE_INLINE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
RIFFLE_INLINE int __double2loint(double x) { return (int)__double_as_longlong(x); }
RIFFLE_INLINE double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

RIFFLE_INLINE int __float2int_rn(float x) { return (int)rintf(x); }
RIFFLE_INLINE int __float2int_rz(float x) { return (int)x; }
RIFFLE_INLINE int __float2int_ru(float x) { return (int)ceilf(x); }
RIFFLE_INLINE int __float2int_rd(float x) { return (int)floorf(x); }
RIFFLE_INLINE unsigned __float2uint_rn(float x) { return (unsigned)rintf(x); }
RIFFLE_INLINE unsigned __float2uint_rz(float x) { return (unsigned)x; }
RIFFLE_INLINE unsigned __float2uint_ru(float x) { return (unsigned)ceilf(x); }
RIFFLE_INLINE unsigned __float2uint_rd(float x) { return (unsigned)floorf(x); }
RIFFLE_INLINE float __int2float_rn(int x) { return (float)x; }
RIFFLE_INLINE float __uint2float_rn(unsigned x) { return (float)x; }
RIFFLE_INLINE int __double2int_rn(double x) { return (int)rint(x); }
RIFFLE_INLINE int __double2int_rz(double x) { return (int)x; }
RIFFLE_INLINE int __double2int_ru(double x) { return (int)ceil(x); }
RIFFLE_INLINE int __double2int_rd(double x) { return (int)floor(x); }
RIFFLE_INLINE float __double2float_rn(double x) { return (float)x; }
RIFFLE_INLINE double __int2double_rn(int x) { return x; }

RIFFLE_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
RIFFLE_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
RIFFLE_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
RIFFLE_INLINE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
RIFFLE_INLINE int __ffs(int x) { return __builtin_ffs(x); }
RIFFLE_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
RIFFLE_INLINE unsigned long long __brevll(unsigned long long x) {
    unsigned long long reversed = 0;
    for (int k = 0; k < 64; k++) reversed |= (x >> k & 1) << (63 - k);
    return reversed;
}
RIFFLE_INLINE unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
RIFFLE_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int k = 0; k < 4; k++) result |= (unsigned)(bytes >> 8 * (selector >> 4 * k & 7) & 0xff) << 8 * k;
    return result;
}
RIFFLE_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
RIFFLE_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
RIFFLE_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
RIFFLE_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}

RIFFLE_INLINE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
RIFFLE_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
RIFFLE_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
RIFFLE_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
RIFFLE_INLINE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
RIFFLE_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
RIFFLE_INLINE unsigned __sad(int a, int b, unsigned c) {
    return (unsigned)(a < b ? (long long)b - a : (long long)a - b) + c;
}
RIFFLE_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }

/* Not templates: with `using namespace std` those would be as good a match as the standard's. */
#define RIFFLE_MIN_MAX(type)                                                                                   \
    RIFFLE_INLINE type min(type a, type b) { return b < a ? b : a; }                                           \
    RIFFLE_INLINE type max(type a, type b) { return a < b ? b : a; }
RIFFLE_MIN_MAX(int)
RIFFLE_MIN_MAX(unsigned)
RIFFLE_MIN_MAX(long)
RIFFLE_MIN_MAX(unsigned long)
RIFFLE_MIN_MAX(long long)
RIFFLE_MIN_MAX(unsigned long long)
#undef RIFFLE_MIN_MAX
RIFFLE_INLINE float min(float a, float b) { return fminf(a, b); }
RIFFLE_INLINE float max(float a, float b) { return fmaxf(a, b); }
RIFFLE_INLINE double min(double a, double b) { return fmin(a, b); }
RIFFLE_INLINE double max(double a, double b) { return fmax(a, b); }
RIFFLE_INLINE double min(float a, double b) { return fmin(a, b); }
RIFFLE_INLINE double max(float a, double b) { return fmax(a, b); }
RIFFLE_INLINE double min(double a, float b) { return fmin(a, b); }
RIFFLE_INLINE double max(double a, float b) { return fmax(a, b); }
RIFFLE_INLINE unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
RIFFLE_INLINE unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
RIFFLE_INLINE unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
RIFFLE_INLINE unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
RIFFLE_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
RIFFLE_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }

#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_NAN __builtin_nan("")

#endif
