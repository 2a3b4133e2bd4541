/* SPDX-License-Identifier: Apache-2.0
 *
 * cuFFT's names, so that programs with it compile. Its functions say that they are not supplied.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUFFT_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_CUFFT_H

#include "device.h"

typedef enum cufftResult_t {
    CUFFT_SUCCESS,
    CUFFT_INVALID_PLAN,
    CUFFT_ALLOC_FAILED,
    CUFFT_INVALID_TYPE,
    CUFFT_INVALID_VALUE,
    CUFFT_INTERNAL_ERROR,
    CUFFT_EXEC_FAILED,
    CUFFT_SETUP_FAILED,
    CUFFT_INVALID_SIZE,
    CUFFT_UNALIGNED_DATA,
    CUFFT_NOT_SUPPORTED = 16,
} cufftResult;
typedef enum cufftType_t {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69,
} cufftType;
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;

namespace riffle_lint {
inline cufftResult no_cufft(const char *name) {
    fprintf(stderr, "riffle: %s: cuFFT is not supplied\n", name);
    return CUFFT_NOT_SUPPORTED;
}
} // namespace riffle_lint
#define RIFFLE_CUFFT(name)                                                                                     \
    template <class... Any> cufftResult name(const Any &...) { return riffle_lint::no_cufft(#name); }
RIFFLE_CUFFT(cufftPlan1d)
RIFFLE_CUFFT(cufftPlan2d)
RIFFLE_CUFFT(cufftPlan3d)
RIFFLE_CUFFT(cufftPlanMany)
RIFFLE_CUFFT(cufftCreate)
RIFFLE_CUFFT(cufftMakePlan1d)
RIFFLE_CUFFT(cufftMakePlan2d)
RIFFLE_CUFFT(cufftMakePlanMany)
RIFFLE_CUFFT(cufftSetStream)
RIFFLE_CUFFT(cufftExecC2C)
RIFFLE_CUFFT(cufftExecR2C)
RIFFLE_CUFFT(cufftExecC2R)
RIFFLE_CUFFT(cufftExecZ2Z)
RIFFLE_CUFFT(cufftExecD2Z)
RIFFLE_CUFFT(cufftExecZ2D)
RIFFLE_CUFFT(cufftDestroy)
RIFFLE_CUFFT(cufftGetVersion)
#undef RIFFLE_CUFFT

#endif
