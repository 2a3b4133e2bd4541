/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda/compile.h"

#include <stdlib.h>

#include "device/cuda/capture.h"
#include "device/cuda/runtime.h"
#include "device/nvrtc/nvrtc.h"

static void unload(void *library) {
    enum cudaStreamCaptureMode before;
    capture_pass_by_quietly(&before);
    cudaLibraryUnload(library);
    capture_leave(before);
}

/* Loads the code, which is one kernel, and frees it. */
static riffle_status load(nvrtc_code *code, users_kernel *out) {
    cudaLibrary_t library = NULL;
    cudaKernel_t kernel = NULL;
    cudaError_t error = cudaLibraryLoadData(&library, code->bytes, NULL, NULL, 0, NULL, NULL, 0);
    free(code->bytes);
    if (library != NULL) *out = (users_kernel){.module = library, .unload = unload};
    if (error == cudaSuccess) error = cudaLibraryEnumerateKernels(&kernel, 1, library);
    out->address = kernel;
    return cuda_result(error, "loading the kernel with what the user wrote");
}

riffle_status cuda_compile(const device *d, const char *source, const char *kernel, users_kernel *out,
                           char **messages) {
    device_limits limits;
    nvrtc_code code;
    (void)kernel; /* the one that there is */
    *messages = NULL;
    riffle_status status = d->ops->describe(d, &limits);
    if (status == RIFFLE_OK) status = nvrtc_make(limits.capability, source, &code, messages);
    return status == RIFFLE_OK ? load(&code, out) : status;
}
