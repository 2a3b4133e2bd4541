/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/codes/work.h"

void *sort_written_by(const sort_work *w, unsigned stage) {
    return stage < sort_last_stage(w->s) && stage % 2 == 0 ? sort_at(w, w->s->keys) : w->b->to;
}

const void *sort_read_by(const sort_work *w, unsigned stage) {
    return stage > 0 ? sort_written_by(w, stage - 1) : w->b->from;
}

static uint32_t *carried_to(const sort_work *w, unsigned stage) {
    return stage < sort_last_stage(w->s) && stage % 2 == 0 ? sort_at(w, w->s->carried) : w->b->carried_to;
}

sort_carried sort_carried_by(const sort_work *w, unsigned stage) {
    return (sort_carried){.from = stage > 0 ? carried_to(w, stage - 1) : w->b->carried_from,
                          .to = carried_to(w, stage)};
}

sort_coder sort_coder_of(const sort_work *w, unsigned stage) {
    const sort_request *const r = w->r;
    return (sort_coder){.coding = r->coding,
                        .encodes = stage == 0 && r->is_coded,
                        .decodes = stage == sort_last_stage(w->s) && r->is_coded};
}

sort_summed sort_summed_by(const sort_work *w, unsigned stage) {
    const sort_compared *const of = &w->b->compared;
    const bool is_last = of->are_passes && stage == w->s->count;
    if (of->record == NULL || (stage > 0 && !is_last)) return (sort_summed){0};
    uint32_t each = stage > 0 ? 1 : 0; /* leaves of a segment; the first level has segments */
    for (unsigned k = 0; k < stage; k++) each *= w->s->level[k].row;
    return (sort_summed){of->record, is_last ? UINT64_MAX : 1, w->r->segments == 1 ? 0 : max(each, 1U)};
}

bool sort_alike_stay(const sort_work *w) {
    if (w->r->carries && w->b->compared.are_passes) return false;
    return sort_read_by(w, w->s->count) == w->b->to && !sort_coder_of(w, w->s->count).decodes;
}

bool sort_has_window(const sort_work *w) {
    return w->s->count == 2 && !w->r->is_segmented && w->r->needed < w->r->needed_end;
}

const uint32_t *sort_leaf_begin(const sort_work *w) {
    return w->s->count > 0 ? sort_at(w, w->s->leaf_begin) : w->b->begin;
}
