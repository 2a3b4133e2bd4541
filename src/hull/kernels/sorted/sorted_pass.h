/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls by sorting: a pass over candidates, which drops what lies in the hull of a sample (sorted.h). The edge over a
 * point is found by the point's cell over x, of which the corners before it are known, and by bisection among those in it.
 */
#ifndef RIFFLE_HULL_KERNELS_SORTED_SORTED_PASS_H
#define RIFFLE_HULL_KERNELS_SORTED_SORTED_PASS_H

#include "hull/kernels/sorted/sorted_join.h"

template <class record>
HULL_DEVICE hull_chain<record> hull_sample_chain(const hull_sorted_table *t, const hull_cursor *c,
                                                 uint32_t side) {
    return hull_chain<record>{hull_buffer<record>(t, HULL_SAMPLED, c->at) + t->state->chain_base[side],
                              t->state->chain[side]};
}

/* Coordinates to cells: never less for a greater x. */
typedef struct hull_cells {
    double from, scale;
} hull_cells;

template <class record> HULL_DEVICE hull_cells hull_cells_of(const hull_sorted_table *t) {
    const double from = 0.5 * (double)hull_end<record>(t, 0).x,
                 length = 0.5 * (double)hull_end<record>(t, 1).x - from;
    return hull_cells{from, length > 1e-290 ? t->grain / length : 0};
}

template <class record>
HULL_DEVICE uint32_t hull_cell(const hull_sorted_table *t, const hull_cells &cells, const record &own) {
    const double at = (0.5 * (double)own.x - cells.from) * cells.scale, last = t->grain - 1;
    return (uint32_t)(at < last ? at > 0 ? at : 0 : last);
}

/* How many corners are in cells before this one. */
template <class record>
HULL_DEVICE uint32_t hull_corners_before(const hull_sorted_table *t, const hull_cells &cells,
                                         const hull_chain<record> &chain, uint32_t cell) {
    uint32_t low = 0, high = chain.length;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (hull_cell(t, cells, chain.corner[middle]) < cell) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The sample's corners are kept first. */
template <class record>
HULL_DEVICE void hull_keep_chain(const hull_sorted_table *t, const hull_cursor *c,
                                 const hull_chain<record> &chain, uint32_t side) {
    const uint32_t which = c->round & 1;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k + 2 < chain.length;
         k += (uint64_t)gridDim.x * blockDim.x)
        *hull_unsorted<record>(t, HULL_KEPT, which, side, (uint32_t)k) = chain.corner[k + 1];
    if (blockIdx.x == 0 && threadIdx.x == 0) t->state->amount[HULL_KEPT][which][side] = chain.length - 2;
}

template <class record> HULL_DEVICE void hull_step_table(const hull_sorted_table *t, const hull_cursor *c) {
    const hull_cells cells = hull_cells_of<record>(t);
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    uint32_t edges = 0;
    for (uint32_t side = 0; side < HULL_SIDES; ++side) {
        const uint32_t base = hull_side_base(t, c, side);
        const hull_chain<record> chain = {hull_buffer<record>(t, HULL_SAMPLED, c->at) + base,
                                          t->lengths[c->level & 1][hull_first_group(t, c, side)]};
        for (uint32_t cell = thread; cell <= t->grain; cell += threads)
            t->cells[side * (t->grain + 1) + cell] = hull_corners_before(t, cells, chain, cell);
        hull_keep_chain(t, c, chain, side);
        edges += chain.length;
        if (thread > 0) continue;
        t->state->chain[side] = chain.length;
        t->state->chain_base[side] = base;
    }
    for (uint32_t k = thread; k < edges; k += threads) t->far[k] = 0;
}

/* ------------------------------------------------------------------ the pass */

/* The parts of the tables that a thread needs. */
template <class record> struct hull_look {
    hull_given from;
    hull_chain<record> upper, lower;
    hull_cells cells;
    record first, last;
};

