/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of CUDA's mathematics that the C library lacks, roundings, halves, minima in one instruction: each beside what it is. The program
 * says which differ.
 */
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

__device__ int failures;
__device__ void check(int line, double is, double should) {
    if (is == should || fabs(is - should) <= 1e-6 * fabs(should)) return;
    printf("line %d: %.17g in place of %.17g\n", line, is, should);
    failures++;
}
__device__ void same(int line, double is, double should) {
    if (is == should) return;
    printf("line %d: %.17g in place of %.17g\n", line, is, should);
    failures++;
}
#define NEAR(is, should) check(__LINE__, (double)(is), (double)(should))
#define SAME(is, should) same(__LINE__, (double)(is), (double)(should))

/* Constant functions of the device's own code may call these. */
__host__ __device__ constexpr int order(unsigned x) {
#ifdef __CUDA_ARCH__
    return 31 - __clz(x);
#else
    return 31 - __builtin_clz(x);
#endif
}
__device__ constexpr unsigned mixed(unsigned x) {
    return __popc(x) + __ffs(x) + (__brev(x) >> 24) + __umulhi(x, x) + max((int)x, 3) + __byte_perm(x, 0, 0x4444);
}
__device__ void constants() {
    constexpr int known = order(1000);
    SAME(known, 9);
    SAME(order(1u << threadIdx.x), threadIdx.x);
    SAME(mixed(0x80000001u), 2 + 1 + 128 + 0x40000001 + 3);
}

/* Sums whose second part is far below what both precisions hold, exact zeros, and what no integer is. */
__device__ void roundings_far(float one, float tiny, double far, float none) {
    SAME(__fadd_rd(one, -tiny), nextafterf(1, 0));
    SAME(__fadd_ru(one, tiny), nextafterf(1, 2));
    SAME(__fadd_rz(one, -tiny), nextafterf(1, 0));
    SAME(__fadd_rz(-one, tiny), nextafterf(-1, 0));
    SAME(__fadd_rn(one, tiny), 1);
    SAME(__fsub_ru(one, -tiny), nextafterf(1, 2));
    SAME(signbit(__fsub_rd(one, one)), 1);
    SAME(signbit(__fsub_ru(one, one)), 0);
    SAME(__fmul_ru(tiny, tiny), 1e-45f);
    SAME(__fmul_rz(-tiny, tiny), 0);
    SAME(__fmaf_ru(one, one, tiny), nextafterf(1, 2));
    SAME(__fmaf_rd(one, one, -tiny), nextafterf(1, 0));
    SAME(__frcp_rd(3 * one), 0x1.555554p-2f);
    SAME(__frcp_ru(3 * one), 0x1.555556p-2f);
    SAME(__dadd_rd(one, -far), nextafter(1.0, 0.0));
    SAME(__dadd_ru(one, far), nextafter(1.0, 2.0));
    SAME(__dsub_rz(one, far), nextafter(1.0, 0.0));
    SAME(__dmul_rz(1e308 * one, 10), 1.7976931348623157e308);
    SAME(__fma_ru(one, one, far), nextafter(1.0, 2.0));
    SAME(__drcp_rd(3.0 * one), 0x1.5555555555555p-2);
    SAME(__dsqrt_ru(2.0 * one), nextafter(__dsqrt_rd(2.0 * one), 2.0));
    SAME(1 + tiny, 1);
    SAME(__double2int_rz(none), -2147483648.0);
    SAME(__double2uint_rz(none), 2147483648.0);
    SAME(__double2ll_rz(none), -0x1p63);
    SAME(__float2ll_rn(none), -0x1p63);
    SAME(__float2ull_rd(none), 0x1p63);
    SAME(__float2int_ru(none), 0);
    SAME(__float2uint_rn(none), 0);
}
/* A sum so near the middle of two numbers that a float rounds it to that. */
template <class Short> __device__ void fused_once(float a, float b, float c, float should) {
    SAME((float)__hfma(Short(a), Short(b), Short(c)), should);
    SAME((float)__hfma(Short(-a), Short(b), Short(-c)), -should);
    SAME((float)__hfma_relu(Short(a), Short(b), Short(c)), should);
}

__device__ void functions(double x) {
    double s, c;
    sincospi(x / 3, &s, &c);
    NEAR(s, sin(CUDART_PI * x / 3));
    NEAR(erf(erfinv(0.3 * x)), 0.3 * x);
    NEAR(erf(erfinvf(-0.999f)), -0.999);
    NEAR(erfc(erfcinv(1e-30)), 1e-30);
    NEAR(normcdf(normcdfinv(0.025)), 0.025);
    NEAR(normcdfinv(0.025), -1.95996398454);
    NEAR(erfcx(10 * x), 0.0561409927438);
    NEAR(erfcx(30 * x), 0.0187958888614);
    NEAR(cyl_bessel_i0(3 * x), 4.88079258586);
    NEAR(cyl_bessel_i1f(3 * (float)x), 3.95337021740);
    NEAR(rcbrt(8 * x), 0.5);
    NEAR(norm3d(2 * x, 3 * x, 6 * x), 7);
    NEAR(rnorm4df(1, 1, 1, 1), 0.5);
    NEAR(rhypot(3 * x, 4 * x), 0.2);
    NEAR(fdividef(1, 4), 0.25);
    NEAR(CUDART_PIO2_F * 2, CUDART_PI_F);
}

