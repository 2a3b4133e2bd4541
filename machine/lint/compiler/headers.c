/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/compiler/headers.h"

#include <stdio.h>
#include <string.h>

#include "machine/lint/compiler/messages.h"
#include "machine/lint/source/text.h"

/* CUDA's names that lead to all of cuda/device.h. */
static const char *const standard_names[] = {
    "builtin_types.h",
    "channel_descriptor.h",
    "cuda_device_runtime_api.h",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda_surface_types.h",
    "cuda_texture_types.h",
    "cudaProfiler.h",
    "device_atomic_functions.h",
    "device_double_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "driver_functions.h",
    "driver_types.h",
    "host_config.h",
    "host_defines.h",
    "math_constants.h",
    "math_functions.h",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_32_atomic_functions.h",
    "sm_32_intrinsics.h",
    "sm_35_atomic_functions.h",
    "sm_35_intrinsics.h",
    "sm_60_atomic_functions.h",
    "sm_61_intrinsics.h",
    "surface_functions.h",
    "surface_indirect_functions.h",
    "surface_types.h",
    "texture_fetch_functions.h",
    "texture_indirect_functions.h",
    "texture_types.h",
    "vector_functions.h",
    "vector_functions.hpp",
    "vector_types.h",
    "cuda_stdint.h",
    "crt/device_double_functions.h",
    "crt/host_config.h",
    "crt/sm_70_rt.h",
    "crt/sm_80_rt.h",
    "crt/sm_90_rt.h",
    "cudart_platform.h",
    "device_atomic_functions.hpp",
    "math_functions.hpp",
    "sm_11_atomic_functions.h",
    "sm_12_atomic_functions.h",
    "sm_13_double_functions.h",
    "sm_20_atomic_functions.hpp",
    "sm_20_intrinsics.hpp",
    "sm_30_intrinsics.hpp",
    "sm_32_atomic_functions.hpp",
    "sm_32_intrinsics.hpp",
    "sm_60_atomic_functions.hpp",
    "sm_61_intrinsics.hpp",
    "common_functions.h",
    "crt/device_functions.h",
    "crt/host_defines.h",
    "crt/math_functions.h",
};

