/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_cuda_copy_strided: a plan that lives as long as the call. The device is asked for what is needed anew each time, which
 * takes a few microseconds and allocates nothing.
 */
#include "base/status.h"
#include "device/device.h"
#include "move/gpu/box.h"
#include "move/gpu/direct.h"
#include "plan/axes/view.h"
#include "riffle/cuda.h"

/* The largest power of two that divides all of them, STRIDED_LONGEST_UNIT at most. */
static size_t alignment_of(uintptr_t bits) {
    bits |= STRIDED_LONGEST_UNIT;
    return (size_t)(bits & (~bits + 1));
}

static riffle_status check_aligned(const char *name, const void *array, size_t elem_bytes) {
    const size_t unit = alignment_of(elem_bytes);
    if ((uintptr_t)array % unit == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "%s is not aligned to %zu bytes, which elements of %zu bytes want", name, unit, elem_bytes);
}

/* Without gaps, and in one order: the driver's copy. */
static bool is_plain(const strided_move *m) {
    return m->rank == 0 || (m->rank == 1 && m->axis[0].src_stride == 1 && m->axis[0].dst_stride == 1);
}

static void copy_plainly(const strided_move *m, void *dst, const void *src, launch_list *out) {
    launch_append_copy(out, dst, src, (size_t)strided_elements(m) * m->elem_bytes);
}

static riffle_status read_device(device *gpu, box_device *out) {
    device_limits limits;
    riffle_status status = device_of_cuda(gpu);
    if (status == RIFFLE_OK) status = gpu->ops->describe(gpu, &limits);
    if (status != RIFFLE_OK) return status;
    *out = (box_device){limits.shared_bytes, limits.block_threads, limits.multiprocessors};
    return RIFFLE_OK;
}

/* The halves of a move along its longest axis. */
static void halve(const strided_move *m, strided_move half[2]) {
    unsigned longest = 0;
    for (unsigned k = 1; k < m->rank; k++)
        if (m->axis[k].length > m->axis[longest].length) longest = k;
    half[0] = half[1] = *m;
    const uint64_t first = m->axis[longest].length / 2;
    half[0].axis[longest].length = first;
    half[1].axis[longest].length -= first;
    half[1].src_offset += (int64_t)first * m->axis[longest].src_stride;
    half[1].dst_offset += (int64_t)first * m->axis[longest].dst_stride;
    strided_normalize(&half[0]);
    strided_normalize(&half[1]);
}

/* Kernels count parts and blocks with 31 bits: what is longer goes in halves. */
static void copy_by_kernel(const strided_move *m, const box_device *limits, void *dst, const void *src,
                           launch_list *out) {
    direct_schedule direct;
    box_schedule boxes;
    if (strided_elements(m) > LAUNCH_MAX_BLOCKS) {
        strided_move half[2];
        halve(m, half);
        copy_by_kernel(&half[0], limits, dst, src, out);
        copy_by_kernel(&half[1], limits, dst, src, out);
    } else if (direct_plan(m, limits->block_threads, &direct)) {
        launch_between(launch_direct(&direct, out), dst, src);
    } else {
        box_plan(m, limits, &boxes);
        launch_between(launch_boxes(&boxes, out), dst, src);
    }
}

static riffle_status run(const device *gpu, launch_list *list, struct CUstream_st *stream) {
    riffle_status status = gpu->ops->load(gpu, "the copy", list);
    if (status == RIFFLE_OK) status = gpu->ops->queue(gpu, "launching the copy", list, stream);
    launch_list_free(list);
    return status;
}

riffle_status riffle_cuda_copy_strided(unsigned rank, const uint64_t *shape, size_t elem_bytes, void *dst,
                                       const int64_t *dst_strides, const void *src, const int64_t *src_strides,
                                       struct CUstream_st *stream) {
    strided_move move;
    device gpu;
    box_device limits;
    const view_copy asked = {rank, shape, elem_bytes, dst, dst_strides, src, src_strides};
    riffle_status status = view_copy_take(&asked, &move);
    if (status != RIFFLE_OK || strided_elements(&move) == 0) return status;
    status = check_aligned("dst", dst, elem_bytes);
    if (status == RIFFLE_OK) status = check_aligned("src", src, elem_bytes);
    if (status == RIFFLE_OK) status = read_device(&gpu, &limits);
    if (status != RIFFLE_OK) return status;
    launch_list list;
    launch_list_begin(&list);
    if (is_plain(&move)) {
        copy_plainly(&move, dst, src, &list);
    } else {
        strided_choose_unit(&move, alignment_of((uintptr_t)dst | (uintptr_t)src));
        copy_by_kernel(&move, &limits, dst, src, &list);
    }
    return run(&gpu, &list, stream);
}
