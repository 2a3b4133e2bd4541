/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS, as far as programs compare their own kernels with it: by plain loops of the host's. Its cost on a GPU is not counted.
 * The names of the others compile, and say when they are called that they are not supplied.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUBLAS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUBLAS_H

#include "complex.h"
#include "half.h"
#include "library_types.h"

#define CUBLASAPI
#define CUBLASWINAPI

typedef enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16,
} cublasStatus_t, cublasStatus;
typedef enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER } cublasFillMode_t;
typedef enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
} cublasMath_t;
typedef enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
} cublasComputeType_t;
typedef enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_DFALT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
/* Settings are kept for who asks. */
typedef struct cublasContext {
    cublasPointerMode_t mode;
    cublasMath_t math;
    cublasAtomicsMode_t atomics;
    cudaStream_t stream;
} *cublasHandle_t;

inline cublasStatus_t cublasCreate(cublasHandle_t *out) {
    *out = new cublasContext{};
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
inline cublasStatus_t cublasInit(void) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasShutdown(void) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGetError(void) { return CUBLAS_STATUS_SUCCESS; }
#define RIFFLE_BLAS_KEEPS(name, type, member)                                                                  \
    inline cublasStatus_t cublasSet##name(cublasHandle_t handle, type value) {                                 \
        handle->member = value;                                                                                \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }                                                                                                          \
    inline cublasStatus_t cublasGet##name(cublasHandle_t handle, type *out) {                                  \
        *out = handle->member;                                                                                 \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }
RIFFLE_BLAS_KEEPS(Stream, cudaStream_t, stream)
RIFFLE_BLAS_KEEPS(MathMode, cublasMath_t, math)
RIFFLE_BLAS_KEEPS(PointerMode, cublasPointerMode_t, mode)
RIFFLE_BLAS_KEEPS(AtomicsMode, cublasAtomicsMode_t, atomics)
#undef RIFFLE_BLAS_KEEPS
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int *out) {
    *out = CUDART_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}
inline const char *cublasGetStatusString(cublasStatus_t status) { return status == 0 ? "success" : "error"; }
inline const char *cublasGetStatusName(cublasStatus_t status) { return status == 0 ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS"; }

/* products.cpp: false without memory. */
#define RIFFLE_PRODUCT(T)                                                                                      \
    extern "C" bool riffle_lint_gemm_##T(bool ta, bool tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c, \
                                         int ldc);                                                             \
    namespace riffle_lint {                                                                                    \
    inline bool multiply(bool ta, bool tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c, int ldc) { \
        return riffle_lint_gemm_##T(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                     \
    }                                                                                                          \
    }
RIFFLE_PRODUCT(float)
RIFFLE_PRODUCT(double)
#undef RIFFLE_PRODUCT

