/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting by a comparison of the user's: elements stay where they are, and their numbers are merged two runs at a time,
 * by merge path. It is compiled where it runs, behind the comparison: compare(x, y) of two elements, and
 * SORT_OWN_ELEMENT_BYTES and SORT_OWN_ALIGNMENT. One kernel with steps, so that it is compiled once.
 *
 *     numbers   | tile | tile | tile | tile | ...       tiles are sorted in shared memory,
 *     runs      |     run     |     run     | ...       then runs are merged, a pair of them by as many blocks as tiles
 *     segments  |   0     |   1 |     2         | ...
 *
 * Segments lie across runs. The order is by segments first, so that of a pair only the segment in which its second run begins
 * is merged: what else there is of the pair stands where it belongs.
 *
 * The comparison may be no order, or say something else each time. Then two borders of a merge can cross, and what lies between
 * them would come twice. So each border is found once and kept; a pair whose borders cross is left as it is, and within
 * a tile so is the tile. All that is read and written lies between borders that do not cross: the result is a permutation.
 */
#include "device/kernels/device.h"
#include "sort/kernels/sort_own.h"
#include "sort/kernels/sort_search.h"

/* Two runs side by side, low to middle - 1 and middle to high - 1. */
struct sort_own_runs {
    uint32_t low, middle, high;
};

static __device__ inline bool sort_own_before(const sort_own_table &t, uint32_t x, uint32_t y) {
    const void *const a = t.elements + (uint64_t)x * SORT_OWN_ELEMENT_BYTES, *const b =
                                                                                 t.elements +
                                                                                 (uint64_t)y *
                                                                                     SORT_OWN_ELEMENT_BYTES;
    return compare((const unsigned char *)__builtin_assume_aligned(a, SORT_OWN_ALIGNMENT),
                   (const unsigned char *)__builtin_assume_aligned(b, SORT_OWN_ALIGNMENT)) != 0;
}

static __device__ inline uint64_t sort_own_between(uint64_t value, uint64_t least, uint64_t most) {
    return value < least ? least : value < most ? value : most;
}

/* ----------------------------------------------------------------- segments */

/* Where the segment begins and ends that has place `at`; of a place in none both are `at`. */
static __device__ inline void sort_own_segment(const sort_own_table &t, uint32_t at, uint32_t *begin,
                                               uint32_t *end) {
    *begin = t.begin == nullptr ? 0 : at;
    *end = t.begin == nullptr ? t.n : at;
    if (t.begin == nullptr || at < t.begin[0] || at >= t.begin[t.segments]) return;
    const uint32_t segment = sort_last_begun([&](uint32_t k) { return t.begin[k]; }, t.segments, at);
    *begin = t.begin[segment];
    *end = t.begin[segment + 1];
}

/* The runs that are merged in the pair that begins at place `pair`. */
static __device__ inline sort_own_runs sort_own_pair(const sort_own_table &t, uint64_t pair, uint32_t run) {
    uint32_t begin, end;
    if (pair + run >= t.n) return sort_own_runs{(uint32_t)pair, (uint32_t)pair, (uint32_t)pair};
    const uint32_t middle = (uint32_t)pair + run;
    sort_own_segment(t, middle, &begin, &end);
    return sort_own_runs{(uint32_t)sort_own_between(begin, pair, middle), middle,
                         (uint32_t)sort_own_between(end, middle, pair + 2 * (uint64_t)run)};
}

/* ------------------------------------------------------------------- merges */

/* Places of a tile in shared memory. A thread's are apart by a bank from its neighbour's, so that all write without conflicts. */
static __device__ inline uint32_t sort_own_cell(uint32_t place) { return place + place / SORT_OWN_BANKS; }

struct sort_own_tile {
    const uint32_t *numbers;
    __device__ uint32_t at(uint32_t place) const { return numbers[sort_own_cell(place)]; }
};
struct sort_own_array {
    const uint32_t *numbers;
    __device__ uint32_t at(uint32_t place) const { return numbers[place]; }
};

/* How many of the first `at` results of merging are of the first run. */
template <class array>
static __device__ inline uint32_t sort_own_split(const sort_own_table &t, const array &of,
                                                 const sort_own_runs &r, uint32_t at) {
    return sort_merge_split(
        [&](uint32_t j, uint32_t i) { return sort_own_before(t, of.at(r.middle + j), of.at(r.low + i)); },
        r.middle - r.low, r.high - r.middle, at);
}

