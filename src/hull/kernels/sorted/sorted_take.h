/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls by sorting: the ends, and records read, told apart and appended to arenas (sorted.h).
 */
#ifndef RIFFLE_HULL_KERNELS_SORTED_SORTED_TAKE_H
#define RIFFLE_HULL_KERNELS_SORTED_SORTED_TAKE_H

#include "hull/kernels/block.h"
#include "hull/kernels/sorted/sorted.h"

enum { HULL_ITEMS = 4 }; /* records of a thread that are appended together */

template <class record>
HULL_DEVICE record *hull_buffer(const hull_sorted_table *t, uint32_t arena, uint32_t which) {
    return (record *)t->records[arena][which];
}

template <class record> HULL_DEVICE record hull_end(const hull_sorted_table *t, uint32_t which) {
    return hull_stored<record>(t->state->ends[which]);
}

/* Record k of a side that is not sorted. */
template <class record>
HULL_DEVICE record *hull_unsorted(const hull_sorted_table *t, uint32_t arena, uint32_t which, uint32_t side,
                                  uint32_t k) {
    return hull_buffer<record>(t, arena, which) + (side == HULL_UPPER ? k : t->room[arena] - 1 - k);
}

/* -------------------------------------------------------------------- ends */

/* The first and the last of the block's threads' records, the last one's place by its least index. */
template <class record> HULL_DEVICE void hull_block_ends(record *first, record *last, record *shared) {
    record *const lasts = shared + blockDim.x;
    shared[threadIdx.x] = *first;
    lasts[threadIdx.x] = *last;
    for (uint32_t half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x >= half) continue;
        if (hull_before(shared[threadIdx.x + half], shared[threadIdx.x]))
            shared[threadIdx.x] = shared[threadIdx.x + half];
        if (hull_after(lasts[threadIdx.x + half], lasts[threadIdx.x]))
            lasts[threadIdx.x] = lasts[threadIdx.x + half];
    }
    __syncthreads();
    *first = shared[0];
    *last = lasts[0];
}

template <class record> HULL_DEVICE void hull_step_begin(const hull_sorted_table *t, uint64_t *shared) {
    const hull_given from = hull_given_by(&t->from);
    const uint32_t count = from.count;
    record first = hull_candidate<record>(from, 0), last = first;
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < count;
         k += (uint64_t)gridDim.x * blockDim.x) {
        const record own = hull_candidate<record>(from, (uint32_t)k);
        if (hull_before(own, first)) first = own;
        if (hull_after(own, last)) last = own;
    }
    hull_block_ends(&first, &last, (record *)shared);
    if (threadIdx.x > 0) return;
    ((record *)t->partial)[2 * blockIdx.x] = first;
    ((record *)t->partial)[2 * blockIdx.x + 1] = last;
    if (blockIdx.x > 0) return;
    for (uint32_t k = 0; k < HULL_ARENAS * 2 * HULL_SIDES; k++) (&t->state->amount[0][0][0])[k] = 0;
    t->state->is_below = 0;
}

template <class record> HULL_DEVICE void hull_step_ends(const hull_sorted_table *t, uint64_t *shared) {
    const record *const partial = (const record *)t->partial;
    if (blockIdx.x > 0) return;
    record first = partial[0], last = partial[1];
    for (uint32_t k = threadIdx.x; k < gridDim.x; k += blockDim.x) {
        if (hull_before(partial[2 * k], first)) first = partial[2 * k];
        if (hull_after(partial[2 * k + 1], last)) last = partial[2 * k + 1];
    }
    hull_block_ends(&first, &last, (record *)shared);
    if (threadIdx.x > 0) return;
    hull_store(t->state->ends[0], first);
    hull_store(t->state->ends[1], last);
    t->state->is_single = hull_same_place(first, last);
    if (!hull_same_place(first, last)) return;
    t->hull[0] = first.index;
    *t->length = 1;
}

/* ------------------------------------------------------------------- sides */

/* The side of a point. On the line between the ends it counts only where there are points between corners, for the side
 * that may have none else. */
template <class record>
HULL_DEVICE uint32_t hull_side_of(const hull_sorted_table *t, const record &first, const record &last,
                                  const record &own) {
    const int side = hull_side(first, last, own);
    if (side != 0) return side > 0 ? HULL_UPPER : HULL_LOWER;
    if (!t->all || hull_same_place(own, first) || hull_same_place(own, last)) return HULL_DROPPED;
    return t->state->is_below ? HULL_UPPER : HULL_LOWER;
}

template <class record> HULL_DEVICE void hull_step_below(const hull_sorted_table *t) {
    const hull_given from = hull_given_by(&t->from);
    const uint32_t count = from.count;
    const record first = hull_end<record>(t, 0), last = hull_end<record>(t, 1);
    for (uint64_t k = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; k < count;
         k += (uint64_t)gridDim.x * blockDim.x) {
        if (hull_side(first, last, hull_candidate<record>(from, (uint32_t)k)) >= 0) continue;
        ATOMIC_OR(&t->state->is_below, 1u);
        return;
    }
}

