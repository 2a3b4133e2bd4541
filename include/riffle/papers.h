/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Algorithms that exist to reproduce papers' figures, and to be compared with. A program that only moves data needs none of
 *  them. */
#ifndef RIFFLE_PAPERS_H
#define RIFFLE_PAPERS_H

#include "riffle/machine.h"
#include "riffle/sort.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @name The BMMC paper's kernels
 *  Bouverot-Dupuis, Sheeran 2023: algorithms of a plan, for affine permutations of elements of 4 and 8 bytes on
 *  a GPU or on the memory machine. A matrix that is not tiled takes the tiled ones two passes (section 5.2).
 *  Their names are "bmmc-naive", "bmmc-tile", "bmmc-tile-banks", "bmmc-tile-iters" and "bmmc-tile-banks-iters".
 *  @{ */

/** An element a thread, the index computed (appendix). */
#define RIFFLE_ALGORITHM_BMMC_NAIVE ((riffle_algorithm)64)
/** By tiles in shared memory (section 4.1). */
#define RIFFLE_ALGORITHM_BMMC_TILE ((riffle_algorithm)65)
/** By tiles whose rows are shifted against bank conflicts (section 4.2). */
#define RIFFLE_ALGORITHM_BMMC_TILE_BANKS ((riffle_algorithm)66)
/** Several tiles a block, bit permutations only (section 4.3). */
#define RIFFLE_ALGORITHM_BMMC_TILE_ITERS ((riffle_algorithm)67)
/** Several tiles a block, with shifted rows. */
#define RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS ((riffle_algorithm)68)

/** @} */

/** The DMM paper's experiment (Kasagi, Nakano, Ito 2012, section VI): `blocks` blocks each hold one array of
 *  riffle_perm_length(perm) elements of elem_bytes (4 or 8) in shared memory and move it along `perm` there,
 *  `repetitions` times, by `algorithm`: COPY (which ignores perm), SCATTER, GATHER or CONFLICT_FREE. dst and
 *  src are device memory of `blocks` arrays one after another; dst receives what the last repetition wrote.
 *  Stores the seconds of the launch. Synchronizes. */
RIFFLE_API riffle_status riffle_cuda_permute_in_blocks(const riffle_perm *perm, size_t elem_bytes,
                                                       riffle_algorithm algorithm, unsigned blocks,
                                                       uint64_t repetitions, void *dst, const void *src,
                                                       double *seconds);

/** The same on a memory machine: one move of arrays of its own, checked to have arrived (RIFFLE_ERROR_INTERNAL if not). The report has
 *  every round of the launch, and of the move alone what the DMM paper speaks of: the accesses of its Table I, of a copy n reads and n
 *  writes, with scatter and gather 2n and n, conflict-free 3n and n; stages a warp, the congestion behind its Table II; and the
 *  time, counted and predicted, where the machine's shared_latency is l: 2 (n/w + l - 1) of a copy and 4 (n/w + l - 1) of conflict-free, if
 *  w divides n. Tables have entries of 2 bytes. `options` may be NULL, for riffle_simulate's defaults; the width is a power of
 *  two, or RIFFLE_ERROR_UNSUPPORTED, as for arrays that a block's shared memory does not hold. The caller frees *out. */
RIFFLE_API riffle_status riffle_simulate_in_blocks(const riffle_perm *perm, size_t elem_bytes,
                                                   riffle_algorithm algorithm, unsigned blocks,
                                                   const riffle_machine_options *options, riffle_report **out);

/** The blocks that a merge by blocks moved. */
typedef struct riffle_merge_counts {
    uint64_t reads;  /**< blocks, each once: for each segment its elements / block, rounded up */
    uint64_t writes; /**< blocks written; one that is written in two parts counts twice */
    uint64_t sorts;  /**< times that what memory held was sorted */
} riffle_merge_counts;

/** The dissertation's Algorithm 9 as it is printed (Jurkiewicz 2013, section 4.2): sorted segments are merged in one pass over
 *  blocks of `block` elements, with memory for `memory_blocks` of them. Blocks are read in order of rank, a segment's last element
 *  read; when memory is full all of it is sorted, and written but for the largest segments - 1 blocks. For segments longer than memory,
 *  in mapped files; sorts compare element by element, so riffle_sort_execute is the faster by far where all fits.
 *
 *  `plan` is the CPU's, of RIFFLE_SORT_TASK_MERGE by fields, without values and indices (RIFFLE_ERROR_UNSUPPORTED); `arrays` are as
 *  for riffle_sort_execute, keys and from_keys apart, and the results are the same. RIFFLE_ERROR_INVALID_ARGUMENT where memory
 *  holds no block of each segment, or for 0 or more than 2^32 - 1 of them. It takes (memory_blocks + 1) * block elements, though no
 *  more than three times plan's, and 20 bytes for each. `counts` may be NULL. */
RIFFLE_API riffle_status riffle_merge_by_blocks(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays,
                                                uint64_t block, uint64_t memory_blocks,
                                                riffle_merge_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
