/* SPDX-License-Identifier: Apache-2.0
 *
 * The pivot: one of the bounds, or found among what is between them digit by digit, as an exact bound is; and how many elements of each share
 * come before it, and equal it.
 */
#include "sort/kernels/select/part_code.h"

static_assert(PART_LISTED_TILE == AT_ONCE * SELECT_THREADS, "a tile is what a block loads at once");

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
    uint32_t up_to[PART_CLASSES] = {0};
    for (uint32_t w = threadIdx.x; w < p.shares; w += SELECT_THREADS) {
        UNROLL
        for (uint32_t k = 0; k < PART_CLASSES; ++k) up_to[k] += p.classes[k * p.shares + w];
    }
    for (uint32_t k = 0; k < PART_CLASSES; ++k) sort_sum_before(up_to[k], (uint32_t *)shared_memory, &up_to[k]);
    uint32_t where = part_where(up_to, t.count - 1);
    if (where == PART_BETWEEN && t.counts[PART_LISTED] > t.capacity) where = PART_NOWHERE;
    for (uint32_t w = threadIdx.x; where != PART_NOWHERE && w < p.shares; w += SELECT_THREADS) {
        const uint32_t before = p.classes[(where - 1) * p.shares + w];
        p.fronts[w] = before;
        p.equals[w] = where == PART_BETWEEN ? 0 : p.classes[where * p.shares + w] - before;
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

/* A block's counts of digits, and what it has counted added to all. */
static __device__ inline void part_clear(uint32_t *own) {
    for (uint32_t i = threadIdx.x; i < PART_DIGITS; i += SELECT_THREADS) own[i] = 0;
    __syncthreads();
}
static __device__ inline void part_add(const select_table &t, const uint32_t *own) {
    uint32_t *const counts = t.digits + ((uint64_t)t.round << PART_DIGIT_BITS);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < PART_DIGITS; i += SELECT_THREADS) {
        const uint32_t count = own[i];
        if (count > 0) ATOMIC_ADD(&counts[i], count);
    }
}

/** A digit of what is listed, which is counted where it begins as the pivot does. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 3)
    part_digits(element *, const element *, const GRID_CONSTANT part_table p) {
    typedef select_candidate<true, element> candidate;
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const shared = (uint32_t *)shared_memory, *const own = shared + PART_LEAD;
    const select_table &t = p.listed;
    if (t.counts[PART_WHERE] != PART_BETWEEN) return;
    const select_state<element> s = select_step<PART_DIGIT_BITS, element>(t, t.round, shared);
    const typename candidate::type *const list = (const typename candidate::type *)p.of.list;
    const uint32_t found = p.of.counts[PART_LISTED];
    part_clear(own);
    for (uint64_t first = (uint64_t)blockIdx.x * PART_LISTED_TILE; first < found;
         first += (uint64_t)gridDim.x * PART_LISTED_TILE) {
        element code[AT_ONCE];
        UNROLL
        for (uint32_t k = 0; k < AT_ONCE; ++k) {
            const uint64_t i = first + k * SELECT_THREADS + threadIdx.x;
            code[k] = i < found ? candidate::code_of(list[i]) : 0;
        }
        UNROLL
        for (uint32_t k = 0; k < AT_ONCE; ++k)
            select_count(own,
                         first + k * SELECT_THREADS + threadIdx.x < found &&
                             select_begins<PART_DIGIT_BITS>(code[k], s.code, t.round),
                         select_digit<PART_DIGIT_BITS>(code[k], t.round));
    }
    part_add(t, own);
}

/** The same of all elements, where the pivot is not found otherwise. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 3)
    part_exact(element *, const element *a, const GRID_CONSTANT part_table p) {
    typedef typename select_of<element>::word word;
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const shared = (uint32_t *)shared_memory, *const own = shared + PART_LEAD;
    const select_table &t = p.of;
    if (part_is_found(p)) return;
    const select_state<word> s = select_step<PART_DIGIT_BITS, word>(t, t.round, shared);
    part_clear(own);
    uint64_t first;
    const uint64_t end = select_vectors(t, a, &first);
    for (; first < end; first += SELECT_THREADS)
        part_count_vector(t.coder, a, t.n, first, end, s.code, t.round, own);
    part_add(t, own);
}

/** Listed elements that come before the pivot, or equal it, are counted for the share that has them. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 3)
    part_tally(element *, const element *, const GRID_CONSTANT part_table p) {
    typedef select_candidate<true, element> candidate;
    extern __shared__ uint64_t shared_memory[];
    const select_table &t = p.listed;
    if (t.counts[PART_WHERE] != PART_BETWEEN) return;
    const element pivot = select_step<PART_DIGIT_BITS, element>(t, t.rounds, (uint32_t *)shared_memory).code;
    const typename candidate::type *const list = (const typename candidate::type *)p.of.list;
    const uint32_t found = p.of.counts[PART_LISTED];
    for (uint64_t first = (uint64_t)blockIdx.x * PART_LISTED_TILE; first < found;
         first += (uint64_t)gridDim.x * PART_LISTED_TILE) {
        typename candidate::type c[AT_ONCE];
        UNROLL
        for (uint32_t k = 0; k < AT_ONCE; ++k) {
            const uint64_t i = first + k * SELECT_THREADS + threadIdx.x;
            c[k] = i < found ? list[i] : sort_of<typename candidate::type>::put({});
        }
        UNROLL
        for (uint32_t k = 0; k < AT_ONCE; ++k) {
            const bool is = first + k * SELECT_THREADS + threadIdx.x < found;
            const uint32_t share = (uint32_t)(((uint64_t)candidate::place_of(c[k]) + p.lead) / p.elements);
            select_count(p.fronts, is && candidate::code_of(c[k]) < pivot, share);
            select_count(p.equals, is && candidate::code_of(c[k]) == pivot, share);
        }
    }
}
