/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic and conversions that say how they round: _rn to nearest even, _rz towards zero, _ru up, _rd down. Results are computed in twice
 * the precision, of which the direction takes the neighbour; those of doubles in the widest that the host has.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_ROUNDINGS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_ROUNDINGS_H

namespace riffle_lint {
#define RIFFLE_PLAIN RIFFLE_INLINE __attribute__((no_sanitize_thread))
struct to_nearest {
    template <class To, class Wide> RIFFLE_PLAIN static To narrow(Wide value) { return (To)value; }
    template <class T> RIFFLE_PLAIN static T whole(T value) { return std::rint(value); }
};
struct to_zero {
    template <class To, class Wide> RIFFLE_PLAIN static To narrow(Wide value) {
        const To near = (To)value;
        return (value < 0 ? -near > -value : near > value) ? std::nextafter(near, (To)0) : near;
    }
    template <class T> RIFFLE_PLAIN static T whole(T value) { return std::trunc(value); }
};
struct upwards {
    template <class To, class Wide> RIFFLE_PLAIN static To narrow(Wide value) {
        const To near = (To)value;
        return near < value ? std::nextafter(near, std::numeric_limits<To>::infinity()) : near;
    }
    template <class T> RIFFLE_PLAIN static T whole(T value) { return std::ceil(value); }
};
struct downwards {
    template <class To, class Wide> RIFFLE_PLAIN static To narrow(Wide value) {
        const To near = (To)value;
        return near > value ? std::nextafter(near, -std::numeric_limits<To>::infinity()) : near;
    }
    template <class T> RIFFLE_PLAIN static T whole(T value) { return std::floor(value); }
};
/* What an integer cannot hold is its nearest, and no number is 0. */
template <class To, class Rounding, class From> RIFFLE_PLAIN To to_integer(From from) {
    constexpr To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
    const From whole = Rounding::whole(from);
    return from != from ? 0 : whole <= (From)least ? least : whole >= (From)most ? most : (To)whole;
}
} // namespace riffle_lint

#define RIFFLE_FLOATS(type, wide, letter, ending, mode, rounding)                                              \
    RIFFLE_PLAIN type __##letter##add_##mode(type a, type b) { return riffle_lint::rounding::narrow<type>((wide)a + b); } \
    RIFFLE_PLAIN type __##letter##sub_##mode(type a, type b) { return riffle_lint::rounding::narrow<type>((wide)a - b); } \
    RIFFLE_PLAIN type __##letter##mul_##mode(type a, type b) { return riffle_lint::rounding::narrow<type>((wide)a * b); } \
    RIFFLE_PLAIN type __##letter##div_##mode(type a, type b) { return riffle_lint::rounding::narrow<type>((wide)a / b); } \
    RIFFLE_PLAIN type __##letter##rcp_##mode(type a) { return riffle_lint::rounding::narrow<type>(1 / (wide)a); }  \
    RIFFLE_PLAIN type __##letter##sqrt_##mode(type a) { return riffle_lint::rounding::narrow<type>(std::sqrt((wide)a)); } \
    RIFFLE_PLAIN type __fma##ending##_##mode(type a, type b, type c) { return riffle_lint::rounding::narrow<type>(std::fma((wide)a, (wide)b, (wide)c)); }
#define RIFFLE_TO_INTEGERS(type, word, mode, rounding)                                                         \
    RIFFLE_PLAIN int __##word##2int_##mode(type a) { return riffle_lint::to_integer<int, riffle_lint::rounding>(a); } \
    RIFFLE_PLAIN unsigned __##word##2uint_##mode(type a) { return riffle_lint::to_integer<unsigned, riffle_lint::rounding>(a); } \
    RIFFLE_PLAIN long long __##word##2ll_##mode(type a) { return riffle_lint::to_integer<long long, riffle_lint::rounding>(a); } \
    RIFFLE_PLAIN unsigned long long __##word##2ull_##mode(type a) { return riffle_lint::to_integer<unsigned long long, riffle_lint::rounding>(a); }
#define RIFFLE_FROM_INTEGERS(mode, rounding)                                                                   \
    RIFFLE_PLAIN float __int2float_##mode(int a) { return riffle_lint::rounding::narrow<float>((double)a); }    \
    RIFFLE_PLAIN float __uint2float_##mode(unsigned a) { return riffle_lint::rounding::narrow<float>((double)a); } \
    RIFFLE_PLAIN float __ll2float_##mode(long long a) { return riffle_lint::rounding::narrow<float>((long double)a); } \
    RIFFLE_PLAIN float __ull2float_##mode(unsigned long long a) { return riffle_lint::rounding::narrow<float>((long double)a); } \
    RIFFLE_PLAIN double __ll2double_##mode(long long a) { return riffle_lint::rounding::narrow<double>((long double)a); } \
    RIFFLE_PLAIN double __ull2double_##mode(unsigned long long a) { return riffle_lint::rounding::narrow<double>((long double)a); } \
    RIFFLE_PLAIN float __double2float_##mode(double a) { return riffle_lint::rounding::narrow<float>(a); }
#define RIFFLE_ROUNDED(mode, rounding)                                                                         \
    RIFFLE_TO_INTEGERS(float, float, mode, rounding)                                                           \
    RIFFLE_TO_INTEGERS(double, double, mode, rounding)                                                         \
    RIFFLE_FROM_INTEGERS(mode, rounding)
RIFFLE_ROUNDED(rn, to_nearest)
RIFFLE_ROUNDED(rz, to_zero)
RIFFLE_ROUNDED(ru, upwards)
RIFFLE_ROUNDED(rd, downwards)
RIFFLE_FLOATS(float, float, f, f, rn, to_nearest)
RIFFLE_FLOATS(float, double, f, f, rz, to_zero)
RIFFLE_FLOATS(float, double, f, f, ru, upwards)
RIFFLE_FLOATS(float, double, f, f, rd, downwards)
RIFFLE_FLOATS(double, double, d, , rn, to_nearest)
RIFFLE_FLOATS(double, long double, d, , rz, to_zero)
RIFFLE_FLOATS(double, long double, d, , ru, upwards)
RIFFLE_FLOATS(double, long double, d, , rd, downwards)
#undef RIFFLE_ROUNDED
#undef RIFFLE_FROM_INTEGERS
#undef RIFFLE_TO_INTEGERS
#undef RIFFLE_FLOATS
#define __fmaf_ieee_rn __fmaf_rn
#define __fmaf_ieee_rz __fmaf_rz
#define __fmaf_ieee_ru __fmaf_ru
#define __fmaf_ieee_rd __fmaf_rd
RIFFLE_PLAIN float __frsqrt_rn(float x) { return (float)(1 / std::sqrt((double)x)); }
RIFFLE_PLAIN double __int2double_rn(int x) { return x; }
RIFFLE_PLAIN double __uint2double_rn(unsigned x) { return x; }

/* The names without underscores, which take how to round. */
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
#define RIFFLE_BY_MODE(to, from, name, word)                                                                   \
    RIFFLE_PLAIN to name(from a, cudaRoundMode mode = cudaRoundZero) {                                         \
        return mode == cudaRoundZero ? word##_rz(a) : mode == cudaRoundPosInf ? word##_ru(a) : mode == cudaRoundMinInf ? word##_rd(a) : word##_rn(a); \
    }
RIFFLE_BY_MODE(int, double, double2int, __double2int)
RIFFLE_BY_MODE(unsigned, double, double2uint, __double2uint)
#undef RIFFLE_BY_MODE
#undef RIFFLE_PLAIN

#endif
