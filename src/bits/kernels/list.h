/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of bit transpositions, as move/kernels/list.h has those of moves.
 */
#ifndef KERNEL_AS

#include "bits/kernels/shape.h"

/* Elements of an array, bytes of one, of a plane and of an array of elements, tiles of an array, tiles in all; 1 for bytes that begin with their
 * highest bit. */
#define TAKES_bits                                                                                             \
    ARGUMENT(uint64_t, n)                                                                                      \
    ARGUMENT(uint64_t, bytes)                                                                                  \
    ARGUMENT(uint64_t, tiles) ARGUMENT(uint64_t, all) ARGUMENT(uint32_t, is_big) ARGUMENT(uint32_t, by_words)

#else

SIGNATURE(bits)

KERNEL_AS(bits_to_planes, bits_to_planes, bits_to_planes, 1 | 2 | 4 | 8, bits)
KERNEL_AS(bits_to_elements, bits_to_elements, bits_to_elements, 1 | 2 | 4 | 8, bits)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
