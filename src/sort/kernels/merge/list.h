/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that merge, as move/kernels/list.h has them; *_placed: keys with the places that they came from.
 */
#ifndef KERNEL_AS

#include "sort/kernels/merge/merge.h"

#define TAKES_merge ARGUMENT(merge_table, table)

#else

SIGNATURE(merge)

KERNEL_AS(merge_runs, merge_runs, merge_runs<merge_alone<element>>, 4 | 8 | 16, merge)
KERNEL_AS(merge_runs_placed, merge_runs, merge_runs<merge_placed<element>>, 4 | 8 | 16, merge)
KERNEL_AS(merge_split, merge_split, merge_split, 4 | 8 | 16, merge)
KERNEL_AS(merge_parts, merge_parts, merge_parts<merge_alone<element>>, 4 | 8 | 16, merge)
KERNEL_AS(merge_parts_placed, merge_parts, merge_parts<merge_placed<element>>, 4 | 8 | 16, merge)
KERNEL_AS(merge_pairs, merge_pairs, merge_pairs, 4 | 8, merge)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
