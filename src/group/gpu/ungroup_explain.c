/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_explain_ungroup: what the launch that brings rows back accesses on a GPU that need not be there, and what a call takes here. A call has
 * no plan; one stands in for it that has the task alone.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/names.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "device/explain/explain.h"
#include "group/predict/ungroup.h"
#include "riffle/machine.h"

/* By its number in the table of arrays. */
enum { FROM_ROWS, TO_ROWS, PLACES, WEIGHTS };
enum { MOST_ELEMENTS = 1 << 17 };

typedef struct ungroup_plan {
    plan_base base;
    riffle_ungroup_task task;
    bool is_weighted;
} ungroup_plan;

typedef struct ungroup_question {
    ungroup_subject subject;
    riffle_ungroup_task task;
    bool is_weighted;
} ungroup_question;

static const ungroup_plan *plan_of(const plan_base *base) { return (const ungroup_plan *)base; }

static uint64_t entries_of(const ungroup_plan *p) { return p->task.n * p->task.keys_per_row; }

static riffle_ungroup_arrays arrays_of(const explained_arrays *a) {
    return (riffle_ungroup_arrays){
        .to = a->of[TO_ROWS], .rows = a->of[FROM_ROWS], .places = a->of[PLACES], .weights = a->of[WEIGHTS]};
}

static void append(const plan_base *base, const explained_arrays *a, launch_list *out) {
    const riffle_ungroup_arrays all = arrays_of(a);
    ungroup_append(&plan_of(base)->task, &all, out);
}

/* ------------------------------------------------------------------- the plan */

static riffle_status prepare_device(ungroup_plan *p) {
    const explained_arrays none = {.workspace = NULL};
    device_limits limits;
    launch_list list;
    int before;
    riffle_status status = plan_base_find_device(&p->base, &limits, &before);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    append(&p->base, &none, &list);
    status = device_load(&p->base.on, "rows that are brought back", &list);
    p->base.on.ops->unguard(&p->base.on, before);
    return status;
}

static void prepare_host(ungroup_plan *p) {
    const size_t bytes = (size_t)entries_of(p) * max(p->task.row_bytes, (size_t)1);
    p->base.threads = threads_for(bytes, BYTES_A_THREAD, threads_most(0));
}

static void discard(plan_base *base) {
    plan_base_end(base);
    free(base);
}

static riffle_status plan(void *asked, riffle_engine engine, const device *on, plan_base **out) {
    const ungroup_question *const q = asked;
    riffle_status status = plan_base_create(sizeof(ungroup_plan), "rows that are brought back", on, true, out);
    if (status != RIFFLE_OK) return status;
    ungroup_plan *const p = (ungroup_plan *)*out;
    p->task = q->task;
    p->is_weighted = q->is_weighted;
    if (engine == RIFFLE_ENGINE_CUDA)
        status = prepare_device(p);
    else
        prepare_host(p);
    if (status == RIFFLE_OK) return RIFFLE_OK;
    discard(*out);
    *out = NULL;
    return status;
}

static void arrays(const plan_base *base, size_t out[EXPLAINED_ARRAYS]) {
    const ungroup_plan *const p = plan_of(base);
    out[FROM_ROWS] = (size_t)p->task.rows * p->task.row_bytes;
    out[TO_ROWS] = (size_t)p->task.n * p->task.row_bytes;
    out[PLACES] = (size_t)entries_of(p) * p->task.index_bytes;
    out[WEIGHTS] = p->is_weighted ? (size_t)entries_of(p) * ungroup_weight_bytes(p->task.sum) : 0;
}

static riffle_status execute(const plan_base *base, const explained_arrays *a) {
    const riffle_ungroup_arrays all = arrays_of(a);
    return riffle_ungroup(&plan_of(base)->task, &all, NULL);
}

/* The places that predictions are of. */
static riffle_status fill(const plan_base *base, void *places) {
    const ungroup_plan *const p = plan_of(base);
    for (uint64_t e = 0; e < entries_of(p); e++) {
        const uint64_t place = ungroup_drawn_place(&p->task, e);
        if (p->task.index_bytes == 8)
            ((uint64_t *)places)[e] = place;
        else
            ((uint32_t *)places)[e] = (uint32_t)place;
    }
    return RIFFLE_OK;
}

