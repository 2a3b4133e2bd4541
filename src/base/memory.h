/* SPDX-License-Identifier: Apache-2.0
 *
 * Large buffers: mapped straight from the system, on huge pages where it grants them, because a move
 * through 4 KiB pages pays a translation for nearly every element (riffle_buffer_create is the public door).
 */
#ifndef RIFFLE_BASE_MEMORY_H
#define RIFFLE_BASE_MEMORY_H

#include <stdbool.h>

#include "riffle.h"

/** Allocates `bytes` zeroed bytes for `what` (named in the error), 64-byte aligned. */
riffle_status buffer_create(const char *what, size_t bytes, void **out);

/** a * b * c into *out; false if it does not fit a size_t. */
bool multiply_sizes(uint64_t a, uint64_t b, uint64_t c, size_t *out);

#endif
