/* SPDX-License-Identifier: Apache-2.0
 *
 * The samples' helper_math.h: arithmetic of CUDA's vectors.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_VECTOR_MATH_H
#define RIFFLE_MACHINE_DEVICE_CUDA_VECTOR_MATH_H

#include "device.h"

typedef unsigned int uint;
typedef unsigned short ushort;

/* EACH(f) is f of each component. */
#define RIFFLE_EACH_2(f) f(x), f(y)
#define RIFFLE_EACH_3(f) f(x), f(y), f(z)
#define RIFFLE_EACH_4(f) f(x), f(y), f(z), f(w)

#define RIFFLE_ADD(c) a.c + b.c
#define RIFFLE_SUBTRACT(c) a.c - b.c
#define RIFFLE_MULTIPLY(c) a.c *b.c
#define RIFFLE_DIVIDE(c) a.c / b.c
#define RIFFLE_ADD_ONE(c) a.c + b
#define RIFFLE_SUBTRACT_ONE(c) a.c - b
#define RIFFLE_MULTIPLY_ONE(c) a.c *b
#define RIFFLE_DIVIDE_ONE(c) a.c / b
#define RIFFLE_ONE_MULTIPLY(c) b *a.c
#define RIFFLE_ONE_DIVIDE(c) b / a.c
#define RIFFLE_ONE_ADD(c) b + a.c
#define RIFFLE_ONE_SUBTRACT(c) b - a.c
#define RIFFLE_LEAST(c) (b.c < a.c ? b.c : a.c)
#define RIFFLE_MOST(c) (a.c < b.c ? b.c : a.c)
#define RIFFLE_CLAMP(c) (v.c < a.c ? a.c : b.c < v.c ? b.c : v.c)
#define RIFFLE_CLAMP_ONE(c) (v.c < a ? a : b < v.c ? b : v.c)
#define RIFFLE_NEGATE(c) -a.c
#define RIFFLE_PLAIN(c) s

#define RIFFLE_OPERATORS(type, number, EACH, sign, both, with_one, one_with)                                   \
    RIFFLE_INLINE type operator sign(type a, type b) { return {EACH(both)}; }                                  \
    RIFFLE_INLINE type operator sign(type a, number b) { return {EACH(with_one)}; }                            \
    RIFFLE_INLINE type operator sign(number b, type a) { return {EACH(one_with)}; }                            \
    RIFFLE_INLINE void operator sign##=(type &a, type b) { a = a sign b; }                                     \
    RIFFLE_INLINE void operator sign##=(type &a, number b) { a = a sign b; }
#define RIFFLE_VECTOR_MATH(type, number, EACH)                                                                 \
    RIFFLE_OPERATORS(type, number, EACH, +, RIFFLE_ADD, RIFFLE_ADD_ONE, RIFFLE_ONE_ADD)                        \
    RIFFLE_OPERATORS(type, number, EACH, -, RIFFLE_SUBTRACT, RIFFLE_SUBTRACT_ONE, RIFFLE_ONE_SUBTRACT)         \
    RIFFLE_OPERATORS(type, number, EACH, *, RIFFLE_MULTIPLY, RIFFLE_MULTIPLY_ONE, RIFFLE_ONE_MULTIPLY)         \
    RIFFLE_INLINE type make_##type(number s) { return {EACH(RIFFLE_PLAIN)}; }                                  \
    RIFFLE_INLINE type min(type a, type b) { return {EACH(RIFFLE_LEAST)}; }                                    \
    RIFFLE_INLINE type max(type a, type b) { return {EACH(RIFFLE_MOST)}; }                                     \
    RIFFLE_INLINE type clamp(type v, number a, number b) { return {EACH(RIFFLE_CLAMP_ONE)}; }                  \
    RIFFLE_INLINE type clamp(type v, type a, type b) { return {EACH(RIFFLE_CLAMP)}; }
#define RIFFLE_INTEGER_MATH(type, number, n) RIFFLE_VECTOR_MATH(type##n, number, RIFFLE_EACH_##n)
RIFFLE_INTEGER_MATH(int, int, 2)
RIFFLE_INTEGER_MATH(int, int, 3)
RIFFLE_INTEGER_MATH(int, int, 4)
RIFFLE_INTEGER_MATH(uint, uint, 2)
RIFFLE_INTEGER_MATH(uint, uint, 3)
RIFFLE_INTEGER_MATH(uint, uint, 4)
#undef RIFFLE_INTEGER_MATH
RIFFLE_INLINE int2 operator-(int2 a) { return {-a.x, -a.y}; }
RIFFLE_INLINE int3 operator-(int3 a) { return {-a.x, -a.y, -a.z}; }
RIFFLE_INLINE int4 operator-(int4 a) { return {-a.x, -a.y, -a.z, -a.w}; }

RIFFLE_INLINE float lerp(float a, float b, float t) { return a + t * (b - a); }
RIFFLE_INLINE float clamp(float v, float a, float b) { return fmaxf(a, fminf(v, b)); }
RIFFLE_INLINE int clamp(int v, int a, int b) { return max(a, min(v, b)); }
RIFFLE_INLINE uint clamp(uint v, uint a, uint b) { return max(a, min(v, b)); }

