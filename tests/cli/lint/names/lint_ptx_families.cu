/* SPDX-License-Identifier: Apache-2.0
 *
 * Families of PTX: conversions that round and saturate, to integers of every width; carries from one statement into the next; halves; parts of
 * words; comparisons. Each beside what it is; the program says which differ.
 */
#include <cstdint>
#include <cstdio>

extern __device__ __device_builtin__ void __syncthreads(void);
struct __builtin_align__(8) pair_of_words {
    unsigned low, high;
};

__device__ int failures;
__device__ void check(int line, double is, double should) {
    if (is == should) return;
    printf("line %d: %g in place of %g\n", line, is, should);
    failures++;
}
#define CHECK(is, should) check(__LINE__, (double)(is), (double)(should))
#define TO(mode, type, letter, out, value)                                                                     \
    ([](float from) {                                                                                          \
        out to;                                                                                                \
        asm("cvt." mode ".sat." type ".f32 %0, %1;" : "=" letter(to) : "f"(from));                             \
        return to;                                                                                             \
    }(value))

__device__ void conversions(float big, float half) {
    CHECK((int8_t)TO("rni", "s8", "r", int, big), 127);
    CHECK((int8_t)TO("rni", "s8", "r", int, -big), -128);
    CHECK((int8_t)TO("rni", "s8", "r", int, half), 2);
    CHECK((uint8_t)TO("rzi", "u8", "r", unsigned, -half), 0);
    CHECK((uint8_t)TO("rpi", "u8", "r", unsigned, half), 3);
    CHECK(TO("rmi", "s16", "h", short, half), 2);
    CHECK(TO("rmi", "s16", "h", short, -half), -3);
    CHECK(TO("rni", "u16", "h", unsigned short, big), 65535);
    CHECK(TO("rni", "s32", "r", int, -big * big), -2147483648.0);
    CHECK(TO("rpi", "u32", "r", unsigned, half), 3);
    CHECK(TO("rzi", "s64", "l", long long, -half), -2);
    CHECK(TO("rni", "u64", "l", unsigned long long, half), 2);
    int narrow;
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(narrow) : "r"((int)-big));
    CHECK(narrow, 0);
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(narrow) : "r"((int)big));
    CHECK((int8_t)narrow, 127);
    float unit;
    asm("cvt.rni.sat.f32.f32 %0, %1;" : "=f"(unit) : "f"(big));
    CHECK(unit, 1);
    asm("fma.rn.sat.f32 %0, %1, %1, %1;" : "=f"(unit) : "f"(-half));
    CHECK(unit, 1);
    unsigned packed;
    asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(packed) : "r"((int)big), "r"(-5), "r"(0x1234u));
    CHECK(packed, 0x12347ffbu);
}

__device__ void carries(unsigned all, unsigned one) {
    unsigned low, high;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(low) : "r"(all), "r"(one));
    asm volatile("addc.u32 %0, %1, 0;" : "=r"(high) : "r"(one));
    CHECK(low, 0);
    CHECK(high, 2);
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(low) : "r"(0), "r"(one));
    asm volatile("subc.u32 %0, %1, 0;" : "=r"(high) : "r"(one));
    CHECK(high, 0);
    asm("mad.lo.cc.u32 %0, %2, %2, %2; madc.hi.u32 %1, %2, %2, 0;" : "=r"(low), "=r"(high) : "r"(all));
    CHECK(low, (unsigned)((uint64_t)all * all + all));
    CHECK(high, ((uint64_t)all * all + all) >> 32);
}

__device__ void integers(int a, int b, unsigned three, unsigned ten) {
    int sum;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    CHECK(sum, a + b);
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    CHECK(sum, a - b);
    asm("add.sat.s32 %0, %1, %1;" : "=r"(sum) : "r"(2 * b));
    CHECK(sum, 2147483647);
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(sum) : "r"(-2 * b), "r"(2 * b));
    CHECK(sum, -2147483648.0);
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(three), "r"(ten), "r"(1));
    CHECK(sum, 8);
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(-2 * b), "r"(2 * b), "r"(0));
    CHECK((unsigned)sum, 4 * (unsigned)b);
    asm("mul24.lo.s32 %0, %1, %2;" : "=r"(sum) : "r"(-4), "r"(30566988));
    CHECK(sum, 11949776);
    asm("mul24.hi.u32 %0, %1, %2;" : "=r"(sum) : "r"(~0u), "r"(~0u));
    CHECK((unsigned)sum, 0xfffffe000001ull >> 16);
    asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(three), "r"(ten), "r"(12));
    CHECK(sum, 42);
}

