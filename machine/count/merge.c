/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/merge.h"

#include <string.h>

static unsigned cell_by_address(const merge_access *a, unsigned lane, unsigned wide) {
    return (unsigned)(place_offset(a->access.at[lane]) % wide) / a->access.bytes;
}

/* The cell that all lanes access, of groups of `wide` bytes; false if they differ. */
static bool find_cell(const merge_access *a, unsigned wide, unsigned *cell) {
    *cell = cell_by_address(a, 0, wide);
    for (unsigned k = 1; k < a->access.lanes; k++) {
        if (cell_by_address(a, k, wide) != *cell) return false;
    }
    return true;
}

/* All lanes' vectors begin where one of two components, or of four, must. */
static bool is_aligned(const merge_access *a) {
    const unsigned cells = a->component > 2 ? 4 : 2, own = a->component - 1;
    for (unsigned k = 0; k < a->access.lanes; k++) {
        const uint64_t start = place_offset(a->access.at[k]) - (uint64_t)own * a->access.bytes;
        if (start % (cells * a->access.bytes) != 0) return false;
    }
    return true;
}

/* The cell that it is of its group; false if it can be part of none. */
static bool own_cell(const merge_access *a, unsigned *cell) {
    if (a->access.op == OP_ATOMIC || a->access.bytes > MERGE_BYTES / 2) return false;
    if (a->widest == 0) {
        *cell = a->component - 1;
        return a->component > 0 && is_aligned(a);
    }
    for (unsigned wide = a->widest; wide > a->access.bytes; wide /= 2)
        if (find_cell(a, wide, cell)) return true;
    return false;
}

static bool same_lanes(const merge_group *g, const merge_access *a, unsigned cell) {
    const warp_access *own = &g->first.access, *its = &a->access;
    if (own->lanes != its->lanes || memcmp(own->lane, its->lane, its->lanes) != 0) return false;
    for (unsigned k = 0; k < its->lanes; k++) {
        if (own->at[k] + (uint64_t)cell * its->bytes != its->at[k]) return false;
    }
    return true;
}

static bool takes(const merge_group *g, const merge_access *next, unsigned cell) {
    const merge_access *first = &g->first;
    const bool near = next->widest > 0 || first->block == next->block;
    return near && (g->held >> cell & 1) == 0 && first->widest == next->widest && first->call == next->call &&
           first->access.op == next->access.op && first->access.space == next->access.space &&
           first->access.bytes == next->access.bytes && same_lanes(g, next, cell);
}

static merge_group *find_group(merge *m, const merge_access *next, unsigned cell) {
    for (unsigned k = m->count; k > 0; k--) {
        if (takes(&m->group[k - 1], next, cell)) return &m->group[k - 1];
    }
    return NULL;
}

/* Components are made one only where the compiler can see that nothing is between; by widths it has told. */
static bool is_cut_off(const merge_group *g, const merge_access *next) {
    if (g->first.widest > 0) return false;
    const bool reads = g->first.access.op == OP_READ && next->access.op == OP_READ;
    return !reads || next->component != 0 || g->first.call != next->call || g->first.block != next->block;
}

bool merge_must_end(const merge *m, const merge_access *next) {
    unsigned cell;
    if (m->count == 0) return false;
    const bool joins = own_cell(next, &cell);
    for (unsigned k = 0; joins && k < m->count; k++)
        if (takes(&m->group[k], next, cell)) return false;
    return (joins && m->count == MERGE_GROUPS) || is_cut_off(&m->group[0], next);
}

bool merge_hold(merge *m, const merge_access *next) {
    unsigned cell;
    if (!own_cell(next, &cell)) return false;
    merge_group *g = find_group(m, next, cell);
    if (g == NULL) {
        g = &m->group[m->count++];
        g->first = *next;
        g->held = 0;
        for (unsigned k = 0; k < next->access.lanes; k++)
            g->first.access.at[k] -= (uint64_t)cell * next->access.bytes;
    }
    g->held |= 1u << cell;
    g->site[cell] = next->site;
    return true;
}

/* How many of the held cells from `first` on become one access: a power of two, at a multiple of itself. */
static unsigned cells_of_one(const merge_group *g, unsigned first) {
    for (unsigned cells = MERGE_BYTES / g->first.access.bytes; cells > 1; cells /= 2) {
        if (g->first.widest > 0 && cells * g->first.access.bytes > g->first.widest) continue;
        const uint32_t wanted = (1u << cells) - 1;
        if (first % cells == 0 && (g->held >> first & wanted) == wanted) return cells;
    }
    return 1;
}

unsigned merge_next(merge *m, merge_access *out) {
    if (m->count == 0) return 0;
    merge_group *g = &m->group[0];
    const unsigned first = (unsigned)__builtin_ctz(g->held), cells = cells_of_one(g, first);
    *out = g->first;
    out->site = g->site[first];
    for (unsigned k = 0; k < out->access.lanes; k++)
        out->access.at[k] += (uint64_t)first * g->first.access.bytes;
    out->access.bytes *= cells;
    g->held &= ~(((1u << cells) - 1) << first);
    if (g->held == 0) memmove(&m->group[0], &m->group[1], --m->count * sizeof m->group[0]);
    return cells;
}
