/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts that all blocks of groups have: keys that are read, sums of threads, groups laid out, places written.
 */
#ifndef RIFFLE_GROUP_PREDICT_LAYOUT_H
#define RIFFLE_GROUP_PREDICT_LAYOUT_H

#include "group/predict/view.h"

/** Sites of sums, of groups that are laid out, and of keys that a thread loads, from one on. */
enum { GROUP_SUM_SITES = 2, GROUP_LAYOUT_SITES = 2 * GROUP_SUM_SITES + 9, GROUP_LOAD_SITES = 2 };

/** Declares sums of so many bytes. */
void group_sums_declare(group_view *v, unsigned site, size_t bytes);

/** The threads' numbers are added up: sums of warps lie at `at` of shared memory. */
void group_note_sums(group_view *v, unsigned site, uint64_t at, size_t bytes);

/** Declares keys as threads load some at once. */
void group_load_declare(group_view *v, unsigned site);

/** A lane loads its key of number i of so many, `apart` entries from one to the next: its first is `at` behind `first`, of `left` entries. */
void group_note_load(group_view *v, unsigned site, uint64_t first, uint64_t at, uint64_t left, uint32_t i,
                     uint32_t items, uint32_t apart);

/** Declares a layout by totals that lie in shared or in global memory. */
void group_layout_declare(group_view *v, unsigned site, pattern_space totals);

/** Groups are laid out by one block: totals lie at `totals`, sums of warps at `sums` of shared memory. */
void group_note_layout(group_view *v, unsigned site, uint64_t totals, uint64_t sums);

/** Writes of the caller's places, or of the workspace's. */
static inline void group_places_declare(group_view *v, unsigned site, pattern_op op) {
    if (v->table.index_bytes > 0) pattern_declare(v->out, site, PATTERN_GLOBAL, op, v->table.index_bytes);
}
static inline void group_note_place(group_view *v, unsigned site, uint64_t entry) {
    if (v->table.index_bytes > 0)
        tape_note(&v->on, site, (uintptr_t)v->table.places + entry * v->table.index_bytes);
}

/** A warp reads how many entries there are, where another kernel has said so. */
static inline void group_count_declare(group_view *v, unsigned site) {
    if (v->table.count != NULL) pattern_declare(v->out, site, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
}
static inline void group_note_count(group_view *v, unsigned warp, unsigned site) {
    if (v->table.count != NULL) group_note_one(v, warp, site, (uintptr_t)v->table.count);
}

/** Reads of keys. */
static inline void group_keys_declare(group_view *v, unsigned site) {
    pattern_declare(v->out, site, PATTERN_GLOBAL, PATTERN_READ, v->table.key_bytes);
}
static inline void group_note_key(group_view *v, unsigned site, uint64_t entry) {
    tape_note(&v->on, site, (uintptr_t)v->table.keys + entry * v->table.key_bytes);
}

/** True if groups have so much room at most that the kernel looks where they end. */
static inline bool group_has_capacity(const group_view *v) { return v->table.capacity != UINT64_MAX; }

static inline uint64_t group_cell(const void *cells, uint64_t k, size_t bytes) {
    return (uintptr_t)cells + k * bytes;
}

#endif
