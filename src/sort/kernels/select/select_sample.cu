/* SPDX-License-Identifier: Apache-2.0
 *
 * A bound that the first `count` of many elements most likely do not pass, and few others: the code of some rank in a sample. Blocks sort a
 * part of the sample each, of places that lie between each other's; those around the rank that is looked for go on, and
 * one block sorts what goes on. They also clear what later launches count in.
 */
#include "sort/kernels/select/select_code.h"
#include "sort/kernels/sort_block.h"
#include "sort/kernels/sort_places.h"

/* All words of an array become `value`, by all threads. */
template <class word>
static __device__ inline void select_fill(word *to, uint64_t count, const word &value) {
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) to[i] = value;
}

/** a has the elements. A block a group of samples. */
template <bool placed, class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 1)
    select_sample(element *, const element *a, const GRID_CONSTANT select_table t) {
    typedef typename select_of<element>::word word;
    typedef select_candidate<placed, word> candidate;
    typedef typename candidate::type listed;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = SELECT_GROUP / SELECT_THREADS;
    typename sort_of<word>::key k[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = (r * SELECT_THREADS + threadIdx.x) * t.groups + blockIdx.x;
        k[r] = select_code(t.coder, a[sort_sample_place(i, SELECT_GROUP * t.groups, t.n)]);
    }
    if (blockIdx.x == 0 && threadIdx.x < SELECT_COUNTS) t.counts[threadIdx.x] = 0;
    select_fill(t.digits, (uint64_t)t.rounds * SELECT_DIGITS, 0u);
    select_fill((listed *)t.list, t.capacity, sort_of<listed>::put(sort_of<listed>::last()));
    sort_block<SELECT_THREADS>(k, (typename sort_of<word>::key *)shared_memory);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t rank = threadIdx.x * each + r - t.window;
        if (rank < SELECT_WINDOW)
            ((word *)t.picked)[blockIdx.x * SELECT_WINDOW + rank] = sort_of<word>::put(k[r]);
    }
}

/** One block: the two bounds. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 1)
    select_bound(element *, const element *, const GRID_CONSTANT select_table t) {
    typedef sort_of<element> of;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = SELECT_MOST_GROUPS * SELECT_WINDOW / SELECT_THREADS;
    typename of::key k[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SELECT_THREADS + threadIdx.x;
        k[r] = i < t.groups * SELECT_WINDOW ? of::get(((const element *)t.picked)[i]) : of::last();
    }
    sort_block<SELECT_THREADS>(k, (typename of::key *)shared_memory);
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        for (uint32_t b = 0; b < 2; ++b)
            if (threadIdx.x * each + r == t.rank[b]) ((element *)t.bounds)[b] = of::put(k[r]);
}
