/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine as an engine, for arrays at any address.
 */
#ifndef RIFFLE_MOVE_SIMULATE_SIMULATE_H
#define RIFFLE_MOVE_SIMULATE_SIMULATE_H

#include "riffle/machine.h"

/** How many bytes behind a multiple of 4096 the arrays begin; in place there is only dst. */
typedef struct simulate_offsets {
    size_t dst, src;
} simulate_offsets;

/** riffle_simulate, which has both arrays begin on a multiple of 4096, for arrays that begin elsewhere: on the
 *  largest power of two, at most 16, that divides elem_bytes. RIFFLE_ERROR_INTERNAL also where something before dst was
 *  written. */
riffle_status simulate_at(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *plan_options,
                          const riffle_machine_options *machine_options, simulate_offsets offsets,
                          riffle_report **out);

#endif
