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

/* 16 bytes that are loaded and stored whole, and loops whose arrays are to stay in registers. */
#ifdef __CUDACC__
typedef uint4 vector16;
#define GRID_CONSTANT __grid_constant__
#define LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#define UNROLL _Pragma("unroll")
/* A copy of 16 bytes from global to shared memory by way of no register, which a thread need not wait for. */
#define COPY_ASYNC(to, from) __pipeline_memcpy_async(to, from, 16)
#define WAIT_FOR_COPIES() (__pipeline_commit(), __pipeline_wait_prior(0))
#else
typedef uint32_t vector16 __attribute__((vector_size(16)));
#define GRID_CONSTANT
#define LAUNCH_BOUNDS(threads, blocks)
#define UNROLL
#define COPY_ASYNC(to, from) (*(to) = *(from))
#define WAIT_FOR_COPIES() ((void)0)
#endif

enum { AT_ONCE = 4 };

#include "kernels/affine_tile.h"
#include "kernels/bmmc.h"
#include "kernels/bucket_cell.h"
#include "kernels/place.h"
#include "kernels/rows.h"
#include "kernels/rows_map.h"

#define PLACE_BITS 32
#include "kernels/affine_sums.h"
#undef PLACE_BITS
#define PLACE_BITS 64
#include "kernels/affine_sums.h"
#undef PLACE_BITS

#define EACH_ACCESS "kernels/affine_tile.cu"
#define ELEMENT_BYTES 4
#include "kernels/each.h"
#include "kernels/each_access.h"
#include "kernels/each_size.h"
#undef ELEMENT_BYTES
#define ELEMENT_BYTES 8
#include "kernels/each.h"
#include "kernels/each_access.h"
#include "kernels/each_size.h"
#undef ELEMENT_BYTES

/* The papers' kernels move elements of 4 and 8 bytes only. */
#define ELEMENT_BYTES 1
#include "kernels/each_access.h"
#include "kernels/each_size.h"
#undef ELEMENT_BYTES
#define ELEMENT_BYTES 2
#include "kernels/each_access.h"
#include "kernels/each_size.h"
#undef ELEMENT_BYTES
#define ELEMENT_BYTES 16
#include "kernels/each_access.h"
#include "kernels/each_size.h"
#undef ELEMENT_BYTES
#undef EACH_ACCESS
