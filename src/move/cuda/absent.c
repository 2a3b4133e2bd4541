/* SPDX-License-Identifier: Apache-2.0
 *
 * The cuda engine of a build without CUDA: every door says so.
 */
#include "move/cuda/engine.h"
#include "riffle/cuda.h"
#include "riffle/papers.h"

static riffle_status fail_absent(void) {
    device none;
    return device_of_cuda(&none);
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

riffle_status riffle_cuda_execute(const riffle_plan *plan, void *dst, const void *src, void *workspace,
                                  size_t workspace_bytes, struct CUstream_st *stream) {
    (void)plan, (void)dst, (void)src, (void)workspace, (void)workspace_bytes, (void)stream;
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
