/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX of tensor cores beside sums in C++; the program says what differs.
 */
#include <cstdio>
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
__managed__ int wrong;
#define EXPECT(condition)                                                                                      \
    if (!(condition)) printf("line %d lane %d\n", __LINE__, threadIdx.x), atomicAdd(&wrong, 1)
__device__ float a_of(int row, int k) { return (float)(row * 3 % 7 - k % 5); }
__device__ float b_of(int k, int column) { return (float)(k % 3 + column - 4); }
template <class T> __global__ void product() {
    __shared__ alignas(16) T a[16][16], b[16][8];
    const int lane = threadIdx.x, row = lane / 4, column = lane % 4 * 2;
    for (int k = lane; k < 256; k += 32) a[k / 16][k % 16] = T(a_of(k / 16, k % 16));
    for (int k = lane; k < 128; k += 32) b[k / 8][k % 8] = T(b_of(k / 8, k % 8));
    __syncthreads();
    unsigned ra[4], rb[2];
    float d[4] = {1, 2, 3, 4};
    const unsigned at = (unsigned)__cvta_generic_to_shared(&a[lane % 16][lane / 16 * 8]);
    const unsigned from = (unsigned)__cvta_generic_to_shared(&b[lane % 16][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(at));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(from));
    T part[2];
    memcpy(part, &ra[1], 4);
    EXPECT((float)part[1] == a_of(row + 8, column + 1));
    memcpy(part, &rb[1], 4);
    EXPECT((float)part[0] == b_of(8 + column, row));
    if constexpr (sizeof(T) == 2 && std::is_same<T, __half>::value) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
        float e[4] = {};
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %7, %7, %7};"
                     : "=f"(e[0]), "=f"(e[1]), "=f"(e[2]), "=f"(e[3]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "f"(0.5f));
        for (int k = 0; k < 4; k++) {
            float sum = 0.5f;
            for (int j = 0; j < 8; j++) sum += a_of(row + k / 2 * 8, j) * b_of(j, column + k % 2);
            EXPECT(e[k] == sum);
        }
    } else {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    }
    for (int k = 0; k < 4; k++) {
        float sum = (float)(k + 1);
        for (int j = 0; j < 16; j++) sum += a_of(row + k / 2 * 8, j) * b_of(j, column + k % 2);
        EXPECT(d[k] == sum);
    }
}
__global__ void of_words() {
    const int lane = threadIdx.x, row = lane / 4, part = lane % 4;
    float d[4] = {};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(__float_as_uint(a_of(row, part))), "r"(__float_as_uint(a_of(row + 8, part))), "r"(__float_as_uint(a_of(row, part + 4))),
                   "r"(__float_as_uint(a_of(row + 8, part + 4))), "r"(__float_as_uint(b_of(part, row))), "r"(__float_as_uint(b_of(part + 4, row))));
    for (int k = 0; k < 4; k++) {
        float sum = 0;
        for (int j = 0; j < 8; j++) sum += a_of(row + k / 2 * 8, j) * b_of(j, part * 2 + k % 2);
        EXPECT(d[k] == sum);
    }
}
__global__ void of_doubles() {
    const int lane = threadIdx.x, row = lane / 4, part = lane % 4;
    double a[8], b[4], d[4] = {1, 2, 3, 4};
    for (int r = 0; r < 8; r++) a[r] = a_of(row + r % 2 * 8, part + r / 2 * 4);
    for (int r = 0; r < 4; r++) b[r] = b_of(part + r * 4, row);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
    for (int k = 0; k < 4; k++) {
        double sum = k + 1;
        for (int j = 0; j < 16; j++) sum += a_of(row + k / 2 * 8, j) * b_of(j, part * 2 + k % 2);
        EXPECT(d[k] == sum);
    }
}
/* Factors whose words are packed here as PTX says: four neighbours in a row share a row, a lane has a word's k. */
__device__ int left_of(int row, int k) { return (row * 5 + k * 3) % 11 - 5; }
__device__ int right_of(int k, int column) { return (k * 7 + column * 2) % 9 - 4; }
enum kind { S8, U8, S4, U4, B1, E4M3, E5M2, F16 };
__device__ int bits_of(kind of) { return of == F16 ? 16 : of == S4 || of == U4 ? 4 : of == B1 ? 1 : 8; }
__device__ int number_of(kind of, int number) { return of == U8 || of == U4 ? number + 5 : of == B1 ? number & 1 : number; }
__device__ unsigned code_of(kind of, int number) {
    const unsigned mask = (1u << bits_of(of)) - 1;
    if (of == E4M3) return __nv_fp8_e4m3((float)number).__x;
    if (of == E5M2) return __nv_fp8_e5m2(__half((float)number)).__x;
    return (of == F16 ? __half_as_ushort(__half((float)number)) : (unsigned)number_of(of, number)) & mask;
}
__device__ void pack(kind a, kind b, int rows, int depth, unsigned *ra, unsigned *rb) {
    const int lane = threadIdx.x, bits = bits_of(a), in_word = 32 / bits;
    for (int r = 0; r < rows / 8 * (depth / (4 * in_word)); r++)
        for (int k = ra[r] = 0; k < in_word; k++)
            ra[r] |= code_of(a, left_of(lane / 4 + r % (rows / 8) * 8, r / (rows / 8) * 4 * in_word + lane % 4 * in_word + k)) << bits * k;
    for (int r = 0; r < depth / (4 * in_word); r++)
        for (int k = rb[r] = 0; k < in_word; k++)
            rb[r] |= code_of(b, right_of(r * 4 * in_word + lane % 4 * in_word + k, lane / 4)) << bits * k;
}
__device__ int sum_of(kind a, kind b, int depth, int e, bool differ = false) {
    int sum = 0;
    for (int k = 0; k < depth; k++) {
        const int x = number_of(a, left_of(threadIdx.x / 4 + e / 2 * 8, k)), y = number_of(b, right_of(k, threadIdx.x % 4 * 2 + e % 2));
        sum += differ ? x != y : x * y;
    }
    return sum;
}
#define PRODUCT(name, T, letter, d)                                                                            \
    asm volatile(name " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                        \
                 : "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]), "+" letter(d[3])                      \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
