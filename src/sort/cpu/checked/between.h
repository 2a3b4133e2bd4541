/* SPDX-License-Identifier: Apache-2.0
 *
 * A check of passes of a sort of numbers on the host: codes are added up as they are made, on their way to where they are sorted, and taken from the
 * sums when they are in order, before they become numbers again.
 */
#ifndef RIFFLE_SORT_CPU_BETWEEN_H
#define RIFFLE_SORT_CPU_BETWEEN_H

#include "check/kernels/hash.h"
#include "riffle.h"
#include "sort/cpu/words/words.h"

/** Codes in order, and the first and the last of them. */
typedef struct between_stretch {
    uint64_t first, count, least, most;
} between_stretch;

/** Zero it, but for word_bytes. */
typedef struct between {
    size_t word_bytes; /**< a code has: 4 or 8 */
    check_sums sums;
    uint64_t faults;
    unsigned stretches;
    between_stretch stretch[WORDS_MOST_RUNS];
} between;

/** Adds codes. Any threads come to it at one time, as to the next. */
void between_made(between *b, const void *codes, uint64_t count);

/** Takes sorted codes, from place `first` on; WORDS_MOST_RUNS times at most. */
void between_sorted(between *b, const void *codes, uint64_t first, uint64_t count);

/** RIFFLE_ERROR_DAMAGED for codes that are not those that were made, or not in order. */
riffle_status between_result(between *b);

#endif