__device__ void directions(float one, float tiny, double far, double none) {
    float f;
    double d;
    asm("add.rm.f32 %0, %1, %2;" : "=f"(f) : "f"(one), "f"(-tiny));
    CHECK(f, 0x1.fffffep-1f);
    asm("sub.rp.ftz.f32 %0, %1, %2;" : "=f"(f) : "f"(one), "f"(-tiny));
    CHECK(f, 0x1.000002p0f);
    asm("fma.rz.f32 %0, %1, %1, %2;" : "=f"(f) : "f"(one), "f"(-tiny));
    CHECK(f, 0x1.fffffep-1f);
    asm("mul.rp.f32 %0, %1, %1;" : "=f"(f) : "f"(tiny));
    CHECK(f, 0x1p-149f);
    asm("rcp.rp.f32 %0, %1;" : "=f"(f) : "f"(3 * one));
    CHECK(f, 0x1.555556p-2f);
    asm("div.rm.f32 %0, %1, %2;" : "=f"(f) : "f"(one), "f"(3 * one));
    CHECK(f, 0x1.555554p-2f);
    asm("sqrt.rp.f32 %0, %1;" : "=f"(f) : "f"(2 * one));
    CHECK(f, 0x1.6a09e8p0f);
    asm("add.rp.f64 %0, %1, %2;" : "=d"(d) : "d"(1.0 * one), "d"(far));
    CHECK(d, 0x1.0000000000001p0);
    asm("cvt.rz.f32.f64 %0, %1;" : "=f"(f) : "d"(0x1.ffffffffp-1 * one));
    CHECK(f, 0x1.fffffep-1f);
    asm("cvt.rp.f32.s32 %0, %1;" : "=f"(f) : "r"(16777217 * (int)one));
    CHECK(f, 16777218);
    unsigned short half;
    asm("cvt.rz.f16.f32 %0, %1;" : "=h"(half) : "f"(0x1.fffffep0f * one));
    CHECK(half, 0x3fff);
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(0x1.fffffep0f * one));
    CHECK(half, 0x4000);
    unsigned both;
    asm("cvt.rz.bf16x2.f32 %0, %1, %1;" : "=r"(both) : "f"(0x1.fffffep0f * one));
    CHECK(both, 0x3fff3fff);
    int whole;
    long long wide;
    asm("cvt.rzi.s32.f64 %0, %1;" : "=r"(whole) : "d"(none));
    CHECK(whole, -2147483648.0);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(whole) : "f"((float)none));
    CHECK(whole, 0);
    asm("cvt.rni.s64.f32 %0, %1;" : "=l"(wide) : "f"((float)none));
    CHECK(wide, -0x1p63);
    unsigned short a, b, c;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(a) : "f"(0x1.004p-6f * one));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(b) : "f"(0x1.ff8p-6f * one));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(c) : "f"(0x1.004p0f * one));
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(half) : "h"(a), "h"(b), "h"(c));
    CHECK(half, c);
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(both) : "r"(a * 0x10001), "r"(b * 0x10001), "r"(c * 0x10001));
    CHECK(both, c * 0x10001u);
}

__device__ void halves(float a, float b) {
    unsigned short short_a, short_b, sum;
    float back;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(short_a) : "f"(a));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(short_b) : "f"(b));
    CHECK(short_a, 0x3e00);
    asm("fma.rn.f16 %0, %1, %2, %2;" : "=h"(sum) : "h"(short_a), "h"(short_b));
    asm("{ .reg .f16 twice; add.f16 twice, %1, %1; cvt.f32.f16 %0, twice; }" : "=f"(back) : "h"(sum));
    CHECK(back, 2 * (a * b + b));
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(sum) : "f"(a));
    CHECK(sum, 0x3fc0);
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(sum) : "d"(1 + 0x1.0000001p-11)); /* above the middle, which a float is not */
    CHECK(sum, 0x3c01);
    unsigned two;
    asm("{ .reg .f16x2 both; mov.b32 both, {%1, %2}; neg.f16x2 %0, both; }" : "=r"(two) : "h"(short_a), "h"(short_b));
    CHECK(two, 0xbe00u | 0xc000u << 16);
    int whole;
    asm("cvt.rni.sat.s8.f16 %0, %1;" : "=r"(whole) : "h"(short_a));
    CHECK((int8_t)whole, 2);
}