/* Names that lead to a file of their own. */
static const struct {
    const char *name, *own;
} other_names[] = {
    {"cooperative_groups.h", "cooperative_groups.h"},
    {"cooperative_groups/memcpy_async.h", "cooperative_groups.h"},
    {"cooperative_groups/reduce.h", "cooperative_groups.h"},
    {"cooperative_groups/scan.h", "cooperative_groups.h"},
    {"cuComplex.h", "complex.h"},
    {"cublas.h", "cublas_names.h"},
    {"cublasLt.h", "cublaslt.h"},
    {"cublas_api.h", "cublas_names.h"},
    {"cublas_v2.h", "cublas_names.h"},
    {"cuda.h", "driver.h"},
    {"cuda/atomic", "libcuxx.h"},
    {"cuda/barrier", "libcuxx_bulk.h"},
    {"cuda/pipeline", "libcuxx.h"},
    {"cuda/ptx", "libcuxx_bulk.h"},
    {"cuda/std/array", "standard.h"},
    {"cuda/std/atomic", "libcuxx.h"},
    {"cuda/std/cassert", "standard.h"},
    {"cuda/std/cfloat", "standard.h"},
    {"cuda/std/climits", "standard.h"},
    {"cuda/std/cmath", "standard.h"},
    {"cuda/std/complex", "standard.h"},
    {"cuda/std/cstddef", "standard.h"},
    {"cuda/std/cstdint", "standard.h"},
    {"cuda/std/cstdlib", "standard.h"},
    {"cuda/std/functional", "standard.h"},
    {"cuda/std/initializer_list", "standard.h"},
    {"cuda/std/limits", "standard.h"},
    {"cuda/std/optional", "standard.h"},
    {"cuda/std/ratio", "standard.h"},
    {"cuda/std/tuple", "standard.h"},
    {"cuda/std/type_traits", "standard.h"},
    {"cuda/std/utility", "standard.h"},
    {"cuda/std/variant", "standard.h"},
    {"cudaTypedefs.h", "driver.h"},
    {"cuda_awbarrier.h", "libcuxx.h"},
    {"cuda_awbarrier_primitives.h", "libcuxx.h"},
    {"crt/mma.h", "mma.h"},
    {"cuda_bf16.h", "half.h"},
    {"cuda_bf16.hpp", "half.h"},
    {"cuda_fp16.h", "half.h"},
    {"cuda_fp16.hpp", "half.h"},
    {"cuda_fp8.h", "fp8.h"},
    {"cuda_gl_interop.h", "gl_interop.h"},
    {"cuda_pipeline.h", "libcuxx.h"},
    {"cuda_pipeline_primitives.h", "libcuxx.h"},
    {"cufft.h", "cufft.h"},
    {"cufftXt.h", "cufft.h"},
    {"curand.h", "curand.h"},
    {"curand_kernel.h", "curand.h"},
    {"curand_discrete.h", "curand.h"},
    {"curand_globals.h", "curand.h"},
    {"curand_lognormal.h", "curand.h"},
    {"curand_mrg32k3a.h", "curand.h"},
    {"curand_mtgp32_kernel.h", "curand.h"},
    {"curand_normal.h", "curand.h"},
    {"curand_philox4x32_x.h", "curand.h"},
    {"curand_poisson.h", "curand.h"},
    {"curand_precalc.h", "curand.h"},
    {"curand_uniform.h", "curand.h"},
    {"drvapi_error_string.h", "samples.h"},
    {"helper_cuda.h", "samples.h"},
    {"helper_cuda_drvapi.h", "samples.h"},
    {"helper_functions.h", "samples.h"},
    {"helper_math.h", "vector_math.h"},
    {"helper_string.h", "samples.h"},
    {"helper_timer.h", "samples.h"},
    {"library_types.h", "library_types.h"},
    {"mma.h", "mma.h"},
    {"nvToolsExt.h", "nvtx.h"},
    {"nvml.h", "nvml.h"},
    {"nvtx3/nvToolsExt.h", "nvtx.h"},
    {"thrust/adjacent_difference.h", "thrust.h"},
    {"thrust/advance.h", "thrust.h"},
    {"thrust/binary_search.h", "thrust.h"},
    {"thrust/copy.h", "thrust.h"},
    {"thrust/count.h", "thrust.h"},
    {"thrust/device_malloc.h", "thrust.h"},
    {"thrust/device_ptr.h", "thrust.h"},
    {"thrust/device_vector.h", "thrust.h"},
    {"thrust/distance.h", "thrust.h"},
    {"thrust/equal.h", "thrust.h"},
    {"thrust/execution_policy.h", "thrust.h"},
    {"thrust/extrema.h", "thrust.h"},
    {"thrust/fill.h", "thrust.h"},
    {"thrust/find.h", "thrust.h"},
    {"thrust/for_each.h", "thrust.h"},
    {"thrust/functional.h", "thrust.h"},
    {"thrust/generate.h", "thrust.h"},
    {"thrust/host_vector.h", "thrust.h"},
    {"thrust/inner_product.h", "thrust.h"},
    {"thrust/iterator/counting_iterator.h", "thrust.h"},
    {"thrust/logical.h", "thrust.h"},
    {"thrust/memory.h", "thrust.h"},
    {"thrust/pair.h", "thrust.h"},
    {"thrust/reduce.h", "thrust.h"},
    {"thrust/remove.h", "thrust.h"},
    {"thrust/replace.h", "thrust.h"},
    {"thrust/reverse.h", "thrust.h"},
    {"thrust/scan.h", "thrust.h"},
    {"thrust/sequence.h", "thrust.h"},
    {"thrust/sort.h", "thrust.h"},
    {"thrust/swap.h", "thrust.h"},
    {"thrust/system/cuda/execution_policy.h", "thrust.h"},
    {"thrust/transform.h", "thrust.h"},
    {"thrust/transform_reduce.h", "thrust.h"},
    {"thrust/tuple.h", "thrust.h"},
    {"thrust/unique.h", "thrust.h"},
    {"thrust/version.h", "thrust.h"},
};

/* Headers that are reported as missing, so that a toolkit in a system folder cannot half supply them. */
static const char *const missing_names[] = {
    "helper_image.h",
    "cublasXt.h",
    "cuda_egl_interop.h",
    "cudaEGL.h",
    "cudaGL.h",
    "cudnn.h",
    "cusolverDn.h",
    "cusolverSp.h",
    "cusparse.h",
    "cusparse_v2.h",
    "nccl.h",
    "npp.h",
    "nppi.h",
    "nvrtc.h",
    "cub/cub.cuh",
    "cub/block/block_reduce.cuh",
    "cub/block/block_scan.cuh",
    "cub/block/block_load.cuh",
    "cub/device/device_radix_sort.cuh",
    "cub/device/device_reduce.cuh",
    "cub/device/device_scan.cuh",
    "cub/warp/warp_reduce.cuh",
    "cuda/functional",
    "thrust/complex.h",
    "thrust/iterator/zip_iterator.h",
    "thrust/random.h",
    "thrust/system_error.h",
    "thrust/system/cuda/error.h",
};

