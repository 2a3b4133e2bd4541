/* SPDX-License-Identifier: Apache-2.0
 *
 * Libraries of CUDA's that the machine has not, by their own headers: the program compiles, and what it calls of them says that it is not there.
 */
#include <cstdio>
#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nvrtc.h>

__global__ void fill(float *x) { x[threadIdx.x] = 1; }

int main() {
    cusparseHandle_t sparse;
    cusparseSpMatDescr_t matrix;
    cusolverDnHandle_t dense;
    nvrtcProgram text;
    float *x;
    cudaMalloc(&x, 128);
    fill<<<1, 32>>>(x);
    int failed = cusparseCreate(&sparse) != CUSPARSE_STATUS_SUCCESS;
    failed += cusparseCreateCsr(&matrix, 1, 1, 1, x, x, x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) != CUSPARSE_STATUS_SUCCESS;
    failed += cusolverDnCreate(&dense) != CUSOLVER_STATUS_SUCCESS;
    failed += cusolverDnSpotrf(dense, CUBLAS_FILL_MODE_LOWER, 1, x, 1, x, 0, nullptr) != CUSOLVER_STATUS_SUCCESS;
    const nvrtcResult result = nvrtcCreateProgram(&text, "", "", 0, nullptr, nullptr);
    printf("%s\n", nvrtcGetErrorString(result));
    return failed + (result != NVRTC_SUCCESS);
}
