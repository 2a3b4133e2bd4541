/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of riffle_hull_plan_explain.
 */
#include <inttypes.h>

#include "base/names.h"
#include "base/status.h"
#include "hull/plan.h"

static void print_request(const riffle_hull_plan *plan, FILE *out) {
    fprintf(out, "hull        %" PRIu64 " point%s of type %s, ", plan->n, plural(plan->n),
            riffle_type_string(plan->type));
    if (plan->sets > 1) fprintf(out, "in %" PRIu64 " sets, ", plan->sets);
    fprintf(out, "%s%s\n", plan->all ? "with points between two corners" : "corners alone",
            plan->points ? "" : ", as indices");
}

riffle_status riffle_hull_plan_explain(const riffle_hull_plan *plan, FILE *stream) {
    RETURN_IF_NULL(plan, stream);
    print_request(plan, stream);
    fprintf(stream, "algorithm   %s", riffle_hull_algorithm_string(plan->algorithm));
    if (plan->algorithm == RIFFLE_HULL_ALGORITHM_AUTO) fprintf(stream, ": %s", plan->engine->way(plan));
    fprintf(stream, plan->base.threads > 1 ? ", %u threads\n" : "\n", plan->base.threads);
    if (plan->n > 0) plan->engine->explain(plan, stream);
    if (plan->base.threads == 0)
        fprintf(stream, "memory      %zu bytes besides the arrays\n", plan->base.workspace_bytes);
    fprintf(stream, "bound       %zu byte%s are read: each point once\n",
            (size_t)plan->n * hull_point_bytes(plan), plural(plan->n * hull_point_bytes(plan)));
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}
