/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables that the affine_exchange kernels take by value; places are bytes from a run's start. There is a table for places
 * of 32 bits, and one for places of 64.
 */
#ifndef RIFFLE_MOVE_KERNELS_AFFINE_AFFINE_EXCHANGE_H
#define RIFFLE_MOVE_KERNELS_AFFINE_AFFINE_EXCHANGE_H

#include <stdint.h>

enum {
    EXCHANGE_THREADS_LOG2 = 7,
    EXCHANGE_MOVES_LOG2 = 1,
    EXCHANGE_BITS_32 = 28, /* bits of a vector's number in its run */
    EXCHANGE_BITS_64 = 40,
};

#define AFFINE_EXCHANGE_TABLE(bits)                                                                            \
    typedef struct affine_exchange_table_##bits {                                                              \
        uint64_t stride; /* from one run to the next */                                                        \
        uint32_t blocks; /* blocks of a run */                                                                 \
        uint32_t threads_log2, moves;                                                                          \
        uint32_t coset_bits, moved, plain; /* plan/affine/involution.h */                                      \
        uint32_t first, rows; /* the first orbit that moves, and how many do, as multiples of 2^plain */       \
        uint##bits##_t fixed, far;                                                                             \
        uint##bits##_t origin, displacement;                                                                   \
        uint##bits##_t basis[EXCHANGE_BITS_##bits];                                                            \
        uint##bits##_t displaces[EXCHANGE_BITS_##bits]; /* from bit `plain` on */                              \
    } affine_exchange_table_##bits;

AFFINE_EXCHANGE_TABLE(32)
AFFINE_EXCHANGE_TABLE(64)

#endif
