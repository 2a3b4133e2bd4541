/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks for keys by which a comparison of the user's is no order.
 */
#include "base/status.h"
#include "sort/cpu/comparison.h"
#include "sort/plan.h"

riffle_status riffle_sort_check(const riffle_sort_plan *plan, const void *from_keys, uint64_t witness[3]) {
    comparison *own = NULL;
    RETURN_IF_NULL(plan);
    if (plan->n == 0) return RIFFLE_OK;
    RETURN_IF_NULL(from_keys);
    if (plan->key.before == NULL) return RIFFLE_OK;
    riffle_status status = comparison_compile(&plan->key, &own);
    if (status != RIFFLE_OK) return status;
    comparing by = comparing_by(own, plan->stop, plan->stop_context);
    status = comparison_check(&by, from_keys, plan->layout.elem_bytes, plan->n, witness);
    comparison_free(own);
    return status;
}
