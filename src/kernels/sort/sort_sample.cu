/* SPDX-License-Identifier: Apache-2.0
 *
 * The splitters of each segment, a block a segment: keys from places drawn from as many equal stretches are sorted
 * with their places, by the block in registers, and each so many-th is a splitter. The places are the same in each
 * run.
 */
#include "kernels/sort/sort_block.h"
#include "kernels/sort/sort_tree.h"

/* Where sample i of `samples` is drawn from: a place in the i-th of as many stretches. */
static __device__ inline uint32_t sort_sample_place(uint32_t i, uint32_t samples, uint32_t length) {
    const uint32_t first = (uint32_t)((uint64_t)i * length / samples);
    const uint32_t next = (uint32_t)((uint64_t)(i + 1) * length / samples);
    uint32_t mixed = (i + 1) * 0x9e3779b9u + length * 0x85ebca6bu;
    mixed = (mixed ^ mixed >> 16) * 0x7feb352du;
    mixed = (mixed ^ mixed >> 15) * 0x846ca68bu;
    mixed ^= mixed >> 16;
    return first + (uint32_t)((uint64_t)mixed * (next - first) >> 32);
}

/** a is where the segments lie; b is t.splitters. */
template <class element>
__global__ void LAUNCH_BOUNDS(SORT_SAMPLE_THREADS, 1)
    sort_sample(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT sort_table t) {
    typedef sort_of<element> of;
    typedef typename of::tagged record;
    extern __shared__ uint64_t shared_memory[];
    const sort_part p = sort_segment(&t, blockIdx.x);
    const uint32_t length = p.end - p.begin, samples = t.samples < length ? t.samples : length;
    record k[SORT_SAMPLE_EACH];
    if (p.ways == 1) return;
    UNROLL
    for (uint32_t r = 0; r < SORT_SAMPLE_EACH; ++r) {
        const uint32_t i = r * SORT_SAMPLE_THREADS + threadIdx.x;
        k[r] = of::tag(of::last(), ~0u);
        if (i < samples) k[r] = of::tag(sort_get(t, a[p.begin + sort_sample_place(i, samples, length)]), i);
    }
    sort_block<SORT_SAMPLE_THREADS>(k, (record *)shared_memory);
    UNROLL
    for (uint32_t r = 0; r < SORT_SAMPLE_EACH; ++r) { /* splitter s - 1 is the one of rank s * samples / ways */
        const uint32_t rank = threadIdx.x * SORT_SAMPLE_EACH + r, s = (rank * p.ways + samples - 1) / samples;
        if (s < 1 || s >= p.ways || s * samples / p.ways != rank) continue;
        b[(uint64_t)p.segment * t.row + s - 1] = of::put(of::key_of(k[r]));
        t.places[(uint64_t)p.segment * t.row + s - 1] = sort_sample_place(of::tag_of(k[r]), samples, length);
    }
}
