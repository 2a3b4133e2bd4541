/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of matrices over F2, as move/kernels/list.h has those of moves.
 */
#ifndef KERNEL_AS

#include "f2/kernels/shape.h"

#define TAKES_f2_product ARGUMENT(f2_product_table, table)
/* Rows and columns; words of 32 bits from a row to the next of the result and the matrix; blocks for the columns. */
#define TAKES_f2_transpose                                                                                     \
    ARGUMENT(uint32_t, rows)                                                                                   \
    ARGUMENT(uint32_t, columns)                                                                                \
    ARGUMENT(uint64_t, to_stride) ARGUMENT(uint64_t, from_stride) ARGUMENT(uint32_t, panels)

#else

SIGNATURE(f2_product)
SIGNATURE(f2_transpose)

KERNEL_AS(f2_product, f2_product, f2_product, 4, f2_product)
KERNEL_AS(f2_transpose, f2_transpose, f2_transpose, 4, f2_transpose)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
