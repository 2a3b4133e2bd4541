/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `affine`, in groups:
 *
 *     large      riffle's affine tiles at sizes of element from 1 to 16 bytes, along many permutations
 *     small      the same for arrays of 2^20 to 2^26 floats
 *     in-place   within one array
 *     batch      many short arrays at a time, contiguous and apart
 *     paper      the BMMC paper's kernels beside riffle's (Bouverot-Dupuis, Sheeran 2023, Figures 9 to 11)
 */
#ifndef RIFFLE_CLI_BENCH_SUITE_AFFINE_H
#define RIFFLE_CLI_BENCH_SUITE_AFFINE_H

#include "bench/suites.h"

enum { BENCH_AFFINE_ROWS = 359 };

/** Row k of them; its strings last until the next call. */
bench_row bench_affine_row(size_t k);

#endif
