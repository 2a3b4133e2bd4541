/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor maps: cuTensorMapEncodeTiled, by name or as cudaGetDriverEntryPoint gives it. A map is the machine's own (machine_tensor), in as many bytes as CUDA's.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_TENSOR_MAP_H
#define RIFFLE_MACHINE_DEVICE_CUDA_RUNTIME_TENSOR_MAP_H

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef struct alignas(64) CUtensorMap_st {
    cuuint64_t opaque[16];
} CUtensorMap;
typedef enum CUtensorMapDataType_enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B,
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B,
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA,
} CUtensorMapFloatOOBfill;

namespace riffle_lint {
inline unsigned tensor_element(CUtensorMapDataType type) {
    static const unsigned char bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return (unsigned)type < sizeof bytes ? bytes[type] : 0;
}
/* Why CUDA would refuse a map; null: it would not. */
inline const char *tensor_wrong(const machine_tensor &t) {
    if (t.element == 0 || t.dimensions < 1 || t.dimensions > MACHINE_TENSOR_DIMENSIONS) return "it has 1 to 5 dimensions of numbers";
    if (t.start == nullptr || (size_t)t.start % 16 != 0) return "global memory of a tensor begins at a multiple of 16 bytes";
    for (unsigned d = 0; d < t.dimensions; d++) {
        if (t.size[d] == 0 || t.size[d] > 1ull << 32) return "a dimension has 1 to 2^32 elements";
        if (t.box[d] == 0 || t.box[d] > 256) return "a box has 1 to 256 elements in a dimension";
        if (d > 0 && (t.stride[d - 1] % 16 != 0 || t.stride[d - 1] >= 1ull << 40)) return "a stride is a multiple of 16 bytes below 2^40";
    }
    const unsigned row = t.box[0] * t.element;
    if (row % 16 != 0) return "a row of the box is a multiple of 16 bytes";
    return t.swizzle != 0 && row > t.swizzle ? "a row of the box has no more bytes than the swizzle" : nullptr;
}
} // namespace riffle_lint

inline __attribute__((noinline)) CUresult cuTensorMapEncodeTiled(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t dimensions, void *start,
                                                                 const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
                                                                 const cuuint32_t *step, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                                                 CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
    static const unsigned short swizzles[] = {0, 32, 64, 128};
    static_assert(sizeof(machine_tensor) <= sizeof *out, "a map has no room");
    machine_tensor t = {};
    t.is = MACHINE_TENSOR;
    t.dimensions = dimensions <= MACHINE_TENSOR_DIMENSIONS ? (unsigned char)dimensions : 0;
    t.element = (unsigned char)riffle_lint::tensor_element(type);
    t.start = start;
    const char *lacks = interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ? "interleaved tensors" : nullptr;
    if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) lacks = "boxes filled with NaN";
    if ((unsigned)swizzle > CU_TENSOR_MAP_SWIZZLE_128B) lacks = "this swizzle";
    for (unsigned d = 0; d < t.dimensions; d++) {
        t.size[d] = size[d];
        t.box[d] = box[d] <= 256 ? (unsigned short)box[d] : 0;
        if (d > 0) t.stride[d - 1] = stride[d - 1];
        if (step != nullptr && step[d] != 1) lacks = "element strides";
    }
    if (lacks == nullptr) t.swizzle = swizzles[swizzle];
    const char *wrong = lacks == nullptr ? riffle_lint::tensor_wrong(t) : nullptr;
    if (lacks != nullptr) fprintf(stderr, "riffle: cuTensorMapEncodeTiled: %s are not supplied\n", lacks);
    if (wrong != nullptr && riffle_lint_host.refuse != nullptr) riffle_lint_host.refuse("cuTensorMapEncodeTiled", "CUDA_ERROR_INVALID_VALUE", wrong, RIFFLE_SITE);
    if (lacks != nullptr || wrong != nullptr) return lacks != nullptr ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    memset(out, 0, sizeof *out);
    memcpy(out, &t, sizeof t);
    return CUDA_SUCCESS;
}
typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                                                      const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                                      CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                                                       const int *, const int *, cuuint32_t, cuuint32_t, const cuuint32_t *, CUtensorMapInterleave,
                                                       CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeIm2col_v12000 PFN_cuTensorMapEncodeIm2col;

enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess,
    cudaDriverEntryPointSymbolNotFound,
    cudaDriverEntryPointVersionNotSufficent,
};
enum { cudaEnableDefault, cudaEnableLegacyStream, cudaEnablePerThreadDefaultStream };
/* Of the driver's functions that of tensor maps, which the runtime has not. */
inline cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long = cudaEnableDefault,
                                           cudaDriverEntryPointQueryResult *found = nullptr) {
    const bool is_there = strcmp(name, "cuTensorMapEncodeTiled") == 0;
    *out = is_there ? reinterpret_cast<void *>(cuTensorMapEncodeTiled) : nullptr;
    if (!is_there) fprintf(stderr, "riffle: cudaGetDriverEntryPoint: %s is not supplied\n", name);
    if (found != nullptr) *found = is_there ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return is_there || found != nullptr ? cudaSuccess : riffle_lint::note(cudaErrorInvalidValue);
}
inline cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned, unsigned long long flags = cudaEnableDefault,
                                                    cudaDriverEntryPointQueryResult *found = nullptr) {
    return cudaGetDriverEntryPoint(name, out, flags, found);
}

#endif
