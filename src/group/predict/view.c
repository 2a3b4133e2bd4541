/* SPDX-License-Identifier: Apache-2.0 */
#include "group/predict/view.h"

#include "base/status.h"

bool group_view_begin(const launch *work, const void *subject, const group_table *table, pattern *out,
                      group_view *v) {
    *v = (group_view){.work = work, .subject = subject, .out = out};
    if (table != NULL) v->table = *table;
    if (v->subject->keys == NULL) pattern_mean(out, PATTERN_EXPECTED);
    out->status = group_know(subject, table, &v->pass);
    if (out->status != RIFFLE_OK) return false;
    out->status = tape_create(out, group_warps(v), &v->on);
    return out->status == RIFFLE_OK;
}

void group_view_end(group_view *v) { tape_free(&v->on); }

void group_follow(group_view *v, uint64_t block_entries, group_block *follow) {
    const uint64_t samples = pattern_samples(v->out, block_entries);
    for (uint64_t k = 0; k < samples && v->out->status == RIFFLE_OK; k++) {
        const uint64_t block = pattern_sample(v->out, samples, k);
        tape_begin_block(&v->on, group_warps(v));
        const riffle_status status = follow(v, block);
        if (status != RIFFLE_OK) v->out->status = status;
    }
}

void group_note_run(group_view *v, unsigned warp, unsigned site, uint64_t at, uint64_t cells,
                    size_t cell_bytes) {
    for (uint64_t k = 0; k < cells; k++) {
        tape_lane(&v->on, warp);
        tape_note(&v->on, site, at + k * cell_bytes);
    }
    tape_meet(&v->on);
}
