/* SPDX-License-Identifier: Apache-2.0
 *
 * The warps of a trace, by launch, block and number: the rows of pictures of warps by time.
 */
#ifndef RIFFLE_MACHINE_TRACE_WARPS_H
#define RIFFLE_MACHINE_TRACE_WARPS_H

#include "machine/trace/trace.h"

typedef struct traced_warp {
    unsigned launch, warp;
    uint64_t block;
    uint32_t round; /**< one of its rounds */
} traced_warp;

typedef struct traced_warps {
    size_t count;
    traced_warp *warp; /**< in order */
    size_t *of_access; /**< the warp of each access */
} traced_warps;

/** Those of different launches are apart where `by_launch` is true, else one. False without memory; warps_free frees them. */
bool warps_of(const riffle_trace *trace, bool by_launch, traced_warps *out);
void warps_free(traced_warps *warps);

#endif
