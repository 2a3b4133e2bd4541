/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the words of arrays that are where they belong: their places count up. A block has rounds of one array, of CHECK_AT_ONCE vectors a
 * thread, and then those of the array that is as many blocks further as there are. Words that are not there are 0 and add nothing.
 *
 * b is NULL, a the rows; the template's element is a word.
 */
#include "check/kernels/sum_block.h"
#include "device/kernels/vectors.h"

/* A round of which the block has all vectors: they are read without a look at each. */
template <class word, class place>
static __device__ inline void check_whole_round(const word *first, place at, check_sums *sums) {
    union vector {
        vector16 whole;
        word part[vector_of<word>::ELEMENTS];
        __device__ vector() {}
    } held[CHECK_AT_ONCE];
    constexpr uint32_t step = CHECK_THREADS * vector_of<word>::ELEMENTS;
    UNROLL
    for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i)
        held[i].whole = LOAD_STREAMED((const vector16 *)(first + i * step));
    UNROLL
    for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i) {
        UNROLL
        for (uint32_t j = 0; j < vector_of<word>::ELEMENTS; ++j)
            check_add_at(sums, (place)(at + i * step + j), (uint32_t)held[i].part[j]);
    }
}

template <class word, class place>
static __device__ inline void check_round(const word *from, uint64_t words, place before, uint64_t first,
                                          check_sums *sums) {
    vector_of<word> held[CHECK_AT_ONCE];
    UNROLL
    for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i)
        vector_read(from, words, first + i * CHECK_THREADS, true, held[i]);
    UNROLL
    for (uint32_t i = 0; i < CHECK_AT_ONCE; ++i) {
        UNROLL
        for (uint32_t j = 0; j < vector_of<word>::ELEMENTS; ++j)
            check_add_at(sums, (place)(before + (place)held[i].first + j), (uint32_t)held[i].of.part[j]);
    }
}

template <class word, class place>
static __device__ inline void check_run_block(const check_run_table &t, const word *a, uint64_t block,
                                              check_sums *sums) {
    constexpr uint32_t each = vector_of<word>::ELEMENTS;
    const uint64_t array = block / t.cut.blocks_each,
                   words = t.count != nullptr ? *t.count * t.row_words : t.words;
    const word *const from = a + array * t.cut.step;
    const uint64_t lead = vector_lead(from);
    const place before = (place)(array * t.words);
    uint64_t begin =
        ((block % t.cut.blocks_each) << t.cut.rounds_log) * CHECK_ROUND; /* the round's first vector */
    for (uint32_t round = 0; round < 1u << t.cut.rounds_log; ++round, begin += CHECK_ROUND) {
        const uint64_t first = begin + threadIdx.x;
        if (begin * each >= lead && (begin + CHECK_ROUND) * each <= words + lead)
            check_whole_round(from + (int64_t)(first * each - lead), (place)(before + first * each - lead),
                              sums);
        else
            check_round(from, words, before, first, sums);
    }
}

template <class word>
__global__ void LAUNCH_BOUNDS(CHECK_THREADS, sizeof(word) == 4 ? 4 : 2)
    check_run(word *, const word *__restrict__ a, const GRID_CONSTANT check_run_table t) {
    extern __shared__ uint64_t shared_memory[];
    check_sums sums = {0, 0};
    for (uint64_t block = blockIdx.x; block < t.cut.blocks; block += gridDim.x)
        if (t.cut.is_narrow != 0)
            check_run_block<word, uint32_t>(t, a, block, &sums);
        else
            check_run_block<word, uint64_t>(t, a, block, &sums);
    check_end_block(t.cut.record, (check_block *)shared_memory, sums, t.cut.is_taken != 0);
}
