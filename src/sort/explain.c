/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of riffle_sort_plan_explain.
 */
#include "sort/explain.h"

#include <inttypes.h>
#include <math.h>

#include "base/names.h"
#include "base/status.h"
#include "models/io_bounds.h"

static const char *const task_names[] = {"sorted", "merged", "the first", "partitioned at",
                                         "sorted, each once"};

static void print_key(const riffle_sort_plan *plan, FILE *out) {
    fprintf(out, "sort        %" PRIu64 " element%s of %" PRIu32 " byte%s, %s", plan->n, plural(plan->n),
            plan->layout.elem_bytes, plural(plan->layout.elem_bytes), task_names[plan->task]);
    if (sort_task_counts(plan->task)) fprintf(out, " %" PRIu64, plan->count);
    if (plan->segments > 1) fprintf(out, ", in %" PRIu64 " segments", plan->segments);
    fprintf(out, "\nkey         ");
    if (plan->key.before != NULL)
        fprintf(out, "a comparison of the user's");
    else
        fprintf(out, "%" PRIu32 " field%s, %" PRIu32 " byte%s", plan->layout.fields,
                plural(plan->layout.fields), plan->layout.key_bytes, plural(plan->layout.key_bytes));
    fprintf(out, plan->is_number ? "; nothing tells equal ones apart\n" : "; stable\n");
}

sort_exchanges sort_exchanges_of(const riffle_sort_plan *plan) {
    sort_exchanges out = {.blocks = 0};
    if (plan->engine->exchanges == NULL || plan->n == 0) return out;
    out.model = plan->engine->exchanges(plan);
    if (out.model.passes == 0) return out;
    out.elements = fmax((double)out.model.block_bytes / plan->layout.elem_bytes, 1);
    out.held = (double)out.model.cache_bytes / (double)out.model.block_bytes;
    out.blocks = (double)plan->n / out.elements;
    if (out.model.counts) return out;
    const io_machine machine = {.processors = 1, .block = out.elements, .cache_blocks = out.held};
    out.bound.permuting = io_bound_permutation((double)plan->n, machine);
    out.bound.comparing = io_bound_sorting((double)plan->n, machine);
    return out;
}

/* All are read once more than they are written where half a pass is left. */
static void print_passes(double passes, FILE *out) {
    const double reads = ceil(passes), writes = floor(passes);
    if (reads > writes) fprintf(out, "read %.0f time%s", reads, reads > 1 ? "s" : "");
    if (writes > 0)
        fprintf(out, "%s written %.0f time%s", reads > writes ? " and" : "read and", writes,
                writes > 1 ? "s" : "");
    fputc('\n', out);
}

static void print_exchanges(const riffle_sort_plan *plan, FILE *out) {
    const sort_exchanges e = sort_exchanges_of(plan);
    if (e.blocks == 0) return;
    fprintf(out, "exchanges   about %.4g blocks of %zu bytes: all are ", e.blocks * e.model.passes,
            e.model.block_bytes);
    print_passes(e.model.passes, out);
    if (e.model.counts) return;
    fprintf(out,
            "bound       %.4g to permute (Theorem 4.1), %.4g to compare (section 4.1.2),\n"
            "            of %u processor%s %.0f blocks%s\n",
            e.bound.permuting, e.bound.comparing, e.model.processors,
            e.model.processors == 1 ? " that holds" : "s that hold", e.held,
            e.model.processors == 1 ? "" : " each");
}

static void print_check(const riffle_sort_plan *plan, FILE *out) {
    if (plan->check == RIFFLE_CHECK_FULL && plan->adds_up)
        fprintf(out,
                "check       full: the first level adds up what it reads, and the result is read once more\n");
    else if (plan->check == RIFFLE_CHECK_FULL)
        fprintf(out, "check       full: what is sorted is read once more before, and the result behind it\n");
    else if (plan->check == RIFFLE_CHECK_PASSES && plan->engine == &cpu_sort_engine)
        fprintf(out, "check       passes: codes as they are made, and as they are sorted, are compared\n");
    else if (plan->check == RIFFLE_CHECK_PASSES)
        fprintf(out,
                "check       passes: what the first level and the leaves read is compared, and leaves beside "
                "each other\n");
}

riffle_status riffle_sort_plan_explain(const riffle_sort_plan *plan, FILE *stream) {
    RETURN_IF_NULL(plan, stream);
    print_key(plan, stream);
    fprintf(stream, "algorithm   %s", riffle_sort_algorithm_string(plan->algorithm));
    fprintf(stream, plan->base.threads > 1 ? ", %u threads\n" : "\n", plan->base.threads);
    if (plan->engine->explain != NULL) plan->engine->explain(plan, stream);
    fprintf(stream, "memory      %zu bytes besides the arrays\n", plan->base.workspace_bytes);
    print_exchanges(plan, stream);
    print_check(plan, stream);
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}
