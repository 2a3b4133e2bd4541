/* SPDX-License-Identifier: Apache-2.0
 *
 * Congestion by simulation: in each trial the layout draws new random numbers, a warp asks for its elements,
 * and the largest number of different addresses in one bank is counted (RAP paper, section II).
 */
#ifndef RIFFLE_CLI_CONGESTION_SIMULATE_H
#define RIFFLE_CLI_CONGESTION_SIMULATE_H

#include "congestion/pattern.h"
#include "riffle/trace.h"

typedef struct congestion_counts {
    uint64_t trials;
    uint32_t max;
    double mean, low, high; /**< low to high: the 99% confidence interval of the mean */
    uint64_t histogram[RIFFLE_LAYOUT_MAX_WIDTH + 1]; /**< [c]: trials of congestion c */
} congestion_counts;

/** Runs `trials` trials, which `seed` determines. layout->numbers has room for its numbers. Each trial is a round of one warp
 *  in `trace`, which may be NULL. Complains and returns false if memory is short. */
bool congestion_simulate(const riffle_layout *layout, const pattern *asked, uint64_t trials, uint64_t seed,
                         riffle_trace *trace, congestion_counts *out);

#endif
