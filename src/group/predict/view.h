/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch of groups that is followed block by block, and how its accesses are noted.
 */
#ifndef RIFFLE_GROUP_PREDICT_VIEW_H
#define RIFFLE_GROUP_PREDICT_VIEW_H

#include "device/kernels/lanes.h"
#include "device/predict/tape.h"
#include "group/kernels/kernel.h"
#include "group/predict/known.h"

/** A launch that is followed. */
typedef struct group_view {
    const launch *work;
    const group_subject *subject;
    const group_pass *pass; /**< whose columns the launch counts or moves */
    group_table table;      /**< where the kernel takes one */
    pattern *out;
    tape on;
} group_view;

/** Follows a block of a launch, whose number is given: the tape has begun it. */
typedef riffle_status group_block(group_view *v, uint64_t block);

/** Follows blocks of a launch, of so many entries each about. A failure is the pattern's. */
void group_follow(group_view *v, uint64_t block_entries, group_block *follow);

/** A view of a launch, with what is known of its entries; false without memory. The table is the kernel's, or NULL. */
bool group_view_begin(const launch *work, const void *subject, const group_table *table, pattern *out,
                      group_view *v);
void group_view_end(group_view *v);

/** The number of a launch's warps in a block. */
static inline unsigned group_warps(const group_view *v) { return v->work->block_x / WARP_LANES; }

/** Notes one access of a warp, of one lane or of all lanes of one cell. */
static inline void group_note_one(group_view *v, unsigned warp, unsigned site, uint64_t at) {
    tape_lane(&v->on, warp);
    tape_note(&v->on, site, at);
    tape_meet(&v->on);
}

/** Notes neighbouring cells from `at` on, a lane each. */
void group_note_run(group_view *v, unsigned warp, unsigned site, uint64_t at, uint64_t cells,
                    size_t cell_bytes);

#endif
