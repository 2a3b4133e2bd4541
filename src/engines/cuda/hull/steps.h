/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of hulls (kernels/hull) as one launch of a GPU.
 */
#ifndef RIFFLE_ENGINES_CUDA_HULL_STEPS_H
#define RIFFLE_ENGINES_CUDA_HULL_STEPS_H

#include "kernels/hull/paper.h"
#include "kernels/hull/sorted.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HULL_STEPS_THREADS = 512, HULL_STEPS_BLOCKS = 2 }; /* of a block; of a multiprocessor, at least */

/** The kernel that makes all steps by sorting: a cooperative launch, whose argument is a hull_sorted_table. */
const void *cuda_hull_sorted(uint32_t kind);

/** The same of the dissertation's steps, whose argument is a hull_paper_table. */
const void *cuda_hull_paper(uint32_t kind);

#ifdef __cplusplus
}
#endif

#endif
