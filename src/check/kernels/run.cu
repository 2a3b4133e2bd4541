/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the words of arrays that are where they belong: their places count up. A block has rounds of one array, of CHECK_AT_ONCE vectors a
 * thread, and then those of the array that is as many blocks further as there are. Words that are not there are 0 and add nothing.
 *
 * b is NULL, a the rows; the template's element is a word.
 */
#include "check/kernels/sum.h"
#include "device/kernels/vectors.h"

template <class word, class place>
static __device__ inline void check_run_block(const check_run_table &t, const word *a, uint64_t block,
                                              check_sums *sums) {
    const uint64_t array = block / t.cut.blocks_each,
                   words = t.count != nullptr ? *t.count * t.row_words : t.words;
    const word *const from = a + array * t.cut.step;
    const place before = (place)(array * t.words);
    uint64_t first = ((block % t.cut.blocks_each) << t.cut.rounds_log) * CHECK_ROUND + threadIdx.x;
    for (uint32_t round = 0; round < 1u << t.cut.rounds_log; ++round, first += CHECK_ROUND) {
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
}

template <class word>
__global__ void LAUNCH_BOUNDS(CHECK_THREADS, 1)
    check_run(word *, const word *__restrict__ a, const GRID_CONSTANT check_run_table t) {
    check_sums sums = {0, 0};
    for (uint64_t block = blockIdx.x; block < t.cut.blocks; block += gridDim.x)
        if (t.cut.is_narrow != 0)
            check_run_block<word, uint32_t>(t, a, block, &sums);
        else
            check_run_block<word, uint64_t>(t, a, block, &sums);
    check_add(t.cut.record, sums, t.cut.is_taken != 0);
}
