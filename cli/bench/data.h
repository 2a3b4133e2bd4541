/* SPDX-License-Identifier: Apache-2.0
 *
 * Measurements on every engine share this: the data that is moved, the check of its arrival, and the median.
 */
#ifndef RIFFLE_CLI_BENCH_DATA_H
#define RIFFLE_CLI_BENCH_DATA_H

#include <stdbool.h>

#include "bench/suite.h"

enum { BENCH_MAX_REPEAT = 1000, BENCH_POISON = 0xA5 };

/** Arrays that a row moves at a time. */
uint64_t bench_row_arrays(const bench_row *row);

/** Bytes from the first one's start to the last one's end. */
size_t bench_row_bytes(const bench_row *row);

/** The arrays that one execution moves: `batch` arrays along `perm`, each `stride` elements behind the one before. src was
 *  filled by bench_fill; dst held BENCH_POISON in every byte, or is src if in place. */
typedef struct bench_move {
    const riffle_perm *perm;
    size_t elem_bytes;
    uint64_t batch, stride;
    bool in_place;
    const char *by; /**< the row's words for `perm`; NULL for a batch */
} bench_move;

bench_move bench_move_of(const bench_row *row, const riffle_perm *perm);

/** Elements from the first array's start to the last one's end, the span. */
uint64_t bench_span(const bench_move *move);

/** Element k of a sample, which looks random. */
uint64_t bench_sample(const bench_move *move, uint64_t k);

/** Where element x of the span goes to; between arrays, where nothing moves, x. */
uint64_t bench_destination(const bench_move *move, uint64_t x);

/** True if these are the bytes that bench_fill puts at byte `first` and after. */
bool bench_is_filled(const unsigned char *bytes, uint64_t first, size_t count);

/** True if `found` is what must be at x's destination in dst. */
bool bench_is_right(const bench_move *move, uint64_t x, const unsigned char *found);

/** Fills with words in which every bit looks random. */
void bench_fill(unsigned char *bytes, size_t count);

/** True if `count` elements of a sample are right in dst. */
bool bench_sample_is_right(const bench_move *move, const unsigned char *dst, uint64_t count);

/** The same for all of the span. */
bool bench_all_is_right(const bench_move *move, const unsigned char *dst);

/** The median; sorts. */
double bench_median(double *seconds, unsigned count);

/** The table of a permutation of n <= 2^32, for riffle_buffer_free with 4 n bytes. */
riffle_status bench_tabulate(const riffle_perm *perm, uint32_t **out);

/** The row's permutation: a table for scatter and gather, which are what everybody writes, a loop over a
 *  table, where the others may compute P; for a row as_spec always as `by` says. n <= 2^32. */
riffle_status bench_perm(const bench_row *row, const char *by, riffle_perm **out);

#endif
