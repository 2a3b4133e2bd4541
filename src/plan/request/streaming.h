/* SPDX-License-Identifier: Apache-2.0
 *
 * When a pass should write around the caches.
 */
#ifndef RIFFLE_PLAN_REQUEST_STREAMING_H
#define RIFFLE_PLAN_REQUEST_STREAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/processor/processor.h"

/** Bytes from which on arrays are streamed on a processor: a quarter of its last cache where it tells of one that large, else
 *  4 MiB. */
uint64_t streamed_from(const processor *of);

/** True if an array of so many bytes is better streamed to memory here: a smaller one is left in the caches for who
 *  reads it next, a larger one would only push everything else out, and be read before it is written. */
bool is_streamed(uint64_t array_bytes);

#endif
