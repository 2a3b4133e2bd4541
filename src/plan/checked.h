/* SPDX-License-Identifier: Apache-2.0
 *
 * A move that is read once more on a device (options.check): which launches do that, on a GPU, on the memory machine and in predictions alike.
 *
 *     src, each element at P(i) --check_affine or check_rows--> record <--check_run-- dst, each element where it lies
 *     src, by the pass that moves it (plan_adds_read) -------->
 */
#ifndef RIFFLE_PLAN_CHECKED_H
#define RIFFLE_PLAN_CHECKED_H

#include "check/check.h"
#include "perm/kind.h"
#include "plan/plan.h"

/** A plan's check on its device. */
typedef struct plan_check {
    perm_affine affine; /**< the permutation, where it is evaluated; no bits where it is not */
    const void *places; /**< else its table, of table_entry_bytes an element */
    void *record;       /**< CHECK_RECORD_BYTES */
} plan_check;

/** RIFFLE_ERROR_UNSUPPORTED for a check on a machine whose warps or blocks are not those of its kernels. */
riffle_status plan_check_fits(riffle_check check, const riffle_machine_options *machine);

/** True if the check evaluates the permutation, which is affine and of elements of a size that threads load whole; *affine has no bits
 *  if not. */
bool plan_check_evaluates(const plan_request *request, const riffle_perm *perm, perm_affine *affine);

/** Bytes of the table of a check that does not. */
static inline size_t plan_check_table_bytes(const plan_request *request) {
    return (size_t)request->n * table_entry_bytes(request->n);
}

/** The launches before the first of the plan's, which begin the record and, where src is read once more, add it; and those behind the last. A
 *  check of passes has none of these but the beginning. */
void plan_check_append_before(const riffle_plan *plan, const plan_check *check, const void *src,
                              launch_list *out);
void plan_check_append_behind(const riffle_plan *plan, const plan_check *check, const void *dst,
                              launch_list *out);

/** The launches among these that read src, and dst, once more. */
void plan_check_append_read(const plan_request *request, const plan_check *check, const void *src,
                            launch_list *out);
void plan_check_append_written(const plan_request *request, const plan_check *check, const void *dst,
                               launch_list *out);

#endif
