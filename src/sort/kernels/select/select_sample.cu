/* SPDX-License-Identifier: Apache-2.0
 *
 * A bound that the first `count` of many elements most likely do not pass, and few others: the code of some rank in a sample. Blocks sort a
 * part of the sample each, of places that lie between each other's; those around the rank that is looked for go on, and
 * one block sorts what goes on. They also clear what later launches count in.
 */
#include "sort/kernels/select/select_code.h"
#include "sort/kernels/sort_block.h"
#include "sort/kernels/sort_places.h"

/** a has the elements. A block a group of samples. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 1)
    select_sample(element *, const element *a, const GRID_CONSTANT select_table t) {
    typedef typename select_of<element>::word word;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = SELECT_GROUP / SELECT_THREADS;
    typename sort_of<word>::key k[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = (r * SELECT_THREADS + threadIdx.x) * t.groups + blockIdx.x;
        k[r] = select_code(t.coder, a[sort_sample_place(i, SELECT_GROUP * t.groups, t.n)]);
    }
    if (blockIdx.x == 0 && threadIdx.x < SELECT_COUNTS) t.counts[threadIdx.x] = 0;
    for (uint32_t i = blockIdx.x * SELECT_THREADS + threadIdx.x; i < t.cleared; i += gridDim.x * SELECT_THREADS)
        t.digits[i] = 0;
    sort_block<SELECT_THREADS>(k, (typename sort_of<word>::key *)shared_memory);
    for (uint32_t side = 0; side < t.sides; ++side) {
        word *const picked = (word *)t.picked + (side * t.groups + blockIdx.x) * SELECT_WINDOW;
        UNROLL
        for (uint32_t r = 0; r < each; ++r) {
            const uint32_t rank = threadIdx.x * each + r - t.window[side];
            if (rank < SELECT_WINDOW) picked[rank] = sort_of<word>::put(k[r]);
        }
    }
}

/** The two bounds, which each block finds. They fill the list with what comes behind its candidates, but seldom far: the bound, with
 *  places that there are not. */
template <bool placed, class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 1)
    select_bound(element *, const element *, const GRID_CONSTANT select_table t) {
    typedef sort_of<element> of;
    typedef select_candidate<placed, element> candidate;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = SELECT_MOST_GROUPS * SELECT_WINDOW / SELECT_THREADS;
    element *const bounds = (element *)(shared_memory + 2 * SELECT_GROUP);
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
            if (threadIdx.x * each + r == t.rank[b]) bounds[b] = of::put(k[r]);
    __syncthreads();
    const typename of::key bound = of::get(bounds[0]);
    if (blockIdx.x == 0 && threadIdx.x < 2) ((element *)t.bounds)[threadIdx.x] = bounds[threadIdx.x];
    for (uint32_t i = blockIdx.x * SELECT_THREADS + threadIdx.x; i < t.capacity;
         i += gridDim.x * SELECT_THREADS)
        ((typename candidate::type *)t.list)[i] = candidate::of(bound, ~0u - (t.behind < i ? t.behind : i));
}
