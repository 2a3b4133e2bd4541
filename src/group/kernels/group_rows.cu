/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves rows of any length to places that are known, by units of up to 16 bytes: a unit is read once and written to each of its row's
 * places. group_pad writes the zeros behind groups; a warp has a group.
 */
#include "group/kernels/keys.h"

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_ROW_THREADS, 1)
    group_rows(element *__restrict__ b, const element *__restrict__ a, const GRID_CONSTANT rows_table t,
               const void *__restrict__ places, uint32_t keys_per_row) {
    const uint64_t first = (uint64_t)blockIdx.x * (GROUP_ROW_THREADS * GROUP_ROW_MOVES) + threadIdx.x;
    element held[GROUP_ROW_MOVES];
    UNROLL
    for (uint32_t i = 0; i < GROUP_ROW_MOVES; ++i)
        if (first + i * GROUP_ROW_THREADS < t.parts) held[i] = LOAD_STREAMED(a + first + i * GROUP_ROW_THREADS);
    UNROLL
    for (uint32_t i = 0; i < GROUP_ROW_MOVES; ++i) {
        const uint64_t k = first + i * GROUP_ROW_THREADS;
        if (k >= t.parts) break;
        const uint64_t row = rows_row(&t, k);
        for (uint32_t key = 0; key < keys_per_row; ++key) {
            const uint64_t place = group_place(places, t.entry_bytes, row * keys_per_row + key);
            if (place != GROUP_NO_PLACE)
                STORE_STREAMED(b + place * t.row_parts + (k - row * t.row_parts), held[i]);
        }
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(GROUP_ROW_THREADS, 1)
    group_pad(element *b, const element *, const GRID_CONSTANT group_table t, uint64_t row_units) {
    const uint32_t group = blockIdx.x * (GROUP_ROW_THREADS / WARP_LANES) + threadIdx.x / WARP_LANES;
    if (group >= t.rule.groups) return;
    const element zero = {};
    const uint64_t end = t.first[group + 1] * row_units;
    for (uint64_t k = t.end[group] * row_units + warp_lane(); k < end; k += WARP_LANES) b[k] = zero;
}
