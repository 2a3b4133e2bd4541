/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the numbers of an array's parts, each at its place; a block has rounds of one array, of CHECK_AT_ONCE parts a thread, and then
 * those of the array that is as many blocks further as there are.
 *
 * b is NULL, a the rows.
 */
#include "check/kernels/sum.h"
#include "device/kernels/rows_map.h"

static const uint64_t CHECK_NOWHERE = ~(uint64_t)0;

static __device__ inline uint64_t check_place(const check_table &t, uint64_t entry) {
    if (t.rows.entry_bytes == 8) return ((const uint64_t *)t.places)[entry];
    const uint32_t place = ((const uint32_t *)t.places)[entry];
    return t.may_be_nowhere != 0 && place == ~(uint32_t)0 ? CHECK_NOWHERE : place;
}

/* The numbers of part k of an array, of all of its row's places. */
template <class element>
static __device__ inline uint64_t check_numbers(const check_table &t, uint64_t before, uint64_t k,
                                                const element &part) {
    if (t.places == nullptr) return check_part(before + k, part);
    const uint64_t row = rows_row(&t.rows, k), in_row = k - row * t.rows.row_parts;
    uint64_t sum = 0;
    for (uint32_t key = 0; key < t.keys_per_row; ++key) {
        const uint64_t place = check_place(t, row * t.keys_per_row + key);
        if (place != CHECK_NOWHERE) sum += check_part(before + place * t.rows.row_parts + in_row, part);
    }
    return sum;
}

/* The numbers of a block's rounds. */
template <class element>
static __device__ inline uint64_t check_rounds(const check_table &t, const element *a, uint64_t block) {
    const uint64_t array = block / t.blocks_each,
                   parts = t.count != nullptr ? *t.count * t.rows.row_parts : t.rows.parts;
    const element *const from = a + array * t.step;
    uint64_t first = block % t.blocks_each * t.rounds * CHECK_ROUND + threadIdx.x, sum = 0;
    for (uint32_t round = 0; round < t.rounds; ++round, first += CHECK_ROUND) {
        element held[CHECK_AT_ONCE];
        UNROLL
        for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i)
            if (first + i * CHECK_THREADS < parts) held[i] = LOAD_STREAMED(from + first + i * CHECK_THREADS);
        UNROLL
        for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i)
            if (first + i * CHECK_THREADS < parts)
                sum += check_numbers(t, array * t.rows.parts, first + i * CHECK_THREADS, held[i]);
    }
    return sum;
}

template <class element>
__global__ void LAUNCH_BOUNDS(CHECK_THREADS, 1)
    check_rows(element *, const element *__restrict__ a, const GRID_CONSTANT check_table t) {
    uint64_t sum = 0;
    for (uint64_t block = blockIdx.x; block < t.blocks; block += gridDim.x) sum += check_rounds(t, a, block);
    check_add(t.sums, t.is_taken != 0 ? (uint64_t)0 - sum : sum);
}