__global__ void of_integers() {
    unsigned a[4], b[2];
    const int most = 0x7fffffff;
    int d[4] = {1, 2, 3, most}, e[4] = {4, 3, 2, 1}, f[2] = {7, 8};
    pack(S8, U8, 16, 32, a, b);
    PRODUCT("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32", int, "r", d);
    for (int k = 0; k < 4; k++) {
        const long long sum = sum_of(S8, U8, 32, k) + (k < 3 ? k + 1LL : most);
        EXPECT(d[k] == (sum < most ? sum : most));
    }
    pack(U4, S4, 16, 64, a, b);
    PRODUCT("mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32", int, "r", e);
    for (int k = 0; k < 4; k++) EXPECT(e[k] == sum_of(U4, S4, 64, k) + 4 - k);
    pack(S8, S8, 8, 16, a, b);
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(f[0]), "+r"(f[1]) : "r"(a[0]), "r"(b[0]));
    for (int k = 0; k < 2; k++) EXPECT(f[k] == sum_of(S8, S8, 16, k) + 7 + k);
}
__global__ void of_bits() {
    unsigned a[4], b[2];
    int d[4] = {1, 2, 3, 4}, e[4] = {0, 0, 0, 9};
    pack(B1, B1, 16, 256, a, b);
    PRODUCT("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", int, "r", d);
    PRODUCT("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", int, "r", e);
    for (int k = 0; k < 4; k++) EXPECT(d[k] == sum_of(B1, B1, 256, k) + k + 1 && e[k] == sum_of(B1, B1, 256, k, true) + (k == 3 ? 9 : 0));
}
__global__ void of_floats() {
    unsigned a[4], b[2], d[2];
    float e[4] = {0.5f, 1, 2, 3};
    pack(F16, F16, 16, 16, a, b);
    __half first[4] = {__half(1.0f), __half(2.0f), __half(3.0f), __half(4.0f)};
    memcpy(d, first, 8);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    memcpy(first, d, 8);
    for (int k = 0; k < 4; k++) EXPECT((float)first[k] == (float)(sum_of(F16, F16, 16, k) + k + 1));
    pack(E4M3, E5M2, 16, 32, a, b);
    PRODUCT("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", float, "f", e);
    for (int k = 0; k < 4; k++) EXPECT(e[k] == (float)sum_of(E4M3, E5M2, 32, k) + (k == 0 ? 0.5f : (float)k));
    double f[2] = {0.25, 1};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(f[0]), "+d"(f[1]) : "d"((double)left_of(threadIdx.x / 4, threadIdx.x % 4)), "d"((double)right_of(threadIdx.x % 4, threadIdx.x / 4)));
    for (int k = 0; k < 2; k++) EXPECT(f[k] == sum_of(F16, F16, 4, k) + (k == 0 ? 0.25 : 1));
}
__global__ void moves() {
    __shared__ alignas(16) unsigned short tile[32][8];
    const int lane = threadIdx.x, row = lane / 4, column = lane % 4 * 2;
    unsigned r[4], turned;
    for (int k = 0; k < 4; k++) r[k] = (unsigned)(k * 64 + row * 8 + column) | (unsigned)(k * 64 + row * 8 + column + 1) << 16;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[lane][0]);
    asm volatile("stmatrix.sync.aligned.x4.m8n8.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
    __syncwarp();
    for (int k = 0; k < 8; k++) EXPECT(tile[lane][k] == lane * 8 + k);
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(r[1]));
    EXPECT((turned & 0xffff) == 64 + column * 8 + row && turned >> 16 == 64 + (column + 1) * 8 + row);
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(r[0]), "r"(r[1]) : "memory");
    __syncwarp();
    for (int k = 0; k < 8; k++) EXPECT(lane >= 16 || tile[lane][k] == lane / 8 * 64 + k * 8 + lane % 8);
}
__global__ void conversions() {
    unsigned d;
    unsigned short s;
    float tf;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(1.5f), "f"(-2.0f));
    EXPECT(d == 0x3e00c000);
    asm("fma.rn.f16x2 %0, %1, %1, %1;" : "=r"(d) : "r"(d));
    EXPECT(d == 0x43804000);
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(1.5f), "f"(-2.0f));
    EXPECT(d == 0x3fc0c000);
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(s) : "f"(1000.0f), "f"(-1.0625f));
    EXPECT(s == 0x7eb8);
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(d) : "h"(s));
    EXPECT(d == 0x5f00bc00);
    asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(s) : "r"(d));
    EXPECT(s == 0x5fbc);
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(d) : "f"(__uint_as_float(0x3f801000)));
    EXPECT(d == 0x3f802000);
    tf = __half2float(__half(__nv_cvt_fp8_to_halfraw(0x7f, __NV_E4M3)));
    EXPECT(tf != tf && __nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2) == 0x7c && (int)__nv_fp8_e4m3(449) == 448);
}
int main() {
    product<__half><<<1, 32>>>();
    product<__nv_bfloat16><<<1, 32>>>();
    of_words<<<1, 32>>>();
    of_doubles<<<1, 32>>>();
    of_integers<<<1, 32>>>();
    of_bits<<<1, 32>>>();
    of_floats<<<1, 32>>>();
    moves<<<1, 32>>>();
    conversions<<<1, 32>>>();
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    return wrong;
}