/* No array, which would have to be in memory to be looked into. */
template <class record>
HULL_DEVICE const record *hull_corners_of(const hull_look<record> &look, uint32_t side) {
    return side == HULL_UPPER ? look.upper.corner : look.lower.corner;
}

template <class record>
HULL_DEVICE hull_look<record> hull_look_of(const hull_sorted_table *t, const hull_cursor *c) {
    hull_look<record> out;
    out.from = hull_given_by(&t->from);
    out.upper = hull_sample_chain<record>(t, c, HULL_UPPER);
    out.lower = hull_sample_chain<record>(t, c, HULL_LOWER);
    out.cells = hull_cells_of<record>(t);
    out.first = hull_end<record>(t, 0);
    out.last = hull_end<record>(t, 1);
    return out;
}

/* The last corner that is not after a point in lexicographic order. */
template <class record>
HULL_DEVICE uint32_t hull_corner_at(const hull_sorted_table *t, const hull_look<record> &look, uint32_t side,
                                    const record &own) {
    const uint32_t *const cell = t->cells + side * (t->grain + 1) + hull_cell(t, look.cells, own);
    const record *const corner = hull_corners_of(look, side);
    uint32_t low = cell[0], high = cell[1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (own.x < corner[middle].x || (own.x == corner[middle].x && own.y < corner[middle].y)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low - 1;
}

/* Remembers the farthest of an edge's points, of equal ones the least index: a word whose upper half is how far. */
template <class record>
HULL_DEVICE void hull_reach(const hull_sorted_table *t, const record &a, const record &b, const record &own,
                            uint32_t edge) {
    const double height = hull_height(a, b, own);
    const uint32_t far = hull_bits_as<uint32_t>((float)(height < 0 ? -height : height));
    const unsigned long long word = (unsigned long long)far << 32 | ~own.index;
    if (word > ATOMIC_READ(&t->far[edge])) ATOMIC_MAX(&t->far[edge], word);
}

/* True if a point of a side may be on the hull. */
template <class record>
HULL_DEVICE bool hull_is_kept(const hull_sorted_table *t, const hull_look<record> &look, uint32_t side,
                              const record &own) {
    const uint32_t at = hull_corner_at(t, look, side, own);
    const record a = hull_corners_of(look, side)[at];
    if (hull_same_place(a, own)) return own.index < a.index;
    const record b = hull_corners_of(look, side)[at + 1];
    const int beyond = (side == HULL_UPPER ? 1 : -1) * hull_side(a, b, own);
    if (beyond <= 0) return beyond == 0 && t->all;
    hull_reach(t, a, b, own, at + (side == HULL_UPPER ? 0 : look.upper.length));
    return true;
}

/* Candidate k of the first pass, or a record that the pass before has left. */
template <class record>
HULL_DEVICE uint32_t hull_pass_read(const hull_sorted_table *t, const hull_cursor *c,
                                    const hull_look<record> &look, uint32_t k, record *own) {
    if (c->round == 0) {
        *own = hull_candidate<record>(look.from, k);
        return hull_side_of(t, look.first, look.last, *own);
    }
    const uint32_t which = 1 - (c->round & 1), upper = t->state->amount[HULL_KEPT][which][HULL_UPPER];
    const uint32_t side = k < upper ? HULL_UPPER : HULL_LOWER;
    *own = *hull_unsorted<record>(t, HULL_KEPT, which, side, k < upper ? k : k - upper);
    return side;
}

template <class record>
HULL_DEVICE void hull_step_pass(const hull_sorted_table *t, const hull_cursor *c, uint64_t *shared) {
    const uint32_t step = blockDim.x * HULL_ITEMS;
    const hull_look<record> look = hull_look_of<record>(t, c);
    if (blockIdx.x == 0 && threadIdx.x < HULL_SIDES) /* for the sample that grows */
        t->state->amount[HULL_SAMPLED][1 - c->at][threadIdx.x] = t->state->chain[threadIdx.x] - 2;
    for (uint64_t start = (uint64_t)blockIdx.x * step; start < c->before; start += (uint64_t)gridDim.x * step) {
        record own[HULL_ITEMS];
        uint32_t side[HULL_ITEMS];
        UNROLL
        for (uint32_t i = 0; i < HULL_ITEMS; ++i) {
            const uint64_t k = start + i * blockDim.x + threadIdx.x;
            side[i] = HULL_DROPPED;
            if (k < c->before) side[i] = hull_pass_read(t, c, look, (uint32_t)k, &own[i]);
        }
        UNROLL
        for (uint32_t i = 0; i < HULL_ITEMS; ++i)
            if (side[i] != HULL_DROPPED && !hull_is_kept(t, look, side[i], own[i])) side[i] = HULL_DROPPED;
        hull_append<record>(t, HULL_KEPT, c->round & 1, own, side, (uint32_t *)shared);
    }
}

/* The sample's corners, and what is farthest beyond its edges. */
template <class record>
HULL_DEVICE void hull_step_grow(const hull_sorted_table *t, const hull_cursor *c, uint64_t *shared) {
    const uint32_t to = 1 - c->at, step = blockDim.x * HULL_ITEMS;
    for (uint32_t side = 0; side < HULL_SIDES; ++side) {
        const hull_chain<record> chain = hull_sample_chain<record>(t, c, side);
        const unsigned long long *const far = t->far + (side == HULL_UPPER ? 0 : t->state->chain[HULL_UPPER]);
        for (uint64_t start = (uint64_t)blockIdx.x * step; start < chain.length;
             start += (uint64_t)gridDim.x * step) {
            record own[HULL_ITEMS];
            uint32_t sides[HULL_ITEMS];
            UNROLL
            for (uint32_t i = 0; i < HULL_ITEMS; ++i) {
                const uint64_t k = start + i * blockDim.x + threadIdx.x;
                sides[i] = HULL_DROPPED;
                if (k >= chain.length) continue;
                if (k > 0 && k + 1 < chain.length)
                    *hull_unsorted<record>(t, HULL_SAMPLED, to, side, (uint32_t)k - 1) = chain.corner[k];
                if (far[k] == 0) continue;
                hull_read(&own[i], t->from.points, t->from.coordinate, ~(uint32_t)far[k]);
                sides[i] = side;
            }
            hull_append<record>(t, HULL_SAMPLED, to, own, sides, (uint32_t *)shared);
        }
    }
}

/* -------------------------------------------------------------------- steps */

template <class record>
HULL_DEVICE void hull_sorted_do(const hull_sorted_table *t, const hull_cursor *c, uint64_t *shared) {
    switch ((hull_sorted_step)c->step) {
    case HULL_STEP_BEGIN: hull_step_begin<record>(t, shared); break;
    case HULL_STEP_ENDS: hull_step_ends<record>(t, shared); break;
    case HULL_STEP_BELOW: hull_step_below<record>(t); break;
    case HULL_STEP_TAKE: hull_step_take<record>(t, shared); break;
    case HULL_STEP_SAMPLE: hull_step_sample<record>(t, shared); break;
    case HULL_STEP_TILES: hull_step_tiles<record>(t, c, shared); break;
    case HULL_STEP_MERGE: hull_step_merge<record>(t, c); break;
    case HULL_STEP_LEAVES: hull_step_leaves<record>(t, c, shared); break;
    case HULL_STEP_JOIN: hull_step_join<record>(t, c, shared); break;
    case HULL_STEP_MOVE: hull_step_move<record>(t, c); break;
    case HULL_STEP_TABLE: hull_step_table<record>(t, c); break;
    case HULL_STEP_PASS: hull_step_pass<record>(t, c, shared); break;
    case HULL_STEP_GROW: hull_step_grow<record>(t, c, shared); break;
    case HULL_STEP_WRITE: hull_step_write<record>(t, c); break;
    case HULL_STEP_DONE: break;
    }
}

#endif
