/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLASLt's names, so that programs with it compile. Its objects are empty, and its products say that they are not supplied.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUBLASLT_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUBLASLT_H

#include "cublas.h"

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque *cublasLtMatmulPreference_t;
typedef struct cublasLtMatmulAlgo_t {
    unsigned long long data[8];
} cublasLtMatmulAlgo_t;
typedef struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;
typedef enum cublasLtEpilogue_t {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_BGRADA = 256,
    CUBLASLT_EPILOGUE_BGRADB = 512,
} cublasLtEpilogue_t;
enum {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE,
    CUBLASLT_MATMUL_DESC_SCALE_TYPE,
    CUBLASLT_MATMUL_DESC_POINTER_MODE,
    CUBLASLT_MATMUL_DESC_TRANSA,
    CUBLASLT_MATMUL_DESC_TRANSB,
    CUBLASLT_MATMUL_DESC_TRANSC,
    CUBLASLT_MATMUL_DESC_FILL_MODE,
    CUBLASLT_MATMUL_DESC_EPILOGUE,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,
};
enum {
    CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
};
#define RIFFLE_LT_MADE(name)                                                                                   \
    template <class T, class... Any> cublasStatus_t name(T **out, const Any &...) {                            \
        *out = nullptr;                                                                                        \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }
#define RIFFLE_LT_TAKEN(name)                                                                                  \
    template <class... Any> cublasStatus_t name(const Any &...) { return CUBLAS_STATUS_SUCCESS; }
#define RIFFLE_LT_MISSING(name) RIFFLE_NOT_SUPPLIED(cublasStatus_t, name, #name ": cuBLASLt is not supplied", CUBLAS_STATUS_NOT_SUPPORTED)
RIFFLE_LT_MADE(cublasLtCreate)
RIFFLE_LT_MADE(cublasLtMatmulDescCreate)
RIFFLE_LT_MADE(cublasLtMatrixLayoutCreate)
RIFFLE_LT_MADE(cublasLtMatmulPreferenceCreate)
RIFFLE_LT_TAKEN(cublasLtDestroy)
RIFFLE_LT_TAKEN(cublasLtMatmulDescDestroy)
RIFFLE_LT_TAKEN(cublasLtMatrixLayoutDestroy)
RIFFLE_LT_TAKEN(cublasLtMatmulPreferenceDestroy)
RIFFLE_LT_TAKEN(cublasLtMatmulDescSetAttribute)
RIFFLE_LT_TAKEN(cublasLtMatrixLayoutSetAttribute)
RIFFLE_LT_TAKEN(cublasLtMatmulPreferenceSetAttribute)
RIFFLE_LT_MISSING(cublasLtMatmulAlgoGetHeuristic)
RIFFLE_LT_MISSING(cublasLtMatmul)
#undef RIFFLE_LT_MADE
#undef RIFFLE_LT_TAKEN
#undef RIFFLE_LT_MISSING

#endif
