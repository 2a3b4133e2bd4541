/* SPDX-License-Identifier: Apache-2.0
 *
 * A fused pass of an array program, a tile a block (fused.h): its words are read into registers, stages are done on
 * registers, and between them the tile takes another basis through shared memory, so that the directions of the
 * next stages lie in registers as well.
 *
 *     a --> registers --[stages]--> cells --> registers --[stages]--> ... --> b
 *
 * The code is interpreted. That costs little: an instruction is work on 32 words of every thread, and all
 * threads of a grid take the same branches.
 */
#include "device/kernels/device.h"
#include "program/kernels/fused.h"
#include "program/kernels/fused_element.h"
#include "program/kernels/fused_exchange.h"
#include "program/kernels/fused_groups.h"
#include "program/kernels/fused_held.h"
#include "program/kernels/fused_stages.h"

template <class kind>
static __device__ inline void fused_run(HELD, char *cells, const fused_table *t, uint32_t tile) {
    for (uint32_t at = 0, length = 1;; at += length, length = 1) {
        const uint32_t *const code = t->code + at;
        const uint32_t head = code[0];
        switch (head & 0xff) {
        case FUSED_END: return;
        case FUSED_EXCHANGE:
            fused_exchange<kind>(held, cells, code);
            length = FUSED_EXCHANGE_WORDS;
            break;
        case FUSED_LANES: fused_lanes<kind>(held, cells, head); break;
        case FUSED_WARPS: fused_warps_of<kind>(held, cells, head); break;
        case FUSED_CYCLE: fused_cycle_of<kind>(held, cells, head); break;
        case FUSED_TURN:
            if constexpr (kind::has_groups != 0) fused_turn_of<kind>(held, head >> 8);
            break;
        case FUSED_ORDER: fused_order<kind>(held, head >> 16); break;
        case FUSED_ORDERS: fused_orders_of<kind>(held, head >> 8); break;
        case FUSED_ALONG: fused_along_of<kind>(held, head); break;
        case FUSED_EACH:
            fused_each<kind>(held, code);
            length = 3;
            break;
        case FUSED_WITHIN: fused_within_of<kind>(held, head >> 8); break;
        case FUSED_TWIDDLE:
            fused_twiddle_of<kind>(held, code, tile);
            length = fused_twiddle_length<kind>(code);
            break;
        case FUSED_GROUP:
            if constexpr (kind::has_groups != 0) fused_group_of<kind>(held, code, tile);
            length = fused_group_length(code);
            break;
        }
    }
}

/* A line of 128 bytes each, of a tile that another block reads soon. */
template <class kind> static __device__ inline void fused_fetch(const void *a, const fused_table *t) {
    const uint32_t block = blockIdx.x + t->ahead, tile = block & ((1u << t->tile_bits) - 1);
    if (block >= gridDim.x) return;
    const typename kind::single *const run =
        (const typename kind::single *)((const char *)a + (block >> t->tile_bits) * t->stride);
    FETCH_EARLY(run + (t->read.origin ^ fused_tile(t->read.tile, tile) ^ fused_thread(t->line)));
}

/* Few programs have groups, and what these need in registers all others would be slower for. */
template <class kind, class element>
__global__ void LAUNCH_BOUNDS(1024, 1) fused(element *b, const element *a, const GRID_CONSTANT fused_table t) {
    extern __shared__ uint64_t shared_memory[];
    const uint64_t run = (blockIdx.x >> t.tile_bits) * t.stride;
    const uint32_t tile = blockIdx.x & ((1u << t.tile_bits) - 1);
    typename kind::single held[HELD_COUNT];
    fused_read<kind>(held, (const typename kind::single *)((const char *)a + run), &t, tile);
    if (t.ahead != 0) fused_fetch<kind>(a, &t);
    fused_run<kind>(held, (char *)shared_memory, &t, tile);
    fused_write<kind>((typename kind::single *)((char *)b + run), held, &t, tile);
}

#undef HELD
#undef HELD_COUNT
