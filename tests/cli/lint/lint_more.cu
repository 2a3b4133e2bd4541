/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of CUDA beside what they are in plain C++; the program says what differs.
 */
#include <cstdio>
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <helper_math.h>
#include <sm_61_intrinsics.h>

__managed__ int wrong;

#define EXPECT(condition)                                                                                      \
    if (!(condition)) printf("line %d\n", __LINE__), atomicAdd(&wrong, 1)

template <class Vector, class Number> __device__ void compare() {
    const float none = nanf("");
    const Vector a(Number(1.0f), Number(none)), b(Number(1.0f), Number(2.0f)), c(Number(3.0f), Number(-1.0f));
    EXPECT((float)__hgt2(c, b).x == 1 && (float)__hgt2(c, b).y == 0);
    EXPECT((float)__heq2(a, b).x == 1 && (float)__heq2(a, b).y == 0 && (float)__hequ2(a, b).y == 1);
    EXPECT((float)__hne2(a, b).y == 0 && (float)__hneu2(a, b).y == 1 && (float)__hne2(b, c).y == 1);
    EXPECT(__hble2(b, b) && !__hbgt2(c, b) && !__hblt2(a, c) && __hbltu2(a, c));
    EXPECT(__hge2_mask(c, b) == 0xffff && __hlt2_mask(c, b) == 0xffff0000);
    EXPECT((float)__habs2(c).y == 1 && (float)__hisnan2(a).y == 1);
}

__global__ void halves() {
    compare<__half2, __half>();
    compare<__nv_bfloat162, __nv_bfloat16>();
}

__global__ void bytes(unsigned a, unsigned b) { /* 0x01ff7f80, 0x0200807f */
    EXPECT(__vadd4(a, b) == 0x03ffffff && __vsub4(a, b) == 0xffffff01);
    EXPECT(__vaddss4(a, b) == 0x03ffffff && __vaddus4(a, b) == 0x03ffffff && __vaddus4(a, a) == 0x02fffeff);
    EXPECT(__vsubss4(a, b) == 0xffff7f80 && __vsubus4(a, b) == 0x00ff0001);
    EXPECT(__vabsdiffu4(a, b) == 0x01ff0101 && __vabsdiffs4(a, b) == 0x0101ffff && __vsadu4(a, b) == 258);
    EXPECT(__vavgu4(a, b) == 0x02808080 && __vhaddu4(a, b) == 0x017f7f7f && __vavgs4(a, b) == 0x02ffffff);
    EXPECT(__vmaxu4(a, b) == 0x02ff8080 && __vmaxs4(a, b) == 0x02007f7f && __vmins4(a, b) == 0x01ff8080);
    EXPECT(__vcmpgtu4(a, b) == 0x00ff00ff && __vsetlts4(a, b) == 0x01010001 && __vcmpeq2(a, a + 1) == 0xffff0000);
    EXPECT(__vabsss4(a) == 0x01017f7f && __vneg2(0x00018000) == 0xffff8000 && __vmaxs2(a, b) == 0x02007f80);
    EXPECT(__dp4a((int)a, (int)b, 5) == 5 + 2 + 0 - 128 * 127 - 128 * 127);
    EXPECT(__dp4a(a, b, 5u) == 5 + 2 + 0 + 128u * 127 + 128u * 127);
    EXPECT(__dp4a(make_char4(1, -2, 3, 4), make_char4(5, 6, -7, 8), 1) == 5 - 12 - 21 + 32 + 1);
    unsigned d;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(7));
    EXPECT(d == 258 + 7);
    asm("{\n .reg .b32 part<3>;\n mov.b32 part0, %1;\n add.u32 part2, part0, 5;\n mov.b32 %0, part2;\n}" : "=r"(d) : "r"(a));
    EXPECT(d == a + 5);
}

__global__ void pairs(cuFloatComplex a, cuDoubleComplex b) { /* 3+4i, 1-2i */
    const cuFloatComplex product = cuCmulf(a, cuConjf(a)), one = cuCdivf(a, a);
    EXPECT(cuCrealf(product) == 25 && cuCimagf(product) == 0 && cuCabsf(a) == 5 && one.x == 1 && one.y == 0);
    const cuDoubleComplex sum = cuCadd(b, cuComplexFloatToDouble(a)), quotient = cuCdiv(make_cuDoubleComplex(11, -2), b);
    EXPECT(sum.x == 4 && sum.y == 2 && fabs(quotient.x - 3) < 1e-14 && fabs(quotient.y - 4) < 1e-14);
}

