/* SPDX-License-Identifier: Apache-2.0
 *
 * How a pass becomes a launch of a kernel of src/kernels, the same on a GPU and on the memory machine: which
 * kernel, how many blocks of how many threads, how much shared memory, which arguments.
 */
#ifndef RIFFLE_ENGINES_LAUNCH_H
#define RIFFLE_ENGINES_LAUNCH_H

#include "kernels/affine_tile.h"
#include "kernels/bmmc.h"
#include "kernels/rows.h"
#include "plan/pass.h"

/** One for each kernel; each exists for elements of 4 and of 8 bytes, those of affine and bucket passes and of
 *  rows for 1, 2 and 16 too (ROW_WORDS not for 16). */
typedef enum launch_kernel {
    LAUNCH_COPY,
    LAUNCH_SCATTER,
    LAUNCH_GATHER,
    LAUNCH_TRANSPOSE,
    LAUNCH_ROW_WISE,
    LAUNCH_AFFINE_TILE_32,      /**< by accesses of 16 bytes, within 4 GiB */
    LAUNCH_AFFINE_TILE_32_PAIR, /**< in place */
    LAUNCH_AFFINE_TILE_64,      /**< within more */
    LAUNCH_AFFINE_TILE_64_PAIR,
    LAUNCH_AFFINE_UNITS, /**< by accesses of one element of less than 16 bytes */
    LAUNCH_AFFINE_UNITS_PAIR,
    LAUNCH_BUCKET_FIRST,
    LAUNCH_BUCKET_NEXT,
    LAUNCH_SCATTER_ROWS, /**< of units as long as the elements that the kernel is for */
    LAUNCH_GATHER_ROWS,
    LAUNCH_SCATTER_ROW_WORDS, /**< for units of less than 16 bytes */
    LAUNCH_GATHER_ROW_WORDS,
    LAUNCH_BMMC_NAIVE,
    LAUNCH_BMMC_TILE,
    LAUNCH_BMMC_TILE_BANKS,
    LAUNCH_BMMC_TILE_ITERS,
    LAUNCH_BMMC_TILE_BANKS_ITERS,
    LAUNCH_KERNELS,
} launch_kernel;

/** Elements that kernels move have 2^k bytes, k below this. */
enum { LAUNCH_ELEMENT_SIZES = 5 };

extern const char *const launch_kernel_names[LAUNCH_KERNELS];

enum { LAUNCH_MAX_ARGUMENTS = 8, LAUNCH_MAX_ARRAYS = 3, LAUNCH_MAX_BLOCKS = 0x7fffffff };

/** What a device can launch, or less: with fewer threads in a block each moves more elements, one after the
 *  other. */
typedef struct launch_limits {
    unsigned width;         /**< lanes of a warp */
    unsigned block_threads; /**< most threads of a block */
    size_t shared_bytes;    /**< most shared memory of a block */
    unsigned moves;         /**< of a thread of a scatter or gather, at most AT_ONCE; the papers' make 1 */
} launch_limits;

typedef union launch_argument {
    const void *pointer;
    uint64_t u64;
    uint32_t u32;
} launch_argument;

/** What a kernel takes by value as its third argument. */
typedef union launch_table {
    riffle_affine_table_32 affine_32;
    riffle_affine_table_64 affine_64;
    bmmc_table bmmc;
    rows_table rows;
} launch_table;

typedef struct launch {
    launch_kernel kernel;
    size_t elem_bytes;
    unsigned grid, block_x, block_y;
    size_t shared_bytes;
    launch_argument
        arguments[LAUNCH_MAX_ARGUMENTS]; /**< in the kernel's order: the first two are to and from */
    bool has_table;                      /**< the table takes the place of arguments[2] */
    launch_table table;
} launch;

/** A host array of a pass's schedule that its kernel reads on the device; start is NULL where there is none. */
typedef struct launch_array {
    const char *name;
    const void *start;
    size_t bytes;
} launch_array;

/** The addresses of a launch's arguments, as cudaLaunchKernel takes them; they point into it. */
void launch_argument_addresses(launch *work, void *out[LAUNCH_MAX_ARGUMENTS]);

/** The arrays that pass p needs on the device. */
void launch_arrays(const pass *p, launch_array out[LAUNCH_MAX_ARRAYS]);

/** What the addresses of pass p's arrays, of elements of elem_bytes, must be multiples of. */
size_t launch_alignment(const pass *p, size_t elem_bytes);

/** How many blocks launch_of_pass gives pass p. A grid holds LAUNCH_MAX_BLOCKS at most. */
uint64_t launch_blocks(const pass *p, const launch_limits *limits);

/** The launch that carries out pass p with its arrays at `arrays`, all device pointers; from where to where is
 *  for launch_between to say. The plan has made sure that the pass fits the limits. */
void launch_of_pass(const pass *p, const launch_limits *limits, const void *const arrays[LAUNCH_MAX_ARRAYS],
                    launch *out);

/** Blocks that are small beside what a multiprocessor holds come and go without leaving it half empty. */
static inline unsigned launch_flat_threads(const launch_limits *limits) {
    const unsigned usual = 256;
    return limits->block_threads < usual ? limits->block_threads : usual;
}

/** Has the launch move from `from` to `to`, device pointers. */
static inline void launch_between(launch *work, void *to, const void *from) {
    work->arguments[0].pointer = to;
    work->arguments[1].pointer = from;
}

#endif