#define RIFFLE_FLOOR(c) floorf(a.c)
#define RIFFLE_ABSOLUTE(c) fabsf(a.c)
#define RIFFLE_FRACTION(c) (a.c - floorf(a.c))
#define RIFFLE_REST(c) fmodf(a.c, b.c)
#define RIFFLE_LEAST_F(c) fminf(a.c, b.c)
#define RIFFLE_MOST_F(c) fmaxf(a.c, b.c)
#define RIFFLE_FLOAT_MATH(n)                                                                                   \
    RIFFLE_VECTOR_MATH(float##n, float, RIFFLE_EACH_##n)                                                       \
    RIFFLE_OPERATORS(float##n, float, RIFFLE_EACH_##n, /, RIFFLE_DIVIDE, RIFFLE_DIVIDE_ONE, RIFFLE_ONE_DIVIDE) \
    RIFFLE_INLINE float##n operator-(float##n a) { return {RIFFLE_EACH_##n(RIFFLE_NEGATE)}; }                  \
    RIFFLE_INLINE float##n fminf(float##n a, float##n b) { return {RIFFLE_EACH_##n(RIFFLE_LEAST_F)}; }         \
    RIFFLE_INLINE float##n fmaxf(float##n a, float##n b) { return {RIFFLE_EACH_##n(RIFFLE_MOST_F)}; }          \
    RIFFLE_INLINE float##n floorf(float##n a) { return {RIFFLE_EACH_##n(RIFFLE_FLOOR)}; }                      \
    RIFFLE_INLINE float##n fracf(float##n a) { return {RIFFLE_EACH_##n(RIFFLE_FRACTION)}; }                    \
    RIFFLE_INLINE float##n fabs(float##n a) { return {RIFFLE_EACH_##n(RIFFLE_ABSOLUTE)}; }                     \
    RIFFLE_INLINE float##n fmodf(float##n a, float##n b) { return {RIFFLE_EACH_##n(RIFFLE_REST)}; }            \
    RIFFLE_INLINE float##n lerp(float##n a, float##n b, float t) { return a + t * (b - a); }
RIFFLE_FLOAT_MATH(2)
RIFFLE_FLOAT_MATH(3)
RIFFLE_FLOAT_MATH(4)
#undef RIFFLE_FLOAT_MATH

RIFFLE_INLINE float fracf(float v) { return v - floorf(v); }
RIFFLE_INLINE float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
RIFFLE_INLINE float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
RIFFLE_INLINE float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
RIFFLE_INLINE float3 cross(float3 a, float3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
#define RIFFLE_LENGTHS(type)                                                                                   \
    RIFFLE_INLINE float length(type v) { return sqrtf(dot(v, v)); }                                            \
    RIFFLE_INLINE type normalize(type v) { return v * rsqrtf(dot(v, v)); }                                     \
    RIFFLE_INLINE type reflect(type i, type n) { return i - 2.0f * n * dot(n, i); }
RIFFLE_LENGTHS(float2)
RIFFLE_LENGTHS(float3)
RIFFLE_LENGTHS(float4)
#undef RIFFLE_LENGTHS

RIFFLE_INLINE float2 make_float2(float3 a) { return {a.x, a.y}; }
RIFFLE_INLINE float2 make_float2(int2 a) { return {(float)a.x, (float)a.y}; }
RIFFLE_INLINE float2 make_float2(uint2 a) { return {(float)a.x, (float)a.y}; }
RIFFLE_INLINE int2 make_int2(float2 a) { return {(int)a.x, (int)a.y}; }
RIFFLE_INLINE int2 make_int2(uint2 a) { return {(int)a.x, (int)a.y}; }
RIFFLE_INLINE uint2 make_uint2(int2 a) { return {(uint)a.x, (uint)a.y}; }
RIFFLE_INLINE float3 make_float3(float2 a) { return {a.x, a.y, 0}; }
RIFFLE_INLINE float3 make_float3(float2 a, float s) { return {a.x, a.y, s}; }
RIFFLE_INLINE float3 make_float3(float4 a) { return {a.x, a.y, a.z}; }
RIFFLE_INLINE float3 make_float3(int3 a) { return {(float)a.x, (float)a.y, (float)a.z}; }
RIFFLE_INLINE float3 make_float3(uint3 a) { return {(float)a.x, (float)a.y, (float)a.z}; }
RIFFLE_INLINE int3 make_int3(float3 a) { return {(int)a.x, (int)a.y, (int)a.z}; }
RIFFLE_INLINE float4 make_float4(float3 a) { return {a.x, a.y, a.z, 0}; }
RIFFLE_INLINE float4 make_float4(float3 a, float w) { return {a.x, a.y, a.z, w}; }
RIFFLE_INLINE float4 make_float4(int4 a) { return {(float)a.x, (float)a.y, (float)a.z, (float)a.w}; }
RIFFLE_INLINE int4 make_int4(float4 a) { return {(int)a.x, (int)a.y, (int)a.z, (int)a.w}; }

#endif
