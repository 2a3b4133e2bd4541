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

/** Codes that are sorted together; between_begin begins it. */
typedef struct between {
    size_t word_bytes; /**< a code has: 4 or 8 */
    check_sums sums;
    uint64_t faults;
    unsigned stretches;
    between_stretch stretch[WORDS_MOST_RUNS];
} between;

/** Findings of all codes that were sorted; begins as zeros. */
typedef struct between_found {
    uint64_t changed; /**< segments whose codes are others than were made */
    uint64_t faults;  /**< elements out of order */
} between_found;

void between_begin(between *b, size_t word_bytes);

/** Adds codes. Any threads come to it at one time, as to the next. */
void between_made(between *b, const void *codes, uint64_t count);

/** Takes sorted codes, from place `first` on; WORDS_MOST_RUNS times at most. */
void between_sorted(between *b, const void *codes, uint64_t first, uint64_t count);

/** Adds what was found of one to what was found of all, to which any threads come at one time. */
void between_end(between *b, between_found *found);

/** Rows of one length that are sorted many at a time. */
typedef struct between_rows {
    size_t word_bytes;
    uint64_t length, count;
} between_rows;

/** The sums of each row, and these compared with those that it has once it is sorted. */
void between_made_rows(const between_rows *rows, const void *codes, check_sums *each);
void between_sorted_rows(const between_rows *rows, const void *codes, const check_sums *each,
                         between_found *found);

/** RIFFLE_ERROR_DAMAGED for codes that are not those that were made, or not in order. */
riffle_status between_result(const between_found *found);

#endif
