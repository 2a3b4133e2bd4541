/* SPDX-License-Identifier: Apache-2.0
 *
 * The declarations of cuTENSOR's interface are those of its documentation, as far as permutations need it
 * (docs.nvidia.com/cuda/cutensor, "cuTENSOR Functions" and "Data Types"): nothing of it is needed to build.
 */
#include "cutensor.h"

#include <dlfcn.h>
#include <library_types.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATIENT = -6, NO_JIT = 0, IDENTITY = 1, ALIGNMENT = 256 };

/* Opaque pointers of cuTENSOR's: its handle, and descriptions of tensors, of an operation and so on. */
typedef void *opaque;

static struct {
    opaque library, handle;
    size_t (*get_version)(void);
    const char *(*get_error_string)(int status);
    int (*create)(opaque *handle);
    int (*create_tensor)(opaque handle, opaque *tensor, uint32_t modes, const int64_t *extent,
                         const int64_t *stride, cudaDataType_t type, uint32_t alignment);
    int (*destroy_tensor)(opaque tensor);
    int (*create_permutation)(opaque handle, opaque *operation, opaque a, const int32_t *modes_of_a, int op,
                              opaque b, const int32_t *modes_of_b, opaque compute);
    int (*destroy_operation)(opaque operation);
    int (*create_preference)(opaque handle, opaque *preference, int algorithm, int jit);
    int (*destroy_preference)(opaque preference);
    int (*create_plan)(opaque handle, opaque *plan, opaque operation, opaque preference, uint64_t workspace);
    int (*destroy_plan)(opaque plan);
    int (*permute)(opaque handle, opaque plan, const void *alpha, const void *a, void *b, cudaStream_t stream);
    opaque *compute_32f, *compute_64f;
} api;

struct cutensor_move {
    opaque plan;
    size_t elem_bytes;
};

/* A symbol's address, whatever it is of, goes where it is kept. */
static const struct {
    const char *name;
    void *kept;
} symbols[] = {
    {"cutensorGetVersion", &api.get_version},
    {"cutensorGetErrorString", &api.get_error_string},
    {"cutensorCreate", &api.create},
    {"cutensorCreateTensorDescriptor", &api.create_tensor},
    {"cutensorDestroyTensorDescriptor", &api.destroy_tensor},
    {"cutensorCreatePermutation", &api.create_permutation},
    {"cutensorDestroyOperationDescriptor", &api.destroy_operation},
    {"cutensorCreatePlanPreference", &api.create_preference},
    {"cutensorDestroyPlanPreference", &api.destroy_preference},
    {"cutensorCreatePlan", &api.create_plan},
    {"cutensorDestroyPlan", &api.destroy_plan},
    {"cutensorPermute", &api.permute},
    {"CUTENSOR_COMPUTE_DESC_32F", &api.compute_32f},
    {"CUTENSOR_COMPUTE_DESC_64F", &api.compute_64f},
};

const char *cutensor_load(void) {
    if (api.handle != NULL) return NULL;
    api.library = dlopen("libcutensor.so.2", RTLD_NOW | RTLD_LOCAL);
    if (api.library == NULL) return dlerror();
    for (size_t k = 0; k < sizeof symbols / sizeof symbols[0]; ++k) {
        void **kept = symbols[k].kept;
        *kept = dlsym(api.library, symbols[k].name);
        if (*kept == NULL) return dlerror();
    }
    const int status = api.create(&api.handle);
    return status == 0 ? NULL : api.get_error_string(status);
}

size_t cutensor_version(void) { return api.get_version(); }

/* Which numbers elements of a size are taken for. */
static bool type_of(size_t elem_bytes, cudaDataType_t *type) {
    switch (elem_bytes) {
    case 1: *type = CUDA_R_8I; return true;
    case 2: *type = CUDA_R_16F; return true;
    case 4: *type = CUDA_R_32F; return true;
    case 8: *type = CUDA_R_64F; return true;
    case 16: *type = CUDA_C_64F; return true;
    default: return false;
    }
}

