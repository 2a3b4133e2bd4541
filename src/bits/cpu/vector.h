/* SPDX-License-Identifier: Apache-2.0
 *
 * The vectors of bits/cpu/loops.inc, for the file of a set that says VECTOR_BYTES and VECTOR_TARGET before.
 */
#ifndef RIFFLE_BITS_VECTOR_H
#define RIFFLE_BITS_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#define INLINE_LOOP VECTOR_TARGET __attribute__((always_inline)) static inline

typedef uint64_t vector __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef uint64_t loose __attribute__((vector_size(VECTOR_BYTES), may_alias, aligned(1))); /**< at any byte */

INLINE_LOOP vector load(const uint8_t *from) { return *(const loose *)(const void *)from; }

#endif
