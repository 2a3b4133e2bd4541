/* SPDX-License-Identifier: Apache-2.0
 *
 * The cuda engine of a build without CUDA: every door says so.
 */
#include "base/status.h"
#include "move/cuda/engine.h"
#include "riffle/cuda.h"
#include "riffle/papers.h"

static riffle_status fail_absent(void) {
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "this riffle was built without CUDA and has no cuda engine; use the cpu "
                "engine, or build riffle where nvcc is installed");
}

riffle_status cuda_engine_target(plan_target *out) {
    (void)out;
    return fail_absent();
}

riffle_status cuda_plan_create(riffle_plan *plan, const cuda_source *source) {
    (void)plan, (void)source;
    return fail_absent();
}

void cuda_plan_free(cuda_plan *own) { (void)own; }

riffle_status cuda_plan_execute_host(const riffle_plan *plan, void *dst, const void *src) {
    (void)plan, (void)dst, (void)src;
    return fail_absent();
}

riffle_status riffle_cuda_describe(riffle_cuda_device *out) {
    (void)out;
    return fail_absent();
}

riffle_status riffle_cuda_execute(const riffle_plan *plan, void *dst, const void *src,
                                  struct CUstream_st *stream) {
    (void)plan, (void)dst, (void)src, (void)stream;
    return fail_absent();
}

riffle_status riffle_cuda_execute_with(const riffle_plan *plan, void *dst, const void *src, void *workspace,
                                       struct CUstream_st *stream) {
    (void)plan, (void)dst, (void)src, (void)workspace, (void)stream;
    return fail_absent();
}

riffle_status riffle_cuda_copy_strided(unsigned rank, const uint64_t *shape, size_t elem_bytes, void *dst,
                                       const int64_t *dst_strides, const void *src, const int64_t *src_strides,
                                       struct CUstream_st *stream) {
    (void)rank, (void)shape, (void)elem_bytes, (void)dst, (void)dst_strides, (void)src, (void)src_strides,
        (void)stream;
    return fail_absent();
}

riffle_status riffle_cuda_plan_needs(uint64_t n, size_t elem_bytes, const riffle_plan_options *options,
                                     riffle_cuda_needs *out) {
    (void)n, (void)elem_bytes, (void)options, (void)out;
    return fail_absent();
}

riffle_status riffle_cuda_plan_table(uint64_t n, const void *table, size_t entry_bytes, size_t elem_bytes,
                                     const riffle_plan_options *options, struct CUstream_st *stream,
                                     riffle_plan **out) {
    (void)n, (void)table, (void)entry_bytes, (void)elem_bytes, (void)options, (void)stream, (void)out;
    return fail_absent();
}

riffle_status riffle_cuda_plan_indices(uint64_t n, const void *indices, size_t entry_bytes, size_t elem_bytes,
                                       const riffle_plan_options *options, struct CUstream_st *stream,
                                       riffle_plan **out) {
    (void)n, (void)indices, (void)entry_bytes, (void)elem_bytes, (void)options, (void)stream, (void)out;
    return fail_absent();
}

riffle_status riffle_cuda_permute_in_blocks(const riffle_perm *perm, size_t elem_bytes,
                                            riffle_algorithm algorithm, unsigned blocks, uint64_t repetitions,
                                            void *dst, const void *src, double *seconds) {
    (void)perm, (void)elem_bytes, (void)algorithm, (void)blocks, (void)repetitions;
    (void)dst, (void)src, (void)seconds;
    return fail_absent();
}

riffle_status riffle_cuda_take(const riffle_indices *indices, size_t row_bytes, void *dst, const void *src,
                               void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    (void)indices, (void)row_bytes, (void)dst, (void)src, (void)workspace, (void)workspace_bytes, (void)stream;
    return fail_absent();
}

riffle_status riffle_cuda_take_host(const riffle_indices *indices, size_t row_bytes, void *dst,
                                    const void *src) {
    (void)indices, (void)row_bytes, (void)dst, (void)src;
    return fail_absent();
}

riffle_status riffle_cuda_take_bytes(const riffle_indices *indices, size_t row_bytes, size_t *out) {
    (void)indices, (void)row_bytes, (void)out;
    return fail_absent();
}

riffle_status riffle_cuda_put(const riffle_indices *indices, size_t row_bytes, void *dst, const void *src,
                              void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    (void)indices, (void)row_bytes, (void)dst, (void)src, (void)workspace, (void)workspace_bytes, (void)stream;
    return fail_absent();
}

riffle_status riffle_cuda_put_bytes(const riffle_indices *indices, size_t row_bytes, size_t *out) {
    (void)indices, (void)row_bytes, (void)out;
    return fail_absent();
}

riffle_status riffle_cuda_indices_check(const riffle_indices *indices, const void *workspace,
                                        struct CUstream_st *stream) {
    (void)indices, (void)workspace, (void)stream;
    return fail_absent();
}

riffle_status riffle_cuda_shuffle(uint64_t n, uint64_t seed, size_t row_bytes, void *dst, const void *src,
                                  void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    (void)n, (void)seed, (void)row_bytes, (void)dst, (void)src, (void)workspace, (void)workspace_bytes,
        (void)stream;
    return fail_absent();
}

riffle_status riffle_cuda_shuffle_bytes(uint64_t n, size_t row_bytes, size_t *out) {
    (void)n, (void)row_bytes, (void)out;
    return fail_absent();
}
