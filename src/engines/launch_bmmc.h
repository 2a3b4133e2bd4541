/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_ENGINES_LAUNCH_BMMC_H
#define RIFFLE_ENGINES_LAUNCH_BMMC_H

#include "engines/launch.h"

/** How many blocks the launch has. */
uint64_t launch_bmmc_blocks(const bmmc_schedule *s, const launch_limits *limits);

/** The launch of a BMMC paper's pass, but for its grid: what each part of a thread's place contributes to its
 *  indices. A block that moves tiles has 2^(2 n_tile - n_over) threads, whatever the limits are. */
void launch_bmmc(const bmmc_schedule *s, size_t elem_bytes, const launch_limits *limits, launch *out);

#endif