namespace riffle_lint {
/* An element of op(A), which is stored by columns. */
template <class T> struct blas_matrix {
    const T *start;
    size_t lead;
    bool turned;
    T at(size_t row, size_t column) const { return turned ? start[row * lead + column] : start[column * lead + row]; }
};
inline cublasStatus_t blas_done(void *to, size_t bytes) {
    riffle_lint_host.written(to, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
/* Columns of that many rows lie apart at least so far. */
inline bool blas_leads(int lead, int rows) { return rows >= 0 && lead >= (rows > 1 ? rows : 1); }
/* Element 0 of a vector; with a negative distance it is the last in memory. */
template <class T> T *blas_first(T *x, size_t count, int distance) {
    return distance < 0 && count > 0 ? x + (count - 1) * (size_t)(-(long long)distance) : x;
}
/* Numbers that cuBLAS takes for a product: none is negative, and no column reaches into the next one. */
inline bool blas_takes(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, int lda, int ldb, int ldc) {
    return m >= 0 && n >= 0 && k >= 0 && blas_leads(lda, ta == CUBLAS_OP_N ? m : k) && blas_leads(ldb, tb == CUBLAS_OP_N ? k : n) && blas_leads(ldc, m);
}
template <class T>
cublasStatus_t gemm(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb,
                    T beta, T *c, int ldc) {
    if (!blas_takes(ta, tb, m, n, k, lda, ldb, ldc)) return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    if (!riffle_lint_host.holds(c, ((size_t)ldc * (size_t)(n - 1) + (size_t)m) * sizeof *c)) return CUBLAS_STATUS_EXECUTION_FAILED;
    if (!multiply(ta != CUBLAS_OP_N, tb != CUBLAS_OP_N, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) return CUBLAS_STATUS_ALLOC_FAILED;
    return blas_done(c, ((size_t)ldc * (size_t)(n - 1) + (size_t)m) * sizeof *c);
}
/* Products of a batch, until one is refused; one(k) is the product k. */
template <class One> cublasStatus_t batch(int count, One one) {
    cublasStatus_t status = count < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    for (int k = 0; k < count && status == CUBLAS_STATUS_SUCCESS; k++) status = one(k);
    return status;
}
template <class T>
cublasStatus_t gemv(cublasOperation_t ta, int m, int n, T alpha, const T *a, int lda, const T *x, int dx, T beta, T *y, int dy) {
    const bool turned = ta != CUBLAS_OP_N;
    if (m < 0 || n < 0 || !blas_leads(lda, m) || dx == 0 || dy == 0) return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const size_t rows = (size_t)(turned ? n : m), columns = (size_t)(turned ? m : n);
    const blas_matrix<T> left{a, (size_t)lda, turned};
    x = blas_first(x, columns, dx);
    y = blas_first(y, rows, dy);
    const size_t span = (rows - 1) * (size_t)(dy < 0 ? -(long long)dy : dy);
    if (!riffle_lint_host.holds(dy < 0 ? y - span : y, (span + 1) * sizeof *y)) return CUBLAS_STATUS_EXECUTION_FAILED;
    for (size_t i = 0; i < rows; i++) {
        T sum = 0;
        for (size_t l = 0; l < columns; l++) sum += left.at(i, l) * x[l * (size_t)dx];
        T &out = y[i * (size_t)dy];
        out = alpha * sum + (beta != 0 ? beta * out : 0);
        riffle_lint_host.written(&out, sizeof out);
    }
    return CUBLAS_STATUS_SUCCESS;
}
} // namespace riffle_lint

#define RIFFLE_BLAS(S, T)                                                                                      \
    inline cublasStatus_t cublas##S##gemm(cublasHandle_t, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, \
                                          const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc) { \
        return riffle_lint::gemm<T>(ta, tb, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc);                   \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t, cublasOperation_t ta, cublasOperation_t tb, int m, int n, \
                                                        int k, const T *alpha, const T *a, int lda, long long da, const T *b, int ldb, \
                                                        long long db, const T *beta, T *c, int ldc, long long dc, int count) { \
        return riffle_lint::batch(count, [=](int one) {                                                        \
            return riffle_lint::gemm<T>(ta, tb, m, n, k, *alpha, a + one * da, lda, b + one * db, ldb, *beta, c + one * dc, ldc); \
        });                                                                                                    \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##gemmBatched(cublasHandle_t, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, \
                                                 const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta, \
                                                 T *const c[], int ldc, int count) {                           \
        return riffle_lint::batch(count, [=](int one) {                                                        \
            return riffle_lint::gemm<T>(ta, tb, m, n, k, *alpha, a[one], lda, b[one], ldb, *beta, c[one], ldc); \
        });                                                                                                    \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##ger(cublasHandle_t, int m, int n, const T *alpha, const T *x, int dx, const T *y, int dy, T *a, int lda) { \
        for (int j = 0; j < n; j++)                                                                            \
            for (int i = 0; i < m; i++) a[(size_t)j * (size_t)lda + (size_t)i] += *alpha * x[i * dx] * y[j * dy]; \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##gemv(cublasHandle_t, cublasOperation_t ta, int m, int n, const T *alpha, const T *a, int lda, \
                                          const T *x, int dx, const T *beta, T *y, int dy) {                   \
        return riffle_lint::gemv<T>(ta, m, n, *alpha, a, lda, x, dx, *beta, y, dy);                            \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##geam(cublasHandle_t, cublasOperation_t ta, cublasOperation_t tb, int m, int n, const T *alpha, \
                                          const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc) { \
        const riffle_lint::blas_matrix<T> left{a, (size_t)lda, ta != CUBLAS_OP_N}, right{b, (size_t)ldb, tb != CUBLAS_OP_N}; \
        for (int j = 0; j < n; j++)                                                                            \
            for (int i = 0; i < m; i++)                                                                        \
                c[(size_t)j * (size_t)ldc + (size_t)i] = (*alpha != 0 ? *alpha * left.at((size_t)i, (size_t)j) : 0) + \
                                                         (*beta != 0 ? *beta * right.at((size_t)i, (size_t)j) : 0); \
        return riffle_lint::blas_done(c, (size_t)ldc * (size_t)n * sizeof(T));                                 \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##axpy(cublasHandle_t, int n, const T *alpha, const T *x, int dx, T *y, int dy) { \
        for (int k = 0; k < n; k++) y[k * dy] += *alpha * x[k * dx];                                           \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##scal(cublasHandle_t, int n, const T *alpha, T *x, int dx) {               \
        for (int k = 0; k < n; k++) x[k * dx] *= *alpha;                                                       \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##copy(cublasHandle_t, int n, const T *x, int dx, T *y, int dy) {           \
        for (int k = 0; k < n; k++) {                                                                          \
            y[k * dy] = x[k * dx];                                                                             \
            riffle_lint_host.written(&y[k * dy], sizeof(T));                                                   \
        }                                                                                                      \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##swap(cublasHandle_t, int n, T *x, int dx, T *y, int dy) {                 \
        for (int k = 0; k < n; k++) {                                                                          \
            const T old = x[k * dx];                                                                           \
            x[k * dx] = y[k * dy];                                                                             \
            y[k * dy] = old;                                                                                   \
            riffle_lint_host.written(&x[k * dx], sizeof(T));                                                   \
            riffle_lint_host.written(&y[k * dy], sizeof(T));                                                   \
        }                                                                                                      \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##dgmm(cublasHandle_t, cublasSideMode_t side, int m, int n, const T *a, int lda, const T *x, int dx, T *c, int ldc) { \
        if (m < 0 || n < 0 || !riffle_lint::blas_leads(lda, m) || !riffle_lint::blas_leads(ldc, m)) return CUBLAS_STATUS_INVALID_VALUE; \
        x = riffle_lint::blas_first(x, (size_t)(side == CUBLAS_SIDE_LEFT ? m : n), dx);                        \
        for (int j = 0; j < n; j++)                                                                            \
            for (int i = 0; i < m; i++)                                                                        \
                c[(size_t)j * (size_t)ldc + (size_t)i] = a[(size_t)j * (size_t)lda + (size_t)i] * x[(side == CUBLAS_SIDE_LEFT ? i : j) * dx]; \
        return n > 0 ? riffle_lint::blas_done(c, ((size_t)ldc * (size_t)(n - 1) + (size_t)m) * sizeof(T)) : CUBLAS_STATUS_SUCCESS; \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##dot(cublasHandle_t, int n, const T *x, int dx, const T *y, int dy, T *out) { \
        T sum = 0;                                                                                             \
        for (int k = 0; k < n; k++) sum += x[k * dx] * y[k * dy];                                              \
        *out = sum;                                                                                            \
        return riffle_lint::blas_done(out, sizeof sum);                                                        \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##nrm2(cublasHandle_t, int n, const T *x, int dx, T *out) {                 \
        T sum = 0;                                                                                             \
        for (int k = 0; k < n; k++) sum += x[k * dx] * x[k * dx];                                              \
        *out = (T)sqrt(sum);                                                                                   \
        return riffle_lint::blas_done(out, sizeof sum);                                                        \
    }                                                                                                          \
    inline cublasStatus_t cublas##S##asum(cublasHandle_t, int n, const T *x, int dx, T *out) {                 \
        T sum = 0;                                                                                             \
        for (int k = 0; k < n; k++) sum += (T)fabs(x[k * dx]);                                                 \
        *out = sum;                                                                                            \
        return riffle_lint::blas_done(out, sizeof sum);                                                        \
    }
RIFFLE_BLAS(S, float)
RIFFLE_BLAS(D, double)
#undef RIFFLE_BLAS

namespace riffle_lint {
/* Numbers of vectors' elements begin with 1. */
template <class T> cublasStatus_t amax(int n, const T *x, int dx, int *out) {
    int most = 0;
    for (int k = 1; k < n; k++) most = fabs(x[k * dx]) > fabs(x[most * dx]) ? k : most;
    *out = n > 0 ? most + 1 : 0;
    return blas_done(out, sizeof *out);
}
/* Element k of an array of that type, of those that products take. */
inline double blas_read(const void *at, cudaDataType type, size_t k) {
    if (type == CUDA_R_64F) return static_cast<const double *>(at)[k];
    if (type == CUDA_R_32F) return static_cast<const float *>(at)[k];
    if (type == CUDA_R_16F) return __half2float(static_cast<const __half *>(at)[k]);
    if (type == CUDA_R_16BF) return __bfloat162float(static_cast<const __nv_bfloat16 *>(at)[k]);
    return type == CUDA_R_8I ? static_cast<const signed char *>(at)[k] : static_cast<const int *>(at)[k];
}
inline void blas_write(void *at, cudaDataType type, size_t k, double value) {
    if (type == CUDA_R_64F) static_cast<double *>(at)[k] = value;
    if (type == CUDA_R_32F) static_cast<float *>(at)[k] = (float)value;
    if (type == CUDA_R_16F) static_cast<__half *>(at)[k] = __float2half((float)value);
    if (type == CUDA_R_16BF) static_cast<__nv_bfloat16 *>(at)[k] = __float2bfloat16((float)value);
    if (type == CUDA_R_32I) static_cast<int *>(at)[k] = (int)value;
}
inline size_t blas_bytes(cudaDataType type) {
    return type == CUDA_R_64F ? 8 : type == CUDA_R_32F || type == CUDA_R_32I ? 4 : type == CUDA_R_8I ? 1 : 2;
}
/* The type of a product's factors alpha and beta. */
inline cudaDataType blas_scale(cublasComputeType_t compute) {
    if (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC) return CUDA_R_64F;
    if (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC) return CUDA_R_16F;
    return compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC ? CUDA_R_32I : CUDA_R_32F;
}
inline cublasComputeType_t blas_compute(cublasComputeType_t compute) { return compute; }
inline cublasComputeType_t blas_compute(cudaDataType type) {
    return type == CUDA_R_64F ? CUBLAS_COMPUTE_64F : type == CUDA_R_16F ? CUBLAS_COMPUTE_16F : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F;
}
} // namespace riffle_lint

inline cublasStatus_t cublasIsamax(cublasHandle_t, int n, const float *x, int dx, int *out) { return riffle_lint::amax(n, x, dx, out); }
inline cublasStatus_t cublasIdamax(cublasHandle_t, int n, const double *x, int dx, int *out) { return riffle_lint::amax(n, x, dx, out); }

/* Products of other types than their sums: in double precision. */
template <class Compute>
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType at, int lda, const void *b, cudaDataType bt, int ldb, const void *beta, void *c, cudaDataType ct, int ldc,
                            Compute compute, cublasGemmAlgo_t) {
    using namespace riffle_lint;
    const cudaDataType scale = blas_scale(blas_compute(compute));
    const double by = blas_read(alpha, scale, 0), old = blas_read(beta, scale, 0);
    if (!blas_takes(ta, tb, m, n, k, lda, ldb, ldc)) return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
    const size_t bytes = ((size_t)ldc * (size_t)(n - 1) + (size_t)m) * blas_bytes(ct);
    if (!riffle_lint_host.holds(c, bytes)) return CUBLAS_STATUS_EXECUTION_FAILED;
    for (size_t j = 0; j < (size_t)n; j++)
        for (size_t i = 0; i < (size_t)m; i++) {
            double sum = 0;
            for (size_t l = 0; l < (size_t)k; l++)
                sum += blas_read(a, at, ta != CUBLAS_OP_N ? i * (size_t)lda + l : l * (size_t)lda + i) *
                       blas_read(b, bt, tb != CUBLAS_OP_N ? l * (size_t)ldb + j : j * (size_t)ldb + l);
            const size_t to = j * (size_t)ldc + i;
            blas_write(c, ct, to, by * sum + (old != 0 ? old * blas_read(c, ct, to) : 0));
        }
    return blas_done(c, bytes);
}
template <class Compute>
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *alpha,
                                          const void *a, cudaDataType at, int lda, long long da, const void *b, cudaDataType bt, int ldb, long long db,
                                          const void *beta, void *c, cudaDataType ct, int ldc, long long dc, int count, Compute compute,
                                          cublasGemmAlgo_t algorithm) {
    using riffle_lint::blas_bytes;
    return riffle_lint::batch(count, [=](int one) {
        return cublasGemmEx(handle, ta, tb, m, n, k, alpha, (const char *)a + (size_t)(one * da) * blas_bytes(at), at, lda,
                            (const char *)b + (size_t)(one * db) * blas_bytes(bt), bt, ldb, beta, (char *)c + (size_t)(one * dc) * blas_bytes(ct), ct, ldc,
                            compute, algorithm);
    });
}
inline cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const __half *alpha, const __half *a,
                                  int lda, const __half *b, int ldb, const __half *beta, __half *c, int ldc) {
    return cublasGemmEx(handle, ta, tb, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F, ldb, beta, c, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

inline cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const __half *alpha,
                                                const __half *a, int lda, long long da, const __half *b, int ldb, long long db, const __half *beta, __half *c,
                                                int ldc, long long dc, int count) {
    return riffle_lint::batch(
        count, [=](int one) { return cublasHgemm(handle, ta, tb, m, n, k, alpha, a + one * da, lda, b + one * db, ldb, beta, c + one * dc, ldc); });
}
inline cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const __half *alpha,
                                         const __half *const a[], int lda, const __half *const b[], int ldb, const __half *beta, __half *const c[], int ldc,
                                         int count) {
    return riffle_lint::batch(count, [=](int one) { return cublasHgemm(handle, ta, tb, m, n, k, alpha, a[one], lda, b[one], ldb, beta, c[one], ldc); });
}
template <class Compute>
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType at, int lda, const void *const b[], cudaDataType bt, int ldb, const void *beta,
                                   void *const c[], cudaDataType ct, int ldc, int count, Compute compute, cublasGemmAlgo_t algorithm) {
    return riffle_lint::batch(count, [=](int one) {
        return cublasGemmEx(handle, ta, tb, m, n, k, alpha, a[one], at, lda, b[one], bt, ldb, beta, c[one], ct, ldc, compute, algorithm);
    });
}

