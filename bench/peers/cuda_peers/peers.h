/* SPDX-License-Identifier: Apache-2.0
 *
 * The suites that peers are measured on.
 */
#ifndef RIFFLE_BENCH_PEERS_PEERS_H
#define RIFFLE_BENCH_PEERS_PEERS_H

#include <stdbool.h>
#include <stdint.h>

/** The part of a suite that is measured, as riffle-bench is told it. */
typedef struct peers_choice {
    const char *only; /**< the rows that bench_row_is_named says; NULL: all */
    double until;     /**< seconds_now after which no row is begun; 0: no limit */
    uint64_t seed;    /**< seed of random shapes */
} peers_choice;

/** Thrust and CUB along random permutations. False if one was wrong. */
bool peers_arbitrary(const peers_choice *choice);

/** cuTENSOR along the suite axes; what it refuses is a row with its error. False if a row was wrong, or, with nothing
 *  printed but *why set, if there is no cuTENSOR. */
bool peers_axes(const peers_choice *choice, const char **why);

/** CUB and Thrust on the rows of the suite sort-gpu. False if one was wrong. */
bool peers_sort(const peers_choice *choice);

#endif
