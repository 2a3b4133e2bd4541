/* SPDX-License-Identifier: Apache-2.0 */
#include "group/predict/tile.h"

#include "base/arithmetic.h"

enum {
    CLEARED,
    RANKED, /* few groups: a lane's count, and a group's first lane's; many: all lanes' */
    RANK_SET,
    ADDED,
    COUNTED,
    COLUMN,
    COLUMN_SET,
    NUMBERED,
    LOADED,
    SUMS = LOADED + GROUP_LOAD_SITES,
};

_Static_assert(SUMS + GROUP_SUM_SITES == GROUP_TILE_SITES, "sites of a tile");

void group_tile_declare(group_view *v, unsigned site) {
    static const struct {
        unsigned site;
        pattern_op op;
        size_t bytes;
    } all[] = {{CLEARED, PATTERN_WRITE, 4}, {RANKED, PATTERN_READ, 2}, {RANK_SET, PATTERN_WRITE, 2},
               {COUNTED, PATTERN_READ, 2},  {COLUMN, PATTERN_READ, 4}, {COLUMN_SET, PATTERN_WRITE, 4},
               {NUMBERED, PATTERN_READ, 2}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        pattern_declare(v->out, site + all[k].site, PATTERN_SHARED, all[k].op, all[k].bytes);
    pattern_declare_atomic(v->out, site + ADDED, PATTERN_SHARED, sizeof(uint32_t));
    group_load_declare(v, site + LOADED);
    group_sums_declare(v, site + SUMS, sizeof(uint32_t));
}

static uint64_t pairs_of(const group_view *v) { return v->table.columns / 2 + 1; }

/* A warp's row of cells. */
static uint64_t row_at(const group_view *v, const group_tile_order *tile, unsigned warp) {
    return tile->cells + warp * pairs_of(v) * sizeof(uint32_t);
}

static void order(const group_view *v, const group_entries *e, group_tile_order *tile) {
    const uint32_t groups = v->table.columns;
    uint16_t next[GROUP_STAGED_GROUPS + 1] = {0};
    for (uint64_t k = 0; k < tile->left; k++)
        if (e->group[k] < groups) next[e->group[k]]++;
    tile->count = 0;
    for (uint32_t g = 0; g < groups; g++) {
        const uint16_t count = next[g];
        next[g] = (uint16_t)tile->count;
        tile->count += count;
    }
    for (uint64_t k = 0; k < tile->left; k++) {
        if (e->group[k] >= groups) continue;
        tile->number[k] = next[e->group[k]]++;
        tile->ordered[tile->number[k]] = (uint16_t)k;
    }
}

/* True if no lane before has the group. */
static bool is_first(const group_entries *e, uint64_t begin, uint64_t k) {
    for (uint64_t before = begin; before < k; before++)
        if (e->group[before] == e->group[k]) return false;
    return true;
}

/* A warp's entries side by side. Lanes behind the last are outside, and counted too where groups are many. */
static void rank(group_view *v, unsigned site, const group_entries *e, unsigned warp, uint32_t i,
                 const group_tile_order *tile) {
    const uint64_t row = row_at(v, tile, warp), begin = group_tile_entry(tile, warp, 0, i);
    const uint32_t groups = v->table.columns;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint64_t k = begin + lane;
        const uint32_t group = k < tile->left ? e->group[k] : groups;
        tape_lane(&v->on, warp);
        group_note_load(v, site + LOADED, e->first, group_tile_entry(tile, warp, lane, 0), tile->left, i,
                        tile->items, WARP_LANES);
        if (v->table.bits >= GROUP_MANY_BITS) {
            tape_note(&v->on, site + ADDED, row + group / 2 * sizeof(uint32_t));
            tape_note(&v->on, site + COUNTED, row + group * sizeof(uint16_t));
        }
        if (group >= groups) continue;
        tape_note(&v->on, site + NUMBERED, row + group * sizeof(uint16_t));
        if (v->table.bits >= GROUP_MANY_BITS) continue;
        tape_note(&v->on, site + RANKED, row + group * sizeof(uint16_t));
        if (is_first(e, begin, k)) tape_note(&v->on, site + RANK_SET, row + group * sizeof(uint16_t));
    }
    tape_meet(&v->on);
}

/* A thread has two groups, a cell of each row. */
static void columns(group_view *v, unsigned site, unsigned warp, const group_tile_order *tile) {
    const uint64_t cells = ceil_div(v->table.columns, 2U), first = warp * WARP_LANES;
    if (first >= cells) return;
    for (unsigned row = 0; row < GROUP_WARPS; row++) {
        const uint64_t at = row_at(v, tile, row) + first * sizeof(uint32_t),
                       some = min(cells - first, (uint64_t)WARP_LANES);
        group_note_run(v, warp, site + COLUMN, at, some, sizeof(uint32_t));
        group_note_run(v, warp, site + COLUMN_SET, at, some, sizeof(uint32_t));
    }
}

void group_note_tile(group_view *v, unsigned site, const group_entries *e, group_tile_order *tile) {
    const uint64_t pairs = pairs_of(v);
    tile->left = e->count;
    for (unsigned warp = 0; warp < GROUP_WARPS; warp++) {
        for (uint64_t k = 0; k < pairs; k += WARP_LANES)
            group_note_run(v, warp, site + CLEARED, row_at(v, tile, warp) + k * sizeof(uint32_t),
                           min(pairs - k, (uint64_t)WARP_LANES), sizeof(uint32_t));
        for (uint32_t i = 0; i < tile->items; i++) rank(v, site, e, warp, i, tile);
        columns(v, site, warp, tile);
    }
    group_note_sums(v, site + SUMS, tile->sums, sizeof(uint32_t));
    order(v, e, tile);
}