/* Runs of the tile, each thread's own, are merged. `splits` has a word a thread. */
static __device__ inline void sort_own_merge(const sort_own_table &t, uint32_t *numbers, uint32_t *splits,
                                             const sort_own_runs &r) {
    const sort_own_tile tile = {numbers};
    const uint32_t first = threadIdx.x * SORT_OWN_EACH;
    const uint32_t from = (uint32_t)sort_own_between(first, r.low, r.high),
                   to = (uint32_t)sort_own_between(first + SORT_OWN_EACH, r.low, r.high);
    const uint32_t split = sort_own_split(t, tile, r, from - r.low);
    uint32_t out[SORT_OWN_EACH], x = r.low + split, y = r.middle + (from - r.low - split);
    splits[threadIdx.x] = split;
    __syncthreads();
    UNROLL
    for (uint32_t k = 0; k < SORT_OWN_EACH; ++k) {
        const uint32_t place = first + k;
        const bool is_second = y < r.high && (x == r.middle || sort_own_before(t, tile.at(y), tile.at(x)));
        const bool is_merged = place >= from && place < to;
        out[k] = tile.at(!is_merged ? place : is_second ? y : x);
        x += is_merged && !is_second ? 1 : 0;
        y += is_merged && is_second ? 1 : 0;
    }
    const bool crosses = to > r.low && to < r.high && x - r.low != splits[threadIdx.x + 1];
    if (__syncthreads_or(crosses ? 1 : 0)) return;
    UNROLL
    for (uint32_t k = 0; k < SORT_OWN_EACH; ++k) numbers[sort_own_cell(first + k)] = out[k];
    __syncthreads();
}

/* -------------------------------------------------------------------- tiles */

/* The thread's places of the tile, by insertion, each segment by itself. */
static __device__ inline void sort_own_insert(const sort_own_table &t, uint32_t *numbers, uint32_t tile,
                                              uint32_t count) {
    const uint32_t first = threadIdx.x * SORT_OWN_EACH;
    uint32_t begin = 0, end = 0;
    ROLL for (uint32_t k = first; k < first + SORT_OWN_EACH && k < count; ++k) {
        if (tile + k >= end) sort_own_segment(t, tile + k, &begin, &end);
        const uint32_t lowest = (uint32_t)sort_own_between(begin, tile + first, tile + k) - tile;
        const uint32_t number = numbers[sort_own_cell(k)];
        uint32_t to = k;
        for (; to > lowest && sort_own_before(t, number, numbers[sort_own_cell(to - 1)]); --to)
            numbers[sort_own_cell(to)] = numbers[sort_own_cell(to - 1)];
        numbers[sort_own_cell(to)] = number;
    }
    __syncthreads();
}

/* The pair of runs that the thread's places are in, as places of the tile. */
static __device__ inline sort_own_runs sort_own_inside(const sort_own_table &t, uint32_t tile, uint32_t run) {
    const uint32_t pair = threadIdx.x * SORT_OWN_EACH / (2 * run) * (2 * run);
    const sort_own_runs r = sort_own_pair(t, (uint64_t)tile + pair, run);
    return sort_own_runs{r.low - tile, r.middle - tile, r.high - tile};
}

static __device__ inline void sort_own_write(uint32_t *b, const uint32_t *numbers, uint32_t tile,
                                             uint32_t count) {
    for (uint32_t k = threadIdx.x; k < count; k += SORT_OWN_THREADS) b[tile + k] = numbers[sort_own_cell(k)];
}

static __device__ inline void sort_own_sort_tile(const sort_own_table &t, uint32_t *b, uint32_t *numbers,
                                                 uint32_t *splits, uint32_t tile, uint32_t count) {
    for (uint32_t k = threadIdx.x; k < SORT_OWN_TILE; k += SORT_OWN_THREADS)
        numbers[sort_own_cell(k)] = tile + k;
    __syncthreads();
    sort_own_insert(t, numbers, tile, count);
    ROLL for (uint32_t run = SORT_OWN_EACH; run < SORT_OWN_TILE; run *= 2)
        sort_own_merge(t, numbers, splits, sort_own_inside(t, tile, run));
    sort_own_write(b, numbers, tile, count);
    if (threadIdx.x == 0) t.broken[blockIdx.x] = 0;
}

/* --------------------------------------------------------------------- runs */

/* How many results of the pair before place `at` are of its first run: known at its ends, else found by `borders`. */
static __device__ inline uint32_t sort_own_border(const sort_own_table &t, const sort_own_runs &r,
                                                  uint64_t at) {
    if (at <= r.low) return 0;
    return at >= r.high ? r.middle - r.low : t.borders[at / SORT_OWN_TILE];
}

/* The part of both runs that becomes `count` places from `tile` on: places from .. to - 1, of x .. x_end - 1 and y .. y_end -
 * 1. */
struct sort_own_part {
    uint32_t from, to, x, x_end, y, y_end;
};

