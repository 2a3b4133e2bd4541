/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX of tensor cores beside sums in C++; the program says what differs.
 */
#include <cstdio>
#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
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
int main() {
    product<__half><<<1, 32>>>();
    product<__nv_bfloat16><<<1, 32>>>();
    of_words<<<1, 32>>>();
    return wrong;
}