/* The first door, without handles: letters for what is transposed, and numbers by value. */
inline cublasStatus_t cublasAlloc(int n, int bytes, void **out) {
    return cudaMalloc(out, (size_t)n * (size_t)bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasFree(const void *at) {
    return cudaFree(const_cast<void *>(at)) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
namespace riffle_lint {
inline cublasOperation_t blas_letter(char letter) { return letter == 'n' || letter == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T; }
} // namespace riffle_lint
#define RIFFLE_BLAS_FIRST(S, T)                                                                                \
    inline void cublas##S##gemm(char ta, char tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c, int ldc) { \
        riffle_lint::gemm<T>(riffle_lint::blas_letter(ta), riffle_lint::blas_letter(tb), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); \
    }                                                                                                          \
    inline void cublas##S##gemv(char ta, int m, int n, T alpha, const T *a, int lda, const T *x, int dx, T beta, T *y, int dy) { \
        riffle_lint::gemv<T>(riffle_lint::blas_letter(ta), m, n, alpha, a, lda, x, dx, beta, y, dy);           \
    }                                                                                                          \
    inline void cublas##S##axpy(int n, T alpha, const T *x, int dx, T *y, int dy) { cublas##S##axpy(nullptr, n, &alpha, x, dx, y, dy); } \
    inline void cublas##S##scal(int n, T alpha, T *x, int dx) { cublas##S##scal(nullptr, n, &alpha, x, dx); }  \
    inline T cublas##S##dot(int n, const T *x, int dx, const T *y, int dy) {                                   \
        T out;                                                                                                 \
        cublas##S##dot(nullptr, n, x, dx, y, dy, &out);                                                        \
        return out;                                                                                            \
    }
