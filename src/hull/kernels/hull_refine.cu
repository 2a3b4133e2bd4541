/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates against the boundaries of a round, exactly: what lies within, and what repeats a point of a boundary, is thrown
 * away. Points that are not finite are named here, for no sieve throws them away. A candidate's cell says between which points
 * of a boundary it lies, but for a few steps.
 */
#include "hull/kernels/hull_block.h"
#include "hull/kernels/hull_extremes.h"

enum { HULL_OUTSIDE, HULL_WITHIN, HULL_REPEATED };

template <class kind>
static __device__ inline typename kind::place hull_kept(const hull_boundary *of, uint32_t k) {
    typename kind::place at;
    at.x = kind::of_bits(of->place[k][0]);
    at.y = kind::of_bits(of->place[k][1]);
    return at;
}

/* Where a point is that is turned as the boundary is. The boundary goes on to where the other one begins. */
template <class kind>
static __device__ inline int hull_place_beside(const hull_boundary *of, const hull_boundary *other,
                                               typename kind::place at, uint32_t cell, uint32_t index,
                                               bool all) {
    uint32_t k = of->until[cell];
    while (k > 0 && kind::before(at, hull_kept<kind>(of, k - 1))) --k;
    if (k == 0) return HULL_OUTSIDE;
    const typename kind::place from = hull_kept<kind>(of, k - 1);
    if (hull_is_same(from, at)) return index > of->index[k - 1] ? HULL_REPEATED : HULL_OUTSIDE;
    const typename kind::place to =
        k < of->count ? hull_kept<kind>(of, k) : hull_turned<kind>(hull_kept<kind>(other, 0), true);
    if (k == of->count && !kind::before(at, to)) return HULL_OUTSIDE;
    const int turn = kind::orient(from, to, at);
    return turn > 0 || (turn == 0 && !all) ? HULL_WITHIN : HULL_OUTSIDE;
}

/* Where a point is as a quarter sees it: `lower` and the boundary behind it are of that. */
template <class kind>
static __device__ inline int hull_place_within(const hull_boundary *lower, const hull_scale<kind> *scale,
                                               typename kind::place at, uint32_t index, bool all) {
    const hull_boundary *const upper = lower + 1;
    const uint32_t cell = hull_cell(scale, at.x);
    const int below = hull_place_beside<kind>(lower, upper, at, cell, index, all);
    if (below != HULL_WITHIN) return below;
    return hull_place_beside<kind>(upper, lower, hull_turned<kind>(at, true), HULL_CELLS - 1 - cell, index,
                                   all);
}

template <class kind>
static __device__ inline bool hull_is_candidate(const hull_boundary *boundary,
                                                const hull_scale<kind> scale[HULL_QUARTERS],
                                                typename kind::place at, uint32_t index, bool all) {
    return hull_place_within<kind>(boundary, &scale[0], at, index, all) == HULL_OUTSIDE &&
           hull_place_within<kind>(boundary + 2, &scale[1], hull_quartered<kind>(at, 1), index, all) ==
               HULL_OUTSIDE;
}

/** Round 0: list 0 to list 1, whose extremes are noted. Round 1: list 1 to list 0, if list 1 is long. */
template <class kind, class element>
__global__ void LAUNCH_BOUNDS(256, 4)
    hull_refine(element *, const element *, const GRID_CONSTANT hull_table t, uint32_t round) {
    hull_follow();
    const uint32_t count = hull_listed(&t, round), step = gridDim.x * blockDim.x;
    const uint32_t *const from = t.list[round];
    const hull_boundary *const boundary = t.state->boundary[round];
    if (round == 1 && count <= HULL_SOON) return;
    const hull_scale<kind> scale[HULL_QUARTERS] = {hull_scale_of<kind>(&t, 0), hull_scale_of<kind>(&t, 1)};
    for (uint32_t begin = blockIdx.x * blockDim.x; begin < count; begin += step) {
        bool is_kept = begin + threadIdx.x < count;
        const uint32_t index = from[is_kept ? begin + threadIdx.x : begin];
        const typename kind::place at = kind::load(&t, index);
        if (is_kept) {
            const bool is_finite = kind::is_finite(at);
            if (!is_finite) hull_refuse_point(&t, index);
            is_kept = is_finite && hull_is_candidate<kind>(boundary, scale, at, index, t.all != 0);
        }
        if (round == 0) hull_note<kind>(t.state->extremes[1], scale, at, index, is_kept);
        hull_append(&t, round + 1, t.list[1 - round], is_kept, index);
    }
}

/** All points of the only set to list 0, for algorithms that take them as they are. */
template <class kind, class element>
__global__ void hull_take_all(element *, const element *, const GRID_CONSTANT hull_table t) {
    hull_follow();
    const hull_span span = hull_span_of(&t, 0);
    const uint32_t count = (uint32_t)(span.end - span.begin), step = gridDim.x * blockDim.x;
    const uint32_t first = blockIdx.x * blockDim.x + threadIdx.x;
    for (uint32_t k = first; k < count; k += step) {
        const uint32_t index = (uint32_t)span.begin + k;
        if (!kind::is_finite(kind::load(&t, index))) hull_refuse_point(&t, index);
        t.list[0][k] = index;
    }
    if (first != 0) return;
    t.lengths[0] = 0;
    t.state->record.many = count;
}
