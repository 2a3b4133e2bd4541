/* SPDX-License-Identifier: Apache-2.0
 *
 * The sample of a large set: its bounds, and then the lowest and the highest point of each cell. What is found here decides
 * how much is thrown away early, not what the hull is; so heights are rounded, and any point may be missed.
 */
#include "kernels/hull/hull_extremes.h"

/** Point j of the sample, among those of a set: neighbours in groups, a group somewhere in each stretch. */
static __device__ inline uint64_t hull_sampled(const hull_table *t, hull_span span, uint64_t j) {
    const uint64_t groups = t->sample / HULL_GROUP, group = j / HULL_GROUP;
    const uint64_t stretch = (span.end - span.begin) / groups;
    const uint32_t random = (uint32_t)group * 2654435761u;
    const uint64_t within = stretch <= HULL_GROUP ? 0 : (uint64_t)random * (stretch - HULL_GROUP) >> 32;
    return span.begin + group * stretch + within + j % HULL_GROUP;
}

static __device__ inline uint64_t hull_least_of_warp(uint64_t value) {
    UNROLL
    for (uint32_t by = HULL_LANES / 2; by > 0; by /= 2) {
        const uint32_t from = hull_lane() ^ by;
        const uint32_t low = __shfl_sync(HULL_ALL_LANES, (uint32_t)value, from);
        const uint32_t high = __shfl_sync(HULL_ALL_LANES, (uint32_t)(value >> 32), from);
        const uint64_t other = (uint64_t)high << 32 | low;
        if (other < value) value = other;
    }
    return value;
}

/** The bounds of the sample, in b's record. */
template <class kind, class element>
__global__ void hull_bounds(element *, const element *, const GRID_CONSTANT hull_table t) {
    extern __shared__ uint64_t shared_memory[];
    const hull_span span = hull_span_of(&t, 0);
    uint64_t least[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x, count = span.end - span.begin;
    for (uint64_t j = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; j < t.sample; j += step) {
        const uint64_t i = hull_sampled(&t, span, j);
        if (i - span.begin >= count) continue;
        const typename kind::place at = kind::load(&t, i);
        if (!kind::is_finite(at)) continue;
        const uint64_t order[4] = {kind::order(at.x), kind::order(at.y), ~kind::order(at.x),
                                   ~kind::order(at.y)};
        UNROLL
        for (uint32_t k = 0; k < 4; ++k)
            if (order[k] < least[k]) least[k] = order[k];
    }
    UNROLL
    for (uint32_t k = 0; k < 4; ++k) {
        least[k] = hull_least_of_warp(least[k]);
        if (hull_lane() == 0)
            shared_memory[k * (blockDim.x / HULL_LANES) + threadIdx.x / HULL_LANES] = least[k];
    }
    __syncthreads();
    if (threadIdx.x >= 4) return;
    uint64_t all = UINT64_MAX;
    for (uint32_t warp = 0; warp < blockDim.x / HULL_LANES; ++warp) {
        const uint64_t one = shared_memory[threadIdx.x * (blockDim.x / HULL_LANES) + warp];
        if (one < all) all = one;
    }
    ATOMIC_MIN((unsigned long long *)&t.state->record.bounds[threadIdx.x], (unsigned long long)all);
}

/** The extremes of the sample. */
template <class kind, class element>
__global__ void hull_extremes_of_sample(element *, const element *, const GRID_CONSTANT hull_table t) {
    const hull_span span = hull_span_of(&t, 0);
    const hull_scale<kind> scale = hull_scale_of<kind>(&t);
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x, count = span.end - span.begin;
    for (uint64_t j = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; j < t.sample; j += step) {
        const uint64_t i = hull_sampled(&t, span, j);
        if (i - span.begin >= count) continue;
        const typename kind::place at = kind::load(&t, i);
        if (kind::is_finite(at)) hull_note<kind>(&t.state->extremes[0], &scale, at, (uint32_t)i);
    }
}
