/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/request/request.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "check/check.h"
#include "device/arrays.h"
#include "perm/kind.h"
#include "plan/request/streaming.h"

static riffle_status check_array(const plan_request *r, size_t *array_bytes) {
    if (r->elem_bytes == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "elements must be at least 1 byte long");
    if (!multiply_sizes(r->n, r->elem_bytes, 1, array_bytes) || *array_bytes > SIZE_MAX / 2) {
        return fail(RIFFLE_ERROR_LENGTH, "%llu elements of %zu bytes are more than an address can hold",
                    (unsigned long long)r->n, r->elem_bytes);
    }
    return RIFFLE_OK;
}

/* How many arrays, how far apart. */
static riffle_status check_batch(const plan_request *r, size_t *span_bytes) {
    if (r->stride < r->n) {
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "a stride of %llu elements makes arrays of %llu elements overlap; it must be at least their length",
            (unsigned long long)r->stride, (unsigned long long)r->n);
    }
    size_t before;
    if (!multiply_sizes(r->batch - 1, r->stride, r->elem_bytes, &before) ||
        before > SIZE_MAX / 2 - r->array_bytes) {
        return fail(RIFFLE_ERROR_LENGTH,
                    "%llu arrays %llu elements of %zu bytes apart are more than an address can hold; choose a "
                    "smaller batch or stride",
                    (unsigned long long)r->batch, (unsigned long long)r->stride, r->elem_bytes);
    }
    *span_bytes = before + r->array_bytes;
    return RIFFLE_OK;
}

/* Before anything is built: the arrays, as far as one knows, must fit. The plan's workspace is allocated
 * later. */
static riffle_status check_memory(const plan_request *r) {
    const uint64_t arrays = r->in_place ? 1 : 2;
    if (r->span_bytes <= r->target.memory_bytes / arrays) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_OUT_OF_MEMORY,
                r->in_place ? "an array of %zu bytes is more than the GPU's memory of %llu bytes holds"
                            : "two arrays of %zu bytes are more than the GPU's memory of %llu bytes holds",
                r->span_bytes, (unsigned long long)r->target.memory_bytes);
}

static bool has_rows(riffle_algorithm algorithm) {
    return algorithm == RIFFLE_ALGORITHM_ROW_WISE || algorithm == RIFFLE_ALGORITHM_COLUMN_WISE ||
           algorithm == RIFFLE_ALGORITHM_SCHEDULED;
}

static riffle_status check_options(const plan_request *r) {
    const riffle_status status = check_is_one(r->check);
    if (status != RIFFLE_OK) return status;
    if (r->callers_workspace && r->target.kind != TARGET_CUDA) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "the %s engine takes no workspace from its caller; leave callers_workspace 0",
                    r->target.name);
    }
    if (r->row_length > 0 && !has_rows(r->algorithm)) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "a row length is for the algorithms row-wise, column-wise and scheduled; ask for one of them, "
                    "or leave it out");
    }
    return RIFFLE_OK;
}

/* Arrays that MEASURE may execute on. */
static riffle_status check_effort_arrays(const plan_request *r) {
    const void *const dst = r->effort_dst, *const src = r->effort_src;
    if ((dst == NULL) != (src == NULL))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "effort_dst or effort_src is NULL and the other is not: give both or neither");
    if (dst == NULL || (r->in_place ? dst == src : !bytes_overlap(dst, r->span_bytes, src, r->span_bytes)))
        return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, r->in_place
                                                   ? "effort_dst is not effort_src, and the plan is in place"
                                                   : "effort_dst and effort_src overlap");
}

static riffle_status check_effort(const plan_request *r) {
    if (r->effort != RIFFLE_EFFORT_ESTIMATE && r->effort != RIFFLE_EFFORT_MEASURE)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no effort with number %u", (unsigned)r->effort);
    if (!(r->effort_seconds >= 0 && r->effort_seconds <= 1e9))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "effort_seconds is %g; it must be from 0 to 10^9",
                    r->effort_seconds);
    if (r->effort == RIFFLE_EFFORT_MEASURE && r->target.kind != TARGET_CPU)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "the %s engine measures no plans; leave effort 0",
                    r->target.name);
    return check_effort_arrays(r);
}

