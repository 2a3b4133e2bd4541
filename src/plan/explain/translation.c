/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/translation.h"

#include "models/move_cost.h"
#include "plan/algorithm.h"

static bool moves_one_by_one_or_by_buckets(const plan_algorithm *a) {
    return a == &algorithm_scatter || a == &algorithm_gather || a == &algorithm_bucket;
}

void explain_translation(const plan_request *s, const plan_choice *choice, FILE *stream) {
    if (plan_target_is_device(&s->target) || !moves_one_by_one_or_by_buckets(choice->algorithm)) return;
    const translation_cache *const cache = &s->target.translation;
    const move_cost direct = move_cost_gather(s->n, s->elem_bytes, sizeof(uint32_t), cache);
    bucket_shape shape = {0, 1, BUCKET_ANY};
    if (choice->algorithm == &algorithm_bucket)
        shape = choice->shape;
    else if (s->elem_bytes <= BUCKET_MAX_ELEM_BYTES)
        shape = bucket_choose_shape(s->n, s->elem_bytes, cache);
    fprintf(stream, "translation  %.2f faults an element one by one", direct.faults);
    if (shape.passes > 1) {
        const move_cost cost = move_cost_bucket(s->n, s->elem_bytes, shape.piece_bits, shape.passes, cache);
        fprintf(stream, ", %.2f in %u bucket passes", cost.faults, shape.passes);
    }
    fprintf(stream, "; %.0f pages of 4 KiB are cached\n", cache->entries);
}
