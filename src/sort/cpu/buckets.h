/* SPDX-License-Identifier: Apache-2.0
 *
 * A team's sort of numbers that can be made twice: split first, and merged never.
 *
 *     1. pivots     from a sample: as many buckets as threads
 *     2. counts     each thread makes the numbers of its share and counts what is of which bucket
 *     3. moves      it makes them again, a block at a time, divides the block and copies it to where the buckets are
 *     4. sorts      each thread sorts a bucket where it lies
 *
 * So no second array is touched, whose pages a system would have to clear; a merge writes one.
 */
#ifndef RIFFLE_SORT_CPU_BUCKETS_H
#define RIFFLE_SORT_CPU_BUCKETS_H

#include "sort/cpu/two_phase.h"

/** True if it was done: not where one bucket would have much more than its share, as of few distinct numbers, and not of
 *  a few thousand. Nothing is written then. */
bool buckets_sort(const two_phase *sort);

#endif
