/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks take a tile, or a piece, each, and keep a word for each run of it in shared memory: a window of runs at a time,
 * where there are more than it holds. Runs are filled in the order in which threads come.
 */
#include "move/cuda/planner/run_steps.h"

#include "device/kernels/warp.h"
#include "move/cuda/table/threads.cuh"
#include "move/kernels/bucket/bucket_cell.h"

enum {
    BLOCK = 1024,
    WINDOW = 11264, /* words of 44 KiB: what any GPU gives a block, but for what a scan takes */
    SEGMENT = 64,   /* rows that a thread scans one after the other */
    RUN_LANES = 8,  /* that go along a run together; random runs of the largest arrays are about as long */
};

static inline uint32_t window_bytes(uint32_t runs) {
    const uint32_t held = WINDOW;
    return (runs < held ? runs : held) * (uint32_t)sizeof(uint32_t);
}

static __device__ __forceinline__ uint32_t least(uint64_t a, uint32_t b) { return a < b ? (uint32_t)a : b; }

/* Where number `ordinal` of the chunks that a block stages has its unit that `at`, a place, names. */
static __device__ __forceinline__ uint16_t staged(uint32_t ordinal, uint32_t at, unsigned unit_bits) {
    return (uint16_t)(riffle_bucket_cell(ordinal) << unit_bits | (at & ((1u << unit_bits) - 1)));
}

/* ---------------------------------------------------------------- counting */

/* Counts for each row, a cut of the entries, how many lie in each column, a cut of what they name. */
static __global__ void __launch_bounds__(BLOCK)
    count(const uint32_t *__restrict__ entries, uint64_t n, uint32_t row, uint32_t column, uint32_t columns,
          uint64_t row_step, uint64_t column_step, uint16_t *__restrict__ counts) {
    extern __shared__ uint32_t found[];
    const uint64_t start = (uint64_t)blockIdx.x * row;
    const uint32_t length = least(n - start, row);
    for (uint32_t first = 0; first < columns; first += WINDOW) {
        const uint32_t held = least(columns - first, WINDOW);
        for (uint32_t c = threadIdx.x; c < held; c += BLOCK) found[c] = 0;
        __syncthreads();
#pragma unroll 8
        for (uint32_t i = threadIdx.x; i < length; i += BLOCK) {
            const uint32_t c = entries[start + i] / column - first;
            if (c < held) atomicAdd(&found[c], 1);
        }
        __syncthreads();
        for (uint32_t c = threadIdx.x; c < held; c += BLOCK)
            counts[blockIdx.x * row_step + (first + c) * column_step] = (uint16_t)found[c];
        __syncthreads();
    }
}

cudaError_t run_steps_count_gathered(const run_table *t, const uint32_t *from, cudaStream_t stream) {
    count<<<t->tiles, BLOCK, window_bytes(t->pieces), stream>>>(from, t->n, t->tile, t->piece, t->pieces,
                                                                t->pieces, 1, t->begin);
    return cudaGetLastError();
}

cudaError_t run_steps_count_scattered(const run_table *t, const uint32_t *to, cudaStream_t stream) {
    count<<<t->pieces, BLOCK, window_bytes(t->tiles), stream>>>(to, t->n, t->piece, t->tile, t->tiles, 1,
                                                                t->pieces, t->begin);
    return cudaGetLastError();
}

/* ---------------------------------------------------------------- scanning */

uint32_t run_steps_sums(uint32_t tiles) { return (tiles + SEGMENT - 1) / SEGMENT; }

static __global__ void sum_segments(const run_table t) {
    const uint64_t p = thread_number();
    if (p >= t.pieces) return;
    const uint32_t first = blockIdx.y * SEGMENT, end = least(t.tiles, first + SEGMENT);
    uint32_t sum = 0;
#pragma unroll 8
    for (uint32_t d = first; d < end; d++) sum += t.begin[(uint64_t)d * t.pieces + p];
    t.sums[(uint64_t)blockIdx.y * t.pieces + p] = (uint16_t)sum;
}

