/* SPDX-License-Identifier: Apache-2.0
 *
 * The types of array programs' elements as the fused kernels have them, and what each operation does to them. The
 * definition is program/op_apply.c. Each has `single`, an element.
 */
#ifndef RIFFLE_PROGRAM_KERNELS_FUSED_ELEMENT_H
#define RIFFLE_PROGRAM_KERNELS_FUSED_ELEMENT_H

#ifndef __CUDACC__
#include <math.h>
#endif
/* Kernels with users' operations have no halves, and are compiled where there are no headers of CUDA's. */
#ifndef FUSED_WITHOUT_HALVES
#ifdef __CUDACC__
#include <cuda_fp16.h>
#else
#include "base/half.h"
#endif
#endif

#include "device/kernels/device.h"
#include "program/kernels/fused.h"

/* Integers, which wrap around. */
template <class type, class unsigned_type> struct fused_integer {
    typedef type single;
    enum { is_ordered = 1, is_integer = 1, is_complex = 0, is_pair = 0 };
    static __device__ inline single sum(single a, single b) {
        return (single)(unsigned_type)((unsigned_type)a + (unsigned_type)b);
    }
    static __device__ inline single difference(single a, single b) {
        return (single)(unsigned_type)((unsigned_type)a - (unsigned_type)b);
    }
    static __device__ inline single exclusive(single a, single b) { return (single)(a ^ b); }
    static __device__ inline single negative(single a) { return (single)(unsigned_type)(0 - (unsigned_type)a); }
    static __device__ inline void order(single &a, single &b) {
        const single least = b < a ? b : a, most = b < a ? a : b;
        a = least;
        b = most;
    }
};

/* float and double. */
template <class type> struct fused_real {
    typedef type single;
    enum { is_ordered = 1, is_integer = 0, is_complex = 0, is_pair = 0 };
    static __device__ inline single sum(single a, single b) { return a + b; }
    static __device__ inline single difference(single a, single b) { return a - b; }
    static __device__ inline single negative(single a) { return -a; }
    static __device__ inline single scaled(single a, double factor) { return a * (single)factor; }
    static __device__ inline void order(single &a, single &b) {
        const bool is_less = b < a;
        const single first = is_less ? b : a;
        b = is_less ? a : b;
        a = first;
    }
};

#ifndef FUSED_WITHOUT_HALVES
/* IEEE half. Each operation rounds to it. */
struct fused_half {
    enum { is_ordered = 1, is_integer = 0, is_complex = 0, is_pair = 0 };
#ifdef __CUDACC__
    typedef __half single;
    static __device__ inline float wide(single a) { return __half2float(a); }
    static __device__ inline single narrow(float a) { return __float2half_rn(a); }
#else
    struct single {
        uint16_t bits;
    };
    static inline float wide(single a) { return half_to_float(a.bits); }
    static inline single narrow(float a) { return {half_from_float(a)}; }
#endif
    static __device__ inline single sum(single a, single b) { return narrow(wide(a) + wide(b)); }
    static __device__ inline single difference(single a, single b) { return narrow(wide(a) - wide(b)); }
    static __device__ inline single negative(single a) { return narrow(-wide(a)); }
    static __device__ inline single scaled(single a, double factor) { return narrow(wide(a) * (float)factor); }
    static __device__ inline void order(single &a, single &b) {
        const bool is_less = wide(b) < wide(a);
        const single first = is_less ? b : a;
        b = is_less ? a : b;
        a = first;
    }
};

/* Two halves side by side, each an element: what is done to them is done to both. */
struct fused_half_pair {
    enum { is_ordered = 0, is_integer = 0, is_complex = 0, is_pair = 1 };
    struct single {
        uint32_t bits;
    };
    static __device__ inline single of(fused_half::single low, fused_half::single high) {
        uint16_t parts[2];
        __builtin_memcpy(&parts[0], &low, sizeof low);
        __builtin_memcpy(&parts[1], &high, sizeof high);
        return {parts[0] | (uint32_t)parts[1] << 16};
    }
    static __device__ inline fused_half::single low(single a) { return half_of((uint16_t)a.bits); }
    static __device__ inline fused_half::single high(single a) { return half_of((uint16_t)(a.bits >> 16)); }
#ifdef __CUDACC__
    static __device__ inline single sum(single a, single b) {
        return pair_of(__hadd2_rn(as_pair(a), as_pair(b)));
    }
    static __device__ inline single difference(single a, single b) {
        return pair_of(__hsub2_rn(as_pair(a), as_pair(b)));
    }
#else
    static inline single sum(single a, single b) {
        return of(fused_half::sum(low(a), low(b)), fused_half::sum(high(a), high(b)));
    }
    static inline single difference(single a, single b) {
        return of(fused_half::difference(low(a), low(b)), fused_half::difference(high(a), high(b)));
    }
#endif
    static __device__ inline single negative(single a) { return {a.bits ^ 0x80008000u}; }
    static __device__ inline single scaled(single a, double factor) {
        return of(fused_half::scaled(low(a), factor), fused_half::scaled(high(a), factor));
    }

