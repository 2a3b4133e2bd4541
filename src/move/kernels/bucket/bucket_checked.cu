/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes whose check compares what is between passes: vectors are added to a record from the registers by which they leave for the next
 * pass, each with its number in the array between; and taken from it in shared memory, each with the number that it was read from, while
 * those behind it are still coming. Two pieces may list one chunk, whose elements are both's; one of them takes it
 * (riffle_bucket_is_again).
 *
 *     a --> shared memory --> registers --> b
 *                |               |
 *                '-- less        '--> the thread's sums --> the block's --> record
 */
#include "check/kernels/sum_block.h"
#include "move/kernels/bucket/bucket_between.h"
#include "move/kernels/bucket/bucket_stage.h"

/* Adds what a piece writes to the array between that has the number. */
struct adding {
    check_sums *sums;
    uint32_t array;
    uint64_t first; /* the element that the piece begins with, a chunk's first */

    template <class access, class element>
    __device__ inline void vector(uint32_t number, const accessed<element, access> &out) {
        constexpr uint32_t units = sizeof(access) / sizeof(element);
        if constexpr (sizeof(access) == sizeof(vector16))
            check_add_vector(sums, array, (uint32_t)(first / units) + number, out.whole);
        else
            unit(number, out.unit[0]);
    }
    template <class element> __device__ inline void unit(uint32_t number, const element &out) {
        check_add_in_vector(sums, array, first + number, out);
    }
};

/* Begins to copy a chunk to where the piece's number-th is staged. */
template <class read, class element>
static __device__ inline void stage_chunk(element *staged, uint32_t number, const element *a, uint32_t chunk,
                                          uint64_t n) {
    constexpr uint32_t each = accesses_of_chunk<read>();
    for (uint32_t k = 0; k < each; ++k) stager<read>::stage(staged, number * each + k, a, chunk * each + k, n);
}

/* Adds the number-th chunk, which has come to the thread that has copied it; zeros are behind the array's end. */
template <class element>
static __device__ inline void add_chunk(check_sums *sums, const element *staged, uint32_t number,
                                        uint32_t entry, uint64_t n, uint32_t array) {
    constexpr uint32_t units = 16 / sizeof(element);
    const uint32_t chunk = riffle_bucket_chunk(entry, units), cell = riffle_bucket_cell(number);
    accessed<element, vector16> held;
    if (chunk < n / units) {
        held.whole = ((const vector16 *)staged)[cell];
    } else {
        held.whole = vector16{};
        UNROLL
        for (uint32_t k = 0; k < units; ++k)
            if (k < n % units) held.unit[k] = staged[cell * units + k];
    }
    if (!riffle_bucket_is_again(entry, units)) check_add_vector(sums, array, chunk, held.whole);
}

/* Stages the chunks that are listed; their sums. A thread has AT_ONCE of them on the way, adds the one that comes first, and begins with another;
 * as many entries are read ahead. */
template <class read, class element>
static __device__ inline check_sums stage_added(element *staged, const element *a, const uint32_t *chunks,
                                                uint32_t listed, uint64_t n, uint32_t array) {
    const uint32_t step = AT_ONCE * blockDim.x;
    check_sums sums = {0, 0};
    uint32_t ahead[AT_ONCE], coming[AT_ONCE];
    UNROLL
    for (uint32_t i = 0; i < AT_ONCE; ++i)
        if (threadIdx.x + i * blockDim.x < listed) ahead[i] = chunks[threadIdx.x + i * blockDim.x];
    for (uint32_t first = threadIdx.x; first < listed + step; first += step) {
        UNROLL
        for (uint32_t i = 0; i < AT_ONCE; ++i) {
            const uint32_t number = first + i * blockDim.x, entry = ahead[i];
            if (number < listed)
                stage_chunk<read>(staged, number, a, riffle_bucket_chunk(entry, 16 / sizeof(element)), n);
            if (number + step < listed) ahead[i] = chunks[number + step];
            WAIT_FOR_COPIES_BUT(AT_ONCE);
            if (number - step < listed) add_chunk(&sums, staged, number - step, coming[i], n, array);
            coming[i] = entry;
        }
    }
    return sums;
}

static __device__ inline check_block *block_of(const bucket_between &between) {
    extern __shared__ uint64_t shared_memory[];
    return (check_block *)((char *)shared_memory + between.block);
}

template <class accesses, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    bucket_first_checked(element *__restrict__ b, const element *__restrict__ a,
                         const uint16_t *__restrict__ order, uint64_t n, uint32_t piece,
                         const GRID_CONSTANT bucket_between between) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    const uint32_t count = piece_length(start, n, piece);
    check_sums sums = {0, 0};
    stage_lying<typename accesses::template read<element>>(staged, a, start, count, n);
    write_piece<typename accesses::template write<element>>(b + start, staged, order + start, count,
                                                            adding{&sums, between.written, start});
    check_end_block(between.record, block_of(between), sums, false);
}

/* Stages a later pass's piece: the sums of what it reads, less than none. */
template <class accesses, class element>
static __device__ inline check_sums stage_taken(element *staged, const element *a, const uint32_t *chunks,
                                                const uint32_t *first_chunk, uint64_t n,
                                                const bucket_between &between) {
    const uint32_t first = first_chunk[blockIdx.x];
    const check_sums read = stage_added<typename accesses::template read<element>>(
        staged, a, chunks + first, first_chunk[blockIdx.x + 1] - first, n, between.read);
    return check_sums{0 - read.first, 0 - read.second};
}

template <class accesses, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    bucket_next_checked(element *__restrict__ b, const element *__restrict__ a,
                        const uint16_t *__restrict__ order, const uint32_t *__restrict__ chunks,
                        const uint32_t *__restrict__ first_chunk, uint64_t n, uint32_t piece,
                        const GRID_CONSTANT bucket_between between) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    check_sums sums = stage_taken<accesses>(staged, a, chunks, first_chunk, n, between);
    write_piece<typename accesses::template write<element>>(
        b + start, staged, order + start, piece_length(start, n, piece), adding{&sums, between.written, start});
    check_end_block(between.record, block_of(between), sums, false);
}

/* The warps leave their sums before the barrier behind which the piece is written. */
template <class accesses, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    bucket_last_checked(element *__restrict__ b, const element *__restrict__ a,
                        const uint16_t *__restrict__ order, const uint32_t *__restrict__ chunks,
                        const uint32_t *__restrict__ first_chunk, uint64_t n, uint32_t piece,
                        const GRID_CONSTANT bucket_between between) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    check_put_warp(block_of(between), stage_taken<accesses>(staged, a, chunks, first_chunk, n, between));
    write_piece<typename accesses::template write<element>>(b + start, staged, order + start,
                                                            piece_length(start, n, piece), nobody());
    check_add_block(between.record, block_of(between), false);
}
