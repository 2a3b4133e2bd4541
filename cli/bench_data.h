/* SPDX-License-Identifier: Apache-2.0
 *
 * What measurements on every engine share: the data that is moved, whether it arrived, and the median.
 */
#ifndef RIFFLE_CLI_BENCH_DATA_H
#define RIFFLE_CLI_BENCH_DATA_H

#include <stdbool.h>

#include "bench_suites.h"

enum { BENCH_MAX_REPEAT = 1000, BENCH_POISON = 0xA5 };

/** Fills with words in which every bit looks random. */
void bench_fill(unsigned char *bytes, size_t count);

/** True if dst[P(i)] == src[i] for `count` indices i that look random. */
bool bench_sample_is_right(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst,
                           const unsigned char *src, uint64_t count);

/** The same for all i. */
bool bench_all_is_right(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst,
                        const unsigned char *src);

/** The median; sorts. */
double bench_median(double *seconds, unsigned count);

/** The row's permutation: a table for scatter and gather, which are what everybody writes, a loop over a
 *  table, where the others may compute P. n <= 2^32. */
riffle_status bench_perm(const bench_row *row, const char *by, riffle_perm **out);

#endif
