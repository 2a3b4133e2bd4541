/* SPDX-License-Identifier: Apache-2.0
 *
 * Which cache a pass should leave its array in, or write it around all of them.
 */
#ifndef RIFFLE_PLAN_REQUEST_STREAMING_H
#define RIFFLE_PLAN_REQUEST_STREAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/processor/processor.h"

/** Where the array that is written is best left. */
typedef enum dst_place {
    DST_NEAR, /**< in caches that answer soon enough */
    DST_FAR, /**< in a last cache behind a mesh: for loops that ask for src's and dst's lines ahead; to others it is as slow as memory */
    DST_PAST /**< in memory, around the caches: it would only push everything else out, and be read before it is written */
} dst_place;

/** The place of an array of so many bytes on a processor. Up to a quarter of its last cache it is a cache: near as AMD's are, or up to 4 MiB. */
dst_place dst_place_on(const processor *of, uint64_t array_bytes);

/** The same here. */
dst_place dst_place_of(uint64_t array_bytes);

/** True if loops that do not ask for lines ahead should stream an array of so many bytes here. */
static inline bool is_streamed(uint64_t array_bytes) { return dst_place_of(array_bytes) != DST_NEAR; }

#endif