__global__ void vectors(float3 a, float4 b) { /* 1 2 2, 1 2 3 4 */
    EXPECT(length(a) == 3 && dot(b, b) == 30 && dot(cross(a, make_float3(0.0f, 0.0f, 1.0f)), a) == 0);
    b *= 2;
    b = clamp(b - 1.0f, 2.0f, 6.0f) / make_float4(1, 1, 5, 2);
    EXPECT(b.x == 2 && b.y == 3 && b.z == 1 && b.w == 3);
    const int3 n = max(make_int3(1, -5, 3) + 2, make_int3(0)) * make_int3(2, 2, 2);
    EXPECT(n.x == 6 && n.y == 0 && n.z == 10 && lerp(1.0f, 3.0f, 0.5f) == 2);
    EXPECT(fabsf(length(normalize(a)) - 1) < 1e-6f && make_float3(b).z == 1 && -make_int2(3, 4).y == -4);
}

__global__ void textures(cudaTextureObject_t flat, cudaTextureObject_t cube) {
    const float4 four = tex2Dgather<float4>(flat, 2, 1, 0);
    EXPECT(four.x == 11 && four.y == 12 && four.z == 2 && four.w == 1);
    EXPECT(tex2DLod<float>(flat, 3.5f, 1.5f, 0) == 13);
    const float3 to[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int k = 0; k < 6; k++) EXPECT((int)texCubemap<float>(cube, to[k].x - 0.1f, to[k].y - 0.1f, to[k].z - 0.1f) / 10 == k);
    EXPECT(texCubemap<float>(cube, 2, -1, 1) == 2 && texCubemap<float>(cube, 2, 1, -1) == 1 && texCubemap<float>(cube, -1, -3, 1.5f) == 30);
}

__global__ void aligned() {
    __shared__ char before;
    __shared__ alignas(alignof(float4)) float tile[33];
    before = 1;
    tile[threadIdx.x] = before;
    EXPECT((size_t)&tile[0] % 16 == 0 && tile[threadIdx.x] == 1);
}

static cudaTextureObject_t texture_of(cudaArray_t array, bool normalized) {
    cudaResourceDesc from = {};
    from.resType = cudaResourceTypeArray;
    from.res.array.array = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = normalized;
    cudaTextureObject_t out;
    cudaCreateTextureObject(&out, &from, &how, nullptr);
    return out;
}

static void run_textures() {
    float flat[2][4], cube[6][2][2];
    cudaArray_t arrays[2];
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    for (int k = 0; k < 8; k++) flat[k / 4][k % 4] = (float)(k / 4 * 10 + k % 4);
    for (int k = 0; k < 24; k++) cube[k / 4][k / 2 % 2][k % 2] = (float)(k / 4 * 10);
    for (int k = 0; k < 4; k++) cube[0][k / 2][k % 2] = (float)k;
    cudaMallocArray(&arrays[0], &format, 4, 2, cudaArrayTextureGather);
    cudaMemcpy2DToArray(arrays[0], 0, 0, flat, 16, 16, 2, cudaMemcpyHostToDevice);
    cudaMalloc3DArray(&arrays[1], &format, make_cudaExtent(2, 2, 6), cudaArrayCubemap);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(cube, 8, 2, 2);
    copy.dstArray = arrays[1];
    copy.extent = make_cudaExtent(2, 2, 6);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    textures<<<1, 1>>>(texture_of(arrays[0], false), texture_of(arrays[1], true));
}

int main() {
    halves<<<1, 1>>>();
    bytes<<<1, 1>>>(0x01ff7f80, 0x0200807f);
    pairs<<<1, 1>>>(make_cuFloatComplex(3, 4), make_cuDoubleComplex(1, -2));
    vectors<<<1, 1>>>(make_float3(1, 2, 2), make_float4(1, 2, 3, 4));
    aligned<<<1, 32>>>();
    run_textures();
    return cudaDeviceSynchronize() == cudaSuccess && CUBLAS_COMPUTE_32F_FAST_16BF != CUBLAS_COMPUTE_32F ? wrong : -1;
}