/* What stands for one of CUDA's headers lies in the first folder, but for CCCL's in the second. */
static void place_of(const char *standard, char out[static FOLDER_PATH]) {
    static const char *const cccl[] = {"cub/", "cuda/", "thrust/", NULL};
    snprintf(out, FOLDER_PATH, "%s/%s", begins_with_any(standard, cccl) ? "libraries" : "cuda", standard);
}

static riffle_status write_other(const private_folder *folder, const char *standard, const char *own) {
    char name[FOLDER_PATH], text[256];
    place_of(standard, name);
    const int length = snprintf(text, sizeof text, "#include \"riffle/%s\"\n", own);
    return folder_write(folder, name, text, (size_t)length);
}

/* Headers of libstdc++ that say __noinline__ where the macro of CUDA's would break it: one of gcc 12's, three of gcc 14's. */
static const char *const noinline_headers[] = {"bits/shared_ptr_base.h", "bits/basic_string.h",
                                               "bits/basic_string.tcc"};

static riffle_status write_noinline(const private_folder *folder) {
    char name[FOLDER_PATH], text[256];
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < sizeof noinline_headers / sizeof noinline_headers[0] && status == RIFFLE_OK; k++) {
        snprintf(name, sizeof name, "cuda/%s", noinline_headers[k]);
        const int length = snprintf(text, sizeof text,
                                    "#pragma push_macro(\"__noinline__\")\n#undef __noinline__\n"
                                    "#include_next <%s>\n"
                                    "#pragma pop_macro(\"__noinline__\")\n",
                                    noinline_headers[k]);
        status = folder_write(folder, name, text, (size_t)length);
    }
    return status;
}

static riffle_status make_folders(const private_folder *folder) {
    static const char *const folders[] = {"cuda",
                                          "cuda/riffle",
                                          "cuda/bits",
                                          "cuda/cooperative_groups",
                                          "cuda/crt",
                                          "cuda/nvtx3",
                                          "cccl",
                                          "cccl/nv",
                                          "libraries",
                                          "libraries/cub",
                                          "libraries/cub/block",
                                          "libraries/cub/device",
                                          "libraries/cub/warp",
                                          "libraries/cuda",
                                          "libraries/cuda/std",
                                          "libraries/thrust",
                                          "libraries/thrust/iterator",
                                          "libraries/thrust/system",
                                          "libraries/thrust/system/cuda"};
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < sizeof folders / sizeof folders[0] && status == RIFFLE_OK; k++)
        status = folder_make(folder, folders[k]);
    return status;
}

/* A kernel alone may do without: what the host would use of them is not compiled. */
static riffle_status write_missing(const private_folder *folder, bool whole) {
    char name[FOLDER_PATH], text[256];
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < sizeof missing_names / sizeof missing_names[0] && status == RIFFLE_OK; k++) {
        place_of(missing_names[k], name);
        const int length =
            whole ? snprintf(text, sizeof text, "#error " LINT_LACKS " '%s'\n", missing_names[k]) : 0;
        status = folder_write(folder, name, text, (size_t)length);
    }
    return status;
}

riffle_status lint_headers_write(const private_folder *folder, bool whole) {
    char name[FOLDER_PATH];
    riffle_status status = make_folders(folder);
    for (const embedded_text *one = lint_headers; one->name != NULL && status == RIFFLE_OK; one++) {
        snprintf(name, sizeof name, "cuda/riffle/%s", one->name);
        status = folder_write(folder, name, one->text, strlen(one->text));
    }
    static const char target[] = "#include \"riffle/target.h\"\n";
    static const char all[] = "#include \"riffle/device.h\"\n";
    for (size_t k = 0; k < sizeof standard_names / sizeof standard_names[0] && status == RIFFLE_OK; k++) {
        snprintf(name, sizeof name, "cuda/%s", standard_names[k]);
        status = folder_write(folder, name, all, sizeof all - 1);
    }
    for (size_t k = 0; k < sizeof other_names / sizeof other_names[0] && status == RIFFLE_OK; k++)
        status = write_other(folder, other_names[k].name, other_names[k].own);
    if (status == RIFFLE_OK) status = write_noinline(folder);
    if (status == RIFFLE_OK) status = folder_write(folder, "cccl/nv/target", target, sizeof target - 1);
    return status == RIFFLE_OK ? write_missing(folder, whole) : status;
}
