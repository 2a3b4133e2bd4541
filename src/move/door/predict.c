/* SPDX-License-Identifier: Apache-2.0
 *
 * The door to predictions: one algorithm on one memory machine, as explanations list all of them.
 */
#include "plan/explain/predict.h"
#include "base/status.h"
#include "device/predict/pattern.h"
#include "models/hmm.h"
#include "plan/choose/choose.h"
#include "plan/explain/how.h"
#include "plan/explain/model.h"
#include "riffle/machine.h"

static riffle_status predict(const plan_request *r, const riffle_machine_options *m, riffle_prediction *out) {
    const prediction_model model = explain_model_of(r->perm, m);
    plan_choice choice;
    prediction p;
    riffle_status status = plan_choose(r, &choice);
    if (status != RIFFLE_OK) return status;
    status = plan_predict(r, &choice, &model, &p);
    if (status == RIFFLE_OK)
        *out =
            (riffle_prediction){.is_known = p.is_known,
                                .is_exact = p.is_known && p.meaning == PATTERN_EXACT,
                                .time_units = p.is_known ? pattern_time_units(&p.counts) : 0,
                                .bound = r->n > 0 ? hmm_lower_bound(r->n * r->batch, m->width, m->latency) : 0};
    prediction_free(&p);
    return status;
}

riffle_status riffle_predict(const riffle_perm *perm, size_t elem_bytes,
                             const riffle_plan_options *plan_options,
                             const riffle_machine_options *machine_options, riffle_prediction *out) {
    RETURN_IF_NULL(perm, out);
    riffle_machine_options machine;
    plan_request request;
    riffle_status status = explain_take_machine(machine_options, &machine);
    if (status == RIFFLE_OK && plan_options != NULL) status = plan_check_fits(plan_options->check, &machine);
    if (status != RIFFLE_OK) return status;
    const plan_target target = explain_target(&machine);
    status = plan_request_take(perm, elem_bytes, &target, plan_options, &request);
    if (status != RIFFLE_OK) return status;
    status = predict(&request, &machine, out);
    plan_request_drop(&request);
    return status;
}
