/* SPDX-License-Identifier: Apache-2.0
 *
 * Array programs: the numbers that go in, and whether what comes out is right.
 */
#ifndef RIFFLE_BENCH_SUITES_PROGRAMS_PROGRAMS_H
#define RIFFLE_BENCH_SUITES_PROGRAMS_PROGRAMS_H

#include "bench/result.h"

/** Fills the row's arrays: random bits in u32, else small whole numbers, so that sums are exact. */
void bench_program_fill(const bench_row *row, void *src);

/** Checks of dst, what a program has made of src: */
bool bench_is_sorted(const bench_row *row, const void *src,
                     const void *dst); /**< u32: in order, and all there */
bool bench_is_hadamard(const bench_row *row, const void *src, const void *dst); /**< f16, f32, f64, i32: exact */
bool bench_is_fourier(const bench_row *row, const void *src,
                      const void *dst); /**< c64, by single precision's roundings */

#endif
