/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `arbitrary`: permutations without structure, in groups:
 *
 *     ways         random:1 of 2^20 to 2^28 floats by every way. Scheduling is done by the host, half a minute
 *                  for 2^28, so that is left to the suite hmm, and here stops at 2^26.
 *     sizes        random:1 of other sizes of element, and of a length that is no power of two
 *     rows         random:1 of rows of 32 to 4096 bytes, 2^30 bytes in all
 *     tables       tables in device memory: random:1, and permutations other than random (bench/tables.h)
 *     crossovers   random:1 of short arrays: where the policy changes its mind
 */
#ifndef RIFFLE_CLI_BENCH_SUITE_ARBITRARY_H
#define RIFFLE_CLI_BENCH_SUITE_ARBITRARY_H

#include "bench/suites.h"

enum { BENCH_ARBITRARY_ROWS = 195 };

/** Row k of them. */
bench_row bench_arbitrary_row(size_t k);

#endif
