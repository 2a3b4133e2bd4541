/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of 8 bits (cuda_fp8.h): e4m3, without infinity, and e5m2. As in CUDA, types have conversions and no arithmetic.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_FP8_H
#define RIFFLE_MACHINE_DEVICE_CUDA_FP8_H

#include "half.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace riffle_lint {
template <class Format> RIFFLE_PURE unsigned fp8_from(float number, bool saturates) {
    return saturates || number != number ? Format::saturated(number) : Format::from(number);
}
RIFFLE_PURE unsigned fp8_from(float number, __nv_saturation_t saturation, __nv_fp8_interpretation_t format) {
    const bool saturates = saturation == __NV_SATFINITE;
    return format == __NV_E4M3 ? fp8_from<e4m3_format>(number, saturates) : fp8_from<e5m2_format>(number, saturates);
}

#define RIFFLE_IF_NUMBER(T) template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
template <class Format> struct fp8 {
    __nv_fp8_storage_t __x;
    fp8() = default;
    RIFFLE_IF_NUMBER(T) RIFFLE_PURE explicit fp8(T a) : __x((__nv_fp8_storage_t)fp8_from<Format>(short_of((double)a), true)) {}
    RIFFLE_PURE explicit fp8(__half a) : fp8((float)a) {}
    RIFFLE_PURE explicit fp8(__nv_bfloat16 a) : fp8((float)a) {}
    RIFFLE_IF_NUMBER(T) RIFFLE_PURE explicit operator T() const {
        const float number = Format::to(__x);
        if constexpr (std::is_same<T, bool>::value)
            return number != 0;
        else
            return riffle_ptx::convert<T>(number);
    }
    RIFFLE_PURE explicit operator __half() const { return __half(Format::to(__x)); }
    RIFFLE_PURE explicit operator __nv_bfloat16() const { return __nv_bfloat16(Format::to(__x)); }
};
#undef RIFFLE_IF_NUMBER

template <class Format> struct fp8x2 {
    __nv_fp8x2_storage_t __x;
    fp8x2() = default;
    RIFFLE_PURE fp8x2(fp8<Format> x, fp8<Format> y) : __x((__nv_fp8x2_storage_t)(x.__x | y.__x << 8)) {}
    template <class Pair> RIFFLE_PURE explicit fp8x2(const Pair &a) : fp8x2(fp8<Format>(a.x), fp8<Format>(a.y)) {}
    RIFFLE_PURE explicit operator float2() const { return {Format::to(__x & 0xff), Format::to(__x >> 8)}; }
    RIFFLE_PURE explicit operator __half2() const { return {__half(Format::to(__x & 0xff)), __half(Format::to(__x >> 8))}; }
};

template <class Format> struct fp8x4 {
    __nv_fp8x4_storage_t __x;
    fp8x4() = default;
    RIFFLE_PURE fp8x4(fp8x2<Format> low, fp8x2<Format> high) : __x(low.__x | (unsigned)high.__x << 16) {}
    template <class Pair>
    RIFFLE_PURE fp8x4(const Pair &low, const Pair &high) : fp8x4(fp8x2<Format>(low), fp8x2<Format>(high)) {}
    template <class Four>
    RIFFLE_PURE explicit fp8x4(const Four &a)
        : fp8x4({fp8<Format>(a.x), fp8<Format>(a.y)}, {fp8<Format>(a.z), fp8<Format>(a.w)}) {}
    RIFFLE_PURE explicit operator float4() const {
        return {Format::to(__x & 0xff), Format::to(__x >> 8 & 0xff), Format::to(__x >> 16 & 0xff), Format::to(__x >> 24)};
    }
};
} // namespace riffle_lint

typedef riffle_lint::fp8<riffle_lint::e4m3_format> __nv_fp8_e4m3;
typedef riffle_lint::fp8<riffle_lint::e5m2_format> __nv_fp8_e5m2;
typedef riffle_lint::fp8x2<riffle_lint::e4m3_format> __nv_fp8x2_e4m3;
typedef riffle_lint::fp8x2<riffle_lint::e5m2_format> __nv_fp8x2_e5m2;
typedef riffle_lint::fp8x4<riffle_lint::e4m3_format> __nv_fp8x4_e4m3;
typedef riffle_lint::fp8x4<riffle_lint::e5m2_format> __nv_fp8x4_e5m2;

namespace riffle_lint {
RIFFLE_PURE float float_of(float a) { return a; }
RIFFLE_PURE float float_of(double a) { return short_of(a); }
RIFFLE_PURE float float_of(__half_raw a) { return half_format::to(a.x); }
RIFFLE_PURE float float_of(__nv_bfloat16_raw a) { return bfloat16_format::to(a.x); }
} // namespace riffle_lint

#define RIFFLE_CONVERT(one, type, two, pair)                                                                   \
    RIFFLE_PURE __nv_fp8_storage_t __nv_cvt_##one##_to_fp8(type a, __nv_saturation_t saturation,               \
                                                           __nv_fp8_interpretation_t format) {                 \
        return (__nv_fp8_storage_t)riffle_lint::fp8_from(riffle_lint::float_of(a), saturation, format);        \
    }                                                                                                          \
    RIFFLE_PURE __nv_fp8x2_storage_t __nv_cvt_##two##_to_fp8x2(pair a, __nv_saturation_t saturation,           \
                                                               __nv_fp8_interpretation_t format) {             \
        const unsigned low = __nv_cvt_##one##_to_fp8(type{a.x}, saturation, format);                           \
        return (__nv_fp8x2_storage_t)(low | __nv_cvt_##one##_to_fp8(type{a.y}, saturation, format) << 8);      \
    }
RIFFLE_CONVERT(float, float, float2, float2)
RIFFLE_CONVERT(double, double, double2, double2)
RIFFLE_CONVERT(halfraw, __half_raw, halfraw2, __half2_raw)
RIFFLE_CONVERT(bfloat16raw, __nv_bfloat16_raw, bfloat16raw2, __nv_bfloat162_raw)
#undef RIFFLE_CONVERT

RIFFLE_PURE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t a, __nv_fp8_interpretation_t format) {
    const float number = format == __NV_E4M3 ? riffle_lint::e4m3_format::to(a) : riffle_lint::e5m2_format::to(a);
    return {riffle_lint::half_format::from(number)};
}
RIFFLE_PURE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t a, __nv_fp8_interpretation_t format) {
    return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)a, format).x,
            __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(a >> 8), format).x};
}

#endif
