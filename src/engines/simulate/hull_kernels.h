/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of hulls (kernels/hull) as the machine runs them.
 */
#ifndef RIFFLE_ENGINES_SIMULATE_HULL_KERNELS_H
#define RIFFLE_ENGINES_SIMULATE_HULL_KERNELS_H

#include "engines/simulate/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A step by sorting, whose arguments are a hull_sorted_table and a hull_cursor. */
machine_entry machine_hull_sorted(uint32_t kind);

/** One of the dissertation's, whose arguments are a hull_paper_table and a hull_paper_cursor. */
machine_entry machine_hull_paper(uint32_t kind);

#ifdef __cplusplus
}
#endif

#endif
