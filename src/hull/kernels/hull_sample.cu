/* SPDX-License-Identifier: Apache-2.0
 *
 * The sample of a large set: its bounds, and then the lowest and the highest point of each cell. The sample decides how much is
 * thrown away early, not what the hull is; so heights are rounded, and any point may be missed.
 */
#include <stddef.h>

#include "hull/kernels/hull_extremes.h"

/* The least of the block's, for each of four; the first four threads get them. */
static __device__ inline uint64_t hull_least_of_block(const uint64_t mine[4], uint64_t *shared) {
    const uint32_t warps = blockDim.x / WARP_LANES;
    uint64_t all = UINT64_MAX;
    UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
        const uint64_t least = warp_min(mine[k]);
        if (warp_lane() == 0) shared[k * warps + threadIdx.x / WARP_LANES] = least;
    }
    __syncthreads();
    for (uint32_t warp = 0; threadIdx.x < 4 && warp < warps; ++warp) {
        const uint64_t least = shared[threadIdx.x * warps + warp];
        if (least < all) all = least;
    }
    return all;
}

/* Begins the numbers that later kernels add to, or lower. */
static __device__ inline void hull_begin(const hull_table *t) {
    uint64_t *const words = (uint64_t *)t->state;
    const uint32_t count = offsetof(hull_state, bounds) / sizeof *words, step = gridDim.x * blockDim.x;
    for (uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += step) words[k] = UINT64_MAX;
}

/** The bounds of what each block sees of the sample. The first kernel of all. */
template <class kind, class element>
__global__ void hull_bounds(element *, const element *, const GRID_CONSTANT hull_table t) {
    hull_follow();
    extern __shared__ uint64_t shared_memory[];
    hull_span span;
    uint64_t least[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    const uint32_t step = gridDim.x * blockDim.x;
    hull_begin(&t);
    hull_find_span(&t, 0, &span);
    for (uint32_t j = blockIdx.x * blockDim.x + threadIdx.x; j < t.sample; j += step) {
        const uint64_t i = hull_sampled(&t, span, j);
        if (i >= span.end) continue;
        const typename kind::place at = kind::load(&t, i);
        if (!kind::is_finite(at)) continue;
        const uint64_t order[4] = {kind::order(at.x), kind::order(at.y), ~kind::order(at.x),
                                   ~kind::order(at.y)};
        UNROLL
        for (uint32_t k = 0; k < 4; ++k)
            if (order[k] < least[k]) least[k] = order[k];
    }
    const uint64_t all = hull_least_of_block(least, shared_memory);
    if (threadIdx.x < 4) t.state->bounds[blockIdx.x][threadIdx.x] = all;
}

/* The bounds of the whole sample, for every thread. */
static __device__ inline void hull_join_bounds(const hull_table *t, uint64_t *shared, uint64_t bounds[4]) {
    uint64_t least[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    for (uint32_t block = threadIdx.x; block < t->samplers; block += blockDim.x) {
        UNROLL
        for (uint32_t k = 0; k < 4; ++k) {
            const uint64_t one = t->state->bounds[block][k];
            if (one < least[k]) least[k] = one;
        }
    }
    const uint64_t all = hull_least_of_block(least, shared);
    __syncthreads();
    if (threadIdx.x < 4) shared[threadIdx.x] = all;
    __syncthreads();
    UNROLL
    for (uint32_t k = 0; k < 4; ++k) bounds[k] = shared[k];
}

/** The extremes of the sample, whose bounds scale all that comes. */
template <class kind, class element>
__global__ void hull_extremes_of_sample(element *, const element *, const GRID_CONSTANT hull_table t) {
    hull_follow();
    extern __shared__ uint64_t shared_memory[];
    uint64_t bounds[4];
    const hull_span span = hull_span_of(&t, 0);
    const uint32_t step = gridDim.x * blockDim.x;
    hull_join_bounds(&t, shared_memory, bounds);
    const hull_scale<kind> scale[HULL_QUARTERS] = {hull_scale_within<kind>(&t, bounds, 0),
                                                   hull_scale_within<kind>(&t, bounds, 1)};
    if (blockIdx.x == 0 && threadIdx.x < HULL_QUARTERS)
        hull_keep_scale<kind>(&t, threadIdx.x == 0 ? scale[0] : scale[1], threadIdx.x);
    for (uint32_t begin = blockIdx.x * blockDim.x; begin < t.sample; begin += step) {
        const uint64_t i = hull_sampled(&t, span, begin + threadIdx.x);
        const bool is_point = begin + threadIdx.x < t.sample && i < span.end;
        const typename kind::place at = kind::load(&t, is_point ? i : span.begin);
        hull_note<kind>(t.state->extremes[0], scale, at, (uint32_t)i, is_point && kind::is_finite(at));
    }
}