/* ----------------------------------------------------------------- appending */

/* Appends the block's records that are not dropped to a buffer, each to its side. All threads come. */
template <class record>
HULL_DEVICE void hull_append(const hull_sorted_table *t, uint32_t arena, uint32_t which,
                             const record own[HULL_ITEMS], const uint32_t side[HULL_ITEMS], uint32_t *shared) {
    uint32_t *const amount = t->state->amount[arena][which], *const bases = shared + WARP_LANES + 1;
    const uint32_t limit = arena == HULL_SAMPLED ? t->limit : WARP_ALL_LANES;
    uint32_t mine = 0, total;
    UNROLL
    for (uint32_t i = 0; i < HULL_ITEMS; ++i)
        mine += side[i] == HULL_UPPER ? 1 : side[i] == HULL_LOWER ? 1u << 16 : 0;
    const uint32_t before = hull_block_sums(mine, &total, shared);
    if (total == 0) return;
    if (threadIdx.x == 0) {
        bases[HULL_UPPER] = ATOMIC_ADD(&amount[HULL_UPPER], total & 0xffff);
        bases[HULL_LOWER] = ATOMIC_ADD(&amount[HULL_LOWER], total >> 16);
    }
    __syncthreads();
    uint32_t place[HULL_SIDES] = {bases[HULL_UPPER] + (before & 0xffff), bases[HULL_LOWER] + (before >> 16)};
    UNROLL
    for (uint32_t i = 0; i < HULL_ITEMS; ++i) {
        if (side[i] == HULL_UPPER) {
            if (place[HULL_UPPER] < limit)
                *hull_unsorted<record>(t, arena, which, HULL_UPPER, place[HULL_UPPER]) = own[i];
            place[HULL_UPPER]++;
        } else if (side[i] == HULL_LOWER) {
            if (place[HULL_LOWER] < limit)
                *hull_unsorted<record>(t, arena, which, HULL_LOWER, place[HULL_LOWER]) = own[i];
            place[HULL_LOWER]++;
        }
    }
    __syncthreads();
}

/* All candidates, to KEPT. */
template <class record> HULL_DEVICE void hull_step_take(const hull_sorted_table *t, uint64_t *shared) {
    const hull_given from = hull_given_by(&t->from);
    const uint32_t count = from.count, step = blockDim.x * HULL_ITEMS;
    const record first = hull_end<record>(t, 0), last = hull_end<record>(t, 1);
    for (uint64_t start = (uint64_t)blockIdx.x * step; start < count; start += (uint64_t)gridDim.x * step) {
        record own[HULL_ITEMS];
        uint32_t side[HULL_ITEMS];
        UNROLL
        for (uint32_t i = 0; i < HULL_ITEMS; ++i) {
            const uint64_t k = start + i * blockDim.x + threadIdx.x;
            side[i] = HULL_DROPPED;
            if (k < count) own[i] = hull_candidate<record>(from, (uint32_t)k);
        }
        UNROLL
        for (uint32_t i = 0; i < HULL_ITEMS; ++i)
            if (start + i * blockDim.x + threadIdx.x < count) side[i] = hull_side_of(t, first, last, own[i]);
        hull_append<record>(t, HULL_KEPT, 0, own, side, (uint32_t *)shared);
    }
}

/* Any number that looks like chance, of k. */
HULL_DEVICE uint32_t hull_hash(uint32_t k) {
    k = (k ^ k >> 16) * 0x7feb352du;
    k = (k ^ k >> 15) * 0x846ca68bu;
    return k ^ k >> 16;
}

/* A candidate out of each of as many stretches as the sample has points. */
HULL_DEVICE uint32_t hull_sampled(const hull_sorted_table *t, uint32_t count, uint32_t k) {
    const uint32_t begin = (uint32_t)((uint64_t)count * k / t->sample);
    const uint32_t end = (uint32_t)((uint64_t)count * (k + 1) / t->sample);
    return begin + hull_hash(k) % (end - begin);
}

template <class record> HULL_DEVICE void hull_step_sample(const hull_sorted_table *t, uint64_t *shared) {
    const hull_given from = hull_given_by(&t->from);
    const uint32_t count = from.count, step = blockDim.x * HULL_ITEMS;
    const record first = hull_end<record>(t, 0), last = hull_end<record>(t, 1);
    for (uint64_t start = (uint64_t)blockIdx.x * step; start < t->sample; start += (uint64_t)gridDim.x * step) {
        record own[HULL_ITEMS];
        uint32_t side[HULL_ITEMS];
        UNROLL
        for (uint32_t i = 0; i < HULL_ITEMS; ++i) {
            const uint64_t k = start + i * blockDim.x + threadIdx.x;
            side[i] = HULL_DROPPED;
            if (k >= t->sample) continue;
            own[i] = hull_candidate<record>(from, hull_sampled(t, count, (uint32_t)k));
            side[i] = hull_side_of(t, first, last, own[i]);
        }
        hull_append<record>(t, HULL_SAMPLED, 0, own, side, (uint32_t *)shared);
    }
}

#endif