/* Each comparison by itself, and combined with a truth. */
__device__ void comparisons(unsigned word, float zero) {
    unsigned is;
    unsigned long long wide = (unsigned long long)word << 32;
    asm("{ .reg .pred p; setp.lt.u64 p, %1, 5; set.ge.or.u32.u64 %0, %1, 0xffffffff, p; }" : "=r"(is) : "l"(wide));
    CHECK(is, ~0u);
    asm("{ .reg .pred p; setp.lt.u64 p, %1, 5; set.ge.and.u32.u64 %0, %1, 0xffffffff, p; }" : "=r"(is) : "l"(wide));
    CHECK(is, 0);
    asm("{ .reg .pred p; setp.gt.u64 p, %1, 5; set.ge.xor.u32.u64 %0, %1, 0xffffffff, !p; }" : "=r"(is) : "l"(wide));
    CHECK(is, ~0u);
    asm("set.hi.u32.u32 %0, %1, 5;" : "=r"(is) : "r"(word));
    CHECK(is, ~0u);
    float one;
    asm("set.ltu.f32.f32 %0, %1, 1.5;" : "=f"(one) : "f"(zero / zero));
    CHECK(one, 1);
    asm("{ .reg .pred p, q, r; setp.ne.u32 r, %1, 0; setp.lt.xor.u32 p|q, %1, 5, r; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 4; }"
        : "=r"(is)
        : "r"(word));
    CHECK(is, 1);
    asm("{ .reg .pred p, q, r; setp.eq.u32 r, %1, 0; setp.lt.or.u32 p|q, %1, 5, r; selp.u32 %0, 1, 2, p; @q add.u32 %0, %0, 4; }"
        : "=r"(is)
        : "r"(word));
    CHECK(is, 6);
}

__device__ void parts(unsigned word, float zero) {
    unsigned short a, b, c, d;
    unsigned long long wide;
    asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(word), "r"(word + 1));
    asm("mov.b64 {%0, %1, %2, %3}, %4;" : "=h"(a), "=h"(b), "=h"(c), "=h"(d) : "l"(wide));
    CHECK(a, word & 0xffff);
    CHECK(b + c, (word >> 16) + (word + 1 & 0xffff));
    CHECK(d, (word + 1) >> 16);
    unsigned bytes;
    asm("{ .reg .b8 p, q, r, s; mov.b32 {p, q, r, s}, %1; mov.b32 %0, {s, r, q, p}; }" : "=r"(bytes) : "r"(word));
    CHECK(bytes, __byte_perm(word, 0, 0x0123));
    asm("mov.b64{%0, %1, %2, %3}, %4;" : "=h"(d), "=h"(c), "=h"(b), "=h"(a) : "l"(wide));
    CHECK(a + b, ((word + 1) >> 16) + (word + 1 & 0xffff));
    asm("prmt.b32.f4e %0, %1, %2, 1;" : "=r"(bytes) : "r"(word), "r"(word));
    CHECK(bytes, word >> 8 | word << 24);
    asm("prmt.b32 %0, %1, 0, 0xb210;" : "=r"(bytes) : "r"(0x80000000u));
    CHECK(bytes, 0xff000000u);
    unsigned is;
    asm("{ .reg .pred p, q; setp.lt.u32 p|q, %1, 5; selp.u32 %0, 1, 2, q; }" : "=r"(is) : "r"(word));
    CHECK(is, 1);
    asm("set.gt.u32.u32 %0, %1, 5;" : "=r"(is) : "r"(word));
    CHECK(is, ~0u);
    comparisons(word, zero);
    asm("{ .reg .pred p; setp.ltu.f32 p, %1, 1.5; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "f"(zero / zero));
    CHECK(is, 1);
    asm("{ .reg .pred p; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "f"(zero));
    CHECK(is, 1);
}

__global__ void all(const unsigned *in, unsigned *out) {
    conversions(1e5f, 2.5f);
    carries(~0u, 1);
    integers(-114252783, 930142949, 3, 10);
    directions(1, 1e-30f, 1e-30, (double)__builtin_nanf(""));
    halves(1.5f, 2);
    parts(0x12345678u, 0);
    unsigned value;
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1+-4], %2;" : "=r"(value) : "l"(in + 1), "l"(policy));
    asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" : : "l"(out), "r"(value), "l"(policy));
    CHECK(*out, 7);
    __syncthreads();
}

int main() {
    unsigned *data, seven = 7;
    int found = -1;
    cudaMalloc(&data, 16);
    cudaMemcpy(data, &seven, 4, cudaMemcpyHostToDevice);
    all<<<1, 1>>>(data, data + 2);
    cudaMemcpyFromSymbol(&found, failures, sizeof found);
    return found;
}
