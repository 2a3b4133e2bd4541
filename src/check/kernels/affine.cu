/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the words of elements along an affine map: place = offset + sum (XOR) of the columns that the bits of the element's number choose.
 * The bits are those of
 *
 *     block | round | vector of a round | thread | element of a vector
 *
 * so that a thread adds up the columns of its bits and of the block's once, a round those in which it differs from the one before, and
 * an element has one XOR.
 *
 * b is NULL, a the elements.
 */
#include "check/kernels/sum_block.h"
#include "device/kernels/device.h"

template <class element> struct check_bits {
    enum {
        ELEMENTS = sizeof(vector16) / sizeof(element),
        THREAD = sizeof(element) == 16  ? 0
                 : sizeof(element) == 8 ? 1
                 : sizeof(element) == 4 ? 2
                 : sizeof(element) == 2 ? 3
                                        : 4,
        VECTOR = THREAD + CHECK_THREADS_LOG,
        ROUND = VECTOR + CHECK_AT_ONCE_LOG,
    };
};

/* The sum of `bits` columns from one on that a number chooses. */
template <uint32_t bits, class place>
static __device__ inline place check_columns(const check_affine_table &t, uint32_t from, uint32_t number) {
    place sum = 0;
    UNROLL
    for (uint32_t k = bits; k-- > 0;) sum ^= (place)t.column[from + k] & (0 - (place)(number >> k & 1));
    return sum;
}

template <class place>
static __device__ inline place check_block_columns(const check_affine_table &t, uint32_t from,
                                                   uint64_t number) {
    place sum = 0;
    for (; number != 0; number >>= 1, ++from) sum ^= (place)t.column[from] & (0 - (place)(number & 1));
    return sum;
}

/* A vector's elements; arrays may begin anywhere. */
template <class element>
static __device__ inline void check_read_elements(const element *from, uint64_t n, bool is_vector,
                                                  element (&to)[check_bits<element>::ELEMENTS]) {
    constexpr uint32_t each = check_bits<element>::ELEMENTS;
    union held {
        vector16 whole;
        element part[each];
        __device__ held() {}
    } of;
    if (is_vector) {
        of.whole = LOAD_STREAMED((const vector16 *)from);
    } else {
        of.whole = vector16{};
        UNROLL
        for (uint32_t j = 0; j < each; ++j)
            if (j < n) of.part[j] = from[j];
    }
    UNROLL
    for (uint32_t j = 0; j < each; ++j) to[j] = of.part[j];
}

template <class element, class place>
static __device__ inline void check_affine_block(const check_affine_table &t, const element *a, uint64_t block,
                                                 check_sums *sums) {
    typedef check_bits<element> bits;
    const uint64_t array = block / t.cut.blocks_each, in_array = block % t.cut.blocks_each;
    const uint32_t rounds_log = t.cut.rounds_log;
    const element *const from = a + array * t.cut.step;
    const bool is_vector = (uint64_t)from % sizeof(vector16) == 0 && t.n >= bits::ELEMENTS;
    place at = (place)(array * t.words + t.offset) ^
               check_columns<CHECK_THREADS_LOG, place>(t, bits::THREAD, threadIdx.x) ^
               check_block_columns<place>(t, bits::ROUND + rounds_log, in_array);
    uint64_t first = ((in_array << rounds_log) * CHECK_ROUND + threadIdx.x) * bits::ELEMENTS;
    for (uint32_t round = 0; round < 1u << rounds_log; ++round) {
        element held[CHECK_AT_ONCE][bits::ELEMENTS];
        UNROLL
        for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i) {
            const uint64_t k = first + i * (CHECK_THREADS * bits::ELEMENTS);
            if (k < t.n) check_read_elements(from + k, t.n, is_vector, held[i]);
        }
        UNROLL
        for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i) {
            if (first + i * (CHECK_THREADS * bits::ELEMENTS) >= t.n) break;
            const place vector = at ^ check_columns<CHECK_AT_ONCE_LOG, place>(t, bits::VECTOR, i);
            UNROLL
            for (uint32_t j = 0; j < bits::ELEMENTS; ++j)
                check_add_part(sums, (place)(vector ^ check_columns<bits::THREAD, place>(t, 0, j)), held[i][j]);
        }
        at ^= check_columns<CHECK_ROUNDS_LOG, place>(t, bits::ROUND, round ^ (round + 1));
        first += CHECK_ROUND * bits::ELEMENTS;
    }
}

template <class element>
__global__ void LAUNCH_BOUNDS(CHECK_THREADS, 1)
    check_affine(element *, const element *__restrict__ a, const GRID_CONSTANT check_affine_table t) {
    extern __shared__ uint64_t shared_memory[];
    check_sums sums = {0, 0};
    for (uint64_t block = blockIdx.x; block < t.cut.blocks; block += gridDim.x)
        if (t.cut.is_narrow != 0)
            check_affine_block<element, uint32_t>(t, a, block, &sums);
        else
            check_affine_block<element, uint64_t>(t, a, block, &sums);
    check_end_block(t.cut.record, (check_block *)shared_memory, sums, t.cut.is_taken != 0);
}