/* Rows that some entry names, in the mean. */
static double named_rows(const ungroup_plan *p) {
    const double rows = (double)p->task.rows;
    return rows > 0 ? -rows * expm1((double)entries_of(p) * log1p(-1 / fmax(rows, 2))) : 0;
}

/* Bytes that are read and written at least. */
static double least_bytes(const ungroup_plan *p) {
    const double weight = p->is_weighted ? (double)ungroup_weight_bytes(p->task.sum) : 0;
    return (double)entries_of(p) * ((double)p->task.index_bytes + weight) +
           ((double)p->task.n + named_rows(p)) * (double)p->task.row_bytes;
}

static unsigned bounds(const plan_base *base, measured_bound out[EXPLAINED_BOUNDS]) {
    const ungroup_plan *const p = plan_of(base);
    out[0] = (measured_bound){"rows and places", "moving",
                              "each place, and each row that one names, is read once, each row written",
                              least_bytes(p) / (2 * (double)p->task.rows * (double)p->task.row_bytes)};
    return 1;
}

/* ------------------------------------------------------------------- in words */

static const char *way_of(const ungroup_plan *p) {
    return p->task.sum == RIFFLE_UNGROUP_SUM_NONE ? "rows" : "sums";
}

static riffle_status print(const plan_base *base, FILE *stream) {
    const ungroup_plan *const p = plan_of(base);
    const uint64_t keys = p->task.keys_per_row;
    fprintf(stream,
            "ungroup     %" PRIu64 " row%s of %zu byte%s of %" PRIu64 ", by %" PRIu64 " place%s of %zu bytes",
            p->task.n, plural(p->task.n), p->task.row_bytes, plural(p->task.row_bytes), p->task.rows, keys,
            plural(keys), p->task.index_bytes);
    fprintf(stream, "%s\nalgorithm   %s: ", keys > 1 ? " each" : "", way_of(p));
    if (p->task.sum == RIFFLE_UNGROUP_SUM_NONE)
        fprintf(stream, "each row is read where its place says");
    else
        fprintf(stream, "rows are read where their places say, and added up as %s%s",
                riffle_ungroup_sum_string(p->task.sum), p->is_weighted ? ", each times its weight" : "");
    if (base->threads > 0) fprintf(stream, ", by %u thread%s", base->threads, plural(base->threads));
    fprintf(stream,
            "\nbound       %.0f bytes are read and written: places and rows that they name once, and each row "
            "that comes back\n",
            least_bytes(p));
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}

static void members(const plan_base *base, FILE *stream) {
    const ungroup_plan *const p = plan_of(base);
    fprintf(stream,
            "\"n\":%" PRIu64 ",\"elem_bytes\":%zu,\"rows\":%" PRIu64 ",\"keys_per_row\":%" PRIu64
            ",\"index_bytes\":%zu,\"sum\":\"%s\",\"weights\":%s",
            p->task.n, p->task.row_bytes, p->task.rows, p->task.keys_per_row, p->task.index_bytes,
            riffle_ungroup_sum_string(p->task.sum), p->is_weighted ? "true" : "false");
    explain_members(base, way_of(p), stream);
}

riffle_status riffle_explain_ungroup(const riffle_ungroup_task *task, bool is_weighted, riffle_engine engine,
                                     const riffle_explanation *how, FILE *stream) {
    RETURN_IF_NULL(task, stream);
    ungroup_question asked = {.is_weighted = is_weighted && task->sum != RIFFLE_UNGROUP_SUM_NONE};
    const riffle_status status = ungroup_check_task(task, &asked.task);
    if (status != RIFFLE_OK) return status;
    asked.subject.task = &asked.task;
    const explained what = {.kernels = "rows that are brought back",
                            .most_elements = MOST_ELEMENTS,
                            .patterns = ungroup_patterns,
                            .subject = &asked.subject,
                            .asked = &asked,
                            .filled = PLACES,
                            EXPLAINED_PARTS};
    return explain_plan(&what, engine, how, stream);
}
