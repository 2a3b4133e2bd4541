/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/checked.h"

#include "base/status.h"
#include "check/kernels/block.h"
#include "check/kernels/table.h"
#include "device/arrays.h"
#include "device/kernels/lanes.h"
#include "perm/kind.h"

enum { LEAST_SHARED_BYTES = 2 * sizeof(check_block) }; /* its sums, and pieces of as many bytes */

riffle_status plan_check_fits(riffle_check check, const riffle_machine_options *machine) {
    if (check == RIFFLE_CHECK_NONE ||
        (machine->width == WARP_LANES && machine->block_threads >= CHECK_THREADS &&
         machine->shared_bytes >= LEAST_SHARED_BYTES))
        return RIFFLE_OK;
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "a check needs warps of %d and blocks of %d threads or more with %d bytes of shared memory; this "
        "machine has warps of %u and blocks of %u with %zu bytes: leave out the check, or choose such a "
        "machine",
        WARP_LANES, CHECK_THREADS, LEAST_SHARED_BYTES, machine->width, machine->block_threads,
        machine->shared_bytes);
}

bool plan_check_evaluates(const plan_request *request, const riffle_perm *perm, perm_affine *affine) {
    const size_t bytes = request->elem_bytes;
    const bool is_evaluated =
        array_alignment(bytes) == bytes && perm_as_affine(perm, affine) && affine->a.m > 0;
    if (!is_evaluated) affine->a.m = 0;
    return is_evaluated;
}

/* The elements of src or dst. */
static check_there side_of(const plan_request *r, const void *rows) {
    return (check_there){
        .rows = rows, .row_bytes = r->elem_bytes, .n = r->n, .arrays = r->batch, .stride = r->stride};
}

void plan_check_append_read(const plan_request *request, const plan_check *check, const void *src,
                            launch_list *out) {
    const check_map affine = {check->affine.a.m, check->affine.c, check->affine.a.column};
    check_there side = side_of(request, src);
    if (affine.bits > 0) side.affine = &affine;
    side.places = check->places;
    side.index_bytes = table_entry_bytes(request->n);
    side.keys_per_row = 1;
    check_append_read(&side, check->record, out);
}

void plan_check_append_written(const plan_request *request, const plan_check *check, const void *dst,
                               launch_list *out) {
    const check_there side = side_of(request, dst);
    check_append_written(&side, check->record, out);
}

void plan_check_append_before(const riffle_plan *plan, const plan_check *check, const void *src,
                              launch_list *out) {
    check_append_begin(check->record, out);
    if (plan_reads_src(plan)) plan_check_append_read(&plan->request, check, src, out);
}

void plan_check_append_behind(const riffle_plan *plan, const plan_check *check, const void *dst,
                              launch_list *out) {
    if (plan->request.check == RIFFLE_CHECK_FULL) plan_check_append_written(&plan->request, check, dst, out);
}
