/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's arithmetic beyond the C++ standard library: bits, conversions, minima.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_INTRINSICS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_INTRINSICS_H

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
RIFFLE_INLINE void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
RIFFLE_INLINE void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
RIFFLE_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
RIFFLE_INLINE float __fdividef(float a, float b) { return a / b; }
RIFFLE_INLINE float fdividef(float a, float b) { return a / b; }

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

/* Constant where their arguments are: functions that say constexpr call them. */
constexpr RIFFLE_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
constexpr RIFFLE_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
constexpr RIFFLE_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
constexpr RIFFLE_INLINE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
constexpr RIFFLE_INLINE int __ffs(int x) { return __builtin_ffs(x); }
constexpr RIFFLE_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
constexpr RIFFLE_INLINE unsigned long long __brevll(unsigned long long x) {
    unsigned long long reversed = 0;
    for (int k = 0; k < 64; k++) reversed |= (x >> k & 1) << (63 - k);
    return reversed;
}
constexpr RIFFLE_INLINE unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
constexpr RIFFLE_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int k = 0; k < 4; k++) result |= (unsigned)(bytes >> 8 * (selector >> 4 * k & 7) & 0xff) << 8 * k;
    return result;
}
constexpr RIFFLE_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
constexpr RIFFLE_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}
constexpr RIFFLE_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? low : __funnelshift_l(low, high, by);
}
constexpr RIFFLE_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by) {
    return by >= 32 ? high : __funnelshift_r(low, high, by);
}

constexpr RIFFLE_INLINE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
constexpr RIFFLE_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
constexpr RIFFLE_INLINE int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
constexpr RIFFLE_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
constexpr RIFFLE_INLINE long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
constexpr RIFFLE_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
constexpr RIFFLE_INLINE unsigned __sad(int a, int b, unsigned c) {
    return (unsigned)(a < b ? (long long)b - a : (long long)a - b) + c;
}
constexpr RIFFLE_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
constexpr RIFFLE_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
constexpr RIFFLE_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
constexpr RIFFLE_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
constexpr RIFFLE_INLINE unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
/* The place of the bit that is the so manieth from bit `base` on, or before it; ~0 where there is none. */
constexpr RIFFLE_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
    const int step = offset < 0 ? -1 : 1;
    int left = offset == 0 ? 1 : offset * step;
    for (int at = (int)base; at >= 0 && at < 32; at += step) {
        if (mask >> at & 1 && --left == 0) return (unsigned)at;
        if (offset == 0) break;
    }
    return ~0u;
}

/* Not templates: with `using namespace std` those would be as good a match as the standard's. */
#define RIFFLE_MIN_MAX(type)                                                                                   \
    constexpr RIFFLE_INLINE type min(type a, type b) { return b < a ? b : a; }                                 \
    constexpr RIFFLE_INLINE type max(type a, type b) { return a < b ? b : a; }
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
RIFFLE_INLINE long long llmin(long long a, long long b) { return min(a, b); }
RIFFLE_INLINE long long llmax(long long a, long long b) { return max(a, b); }
RIFFLE_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
RIFFLE_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
RIFFLE_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
RIFFLE_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }

#endif
