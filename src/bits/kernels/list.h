/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of arrays of bits, as move/kernels/list.h has those of moves.
 */
#ifndef KERNEL_AS

#include "bits/kernels/affine_table.h"
#include "bits/kernels/shape.h"

#define TAKES_bits ARGUMENT(bits_table, table)
#define TAKES_bits_affine ARGUMENT(bits_affine_table, table)
/* The map; elements of an array, and its bytes; bytes of all arrays; bits of an element. */
#define TAKES_bits_gather                                                                                      \
    ARGUMENT(const void *, map)                                                                                \
    ARGUMENT(uint64_t, n)                                                                                      \
    ARGUMENT(uint64_t, bytes)                                                                                  \
    ARGUMENT(uint64_t, all) ARGUMENT(uint32_t, elem_bits) ARGUMENT(uint32_t, is_big)
#define TAKES_bits_shift ARGUMENT(bits_shift_table, table)
/* Units that threads exchange, and of a row; bits of an element. */
#define TAKES_bits_exchange                                                                                    \
    ARGUMENT(uint64_t, units)                                                                                  \
    ARGUMENT(uint64_t, row) ARGUMENT(uint32_t, elem_bits) ARGUMENT(uint32_t, is_big)

#else

SIGNATURE(bits)
SIGNATURE(bits_affine)
SIGNATURE(bits_gather)
SIGNATURE(bits_shift)
SIGNATURE(bits_exchange)

KERNEL_AS(bits_to_planes, bits_to_planes, bits_to_planes, 1 | 2 | 4 | 8, bits)
KERNEL_AS(bits_to_elements, bits_to_elements, bits_to_elements, 1 | 2 | 4 | 8, bits)

/* By vectors of 16 bytes, or bytes. */
KERNEL_AS(bits_affine, bits_affine, bits_affine, 1 | 16, bits_affine)

/* By entries of the map. */
KERNEL_AS(bits_gather, bits_gather, bits_gather, 4 | 8, bits_gather)

/* By words, or bytes. */
KERNEL_AS(bits_shift, bits_shift, bits_shift, 1 | 4, bits_shift)

/* By what rows are whole numbers of. */
KERNEL_AS(bits_exchange, bits_exchange, bits_exchange, 1 | 2 | 4 | 8 | 16, bits_exchange)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
