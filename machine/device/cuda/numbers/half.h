/* SPDX-License-Identifier: Apache-2.0
 *
 * Half precision and bfloat16: 16 bits in memory, computed as floats and rounded to nearest even after each operation.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_HALF_H
#define RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_HALF_H

#include "device.h"

#define RIFFLE_SHORT_FLOAT(name, raw, format)                                                                  \
    struct raw {                                                                                               \
        unsigned short x;                                                                                      \
    };                                                                                                         \
    struct name {                                                                                              \
        unsigned short __x;                                                                                    \
        name() = default;                                                                                      \
        RIFFLE_PURE name(raw r) : __x(r.x) {}                                                                  \
        RIFFLE_PURE name(float f) : __x(format::from(f)) {}                                                    \
        RIFFLE_PURE name(double f) : __x(format::from(riffle_lint::short_of(f))) {}                            \
        RIFFLE_PURE name(int i) : __x(format::from((float)i)) {}                                               \
        RIFFLE_PURE name(unsigned i) : __x(format::from((float)i)) {}                                          \
        RIFFLE_PURE name(long long i) : __x(format::from((float)i)) {}                                         \
        RIFFLE_PURE name(unsigned long long i) : __x(format::from((float)i)) {}                                \
        RIFFLE_PURE operator float() const { return format::to(__x); }                                         \
        RIFFLE_PURE operator raw() const { return {__x}; }                                                     \
        RIFFLE_PURE name &operator+=(const name &b) { return *this = name((float)*this + (float)b); }          \
        RIFFLE_PURE name &operator-=(const name &b) { return *this = name((float)*this - (float)b); }          \
        RIFFLE_PURE name &operator*=(const name &b) { return *this = name((float)*this * (float)b); }          \
        RIFFLE_PURE name &operator/=(const name &b) { return *this = name((float)*this / (float)b); }          \
    };                                                                                                         \
    RIFFLE_PURE name operator+(const name &a, const name &b) { return name((float)a + (float)b); }             \
    RIFFLE_PURE name operator-(const name &a, const name &b) { return name((float)a - (float)b); }             \
    RIFFLE_PURE name operator*(const name &a, const name &b) { return name((float)a * (float)b); }             \
    RIFFLE_PURE name operator/(const name &a, const name &b) { return name((float)a / (float)b); }             \
    RIFFLE_PURE name operator-(const name &a) { return name(-(float)a); }                                      \
    RIFFLE_PURE bool operator==(const name &a, const name &b) { return (float)a == (float)b; }                 \
    RIFFLE_PURE bool operator!=(const name &a, const name &b) { return (float)a != (float)b; }                 \
    RIFFLE_PURE bool operator<(const name &a, const name &b) { return (float)a < (float)b; }                   \
    RIFFLE_PURE bool operator>(const name &a, const name &b) { return (float)a > (float)b; }                   \
    RIFFLE_PURE bool operator<=(const name &a, const name &b) { return (float)a <= (float)b; }                 \
    RIFFLE_PURE bool operator>=(const name &a, const name &b) { return (float)a >= (float)b; }                 \
    struct alignas(4) name##2##_raw {                                                                          \
        unsigned short x, y;                                                                                   \
    };                                                                                                         \
    struct alignas(4) name##2 {                                                                                \
        name x, y;                                                                                             \
        name##2() = default;                                                                                   \
        RIFFLE_PURE name##2(name a, name b) : x(a), y(b) {}                                                    \
        RIFFLE_PURE name##2(name##2##_raw a) : x(raw{a.x}), y(raw{a.y}) {}                                     \
        RIFFLE_PURE operator name##2##_raw() const { return {x.__x, y.__x}; }                                  \
        RIFFLE_DEVICE name##2(const name##2 &from) { ::riffle_lint::copy_whole<4>(this, &from, RIFFLE_SITE); } \
        RIFFLE_DEVICE name##2 &operator=(const name##2 &from) {                                                \
            ::riffle_lint::copy_whole<4>(this, &from, RIFFLE_SITE);                                            \
            return *this;                                                                                      \
        }                                                                                                      \
    };                                                                                                         \
    RIFFLE_PURE name##2 operator+(const name##2 &a, const name##2 &b) { return {a.x + b.x, a.y + b.y}; }       \
    RIFFLE_PURE name##2 operator-(const name##2 &a, const name##2 &b) { return {a.x - b.x, a.y - b.y}; }       \
    RIFFLE_PURE name##2 operator*(const name##2 &a, const name##2 &b) { return {a.x * b.x, a.y * b.y}; }       \
    RIFFLE_PURE name __hadd(name a, name b) { return a + b; }                                                  \
    RIFFLE_PURE name __hsub(name a, name b) { return a - b; }                                                  \
    RIFFLE_PURE name __hmul(name a, name b) { return a * b; }                                                  \
    RIFFLE_PURE name __hdiv(name a, name b) { return a / b; }                                                  \
    RIFFLE_PURE name __hneg(name a) { return -a; }                                                             \
    RIFFLE_PURE name __habs(name a) { return name(fabsf(a)); }                                                 \
    RIFFLE_PURE name __hfma(name a, name b, name c) { return name(riffle_lint::short_fma(a, b, c)); }                            \
    RIFFLE_PURE name __hmax(name a, name b) { return (float)a < (float)b ? b : a; }                            \
    RIFFLE_PURE name __hmin(name a, name b) { return (float)b < (float)a ? b : a; }                            \
    RIFFLE_PURE bool __heq(name a, name b) { return a == b; }                                                  \
    RIFFLE_PURE bool __hne(name a, name b) { return (float)a < (float)b || (float)b < (float)a; }              \
    RIFFLE_PURE bool __hlt(name a, name b) { return a < b; }                                                   \
    RIFFLE_PURE bool __hle(name a, name b) { return a <= b; }                                                  \
    RIFFLE_PURE bool __hgt(name a, name b) { return a > b; }                                                   \
    RIFFLE_PURE bool __hge(name a, name b) { return a >= b; }                                                  \
    RIFFLE_PURE bool __hisnan(name a) { return std::isnan((float)a); }                                         \
    RIFFLE_PURE bool __hisinf(name a) { return std::isinf((float)a); }                                         \
    RIFFLE_PURE name hexp(name a) { return name(expf(a)); }                                                    \
    RIFFLE_PURE name hlog(name a) { return name(logf(a)); }                                                    \
    RIFFLE_PURE name hsqrt(name a) { return name(sqrtf(a)); }                                                  \
    RIFFLE_PURE name hrsqrt(name a) { return name(1 / sqrtf(a)); }                                             \
    RIFFLE_PURE name hrcp(name a) { return name(1 / (float)a); }                                               \
    RIFFLE_PURE name htanh(name a) { return name(tanhf(a)); }                                                  \
    RIFFLE_PURE name hsin(name a) { return name(sinf(a)); }                                                    \
    RIFFLE_PURE name hcos(name a) { return name(cosf(a)); }                                                    \
    RIFFLE_PURE name hexp2(name a) { return name(exp2f(a)); }                                                  \
    RIFFLE_PURE name hexp10(name a) { return name(exp10f(a)); }                                                \
    RIFFLE_PURE name hlog2(name a) { return name(log2f(a)); }                                                  \
    RIFFLE_PURE name hlog10(name a) { return name(log10f(a)); }                                                \
    RIFFLE_PURE name hfloor(name a) { return name(floorf(a)); }                                                \
    RIFFLE_PURE name hceil(name a) { return name(ceilf(a)); }                                                  \
    RIFFLE_PURE name htrunc(name a) { return name(truncf(a)); }                                                \
    RIFFLE_PURE name hrint(name a) { return name(rintf(a)); }                                                  \
    RIFFLE_PURE name htanh_approx(name a) { return htanh(a); }                                                 \
    RIFFLE_PURE name __hadd_rn(name a, name b) { return a + b; }                                               \
    RIFFLE_PURE name __hsub_rn(name a, name b) { return a - b; }                                               \
    RIFFLE_PURE name __hmul_rn(name a, name b) { return a * b; }                                               \
    RIFFLE_PURE name __hadd_sat(name a, name b) { return name(__saturatef((float)a + (float)b)); }             \
    RIFFLE_PURE name __hsub_sat(name a, name b) { return name(__saturatef((float)a - (float)b)); }             \
    RIFFLE_PURE name __hmul_sat(name a, name b) { return name(__saturatef((float)a * (float)b)); }             \
    RIFFLE_PURE name __hfma_sat(name a, name b, name c) { return name(__saturatef(riffle_lint::short_fma(a, b, c))); }           \
    RIFFLE_PURE name &operator++(name &a) { return a += name(1.0f); }                                          \
    RIFFLE_PURE name &operator--(name &a) { return a -= name(1.0f); }                                          \
    RIFFLE_PURE name operator++(name &a, int) {                                                                \
        const name before = a;                                                                                 \
        ++a;                                                                                                   \
        return before;                                                                                         \
    }                                                                                                          \
    RIFFLE_PURE name operator--(name &a, int) {                                                                \
        const name before = a;                                                                                 \
        --a;                                                                                                   \
        return before;                                                                                         \
    }                                                                                                          \
    RIFFLE_PURE name##2 operator/(const name##2 &a, const name##2 &b) { return {a.x / b.x, a.y / b.y}; }       \
    RIFFLE_PURE name##2 operator-(const name##2 &a) { return {-a.x, -a.y}; }                                   \
    RIFFLE_PURE name##2 &operator+=(name##2 &a, const name##2 &b) { return a = a + b; }                        \
    RIFFLE_PURE name##2 &operator-=(name##2 &a, const name##2 &b) { return a = a - b; }                        \
    RIFFLE_PURE name##2 &operator*=(name##2 &a, const name##2 &b) { return a = a * b; }                        \
    RIFFLE_PURE name##2 &operator/=(name##2 &a, const name##2 &b) { return a = a / b; }                        \
    RIFFLE_PURE bool operator==(const name##2 &a, const name##2 &b) { return a.x == b.x && a.y == b.y; }       \
    RIFFLE_PURE bool operator!=(const name##2 &a, const name##2 &b) { return !(a == b); }                      \
    RIFFLE_PURE name##2 h2div(const name##2 &a, const name##2 &b) { return a / b; }                            \
    RIFFLE_PURE name##2 __hadd2_rn(const name##2 &a, const name##2 &b) { return a + b; }                       \
    RIFFLE_PURE name##2 __hsub2_rn(const name##2 &a, const name##2 &b) { return a - b; }                       \
    RIFFLE_PURE name##2 __hmul2_rn(const name##2 &a, const name##2 &b) { return a * b; }                       \
    RIFFLE_PURE name##2 __hadd2_sat(const name##2 &a, const name##2 &b) { return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)}; } \
    RIFFLE_PURE name##2 __hsub2_sat(const name##2 &a, const name##2 &b) { return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)}; } \
    RIFFLE_PURE name##2 __hmul2_sat(const name##2 &a, const name##2 &b) { return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)}; } \
    RIFFLE_PURE name##2 __hfma2_sat(const name##2 &a, const name##2 &b, const name##2 &c) {                    \
        return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};                                         \
    }                                                                                                          \
    /* Complex: the first two factors' product, and the third added. */                                       \
    RIFFLE_PURE name##2 __hcmadd(const name##2 &a, const name##2 &b, const name##2 &c) {                       \
        return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};            \
    }                                                                                                          \
    RIFFLE_PURE name##2 __hadd2(const name##2 &a, const name##2 &b) { return a + b; }                          \
    RIFFLE_PURE name##2 __hsub2(const name##2 &a, const name##2 &b) { return a - b; }                          \
    RIFFLE_PURE name##2 __hmul2(const name##2 &a, const name##2 &b) { return a * b; }                          \
    RIFFLE_PURE name##2 __h2div(const name##2 &a, const name##2 &b) { return {a.x / b.x, a.y / b.y}; }         \
    RIFFLE_PURE name##2 __hneg2(const name##2 &a) { return {-a.x, -a.y}; }                                     \
    RIFFLE_PURE name##2 __hmax2(const name##2 &a, const name##2 &b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; } \
    RIFFLE_PURE name##2 __hmin2(const name##2 &a, const name##2 &b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; } \
    RIFFLE_PURE name##2 __hfma2(const name##2 &a, const name##2 &b, const name##2 &c) {                        \
        return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                                 \
    }                                                                                                          \
    RIFFLE_PURE name __hmax_nan(name a, name b) { return (float)a != (float)a ? a : (float)b != (float)b ? b : __hmax(a, b); } \
    RIFFLE_PURE name __hmin_nan(name a, name b) { return (float)a != (float)a ? a : (float)b != (float)b ? b : __hmin(a, b); } \
    RIFFLE_PURE name##2 __hmax2_nan(const name##2 &a, const name##2 &b) { return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; } \
    RIFFLE_PURE name##2 __hmin2_nan(const name##2 &a, const name##2 &b) { return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; } \
    RIFFLE_PURE name __hfma_relu(name a, name b, name c) { return __hmax(__hfma(a, b, c), name(0.0f)); }         \
    RIFFLE_PURE name##2 __hfma2_relu(const name##2 &a, const name##2 &b, const name##2 &c) {                   \
        return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};                                       \
    }                                                                                                          \
    static inline RIFFLE_DEVICE name __ldg(const name *at) {                                                   \
        riffle_lint_access(at, 2, MACHINE_READ, RIFFLE_SITE);                                                  \
        return *at;                                                                                            \
    }                                                                                                          \
    static inline RIFFLE_DEVICE name atomicAdd(name *at, name value) {                                         \
        const name old = riffle_lint::read_atomic(at, RIFFLE_SITE);                                            \
        *at = old + value;                                                                                     \
        return old;                                                                                            \
    }                                                                                                          \
    static inline RIFFLE_DEVICE name##2 atomicAdd(name##2 *at, name##2 value) {                                \
        riffle_lint_access(at, 4, MACHINE_ATOMIC, RIFFLE_SITE);                                                \
        const name##2 old(at->x, at->y);                                                                       \
        at->x += value.x;                                                                                      \
        at->y += value.y;                                                                                      \
        return old;                                                                                            \
    }

