/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/headers.h"

#include <stdio.h>
#include <string.h>

#include "machine/lint/messages.h"

/* CUDA's names that lead to all of cuda/device.h. */
static const char *const standard_names[] = {
    "cuda.h",           "cuda_runtime.h",     "cuda_runtime_api.h",        "device_launch_parameters.h",
    "device_types.h",   "device_functions.h", "device_atomic_functions.h", "driver_types.h",
    "vector_types.h",   "vector_functions.h", "vector_functions.hpp",      "math_functions.h",
    "math_constants.h", "host_defines.h",     "sm_20_intrinsics.h",        "sm_30_intrinsics.h",
};

/* What else a kernel may ask for, said to be missing before a toolkit in a system folder half answers. */
static const char *const missing_folders[] = {"cooperative_groups", "cub", "cuda", "thrust"};
static const char *const missing_names[] = {
    "cooperative_groups/memcpy_async.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "cub/cub.cuh",
    "cublas_v2.h",
    "cuda/atomic",
    "cuda/barrier",
    "cuda/pipeline",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_fp8.h",
    "cuda_pipeline.h",
    "cufft.h",
    "curand.h",
    "curand_kernel.h",
    "mma.h",
    "nvToolsExt.h",
    "thrust/complex.h",
    "thrust/device_vector.h",
    "thrust/host_vector.h",
    "thrust/reduce.h",
    "thrust/scan.h",
    "thrust/sort.h",
};

static riffle_status write_missing(const lint_folder *folder) {
    char name[LINT_PATH], text[256];
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < sizeof missing_folders / sizeof missing_folders[0] && status == RIFFLE_OK; k++) {
        snprintf(name, sizeof name, "cuda/%s", missing_folders[k]);
        status = lint_folder_make(folder, name);
    }
    for (size_t k = 0; k < sizeof missing_names / sizeof missing_names[0] && status == RIFFLE_OK; k++) {
        snprintf(name, sizeof name, "cuda/%s", missing_names[k]);
        const int length = snprintf(text, sizeof text, "#error " LINT_LACKS " '%s'\n", missing_names[k]);
        status = lint_folder_write(folder, name, text, (size_t)length);
    }
    return status;
}

riffle_status lint_headers_write(const lint_folder *folder) {
    char name[LINT_PATH];
    riffle_status status = lint_folder_make(folder, "cuda");
    if (status == RIFFLE_OK) status = lint_folder_make(folder, "cuda/riffle");
    for (const embedded_text *one = lint_headers; one->name != NULL && status == RIFFLE_OK; one++) {
        snprintf(name, sizeof name, "cuda/riffle/%s", one->name);
        status = lint_folder_write(folder, name, one->text, strlen(one->text));
    }
    static const char all[] = "#include \"riffle/device.h\"\n";
    for (size_t k = 0; k < sizeof standard_names / sizeof standard_names[0] && status == RIFFLE_OK; k++) {
        snprintf(name, sizeof name, "cuda/%s", standard_names[k]);
        status = lint_folder_write(folder, name, all, sizeof all - 1);
    }
    static const char groups[] = "#include \"riffle/cooperative_groups.h\"\n";
    if (status == RIFFLE_OK)
        status = lint_folder_write(folder, "cuda/cooperative_groups.h", groups, sizeof groups - 1);
    return status == RIFFLE_OK ? write_missing(folder) : status;
}