RIFFLE_BLAS_FIRST(S, float)
RIFFLE_BLAS_FIRST(D, double)
#undef RIFFLE_BLAS_FIRST

inline cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int dx, void *y, int dy) {
    for (int k = 0; k < n; k++) {
        const size_t at = (size_t)k * (size_t)bytes;
        if (cudaMemcpy((char *)y + at * (size_t)dy, (const char *)x + at * (size_t)dx, (size_t)bytes, cudaMemcpyDefault) != cudaSuccess)
            return CUBLAS_STATUS_MAPPING_ERROR;
    }
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetVector(int n, int bytes, const void *x, int dx, void *y, int dy) {
    return cublasSetVector(n, bytes, x, dx, y, dy);
}
inline cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb) {
    const size_t each = (size_t)bytes;
    return cudaMemcpy2D(b, (size_t)ldb * each, a, (size_t)lda * each, (size_t)rows * each, (size_t)columns, cudaMemcpyDefault) ==
                   cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_MAPPING_ERROR;
}
/* A stream's work is done at once. */
inline cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void *x, int dx, void *y, int dy, cudaStream_t) {
    return cublasSetVector(n, bytes, x, dx, y, dy);
}
inline cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void *x, int dx, void *y, int dy, cudaStream_t) {
    return cublasSetVector(n, bytes, x, dx, y, dy);
}
inline cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb, cudaStream_t) {
    return cublasSetMatrix(rows, columns, bytes, a, lda, b, ldb);
}
inline cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb, cudaStream_t) {
    return cublasSetMatrix(rows, columns, bytes, a, lda, b, ldb);
}
inline cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb) {
    return cublasSetMatrix(rows, columns, bytes, a, lda, b, ldb);
}

#endif
