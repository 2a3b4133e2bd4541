/* SPDX-License-Identifier: Apache-2.0
 *
 * Two streams merged by merge path (Green, McColl, Bader 2012), as the libraries do it, to compare with: a block has a
 * part, a thread MERGE_PAIR_EACH keys of it. Where each begins is found by halving; then it merges in shared memory key
 * by key. Where it reads next depends on the keys, and so do bank conflicts: Berney and Sitchinava (2020) build keys with
 * which the threads of a warp go from bank to bank together.
 */
#include "sort/kernels/merge/merge_device.h"
#include "sort/kernels/sort_search.h"

/* How many of the first `rank` keys of x and y merged are of x. */
template <class element>
static __device__ inline uint32_t merge_path(const element *x, uint32_t xs, const element *y, uint32_t ys,
                                             uint32_t rank) {
    typedef sort_of<element> of;
    return sort_merge_split([&](uint32_t j, uint32_t i) { return sort_before(of::get(y[j]), of::get(x[i])); },
                            xs, ys, rank);
}

/* A thread's keys: from x up to xs, from y up to ys, where all end. */
template <class element>
static __device__ inline void merge_serially(const element *shared, uint32_t x, uint32_t xs, uint32_t y,
                                             uint32_t ys, element (&out)[MERGE_PAIR_EACH]) {
    typedef sort_of<element> of;
    const uint32_t last = ys - 1; /* a value read for a list that has ended is not taken */
    element from_x = shared[x < ys ? x : last], from_y = shared[y < ys ? y : last];
    UNROLL
    for (uint32_t r = 0; r < MERGE_PAIR_EACH; ++r) {
        const bool takes_y = x >= xs || (y < ys && sort_before(of::get(from_y), of::get(from_x)));
        out[r] = takes_y ? from_y : from_x;
        x += takes_y ? 0 : 1;
        y += takes_y ? 1 : 0;
        const uint32_t next = takes_y ? y : x;
        const element read = shared[next < ys ? next : last];
        if (takes_y) {
            from_y = read;
        } else {
            from_x = read;
        }
    }
}

/** As merge_parts, of two streams a group, with t.part = MERGE_PAIR_EACH * MERGE_PAIR_THREADS; t.at is not read. */
template <class element>
__global__ void LAUNCH_BOUNDS(MERGE_PAIR_THREADS, 1)
    merge_pairs(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT merge_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const shared = (element *)shared_memory;
    const merge_part part = merge_part_of(&t, blockIdx.x);
    if (part.is_none) return;
    const uint32_t begin = merge_stream_first(&t, part.group, 0),
                   middle = merge_stream_first(&t, part.group, 1);
    const uint32_t end = merge_stream_first(&t, part.group, 2), count = part.end - part.begin;
    const uint32_t x = merge_path(a + begin, middle - begin, a + middle, end - middle, part.begin - begin);
    const uint32_t y = part.begin - begin - x;
    const uint32_t xs = merge_path(a + begin, middle - begin, a + middle, end - middle, part.end - begin) - x;
    for (uint32_t k = threadIdx.x; k < count; k += MERGE_PAIR_THREADS)
        shared[k] = k < xs ? a[begin + x + k] : a[middle + y + (k - xs)];
    __syncthreads();
    const uint32_t mine = threadIdx.x * MERGE_PAIR_EACH < count ? threadIdx.x * MERGE_PAIR_EACH : count;
    const uint32_t own = merge_path(shared, xs, shared + xs, count - xs, mine);
    element out[MERGE_PAIR_EACH];
    merge_serially(shared, own, xs, xs + mine - own, count, out);
    __syncthreads();
    UNROLL
    for (uint32_t r = 0; r < MERGE_PAIR_EACH; ++r) shared[threadIdx.x * MERGE_PAIR_EACH + r] = out[r];
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < count; k += MERGE_PAIR_THREADS) b[part.begin + k] = shared[k];
}
