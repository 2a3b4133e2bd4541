// SPDX-License-Identifier: Apache-2.0
//
// Host libraries of CUDA's that programs compare their kernels with, or call around them. The status is the line of the first that is wrong.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_gl_interop.h>
#include <cufftXt.h>
#include <curand_kernel.h>
#include <vector>

#define CHECK(what)                                                                                            \
    if (!(what)) return __LINE__

__global__ void fill(float *to, int n) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) to[k] = (float)(k * k % 17 - 8);
}

static bool near(double a, double b) { return fabs(a - b) < 1e-3; }

// Element (u, v, w) of the transform of real numbers in three dimensions, as it is defined.
static double2 defined(const float *x, int nx, int ny, int nz, int u, int v, int w) {
    double2 sum = make_double2(0, 0);
    for (int a = 0; a < nx; a++)
        for (int b = 0; b < ny; b++)
            for (int c = 0; c < nz; c++) {
                const double turn = -2 * M_PI * ((double)a * u / nx + (double)b * v / ny + (double)c * w / nz), value = x[(a * ny + b) * nz + c];
                sum.x += value * cos(turn);
                sum.y += value * sin(turn);
            }
    return sum;
}

static int transforms() {
    const int nx = 3, ny = 4, nz = 10, n = nx * ny * nz, half = nx * ny * (nz / 2 + 1);
    float *x, *back;
    cufftComplex *out;
    cufftHandle plan, inverse;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&back, n * sizeof *x);
    cudaMallocManaged(&out, half * sizeof *out);
    fill<<<4, 32>>>(x, n);
    CHECK(cufftPlan3d(&plan, nx, ny, nz, CUFFT_R2C) == CUFFT_SUCCESS && cufftPlan3d(&inverse, nx, ny, nz, CUFFT_C2R) == CUFFT_SUCCESS);
    CHECK(cufftExecR2C(plan, x, out) == CUFFT_SUCCESS);
    for (int k = 0; k < half; k++) {
        const double2 is = defined(x, nx, ny, nz, k / 6 / ny, k / 6 % ny, k % 6);
        CHECK(near(out[k].x, is.x) && near(out[k].y, is.y));
    }
    CHECK(cufftExecC2R(inverse, out, back) == CUFFT_SUCCESS);
    for (int k = 0; k < n; k++) CHECK(near(back[k], n * x[k]));
    CHECK(cufftExecC2C(plan, out, out, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
    CHECK(cufftDestroy(plan) == CUFFT_SUCCESS && cufftDestroy(plan) == CUFFT_INVALID_PLAN);

    // Two batches of 7 numbers, in place, every second of 16: a prime, by the definition.
    cufftComplex *z;
    int size = 7, embed = 8;
    cudaMallocManaged(&z, 32 * sizeof *z);
    for (int k = 0; k < 32; k++) z[k] = make_float2((float)(k % 5), (float)(k % 3));
    const std::vector<cufftComplex> before(z, z + 32);
    CHECK(cufftPlanMany(&plan, 1, &size, &embed, 2, 16, &embed, 2, 16, CUFFT_C2C, 2) == CUFFT_SUCCESS);
    CHECK(cufftExecC2C(plan, z, z, CUFFT_INVERSE) == CUFFT_SUCCESS);
    for (int batch = 0; batch < 2; batch++)
        for (int k = 0; k < 7; k++) {
            double2 sum = make_double2(0, 0);
            for (int j = 0; j < 7; j++) {
                const double turn = 2 * M_PI * j * k / 7, c = cos(turn), s = sin(turn);
                const cufftComplex one = before[16 * batch + 2 * j];
                sum.x += one.x * c - one.y * s;
                sum.y += one.x * s + one.y * c;
            }
            const cufftComplex is = z[16 * batch + 2 * k];
            CHECK(near(is.x, sum.x) && near(is.y, sum.y));
        }
    for (int k = 1; k < 32; k += 2) CHECK(z[k].x == before[k].x && z[k].y == before[k].y);
    return 0;
}

/* Sides that fill no tile, turned or not; nothing beside the product is written. */
template <class T, class Multiply> static int any_product(cublasHandle_t handle, Multiply multiply) {
    const int m = 19, n = 5, k = 7, lead = 21;
    const T by = 3, old = 0.5;
    T *a, *b, *c;
    CHECK(cudaMallocManaged(&a, lead * lead * sizeof *a) == cudaSuccess && cudaMallocManaged(&b, lead * lead * sizeof *b) == cudaSuccess &&
          cudaMallocManaged(&c, lead * lead * sizeof *c) == cudaSuccess);
    for (int i = 0; i < lead * lead; i++) a[i] = (T)(i % 11), b[i] = (T)(i % 23);
    for (int turned = 0; turned < 4; turned++) {
        const bool ta = turned & 1, tb = turned & 2;
        for (int i = 0; i < lead * lead; i++) c[i] = (T)i;
        CHECK(multiply(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, &by, a, lead, b, lead, &old, c, lead) ==
              CUBLAS_STATUS_SUCCESS);
        for (int j = 0; j < lead; j++)
            for (int i = 0; i < lead; i++) {
                T sum = 0;
                for (int l = 0; l < k && i < m && j < n; l++)
                    sum += (ta ? a[i * lead + l] : a[l * lead + i]) * (tb ? b[l * lead + j] : b[j * lead + l]);
                const T was = (T)(j * lead + i);
                CHECK(c[j * lead + i] == (i < m && j < n ? by * sum + old * was : was));
            }
    }
    cudaFree(a), cudaFree(b), cudaFree(c);
    return 0;
}

/* Negative sides and columns that reach into the next one are refused, and nothing is written; no side at all is no error. */
template <class T, class Multiply> static int refused(cublasHandle_t handle, Multiply multiply) {
    static const struct {
        int ta, tb, m, n, k, lda, ldb, ldc;
        cublasStatus_t status;
    } all[] = {
        {0, 0, -1, 2, 3, 4, 4, 4, CUBLAS_STATUS_INVALID_VALUE}, {0, 0, 4, -1, 3, 4, 4, 4, CUBLAS_STATUS_INVALID_VALUE},
        {0, 0, 4, 2, -1, 4, 4, 4, CUBLAS_STATUS_INVALID_VALUE}, {0, 0, 4, 2, 3, 3, 4, 4, CUBLAS_STATUS_INVALID_VALUE},
        {1, 0, 4, 2, 3, 2, 4, 4, CUBLAS_STATUS_INVALID_VALUE},  {0, 0, 4, 2, 3, 4, 2, 4, CUBLAS_STATUS_INVALID_VALUE},
        {0, 1, 4, 2, 3, 4, 1, 4, CUBLAS_STATUS_INVALID_VALUE},  {0, 0, 4, 2, 3, 4, 4, 3, CUBLAS_STATUS_INVALID_VALUE},
        {0, 0, 0, 2, 3, 1, 3, 0, CUBLAS_STATUS_INVALID_VALUE},  {0, 0, 0, 2, 3, 1, 3, 1, CUBLAS_STATUS_SUCCESS},
        {0, 0, 4, 0, 3, 4, 3, 4, CUBLAS_STATUS_SUCCESS},        {1, 1, 4, 2, 3, 3, 2, 4, CUBLAS_STATUS_SUCCESS},
    };
    T *a, *c;
    const T one = 1, none = 0;
    CHECK(cudaMallocManaged(&a, 16 * sizeof *a) == cudaSuccess && cudaMallocManaged(&c, 16 * sizeof *c) == cudaSuccess);
    for (int i = 0; i < 16; i++) a[i] = 1;
    for (const auto &g : all) {
        for (int i = 0; i < 16; i++) c[i] = 7;
        CHECK(multiply(handle, g.ta ? CUBLAS_OP_T : CUBLAS_OP_N, g.tb ? CUBLAS_OP_T : CUBLAS_OP_N, g.m, g.n, g.k, &one, a, g.lda, a, g.ldb, &none, c, g.ldc) ==
              g.status);
        const bool written = g.status == CUBLAS_STATUS_SUCCESS && g.m > 0 && g.n > 0;
        for (int i = 0; i < 16; i++) CHECK(c[i] == (written && i < 8 ? 3 : 7));
    }
    cudaFree(a), cudaFree(c);
    return 0;
}

/* Each door refuses the same. */
static int doors_refuse(cublasHandle_t handle) {
    const auto strided = [](cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const float *by, const float *a, int lda,
                            const float *b, int ldb, const float *old, float *c, int ldc) {
        return cublasSgemmStridedBatched(h, ta, tb, m, n, k, by, a, lda, 0, b, ldb, 0, old, c, ldc, 0, 1);
    };
    const auto pointers = [](cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const float *by, const float *a, int lda,
                             const float *b, int ldb, const float *old, float *c, int ldc) {
        return cublasSgemmBatched(h, ta, tb, m, n, k, by, &a, lda, &b, ldb, old, &c, ldc, 1);
    };
    const auto any = [](cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const float *by, const float *a, int lda,
                        const float *b, int ldb, const float *old, float *c, int ldc) {
        return cublasGemmEx(h, ta, tb, m, n, k, by, a, CUDA_R_32F, lda, b, CUDA_R_32F, ldb, old, c, CUDA_R_32F, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    };
    CHECK(refused<float>(handle, [](auto... given) { return cublasSgemm(given...); }) == 0 &&
          refused<double>(handle, [](auto... given) { return cublasDgemm(given...); }) == 0);
    CHECK(refused<float>(handle, strided) == 0 && refused<float>(handle, pointers) == 0 && refused<float>(handle, any) == 0);
    return 0;
}

/* A part of a large array is cleared, and no byte beside it. */
static int cleared() {
    const size_t bytes = 5 << 20, from = 100, to = bytes - 60;
    int *a, *seen = new int[bytes / sizeof *a];
    CHECK(cudaMalloc(&a, bytes) == cudaSuccess && cudaMemset(a, 1, bytes) == cudaSuccess);
    CHECK(cudaMemset((char *)a + from, 0, to - from) == cudaSuccess);
    CHECK(cudaMemcpy(seen, a, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (size_t k = 0; k < bytes / sizeof *a; k++) CHECK(seen[k] == (k < from / 4 || k >= to / 4 ? 0x01010101 : 0));
    delete[] seen;
    return cudaFree(a);
}

/* A matrix by a vector that is read from its end; sizes that cuBLAS refuses; settings, exchanges, and names without a function. */
static int vectors(cublasHandle_t handle, float *c) {
    const float one = 1, none = 0;
    cublasMath_t math;
    for (int k = 0; k < 16; k++) c[k] = (float)k;
    CHECK(cublasSgemv(handle, CUBLAS_OP_N, 3, 2, &one, c, 4, c + 8, -1, &none, c + 16, 2) == CUBLAS_STATUS_SUCCESS);
    for (int i = 0; i < 3; i++) CHECK(c[16 + 2 * i] == c[i] * 9 + c[4 + i] * 8);
    CHECK(cublasSgemv(handle, CUBLAS_OP_N, 3, 2, &one, c, 2, c + 8, 1, &none, c + 16, 1) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgemv(handle, CUBLAS_OP_T, -1, 2, &one, c, 4, c + 8, 1, &none, c + 16, 1) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgemv(handle, CUBLAS_OP_T, 3, 2, &one, c, 4, c + 8, 0, &none, c + 16, 1) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSdgmm(handle, CUBLAS_SIDE_RIGHT, 2, 2, c, 2, c + 4, 1, c + 20, 2) == CUBLAS_STATUS_SUCCESS);
    CHECK(c[20] == 0 && c[21] == 4 && c[22] == 10 && c[23] == 15);
    CHECK(cublasSswap_v2(handle, 2, c + 1, 1, c + 4, 1) == CUBLAS_STATUS_SUCCESS && c[1] == 4 && c[2] == 5 && c[4] == 1 && c[5] == 2);
    CHECK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH) == CUBLAS_STATUS_SUCCESS && cublasGetMathMode(handle, &math) == CUBLAS_STATUS_SUCCESS);
    CHECK(math == CUBLAS_TF32_TENSOR_OP_MATH);
    CHECK(cublasStrsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 1, 1, &one, nullptr, 1, nullptr, 1, 0) ==
          CUBLAS_STATUS_NOT_SUPPORTED);
    return 0;
}

static int products() {
    cublasHandle_t handle;
    float *a, *c;
    __half *h, *r;
    CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS && cublasAlloc(64, sizeof *a, (void **)&a) == CUBLAS_STATUS_SUCCESS);
    cudaMallocManaged(&c, 64 * sizeof *c);
    cudaMallocManaged(&h, 64 * sizeof *h);
    cudaMallocManaged(&r, 64 * sizeof *r);
    fill<<<2, 32>>>(a, 64);
    std::vector<float> x(64);
    CHECK(cublasGetVector(64, sizeof *a, a, 1, x.data(), 1) == CUBLAS_STATUS_SUCCESS);
    for (int k = 0; k < 64; k++) h[k] = __float2half(x[k]);
    cublasSgemm('N', 't', 8, 8, 8, 2.0f, a, 8, a, 8, 0.0f, c, 8);
    CHECK(any_product<float>(handle, [](auto... given) { return cublasSgemm(given...); }) == 0 &&
          any_product<double>(handle, [](auto... given) { return cublasDgemm(given...); }) == 0 && cleared() == 0 && doors_refuse(handle) == 0);
    const float one = 1, none = 0;
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 8, 8, 8, &one, h, CUDA_R_16F, 8, h, CUDA_R_16F, 8, &none, r, CUDA_R_16F, 8, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            float sum = 0;
            for (int k = 0; k < 8; k++) sum += x[8 * k + i] * x[8 * k + j];
            CHECK(c[8 * j + i] == 2 * sum && __half2float(r[8 * j + i]) == sum);
        }
    const __half by = __float2half(1), old = __float2half(0);
    CHECK(cublasHgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 4, 4, 4, &by, h, 4, 16, h, 4, 16, &old, r, 4, 16, 3) == CUBLAS_STATUS_SUCCESS);
    for (int k = 0; k < 3; k++) {
        const float *part = &x[16 * k];
        const float sum = part[1] * part[2] + part[5] * part[6] + part[9] * part[10] + part[13] * part[14];
        CHECK(__half2float(r[16 * k + 4 * 2 + 1]) == sum);
    }
    CHECK(vectors(handle, c) == 0);
    int most;
    CHECK(cublasIsamax(handle, 64, a, 1, &most) == CUBLAS_STATUS_SUCCESS && most >= 1 && fabsf(x[most - 1]) == 8);
    CHECK(cublasSger(handle, 8, 8, &one, a, 1, a, 1, c, 8) == CUBLAS_STATUS_SUCCESS && cublasFree(a) == CUBLAS_STATUS_SUCCESS);
    return 0;
}