RIFFLE_SHORT_FLOAT(__half, __half_raw, riffle_lint::half_format)
RIFFLE_SHORT_FLOAT(__nv_bfloat16, __nv_bfloat16_raw, riffle_lint::bfloat16_format)
#undef RIFFLE_SHORT_FLOAT
/* Comparisons of vectors, lane by lane; those with a number that is none are false, but for the ones in -u. */
#define RIFFLE_COMPARE(name, word, sign)                                                                       \
    RIFFLE_PURE bool __h##word##u(name a, name b) { return __hisnan(a) || __hisnan(b) || a sign b; }           \
    RIFFLE_PURE name##2 __h##word##2(const name##2 &a, const name##2 &b) { return {name(__h##word(a.x, b.x) ? 1.0f : 0.0f), name(__h##word(a.y, b.y) ? 1.0f : 0.0f)}; } \
    RIFFLE_PURE name##2 __h##word##u2(const name##2 &a, const name##2 &b) { return {name(__h##word##u(a.x, b.x) ? 1.0f : 0.0f), name(__h##word##u(a.y, b.y) ? 1.0f : 0.0f)}; } \
    RIFFLE_PURE unsigned __h##word##u2_mask(const name##2 &a, const name##2 &b) { return (__h##word##u(a.x, b.x) ? 0xffffu : 0) | (__h##word##u(a.y, b.y) ? 0xffff0000u : 0); } \
    RIFFLE_PURE bool __hb##word##2(const name##2 &a, const name##2 &b) { return __h##word(a.x, b.x) && __h##word(a.y, b.y); } \
    RIFFLE_PURE bool __hb##word##u2(const name##2 &a, const name##2 &b) { return __h##word##u(a.x, b.x) && __h##word##u(a.y, b.y); } \
    RIFFLE_PURE unsigned __h##word##2_mask(const name##2 &a, const name##2 &b) { return (__h##word(a.x, b.x) ? 0xffffu : 0) | (__h##word(a.y, b.y) ? 0xffff0000u : 0); }
