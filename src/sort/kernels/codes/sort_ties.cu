/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements that are in order by the first bits of their keys, and tie: they are sorted by the bits that follow, all runs of
 * them together, and take the places that they have in the order. A run is known by its number.
 *
 *     order    | a | b | c | d | e | f | g |     b and c tie, and so do e, f and g
 *     same     | 0 | 0 | 1 | 0 | 0 | 1 | 1 |
 *     place        | 1 | 2 |   | 4 | 5 | 6 |
 *     codes        | 1 | 1 |   | 2 | 2 | 2 |     the run's number, 32 bits, and 96 bits of the key
 *
 * Elements that still tie then are sorted once more, by the next bits. Where keys have none left the launches leave at once,
 * and where nothing ties what is sorted is empty.
 */
#include "sort/kernels/codes/sort_key_bits.h"
#include "sort/kernels/sort_search.h"
#include "sort/kernels/sort_sum.h"

enum { SORT_FLAGS = 4 }; /* that a thread reads at a time */

/* True if keys have bits that no round before has sorted by. */
static __device__ inline bool sort_is_on(const sort_round &round) { return *round.bits > round.skip; }

/* True if the element at place k is the first of its segment. */
static __device__ inline bool sort_begins(const sort_ranges &all, uint32_t k) {
    if (all.begin == nullptr) return k == 0;
    return all.begin[sort_last_begun([&](uint32_t s) { return all.begin[s]; }, all.segments, k)] == k;
}

/* True if the code at place k is that of the place before, and both are in segments. */
template <class element>
static __device__ inline bool sort_is_like_last(const sort_ranges &all, const element *a, uint64_t k) {
    typedef sort_of<element> of;
    if (k == 0 || !sort_is_inside(all, k) || !sort_is_inside(all, k - 1)) return false;
    return sort_same(of::get(a[k]), of::get(a[k - 1]));
}

/** a has the sorted codes of what is in segments, of which it brings what tied before to its place. t.same is written up to a multiple of
 *  SORT_FLAGS that is beyond n. A grid of any length. */
template <class element>
__global__ void sort_ties(element *, const element *__restrict__ a, const GRID_CONSTANT sort_ties_table t) {
    const sort_ranges &all = t.ranges;
    const bool is_on = sort_is_on(t.round), is_list = t.place != nullptr;
    const uint64_t flags = (uint64_t)all.n / SORT_FLAGS * SORT_FLAGS + 2 * SORT_FLAGS;
    const uint64_t end = is_list ? all.begin[all.segments] : flags, tile = SORT_ROW_TILE;
    if (!is_on && !is_list) return;
    for (uint64_t first = blockIdx.x * tile + threadIdx.x; first < end; first += gridDim.x * tile) {
        bool is_same[SORT_ROW_EACH];
        UNROLL
        for (uint32_t j = 0; j < SORT_ROW_EACH; ++j)
            is_same[j] = is_on && sort_is_like_last(all, a, first + j * SORT_ROW_THREADS);
        UNROLL
        for (uint32_t j = 0; j < SORT_ROW_EACH; ++j) {
            const uint64_t k = first + j * SORT_ROW_THREADS;
            if (k >= end) continue;
            const uint64_t place = is_list ? t.place[k] : k;
            if (is_list) t.whole[place] = t.tied[k];
            if (is_on) t.same[place] = is_same[j] && !sort_begins(all, (uint32_t)k) ? 1 : 0;
        }
    }
}

/* For SORT_FLAGS places from k on, a byte each: returns those that tie with what is before; `tied` are those that tie at
 * all. */
static __device__ inline uint32_t sort_flags(const uint8_t *flags, uint64_t k, uint32_t *tied) {
    const uint32_t same = *(const uint32_t *)(flags + k);
    *tied = same | same >> 8 | (uint32_t)flags[k + SORT_FLAGS] << 24;
    return same;
}

/** b receives how many of a block's t.piece places tie, and behind those of all blocks how many runs of them begin there. */
template <class element>
__global__ void sort_tie_counts(element *__restrict__ b, const element *,
                                const GRID_CONSTANT sort_tie_counts_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint64_t begin = (uint64_t)blockIdx.x * t.piece;
    const uint64_t end = begin + t.piece < t.n ? begin + t.piece : t.n;
    uint32_t ties = 0, runs = 0, all_ties, all_runs, tied;
    for (uint64_t k = begin + threadIdx.x * SORT_FLAGS; sort_is_on(t.round) && k < end;
         k += SORT_ROW_THREADS * SORT_FLAGS) {
        const uint32_t same = sort_flags(t.same, k, &tied);
        ties += (uint32_t)__popc(tied);
        runs += (uint32_t)__popc(tied & ~same);
    }
    sort_sum_before(ties, (uint32_t *)shared_memory, &all_ties);
    sort_sum_before(runs, (uint32_t *)shared_memory, &all_runs);
    if (threadIdx.x > 0) return;
    b[blockIdx.x] = all_ties;
    b[gridDim.x + blockIdx.x] = all_runs;
}

/** b receives the codes of what ties, t.place its places and t.tied what is there; t.begin where the list of them begins and ends. t.sums are
 *  those of the counts before. */
template <class element>
__global__ void sort_tie_codes(element *__restrict__ b, const element *,
                               const GRID_CONSTANT sort_tie_codes_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint32_t all = t.sums[gridDim.x];
    const uint64_t begin = (uint64_t)blockIdx.x * t.piece;
    const uint64_t end = begin + t.piece < t.n ? begin + t.piece : t.n;
    uint32_t ties = t.sums[blockIdx.x], runs = t.sums[gridDim.x + blockIdx.x] - all;
    if (blockIdx.x == 0 && threadIdx.x < 2) t.begin[threadIdx.x] = threadIdx.x == 0 ? 0 : all;
    if (ties == t.sums[blockIdx.x + 1]) return;
    for (uint64_t first = begin; first < end; first += SORT_ROW_THREADS * SORT_FLAGS) {
        const uint64_t k = first + threadIdx.x * SORT_FLAGS;
        uint32_t tied = 0, here, runs_here;
        const uint32_t same = k < end ? sort_flags(t.same, k, &tied) : 0;
        uint32_t rank = ties + sort_sum_before((uint32_t)__popc(tied), (uint32_t *)shared_memory, &here);
        uint32_t run =
            runs + sort_sum_before((uint32_t)__popc(tied & ~same), (uint32_t *)shared_memory, &runs_here);
        ROLL for (uint32_t j = 0; j < SORT_FLAGS; ++j) {
            if ((tied >> 8 * j & 1) == 0) continue;
            const unsigned char *const e[1] = {t.rows.elements + (uint64_t)t.whole[k + j] * t.rows.elem_bytes};
            uint64_t high[1], low[1];
            run += (same >> 8 * j & 1) == 0 ? 1 : 0;
            sort_key_bits(t.rows, t.squeezes, e, t.skip, SORT_TIED_BITS - 64, high);
            sort_key_bits(t.rows, t.squeezes, e, t.skip + (SORT_TIED_BITS - 64), 64, low);
            b[rank] = sort_of<element>::put(sort_wide{low[0], (uint64_t)run << 32 | high[0]});
            t.tied[rank] = t.whole[k + j];
            t.place[rank] = (uint32_t)(k + j);
            ++rank;
        }
        ties += here;
        runs += runs_here;
    }
}