/* Means of 4,096 numbers, each within some five deviations of its own. */
static int random_numbers() {
    const int n = 4096;
    curandGenerator_t generator;
    float *logs;
    unsigned *counts;
    double log_mean = 0, count_mean = 0;
    cudaMallocManaged(&logs, n * sizeof *logs);
    cudaMallocManaged(&counts, n * sizeof *counts);
    CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
    CHECK(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_BEST) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerateLogNormal(generator, logs, n, 0.5f, 0.25f) == CURAND_STATUS_SUCCESS);
    CHECK(curandGeneratePoisson(generator, counts, n, 3) == CURAND_STATUS_SUCCESS);
    for (int k = 0; k < n; k++) log_mean += log(logs[k]) / n, count_mean += (double)counts[k] / n;
    CHECK(fabs(log_mean - 0.5) < 0.02 && fabs(count_mean - 3) < 0.14);
    size_t bytes = 1;
    CHECK(cufftEstimate1d(64, CUFFT_C2C, 1, &bytes) == CUFFT_SUCCESS && bytes == 0);
    return curandDestroyGenerator(generator);
}

static int driver() {
    CUcontext context, current;
    CUdevice device;
    CUdeviceptr at;
    int there[2] = {3, 4}, back[2] = {};
    CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS && cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
    CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == context);
    CHECK(cuMemAlloc(&at, sizeof there) == CUDA_SUCCESS && cuMemcpyHtoD(at, there, sizeof there) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH(back, at, sizeof back) == CUDA_SUCCESS && back[1] == 4 && cuMemFree(at) == CUDA_SUCCESS);
    return 0;
}

// Calls for several GPUs, modules and a display are refused.
static int lacks() {
    CUmodule module;
    cufftHandle plan;
    cudaGraphicsResource *resource;
    int gpus[2] = {0, 1};
    CHECK(cufftCreate(&plan) == CUFFT_SUCCESS && cufftXtSetGPUs(plan, 2, gpus) == CUFFT_NOT_SUPPORTED);
    CHECK(cuModuleLoad(&module, "k.ptx") == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cudaGraphicsGLRegisterBuffer(&resource, 1, cudaGraphicsRegisterFlagsNone) == cudaErrorNotSupported);
    return 0;
}

int main() {
    for (int (*const one)() : {transforms, products, random_numbers, driver, lacks})
        if (const int line = one()) return printf("wrong at line %d\n", line), 1;
    return 0;
}
