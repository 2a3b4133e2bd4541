/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of checks, as move/kernels/list.h has those of moves.
 */
#ifndef KERNEL_AS

#include "check/kernels/table.h"

#define TAKES_check_rows ARGUMENT(check_table, table)

#else

SIGNATURE(check_rows)

KERNEL_AS(check_rows, check_rows, check_rows, 1 | 2 | 4 | 8 | 16, check_rows)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