#define RIFFLE_COMPARE_ALL(name)                                                                               \
    RIFFLE_COMPARE(name, eq, ==)                                                                               \
    RIFFLE_COMPARE(name, ne, !=)                                                                               \
    RIFFLE_COMPARE(name, lt, <)                                                                                \
    RIFFLE_COMPARE(name, le, <=)                                                                               \
    RIFFLE_COMPARE(name, gt, >)                                                                                \
    RIFFLE_COMPARE(name, ge, >=)                                                                               \
    RIFFLE_PURE name##2 __hisnan2(const name##2 &a) { return {name(__hisnan(a.x) ? 1.0f : 0.0f), name(__hisnan(a.y) ? 1.0f : 0.0f)}; } \
    RIFFLE_PURE name##2 __habs2(const name##2 &a) { return {__habs(a.x), __habs(a.y)}; }
RIFFLE_COMPARE_ALL(__half)
RIFFLE_COMPARE_ALL(__nv_bfloat16)
#undef RIFFLE_COMPARE_ALL
#undef RIFFLE_COMPARE
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define RIFFLE_CONVERSIONS(name, vector, word, vectors, letter)                                                \
    RIFFLE_PURE float __##word##2float(name a) { return a; }                                                   \
    RIFFLE_PURE name __float2##word(float a) { return name(a); }                                               \
    RIFFLE_PURE name __float2##word##_rn(float a) { return name(a); }                                          \
    RIFFLE_PURE name __double2##word(double a) { return name(a); }                                             \
    RIFFLE_PURE vector __float2##vectors##_rn(float a) { return {name(a), name(a)}; }                          \
    RIFFLE_PURE vector __floats2##vectors##_rn(float a, float b) { return {name(a), name(b)}; }                \
    RIFFLE_PURE vector __float22##vectors##_rn(float2 a) { return {name(a.x), name(a.y)}; }                    \
    RIFFLE_PURE vector __##word##2##vectors(name a) { return {a, a}; }                                         \
    RIFFLE_PURE vector __##letter##s2##vectors(name a, name b) { return {a, b}; }                              \
    RIFFLE_PURE unsigned short __##word##_as_ushort(name a) { return a.__x; }                                  \
    RIFFLE_PURE short __##word##_as_short(name a) { return (short)a.__x; }                                     \
    RIFFLE_PURE name __ushort_as_##word(unsigned short a) { return name(name##_raw{a}); }                      \
    RIFFLE_PURE name __short_as_##word(short a) { return name(name##_raw{(unsigned short)a}); }                \
    RIFFLE_PURE vector __lows2##vectors(const vector &a, const vector &b) { return {a.x, b.x}; }               \
    RIFFLE_PURE vector __highs2##vectors(const vector &a, const vector &b) { return {a.y, b.y}; }              \
    RIFFLE_PURE vector __lowhigh2highlow(const vector &a) { return {a.y, a.x}; }                               \
    RIFFLE_PURE signed char __##word##2char_rz(name a) { return riffle_lint::to_integer<signed char, riffle_lint::to_zero>((float)a); } \
    RIFFLE_PURE unsigned char __##word##2uchar_rz(name a) { return riffle_lint::to_integer<unsigned char, riffle_lint::to_zero>((float)a); } \
    RIFFLE_PURE name __low2##word(const vector &a) { return a.x; }                                             \
    RIFFLE_PURE vector __low2##vectors(const vector &a) { return {a.x, a.x}; }                                 \
    RIFFLE_PURE vector __high2##vectors(const vector &a) { return {a.y, a.y}; }                                \
    RIFFLE_PURE name __high2##word(const vector &a) { return a.y; }                                            \
    RIFFLE_PURE float __low2float(const vector &a) { return a.x; }                                             \
    RIFFLE_PURE float __high2float(const vector &a) { return a.y; }
