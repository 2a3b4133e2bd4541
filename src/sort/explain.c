/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of riffle_sort_plan_explain.
 */
#include <inttypes.h>

#include "base/status.h"
#include "models/sort_bound.h"
#include "sort/plan.h"

static const char *const task_names[] = {"sorted", "merged", "the first of them", "partitioned",
                                         "sorted, each once"};

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void print_key(const riffle_sort_plan *plan, FILE *out) {
    fprintf(out, "sort        %" PRIu64 " element%s of %" PRIu32 " byte%s, %s", plan->n, plural(plan->n),
            plan->layout.elem_bytes, plural(plan->layout.elem_bytes), task_names[plan->task]);
    if (plan->segments > 1) fprintf(out, ", in %" PRIu64 " segments", plan->segments);
    fprintf(out, "\nkey         ");
    if (plan->key.before != NULL)
        fprintf(out, "a comparison of the user's");
    else
        fprintf(out, "%" PRIu32 " field%s, %" PRIu32 " byte%s", plan->layout.fields,
                plural(plan->layout.fields), plan->layout.key_bytes, plural(plan->layout.key_bytes));
    fprintf(out, plan->is_number ? "; nothing tells equal ones apart\n" : "; stable\n");
}

static void print_bound(const riffle_sort_plan *plan, const sort_model *model, FILE *out) {
    const double S = (double)model->block_bytes / plan->layout.elem_bytes;
    const double elements = S < 1 ? 1 : S, held = (double)model->cache_bytes / (double)model->block_bytes;
    const double blocks = (double)plan->n / elements;
    const sort_bound bound = sort_bound_of(plan->n, elements, held);
    fprintf(out, "exchanges   about %.4g blocks of %zu bytes: all are read and written %.0f time%s\n",
            blocks * model->passes, model->block_bytes, model->passes, model->passes > 1 ? "s" : "");
    if (model->counts) return;
    fprintf(out,
            "bound       %.4g to permute (Theorem 4.1), %.4g to compare (section 4.1.2),\n"
            "            of %u processor%s that hold %.0f blocks each\n",
            bound.permuting, bound.comparing, model->processors, model->processors > 1 ? "s" : "", held);
}

riffle_status riffle_sort_plan_explain(const riffle_sort_plan *plan, FILE *stream) {
    RETURN_IF_NULL(plan, stream);
    sort_model model = {0};
    print_key(plan, stream);
    fprintf(stream, "algorithm   %s", riffle_sort_algorithm_string(plan->algorithm));
    fprintf(stream, plan->base.threads > 1 ? ", %u threads\n" : "\n", plan->base.threads);
    if (plan->engine->explain != NULL) plan->engine->explain(plan, stream, &model);
    fprintf(stream, "memory      %zu bytes besides the arrays\n", plan->base.workspace_bytes);
    if (model.passes > 0 && plan->n > 0) print_bound(plan, &model, stream);
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}
