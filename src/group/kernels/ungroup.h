/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers that rows brought back are sums of, as kernels have them: `single` in memory, `wide` in sums. group/cpu/ungroup.c is the same in
 * C.
 */
#ifndef RIFFLE_GROUP_KERNELS_UNGROUP_H
#define RIFFLE_GROUP_KERNELS_UNGROUP_H

#include "group/kernels/keys.h"
#ifdef __CUDACC__
#include <cuda_fp16.h>
#else
#include "base/half.h"
#endif

/* A product and a sum, each rounded by itself. */
#ifdef __CUDACC__
static __device__ inline float ungroup_product(float a, float b) { return __fmul_rn(a, b); }
static __device__ inline float ungroup_sum(float a, float b) { return __fadd_rn(a, b); }
static __device__ inline double ungroup_product(double a, double b) { return __dmul_rn(a, b); }
static __device__ inline double ungroup_sum(double a, double b) { return __dadd_rn(a, b); }
static __device__ inline float ungroup_bits_to_float(uint32_t bits) { return __uint_as_float(bits); }
static __device__ inline uint32_t ungroup_bits_of_float(float value) { return __float_as_uint(value); }
#else
template <class wide> static inline wide ungroup_product(wide a, wide b) { return a * b; }
template <class wide> static inline wide ungroup_sum(wide a, wide b) { return a + b; }
static inline float ungroup_bits_to_float(uint32_t bits) { return __builtin_bit_cast(float, bits); }
static inline uint32_t ungroup_bits_of_float(float value) { return __builtin_bit_cast(uint32_t, value); }
#endif

struct ungroup_f32 {
    typedef float single;
    typedef float wide;
    static __device__ inline wide widen(single a) { return a; }
    static __device__ inline single narrow(wide a) { return a; }
};

struct ungroup_f64 {
    typedef double single;
    typedef double wide;
    static __device__ inline wide widen(single a) { return a; }
    static __device__ inline single narrow(wide a) { return a; }
};

struct ungroup_f16 {
    typedef uint16_t single;
    typedef float wide;
#ifdef __CUDACC__
    static __device__ inline wide widen(single a) { return __half2float(__ushort_as_half(a)); }
    static __device__ inline single narrow(wide a) { return __half_as_ushort(__float2half_rn(a)); }
#else
    static inline wide widen(single a) { return half_to_float(a); }
    static inline single narrow(wide a) { return half_from_float(a); }
#endif
};

struct ungroup_bf16 {
    typedef uint16_t single;
    typedef float wide;
    static __device__ inline wide widen(single a) { return ungroup_bits_to_float((uint32_t)a << 16); }
    static __device__ inline single narrow(wide a) {
        const uint32_t word = ungroup_bits_of_float(a);
        if ((word & 0x7fffffff) > 0x7f800000) return (single)(word >> 16 | 0x40);
        return (single)((word + 0x7fff + (word >> 16 & 1)) >> 16);
    }
};

#endif
