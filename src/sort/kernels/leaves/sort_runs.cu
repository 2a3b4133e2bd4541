/* SPDX-License-Identifier: Apache-2.0
 *
 * Leaves of more than a chunk, as segments may be, by all blocks: chunks are sorted, and then a launch merges two runs each, while
 * the longest leaf has more than one (t.rest[1] says; else a launch ends at once).
 *
 *     tiles    | 0        | 1        | 2        | 3      |     of the array, a block a tile
 *     leaf        | chunk    | chunk    | chunk  |             chunks and parts are counted from where the leaf begins
 *
 * A block does what begins in its tile. A tile is no longer than such a leaf, so that it meets two of them at most: those in which its
 * first and its last place are.
 */
#include "sort/kernels/leaves/sort_chunk.h"
#include "sort/kernels/sort_search.h"

struct sort_stretch {
    uint32_t begin, end;
};

/* The leaf that has a place; an empty one if none has it. */
static __device__ inline sort_stretch sort_leaf_of(const sort_chunks_table &t, uint32_t place) {
    const uint32_t *const begin = t.leaves.begin;
    if (place < begin[0] || place >= begin[t.leaves.count]) return sort_stretch{place, place};
    const uint32_t low = sort_last_begun([&](uint32_t k) { return begin[k]; }, t.leaves.count, place);
    return sort_stretch{begin[low], begin[low + 1]};
}

/* The leaf in which the tile's first place is, and then that of its last place, where it begins behind. */
static __device__ inline sort_stretch sort_tile_leaf(const sort_chunks_table &t, uint32_t tile,
                                                     bool is_second) {
    const uint32_t last = t.n - tile < SORT_CHUNK ? t.n - 1 : tile + SORT_CHUNK - 1;
    const sort_stretch leaf = sort_leaf_of(t, is_second ? last : tile);
    return is_second && leaf.begin <= tile ? sort_stretch{last, last} : leaf;
}

/* The leaf's first place in the tile that is a multiple of `unit` of its keys. */
static __device__ inline uint32_t sort_first_of(const sort_stretch &leaf, uint32_t tile, uint32_t unit) {
    return leaf.begin >= tile ? 0 : (tile - leaf.begin + (unit - 1)) / unit * unit;
}

/* Merges that a leaf takes. */
static __device__ inline uint32_t sort_rounds(uint32_t length) {
    uint32_t rounds = 0;
    while ((uint64_t)SORT_CHUNK << rounds < length) ++rounds;
    return rounds;
}

/** Chunks from a are sorted to b or to t.spare, by how many merges follow. */
template <bool carries, class element>
__global__ void LAUNCH_BOUNDS(SORT_LONG_THREADS, 1)
    sort_chunks(element *b, const element *a, const GRID_CONSTANT sort_chunks_table t) {
    extern __shared__ uint64_t shared_memory[];
    const sort_arrays<element> result = {b, t.carried.to};
    const sort_arrays<element> other = {(element *)t.spare.keys, t.spare.carried};
    const uint32_t tile = blockIdx.x * SORT_CHUNK;
    if (t.rest[1] <= SORT_CHUNK) return;
    for (uint32_t k = 0; k < 2; ++k) {
        const sort_stretch leaf = sort_tile_leaf(t, tile, k == 1);
        const uint32_t length = leaf.end - leaf.begin, chunk = sort_first_of(leaf, tile, SORT_CHUNK);
        if (length <= SORT_CHUNK || chunk >= length) continue;
        const uint32_t most = SORT_CHUNK, count = length - chunk < most ? length - chunk : most;
        sort_chunk<carries>(t.coder, sort_rounds(length) % 2 == 0 ? result : other, a, t.carried.from,
                            leaf.begin + chunk, leaf.begin + chunk + count, false, shared_memory);
        __syncthreads();
    }
}

/* The tile's part of a leaf whose runs of `run` keys become runs of twice as many. */
template <bool carries, class element>
static __device__ inline void sort_merge_tile(const sort_coder &by, uint32_t run,
                                              const sort_arrays<element> &to, const sort_arrays<element> &from,
                                              const sort_stretch &leaf, uint32_t tile, bool is_result) {
    const uint32_t length = leaf.end - leaf.begin;
    const uint64_t end = (uint64_t)tile + SORT_CHUNK - leaf.begin, both = 2 * (uint64_t)run;
    for (uint64_t part = sort_first_of(leaf, tile, SORT_MERGE_EACH) + (uint64_t)threadIdx.x * SORT_MERGE_EACH;
         part < end && part < length; part += SORT_LONG_THREADS * SORT_MERGE_EACH) {
        const uint32_t pair = (uint32_t)(part / both * both), left = length - pair;
        const uint32_t a_count = left < run ? left : run, b_count = left - a_count < run ? left - a_count : run;
        const uint32_t at = (uint32_t)part - pair, all = a_count + b_count, a = leaf.begin + pair;
        const uint32_t last = all - at < SORT_MERGE_EACH ? all : at + SORT_MERGE_EACH;
        sort_merge_part<carries>(by, to, from, a, a_count, a + a_count, b_count, at, last, is_result);
    }
}

/** Runs of `run` keys are merged, from b to t.spare or back. */
template <bool carries, class element>
__global__ void LAUNCH_BOUNDS(SORT_LONG_THREADS, 1)
    sort_runs(element *b, const element *, const GRID_CONSTANT sort_runs_table table) {
    const sort_chunks_table &t = table.of;
    const uint32_t run = table.run;
    const sort_arrays<element> result = {b, t.carried.to};
    const sort_arrays<element> other = {(element *)t.spare.keys, t.spare.carried};
    const uint32_t tile = blockIdx.x * SORT_CHUNK;
    if (t.rest[1] <= run) return;
    for (uint32_t k = 0; k < 2; ++k) {
        const sort_stretch leaf = sort_tile_leaf(t, tile, k == 1);
        if (leaf.end - leaf.begin <= run) continue;
        const uint32_t left = sort_rounds(leaf.end - leaf.begin) - sort_rounds(run);
        const bool to_result = left % 2 == 1;
        sort_merge_tile<carries>(t.coder, run, to_result ? result : other, to_result ? other : result, leaf,
                                 tile, left == 1);
    }
}
