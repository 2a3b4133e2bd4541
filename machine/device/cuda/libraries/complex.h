/* SPDX-License-Identifier: Apache-2.0
 *
 * cuComplex.h: complex numbers as pairs.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_COMPLEX_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_COMPLEX_H

#include "device.h"

#define RIFFLE_COMPLEX(name, Name, pair, part, f, c, root)                                                     \
    typedef pair name;                                                                                         \
    RIFFLE_INLINE part cuCreal##f(name a) { return a.x; }                                                      \
    RIFFLE_INLINE part cuCimag##f(name a) { return a.y; }                                                      \
    RIFFLE_INLINE name make_##name(part a, part b) { return make_##pair(a, b); }                               \
    RIFFLE_INLINE name cuConj##f(name a) { return make_##pair(a.x, -a.y); }                                    \
    RIFFLE_INLINE name cuCadd##f(name a, name b) { return make_##pair(a.x + b.x, a.y + b.y); }                 \
    RIFFLE_INLINE name cuCsub##f(name a, name b) { return make_##pair(a.x - b.x, a.y - b.y); }                 \
    RIFFLE_INLINE name cuCmul##f(name a, name b) {                                                             \
        return make_##pair(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                      \
    }                                                                                                          \
    RIFFLE_INLINE name cuCdiv##f(name a, name b) {                                                             \
        const part s = root##abs##c(b.x) + root##abs##c(b.y), p = b.x / s, q = b.y / s, d = p * p + q * q;     \
        return make_##pair((a.x / s * p + a.y / s * q) / d, (a.y / s * p - a.x / s * q) / d);                  \
    }                                                                                                          \
    RIFFLE_INLINE part cuCabs##f(name a) { return hypot##c(a.x, a.y); }                                        \
    RIFFLE_INLINE name cuCfma##f(name a, name b, name d) { return cuCadd##f(cuCmul##f(a, b), d); }
RIFFLE_COMPLEX(cuFloatComplex, Float, float2, float, f, f, f)
RIFFLE_COMPLEX(cuDoubleComplex, Double, double2, double, , , f)
#undef RIFFLE_COMPLEX
typedef cuFloatComplex cuComplex;
RIFFLE_INLINE cuComplex make_cuComplex(float a, float b) { return make_float2(a, b); }
RIFFLE_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2((double)a.x, (double)a.y); }
RIFFLE_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return make_float2((float)a.x, (float)a.y); }

#endif
