/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that move along indices used once, as move/kernels/list.h has them.
 */
#ifndef KERNEL_AS

#include "move/kernels/once/once.h"

#define TAKES_once ARGUMENT(once_table, table)

#define KERNEL(name, bytes, takes) KERNEL_AS(name, name, name, bytes, takes)

#else

SIGNATURE(once)

/* Indices have 4 bytes, have 8, or are computed. Elements of the first two are low parts. */
KERNEL_AS(once_requests_32, once_requests, once_requests<once_given<uint32_t>>, 2, once)
KERNEL_AS(once_requests_64, once_requests, once_requests<once_given<uint64_t>>, 2, once)
KERNEL_AS(once_indices_32, once_indices, once_indices<once_given<uint32_t>>, 4, once)
KERNEL_AS(once_indices_64, once_indices, once_indices<once_given<uint64_t>>, 4, once)
KERNEL_AS(once_values_32, once_values, once_values<once_given<uint32_t>>, 1 | 2 | 4 | 8 | 16, once)
KERNEL_AS(once_values_64, once_values, once_values<once_given<uint64_t>>, 1 | 2 | 4 | 8 | 16, once)
KERNEL_AS(once_values_random, once_values, once_values<once_random>, 1 | 2 | 4 | 8 | 16, once)
KERNEL(once_span_sums, 4, once)
KERNEL(once_tile_sums, 4, once)
KERNEL(once_tile_begins, 4, once)
KERNEL(once_run_begins, 4, once)
KERNEL(once_run_lists, 4, once)
KERNEL(once_answer, 1 | 2 | 4 | 8 | 16, once)
KERNEL(once_look_up, 1 | 2 | 4 | 8 | 16, once)
KERNEL(once_collect, 1 | 2 | 4 | 8 | 16, once)
KERNEL(once_place, 1 | 2 | 4 | 8 | 16, once)
KERNEL_AS(once_mark_32, once_mark, once_mark<uint32_t>, 4, once)
KERNEL_AS(once_mark_64, once_mark, once_mark<uint64_t>, 4, once)
KERNEL_AS(once_gather_32, once_gather, once_gather<uint32_t>, 1 | 2 | 4 | 8 | 16, once)
KERNEL_AS(once_gather_64, once_gather, once_gather<uint64_t>, 1 | 2 | 4 | 8 | 16, once)
KERNEL(once_write_random, 4, once)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