RIFFLE_CONVERSIONS(__half, __half2, half, half2, halve)
RIFFLE_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162, halve)
#undef RIFFLE_CONVERSIONS
/* With how they round. */
#define RIFFLE_BETWEEN(name, word, type, other, mode, rounding)                                                \
    RIFFLE_PURE name __##other##2##word##_##mode(type a) { return name##_raw{riffle_lint::short_towards<riffle_lint::rounding, riffle_lint::word##_format>((double)a)}; } \
    RIFFLE_PURE type __##word##2##other##_##mode(name a) { return riffle_lint::to_integer<type, riffle_lint::rounding>((float)a); }
#define RIFFLE_ROUNDED_SHORT(name, word, mode, rounding)                                                       \
    RIFFLE_BETWEEN(name, word, int, int, mode, rounding)                                                       \
    RIFFLE_BETWEEN(name, word, unsigned, uint, mode, rounding)                                                 \
    RIFFLE_BETWEEN(name, word, short, short, mode, rounding)                                                   \
    RIFFLE_BETWEEN(name, word, unsigned short, ushort, mode, rounding)                                         \
    RIFFLE_BETWEEN(name, word, long long, ll, mode, rounding)                                                  \
    RIFFLE_BETWEEN(name, word, unsigned long long, ull, mode, rounding)
