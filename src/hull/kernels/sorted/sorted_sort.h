/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls by sorting: a side's records in lexicographic order, in tiles by a bitonic network in shared memory, then in runs
 * merged four by four, where each record finds by bisection how many of the other runs' come before it (sorted.h).
 */
#ifndef RIFFLE_HULL_KERNELS_SORTED_SORTED_SORT_H
#define RIFFLE_HULL_KERNELS_SORTED_SORTED_SORT_H

#include "hull/kernels/sorted/sorted_take.h"

/* A tile of a side. */
typedef struct hull_tile {
    uint32_t side, first, length; /* records `first` and on of the side */
    uint32_t base;                /* where the side begins */
} hull_tile;

HULL_DEVICE hull_tile hull_tile_at(const hull_sorted_table *t, const hull_cursor *c, uint32_t number) {
    const uint32_t upper = hull_side_tiles(t, c, HULL_UPPER);
    hull_tile out;
    out.side = number < upper ? HULL_UPPER : HULL_LOWER;
    out.first = (number < upper ? number : number - upper) * t->tile;
    const uint32_t left = hull_side_length(t, c, out.side) - out.first;
    out.length = left < t->tile ? left : t->tile;
    out.base = hull_side_base(t, c, out.side);
    return out;
}

HULL_DEVICE uint32_t hull_all_tiles(const hull_sorted_table *t, const hull_cursor *c) {
    return hull_side_tiles(t, c, HULL_UPPER) + hull_side_tiles(t, c, HULL_LOWER);
}

/* Compares a pair (k, k + 2^j) of a round of the network. */
template <class record>
HULL_DEVICE void hull_compare(record *shared, uint32_t pair, uint32_t apart, uint32_t run) {
    const uint32_t k = 2 * pair - (pair & (apart - 1));
    const bool descends = (k & run) != 0;
    const uint32_t low = descends ? k + apart : k, high = descends ? k : k + apart;
    const record a = shared[low], b = shared[high];
    if (!hull_before(b, a)) return;
    shared[low] = b;
    shared[high] = a;
}

/* Behind all others. */
template <class record> HULL_DEVICE record hull_padding(const record &last) {
    record out = last;
    out.index = WARP_ALL_LANES;
    return out;
}

template <class record>
HULL_DEVICE void hull_step_tiles(const hull_sorted_table *t, const hull_cursor *c,
                                 uint64_t *shared_memory_of_tile) {
    record *const shared = (record *)shared_memory_of_tile;
    const record last = hull_end<record>(t, 1);
    for (uint32_t number = blockIdx.x; number < hull_all_tiles(t, c); number += gridDim.x) {
        const hull_tile tile = hull_tile_at(t, c, number);
        const uint32_t ends = hull_side_length(t, c, tile.side) - 2; /* they come behind the others */
        for (uint32_t k = threadIdx.x; k < t->tile; k += blockDim.x) {
            const uint32_t own = tile.first + k;
            shared[k] = k >= tile.length ? hull_padding(last)
                        : own < ends     ? *hull_unsorted<record>(t, c->arena, c->at, tile.side, own)
                                         : hull_end<record>(t, own - ends);
        }
        __syncthreads();
        for (uint32_t run = 2; run <= t->tile; run *= 2)
            for (uint32_t apart = run / 2; apart > 0; apart /= 2) {
                for (uint32_t pair = threadIdx.x; pair < t->tile / 2; pair += blockDim.x)
                    hull_compare(shared, pair, apart, run);
                __syncthreads();
            }
        record *const to = hull_buffer<record>(t, c->arena, 1 - c->at) + tile.base + tile.first;
        for (uint32_t k = threadIdx.x; k < tile.length; k += blockDim.x) to[k] = shared[k];
        __syncthreads();
    }
}

/* How many of a run's records come before `own`. */
template <class record> HULL_DEVICE uint32_t hull_rank(const record *run, uint32_t length, const record &own) {
    uint32_t low = 0;
    while (low < length) {
        const uint32_t middle = low + (length - low) / 2;
        if (hull_before(run[middle], own)) {
            low = middle + 1;
        } else {
            length = middle;
        }
    }
    return low;
}

/* Record k of a side, among those of HULL_FAN runs. */
template <class record>
HULL_DEVICE void hull_merge_one(const record *from, record *to, uint64_t run, uint32_t length, uint32_t k) {
    const uint64_t own_run = k / run, first_run = own_run / HULL_FAN * HULL_FAN;
    const record own = from[k];
    uint64_t place = first_run * run + k % run;
    for (uint32_t i = 0; i < HULL_FAN; ++i) {
        const uint64_t begin = (first_run + i) * run;
        if (first_run + i == own_run || begin >= length) continue;
        place += hull_rank(from + begin, (uint32_t)(length - begin < run ? length - begin : run), own);
    }
    to[place] = own;
}

template <class record> HULL_DEVICE void hull_step_merge(const hull_sorted_table *t, const hull_cursor *c) {
    const record *const from = hull_buffer<record>(t, c->arena, c->at);
    record *const to = hull_buffer<record>(t, c->arena, 1 - c->at);
    for (uint32_t side = 0; side < HULL_SIDES; ++side) {
        const uint32_t length = hull_side_length(t, c, side), base = hull_side_base(t, c, side);
        for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < length;
             k += (uint64_t)gridDim.x * blockDim.x)
            hull_merge_one(from + base, to + base, c->run, length, (uint32_t)k);
    }
}

#endif
