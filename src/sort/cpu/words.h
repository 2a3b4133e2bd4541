/* SPDX-License-Identifier: Apache-2.0
 *
 * Unsigned numbers of 4 and 8 bytes, in two phases (Jurkiewicz 2013, section 4.2.2):
 *
 *     1. parts        | part 0 | part 1 | ...         each is sorted by itself, by one thread
 *     2. pivots       ranks that cut the result evenly are found in all parts at once, by bisection: so they are
 *                     exact, whatever the numbers, and the same each time
 *     3. k-merges     each thread merges what lies between two pivots in every part
 *
 * A part is sorted by vectors where they are installed, else by merging.
 */
#ifndef RIFFLE_SORT_CPU_WORDS_H
#define RIFFLE_SORT_CPU_WORDS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WORDS_MOST_RUNS = 64,          /**< that are merged at once */
    WORDS_BLOCK = 1 << 15,         /**< numbers that a merge of many runs makes at a time */
    WORDS_A_THREAD_PAYS = 1 << 16, /**< numbers of a part */
};

/** True if sorting wants room for as many numbers again. */
bool words_want_room(void);

/** Sorts n numbers; `room` has place for as many, if words_want_room(). */
void words_sort_u32(uint32_t *numbers, uint32_t *room, uint64_t n);
void words_sort_u64(uint64_t *numbers, uint64_t *room, uint64_t n);

/** How many of n numbers are less than the pivot, and the same once these are brought to the front. */
uint64_t words_count_u32(const uint32_t *numbers, uint64_t n, uint32_t pivot);
uint64_t words_count_u64(const uint64_t *numbers, uint64_t n, uint64_t pivot);
uint64_t words_divide_u32(uint32_t *numbers, uint64_t n, uint32_t pivot);
uint64_t words_divide_u64(uint64_t *numbers, uint64_t n, uint64_t pivot);

/** Brings the number of rank k < n to place k, those that are not greater before it and those that are not less behind it: a
 *  sample says between which two numbers it is most likely, and what is not between them is done with. `room` as for sorting. */
void words_select_u32(uint32_t *numbers, uint32_t *room, uint64_t n, uint64_t k);
void words_select_u64(uint64_t *numbers, uint64_t *room, uint64_t n, uint64_t k);

/** k sorted runs, one behind the other: run r has numbers first[r] up to first[r + 1], excluded. */
typedef struct words_runs {
    const void *numbers;
    unsigned k; /**< 1 to WORDS_MOST_RUNS */
    uint64_t first[WORDS_MOST_RUNS + 1];
} words_runs;

/** at[r] becomes the end of what of run r is among the `rank` least of all; of equal numbers those of earlier runs. */
void words_split_u32(const words_runs *runs, uint64_t rank, uint64_t *at);
void words_split_u64(const words_runs *runs, uint64_t rank, uint64_t *at);

/** Numbers from[r] up to end[r] of each run become one run at `to`. `room` has place for 2 * WORDS_BLOCK numbers, if
 *  there are more than two runs. */
void words_merge_u32(const words_runs *runs, const uint64_t *from, const uint64_t *end, uint32_t *to,
                     uint32_t *room);
void words_merge_u64(const words_runs *runs, const uint64_t *from, const uint64_t *end, uint64_t *to,
                     uint64_t *room);

#endif