#define RIFFLE_ROUNDED_SHORTS(name, word)                                                                      \
    RIFFLE_ROUNDED_SHORT(name, word, rn, to_nearest)                                                           \
    RIFFLE_ROUNDED_SHORT(name, word, rz, to_zero)                                                              \
    RIFFLE_ROUNDED_SHORT(name, word, ru, upwards)                                                              \
    RIFFLE_ROUNDED_SHORT(name, word, rd, downwards)                                                            \
    RIFFLE_PURE name __float2##word##_rz(float a) { return name##_raw{riffle_lint::short_towards<riffle_lint::to_zero, riffle_lint::word##_format>(a)}; } \
    RIFFLE_PURE name __float2##word##_ru(float a) { return name##_raw{riffle_lint::short_towards<riffle_lint::upwards, riffle_lint::word##_format>(a)}; } \
    RIFFLE_PURE name __float2##word##_rd(float a) { return name##_raw{riffle_lint::short_towards<riffle_lint::downwards, riffle_lint::word##_format>(a)}; }
RIFFLE_ROUNDED_SHORTS(__half, half)
RIFFLE_ROUNDED_SHORTS(__nv_bfloat16, bfloat16)
#undef RIFFLE_ROUNDED_SHORTS
#undef RIFFLE_ROUNDED_SHORT
#undef RIFFLE_BETWEEN
RIFFLE_PURE float2 __half22float2(const __half2 &a) { return {(float)a.x, (float)a.y}; }
RIFFLE_PURE float2 __bfloat1622float2(const __nv_bfloat162 &a) { return {(float)a.x, (float)a.y}; }
RIFFLE_PURE __half2 make_half2(__half a, __half b) { return {a, b}; }
RIFFLE_PURE __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
#define RIFFLE_BOTH(name, type) \
    RIFFLE_PURE type h2##name(const type &a) { return {h##name(a.x), h##name(a.y)}; }
#define RIFFLE_EACH(type) \
    RIFFLE_BOTH(exp, type) RIFFLE_BOTH(log, type) RIFFLE_BOTH(sqrt, type) RIFFLE_BOTH(rsqrt, type) RIFFLE_BOTH(rcp, type) \
    RIFFLE_BOTH(exp2, type) RIFFLE_BOTH(exp10, type) RIFFLE_BOTH(log2, type) RIFFLE_BOTH(log10, type) RIFFLE_BOTH(sin, type) RIFFLE_BOTH(cos, type) \
    RIFFLE_BOTH(tanh, type) RIFFLE_BOTH(tanh_approx, type) RIFFLE_BOTH(floor, type) RIFFLE_BOTH(ceil, type) RIFFLE_BOTH(trunc, type) RIFFLE_BOTH(rint, type)
RIFFLE_EACH(__half2)
RIFFLE_EACH(__nv_bfloat162)
#undef RIFFLE_EACH
#undef RIFFLE_BOTH
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#endif
