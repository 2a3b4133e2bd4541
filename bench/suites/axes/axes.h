/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes and orders of axes, as a suite has them: read from a SPEC, written as one, and made smaller.
 */
#ifndef RIFFLE_BENCH_SUITES_AXES_AXES_H
#define RIFFLE_BENCH_SUITES_AXES_AXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "riffle.h"

/** A row-major array of this shape; axis j of what it becomes is its axis order[j]. */
typedef struct bench_axes {
    unsigned rank; /**< 0: none */
    uint64_t shape[RIFFLE_MAX_RANK];
    unsigned order[RIFFLE_MAX_RANK];
} bench_axes;

/** Room for a SPEC of a suite. */
enum { BENCH_AXES_SPEC = 256 };

/** Reads "axes:SHAPE:ORDER"; false for a SPEC of another kind, rank 0 then. */
bool bench_axes_read(const char *by, bench_axes *axes);

void bench_axes_write(const bench_axes *axes, char by[BENCH_AXES_SPEC]);

uint64_t bench_axes_length(const bench_axes *axes);

/** Halves the longest axis, rounding up, until there are at most so many elements. */
void bench_axes_shrink(bench_axes *axes, uint64_t most);

/** The TTC benchmark: row k of its 57 for elements of 4 or 8 bytes. */
enum { BENCH_TTC_ROWS = 57 };
bench_axes bench_axes_ttc(size_t k, size_t elem_bytes);

/** Random axes, a pure function of the arguments: rank 2 to 8, at least 64 MiB and seldom more than twice that,
 *  lengths of all kinds, never the identity. */
bench_axes bench_axes_random(uint64_t seed, size_t k, size_t elem_bytes);

#endif
