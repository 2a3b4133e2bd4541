/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of array programs, as move/kernels/list.h has those of moves.
 */
#ifndef KERNEL_AS

#include "program/kernels/fused.h"

#define TAKES_fused ARGUMENT(fused_table, table)

/* Without groups, and with (program/kernels/fused.cu). */
#define FUSED(type, bytes)                                                                                     \
    KERNEL_AS(fused_##type, fused, fused<plain_##type>, bytes, fused)                                          \
    KERNEL_AS(fused_##type##_groups, fused, fused<group_##type>, bytes, fused)

#else

SIGNATURE(fused)

/* A fused pass of an array program, for each type of elements. */
FUSED(i8, 1)
FUSED(i16, 2)
FUSED(i32, 4)
FUSED(i64, 8)
FUSED(u8, 1)
FUSED(u16, 2)
FUSED(u32, 4)
FUSED(u64, 8)
FUSED(f16, 2)
FUSED(f32, 4)
FUSED(f64, 8)
FUSED(c64, 8)
FUSED(c128, 16)
KERNEL_AS(fused_f16_pairs, fused, fused<plain_f16_pair>, 4, fused)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