  private:
    static __device__ inline fused_half::single half_of(uint16_t bits) {
        fused_half::single out;
        __builtin_memcpy(&out, &bits, sizeof out);
        return out;
    }
#ifdef __CUDACC__
    static __device__ inline __half2 as_pair(single a) {
        __half2 out;
        __builtin_memcpy(&out, &a, sizeof out);
        return out;
    }
    static __device__ inline single pair_of(__half2 a) {
        single out;
        __builtin_memcpy(&out, &a, sizeof out);
        return out;
    }
#endif
};
#endif

template <class type> struct ALIGNED(2 * sizeof(type)) fused_complex_number { type re, im; };

template <class type> struct fused_complex {
    typedef fused_complex_number<type> single;
    enum { is_ordered = 0, is_integer = 0, is_complex = 1, is_pair = 0 };
    static __device__ inline single sum(single a, single b) { return {a.re + b.re, a.im + b.im}; }
    static __device__ inline single difference(single a, single b) { return {a.re - b.re, a.im - b.im}; }
    static __device__ inline single product(single a, single b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    static __device__ inline single negative(single a) { return {-a.re, -a.im}; }
    static __device__ inline single scaled(single a, double factor) {
        return {a.re * (type)factor, a.im * (type)factor};
    }

    /* exp(-2 pi sqrt(-1) turns / 2^bits), for negative bits the inverse. The angle is reduced as an integer. */
    static __device__ inline single root(int bits, uint32_t turns) {
        const uint32_t size = (uint32_t)(bits < 0 ? -bits : bits);
        single w;
        if (size == 0) return {1, 0};
        if (size <= 32) {
            sine_and_cosine((type)(int32_t)(turns << (32 - size)) * (type)(1.0 / 2147483648.0), &w.im, &w.re);
        } else {
            sine_and_cosine((type)turns * (type)2 / (type)((uint64_t)1 << (size & 63)), &w.im, &w.re);
        }
        if (bits > 0) w.im = -w.im;
        return w;
    }

  private:
    static __device__ inline void sine_and_cosine(type half_turns, type *sine, type *cosine) {
#ifdef __CUDACC__
        if constexpr (sizeof(type) == sizeof(float)) {
            sincospif(half_turns, sine, cosine);
        } else {
            sincospi(half_turns, sine, cosine);
        }
#else
        const double angle = 3.14159265358979323846 * (double)half_turns;
        *sine = (type)sin(angle);
        *cosine = (type)cos(angle);
#endif
    }
};

/* The kind that a kernel is made for: a type of elements, whether there are groups (fused.cu), operations by bits, and how many
 * of a user's: these have a template own<number> with log2 of their elements, `bits`, and apply(elements, sub-index). */
template <class numbers, bool groups> struct fused_kind : numbers {
    enum : uint32_t { has_groups = groups, ops = (1u << FUSED_OWN) - 1, owns = 0 };
};

#define FUSED_KINDS(name, ...)                                                                                 \
    typedef fused_kind<__VA_ARGS__, false> plain_##name;                                                       \
    typedef fused_kind<__VA_ARGS__, true> group_##name;
FUSED_KINDS(i8, fused_integer<int8_t, uint8_t>)
FUSED_KINDS(i16, fused_integer<int16_t, uint16_t>)
FUSED_KINDS(i32, fused_integer<int32_t, uint32_t>)
FUSED_KINDS(i64, fused_integer<int64_t, uint64_t>)
FUSED_KINDS(u8, fused_integer<uint8_t, uint8_t>)
FUSED_KINDS(u16, fused_integer<uint16_t, uint16_t>)
FUSED_KINDS(u32, fused_integer<uint32_t, uint32_t>)
FUSED_KINDS(u64, fused_integer<uint64_t, uint64_t>)
#ifndef FUSED_WITHOUT_HALVES
FUSED_KINDS(f16, fused_half)
FUSED_KINDS(f16_pair, fused_half_pair)
#endif
FUSED_KINDS(f32, fused_real<float>)
FUSED_KINDS(f64, fused_real<double>)
FUSED_KINDS(c64, fused_complex<float>)
FUSED_KINDS(c128, fused_complex<double>)
#undef FUSED_KINDS

#endif
