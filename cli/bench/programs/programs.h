/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of array programs on any engine: their plans, the numbers that go in, and whether what comes out is right.
 */
#ifndef RIFFLE_CLI_BENCH_PROGRAMS_PROGRAMS_H
#define RIFFLE_CLI_BENCH_PROGRAMS_PROGRAMS_H

#include "bench/result.h"

/** Plans the row's program, and times that; notes passes, bound and stages. *plan stays as it was on failure. */
riffle_status bench_program_plan(const bench_row *row, const bench_settings *settings,
                                 riffle_program_plan **plan, bench_result *out);

/** Fills the row's arrays: random bits in integers, small whole numbers in floats, so that sums are exact. */
void bench_program_fill(const bench_row *row, void *src);

/** Measures a row of a program on the host. */
riffle_status bench_program_on_host(const bench_row *row, const bench_settings *settings, bench_result *out);

/** Checks of dst, what a program has made of src: */
bool bench_is_sorted(const bench_row *row, const void *src,
                     const void *dst); /**< u32: in order, and all there */
bool bench_is_hadamard(const bench_row *row, const void *src, const void *dst); /**< f16, f32: exact */
bool bench_is_fourier(const bench_row *row, const void *src,
                      const void *dst); /**< c64, by single precision's roundings */

#endif
