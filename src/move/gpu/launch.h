/* SPDX-License-Identifier: Apache-2.0
 *
 * How a pass becomes launches (device/launch.h), the same on a GPU and on the memory machine: which kernel, how many
 * blocks of how many threads, how much shared memory, which arguments.
 */
#ifndef RIFFLE_MOVE_GPU_LAUNCH_H
#define RIFFLE_MOVE_GPU_LAUNCH_H

#include "move/kernels/kernel.h"
#include "plan/pass.h"

enum {
    LAUNCH_RECORD = 3, /* the place of a check's record among a pass's arrays, which the engine has begun */
    LAUNCH_MAX_ARRAYS,
};
enum { LAUNCH_MAX_BLOCKS = 0x7fffffff, LAUNCH_VECTOR_BYTES = 16 };

/** A device's limits of launches, or less: with fewer threads in a block each moves more elements, one after the other. */
typedef struct launch_limits {
    unsigned width;         /**< lanes of a warp */
    unsigned block_threads; /**< most threads of a block */
    size_t shared_bytes;    /**< most shared memory of a block */
    unsigned moves;         /**< moves a thread of a scatter or gather, at most AT_ONCE; the papers' make 1 */
    size_t access_bytes;    /**< the widest access that the arrays' addresses allow (launch_access_bytes) */
} launch_limits;

/** A host array of a pass's schedule that its kernel reads on the device; start is NULL where there is none. */
typedef struct launch_array {
    const char *name;
    const void *start;
    size_t bytes;
} launch_array;

/** The arrays that pass p needs on the device. */
void launch_arrays(const pass *p, launch_array out[LAUNCH_MAX_ARRAYS]);

/** The longest access, of at most LAUNCH_VECTOR_BYTES, that is aligned in both arrays if it is in one that begins on
 *  LAUNCH_VECTOR_BYTES. Passes that make accesses wider than a unit make accesses of one where this is less. */
size_t launch_access_bytes(const void *to, const void *from);

/** Bytes that the addresses of pass p's arrays, of elements of elem_bytes, must be multiples of. */
size_t launch_alignment(const pass *p, size_t elem_bytes);

/** How many blocks launch_of_pass gives pass p. A grid holds LAUNCH_MAX_BLOCKS at most. */
uint64_t launch_blocks(const pass *p, const launch_limits *limits);

/** Appends the launch that carries out pass p, of a kind whose passes are one, with its arrays at `arrays`, all device pointers;
 *  from where to where is for launch_between to say. The plan has made sure that the pass fits the limits. */
launch *launch_of_pass(const pass *p, const launch_limits *limits, const void *const arrays[LAUNCH_MAX_ARRAYS],
                       launch_list *out);

/** Appends all launches of pass p from `from` to `to`, device pointers. */
void launch_pass(const pass *p, const launch_limits *limits, const void *const arrays[LAUNCH_MAX_ARRAYS],
                 void *to, const void *from, launch_list *out);

/** Blocks that are small beside what a multiprocessor holds come and go without leaving it half empty. */
static inline unsigned launch_flat_threads(const launch_limits *limits) {
    const unsigned usual = 256;
    return limits->block_threads < usual ? limits->block_threads : usual;
}

#endif
