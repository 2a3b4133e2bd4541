/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/predict.h"

#include "plan/algorithm.h"

static hmm_count times(hmm_count count, uint64_t factor) {
    return (hmm_count){factor * count.rounds, factor * count.stages, factor * count.shared_rounds,
                       factor * count.shared_stages};
}

riffle_status plan_predict(const plan_request *r, const plan_choice *c, const plan_model *model,
                           plan_prediction *out) {
    *out = (plan_prediction){.is_known = true, .is_exact = true};
    if (r->n == 0 || c->passes == 0) return RIFFLE_OK;
    const bool has_whole_warps = model->machine.block_threads % model->machine.width == 0;
    const bool is_aligned = r->batch == 1 || r->stride % model->machine.width == 0;
    out->is_known =
        c->algorithm->predict != NULL && !r->in_place && model->dmms == 1 && has_whole_warps && is_aligned;
    if (!out->is_known) return RIFFLE_OK;
    const riffle_status status = c->algorithm->predict(r, c, model, out);
    out->count = times(out->count, r->batch);
    return status;
}