static riffle_status refused(const char *attempt, int status, bench_result *out) {
    snprintf(out->problem, sizeof out->problem, "%s: cuTENSOR says %s", attempt, api.get_error_string(status));
    return RIFFLE_ERROR_UNSUPPORTED;
}

/* cuTENSOR's first mode is the one whose elements are adjacent. */
static int describe(const bench_axes *axes, const unsigned *order, cudaDataType_t type, int32_t *modes,
                    opaque *tensor) {
    int64_t extent[RIFFLE_MAX_RANK];
    for (unsigned j = 0; j < axes->rank; ++j) {
        const unsigned axis = order[axes->rank - 1 - j];
        modes[j] = (int32_t)axis;
        extent[j] = (int64_t)axes->shape[axis];
    }
    return api.create_tensor(api.handle, tensor, axes->rank, extent, NULL, type, ALIGNMENT);
}

static int plan_operation(opaque operation, opaque *plan) {
    opaque preference = NULL;
    int status = api.create_preference(api.handle, &preference, PATIENT, NO_JIT);
    if (status == 0) status = api.create_plan(api.handle, plan, operation, preference, 0);
    if (preference != NULL) api.destroy_preference(preference);
    return status;
}

static int plan_axes(const bench_axes *axes, size_t elem_bytes, cudaDataType_t type, opaque *plan) {
    int32_t modes_of_a[RIFFLE_MAX_RANK], modes_of_b[RIFFLE_MAX_RANK];
    unsigned own[RIFFLE_MAX_RANK];
    opaque a = NULL, b = NULL, operation = NULL;
    for (unsigned j = 0; j < axes->rank; ++j) own[j] = j;
    int status = describe(axes, own, type, modes_of_a, &a);
    if (status == 0) status = describe(axes, axes->order, type, modes_of_b, &b);
    if (status == 0)
        status = api.create_permutation(api.handle, &operation, a, modes_of_a, IDENTITY, b, modes_of_b,
                                        elem_bytes < 8 ? *api.compute_32f : *api.compute_64f);
    if (status == 0) status = plan_operation(operation, plan);
    if (operation != NULL) api.destroy_operation(operation);
    if (b != NULL) api.destroy_tensor(b);
    if (a != NULL) api.destroy_tensor(a);
    return status;
}

riffle_status cutensor_plan(const bench_axes *axes, size_t elem_bytes, cutensor_move **move,
                            bench_result *out) {
    cudaDataType_t type;
    if (!type_of(elem_bytes, &type)) {
        snprintf(out->problem, sizeof out->problem, "cuTENSOR has no type of %zu bytes", elem_bytes);
        return RIFFLE_ERROR_UNSUPPORTED;
    }
    cutensor_move *made = calloc(1, sizeof *made);
    if (made == NULL) return RIFFLE_ERROR_OUT_OF_MEMORY;
    made->elem_bytes = elem_bytes;
    const int status = plan_axes(axes, elem_bytes, type, &made->plan);
    if (status == 0) {
        *move = made;
        return RIFFLE_OK;
    }
    free(made);
    return refused("planning", status, out);
}

void cutensor_free(cutensor_move *move) {
    if (move == NULL) return;
    api.destroy_plan(move->plan);
    free(move);
}

/* The factor is of the type computed in; a real one is a complex one's first half. */
riffle_status cutensor_queue(const void *by, void *dst, const void *src, cudaStream_t stream,
                             bench_result *out) {
    static const float one[] = {1, 0};
    static const double double_one[] = {1, 0};
    const cutensor_move *move = by;
    const void *alpha = move->elem_bytes < 8 ? (const void *)one : (const void *)double_one;
    const int status = api.permute(api.handle, move->plan, alpha, src, dst, stream);
    return status == 0 ? RIFFLE_OK : refused("permuting", status, out);
}
