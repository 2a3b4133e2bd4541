/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_copy_strided: a plan of one pass that lives as long as the call.
 */
#include "base/threads/threads.h"
#include "move/cpu/passes/loops.h"
#include "plan/axes/view.h"
#include "plan/request/streaming.h"

riffle_status riffle_copy_strided(unsigned rank, const uint64_t *shape, size_t elem_bytes, void *dst,
                                  const int64_t *dst_strides, const void *src, const int64_t *src_strides,
                                  const riffle_call_options *options) {
    strided_move move;
    const view_copy asked = {rank, shape, elem_bytes, dst, dst_strides, src, src_strides};
    const riffle_status status = view_copy_take(&asked, &move);
    const uint64_t bytes = status == RIFFLE_OK ? strided_elements(&move) * elem_bytes : 0;
    if (bytes == 0) return status;
    pass copy = {.kind = &PASS_AXES_TILE};
    axes_tile_plan(&move, dst_place_of(bytes), &copy.axes_tile);
    cpu_run_pass(&copy, threads_for((size_t)bytes, BYTES_A_THREAD, threads_most_of_call(options)), NULL, dst,
                 src, NULL);
    return RIFFLE_OK;
}
