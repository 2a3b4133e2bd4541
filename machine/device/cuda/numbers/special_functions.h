/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of CUDA's mathematics that the C library lacks, to nearly the precision of doubles.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_SPECIAL_FUNCTIONS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_NUMBERS_SPECIAL_FUNCTIONS_H

#define RIFFLE_SPECIAL static inline RIFFLE_DEVICE

/* Newton's steps with Halley's correction; erfc(x) = z. */
RIFFLE_SPECIAL double erfcinv(double z) {
    if (!(z > 0 && z < 2)) return z == 0 ? __builtin_inf() : z == 2 ? -__builtin_inf() : __builtin_nan("");
    const double tail = z < 1 ? z : 2 - z, log_of = -log(tail * (2 - tail)), half = 4.330746750799873 - log_of / 2;
    double x = sqrt(sqrt(half * half + log_of / 0.147) - half); /* Winitzki's guess, to 2 in 1,000 */
    for (int k = 0; k < 8; k++) {
        const double step = (erfc(x) - tail) / (-1.1283791670955126 * exp(-x * x));
        x -= step / (1 + x * step);
    }
    return z < 1 ? x : -x;
}
RIFFLE_SPECIAL double erfinv(double y) {
    if (fabs(y) > 0.5) return y > 0 ? erfcinv(1 - y) : -erfcinv(1 + y);
    double x = y * 0.8862269254527580;
    for (int k = 0; k < 6; k++) {
        const double step = (erf(x) - y) / (1.1283791670955126 * exp(-x * x));
        x -= step / (1 + x * step);
    }
    return x;
}
RIFFLE_SPECIAL double erfcx(double x) {
    if (x < 25) return exp(x * x) * erfc(x);
    const double by = 1 / (2 * x * x);
    return 0.5641895835477563 / x * (1 - by * (1 - 3 * by * (1 - 5 * by)));
}
RIFFLE_SPECIAL double normcdf(double x) { return erfc(-x * 0.7071067811865476) / 2; }
RIFFLE_SPECIAL double normcdfinv(double p) { return -1.4142135623730951 * erfcinv(2 * p); }
RIFFLE_SPECIAL double rcbrt(double x) { return 1 / cbrt(x); }
RIFFLE_SPECIAL double rhypot(double a, double b) { return 1 / hypot(a, b); }
RIFFLE_SPECIAL double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
RIFFLE_SPECIAL double norm4d(double a, double b, double c, double d) { return sqrt(a * a + b * b + c * c + d * d); }
RIFFLE_SPECIAL double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
RIFFLE_SPECIAL double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
/* Modified Bessel functions by their series, whose terms are all positive. */
RIFFLE_SPECIAL double cyl_bessel_i0(double x) {
    double term = 1, sum = 1;
    for (int k = 1; term > sum * 1e-17 && k < 2000; k++) sum += term *= x * x / 4 / ((double)k * k);
    return sum;
}
RIFFLE_SPECIAL double cyl_bessel_i1(double x) {
    double term = 1, sum = 1;
    for (int k = 1; term > sum * 1e-17 && k < 2000; k++) sum += term *= x * x / 4 / ((double)k * (k + 1));
    return x / 2 * sum;
}
#define RIFFLE_OF_ONE(name) RIFFLE_SPECIAL float name##f(float x) { return (float)name((double)x); }
RIFFLE_OF_ONE(erfcinv)
RIFFLE_OF_ONE(erfinv)
RIFFLE_OF_ONE(erfcx)
RIFFLE_OF_ONE(normcdf)
RIFFLE_OF_ONE(normcdfinv)
RIFFLE_OF_ONE(rcbrt)
RIFFLE_OF_ONE(cyl_bessel_i0)
RIFFLE_OF_ONE(cyl_bessel_i1)
#undef RIFFLE_OF_ONE
RIFFLE_SPECIAL float rhypotf(float a, float b) { return (float)rhypot(a, b); }
RIFFLE_SPECIAL float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
RIFFLE_SPECIAL float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
RIFFLE_SPECIAL float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
RIFFLE_SPECIAL float rnorm4df(float a, float b, float c, float d) { return (float)rnorm4d(a, b, c, d); }
/* Inlined, so that their reads are the kernel's. */
RIFFLE_INLINE double norm(int length, const double *a) {
    double sum = 0;
    for (int k = 0; k < length; k++) sum += a[k] * a[k];
    return sqrt(sum);
}
RIFFLE_INLINE float normf(int length, const float *a) {
    double sum = 0;
    for (int k = 0; k < length; k++) sum += (double)a[k] * a[k];
    return (float)sqrt(sum);
}
RIFFLE_INLINE double rnorm(int length, const double *a) { return 1 / norm(length, a); }
RIFFLE_INLINE float rnormf(int length, const float *a) { return 1 / normf(length, a); }
#undef RIFFLE_SPECIAL

#endif
