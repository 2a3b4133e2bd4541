/* SPDX-License-Identifier: Apache-2.0
 *
 * The suites that peers are measured on.
 */
#ifndef RIFFLE_BENCH_PEERS_PEERS_H
#define RIFFLE_BENCH_PEERS_PEERS_H

#include <stdbool.h>
#include <stdint.h>

/** Thrust and CUB along random permutations. False if one was wrong. */
bool peers_arbitrary(void);

/** cuTENSOR along the suite axes, its random shapes by `seed`; what it refuses is a row with its error. False if a row
 *  was wrong, or, with nothing printed but *why set, if there is no cuTENSOR. */
bool peers_axes(uint64_t seed, const char **why);

/** CUB and Thrust on the rows of the suite sort-gpu. False if one was wrong. */
bool peers_sort(void);

#endif
