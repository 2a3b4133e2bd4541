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
#ifndef RIFFLE_SORT_CPU_WORDS_WORDS_H
#define RIFFLE_SORT_CPU_WORDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WORDS_MOST_RUNS = 64,          /**< that are merged at once */
    WORDS_BLOCK = 1 << 15,         /**< numbers that a merge of many runs makes at a time */
    WORDS_A_THREAD_PAYS = 1 << 16, /**< numbers of a part */
};

/** True if sorting wants room for as many numbers again. */
bool words_want_room(void);

/** k sorted runs, one behind the other: run r has numbers first[r] up to first[r + 1], excluded. */
typedef struct words_runs {
    const void *numbers;
    unsigned k; /**< 1 to WORDS_MOST_RUNS */
    uint64_t first[WORDS_MOST_RUNS + 1];
} words_runs;

/** The functions for numbers of one type, written once, in words.inc. */
typedef struct sort_words {
    /** Sorts n numbers; `room` has place for as many, if words_want_room(). */
    void (*sort)(void *numbers, void *room, uint64_t n);
    /** How many of n numbers are less than the pivot. */
    uint64_t (*count)(const void *numbers, uint64_t n, uint64_t pivot);
    /** The same, and brings these to the front. */
    uint64_t (*divide)(void *numbers, uint64_t n, uint64_t pivot);
    /** Brings the number of rank k < n to place k, numbers that are not greater before it and numbers that are not less behind it: a
     *  sample says between which two numbers it is most likely, and what is not between them is done with. `room` as for sorting. */
    void (*select)(void *numbers, void *room, uint64_t n, uint64_t k);
    /** at[r] becomes the end of what of run r is among the `rank` least of all; of equal numbers those of earlier runs. */
    void (*split)(const words_runs *runs, uint64_t rank, uint64_t *at);
    /** Numbers from[r] up to end[r] of each run become one run at `merged`. `room` has place for 2 * WORDS_BLOCK numbers, if
     *  there are more than two runs. */
    void (*merge)(const words_runs *runs, const uint64_t *from, const uint64_t *end, void *merged, void *room);
} sort_words;

extern const sort_words sort_words_u32, sort_words_u64;

/** For numbers of 4 or 8 bytes. */
const sort_words *sort_words_for(size_t word_bytes);

#endif
