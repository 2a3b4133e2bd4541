/* SPDX-License-Identifier: Apache-2.0
 *
 * All elements to their side of the pivot, in their order. A warp knows how many of all before it come before the pivot, and moves its own.
 */
#include "sort/kernels/select/part_rings.h"

/* Counts of all shares before `mine`, by a whole block. */
static __device__ inline part_way part_begin(const part_table &p, uint32_t mine, uint32_t *shared) {
    uint32_t less = 0, equal = 0, all = 0;
    part_way way;
    for (uint32_t w = threadIdx.x; w < p.shares; w += blockDim.x) {
        const uint32_t front = p.fronts[w];
        if (w < mine) {
            less += front;
            equal += p.equals[w];
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

/* The pivot's code, as a stretch. */
template <class word> static __device__ inline part_stretch<word> part_pivot(const part_table &p) {
    const select_table &found = part_is_found(p) ? p.listed : p.of;
    return part_stretch_of(p.of.coder, ((const word *)found.bounds)[SELECT_EXACT]);
}

/** b receives elements, from a. A block's warps have a share each. */
template <class element>
__global__ void LAUNCH_BOUNDS(PART_MOVE_THREADS, 3)
    part_move(element *b, const element *a, const GRID_CONSTANT part_table p) {
    typedef typename select_of<element>::word word;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t warps = PART_MOVE_THREADS / WARP_LANES;
    const uint32_t warp = threadIdx.x / WARP_LANES, mine = blockIdx.x * warps + warp;
    part_stretch<word> pivot = part_pivot<word>(p);
    part_way way = part_begin(p, blockIdx.x * warps, (uint32_t *)shared_memory);
    __syncthreads(); /* sums were where rings are */
    const uint32_t lane = blockIdx.x * warps + warp_lane();
    const bool is_before = lane < mine;
    way.before.less += warp_sum(is_before ? p.fronts[lane] : 0);
    way.before.equal += warp_sum(is_before ? p.equals[lane] : 0);
    const part_share share = part_share::of(p.of, a, mine);
    if (share.first >= share.end) return;
    way.first = part_place::of(a, p.of.n, share, share.first).first;
    element *const slots = (element *)shared_memory + warp * 2 * part_ring<element>::ROOM;
    const bool goes_before = way.before.equal + p.equals[mine] <= way.wanted;
    const word edge = goes_before ? pivot.last + 1 : pivot.first;
    if (way.has_pivot(way.before.equal + p.equals[mine]) || edge == 0) {
        part_rings<true>(p.of.coder, pivot, way, b, a, p.of.n, share, slots);
        return;
    }
    pivot.first = edge;
    part_rings<false>(p.of.coder, pivot, way, b, a, p.of.n, share, slots);
}

/** The same with what goes along, by tiles of a block. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 3)
    part_move_carried(element *b, const element *a, const GRID_CONSTANT part_table p) {
    typedef typename select_of<element>::word word;
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const shared = (uint32_t *)shared_memory;
    const part_way way = part_begin(p, blockIdx.x * PART_SHARES, shared);
    uint64_t first;
    const uint64_t end = select_vectors(p.of, a, &first);
    part_tiles<true>(p.of.coder, part_pivot<word>(p), p.along, way, b, a, p.of.n, first, end, shared);
}
