/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic and conversions that say how they round: _rn to nearest even, _rz towards zero, _ru up, _rd down. The host rounds so while it
 * computes one.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_ROUNDINGS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_ROUNDINGS_H

namespace riffle_lint {
#define RIFFLE_PLAIN RIFFLE_INLINE __attribute__((no_sanitize_thread))
struct to_nearest {
    static constexpr int host = FE_TONEAREST;
    template <class T> RIFFLE_PLAIN static T whole(T value) { return std::rint(value); }
};
struct to_zero {
    static constexpr int host = FE_TOWARDZERO;
    template <class T> RIFFLE_PLAIN static T whole(T value) { return std::trunc(value); }
};
struct upwards {
    static constexpr int host = FE_UPWARD;
    template <class T> RIFFLE_PLAIN static T whole(T value) { return std::ceil(value); }
};
struct downwards {
    static constexpr int host = FE_DOWNWARD;
    template <class T> RIFFLE_PLAIN static T whole(T value) { return std::floor(value); }
};
/* The compiler knows nothing of a number behind this: it neither computes with it itself nor moves what does. */
template <class T> RIFFLE_PLAIN T opaque(T number) {
    asm volatile("" : "+m"(number) : : "memory");
    return number;
}
template <class Rounding, class Operation, class... T> RIFFLE_PLAIN auto rounded(Operation operation, T... operand) {
    const int before = std::fegetround();
    if (Rounding::host != FE_TONEAREST) std::fesetround(Rounding::host);
    const auto result = opaque(operation(opaque(operand)...));
    if (Rounding::host != FE_TONEAREST) std::fesetround(before);
    return result;
}
/* No number is 0 (PTX ISA, cvt); from a double, or to an integer of 64 bits, it is the integer's highest bit. */
template <class To, class From> RIFFLE_PLAIN constexpr To none_of() {
    return sizeof(From) == 8 || sizeof(To) == 8 ? (To)(1ull << (8 * sizeof(To) - 1)) : 0;
}
/* What an integer cannot hold is its nearest. */
template <class To, class Rounding, class From> RIFFLE_PLAIN To to_integer(From from) {
    constexpr To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
    const From whole = Rounding::whole(from);
    return from != from ? none_of<To, From>() : whole <= (From)least ? least : whole >= (From)most ? most : (To)whole;
}
} // namespace riffle_lint

#define RIFFLE_BY(rounding, result, parameters, ...)                                                           \
    riffle_lint::rounded<riffle_lint::rounding>([] parameters __attribute__((no_sanitize_thread)) { return result; }, __VA_ARGS__)
#define RIFFLE_FLOATS(type, letter, ending, mode, rounding)                                                    \
    RIFFLE_PLAIN type __##letter##add_##mode(type a, type b) { return RIFFLE_BY(rounding, a + b, (type a, type b), a, b); } \
    RIFFLE_PLAIN type __##letter##sub_##mode(type a, type b) { return RIFFLE_BY(rounding, a - b, (type a, type b), a, b); } \
    RIFFLE_PLAIN type __##letter##mul_##mode(type a, type b) { return RIFFLE_BY(rounding, a * b, (type a, type b), a, b); } \
    RIFFLE_PLAIN type __##letter##div_##mode(type a, type b) { return RIFFLE_BY(rounding, a / b, (type a, type b), a, b); } \
    RIFFLE_PLAIN type __##letter##rcp_##mode(type a) { return RIFFLE_BY(rounding, 1 / a, (type a), a); } \
    RIFFLE_PLAIN type __##letter##sqrt_##mode(type a) { return RIFFLE_BY(rounding, std::sqrt(a), (type a), a); } \
    RIFFLE_PLAIN type __fma##ending##_##mode(type a, type b, type c) { return RIFFLE_BY(rounding, std::fma(a, b, c), (type a, type b, type c), a, b, c); }
#define RIFFLE_TO_INTEGERS(type, word, mode, rounding)                                                         \
    RIFFLE_PLAIN int __##word##2int_##mode(type a) { return riffle_lint::to_integer<int, riffle_lint::rounding>(a); } \
    RIFFLE_PLAIN unsigned __##word##2uint_##mode(type a) { return riffle_lint::to_integer<unsigned, riffle_lint::rounding>(a); } \
    RIFFLE_PLAIN long long __##word##2ll_##mode(type a) { return riffle_lint::to_integer<long long, riffle_lint::rounding>(a); } \
    RIFFLE_PLAIN unsigned long long __##word##2ull_##mode(type a) { return riffle_lint::to_integer<unsigned long long, riffle_lint::rounding>(a); }
#define RIFFLE_FROM_INTEGERS(mode, rounding)                                                                   \
    RIFFLE_PLAIN float __int2float_##mode(int a) { return RIFFLE_BY(rounding, (float)a, (auto a), a); }    \
    RIFFLE_PLAIN float __uint2float_##mode(unsigned a) { return RIFFLE_BY(rounding, (float)a, (auto a), a); } \
    RIFFLE_PLAIN float __ll2float_##mode(long long a) { return RIFFLE_BY(rounding, (float)a, (auto a), a); } \
    RIFFLE_PLAIN float __ull2float_##mode(unsigned long long a) { return RIFFLE_BY(rounding, (float)a, (auto a), a); } \
    RIFFLE_PLAIN double __ll2double_##mode(long long a) { return RIFFLE_BY(rounding, (double)a, (auto a), a); } \
    RIFFLE_PLAIN double __ull2double_##mode(unsigned long long a) { return RIFFLE_BY(rounding, (double)a, (auto a), a); } \
    RIFFLE_PLAIN float __double2float_##mode(double a) { return RIFFLE_BY(rounding, (float)a, (auto a), a); }
#define RIFFLE_ROUNDED(mode, rounding)                                                                         \
    RIFFLE_TO_INTEGERS(float, float, mode, rounding)                                                           \
    RIFFLE_TO_INTEGERS(double, double, mode, rounding)                                                         \
    RIFFLE_FROM_INTEGERS(mode, rounding)
RIFFLE_ROUNDED(rn, to_nearest)
RIFFLE_ROUNDED(rz, to_zero)
RIFFLE_ROUNDED(ru, upwards)
RIFFLE_ROUNDED(rd, downwards)
RIFFLE_FLOATS(float, f, f, rn, to_nearest)
RIFFLE_FLOATS(float, f, f, rz, to_zero)
RIFFLE_FLOATS(float, f, f, ru, upwards)
RIFFLE_FLOATS(float, f, f, rd, downwards)
RIFFLE_FLOATS(double, d, , rn, to_nearest)
RIFFLE_FLOATS(double, d, , rz, to_zero)
RIFFLE_FLOATS(double, d, , ru, upwards)
RIFFLE_FLOATS(double, d, , rd, downwards)
#undef RIFFLE_ROUNDED
#undef RIFFLE_FROM_INTEGERS
#undef RIFFLE_TO_INTEGERS
#undef RIFFLE_FLOATS
#undef RIFFLE_BY
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
