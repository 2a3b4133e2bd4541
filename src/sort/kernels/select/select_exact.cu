/* SPDX-License-Identifier: Apache-2.0
 *
 * Steps that are seldom needed: the digits of the exact bound, where an attempt by the sample's failed, and the first of the elements that equal
 * the bound. All launches leave at once where there is nothing to do.
 */
#include "sort/kernels/select/select_digits.h"
#include "sort/kernels/select/select_read.h"

/** a has the elements: those are counted that begin as the bound does. The first round clears the list. */
template <bool placed, class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 2)
    select_digits(element *, const element *a, const GRID_CONSTANT select_table t) {
    typedef typename select_of<element>::word word;
    typedef typename select_candidate<placed, word>::type listed;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    if (select_is_done(t, 0)) return;
    const select_state<typename sort_of<word>::key> s =
        select_step<SELECT_DIGIT_BITS, word>(t, t.round, (uint32_t *)shared_memory);
    uint32_t *const counts = t.digits + (uint64_t)t.round * SELECT_DIGITS;
    if (t.round == 0)
        for (uint64_t i = (uint64_t)blockIdx.x * SELECT_THREADS + threadIdx.x; i < t.capacity;
             i += (uint64_t)gridDim.x * SELECT_THREADS)
            ((listed *)t.list)[i] = sort_of<listed>::put(sort_of<listed>::last());
    uint64_t first;
    const uint64_t end = select_vectors(t, a, &first);
    for (; first < end; first += SELECT_THREADS) {
        vector_of<element> v;
        select_read(a, t.n, first + threadIdx.x, end, v);
        UNROLL
        for (uint32_t j = 0; j < each; ++j) {
            const typename sort_of<word>::key code = select_code(t.coder, v.of.part[j]);
            select_count(counts,
                         (v.valid >> j & 1) != 0 && select_begins<SELECT_DIGIT_BITS>(code, s.code, t.round),
                         select_digit<SELECT_DIGIT_BITS>(code, t.round));
        }
    }
}

/** The first of what equals the bound becomes candidates, as many as are missing: behind the others, in the order of places. Blocks read
 *  again what they have counted ties in, until enough are found. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 2)
    select_ties(element *, const element *a, const GRID_CONSTANT select_table t) {
    typedef typename select_of<element>::word word;
    typedef select_candidate<true, word> candidate;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = vector_of<element>::ELEMENTS;
    uint32_t *const sums = (uint32_t *)shared_memory;
    const uint32_t attempt = select_attempt(t), found = t.counts[attempt];
    const uint32_t *const ties = t.ties + attempt * t.blocks;
    if (found >= t.count || ties[blockIdx.x] == 0) return;
    const typename sort_of<word>::key bound = select_bound<word>(t, attempt);
    uint32_t before = 0, all;
    for (uint32_t k = threadIdx.x; k < blockIdx.x; k += SELECT_THREADS) before += ties[k];
    sort_sum_before(before, sums, &all);
    uint32_t at = found + all;
    uint64_t first;
    const uint64_t end = select_vectors(t, a, &first);
    for (; first < end && at < t.count; first += SELECT_THREADS) {
        vector_of<element> v;
        uint32_t same = 0;
        select_read(a, t.n, first + threadIdx.x, end, v);
        UNROLL
        for (uint32_t j = 0; j < each; ++j)
            if ((v.valid >> j & 1) != 0 && sort_same(select_code(t.coder, v.of.part[j]), bound))
                same |= 1u << j;
        uint32_t to = at + sort_sum_before((uint32_t)__popc(same), sums, &all);
        UNROLL
        for (uint32_t j = 0; j < each; ++j) {
            if ((same >> j & 1) == 0) continue;
            if (to < t.count)
                ((typename candidate::type *)t.list)[to] =
                    candidate::of(bound, t.first + (uint32_t)(v.first + j));
            ++to;
        }
        at += all;
    }
}
