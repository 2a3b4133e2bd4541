/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that make all steps of a hull, as move/kernels/list.h has them; their instances stand in hull/gpu/steps/steps.h and in
 * hull/gpu/steps/steps.cu. They take no arrays but those of their tables.
 */
#ifndef KERNEL_AS

#include "hull/gpu/steps/stages.h"

#define TAKES_hull_sorted ARGUMENT(hull_sorted_table, table)
#define TAKES_hull_paper ARGUMENT(hull_paper_table, table)

#else

SIGNATURE(hull_sorted)
SIGNATURE(hull_paper)

KERNEL_AS(hull_sorted, hull_sorted, hull_sorted, 0, hull_sorted)
KERNEL_AS(hull_paper, hull_paper, hull_paper, 0, hull_paper)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
