/* SPDX-License-Identifier: Apache-2.0
 *
 * A team's sort of numbers of 4 or 8 bytes (words.h): what they are is made by the caller when they are needed, and so
 * is what becomes of them.
 */
#ifndef RIFFLE_SORT_CPU_TWO_PHASE_H
#define RIFFLE_SORT_CPU_TWO_PHASE_H

#include "riffle.h"
#include "sort/cpu/words/words.h"

/** Makes, or finishes, the n numbers from the one with index `first` on, which stand at `numbers`. */
typedef void two_phase_step(const void *context, void *numbers, uint64_t first, uint64_t n);

typedef struct two_phase {
    size_t word_bytes; /**< 4 or 8 */
    uint64_t n;
    unsigned threads;
    two_phase_step *make, *finish; /**< finish may be NULL */
    two_phase_step
        *made;         /**< is shown each number once, after it was made and before it is sorted; may be NULL */
    bool is_made_anew; /**< numbers can be made twice, at little cost, while `sorted` is written */
    const void *context;
    void *numbers; /**< room for n; of one thread only if words_want_room() */
    void *sorted;  /**< receives them */
    void *room;    /**< two_phase_room bytes */
} two_phase;

/** Threads that pay for n numbers, of `most`. */
unsigned two_phase_threads(uint64_t n, unsigned most);

/** True if `numbers` is needed. */
bool two_phase_wants_numbers(unsigned threads);

/** Bytes of room for merges of so many runs; a sort has one a thread. */
size_t two_phase_room(size_t word_bytes, unsigned threads, uint64_t runs);

/** All numbers are made before one is written to `sorted`; but with one thread they are made there. */
void two_phase_sort(const two_phase *sort);

/** The second phase alone, of numbers that are made and sorted in runs, all of `numbers`. */
void two_phase_merge(const two_phase *sort, const words_runs *runs);

#endif
