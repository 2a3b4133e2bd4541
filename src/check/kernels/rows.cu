/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the words of rows along a table, each row at all of its places; blocks and rounds are cut as those of run.cu, of parts instead of
 * vectors.
 *
 * b is NULL, a the rows.
 */
#include "check/kernels/sum_block.h"
#include "device/kernels/rows_map.h"

static const uint64_t CHECK_NOWHERE = ~(uint64_t)0;

static __device__ inline uint64_t check_place(const check_rows_table &t, uint64_t entry) {
    if (t.rows.entry_bytes == 8) return ((const uint64_t *)t.places)[entry];
    const uint32_t place = ((const uint32_t *)t.places)[entry];
    return t.may_be_nowhere != 0 && place == ~(uint32_t)0 ? CHECK_NOWHERE : place;
}

/* Part k of an array, at all of its row's places. */
template <class element, class place>
static __device__ inline void check_add_places(const check_rows_table &t, uint64_t before, uint64_t k,
                                               const element &part, check_sums *sums) {
    const uint64_t row = rows_row(&t.rows, k), in_row = k - row * t.rows.row_parts;
    for (uint32_t key = 0; key < t.keys_per_row; ++key) {
        const uint64_t to = check_place(t, row * t.keys_per_row + key);
        if (to != CHECK_NOWHERE)
            check_add_part(
                sums, (place)((before + to * t.rows.row_parts + in_row) * check_part<element>::WORDS), part);
    }
}

template <class element, class place>
static __device__ inline void check_rows_block(const check_rows_table &t, const element *a, uint64_t block,
                                               check_sums *sums) {
    const uint64_t array = block / t.cut.blocks_each, parts = t.rows.parts, before = array * parts;
    const element *const from = a + array * t.cut.step;
    uint64_t first = ((block % t.cut.blocks_each) << t.cut.rounds_log) * CHECK_ROUND + threadIdx.x;
    for (uint32_t round = 0; round < 1u << t.cut.rounds_log; ++round, first += CHECK_ROUND) {
        element held[CHECK_AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i)
            if (first + i * CHECK_THREADS < parts) held[i] = LOAD_STREAMED(from + first + i * CHECK_THREADS);
        UNROLL
        for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i)
            if (first + i * CHECK_THREADS < parts)
                check_add_places<element, place>(t, before, first + i * CHECK_THREADS, held[i], sums);
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(CHECK_THREADS, 1)
    check_rows(element *, const element *__restrict__ a, const GRID_CONSTANT check_rows_table t) {
    extern __shared__ uint64_t shared_memory[];
    check_sums sums = {0, 0};
    for (uint64_t block = blockIdx.x; block < t.cut.blocks; block += gridDim.x)
        if (t.cut.is_narrow != 0)
            check_rows_block<element, uint32_t>(t, a, block, &sums);
        else
            check_rows_block<element, uint64_t>(t, a, block, &sums);
    check_end_block(t.cut.record, (check_block *)shared_memory, sums, t.cut.is_taken != 0);
}
