/* SPDX-License-Identifier: Apache-2.0
 *
 * All elements to their side of the pivot, in their order. A block knows how many of the blocks before it come before the pivot, and moves its
 * own.
 */
#include "sort/kernels/select/part_tiles.h"

/* The block's beginning: what the blocks before it have. */
static __device__ inline part_way part_begin(const part_table &p, uint32_t *shared) {
    uint32_t less = 0, equal = 0, all = 0;
    part_way way;
    for (uint32_t b = threadIdx.x; b < p.of.blocks; b += SELECT_THREADS) {
        const uint32_t front = p.fronts[b];
        if (b < blockIdx.x) {
            less += front;
            equal += p.equals[b];
        }
        all += front;
    }
    sort_sum_before(less, shared, &way.before.less);
    sort_sum_before(equal, shared, &way.before.equal);
    sort_sum_before(all, shared, &way.wanted);
    way.pivot = p.of.count - 1;
    way.wanted = way.pivot - way.wanted;
    return way;
}

/** b receives elements, from a. */
template <bool carries, class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 3)
    part_move(element *b, const element *a, const GRID_CONSTANT part_table p) {
    typedef typename select_of<element>::word word;
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const shared = (uint32_t *)shared_memory;
    const select_table &t = p.of;
    const select_table &found = part_is_found(p) ? p.listed : t;
    const part_stretch<word> pivot = part_stretch_of(t.coder, ((const word *)found.bounds)[SELECT_EXACT]);
    const part_way way = part_begin(p, shared);
    uint64_t first;
    const uint64_t end = select_vectors(t, a, &first);
    part_tiles<carries>(t.coder, pivot, p.along, way, b, a, t.n, first, end, shared);
}
