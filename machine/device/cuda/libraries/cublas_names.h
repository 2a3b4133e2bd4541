/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS's other names: they compile, and say when they are called that they are not supplied; and second names of what there is.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUBLAS_NAMES_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUBLAS_NAMES_H

#include "cublas.h"

#define RIFFLE_NO_BLAS(name) RIFFLE_NOT_SUPPLIED(cublasStatus_t, cublas##name, "cublas" #name ": not supplied of cuBLAS", CUBLAS_STATUS_NOT_SUPPORTED)

/* Functions that all types of elements have. */
#define RIFFLE_NO_BLAS_OF(S)                                                                                   \
    RIFFLE_NO_BLAS(S##rot)                                                                                     \
    RIFFLE_NO_BLAS(S##rotg)                                                                                    \
    RIFFLE_NO_BLAS(S##gbmv)                                                                                    \
    RIFFLE_NO_BLAS(S##symv)                                                                                    \
    RIFFLE_NO_BLAS(S##syr)                                                                                     \
    RIFFLE_NO_BLAS(S##syr2)                                                                                    \
    RIFFLE_NO_BLAS(S##tbmv)                                                                                    \
    RIFFLE_NO_BLAS(S##tbsv)                                                                                    \
    RIFFLE_NO_BLAS(S##tpmv)                                                                                    \
    RIFFLE_NO_BLAS(S##tpsv)                                                                                    \
    RIFFLE_NO_BLAS(S##trmv)                                                                                    \
    RIFFLE_NO_BLAS(S##trsv)                                                                                    \
    RIFFLE_NO_BLAS(S##symm)                                                                                    \
    RIFFLE_NO_BLAS(S##syrk)                                                                                    \
    RIFFLE_NO_BLAS(S##syr2k)                                                                                   \
    RIFFLE_NO_BLAS(S##syrkx)                                                                                   \
    RIFFLE_NO_BLAS(S##trmm)                                                                                    \
    RIFFLE_NO_BLAS(S##trsm)                                                                                    \
    RIFFLE_NO_BLAS(S##trsmBatched)                                                                             \
    RIFFLE_NO_BLAS(S##gemvBatched)                                                                             \
    RIFFLE_NO_BLAS(S##gemvStridedBatched)                                                                      \
    RIFFLE_NO_BLAS(S##geqrfBatched)                                                                            \
    RIFFLE_NO_BLAS(S##gelsBatched)                                                                             \
    RIFFLE_NO_BLAS(S##getrfBatched)                                                                            \
    RIFFLE_NO_BLAS(S##getriBatched)                                                                            \
    RIFFLE_NO_BLAS(S##getrsBatched)                                                                            \
    RIFFLE_NO_BLAS(S##matinvBatched)                                                                           \
    RIFFLE_NO_BLAS(S##tpttr)                                                                                   \
    RIFFLE_NO_BLAS(S##trttp)
RIFFLE_NO_BLAS_OF(S)
RIFFLE_NO_BLAS_OF(D)
RIFFLE_NO_BLAS_OF(C)
RIFFLE_NO_BLAS_OF(Z)
#undef RIFFLE_NO_BLAS_OF

#define RIFFLE_NO_BLAS_OF_REALS(S)                                                                             \
    RIFFLE_NO_BLAS(S##rotm)                                                                                    \
    RIFFLE_NO_BLAS(S##rotmg)                                                                                   \
    RIFFLE_NO_BLAS(S##sbmv)                                                                                    \
    RIFFLE_NO_BLAS(S##spmv)                                                                                    \
    RIFFLE_NO_BLAS(S##spr)                                                                                     \
    RIFFLE_NO_BLAS(S##spr2)                                                                                    \
    RIFFLE_NO_BLAS(S##gemmGroupedBatched)
RIFFLE_NO_BLAS_OF_REALS(S)
RIFFLE_NO_BLAS_OF_REALS(D)
#undef RIFFLE_NO_BLAS_OF_REALS
RIFFLE_NO_BLAS(Isamin)
RIFFLE_NO_BLAS(Idamin)

#define RIFFLE_NO_BLAS_OF_COMPLEX(C)                                                                           \
    RIFFLE_NO_BLAS(C##swap)                                                                                    \
    RIFFLE_NO_BLAS(C##copy)                                                                                    \
    RIFFLE_NO_BLAS(C##scal)                                                                                    \
    RIFFLE_NO_BLAS(C##axpy)                                                                                    \
    RIFFLE_NO_BLAS(C##dotu)                                                                                    \
    RIFFLE_NO_BLAS(C##dotc)                                                                                    \
    RIFFLE_NO_BLAS(C##gemv)                                                                                    \
    RIFFLE_NO_BLAS(C##geru)                                                                                    \
    RIFFLE_NO_BLAS(C##gerc)                                                                                    \
    RIFFLE_NO_BLAS(C##hemv)                                                                                    \
    RIFFLE_NO_BLAS(C##her)                                                                                     \
    RIFFLE_NO_BLAS(C##her2)                                                                                    \
    RIFFLE_NO_BLAS(C##hbmv)                                                                                    \
    RIFFLE_NO_BLAS(C##hpmv)                                                                                    \
    RIFFLE_NO_BLAS(C##hpr)                                                                                     \
    RIFFLE_NO_BLAS(C##hpr2)                                                                                    \
    RIFFLE_NO_BLAS(C##gemm)                                                                                    \
    RIFFLE_NO_BLAS(C##gemm3m)                                                                                  \
    RIFFLE_NO_BLAS(C##gemmBatched)                                                                             \
    RIFFLE_NO_BLAS(C##gemmStridedBatched)                                                                      \
    RIFFLE_NO_BLAS(C##geam)                                                                                    \
    RIFFLE_NO_BLAS(C##dgmm)                                                                                    \
    RIFFLE_NO_BLAS(C##hemm)                                                                                    \
    RIFFLE_NO_BLAS(C##herk)                                                                                    \
    RIFFLE_NO_BLAS(C##her2k)                                                                                   \
    RIFFLE_NO_BLAS(C##herkx)
RIFFLE_NO_BLAS_OF_COMPLEX(C)
RIFFLE_NO_BLAS_OF_COMPLEX(Z)
#undef RIFFLE_NO_BLAS_OF_COMPLEX
RIFFLE_NO_BLAS(Icamax)
RIFFLE_NO_BLAS(Izamax)
RIFFLE_NO_BLAS(Icamin)
RIFFLE_NO_BLAS(Izamin)
RIFFLE_NO_BLAS(Scnrm2)
RIFFLE_NO_BLAS(Dznrm2)
RIFFLE_NO_BLAS(Scasum)
RIFFLE_NO_BLAS(Dzasum)
RIFFLE_NO_BLAS(Csscal)
RIFFLE_NO_BLAS(Zdscal)
RIFFLE_NO_BLAS(Csrot)
RIFFLE_NO_BLAS(Zdrot)
RIFFLE_NO_BLAS(SgemmEx)
RIFFLE_NO_BLAS(CgemmEx)
RIFFLE_NO_BLAS(CsyrkEx)
RIFFLE_NO_BLAS(CherkEx)
RIFFLE_NO_BLAS(GemmGroupedBatchedEx)
RIFFLE_NO_BLAS(AsumEx)
RIFFLE_NO_BLAS(AxpyEx)
RIFFLE_NO_BLAS(CopyEx)
RIFFLE_NO_BLAS(DotEx)
RIFFLE_NO_BLAS(DotcEx)
RIFFLE_NO_BLAS(Nrm2Ex)
RIFFLE_NO_BLAS(RotEx)
RIFFLE_NO_BLAS(ScalEx)
RIFFLE_NO_BLAS(SwapEx)
RIFFLE_NO_BLAS(IamaxEx)
RIFFLE_NO_BLAS(IaminEx)
RIFFLE_NO_BLAS(HSHgemvBatched)
RIFFLE_NO_BLAS(HSSgemvBatched)
RIFFLE_NO_BLAS(HSHgemvStridedBatched)
RIFFLE_NO_BLAS(HSSgemvStridedBatched)
#undef RIFFLE_NO_BLAS

#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasSetWorkspace_v2 cublasSetWorkspace
#define cublasGetVersion_v2 cublasGetVersion
#define cublasIsamax_v2 cublasIsamax
#define cublasIdamax_v2 cublasIdamax
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasCgemm_v2 cublasCgemm
#define cublasZgemm_v2 cublasZgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
#define cublasSger_v2 cublasSger
#define cublasDger_v2 cublasDger
#define cublasSaxpy_v2 cublasSaxpy
#define cublasDaxpy_v2 cublasDaxpy
#define cublasSscal_v2 cublasSscal
#define cublasDscal_v2 cublasDscal
#define cublasScopy_v2 cublasScopy
#define cublasDcopy_v2 cublasDcopy
#define cublasSswap_v2 cublasSswap
#define cublasDswap_v2 cublasDswap
#define cublasSdot_v2 cublasSdot
#define cublasDdot_v2 cublasDdot
#define cublasSnrm2_v2 cublasSnrm2
#define cublasDnrm2_v2 cublasDnrm2
#define cublasSasum_v2 cublasSasum
#define cublasDasum_v2 cublasDasum
#define cublasSsyrk_v2 cublasSsyrk
#define cublasDsyrk_v2 cublasDsyrk
#define cublasStrsm_v2 cublasStrsm
#define cublasDtrsm_v2 cublasDtrsm

#endif
