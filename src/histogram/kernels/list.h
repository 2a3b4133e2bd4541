/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of histograms, as move/kernels/list.h has those of moves.
 */
#ifndef KERNEL_AS

#include "histogram/kernels/shape.h"

#define TAKES_histogram ARGUMENT(uint64_t, n) ARGUMENT(uint64_t *, counts)

#else

SIGNATURE(histogram)

KERNEL_AS(histogram_bytes, histogram_bytes, histogram_bytes, 1, histogram)
KERNEL_AS(histogram_pairs, histogram_pairs, histogram_pairs, 2, histogram)

#undef KERNEL_AS
#undef SIGNATURE
#undef ARGUMENT
#endif