static __global__ void scan_sums(const run_table t, uint32_t segments) {
    const uint64_t p = thread_number();
    if (p >= t.pieces) return;
    uint32_t before = 0;
#pragma unroll 8
    for (uint32_t g = 0; g < segments; g++) {
        const uint32_t sum = t.sums[(uint64_t)g * t.pieces + p];
        t.sums[(uint64_t)g * t.pieces + p] = (uint16_t)before;
        before += sum;
    }
    t.begin[(uint64_t)t.tiles * t.pieces + p] = (uint16_t)before;
}

static __global__ void scan_segments(const run_table t) {
    const uint64_t p = thread_number();
    if (p >= t.pieces) return;
    const uint32_t first = blockIdx.y * SEGMENT, end = least(t.tiles, first + SEGMENT);
    uint32_t before = t.sums[(uint64_t)blockIdx.y * t.pieces + p];
#pragma unroll 8
    for (uint32_t d = first; d < end; d++) {
        const uint32_t length = t.begin[(uint64_t)d * t.pieces + p];
        t.begin[(uint64_t)d * t.pieces + p] = (uint16_t)before;
        before += length;
    }
}

cudaError_t run_steps_scan(const run_table *t, cudaStream_t stream) {
    const uint32_t segments = run_steps_sums(t->tiles);
    const dim3 grid = {blocks_for(t->pieces), segments, 1};
    sum_segments<<<grid, THREADS, 0, stream>>>(*t);
    scan_sums<<<blocks_for(t->pieces), THREADS, 0, stream>>>(*t, segments);
    scan_segments<<<grid, THREADS, 0, stream>>>(*t);
    return cudaGetLastError();
}

/* ------------------------------------------------------------------ chunks */

/* A run of a tile, and the chunks of pass 1's output that it touches. */
typedef struct run {
    uint32_t begin, chunks;
} run;

static __device__ __forceinline__ uint32_t run_end(const run_table &t, uint32_t d, uint32_t p) {
    return t.begin[(uint64_t)(d + 1) * t.pieces + p];
}

static __device__ __forceinline__ run run_of(const run_table &t, uint32_t d, uint32_t p) {
    const uint32_t begin = t.begin[(uint64_t)d * t.pieces + p], end = run_end(t, d, p);
    const uint32_t first = begin >> t.unit_bits, last = (end - 1) >> t.unit_bits;
    return {begin, begin == end ? 0 : last - first + 1};
}

/* The sum of what the threads of a block before this one have, and *all of them together. */
static __device__ uint32_t sum_before(uint32_t value, uint32_t *all) {
    __shared__ uint32_t of_warp[BLOCK / WARP_LANES];
    const uint32_t warp = threadIdx.x / WARP_LANES, warps = blockDim.x / WARP_LANES;
    const uint32_t sum = warp_sum_up(value);
    if (warp_lane() == WARP_LANES - 1) of_warp[warp] = sum;
    __syncthreads();
    uint32_t before = 0, whole = 0;
    for (uint32_t w = 0; w < warps; w++) {
        if (w == warp) before = whole;
        whole += of_warp[w];
    }
    __syncthreads();
    *all = whole;
    return before + sum - value;
}

static __global__ void count_chunks(const run_table t, uint32_t *__restrict__ chunks, uint32_t *most) {
    uint32_t sum = 0, all;
    for (uint32_t p = threadIdx.x; p < t.pieces; p += blockDim.x) sum += run_of(t, blockIdx.x, p).chunks;
    sum_before(sum, &all);
    if (threadIdx.x > 0) return;
    chunks[blockIdx.x] = all;
    atomicMax(most, all);
}

cudaError_t run_steps_count_chunks(const run_table *t, uint32_t *chunks, uint32_t *most, cudaStream_t stream) {
    count_chunks<<<t->tiles, THREADS, 0, stream>>>(*t, chunks, most);
    return cudaGetLastError();
}

/* ----------------------------------------------------------------- placing */

/* A window of a tile's runs, held[p - first]: in the low half where the run begins, to be counted up as elements come; in
 * the high half, modulo 2^16, the number of its first chunk among the tile's, less that chunk's number in the piece. */