static __device__ inline sort_own_part sort_own_part_of(const sort_own_table &t, const sort_own_runs &r,
                                                        uint64_t tile) {
    const uint64_t end = tile + SORT_OWN_TILE < t.n ? tile + SORT_OWN_TILE : t.n;
    const uint32_t from = (uint32_t)sort_own_between(tile, r.low, r.high),
                   to = (uint32_t)sort_own_between(end, r.low, r.high);
    const uint32_t split = sort_own_border(t, r, tile), next = sort_own_border(t, r, tile + SORT_OWN_TILE);
    return sort_own_part{from,
                         to,
                         r.low + split,
                         r.low + next,
                         r.middle + (from - r.low - split),
                         r.middle + (to - r.low - next)};
}

static __device__ inline uint64_t sort_own_pair_begin(const sort_own_table &t, uint64_t place) {
    return place / (2 * (uint64_t)t.run) * (2 * (uint64_t)t.run);
}

/* A thread finds where its tile begins in a pair of runs. */
static __device__ inline void sort_own_find(const sort_own_table &t, const uint32_t *a, uint64_t tile) {
    if (tile >= t.n) return;
    const sort_own_runs r = sort_own_pair(t, sort_own_pair_begin(t, tile), t.run);
    if (tile > r.low && tile < r.high)
        t.borders[tile / SORT_OWN_TILE] = sort_own_split(t, sort_own_array{a}, r, (uint32_t)tile - r.low);
}

static __device__ inline void sort_own_check(const sort_own_table &t, uint64_t tile) {
    if (tile >= t.n) return;
    const uint64_t pair = sort_own_pair_begin(t, tile);
    const sort_own_part p = sort_own_part_of(t, sort_own_pair(t, pair, t.run), tile);
    if (p.x > p.x_end || p.y > p.y_end) ATOMIC_OR(&t.broken[pair / (2 * (uint64_t)t.run)], t.run);
}

static __device__ inline void sort_own_merge_tile(const sort_own_table &t, uint32_t *b, const uint32_t *a,
                                                  uint32_t *numbers, uint32_t *splits, uint32_t tile,
                                                  uint32_t count) {
    const uint64_t pair = sort_own_pair_begin(t, tile);
    sort_own_runs r = sort_own_pair(t, pair, t.run);
    if ((t.broken[pair / (2 * (uint64_t)t.run)] & t.run) != 0) r.low = r.middle = r.high;
    const sort_own_part p = sort_own_part_of(t, r, tile);
    const uint32_t x_count = p.x_end - p.x;
    for (uint32_t k = threadIdx.x; k < SORT_OWN_TILE; k += SORT_OWN_THREADS) {
        const uint32_t place = tile + k, inside = place - p.from;
        const bool is_merged = place >= p.from && place < p.to;
        const uint32_t from = !is_merged ? place : inside < x_count ? p.x + inside : p.y + (inside - x_count);
        numbers[sort_own_cell(k)] = k < count ? a[from] : 0;
    }
    __syncthreads();
    sort_own_merge(t, numbers, splits, sort_own_runs{p.from - tile, p.from - tile + x_count, p.to - tile});
    sort_own_write(b, numbers, tile, count);
}

/* -------------------------------------------------------------------- marks */

static __device__ inline void sort_own_mark(const sort_own_table &t, uint32_t *b, const uint32_t *a,
                                            uint64_t place) {
    uint32_t begin, end;
    if (place >= t.n) return;
    sort_own_segment(t, (uint32_t)place, &begin, &end);
    const bool is_in_none = begin == end, is_first = begin == place;
    b[place] = !is_in_none && (is_first || sort_own_before(t, a[place - 1], a[place])) ? 1 : 0;
}

/** a and b hold numbers, one a place. */
extern "C" __global__ void LAUNCH_BOUNDS(SORT_OWN_THREADS, 1)
    sort_own(uint32_t *b, const uint32_t *a, const GRID_CONSTANT sort_own_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const numbers = (uint32_t *)shared_memory, *const splits = numbers + SORT_OWN_CELLS;
    const uint64_t thread = (uint64_t)blockIdx.x * SORT_OWN_THREADS + threadIdx.x;
    const uint32_t tile = blockIdx.x * SORT_OWN_TILE;
    const uint32_t count = t.n - tile < SORT_OWN_TILE ? t.n - tile : SORT_OWN_TILE;
    switch (t.step) {
    case SORT_OWN_TILES: sort_own_sort_tile(t, b, numbers, splits, tile, count); break;
    case SORT_OWN_BORDERS: sort_own_find(t, a, thread * SORT_OWN_TILE); break;
    case SORT_OWN_CHECKS: sort_own_check(t, thread * SORT_OWN_TILE); break;
    case SORT_OWN_MERGES: sort_own_merge_tile(t, b, a, numbers, splits, tile, count); break;
    default: sort_own_mark(t, b, a, thread);
    }
}
