/* SPDX-License-Identifier: Apache-2.0
 *
 * The splitters of each segment: keys from places drawn from as many equal stretches are put in order, and each so many-th
 * is a splitter.
 *
 * With many segments a block sorts each one's sample, in registers. A single segment would have one block, and all others would
 * wait: blocks have some samples each, and count for each how many of all come before it.
 */
#include "sort/kernels/levels/sort_guide.h"
#include "sort/kernels/sort_block.h"
#include "sort/kernels/sort_places.h"

/* The sample k is of that rank: splitter s - 1 is the one of rank s * samples / ways. */
template <class element>
static __device__ inline void sort_split(const sort_sample_table &t, const sort_part &p, element *b,
                                         uint32_t samples, uint32_t rank,
                                         const typename sort_of<element>::key &k) {
    const uint32_t s = (rank * p.ways + samples - 1) / samples;
    if (s >= 1 && s < p.ways && s * samples / p.ways == rank)
        b[(uint64_t)p.segment * t.row + s - 1] = sort_of<element>::put(k);
}

/* Before keys are counted. */
static __device__ inline void sort_clear_cursors(const sort_sample_table &t, uint32_t segment) {
    if (t.cursors == nullptr) return;
    for (uint32_t k = threadIdx.x; k < t.row; k += SORT_SAMPLE_THREADS)
        t.cursors[(uint64_t)segment * t.row + k] = 0;
}

/** A block a segment. a is where the segments lie; b has the splitters. */
template <uint32_t each, class element>
__global__ void LAUNCH_BOUNDS(SORT_SAMPLE_THREADS, 1)
    sort_sample(element *b, const element *a, const GRID_CONSTANT sort_sample_table t) {
    typedef typename sort_of<element>::key key;
    extern __shared__ uint64_t shared_memory[];
    const sort_part p = sort_segment(t.segments, blockIdx.x);
    const uint32_t length = p.end - p.begin, samples = t.samples < length ? t.samples : length;
    key k[each];
    sort_clear_cursors(t, p.segment);
    if (p.ways == 1) return;
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SORT_SAMPLE_THREADS + threadIdx.x;
        k[r] = sort_of<element>::last();
        if (i < samples) k[r] = sort_get(t.coder, a[p.begin + sort_sample_place(i, samples, length)]);
    }
    sort_block<SORT_SAMPLE_THREADS>(k, (key *)shared_memory);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) sort_split(t, p, b, samples, threadIdx.x * each + r, k[r]);
}

/* Adds to each lane's counts how many of samples `first` to last - 1, SORT_AT_ONCE times some, come before its own, or do
 * not come behind them. */
template <bool ties, uint32_t each, class key>
static __device__ inline void sort_count_before(const key *sample, uint32_t first, uint32_t last,
                                                const key (&own)[each], uint32_t (&count)[each]) {
    ROLL for (; first < last; first += SORT_AT_ONCE) {
        UNROLL
        for (uint32_t i = 0; i < SORT_AT_ONCE; ++i) {
            const key other = sample[first + i];
            UNROLL
            for (uint32_t r = 0; r < each; ++r)
                if (ties ? !sort_before(own[r], other) : sort_before(other, own[r])) ++count[r];
        }
    }
}

/** The same of one segment. A block has SORT_RANKED samples, and each of its warps all of them, which it compares with a part of all.
 *  Behind the samples there is room for WARP_LANES more, which come before none. */
template <class element>
__global__ void LAUNCH_BOUNDS(SORT_SAMPLE_THREADS, 1)
    sort_ranks(element *b, const element *a, const GRID_CONSTANT sort_sample_table t) {
    typedef typename sort_of<element>::key key;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t each = SORT_RANKED / WARP_LANES, parts = SORT_SAMPLE_THREADS / WARP_LANES;
    const sort_part p = sort_segment(t.segments, 0);
    const uint32_t length = p.end - p.begin, samples = t.samples < length ? t.samples : length;
    const uint32_t begin = blockIdx.x * SORT_RANKED, end = begin + SORT_RANKED;
    const uint32_t part = threadIdx.x / WARP_LANES, rounds = (samples + SORT_AT_ONCE - 1) / SORT_AT_ONCE;
    const uint32_t first = part * rounds / parts * SORT_AT_ONCE,
                   last = (part + 1) * rounds / parts * SORT_AT_ONCE;
    key *const sample = (key *)shared_memory, own[each];
    uint32_t *const rank = (uint32_t *)(sample + samples + WARP_LANES), count[each];
    for (uint32_t i = threadIdx.x; i < samples + WARP_LANES; i += SORT_SAMPLE_THREADS)
        sample[i] = i < samples ? sort_get(t.coder, a[p.begin + sort_sample_place(i, samples, length)])
                                : sort_of<element>::last();
    if (threadIdx.x < SORT_RANKED) rank[threadIdx.x] = 0;
    if (blockIdx.x == 0) sort_clear_cursors(t, 0);
    __syncthreads();
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = begin + r * WARP_LANES + warp_lane();
        own[r] = sample[i < samples ? i : samples];
        count[r] = 0;
    }
    sort_count_before<true>(sample, first, last < begin ? last : begin, own, count);
    for (uint32_t k = first < begin ? begin : first; k < last && k < end; ++k) {
        const key other = sample[k];
        UNROLL
        for (uint32_t r = 0; r < each; ++r)
            if (sort_before(other, own[r]) ||
                (sort_same(other, own[r]) && k < begin + r * WARP_LANES + warp_lane()))
                ++count[r];
    }
    sort_count_before<false>(sample, first < end ? end : first, last, own, count);
    UNROLL
    for (uint32_t r = 0; r < each; ++r) ATOMIC_ADD(&rank[r * WARP_LANES + warp_lane()], count[r]);
    __syncthreads();
    const uint32_t i = begin + threadIdx.x;
    if (threadIdx.x < SORT_RANKED && i < samples) sort_split(t, p, b, samples, rank[threadIdx.x], sample[i]);
}