__device__ void roundings(double third, float one) {
    SAME(__ddiv_ru(third, 3), nextafter(__ddiv_rd(third, 3), 1));
    SAME(__ddiv_rz(-third, 3), -__ddiv_rd(third, 3));
    SAME(__fadd_ru(one, 1e-9f), nextafterf(1, 2));
    SAME(__fadd_rz(one, 1e-9f), 1);
    SAME(__fmul_rd(-one, 1e-45f), -1e-45f);
    SAME(__fsqrt_ru(2 * one), nextafterf(__fsqrt_rd(2 * one), 2));
    SAME(__int2float_rz(16777219), 16777218);
    SAME(__int2float_ru(16777217), 16777218);
    SAME(__double2float_rd(third / 3 + 1), nextafterf(__double2float_ru(third / 3 + 1), 0));
    SAME(__float2ll_ru(one / 2), 1);
    SAME(__float2uint_rz(-one), 0);
    SAME(__double2int_rn(1e10 * third), 2147483647);
    SAME(__double2ull_rn(2.5 * third), 2);
    SAME(__rhadd(3, 4), 4);
    SAME(__hadd(-3, -4), -4);
    SAME(__fns(0x90, 0, 2), 7);
    SAME(__dp2a_lo((int)0x00020003, (int)0x0000ff05, 1), 14);
}

__device__ void sequences(unsigned a, unsigned b) {
    bool first;
    SAME(__viaddmax_s32(3, 4, 9), 9);
    SAME(__vimin3_s32(3, -4, 9), -4);
    SAME(__vimax_s32_relu(-3, -4), 0);
    SAME(__vibmax_s32(3, 3, &first), 3);
    SAME(first, true);
    SAME(__viaddmax_s16x2(a, b, 0), 0x00030000);
    SAME(__vimin3_u16x2(0x00050001, 0x00030002, 0x00040003), 0x00030001);
}

template <class Half> __device__ void halves(Half a, Half b) {
    SAME((float)hfloor(a), 2);
    SAME((float)hceil(a), 3);
    SAME((float)hrint(a), 2);
    SAME((float)hexp2(b), 4);
    SAME((float)__hadd_sat(a, b), 1);
    SAME((float)__hfma_sat(-a, b, b), 0);
    SAME((float)a++, 2.5);
    SAME((float)--a, 2.5);
}

__device__ void halves_alone(__half a, __half b) {
    __half2 both = __halves2half2(a, b), turned = __lowhigh2highlow(both);
    SAME((float)turned.x, 2);
    SAME((float)__lows2half2(both, turned).y, 2);
    both += turned;
    SAME((float)both.x, 4.5);
    SAME((float)__hcmadd(turned, turned, turned).x, 4 - 6.25 + 2);
    SAME((float)h2floor(turned).y, 2);
    SAME(__half2short_ru(a), 3);
    SAME(__half2uint_rd(a), 2);
    SAME((float)__float2half_rz(2.0005f), 2);
    SAME((float)__float2half_ru(2.0005f), 2.001953125);
    SAME((float)__float2half_rd(-2.0005f), -2.001953125);
    SAME((float)__int2half_rz(2049), 2048);
    SAME((float)__ll2bfloat16_ru(257), 258);
    SAME((float)CUDART_ONE_FP16, 1);
}

__global__ void all(double one) {
    constants();
    functions(one);
    roundings(one, (float)one);
    roundings_far((float)one, 1e-30f * (float)one, 1e-30 * one, CUDART_NAN_F);
    fused_once<__half>(0x1.004p-6f, 0x1.ff8p-6f, 0x1.004p0f, 0x1.004p0f);
    fused_once<__half>(55, 39, 0x1p-24f, 2146);
    fused_once<__nv_bfloat16>(15, 19, 0x1p-40f, 286);
    fused_once<__nv_bfloat16>(7, 41, -0x1p-40f, 286);
    sequences(0x00017fff, 0x00020001);
    halves<__half>(2.5f, 2.0f);
    halves<__nv_bfloat16>(2.5f, 2.0f);
    halves_alone(2.5f, 2.0f);
}

int main() {
    int found = -1;
    all<<<1, 1>>>(1.0);
    cudaMemcpyFromSymbol(&found, failures, sizeof found);
    return found;
}
