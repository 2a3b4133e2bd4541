/* SPDX-License-Identifier: Apache-2.0
 *
 * The pivot: one of the bounds, or found among what is between them digit by digit, as an exact bound is; and how many elements of each block
 * come before it, and equal it.
 */
#include "sort/kernels/select/part_code.h"

/* The class of the bounds that a rank is in. */
static __device__ inline uint32_t part_where(const uint32_t (&up_to)[PART_CLASSES], uint32_t rank) {
    for (uint32_t k = 0; k < PART_CLASSES; ++k)
        if (rank < up_to[k]) return k;
    return PART_NOWHERE;
}

/** One block: where the pivot is, as far as the bounds say. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 1)
    part_settle(element *, const element *, const GRID_CONSTANT part_table p) {
    extern __shared__ uint64_t shared_memory[];
    const select_table &t = p.of;
    uint32_t up_to[PART_CLASSES];
    for (uint32_t k = 0; k < PART_CLASSES; ++k) {
        uint32_t sum = 0;
        for (uint32_t b = threadIdx.x; b < t.blocks; b += SELECT_THREADS) sum += p.classes[k * t.blocks + b];
        sort_sum_before(sum, (uint32_t *)shared_memory, &up_to[k]);
    }
    uint32_t where = part_where(up_to, t.count - 1);
    if (where == PART_BETWEEN && t.counts[PART_LISTED] > t.capacity) where = PART_NOWHERE;
    for (uint32_t b = threadIdx.x; where != PART_NOWHERE && b < t.blocks; b += SELECT_THREADS) {
        const uint32_t before = p.classes[(where - 1) * t.blocks + b];
        p.fronts[b] = before;
        p.equals[b] = where == PART_BETWEEN ? 0 : p.classes[where * t.blocks + b] - before;
    }
    if (threadIdx.x != 0) return;
    const element *const bounds = (const element *)t.bounds;
    t.counts[0] = where == PART_NOWHERE ? ~0u : 0;
    t.counts[SELECT_TIES] = ~0u;
    p.listed.counts[PART_WHERE] = where;
    p.listed.counts[PART_BEFORE] = up_to[PART_LOW];
    if (where == PART_LOW || where == PART_HIGH)
        ((element *)p.listed.bounds)[SELECT_EXACT] = bounds[where == PART_LOW ? 0 : 1];
}

/** A digit of what is listed, which is counted where it begins as the pivot does. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 2)
    part_digits(element *, const element *, const GRID_CONSTANT part_table p) {
    typedef select_candidate<true, element> candidate;
    extern __shared__ uint64_t shared_memory[];
    const select_table &t = p.listed;
    if (t.counts[PART_WHERE] != PART_BETWEEN) return;
    const select_state<element> s = select_step<element>(t, t.round, (uint32_t *)shared_memory);
    const typename candidate::type *const list = (const typename candidate::type *)p.of.list;
    uint32_t *const counts = t.digits + (uint64_t)t.round * SELECT_DIGITS;
    const uint32_t found = p.of.counts[PART_LISTED];
    for (uint64_t first = (uint64_t)blockIdx.x * SELECT_THREADS; first < found;
         first += (uint64_t)gridDim.x * SELECT_THREADS) {
        const uint64_t i = first + threadIdx.x;
        const element code = i < found ? candidate::code_of(list[i]) : 0;
        select_count(counts, i < found && select_begins(code, s.code, t.round), select_digit(code, t.round));
    }
}

/** Listed elements that come before the pivot, or equal it, are counted for the block that has read it. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 2)
    part_tally(element *, const element *, const GRID_CONSTANT part_table p) {
    typedef select_candidate<true, element> candidate;
    extern __shared__ uint64_t shared_memory[];
    const select_table &t = p.listed;
    uint32_t *const shared = (uint32_t *)shared_memory, *const fronts = shared + PART_LEAD,
                    *const equals = fronts + t.blocks;
    if (t.counts[PART_WHERE] != PART_BETWEEN) return;
    const element pivot = select_step<element>(t, t.rounds, shared).code;
    const typename candidate::type *const list = (const typename candidate::type *)p.of.list;
    for (uint32_t b = threadIdx.x; b < 2 * t.blocks; b += SELECT_THREADS) fronts[b] = 0;
    __syncthreads();
    const uint32_t found = p.of.counts[PART_LISTED];
    for (uint64_t first = (uint64_t)blockIdx.x * SELECT_THREADS; first < found;
         first += (uint64_t)gridDim.x * SELECT_THREADS) {
        const uint64_t i = first + threadIdx.x;
        const typename candidate::type c = i < found ? list[i] : sort_of<typename candidate::type>::put({});
        const uint32_t b = (uint32_t)(((uint64_t)candidate::place_of(c) + p.lead) / p.elements);
        select_count(fronts, i < found && candidate::code_of(c) < pivot, b);
        select_count(equals, i < found && candidate::code_of(c) == pivot, b);
    }
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < t.blocks; b += SELECT_THREADS) {
        if (fronts[b] > 0) ATOMIC_ADD(&p.fronts[b], fronts[b]);
        if (equals[b] > 0) ATOMIC_ADD(&p.equals[b], equals[b]);
    }
}