static __device__ uint32_t begin_run(run r, uint32_t before, unsigned unit_bits) {
    return r.begin | (before - (r.begin >> unit_bits)) << 16;
}

/* The ordinal, among the tile's chunks, of the one that has place `at` of the piece. */
static __device__ __forceinline__ uint32_t ordinal_of(uint32_t held, uint32_t at, unsigned unit_bits) {
    return ((held >> 16) + (at >> unit_bits)) & 0xffff;
}

/* Fills a window and lists its chunks, of which `before` come before; returns how many do after. */
static __device__ uint32_t open_window(const run_table &t, uint32_t d, uint32_t first, uint32_t count,
                                       uint32_t before, uint32_t *list, uint32_t *held) {
    for (uint32_t start = 0; start < count; start += BLOCK) {
        const uint32_t k = start + threadIdx.x, p = first + k;
        const run r = k < count ? run_of(t, d, p) : run{0, 0};
        uint32_t all;
        const uint32_t here = before + sum_before(r.chunks, &all);
        if (k < count) held[k] = begin_run(r, here, t.unit_bits);
        const uint32_t chunk = (uint32_t)(((uint64_t)p * t.piece + r.begin) >> t.unit_bits);
        for (uint32_t c = 0; c < r.chunks; c++) list[here + c] = chunk + c;
        before += all;
    }
    __syncthreads();
    return before;
}

static __global__ void __launch_bounds__(BLOCK)
    place_gathered(const run_table t, const uint32_t *__restrict__ from,
                   const uint32_t *__restrict__ first_chunk, uint32_t *__restrict__ chunks,
                   uint16_t *__restrict__ first_order, uint16_t *__restrict__ last_order) {
    extern __shared__ uint32_t held[];
    const uint64_t start = (uint64_t)blockIdx.x * t.tile;
    const uint32_t length = least(t.n - start, t.tile);
    uint32_t before = 0;
    for (uint32_t first = 0; first < t.pieces; first += WINDOW) {
        const uint32_t count = least(t.pieces - first, WINDOW);
        before = open_window(t, blockIdx.x, first, count, before, chunks + first_chunk[blockIdx.x], held);
#pragma unroll 4
        for (uint32_t i = threadIdx.x; i < length; i += BLOCK) {
            const uint32_t s = from[start + i], p = s / t.piece, within = s - p * t.piece;
            if (p - first >= count) continue;
            const uint32_t run = atomicAdd(&held[p - first], 1), at = run & 0xffff;
            last_order[start + i] = staged(ordinal_of(run, at, t.unit_bits), at, t.unit_bits);
            first_order[(uint64_t)p * t.piece + at] = staged(within >> t.unit_bits, within, t.unit_bits);
        }
        __syncthreads();
    }
}

cudaError_t run_steps_place_gathered(const run_table *t, const uint32_t *from, const uint32_t *first_chunk,
                                     uint32_t *chunks, uint16_t *first_order, uint16_t *last_order,
                                     cudaStream_t stream) {
    place_gathered<<<t->tiles, BLOCK, window_bytes(t->pieces), stream>>>(*t, from, first_chunk, chunks,
                                                                         first_order, last_order);
    return cudaGetLastError();
}

/* Where each element of a piece comes to lie in it: ranks[] of the piece, by element. */
static __device__ void rank_piece(const run_table &t, const uint32_t *__restrict__ to, uint32_t length,
                                  uint16_t *ranks, uint32_t *next) {
    for (uint32_t first = 0; first < t.tiles; first += WINDOW) {
        const uint32_t count = least(t.tiles - first, WINDOW);
        for (uint32_t c = threadIdx.x; c < count; c += BLOCK)
            next[c] = t.begin[(uint64_t)(first + c) * t.pieces + blockIdx.x];
        __syncthreads();
#pragma unroll 4
        for (uint32_t i = threadIdx.x; i < length; i += BLOCK) {
            const uint32_t d = to[i] / t.tile;
            if (d - first < count) ranks[i] = (uint16_t)atomicAdd(&next[d - first], 1);
        }
        __syncthreads();
    }
}

/* The piece in its new order goes out in turn: what comes to `room` places is put together in shared memory first, two
 * halves of a word each. */