/* A sequence of many elements or parts is left as it is: only all of its values could tell that it is something
 * simpler. */
static riffle_status recognize(const riffle_perm *perm, riffle_perm **out) {
    if (perm->kind == PERM_AXES && perm->axes.digits <= 1) return riffle_perm_identity(perm->n, out);
    const uint64_t most_evaluations = (uint64_t)1 << 29;
    if (perm->kind != PERM_SEQUENCE || perm->n <= most_evaluations / perm_parts(perm))
        return riffle_perm_recognize(perm, out);
    *out = riffle_perm_retain(perm);
    return RIFFLE_OK;
}

/* All but the permutation. */
static riffle_status take(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                          const riffle_plan_options *options, plan_request *r) {
    const riffle_plan_options o = options != NULL ? *options : (riffle_plan_options){0};
    *r = (plan_request){
        .n = riffle_perm_length(perm),
        .elem_bytes = elem_bytes,
        .batch = o.batch > 0 ? o.batch : 1,
        .in_place = o.in_place,
        .callers_workspace = o.callers_workspace,
        .check = o.check,
        .executions = o.check == RIFFLE_CHECK_PASSES ? 0 : o.executions, /* passes of one use compare nothing */
        .row_length = o.row_length,
        .algorithm = o.algorithm,
        .effort = o.effort,
        .effort_seconds = o.effort_seconds,
        .effort_dst = o.effort_dst,
        .effort_src = o.effort_src,
        .target = *target};
    r->stride = o.stride > 0 ? o.stride : r->n;
    riffle_status status = check_array(r, &r->array_bytes);
    if (status == RIFFLE_OK) status = check_batch(r, &r->span_bytes);
    if (status == RIFFLE_OK) status = check_memory(r);
    if (status == RIFFLE_OK) status = check_options(r);
    if (status == RIFFLE_OK) status = check_effort(r);
    if (status != RIFFLE_OK) return status;
    r->most_threads = threads_most(o.threads);
    r->follows_openmp = o.threads == 0;
    return RIFFLE_OK;
}

static void settle(plan_request *r, riffle_perm *recognized, plan_request *out) {
    r->perm = recognized;
    r->is_affine = perm_as_affine(recognized, &r->affine);
    *out = *r;
}

riffle_status plan_request_take(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                                const riffle_plan_options *options, plan_request *out) {
    plan_request r;
    riffle_perm *recognized;
    riffle_status status = take(perm, elem_bytes, target, options, &r);
    if (status == RIFFLE_OK) status = recognize(perm, &recognized);
    if (status == RIFFLE_OK) settle(&r, recognized, out);
    return status;
}

riffle_status plan_request_take_recognized(const riffle_perm *perm, size_t elem_bytes,
                                           const plan_target *target, const riffle_plan_options *options,
                                           plan_request *out) {
    plan_request r;
    const riffle_status status = take(perm, elem_bytes, target, options, &r);
    if (status == RIFFLE_OK) settle(&r, riffle_perm_retain(perm), out);
    return status;
}

dst_place plan_place(const plan_request *r) {
    if (r->stores == STORES_STREAMED) return DST_PAST;
    const dst_place place = dst_place_of(r->array_bytes);
    return r->stores == STORES_CACHED && place == DST_PAST ? DST_FAR : place;
}

bool plan_streams(const plan_request *r) {
    return r->stores == STORES_STREAMED || (r->stores == STORES_BY_LENGTH && is_streamed(r->array_bytes));
}

void plan_request_drop(plan_request *request) {
    riffle_perm_free(request->perm);
    request->perm = NULL;
    request->reader = NULL;
}
