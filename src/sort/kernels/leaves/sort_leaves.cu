/* SPDX-License-Identifier: Apache-2.0
 *
 * Leaves: buckets are read, sorted in registers and written, a team of lanes a leaf. A team is a warp; for leaves that are
 * too long for one it is a block of two, four or eight, since arrays of twice as many registers would be twice as many
 * instructions. Longer leaves are listed, and sort_long.cu sorts them. Leaves of about one length are one launch, with as many
 * registers as they need: with all lengths in one, instructions would not stay in their cache.
 *
 * Keys of 8 and 16 bytes, and keys that something goes along with, are not sorted but their order is (sort_order.h).
 */
#include "sort/kernels/leaves/sort_leaf.h"
#include "sort/kernels/leaves/sort_order.h"
#include "sort/kernels/leaves/sort_team.h"
#include "sort/kernels/sort_summed.h"
#include "sort/kernels/tables/shapes.h"

template <class team, bool is_summed, uint32_t each, class element>
static __device__ inline void sort_leaf(const sort_leaves_table &t, element *b, const element *a,
                                        uint32_t length, element *shared, check_sums *sums) {
    typedef sort_of<element> of;
    const uint32_t left = sort_left(length, team::lane());
    element k[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        k[r] = r * team::lanes < left ? (a + team::lane())[r * team::lanes] : of::last();
    sort_get_all<team::lanes>(t.coder, k, left);
    if (is_summed) sort_sum_filled<team::lanes>(sums, k, left, length);
    sort_held<team>(t.coder, k, shared);
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (r * team::lanes < left) (b + team::lane())[r * team::lanes] = k[r];
}

/* How many leaves there are for the launch: all, or those of the list. */
static __device__ inline uint32_t sort_leaf_count(const sort_leaves_table &t) {
    return t.list != nullptr ? t.list[0] : t.leaves.count;
}

/* Leaves `first` to first + t.turn - 1, those that are of this kernel's length: all warps of a team find the same. */
template <class team, bool carries, bool is_summed, uint32_t each, class element>
static __device__ inline void sort_some_leaves(const sort_leaves_table &t, element *b, const element *a,
                                               uint32_t first, element *shared, sort_warp_sums *own_sums) {
    constexpr uint32_t most = team::lanes * each;
    const bool is = warp_lane() < t.turn && first + warp_lane() < sort_leaf_count(t);
    const uint32_t leaf =
        is && t.list != nullptr ? t.list[SORT_REST + first + warp_lane()] : first + warp_lane();
    const uint32_t own_begin = is ? sort_leaf_begin(t.leaves, leaf) : 0,
                   own = is ? sort_leaf_begin(t.leaves, leaf + 1) - own_begin : 0;
    const bool stays = is && t.are_alike != nullptr && t.are_alike[leaf];
    uint32_t todo = __ballot_sync(WARP_ALL_LANES, own > t.above && own <= most && !stays);
    if (t.rest != nullptr && (!team::is_block || threadIdx.x < WARP_LANES))
        sort_list_leaves(t.rest, own > most && !stays, leaf);
    ROLL for (; todo != 0; todo &= todo - 1) {
        const uint32_t which = (uint32_t)__popc((todo & (0 - todo)) - 1);
        const uint32_t begin = __shfl_sync(WARP_ALL_LANES, own_begin, which);
        const uint32_t length = __shfl_sync(WARP_ALL_LANES, own, which);
        check_sums *const sums = &own_sums->sums;
        if (is_summed) sort_next_summed(t.summed, own_sums, __shfl_sync(WARP_ALL_LANES, leaf, which));
        if constexpr (carries || sizeof(element) > 4) {
            sort_leaf_by_order<team, carries, is_summed, each>(t, b, a, begin, length, shared, sums);
        } else {
            sort_leaf<team, is_summed, each>(t, b + begin, a + begin, length, shared, sums);
        }
        team::meet(); /* the next leaf, or turn, takes the same shared memory */
    }
}

/** From a, where the buckets lie, to b, and what is carried; they may be the same. Leaves of more than t.above keys, as far as lanes of
 *  that size hold them. A grid of any length: a team has its first leaves, and takes the next that nobody has. */
template <uint32_t size, bool carries, bool is_summed, class element>
__global__ void LAUNCH_BOUNDS(sort_leaf_threads(size),
                              sort_leaf_resident(sizeof(element), carries, is_summed, size))
    sort_leaves(element *b, const element *a, const GRID_CONSTANT sort_leaves_table t) {
    typedef sort_team<sort_leaf_warps(size)> team;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = sort_leaf_each(size), teams_here = sort_leaf_teams(size);
    constexpr uint32_t elements = sort_team_bytes(sizeof(element), carries, size) / sizeof(element);
    element *const shared = (element *)shared_memory + team::room(elements, SORT_TEAM_LEAD / sizeof(element));
    const uint32_t teams = gridDim.x * teams_here;
    uint32_t turn = blockIdx.x * teams_here + threadIdx.x / team::lanes;
    sort_warp_sums sums = {};
    while (turn * t.turn < sort_leaf_count(t)) {
        sort_some_leaves<team, carries, is_summed, each>(t, b, a, turn * t.turn, shared, &sums);
        if (t.turns == nullptr) break;
        turn = teams + team::take(t.turns, shared_memory);
    }
    if (is_summed) sort_end_warp(t.summed, sums.sums, sums.segment);
}
