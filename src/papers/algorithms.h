/* SPDX-License-Identifier: Apache-2.0
 *
 * The algorithms that exist to reproduce a paper's figures, as records (plan/algorithm.h).
 */
#ifndef RIFFLE_PAPERS_ALGORITHMS_H
#define RIFFLE_PAPERS_ALGORITHMS_H

#include "plan/algorithm.h"

extern const plan_algorithm algorithm_bmmc_naive, algorithm_bmmc_tile, algorithm_bmmc_tile_banks,
    algorithm_bmmc_tile_iters, algorithm_bmmc_tile_banks_iters;

#endif
