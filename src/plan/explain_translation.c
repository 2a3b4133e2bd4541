/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain_translation.h"

#include "plan/move_cost.h"

static bool moves_one_by_one_or_by_buckets(riffle_algorithm algorithm) {
    return algorithm == RIFFLE_ALGORITHM_SCATTER || algorithm == RIFFLE_ALGORITHM_GATHER ||
           algorithm == RIFFLE_ALGORITHM_BUCKET;
}

void explain_translation(const plan_summary *s, FILE *stream) {
    if (plan_target_is_device(&s->target) || !moves_one_by_one_or_by_buckets(s->choice.algorithm)) return;
    const translation_cache cache = translation_here();
    const move_cost direct = move_cost_gather(s->n, s->elem_bytes, sizeof(uint32_t), &cache);
    bucket_shape shape = {0, 1};
    if (s->elem_bytes <= BUCKET_MAX_ELEM_BYTES) shape = bucket_choose_shape(s->n, s->elem_bytes, &cache);
    fprintf(stream, "translation  %.2f faults an element one by one", direct.faults);
    if (shape.passes > 1) {
        const move_cost cost = move_cost_bucket(s->n, s->elem_bytes, shape.piece_bits, shape.passes, &cache);
        fprintf(stream, ", %.2f in %u bucket passes", cost.faults, shape.passes);
    }
    fprintf(stream, "; %.0f pages of 4 KiB are cached\n", cache.entries);
}
