/* SPDX-License-Identifier: Apache-2.0
 *
 * One read of all points: those that fall into their cell's stretch of the sieve are thrown away, the others listed. The sieve
 * is in shared memory. Few points stay, so a block writes them to shared memory too, and to the list when it is done; where many
 * stay a warp lists its own at once.
 *
 * Where the sieve is tried and throws away next to nothing, points are only looked at for what is not finite.
 */
#include "hull/kernels/hull_block.h"
#include "hull/kernels/hull_types.h"

/* Stretches: that of cell c is 1 + c, and those at the ends are empty. */
static __device__ inline void hull_fetch_sieve(const hull_table *t, float (*sieve)[2]) {
    const float infinite = (float)hull_bits_as<double>(UINT64_C(0x7ff) << 52);
    for (uint32_t k = threadIdx.x; k < HULL_CELLS + 2; k += blockDim.x) {
        const bool is_cell = k >= 1 && k <= HULL_CELLS;
        sieve[k][0] = is_cell ? t->state->least[k - 1] : infinite;
        sieve[k][1] = is_cell ? t->state->most[k - 1] : -infinite;
    }
}

template <class of>
static __device__ inline bool hull_stays(const of *scale, const float (*sieve)[2], typename of::coordinate x,
                                         typename of::coordinate y) {
    const float u = scale->along(x), v = scale->up(y);
    const uint32_t cell = u >= 0 && u < (float)HULL_CELLS ? (uint32_t)u + 1 : 0;
    return !(v >= sieve[cell][0] && v <= sieve[cell][1]);
}

/* Candidates that a block holds back. */
struct hull_held {
    uint32_t fill; /* how many have come */
    uint32_t full; /* how many are held, once HULL_ROOM have come */
    uint32_t index[HULL_ROOM + HULL_AT_ONCE * WARP_LANES];
};

/* Lists the points first, first + blockDim.x, ... whose bit is set: holds them back, or, where the room is over, not. */
template <uint32_t points>
static __device__ inline void hull_list(const hull_table *t, hull_held *held, uint32_t kept, uint32_t first) {
    uint32_t votes[points], count = 0, at = 0;
    if (__ballot_sync(WARP_ALL_LANES, kept != 0) == 0) return;
    UNROLL
    for (uint32_t k = 0; k < points; ++k) {
        votes[k] = __ballot_sync(WARP_ALL_LANES, (kept >> k & 1) != 0);
        count += (uint32_t)__popc(votes[k]);
    }
    if (warp_lane() == 0) {
        at = ATOMIC_ADD(&held->fill, count);
        if (at < HULL_ROOM && at + count >= HULL_ROOM) held->full = at + count;
    }
    at = __shfl_sync(WARP_ALL_LANES, at, 0);
    const bool is_held = at < HULL_ROOM;
    if (!is_held && warp_lane() == 0) at = ATOMIC_ADD(&t->state->record.listed[0], count) + 1;
    if (!is_held) at = __shfl_sync(WARP_ALL_LANES, at, 0);
    uint32_t *to = is_held ? held->index + at : t->list[0] + at;
    UNROLL
    for (uint32_t k = 0; k < points; ++k) {
        if (kept >> k & 1) to[__popc(votes[k] & ((1u << warp_lane()) - 1))] = first + k * blockDim.x;
        to += __popc(votes[k]);
    }
}

/* Lists what has been held back. */
static __device__ inline void hull_let_go(const hull_table *t, hull_held *held) {
    hull_meet();
    const uint32_t count = held->fill < HULL_ROOM ? held->fill : held->full;
    hull_meet();
    if (threadIdx.x == 0) held->fill = ATOMIC_ADD(&t->state->record.listed[0], count) + 1;
    hull_meet();
    uint32_t *const to = t->list[0] + held->fill;
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) to[k] = held->index[k];
}

/* True if most points that a boundary of the sample's hull was made of are its corners. */
static __device__ inline bool hull_is_bent(const hull_boundary *of) {
    return of->count >= HULL_BENT && 2 * of->count >= of->noted;
}

/* True if the sieve keeps 15 of 16 points of a part of the sample, which is the same for all blocks. */
template <class of>
static __device__ inline bool hull_keeps_all(const hull_table *t, const of *scale, const float (*sieve)[2],
                                             const typename of::pair *points, hull_span span, uint32_t *sums) {
    uint32_t tried = 0, kept = 0, all;
    for (uint32_t k = threadIdx.x; k < HULL_TRIAL; k += blockDim.x) {
        const uint64_t i = hull_sampled(t, span, (uint64_t)k * t->sample / HULL_TRIAL);
        if (i >= span.end) continue;
        const typename of::pair point = points[i];
        ++tried;
        kept += hull_stays(scale, sieve, of::x_of(point), of::y_of(point));
    }
    hull_sum_before(tried << 16 | kept, sums, &all);
    return (all & 0xffff) * 16 >= (all >> 16) * 15;
}

/* All points are candidates. */
template <class of>
static __device__ inline void hull_take_set(const hull_table *t, const typename of::pair *points,
                                            hull_span span) {
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x,
                   thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (thread == 0) t->state->record.first = (uint32_t)span.begin;
    for (uint64_t i = span.begin + thread; i < span.end; i += step) {
        const typename of::pair point = points[i];
        if (!of::is_finite(of::x_of(point)) || !of::is_finite(of::y_of(point))) hull_refuse_point(t, i);
    }
}

template <class of, class element>
__global__ void LAUNCH_BOUNDS(512, 3)
    hull_filter(element *, const element *a, const GRID_CONSTANT hull_table t) {
    hull_follow();
    typedef typename of::pair pair;
    const pair *const points = (const pair *)a;
    extern __shared__ uint64_t shared_memory[];
    float(*const sieve)[2] = (float(*)[2])shared_memory;
    hull_held *const held = (hull_held *)(sieve + HULL_CELLS + 2);
    const of scale(hull_scale_of<typename of::kind>(&t, 0));
    const hull_span span = hull_span_of(&t, 0);
    const uint64_t tile = of::POINTS * blockDim.x, step = gridDim.x * tile;
    hull_fetch_sieve(&t, sieve);
    if (threadIdx.x == 0) held->fill = 0;
    hull_meet();
    if ((hull_is_bent(&t.state->boundary[0][0]) || hull_is_bent(&t.state->boundary[0][1])) &&
        hull_keeps_all(&t, &scale, sieve, points, span, held->index)) {
        hull_take_set<of>(&t, points, span);
        return;
    }
    for (uint64_t begin = span.begin + blockIdx.x * tile; begin < span.end; begin += step) {
        const uint64_t first = begin + threadIdx.x;
        pair point[of::POINTS];
        uint32_t kept = 0;
        UNROLL
        for (uint32_t k = 0; k < of::POINTS; ++k)
            if (first + k * blockDim.x < span.end) point[k] = points[first + k * blockDim.x];
        UNROLL
        for (uint32_t k = 0; k < of::POINTS; ++k) {
            const bool is_point = first + k * blockDim.x < span.end;
            if (is_point && hull_stays(&scale, sieve, of::x_of(point[k]), of::y_of(point[k]))) kept |= 1u << k;
        }
        hull_list<of::POINTS>(&t, held, kept, (uint32_t)first);
    }
    hull_let_go(&t, held);
}