static __global__ void __launch_bounds__(BLOCK)
    sort_pieces(const run_table t, const uint32_t *__restrict__ to, uint16_t *__restrict__ first_order,
                uint16_t *__restrict__ within, uint16_t *ranks, uint32_t room) {
    extern __shared__ uint32_t shared[];
    uint16_t *const order = (uint16_t *)shared, *const place = order + room;
    const uint64_t start = (uint64_t)blockIdx.x * t.piece;
    const uint32_t length = least(t.n - start, t.piece);
    rank_piece(t, to + start, length, ranks + start, shared);
    for (uint32_t first = 0; first < length; first += room) {
        const uint32_t count = least(length - first, room);
#pragma unroll 4
        for (uint32_t i = threadIdx.x; i < length; i += BLOCK) {
            const uint32_t k = ranks[start + i] - first;
            if (k >= count) continue;
            order[k] = staged(i >> t.unit_bits, i, t.unit_bits);
            place[k] = (uint16_t)(to[start + i] % t.tile);
        }
        __syncthreads();
        for (uint32_t k = threadIdx.x; k < count; k += BLOCK) {
            first_order[start + first + k] = order[k];
            within[start + first + k] = place[k];
        }
        __syncthreads();
    }
}

/* Words of shared memory that two blocks on a multiprocessor have each, for at most `most` of use. */
static cudaError_t words_for_two(uint32_t most, uint32_t *out) {
    const int reserved = 1024; /* bytes of each block, CUDA's own */
    int device, bytes = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    const uint32_t words = (uint32_t)(bytes / 2 - reserved) / (uint32_t)sizeof(uint32_t);
    *out = words < most ? words : most;
    return error;
}

cudaError_t run_steps_sort_pieces(const run_table *t, const uint32_t *to, uint16_t *first_order,
                                  uint16_t *within, uint16_t *ranks, cudaStream_t stream) {
    uint32_t room = 0;
    cudaError_t error = words_for_two(t->piece, &room);
    const uint32_t staging = room * (uint32_t)sizeof(uint32_t), ranking = window_bytes(t->tiles);
    const uint32_t bytes = staging > ranking ? staging : ranking;
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(sort_pieces, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess) return error;
    sort_pieces<<<t->pieces, BLOCK, bytes, stream>>>(*t, to, first_order, within, ranks, room);
    return cudaGetLastError();
}

static __global__ void __launch_bounds__(BLOCK)
    place_scattered(const run_table t, const uint16_t *__restrict__ within,
                    const uint32_t *__restrict__ first_chunk, uint32_t *__restrict__ chunks,
                    uint16_t *__restrict__ last_order) {
    extern __shared__ uint32_t held[];
    const uint64_t start = (uint64_t)blockIdx.x * t.tile;
    const uint32_t lane = threadIdx.x % RUN_LANES;
    uint32_t before = 0;
    for (uint32_t first = 0; first < t.pieces; first += WINDOW) {
        const uint32_t count = least(t.pieces - first, WINDOW);
        before = open_window(t, blockIdx.x, first, count, before, chunks + first_chunk[blockIdx.x], held);
#pragma unroll 4
        for (uint32_t k = threadIdx.x / RUN_LANES; k < count; k += BLOCK / RUN_LANES) {
            const uint32_t run = held[k], p = first + k, end = run_end(t, blockIdx.x, p);
            for (uint32_t at = (run & 0xffff) + lane; at < end; at += RUN_LANES)
                last_order[start + within[(uint64_t)p * t.piece + at]] =
                    staged(ordinal_of(run, at, t.unit_bits), at, t.unit_bits);
        }
        __syncthreads();
    }
}

cudaError_t run_steps_place_scattered(const run_table *t, const uint16_t *within, const uint32_t *first_chunk,
                                      uint32_t *chunks, uint16_t *last_order, cudaStream_t stream) {
    place_scattered<<<t->tiles, BLOCK, window_bytes(t->pieces), stream>>>(*t, within, first_chunk, chunks,
                                                                          last_order);
    return cudaGetLastError();
}
