/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops that look for a number before a bound, one for each type and comparison (scans.inc), by each set of vectors.
 */
#ifndef RIFFLE_SORT_CPU_SCAN_SCANS_H
#define RIFFLE_SORT_CPU_SCAN_SCANS_H

#include "sort/cpu/scan/top_scan.h"

/** top_next_block of a bound that has these bits. */
typedef uint64_t top_scan(const void *from, uint64_t blocks, uint64_t bits, uint32_t *parts);

/** [kind][log2 of bytes][descending][strict]; NULL for halves, which the host's compiler lacks. */
typedef top_scan *const top_scans[3][4][2][2];
extern top_scans top_scans_portable, top_scans_avx2;

#endif
