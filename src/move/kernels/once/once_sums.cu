/* SPDX-License-Identifier: Apache-2.0
 *
 * Where each run's answers begin, tile after tile and within a tile piece after piece: the sums of the runs'
 * lengths down the columns of t.starts, in spans of ONCE_SPAN pieces. A thread has a column, or a column of a span,
 * and neighbouring threads neighbouring columns.
 *
 *     once_span_sums     of each span and tile        grid: groups of tiles, spans
 *     once_tile_sums     of each tile; spans before   grid: groups of tiles
 *     once_tile_begins   of tiles before, and items   one block
 *     once_run_begins    of runs before               grid: groups of tiles, spans
 *
 * The last also writes the runs of each tile side by side; of a put once_run_lists does only that.
 */
#include "move/kernels/once/once_device.h"

static __device__ inline uint32_t once_groups(const once_table *t) {
    return (t->tiles + blockDim.x - 1) / blockDim.x;
}

static __device__ inline uint32_t once_run_length(const once_table *t, uint32_t piece, uint32_t tile) {
    const uint16_t *const start = t->starts + (uint64_t)piece * t->row + tile;
    return (uint32_t)start[1] - start[0];
}

static __device__ inline uint32_t once_span_end(const once_table *t, uint32_t span) {
    return (span + 1) * ONCE_SPAN < t->pieces ? (span + 1) * ONCE_SPAN : t->pieces;
}

/** b is t.sums. */
template <class element>
__global__ void once_span_sums(element *__restrict__ b, const element *, const GRID_CONSTANT once_table t) {
    const uint32_t tile = blockIdx.x % once_groups(&t) * blockDim.x + threadIdx.x;
    const uint32_t span = blockIdx.x / once_groups(&t), end = once_span_end(&t, span);
    if (tile >= t.tiles) return;
    uint32_t sum = 0;
    UNROLL
    for (uint32_t k = 0; k < ONCE_SPAN; ++k)
        if (span * ONCE_SPAN + k < end) sum += once_run_length(&t, span * ONCE_SPAN + k, tile);
    b[(uint64_t)span * t.row + tile] = sum;
}

/** b is t.totals; t.sums become those of the spans before. */
template <class element>
__global__ void once_tile_sums(element *__restrict__ b, const element *, const GRID_CONSTANT once_table t) {
    const uint32_t tile = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t spans = once_spans(&t);
    if (tile >= t.tiles) return;
    uint32_t sum = 0;
    for (uint32_t first = 0; first < spans; first += 2 * AT_ONCE) {
        uint32_t held[2 * AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < 2 * AT_ONCE; ++i)
            held[i] = first + i < spans ? t.sums[(uint64_t)(first + i) * t.row + tile] : 0;
        UNROLL
        for (uint32_t i = 0; i < 2 * AT_ONCE; ++i) {
            if (first + i < spans) t.sums[(uint64_t)(first + i) * t.row + tile] = sum;
            sum += held[i];
        }
    }
    b[tile] = sum;
}

/** Totals in b become begins; a tile whose total is not 0 gets an item for each t.item_answers or part of them,
 *  and b[t.tiles] is how many items there are. */
template <class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    once_tile_begins(element *__restrict__ b, const element *, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    uint32_t *const sums = (uint32_t *)shared_memory;
    uint32_t answers = 0, items = 0;
    for (uint32_t first = 0; first < t.tiles; first += blockDim.x) {
        const uint32_t tile = first + threadIdx.x, total = tile < t.tiles ? b[tile] : 0;
        const uint32_t parts = (uint32_t)(((uint64_t)total + t.item_answers - 1) / t.item_answers);
        uint32_t all_answers, all_items;
        const uint32_t begin = answers + once_sum_before(total, sums, &all_answers);
        const uint32_t item = items + once_sum_before(parts, sums, &all_items);
        if (tile < t.tiles) b[tile] = begin;
        for (uint32_t k = 0; k < parts; ++k)
            if (item + k < t.items) t.list[item + k] = once_item{tile, (uint16_t)k, (uint16_t)parts};
        answers += all_answers;
        items += all_items;
    }
    if (threadIdx.x == 0) b[t.tiles] = items;
}

/* The pieces of a span that there are: their runs in a tile to t.runs, and one by one to `each`. A warp has 32 tiles,
 * and turns their runs in shared memory, where its rows are a word longer than they need be. */
template <class visitor>
static __device__ inline void once_turn(const once_table *t, uint32_t span, uint32_t tile, uint32_t *shared,
                                        visitor &each) {
    constexpr uint32_t row = ONCE_SPAN + 1;
    const uint32_t lane = warp_lane();
    uint32_t *const own = shared + threadIdx.x / WARP_LANES * (WARP_LANES * row);
    UNROLL
    for (uint32_t k = 0; k < ONCE_SPAN; ++k) {
        const uint32_t piece = span * ONCE_SPAN + k;
        own[lane * row + k] = 0;
        if (piece >= t->pieces || tile >= t->tiles) continue;
        const uint16_t *const start = t->starts + (uint64_t)piece * t->row + tile;
        const uint32_t begin = start[0], length = start[1] - begin;
        own[lane * row + k] = begin / 2 | length / 2 << 16;
        each.visit(piece, length);
    }
    __syncwarp();
    for (uint32_t r = 0; r < WARP_LANES && tile - lane + r < t->tiles; ++r)
        t->runs[(uint64_t)(tile - lane + r) * t->column + span * ONCE_SPAN + lane] = own[r * row + lane];
}

struct once_begins {
    uint32_t *before;
    uint64_t row;
    uint32_t tile, begin;
    __device__ inline void visit(uint32_t piece, uint32_t length) {
        before[piece * row + tile] = begin;
        begin += length;
    }
};

struct once_nothing {
    __device__ inline void visit(uint32_t, uint32_t) {}
};

/** b is t.before. */
template <class element>
__global__ void once_run_begins(element *__restrict__ b, const element *, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint32_t tile = blockIdx.x % once_groups(&t) * blockDim.x + threadIdx.x;
    const uint32_t span = blockIdx.x / once_groups(&t);
    once_begins begins = {b, t.row, tile, 0};
    if (tile < t.tiles) begins.begin = t.totals[tile] + t.sums[(uint64_t)span * t.row + tile];
    once_turn(&t, span, tile, (uint32_t *)shared_memory, begins);
}

/** Makes the lists of runs; for a put only those by tile. */
template <class element>
__global__ void once_run_lists(element *, const element *, const GRID_CONSTANT once_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint32_t tile = blockIdx.x % once_groups(&t) * blockDim.x + threadIdx.x;
    once_nothing nothing;
    once_turn(&t, blockIdx.x / once_groups(&t), tile, (uint32_t *)shared_memory, nothing);
}
