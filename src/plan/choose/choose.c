/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/choose/choose.h"

#include "base/status.h"
#include "plan/algorithm.h"
#include "plan/choose/in_place.h"
#include "plan/choose/policy.h"

static riffle_status policy_of(const plan_request *r, policy_choice *out, bucket_shape *shape) {
    if (r->algorithm == RIFFLE_ALGORITHM_AUTO && plan_target_is_device(&r->target))
        return policy_device(r, out);
    *out = r->algorithm == RIFFLE_ALGORITHM_AUTO ? policy_cpu(r, shape)
                                                 : (policy_choice){algorithm_record(r->algorithm), "asked for"};
    return RIFFLE_OK;
}

static riffle_status choose(const plan_request *r, plan_choice *out) {
    policy_choice policy;
    bucket_shape shape = {.passes = 0};
    const riffle_status status = policy_of(r, &policy, &shape);
    if (status != RIFFLE_OK) return status;
    const plan_algorithm *const a = policy.algorithm;
    *out = (plan_choice){.algorithm = a, .reason = policy.reason, .passes = 1, .shape = shape};
    const char *const why_not = a->obstacle != NULL ? a->obstacle(r) : NULL;
    if (why_not != NULL) {
        const char *remedy = r->algorithm == RIFFLE_ALGORITHM_AUTO ? "" : "; leave the choice to 'auto'";
        return fail(RIFFLE_ERROR_UNSUPPORTED, "algorithm '%s' cannot do this: %s%s", a->name, why_not, remedy);
    }
    return a->shape != NULL ? a->shape(r, out) : RIFFLE_OK;
}

/* A batch of arrays that are too short for several threads has a thread an array, unless they share a
 * workspace. */
static void share_out(const plan_request *r, plan_choice *c) {
    const plan_algorithm *const a = c->algorithm;
    c->threads = threads_for(r->array_bytes, a->bytes_a_thread != NULL ? a->bytes_a_thread(r) : BYTES_A_THREAD,
                             r->most_threads);
    c->batch_threads = 1;
    if (c->threads > 1 || c->passes > 1) return;
    c->batch_threads = threads_for((size_t)r->batch * r->array_bytes, BYTES_A_THREAD, r->most_threads);
    if (c->batch_threads > r->batch) c->batch_threads = (unsigned)r->batch;
}

/* A check of passes needs two that compare what is between them. */
static riffle_status check_passes(const plan_request *r, const plan_choice *c) {
    if (r->check != RIFFLE_CHECK_PASSES || r->array_bytes == 0 || c->passes == 0) return RIFFLE_OK;
    if (c->passes == 1)
        return fail(
            RIFFLE_ERROR_UNSUPPORTED,
            "a check of passes has nothing to compare: algorithm '%s' moves this in one pass; take the check "
            "'full', or an algorithm of several passes, as 'bucket' is of long arrays",
            c->algorithm->name);
    if (c->algorithm->compares) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "algorithm '%s' compares nothing between its passes; take the check 'full', or "
                "leave it out",
                c->algorithm->name);
}

riffle_status plan_choose(const plan_request *r, plan_choice *out) {
    plan_choice choice;
    if (r->algorithm != RIFFLE_ALGORITHM_AUTO && algorithm_record(r->algorithm) == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no algorithm with number %u",
                    (unsigned)r->algorithm);
    riffle_status status = r->in_place ? in_place_choose(r, &choice) : choose(r, &choice);
    if (status == RIFFLE_OK) status = check_passes(r, &choice);
    if (status != RIFFLE_OK) return status;
    choice.loops = choice.algorithm->loops != NULL ? choice.algorithm->loops(r) : LOOPS_PLAIN;
    plan_expect(r, &choice);
    share_out(r, &choice);
    *out = choice;
    return RIFFLE_OK;
}

riffle_status plan_build(const plan_request *request, riffle_plan **out) {
    plan_choice choice;
    const riffle_status status = plan_choose(request, &choice);
    return status == RIFFLE_OK ? plan_build_chosen(request, &choice, out) : status;
}
