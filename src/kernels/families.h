/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel, once for each element size. Who includes this has defined what CUDA has and C has not
 * (__global__, threadIdx, __syncthreads, ...): nvcc does by itself, the memory machine by its own header.
 *
 * A thread that has several elements of a round to move loads AT_ONCE of them before it stores the first, so
 * that their latencies overlap. In a launch with as many threads as elements each moves one, and a round is the
 * papers'.
 */
#include <stdint.h>

enum { AT_ONCE = 4 };

#define ELEMENT_BYTES 4
#include "kernels/each.h"
#undef ELEMENT_BYTES
#define ELEMENT_BYTES 8
#include "kernels/each.h"
#undef ELEMENT_BYTES
