/* SPDX-License-Identifier: Apache-2.0
 *
 * Bucket passes whose check compares what is between passes: words are added to a record from the registers by which they leave for the next
 * pass, each with its place in the array between; and taken from it once they are in shared memory, each with the place that it was read
 * from. Two pieces may list one chunk, whose elements are both's; one of them takes it (riffle_bucket_is_again).
 *
 *     a --> shared memory --> registers --> b
 *                |               |
 *                '-- less        '--> the thread's sums --> the warp's --> record
 */
#include "check/kernels/sum.h"
#include "move/kernels/bucket/bucket_between.h"
#include "move/kernels/bucket/bucket_stage.h"

/* The numbers of the first word of the array between that a pass writes. */
struct adding {
    check_sums *sums;
    uint64_t first; /* the word that the piece begins with */

    template <class access, class element>
    __device__ inline void vector(uint32_t number, const accessed<element, access> &out) {
        constexpr uint32_t units = sizeof(access) / sizeof(element);
        UNROLL
        for (uint32_t k = 0; k < units; ++k) unit(number * units + k, out.unit[k]);
    }
    template <class element> __device__ inline void unit(uint32_t number, const element &out) {
        check_add_part(sums, first + (uint64_t)number * check_part<element>::WORDS, out);
    }
};

/* The sums of the chunks that are listed and staged, of an array between whose first word has the number `first`. */
template <class element>
static __device__ inline check_sums sums_of_listed(const element *staged, const uint32_t *chunks,
                                                   uint32_t listed, uint64_t n, uint64_t first) {
    constexpr uint32_t units = 16 / sizeof(element);
    check_sums sums = {0, 0};
    for (uint32_t number = threadIdx.x; number < listed; number += blockDim.x) {
        const uint32_t entry = chunks[number], cell = riffle_bucket_cell(number);
        const uint64_t from = (uint64_t)riffle_bucket_chunk(entry, units) * units;
        accessed<element, vector16> held;
        if (from + units <= n) held.whole = ((const vector16 *)staged)[cell];
        UNROLL
        for (uint32_t k = 0; k < units; ++k) {
            if (from + units > n && from + k < n) held.unit[k] = staged[cell * units + k];
            if (from + k < n && !riffle_bucket_is_again(entry, units))
                check_add_part(&sums, first + (from + k) * check_part<element>::WORDS, held.unit[k]);
        }
    }
    return sums;
}

/* Adds the lanes' sums to the record. All lanes come to it. */
static __device__ inline void add_lanes(check_record *record, check_sums sums) {
    const uint32_t warp = blockIdx.x * (blockDim.x / WARP_LANES) + threadIdx.x / WARP_LANES;
    sums = check_sum_lanes<WARP_LANES>(sums);
    if (warp_lane() == 0) check_add_to(record, warp, sums, false);
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
    write_piece<typename accesses::template write<element>>(
        b + start, staged, order + start, count,
        adding{&sums, between.written + start * check_part<element>::WORDS});
    add_lanes(between.record, sums);
}

/* The sums of a later pass's piece, which is staged; less than none. */
template <class accesses, class element>
static __device__ inline check_sums taken_from(element *staged, const element *a, const uint32_t *chunks,
                                               uint32_t listed, uint64_t n, uint64_t read) {
    stage_listed<typename accesses::template read<element>>(staged, a, chunks, listed, n);
    WAIT_FOR_COPIES();
    __syncthreads();
    const check_sums sums = sums_of_listed(staged, chunks, listed, n, read);
    return check_sums{0 - sums.first, 0 - sums.second};
}

/* A later pass's piece. The sums begin with what it reads, less than none; `told`, who hears what it writes, may add to them. */
template <class accesses, class element, class hearer>
static __device__ inline void move_listed(element *b, const element *a, const uint16_t *order, const uint32_t *chunks,
                                          const uint32_t *first_chunk, uint64_t n, uint32_t piece,
                                          const bucket_between &between, check_sums *sums, hearer told) {
    extern __shared__ uint64_t shared_memory[];
    element *const staged = (element *)shared_memory;
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    const uint32_t first = first_chunk[blockIdx.x];
    *sums = taken_from<accesses>(staged, a, chunks + first, first_chunk[blockIdx.x + 1] - first, n, between.read);
    write_piece<typename accesses::template write<element>>(b + start, staged, order + start,
                                                            piece_length(start, n, piece), told);
    add_lanes(between.record, *sums);
}

template <class accesses, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    bucket_next_checked(element *__restrict__ b, const element *__restrict__ a,
                        const uint16_t *__restrict__ order, const uint32_t *__restrict__ chunks,
                        const uint32_t *__restrict__ first_chunk, uint64_t n, uint32_t piece,
                        const GRID_CONSTANT bucket_between between) {
    const uint64_t start = (uint64_t)blockIdx.x * piece;
    check_sums sums;
    move_listed<accesses>(b, a, order, chunks, first_chunk, n, piece, between, &sums,
                          adding{&sums, between.written + start * check_part<element>::WORDS});
}

template <class accesses, class element>
__global__ void LAUNCH_BOUNDS(1024, 1)
    bucket_last_checked(element *__restrict__ b, const element *__restrict__ a,
                        const uint16_t *__restrict__ order, const uint32_t *__restrict__ chunks,
                        const uint32_t *__restrict__ first_chunk, uint64_t n, uint32_t piece,
                        const GRID_CONSTANT bucket_between between) {
    check_sums sums;
    move_listed<accesses>(b, a, order, chunks, first_chunk, n, piece, between, &sums, nobody());
}
