/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of one access of a warp, on the models (HMM paper, section II) and on NVIDIA's hardware.
 */
#ifndef RIFFLE_MACHINE_COUNT_ACCOUNT_H
#define RIFFLE_MACHINE_COUNT_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/count/report.h"
#include "machine/device/device_api.h"
#include "machine/layout/shared_layout.h"

/** A place in the machine's memory: the number of an array in the high 16 bits, in 5 bits whose shared memory it is in,
 *  a byte of the array in the low 43. Counted from the array's start, so that costs do not depend on where the host has put it. */
typedef uint64_t place;
enum { PLACE_ARRAY_SHIFT = 48, PLACE_OFFSET_BITS = 43, PLACE_BLOCKS = 1 << (PLACE_ARRAY_SHIFT - PLACE_OFFSET_BITS) };

static inline uint64_t place_offset(place p) { return p & (((uint64_t)1 << PLACE_OFFSET_BITS) - 1); }
static inline uint32_t place_array(place p) { return (uint32_t)(p >> PLACE_ARRAY_SHIFT); }
/** 0: the block's own, as is all other memory; else 1 + the rank of another one of its cluster, which has banks of its own. */
static inline unsigned place_block(place p) { return (unsigned)(p >> PLACE_OFFSET_BITS) % PLACE_BLOCKS; }

/** The lanes that take part, in ascending order, and where each accesses `bytes` (1, 2, 4, 8 or 16) bytes. */
typedef struct warp_access {
    report_space space;
    report_op op;
    unsigned bytes;
    unsigned width; /**< the machine's: banks, and cells of an address group */
    bool counts;    /**< an atomic in shared memory adds 1, for all lanes at an address together */
    unsigned lanes; /**< at least 1 */
    uint8_t lane[MACHINE_MAX_WIDTH];
    place at[MACHINE_MAX_WIDTH];
} warp_access;

typedef struct warp_cost {
    unsigned stages;         /**< stages of the pipeline; 1 where coalesced or free of conflicts */
    unsigned requests;       /**< 32-byte sectors of global memory, wavefronts of shared memory */
    unsigned ideal_requests; /**< the fewest sectors for the same bytes; wavefronts without a conflict */
} warp_cost;

/** Wavefronts of an access of shared memory under a layout. */
unsigned account_wavefronts(const warp_access *a, const layout_rows *layout);

/** Equal addresses merge, those of atomics do not, unless they count. */
warp_cost account_warp(const warp_access *a);

#endif
