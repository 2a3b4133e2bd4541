/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cuda/own.h"

#include <stdlib.h>

#include "device/cuda/capture.h"
#include "device/cuda/runtime.h"

riffle_status cuda_own_load(nvrtc_code *code, cuda_own *out) {
    cudaError_t error = cudaLibraryLoadData(&out->library, code->bytes, NULL, NULL, 0, NULL, NULL, 0);
    free(code->bytes);
    cudaKernel_t kernel = NULL;
    if (error == cudaSuccess) error = cudaLibraryEnumerateKernels(&kernel, 1, out->library);
    out->kernel.address = kernel;
    return cuda_result(error, "loading the kernel with what the user wrote");
}

void cuda_own_unload(cuda_own *own) {
    enum cudaStreamCaptureMode before;
    if (own->library == NULL) return;
    capture_pass_by_quietly(&before);
    cudaLibraryUnload(own->library);
    capture_leave(before);
}
