/* SPDX-License-Identifier: Apache-2.0
 *
 * When a pass should write around the caches.
 */
#ifndef RIFFLE_PLAN_REQUEST_STREAMING_H
#define RIFFLE_PLAN_REQUEST_STREAMING_H

#include <stdbool.h>
#include <stdint.h>

/** True if an array of so many bytes is better streamed to memory: a smaller one is left in the caches for who
 *  reads it next, a larger one would only push everything else out, and be read before it is written. */
static inline bool is_streamed(uint64_t array_bytes) { return array_bytes >= (uint64_t)4 << 20; }

#endif
