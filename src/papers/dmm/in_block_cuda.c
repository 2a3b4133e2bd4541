/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_cuda_permute_in_blocks: the DMM paper's moves on a GPU, timed.
 */
#include "base/status.h"
#include "device/cuda_library.h"
#include "papers/dmm/in_block.h"
#include "perm/perm.h"
#include "riffle/papers.h"

static riffle_status run(const in_block_move *w, uint64_t repetitions) {
    launch_list list;
    launch_list_begin(&list);
    in_block_append(w, repetitions, &list);
    return device_run(&w->on, "launching the move in blocks", &list, NULL);
}

static riffle_status load(const in_block_move *w) {
    launch_list list;
    launch_list_begin(&list);
    in_block_append(w, 1, &list);
    return device_load(&w->on, "the move in blocks", &list);
}

static riffle_status time_run(const in_block_move *w, uint64_t repetitions, double *seconds) {
    launch_list list;
    riffle_status status = run(w, 1 + repetitions / 16); /* warms up */
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    in_block_append(w, repetitions, &list);
    status = cuda_library_loaded()->time(&w->on, "moving in blocks", &list, seconds);
    launch_list_free(&list);
    return status;
}

static riffle_status move_and_time(const riffle_perm *perm, unsigned width, uint64_t repetitions,
                                   in_block_move *work, double *seconds) {
    riffle_status status = load(work);
    if (status == RIFFLE_OK) status = in_block_bring(perm, width, work);
    if (status == RIFFLE_OK) status = time_run(work, repetitions, seconds);
    in_block_end(work);
    return status;
}

riffle_status riffle_cuda_permute_in_blocks(const riffle_perm *perm, size_t elem_bytes,
                                            riffle_algorithm algorithm, unsigned blocks, uint64_t repetitions,
                                            void *dst, const void *src, double *seconds) {
    RETURN_IF_NULL(perm, seconds);
    device gpu;
    device_limits limits;
    in_block_move work;
    riffle_status status = in_block_check(algorithm, elem_bytes, blocks);
    if (status != RIFFLE_OK) return status;
    if (repetitions == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "blocks move arrays once or more");
    if (perm->n > 0 && (dst == NULL || src == NULL))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL", dst == NULL ? "dst" : "src");
    status = device_of_cuda(&gpu);
    if (status == RIFFLE_OK) status = gpu.ops->describe(&gpu, &limits);
    if (status == RIFFLE_OK && perm->n == 0) {
        *seconds = 0;
        return RIFFLE_OK;
    }
    if (status == RIFFLE_OK) status = in_block_shape(perm, elem_bytes, algorithm, &gpu, &limits, &work);
    if (status != RIFFLE_OK) return status;
    work.dst = dst;
    work.src = src;
    work.blocks = blocks;
    return move_and_time(perm, limits.width, repetitions, &work, seconds);
}
