/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of checks, as move/kernels/list.h has those of moves.
 */
#ifndef KERNEL_AS

#include "check/kernels/table.h"

#define TAKES_check_run ARGUMENT(check_run_table, table)
#define TAKES_check_affine ARGUMENT(check_affine_table, table)
#define TAKES_check_rows ARGUMENT(check_rows_table, table)

#else

SIGNATURE(check_run)
SIGNATURE(check_affine)
SIGNATURE(check_rows)

KERNEL_AS(check_run, check_run, check_run, 1 | 2 | 4, check_run)
KERNEL_AS(check_affine, check_affine, check_affine, 1 | 2 | 4 | 8 | 16, check_affine)
KERNEL_AS(check_rows, check_rows, check_rows, 1 | 2 | 4 | 8 | 16, check_rows)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
