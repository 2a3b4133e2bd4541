/* SPDX-License-Identifier: Apache-2.0
 *
 * The stage of the pipeline that each lane of a warp's access takes, in the order of the lanes (HMM paper, section II).
 */
#ifndef RIFFLE_MACHINE_TRACE_STAGES_H
#define RIFFLE_MACHINE_TRACE_STAGES_H

#include "machine/trace/trace.h"

/** The bank, or the number of the address group, of an address. */
static inline uint64_t stages_group(bool is_shared, uint64_t address, unsigned bytes, unsigned width) {
    return is_shared ? address / bytes % width : address / bytes / width;
}

/** Writes each lane's stage, from 0, and returns how many stages they are. Lanes of different arrays share none in global
 *  memory, and banks in shared memory. */
unsigned stages_of(const traced_round *round, unsigned bytes, traced_lane *lane, unsigned lanes);

#endif
